// Asks to be spared when memory runs out, and takes more than allowed: what it shares a control group with must live.
// limits: memory=64 time=2
// expect: MLE
// reason: > 64 MiB
#define _GNU_SOURCE
#include <fcntl.h>
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
    const char *scores[] = {"-1000", "-999", "-500", "-1", "0", "1", "500"};
    int file = open("/proc/self/oom_score_adj", O_WRONLY);
    for (unsigned i = 0; i < sizeof scores / sizeof *scores; i++) {
        if (write(file, scores[i], strlen(scores[i])) > 0) break;
    }
    for (int i = 0; i < 4; i++) {
        if (fork() == 0) break;
    }
    for (;;) {
        char *memory = malloc(1 << 20);
        if (memory) memset(memory, 1, 1 << 20);
    }
}
