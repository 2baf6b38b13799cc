// Memory in the extended attributes of files, of which a file system in memory has as many as one likes.
// only: root user users
// limits: memory=64 time=10
// expect: AC or MLE
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

static int is_next(void) {
    char word[16] = "";
    return scanf("%15s", word) == 1 && !strcmp(word, "next");
}

int main(void) {
    if (is_next()) return puts("ok") < 0;
    static char value[65536];
    char name[64];
    long kib = 0;
    for (int i = 0; i < 8192; i++) {
        snprintf(name, sizeof name, "user.%d", i);
        if (setxattr(".", name, value, sizeof value, 0) == 0) kib += 64;
    }
    if (kib > 65536) printf("%ld KiB\n", kib);
    puts("ok");
    return 0;
}
