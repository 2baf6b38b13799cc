#include <iostream>
#include <string>

int main() {
    int low = 1, high = 1000;
    while (true) {
        int guess = (low + high) / 2;
        std::cout << guess << std::endl;
        std::string said;
        std::cin >> said;
        if (said == "correct") return 0;
        if (said == "lower") high = guess - 1;
        else low = guess + 1;
    }
}
