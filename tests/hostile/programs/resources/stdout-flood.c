// Prints without end.
// limits: output=1
// expect: OLE
// reason: more than 1 MiB of output
#define _GNU_SOURCE
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
    memset(text, 120, sizeof text);
    for (;;) write(1, text, sizeof text);
}
