#include <fstream>
#include <iostream>
#include <string>

int main() {
    std::string wanted, word;
    std::cin >> wanted;
    std::ifstream words("words.txt");
    bool found = false;
    while (words >> word) found |= word == wanted;
    std::cout << (found ? "yes" : "no") << "\n";
}
