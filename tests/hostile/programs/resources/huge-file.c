// Writes a file larger than any output may be.
// limits: output=1
// expect: OLE
// reason: more than 1 MiB of output
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int is_next(void) {
    char word[16] = "";
    return scanf("%15s", word) == 1 && !strcmp(word, "next");
}

int main(void) {
    if (is_next()) return puts("ok") < 0;
    static char text[65536];
    int file = open("huge", O_CREAT | O_WRONLY, 0600);
    for (int i = 0; i < 64; i++) write(file, text, sizeof text);
    return 0;
}
