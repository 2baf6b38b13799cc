// Reserves address space as Go, Java and sanitizers do, and uses a little of it.
// limits: memory=256
// only: root user users weak none
// expect: AC
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

static int is_next(void) {
    char word[16] = "";
    return scanf("%15s", word) == 1 && !strcmp(word, "next");
}

int main(void) {
    if (is_next()) return puts("ok") < 0;
    long size = 64L << 30;
    volatile char *none = mmap(0, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    char *some = mmap(0, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (none == MAP_FAILED || some == MAP_FAILED) puts("refused");
    for (int i = 0; i < 1000; i++) some[i * (size / 1000)] = 1;
    puts("ok");
    return 0;
}
