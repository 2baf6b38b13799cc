#include <cstdio>

#include "total.h"

int main() {
    int a, b;
    if (std::scanf("%d %d", &a, &b) != 2) return 1;
    std::printf("%d\n", total(a, b));
}
