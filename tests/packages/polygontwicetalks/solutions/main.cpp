#include <iostream>
#include <string>

int main() {
    std::string run;
    int number;
    std::cin >> run >> number;
    std::cout << number % 2 << std::endl;
}
