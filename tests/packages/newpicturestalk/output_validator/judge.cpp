// Tells whether a guess of a number from 1 to 16 is too low or too high, at most five times. Leaves the guesses for the
// visualiser.
#include <fstream>
#include <iostream>
#include <string>

int main(int, char** arguments) {
    int secret = 0;
    std::ifstream(arguments[1]) >> secret;
    const std::string feedback = arguments[3];
    std::ofstream guesses(feedback + "guesses.txt");
    for (int turn = 0; turn < 5; ++turn) {
        int guess = 0;
        if (!(std::cin >> guess)) break;
        guesses << guess << std::endl;
        if (guess == secret) {
            std::cout << "right" << std::endl;
            return 42;
        }
        std::cout << (guess < secret ? "low" : "high") << std::endl;
    }
    std::ofstream(feedback + "judgemessage.txt") << "not found\n";
    return 43;
}
