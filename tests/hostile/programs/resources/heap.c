// Takes more memory than allowed, and touches it.
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
    for (int i = 0; i < 400; i++) {
        volatile char *memory = malloc(1 << 20);
        for (int n = 0; n < 1 << 20; n += 4096) memory[n] = 1;
        usleep(500);
    }
    sleep(600);
    return 0;
}
