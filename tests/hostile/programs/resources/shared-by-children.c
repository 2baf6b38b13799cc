// Four children write to memory that they share: it counts once, and is too much.
// limits: memory=64 time=2
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
    long size = 128 << 20;
    volatile char *memory = mmap(0, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    for (int i = 0; i < 4; i++) {
        if (fork() != 0) continue;
        for (long n = i * 4096; n < size; n += 4 * 4096) memory[n] = 1;
        sleep(600);
    }
    sleep(600);
    return 0;
}
