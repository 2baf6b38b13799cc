// Exits with 42 when the input is valid, else with 43 and a message.
#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <iostream>
#include <iterator>
#include <string>

[[noreturn]] void reject(const std::string& message) {
    std::cout << message << std::endl;
    std::exit(43);
}

int main() {
    std::string text{std::istreambuf_iterator<char>(std::cin), {}};
    if (text.empty() || text.back() != '\n') reject("line 1: no newline at the end");
    text.pop_back();
    bool digits = std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c); });
    if (text.empty() || text[0] == '0' || !digits) reject("line 1: expected one integer without leading zeros");
    if (text.size() > 4 || std::stoi(text) < 2 || std::stoi(text) > 1000) {
        reject("line 1: " + text + " is not between 2 and 1000");
    }
    return 42;
}
