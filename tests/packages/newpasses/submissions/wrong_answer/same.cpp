#include <iostream>
#include <string>

int main() {
    std::string what, word;
    std::cin >> what >> word;
    std::cout << word << "\n";
}
