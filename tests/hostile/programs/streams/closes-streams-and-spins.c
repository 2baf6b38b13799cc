// Closes all three streams: nothing can be read from it any more, only its time is left to tell.
// limits: time=0.2
// expect: TLE
// reason: limit 0.2 s
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
    for (int fd = 0; fd < 3; fd++) close(fd);
    for (volatile unsigned i = 0;; i++) {}
}
