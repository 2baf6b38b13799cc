#include <algorithm>
#include <iostream>
#include <string>

int main() {
    std::string digits;
    std::cin >> digits;
    std::reverse(digits.begin(), digits.end());
    std::cout << digits << "\n";
}
