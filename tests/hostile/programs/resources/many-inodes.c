// Makes empty files until it may not.
// only: root user
// limits: memory=1024 time=20
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
    int made = 0;
    for (; made < 200000; made++) {
        char name[32];
        snprintf(name, sizeof name, "%s/%d", made % 2 ? "/tmp" : ".", made);
        int fd = open(name, O_CREAT | O_WRONLY, 0600);
        if (fd < 0) break;
        close(fd);
    }
    if (made >= 70000) printf("%d files\n", made);
    if (errno != ENOSPC) printf("%s\n", strerror(errno));
    puts("ok");
    return 0;
}
