// Memory that is shared by its number, mapped, and then what alone would be within the limit.
// only: root user users
// Where memory is sampled there is none: it says `ok` only if it holds nothing.
// limits: memory=64 time=2
// expect: MLE
// expect(user users): AC or MLE
// reason(root): > 64 MiB
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/shm.h>
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
    long size = 512 << 20;
    int id = -1;
    // There may be a bound for it alone.
    while (id < 0 && (size /= 2) > 4096) id = shmget(IPC_PRIVATE, size, 0600);
    if (id < 0) return puts("ok") < 0;
    volatile char *memory = shmat(id, 0, 0);
    for (long n = 0; n < size; n += 4096) memory[n] = 1;
    heap(60);
    sleep(600);
    return 0;
}
