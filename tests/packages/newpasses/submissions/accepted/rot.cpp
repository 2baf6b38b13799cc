#include <iostream>
#include <string>

int main() {
    std::string what, word;
    std::cin >> what >> word;
    for (char& c : word) c = (c - 'a' + (what == "encode" ? 1 : 25)) % 26 + 'a';
    std::cout << word << "\n";
}
