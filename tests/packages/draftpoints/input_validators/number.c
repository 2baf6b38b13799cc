#include <stdio.h>

int main(void) {
    char digits[12];
    int n = 0;
    if (scanf("%11[0-9]%n", digits, &n) != 1 || n > 10) return 43;
    return getchar() == '\n' && getchar() == EOF ? 42 : 43;
}
