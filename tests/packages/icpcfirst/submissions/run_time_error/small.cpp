#include <cstdlib>
#include <iostream>

int main() {
    int n;
    std::cin >> n;
    for (int d = 2; d < 7; d++)
        if (n % d == 0) {
            std::cout << d << "\n";
            return 0;
        }
    std::abort();
}
