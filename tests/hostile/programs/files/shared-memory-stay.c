// Leaves a System V object of one kind behind and nothing else; the next run looks for it.
// only: root user users
// Where memory is sampled none can be made at all.
// expect: AC
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>

#define KEY 0x686f7374

static int is_next(void) {
    char word[16] = "";
    return scanf("%15s", word) == 1 && !strcmp(word, "next");
}

int main(void) {
    if (is_next()) {
        if (shmget(KEY, 4096, 0600) >= 0) puts("one was left");
        return puts("ok") < 0;
    }
    if (shmget(KEY, 4096, IPC_CREAT | 0600) < 0 && errno != EPERM) puts("none was made");
    puts("ok");
    return 0;
}
