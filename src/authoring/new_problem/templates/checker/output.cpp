// validate INPUT ANSWER FEEDBACK_DIR < OUTPUT: exits with 42 when the output is right and with 43 when it is not.
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>

std::string feedback;

// Secret data must not appear in the words for the team.
[[noreturn]] void reject(const std::string& for_judges, const std::string& for_team) {
    std::ofstream(feedback + "/judgemessage.txt") << for_judges << "\n";
    std::ofstream(feedback + "/teammessage.txt") << for_team << "\n";
    std::exit(43);
}

int main(int, char** argv) {
    feedback = argv[3];
    long long n, a, b;
    std::ifstream(argv[1]) >> n;
    // The output may be anything: a program that crashes here would be a judge error.
    std::string more;
    if (!(std::cin >> a >> b) || std::cin >> more) reject("expected two positive integers", "Print two positive integers.");
    if (a < 1 || b < 1) reject("the integers are not both positive", "Both integers must be positive.");
    if (a > n || b > n || a + b != n) {
        reject("the sum is not " + std::to_string(n), "The sum of your integers is not n.");
    }
    return 42;
}
