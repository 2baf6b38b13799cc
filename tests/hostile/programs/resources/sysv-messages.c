// Memory in messages that nobody takes out: no process shows it. Where memory is sampled there are none: it says `ok`
// only if it holds nothing.
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
#include <sys/msg.h>
#include <unistd.h>

static int is_next(void) {
    char word[16] = "";
    return scanf("%15s", word) == 1 && !strcmp(word, "next");
}

int main(void) {
    if (is_next()) return puts("ok") < 0;
    static struct { long type; char text[8192]; } message = {.type = 1};
    for (int i = 0; i < 32000; i++) {
        int id = msgget(IPC_PRIVATE, 0600);
        if (id < 0 && i == 0) return puts("ok") < 0;
        if (id < 0) break;
        while (msgsnd(id, &message, sizeof message.text, IPC_NOWAIT) == 0) {}
    }
    sleep(600);
    return 0;
}
