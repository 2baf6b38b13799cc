// Writes where it may until there is no room: the machine has some left, and memory was not the limit.
// only: root user
// limits: memory=4096 time=20 output=64
// expect: AC
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int is_next(void) {
    char word[16] = "";
    return scanf("%15s", word) == 1 && !strcmp(word, "next");
}

int main(void) {
    if (is_next()) return puts("ok") < 0;
    static char block[1 << 20];
    memset(block, 1, sizeof block);
    const char *places[] = {".", "/tmp", "/dev/shm"};
    long written = 0;
    for (int i = 0; i < 300; i++) {
        char name[32];
        snprintf(name, sizeof name, "%s/%d", places[i % 3], i);
        int fd = open(name, O_CREAT | O_WRONLY, 0600);
        for (int n = 0; n < 32; n++) {
            ssize_t now = write(fd, block, sizeof block);
            if (now > 0) written += now;
            if (now < 0 && errno != ENOSPC) printf("write: %s\n", strerror(errno));
        }
        if (fd >= 0) close(fd);
    }
    if (written > 1L << 30) printf("%ld MiB\n", written >> 20);
    puts("ok");
    return 0;
}
