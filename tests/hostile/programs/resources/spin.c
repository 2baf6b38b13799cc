// Uses cpu time without end.
// limits: time=0.2 wall_limit=30
// expect: TLE
// reason: > 0.3 s (limit 0.2 s)
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
    for (volatile unsigned i = 0;; i++) {}
}
