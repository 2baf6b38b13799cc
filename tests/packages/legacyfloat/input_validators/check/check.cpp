#include <cctype>
#include <iostream>
#include <string>

// Two positive integers on one line.
int main() {
    std::string a, b, rest;
    if (!(std::cin >> a >> b) || std::cin >> rest) return 43;
    for (char c : a + b)
        if (!std::isdigit(c)) return 43;
    return b == "0" ? 43 : 42;
}
