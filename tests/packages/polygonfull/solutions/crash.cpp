#include <cstdio>
#include <cstdlib>

int main() {
    int a, b;
    std::scanf("%d %d", &a, &b);
    if (b < 0) std::abort();
    std::printf("%d\n", a + b);
}
