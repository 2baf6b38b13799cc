// A relay whose every runner starts a session of its own, so that no signal to a group can reach all.
// It ends by itself after a while, in case it wins.
// expect: AC
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int is_next(void) {
    char word[16] = "";
    return scanf("%15s", word) == 1 && !strcmp(word, "next");
}

int main(void) {
    if (is_next()) return puts("ok") < 0;
    puts("ok");
    fflush(stdout);
    time_t end = time(0) + 20;
    if (fork() != 0) return 0;
    while (time(0) < end) {
        setsid();
        if (fork() != 0) _exit(0);
    }
    return 0;
}
