// Recurses into most of the memory that it may have.
// limits: memory=256 time=5
// only: root user users weak none
// expect: AC
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static long deeper(long left) {
    volatile char frame[1000];
    frame[0] = 1;
    return left ? deeper(left - 1) + frame[0] : 1;
}

static int is_next(void) {
    char word[16] = "";
    return scanf("%15s", word) == 1 && !strcmp(word, "next");
}

int main(void) {
    if (is_next()) return puts("ok") < 0;
    return puts(deeper(200 << 10) ? "ok" : "no") < 0;
}
