// interact INPUT TOUT: talks to the submission by standard input and output, and decides.
#include "testlib.h"
#include <iostream>

const int GUESSES = 10;

int main(int argc, char** argv) {
    registerInteraction(argc, argv);
    int n = inf.readInt();
    for (int number = 1; number <= GUESSES; number++) {
        int guess = ouf.readInt();
        std::cout << (guess == n ? "correct" : n < guess ? "lower" : "higher") << std::endl;
        if (guess == n) quitf(_ok, "%d guesses", number);
    }
    quitf(_wa, "%d guesses were not enough", GUESSES);
}
