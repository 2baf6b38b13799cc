#include <algorithm>
#include <iostream>
#include <string>

int main() {
    std::string word;
    std::cin >> word;
    if (word == "send") {
        int number;
        std::cin >> number;
        std::string message;
        for (; number > 0; number /= 2) message += number % 2 ? 'b' : 'a';
        std::cout << message << "\n";
    } else {
        std::string message;
        std::cin >> message;
        std::reverse(message.begin(), message.end());
        int number = 0;
        for (char letter : message) number = 2 * number + (letter == 'b');
        std::cout << number << "\n";
    }
}
