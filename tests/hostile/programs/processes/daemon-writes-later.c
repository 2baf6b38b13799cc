// A daemon that goes on printing after the program has ended: nothing of it counts.
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
    for (int i = 0; i < 4; i++) {
        if (fork() == 0) {
            setsid();
            if (fork() != 0) _exit(0);
            for (int signal_number = 1; signal_number < 65; signal_number++) signal(signal_number, SIG_IGN);
            usleep(300000);
            for (;;) write(1, "late\n", 5);
        }
    }
    return 0;
}
