#include <iostream>

int main() {
    long long n, sum = 0;
    std::cin >> n;
    for (long long i = 1; i <= n; i++) sum += i;
    std::cout << sum << "\n";
}
