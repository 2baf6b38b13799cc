#include <iostream>

int main() {
    int n, d;
    std::cin >> n;
    for (d = n - 1; n % d; d--) {}
    std::cout << d << "\n";
}
