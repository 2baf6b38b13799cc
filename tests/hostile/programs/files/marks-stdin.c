// Leaves marks on its own input: an attribute, a lock, a mode. No other run is given the same input to find them on.
// only: root user users weak
// repeat: 3
// expect: AC
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

int main(void) {
    char list[256];
    if (flistxattr(0, list, sizeof list) > 0) printf("marked %s\n", list);
    struct stat found;
    if (fstat(0, &found) || (found.st_mode & 0777) != 0777) printf("mode %o\n", found.st_mode);
    fsetxattr(0, "user.mark", "x", 1, 0);
    fsetxattr(1, "user.mark", "x", 1, 0);
    setxattr("/program", "user.mark", "x", 1, 0);
    setxattr(".", "user.mark", "x", 1, 0);
    fchmod(0, 0600);
    flock(0, LOCK_EX);
    puts("ok");
    return 0;
}
