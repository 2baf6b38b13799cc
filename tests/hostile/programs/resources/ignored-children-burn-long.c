// The same as ignored-children-burn.c with children that live long enough to be seen where nobody counts for the tree.
// limits: time=0.2 wall_limit=30
// expect: TLE
// reason: 0.3 s
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void burn(double seconds) {
    while (clock() < seconds * CLOCKS_PER_SEC) {}
}

static int is_next(void) {
    char word[16] = "";
    return scanf("%15s", word) == 1 && !strcmp(word, "next");
}

int main(void) {
    if (is_next()) return puts("ok") < 0;
    signal(SIGCHLD, SIG_IGN);
    for (int i = 0; i < 10; i++) {
        if (fork() == 0) {
            burn(0.1);
            _exit(0);
        }
        wait(0);
    }
    puts("ok");
    return 0;
}
