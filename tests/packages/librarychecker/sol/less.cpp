// Knows only small sums.
#include <cstdio>

int main() {
    int a = 0, b = 0;
    if (std::scanf("%d %d", &a, &b) != 2) return 1;
    std::printf("%lld\n", (static_cast<long long>(a) + b) % 1'000'000'007);
}
