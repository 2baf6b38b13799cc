#include <iostream>
#include <string>

int main() {
    int low = 1, high = 16;
    std::string answer;
    do {
        int guess = (low + high) / 2;
        std::cout << guess << std::endl;
        std::cin >> answer;
        if (answer == "high") high = guess - 1;
        if (answer == "low") low = guess + 1;
    } while (std::cin && answer != "right");
}
