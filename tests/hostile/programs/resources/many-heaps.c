// Eight children, each well below the limit, together far beyond it.
// limits: memory=64 time=2
// expect: MLE
// reason: > 64 MiB
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
    for (int i = 0; i < 8; i++) {
        if (fork() == 0) {
            volatile char *memory = malloc(24 << 20);
            for (int n = 0; n < 24 << 20; n += 4096) memory[n] = 1;
            sleep(600);
            _exit(memory[0]);
        }
    }
    sleep(600);
    return 0;
}
