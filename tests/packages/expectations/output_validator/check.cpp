#include <fstream>
#include <iostream>
#include <string>

int main(int, char** arguments) {
    std::ifstream answer(arguments[2]);
    std::ofstream message(std::string(arguments[3]) + "judgemessage.txt");
    std::string expected, found, rest;
    answer >> expected;
    if (!(std::cin >> found)) {
        message << "no word at all\n";
        return 43;
    }
    if (std::cin >> rest) {
        message << "more than one word\n";
        return 43;
    }
    message << "found " << found << "\n";
    return found == expected ? 42 : 43;
}
