// The same as pipes.c by a program that is no better victim than what watches it, where it can help it.
// only: root
// limits: memory=16 time=2
// expect: MLE
// reason: > 16 MiB
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int is_next(void) {
    char word[16] = "";
    return scanf("%15s", word) == 1 && !strcmp(word, "next");
}

int main(void) {
    if (is_next()) return puts("ok") < 0;
    // Ask for the keeper to be killed first; refused where /proc cannot be written to.
    FILE* score = fopen("/proc/self/oom_score_adj", "w");
    if (score) {
        fputs("0", score);
        fclose(score);
    }
    static char block[65536];
    memset(block, 1, sizeof block);
    for (int i = 0; i < 500; i++) {
        int ends[2];
        if (pipe2(ends, O_NONBLOCK) < 0) break;
        fcntl(ends[1], F_SETPIPE_SZ, 1 << 20);
        while (write(ends[1], block, sizeof block) > 0) {}
    }
    sleep(600);
    return 0;
}
