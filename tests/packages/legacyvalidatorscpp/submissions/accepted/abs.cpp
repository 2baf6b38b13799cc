#include <cstdlib>
#include <iostream>

int main() {
    int n;
    std::cin >> n;
    std::cout << std::abs(n) << "\n";
}
