// Fills /dev/shm, which lies in memory, with files that are each small enough, until nothing more fits, and takes what
// alone would be within the limit.
// only: root user
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

// Fits alone.
static void heap(long mib) {
    volatile char *memory = malloc(mib << 20);
    for (long n = 0; n < mib << 20; n += 4096) memory[n] = 1;
}

int main(void) {
    if (is_next()) return puts("ok") < 0;
    static char block[1 << 20];
    memset(block, 1, sizeof block);
    for (int i = 0; i < 256; i++) {
        char name[32];
        snprintf(name, sizeof name, "/dev/shm/%d", i);
        int fd = open(name, O_CREAT | O_WRONLY, 0600);
        write(fd, block, sizeof block);
        close(fd);
    }
    heap(40);
    sleep(600);
    return 0;
}
