#include <iostream>
#include <string>

int main() {
    std::string digits;
    std::cin >> digits;
    std::cout << digits << "\n";
}
