// talk INPUT ANSWER FEEDBACK_DIR: talks to the submission by standard input and output; exits with 42 when it is right and
// with 43 when it is not.
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>

const int GUESSES = 10;

std::string feedback;

// Secret data must not appear in the words for the team.
[[noreturn]] void reject(const std::string& for_judges, const std::string& for_team) {
    std::ofstream(feedback + "/judgemessage.txt") << for_judges << "\n";
    std::ofstream(feedback + "/teammessage.txt") << for_team << "\n";
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
        if (!(std::cin >> guess)) {
            reject("guess " + std::to_string(number) + " is not an integer", "Each guess must be one integer.");
        }
        std::cout << (guess == n ? "correct" : n < guess ? "lower" : "higher") << std::endl;
        if (!std::cout) {
            reject("the submission has ended without listening", "Your program ended before it read the reply.");
        }
        if (guess == n) return 42;
    }
    const std::string guesses = std::to_string(GUESSES) + " guesses";
    reject(guesses + " were not enough", "Your program needs more than " + guesses + ".");
}
