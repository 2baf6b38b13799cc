#include <iostream>

int main() {
    int n;
    std::cin >> n;
    if (n > {{most}}) std::cout << "{{words.value}}\n";
    else std::cout << n << "\n";
}
