// Each child uses 0.1 s and is waited for; together they are over the limit, and the parent has done nothing.
// limits: time=0.2 wall_limit=30
// expect: TLE
// reason: 0.3 s
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int is_next(void) {
    char word[16] = "";
    return scanf("%15s", word) == 1 && !strcmp(word, "next");
}

int main(void) {
    if (is_next()) return puts("ok") < 0;
    for (int i = 0; i < 4; i++) {
        if (fork() == 0) {
            while (clock() < CLOCKS_PER_SEC / 10) {}
            _exit(0);
        }
        wait(0);
    }
    puts("ok");
    return 0;
}
