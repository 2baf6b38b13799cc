// gen max           the largest input
// gen random SEED   any input
#include <cstdlib>
#include <iostream>
#include <random>
#include <string>

const unsigned LARGEST = 1000;

int main(int argc, char** argv) {
    std::string kind = argc > 1 ? argv[1] : "";
    if (kind == "max") {
        std::cout << LARGEST << "\n";
    } else if (kind == "random" && argc > 2) {
        // The engine is the same everywhere, unlike the library's distributions.
        std::mt19937_64 engine(std::strtoull(argv[2], nullptr, 10));
        std::cout << 2 + engine() % (LARGEST - 1) << "\n";
    } else {
        std::cerr << "unknown arguments\n";
        return 1;
    }
}
