#include <cstdio>

int main() {
    std::freopen("sum.in", "r", stdin);
    std::freopen("sum.out", "w", stdout);
    int a, b;
    std::scanf("%d %d", &a, &b);
    std::printf("%d\n", a + b);
}
