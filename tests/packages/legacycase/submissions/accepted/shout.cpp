#include <cctype>
#include <iostream>
#include <string>

int main() {
    std::string line;
    std::getline(std::cin, line);
    for (char& c : line) c = std::toupper(c);
    std::cout << line << "\n";
}
