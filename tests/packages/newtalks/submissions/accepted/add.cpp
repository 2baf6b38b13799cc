#include <iostream>

int main() {
    long long sum, n;
    std::cin >> sum;
    while (std::cin >> n && n) {
        sum += n;
        std::cout << sum << std::endl;
    }
}
