#include <stdio.h>

int main(void) {
    long area;
    return scanf("%ld", &area) == 1 && area >= 1 && getchar() == '\n' && getchar() == EOF ? 42 : 43;
}
