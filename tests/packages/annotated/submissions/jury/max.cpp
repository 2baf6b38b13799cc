// @expected_results@: accepted
#include <algorithm>
#include <iostream>

int main() {
    int a, b;
    std::cin >> a >> b;
    std::cout << std::max(a, b) << "\n";
}
