#include <cstdlib>
#include <iostream>

int main(int count, char** arguments) {
    long long a, b;
    std::cin >> a >> b;
    std::cout << (a + b) * (count > 1 ? std::atoll(arguments[1]) : 1) << "\n";
}
