// Leaves children behind that are stopped, each in its own session.
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
    for (int i = 0; i < 10; i++) {
        if (fork() == 0) {
            setsid();
            raise(SIGSTOP);
            sleep(600);
            _exit(0);
        }
    }
    usleep(50000);
    return 0;
}
