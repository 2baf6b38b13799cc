// @EXPECTED_RESULTS@: ACCEPTED
// In a directory of the format the directory is what counts.
#include <cctype>
#include <iostream>
#include <string>

int main() {
    std::string word, between;
    while (std::cin >> word) {
        for (char& c : word) c = std::toupper(c);
        std::cout << between << word;
        between = " ";
    }
    std::cout << "\n";
}
