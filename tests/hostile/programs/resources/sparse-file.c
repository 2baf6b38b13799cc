// Makes a file of a terabyte that takes no room, and one that is written to at its end.
// expect: AC
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int is_next(void) {
    char word[16] = "";
    return scanf("%15s", word) == 1 && !strcmp(word, "next");
}

int main(void) {
    if (is_next()) return puts("ok") < 0;
    signal(SIGXFSZ, SIG_IGN);
    int fd = open("sparse", O_CREAT | O_RDWR, 0600);
    if (ftruncate(fd, 1L << 40) == 0) puts("truncated");
    if (pwrite(fd, "x", 1, 1L << 40) > 0) puts("written");
    if (fallocate(fd, 0, 0, 1L << 40) == 0) puts("allocated");
    puts("ok");
    return 0;
}
