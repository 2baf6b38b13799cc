#include <iostream>

int main() {
    long long n;
    std::cin >> n;
    // Wrong: half a step is missing.
    std::cout << n * n / 2 << "\n";
}
