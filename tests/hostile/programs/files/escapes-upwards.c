// Climbs out of its root by what it has open: a directory that is kept while the working directory moves on.
// only: root user users weak
// expect: AC
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void) {
    char word[16] = "", workspace[512] = "", path[1024];
    if (scanf("%15s", word) == 1 && !strcmp(word, "next")) return puts("ok") < 0;
    scanf("%511s", workspace);
    int here = open(".", O_RDONLY | O_DIRECTORY);
    mkdir("below", 0700);
    if (chroot("below") == 0) puts("chroot");
    fchdir(here);
    for (int i = 0; i < 100; i++) chdir("..");
    snprintf(path, sizeof path, "%s/testcases/p/secret/1.ans", workspace + 1);
    if (open(path, O_RDONLY) >= 0) puts("out");
    for (int fd = 3; fd < 1024; fd++) {
        if (fd != here && openat(fd, "..", O_RDONLY | O_DIRECTORY) >= 0) puts("a directory was left open");
    }
    puts("ok");
    return 0;
}
