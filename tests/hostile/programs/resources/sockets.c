// Memory in messages that nobody reads.
// only: root
// limits: memory=16 time=2
// expect: MLE
// reason: > 16 MiB
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int is_next(void) {
    char word[16] = "";
    return scanf("%15s", word) == 1 && !strcmp(word, "next");
}

int main(void) {
    if (is_next()) return puts("ok") < 0;
    static char block[65536];
    int ends[2];
    for (int i = 0; i < 2000 && socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0; i++) {
        fcntl(ends[0], F_SETFL, O_NONBLOCK);
        while (write(ends[0], block, sizeof block) > 0) {}
    }
    sleep(600);
}
