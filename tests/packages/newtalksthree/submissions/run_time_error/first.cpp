#include <cstdlib>
#include <iostream>

int main() {
    long long sum, n;
    std::cin >> sum;
    if (sum > 0) std::abort();
    while (std::cin >> n && n) std::cout << (sum += n) << std::endl;
}
