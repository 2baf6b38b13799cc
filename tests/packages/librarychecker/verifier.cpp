#include "lib/numbers.hpp"
#include "params.h"

int main() {
    const long long a = read_number(stdin);
    const long long b = read_number(stdin);
    return 0 <= a && a <= MOST && 0 <= b && b <= MOST ? 0 : 3;
}
