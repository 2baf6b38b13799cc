#include <cmath>
#include <iostream>

int main() {
    long long n;
    std::cin >> n;
    long long d = std::sqrt(n);
    while (n % d) d--;
    std::cout << n / d << " " << d << "\n";
}
