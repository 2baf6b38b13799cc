#include <iostream>

int main() {
    int n;
    std::cin >> n;
    while (n--) std::cout << "1 ";
}
