#include <iostream>

#include "square.h"

int main() {
    long long n;
    std::cin >> n;
    std::cout << square(n) << "\n";
}
