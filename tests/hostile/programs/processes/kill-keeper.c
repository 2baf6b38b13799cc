// Without walls its parent is the keeper, and the same user may kill it, in the second run too: the test cannot be
// judged, all others can.
// Elsewhere its parent is the init of its run, which nothing happens to.
// limits: time=0.2
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
    kill(getppid(), SIGKILL);
    sleep(600);
    return 0;
}
