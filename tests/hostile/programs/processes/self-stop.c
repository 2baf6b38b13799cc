// Stops itself: it neither ends nor uses time.
// limits: time=0.2
// expect: TLE
// reason: slept
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int is_next(void) {
    char word[16] = "";
    return scanf("%15s", word) == 1 && !strcmp(word, "next");
}

int main(void) {
    if (is_next()) return puts("ok") < 0;
    raise(SIGSTOP);
    return 0;
}
