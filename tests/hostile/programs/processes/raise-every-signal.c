// Ends by a signal that nobody else sends.
// expect: RTE
// reason: SIGUSR2
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <string.h>

static int is_next(void) {
    char word[16] = "";
    return scanf("%15s", word) == 1 && !strcmp(word, "next");
}

int main(void) {
    if (is_next()) return puts("ok") < 0;
    raise(SIGUSR2);
    return 0;
}
