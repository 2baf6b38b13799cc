#include <stdio.h>

int main(int count, char **arguments) {
    long area, a, b;
    char more;
    FILE *input = fopen(arguments[1], "r");
    if (count < 4 || !input || fscanf(input, "%ld", &area) != 1) return 1;
    if (scanf("%ld %ld", &a, &b) != 2 || a < 1 || b < 1 || scanf(" %c", &more) == 1) return 43;
    return a <= area && area % a == 0 && area / a == b ? 42 : 43;
}
