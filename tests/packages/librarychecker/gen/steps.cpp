#include "base.hpp"

int main(int, char** arguments) {
    const long long index = std::atoll(arguments[1]);
    print_numbers(10 + index, 20 * index);
}
