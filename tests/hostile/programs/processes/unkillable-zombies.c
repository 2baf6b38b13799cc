// Leaves children that nobody waited for, stopped ones among them, in a deep line of descent.
// expect: AC
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
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
    for (int i = 0; i < 30; i++) {
        if (fork() == 0) continue;
        if (fork() == 0) _exit(0);
        if (i % 3 == 1) raise(SIGSTOP);
        if (i > 0) sleep(600);
        usleep(100000);
        return 0;
    }
    sleep(600);
    return 0;
}
