// Leaves children behind that use cpu time; what they used until the end counts, they do not live on.
// expect: AC
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
    puts("ok");
    fflush(stdout);
    for (int i = 0; i < 3; i++) {
        if (fork() == 0) {
            setsid();
            for (volatile unsigned n = 0;; n++) {}
        }
    }
    return 0;
}
