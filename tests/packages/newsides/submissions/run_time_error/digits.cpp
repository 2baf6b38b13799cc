#include <cstdlib>
#include <iostream>
#include <string>

int main() {
    std::string n;
    std::cin >> n;
    if (n.size() > 2) std::abort();
    std::cout << 1 << " " << n << "\n";
}
