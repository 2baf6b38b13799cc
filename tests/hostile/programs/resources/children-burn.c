// The children use cpu time while their parent waits for nobody.
// limits: time=0.2 wall_limit=30
// expect: TLE
// reason: > 0.3 s (limit 0.2 s)
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
    for (int i = 0; i < 4; i++) {
        if (fork() == 0) {
            setsid();
            for (volatile unsigned n = 0;; n++) {}
        }
    }
    sleep(600);
    return 0;
}
