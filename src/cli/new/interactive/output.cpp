// talk INPUT ANSWER FEEDBACK_DIR: talks to the submission by standard input and output; exits with 42 when it is right and
// with 43 when it is not.
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>

const int GUESSES = 10;

std::string feedback;

[[noreturn]] void reject(const std::string& message) {
    std::ofstream(feedback + "/judgemessage.txt") << message << "\n";
    std::exit(43);
}

int main(int, char** argv) {
    // A submission that has ended is no reason to die.
    std::signal(SIGPIPE, SIG_IGN);
    feedback = argv[3];
    int n;
    std::ifstream(argv[1]) >> n;
    for (int number = 1; number <= GUESSES; number++) {
        // The submission may write anything: a program that crashes here would be a judge error.
        int guess;
        if (!(std::cin >> guess)) reject("guess " + std::to_string(number) + " is not an integer");
        std::cout << (guess == n ? "correct" : n < guess ? "lower" : "higher") << std::endl;
        if (!std::cout) reject("the submission has ended without listening");
        if (guess == n) return 42;
    }
    reject(std::to_string(GUESSES) + " guesses were not enough");
}
