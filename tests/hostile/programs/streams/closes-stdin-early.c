// Closes its input before it has read it, and works on.
// only: root user users weak none
// expect: AC
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int is_next(void) {
    char word[16] = "";
    return scanf("%15s", word) == 1 && !strcmp(word, "next");
}

int main(void) {
    if (is_next()) return puts("ok") < 0;
    fclose(stdin);
    close(0);
    usleep(50000);
    puts("ok");
    return 0;
}
