// Stops the keeper, where it can: nobody measures any more, and nobody says so.
// limits: time=0.2
// within: 60
// expect: TLE
// reason: slept
// expect(none): JE
// reason(none): lost the keeper process
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
    kill(getppid(), SIGSTOP);
    sleep(600);
    return 0;
}
