// Closes all three streams and goes on for a while.
// expect: AC
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
    puts("ok");
    fflush(stdout);
    for (int fd = 0; fd < 3; fd++) close(fd);
    usleep(200000);
    return 0;
}
