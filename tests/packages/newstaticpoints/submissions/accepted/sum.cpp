#include <iostream>
int main() {
    int n, sum = 0;
    std::cin >> n;
    for (int a; n-- && std::cin >> a;) sum += a;
    std::cout << sum << '\n';
}
