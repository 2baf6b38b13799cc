#include <iostream>
#include <string>

int main() {
    // Wrong: one by one needs too many guesses.
    for (int guess = 1;; guess++) {
        std::cout << guess << std::endl;
        std::string said;
        if (!(std::cin >> said) || said == "correct") return 0;
    }
}
