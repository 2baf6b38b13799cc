// Memory that is shared by its number, mapped.
// only: root user
// limits: memory=64 time=2
// expect: MLE
// reason: > 64 MiB
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/shm.h>
#include <unistd.h>

static int is_next(void) {
    char word[16] = "";
    return scanf("%15s", word) == 1 && !strcmp(word, "next");
}

int main(void) {
    if (is_next()) return puts("ok") < 0;
    long size = 256 << 20;
    volatile char *memory = shmat(shmget(IPC_PRIVATE, size, 0600), 0, 0);
    for (long n = 0; n < size; n += 4096) memory[n] = 1;
    sleep(600);
    return 0;
}
