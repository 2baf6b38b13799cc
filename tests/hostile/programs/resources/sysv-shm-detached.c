// Memory that is shared by its number and mapped by nobody: no process shows it. Then what alone
// would be within the limit. Where memory is sampled there is none: it says `ok` only if it holds nothing.
// only: root user users weak
// limits: memory=64 time=2
// expect: MLE
// expect(user): AC or MLE
// expect(users weak): AC
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
    long size = 1 << 20;
    for (int i = 0; i < 256; i++) {
        int id = shmget(IPC_PRIVATE, size, 0600);
        if (id < 0 && i == 0) return puts("ok") < 0;
        if (id < 0 && i == 0) return puts("ok") < 0;
        if (id < 0) break;
        volatile char *memory = shmat(id, 0, 0);
        for (long n = 0; n < size; n += 4096) memory[n] = 1;
        shmdt((const void *)memory);
    }
    heap(60);
    sleep(600);
    return 0;
}
