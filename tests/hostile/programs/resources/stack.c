// Calls itself without end.
// limits: memory=64 time=5
// expect: MLE or RTE
// expect(root): MLE
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static long deeper(long n) {
    volatile char frame[4096];
    frame[0] = (char)n;
    return deeper(n + 1) + frame[0];
}

static int is_next(void) {
    char word[16] = "";
    return scanf("%15s", word) == 1 && !strcmp(word, "next");
}

int main(void) {
    if (is_next()) return puts("ok") < 0;
    return (int)deeper(1) & 1;
}
