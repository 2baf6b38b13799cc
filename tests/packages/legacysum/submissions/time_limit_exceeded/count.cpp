#include <iostream>

int main() {
    long long a, b;
    std::cin >> a >> b;
    for (volatile long long i = 0; i < b; i = i + 1) a++;
    std::cout << a << "\n";
}
