#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>

// Each pass gives the number of the pass before, and wants one more.
int main(int, char** arguments) {
    std::ifstream input(arguments[1]);
    long long n, found;
    input >> n;
    if (!(std::cin >> found) || found != n + 1) return 43;
    std::string feedback = arguments[3];
    std::ifstream old(feedback + "count");
    int count = 1;
    if (old >> count) count++;
    old.close();
    std::ofstream(feedback + "count") << count << "\n";
    if (count < 3) std::ofstream(feedback + "nextpass.in") << found << "\n";
    return 42;
}
