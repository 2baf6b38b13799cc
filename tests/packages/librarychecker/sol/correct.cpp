#include "../lib/numbers.hpp"

int main() {
    const long long a = read_number(stdin);
    std::printf("%lld\n", a + read_number(stdin));
}
