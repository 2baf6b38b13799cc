// Orphans use cpu time, one after another, while the program sleeps.
// limits: time=0.2 wall_limit=30
// expect: TLE
// reason: > 0.3 s (limit 0.2 s)
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
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
    for (int i = 0; i < 25; i++) {
        if (fork() == 0) {
            if (fork() != 0) _exit(0);
            setsid();
            burn(0.05);
            _exit(0);
        }
        usleep(20000);
    }
    sleep(600);
    return 0;
}
