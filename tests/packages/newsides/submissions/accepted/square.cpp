#include <iostream>

int main() {
    long n, best = 1;
    std::cin >> n;
    for (long a = 1; a * a <= n; a++)
        if (n % a == 0) best = a;
    std::cout << best << " " << n / best << "\n";
}
