#include <algorithm>
#include <iostream>
#include <vector>

int main() {
    std::vector<int> numbers;
    for (int number; std::cin >> number;) numbers.push_back(number);
    std::sort(numbers.begin(), numbers.end());
    for (int number : numbers) std::cout << number << ' ';
}
