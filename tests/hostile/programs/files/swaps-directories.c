// Gives its box the name of another directory beside it.
// only: root user
// expect: AC
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
    renameat2(AT_FDCWD, "/sandbox/box", AT_FDCWD, "/sandbox/tmp", RENAME_EXCHANGE);
    renameat2(AT_FDCWD, "/sandbox/shm", AT_FDCWD, "/sandbox/tmp", RENAME_EXCHANGE);
    rename("/sandbox/shm", "/sandbox/other");
    puts("ok");
    return 0;
}
