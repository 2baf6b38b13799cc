#include <iostream>

int main() {
    long n, square = 0;
    std::cin >> n;
    if (n < 0) n = -n;
    for (long i = 0; i < n; i++) square += n;
    std::cout << square << '\n';
}
