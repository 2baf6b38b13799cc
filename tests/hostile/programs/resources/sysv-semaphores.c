// Memory in sets of semaphores: no process shows it. Where memory is sampled there are none: it says `ok` only if it holds
// nothing.
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
#include <sys/sem.h>
#include <unistd.h>

static int is_next(void) {
    char word[16] = "";
    return scanf("%15s", word) == 1 && !strcmp(word, "next");
}

int main(void) {
    if (is_next()) return puts("ok") < 0;
    for (int i = 0; i < 200; i++) {
        int id = semget(IPC_PRIVATE, 32000, 0600);
        if (id < 0 && i == 0) return puts("ok") < 0;
        if (id < 0) break;
    }
    sleep(600);
    return 0;
}
