// 300 processes one after the other, each an orphan: never more than a few alive at once, so the limit on
// processes is kept and the dead must not be counted.
// limits: processes=16
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
    int done[2];
    pipe(done);
    if (fork() == 0) {
        for (int i = 0; i < 300; i++) {
            if (fork() != 0) _exit(0);
            usleep(1000);
        }
        write(done[1], "x", 1);
        _exit(0);
    }
    char byte;
    read(done[0], &byte, 1);
    puts("ok");
    return 0;
}
