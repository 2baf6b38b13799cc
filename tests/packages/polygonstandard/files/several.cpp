// Writes several tests, one a file: several COUNT.
#include <fstream>
#include "numbers.h"

int main(int, char** argv) {
    const int count = std::atoi(argv[1]);
    for (int i = 1; i <= count; i++) {
        std::ofstream("0" + std::to_string(i)) << i << ' ' << -i << '\n';
    }
}
