// Collects dead children instead of waiting for them.
// limits: processes=16
// expect: RTE
// reason: more than 16 processes and threads
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
    for (int i = 0; i < 200; i++) {
        if (fork() == 0) _exit(0);
    }
    sleep(600);
    return 0;
}
