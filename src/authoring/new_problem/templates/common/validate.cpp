// Exits with 42 when the input is valid, else with 43 and a message.
#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

[[noreturn]] void reject(const std::string& message) {
    std::cout << message << std::endl;
    std::exit(43);
}

// Rejects values outside of their bounds. Writes the bounds if `grader verify` wants them.
void check_bounds(int argc, char** argv, const std::string& name, long long smallest, long long largest, long long low,
                  long long high) {
    if (smallest < low || largest > high) {
        reject(name + " is not between " + std::to_string(low) + " and " + std::to_string(high));
    }
    char** option = std::find(argv, argv + argc, std::string("--constraints_file"));
    if (argv + argc - option < 2) return;
    std::ofstream(option[1], std::ios::app) << name << ' ' << name << ' ' << (smallest == low) << ' ' << (largest == high) << ' '
                                            << smallest << ' ' << largest << ' ' << low << ' ' << high << '\n';
}

int main(int argc, char** argv) {
    std::string text{std::istreambuf_iterator<char>(std::cin), {}};
    if (text.empty() || text.back() != '\n') reject("line 1: no newline at the end");
    text.pop_back();
    bool digits = std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c); });
    if (text.empty() || text[0] == '0' || !digits) reject("line 1: expected one integer without leading zeros");
    if (text.size() > 9) reject("line 1: too many digits");
    int n = std::stoi(text);
    check_bounds(argc, argv, "n", n, n, 2, 1000);
    return 42;
}
