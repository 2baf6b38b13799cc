#include <iostream>
#include <string>

int main() {
    std::string answer;
    for (int guess = 1; answer != "right"; ++guess) {
        std::cout << guess << std::endl;
        if (!(std::cin >> answer)) return 0;
    }
}
