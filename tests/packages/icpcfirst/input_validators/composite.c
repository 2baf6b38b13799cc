#include <stdio.h>

int main(void) {
    int n;
    if (scanf("%d", &n) != 1 || n < 4 || n > 1000) return 43;
    if (getchar() != '\n' || getchar() != EOF) return 43;
    for (int d = 2; d < n; d++)
        if (n % d == 0) return 42;
    return 43;
}
