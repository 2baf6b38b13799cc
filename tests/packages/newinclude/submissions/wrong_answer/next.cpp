#include <iostream>

#include "read.h"

int main() {
    int n;
    std::cin >> n;
    std::cout << read_square(n + 1) << "\n";
}
