// Kills its whole process group, which must hold nothing of the grader.
// expect: RTE
// reason: SIGKILL (not sent by the grader)
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
    kill(0, SIGKILL);
    return 0;
}
