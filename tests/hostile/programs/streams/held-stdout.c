// A child keeps standard output open long after the program has ended.
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
    if (fork() == 0) {
        setsid();
        sleep(600);
        puts("late");
        fflush(stdout);
        _exit(0);
    }
    return 0;
}
