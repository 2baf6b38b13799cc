// Opens its input anew to write to it, changes its length, its mode and its times.
// only: root user users weak
// expect: AC
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

static int is_next(void) {
    char word[16] = "";
    return scanf("%15s", word) == 1 && !strcmp(word, "next");
}

int main(void) {
    struct stat found;
    if (is_next()) {
        char value;
        // What was done to a copy of the input is done to that run's alone.
        if (fgetxattr(0, "user.hostile", &value, 1) > 0) puts("a mark on the input");
        if (fstat(0, &found) == 0 && (found.st_mode & 07777) == 0123) puts("another mode");
        return puts("ok") < 0;
    }
    const char *names[] = {"/proc/self/fd/0", "/dev/stdin", "/dev/fd/0", "/proc/thread-self/fd/0"};
    int flags[] = {O_WRONLY, O_RDWR, O_WRONLY | O_APPEND, O_RDONLY | O_TRUNC};
    for (int i = 0; i < 4; i++) {
        for (int n = 0; n < 4; n++) {
            int fd = open(names[i], flags[n]);
            if (fd < 0) continue;
            // What is only a copy of the input may be open; nothing of it may change.
            if (pwrite(fd, "spoilt", 6, 0) > 0 || ftruncate(fd, 0) == 0) printf("wrote to %s\n", names[i]);
            close(fd);
        }
    }
    if (write(0, "x", 1) > 0) puts("wrote to the descriptor");
    if (ftruncate(0, 0) == 0) puts("truncated");
    if (fstat(0, &found) == 0 && found.st_size == 0 && S_ISREG(found.st_mode)) puts("emptied");
    if (fchmod(0, 0123) == 0 && fstat(0, &found) == 0 && found.st_nlink > 0) puts("changed the mode");
    if (fsetxattr(0, "user.hostile", "x", 1, 0) == 0 && found.st_nlink > 0) puts("set an attribute");
    puts("ok");
    return 0;
}
