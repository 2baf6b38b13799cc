// Looks at one page in each part of a vast range that nobody has written to: all of them are the same page of zeros, which
// is nobody's, and only the tables that lead to it take memory.
// only: root user users weak none
// limits: memory=64 time=10
// expect: MLE
// reason: > 64 MiB
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static int is_next(void) {
    char word[16] = "";
    return scanf("%15s", word) == 1 && !strcmp(word, "next");
}

int main(void) {
    if (is_next()) return puts("ok") < 0;
    size_t size = 256ul << 30;
    char *range = mmap(0, size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (range == MAP_FAILED) return puts("no such range") < 0;
    madvise(range, size, MADV_NOHUGEPAGE);
    volatile char sum = 0;
    for (size_t at = 0; at < size; at += 2 << 20) sum += range[at];
    sleep(600);
    return 0;
}
