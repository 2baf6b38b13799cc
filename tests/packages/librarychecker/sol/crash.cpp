#include <cstdio>
#include <cstdlib>

#include "../params.h"

int main() {
    long long a = 0, b = 0;
    if (std::scanf("%lld %lld", &a, &b) != 2 || a == MOST) std::abort();
    std::printf("%lld\n", a + b);
}
