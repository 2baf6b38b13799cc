#include <fstream>
#include <iostream>
#include <string>

// Two positive numbers whose sum is the input.
int main(int count, char** arguments) {
    if (count < 4) return 1;
    std::ifstream input(arguments[1]);
    std::ofstream message(std::string(arguments[3]) + "judgemessage.txt");
    long long n, a, b;
    input >> n;
    if (!(std::cin >> a >> b)) {
        message << "two numbers were expected\n";
        return 43;
    }
    std::string rest;
    if (std::cin >> rest) {
        message << "more than two numbers\n";
        return 43;
    }
    message << a << " + " << b << "\n";
    return a > 0 && b > 0 && a + b == n ? 42 : 43;
}
