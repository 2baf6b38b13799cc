#include <iostream>

int main() {
    long n;
    std::cin >> n;
    std::cout << n * n << '\n';
}
