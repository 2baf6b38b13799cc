#include <iostream>
int main() {
    int n, sum = 0, a;
    std::cin >> n;
    while (std::cin >> a) sum += a;
    std::cout << sum << '\n';
}
