// The same by a program that leaves the signal as it is.
// expect: OLE
// reason: of output
#define _GNU_SOURCE
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
    int fd = open("sparse", O_CREAT | O_RDWR, 0600);
    ftruncate(fd, 1L << 40);
    puts("ok");
    return 0;
}
