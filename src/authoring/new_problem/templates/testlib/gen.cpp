// gen max           the largest input
// gen random SEED   any input
#include "testlib.h"
#include <iostream>
#include <string>

const int LARGEST = 1000;

int main(int argc, char** argv) {
    // Equal arguments give equal numbers.
    registerGen(argc, argv, 1);
    std::string kind = argc > 1 ? argv[1] : "";
    if (kind == "max") {
        std::cout << LARGEST << std::endl;
    } else if (kind == "random") {
        std::cout << rnd.next(2, LARGEST) << std::endl;
    } else {
        quitf(_fail, "unknown arguments");
    }
}
