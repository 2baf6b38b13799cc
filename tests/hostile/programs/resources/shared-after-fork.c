// Four children share 48 MiB that nobody writes to any more: the tree uses 48 MiB, not 240.
// limits: memory=96 time=2
// expect: AC
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int is_next(void) {
    char word[16] = "";
    return scanf("%15s", word) == 1 && !strcmp(word, "next");
}

int main(void) {
    if (is_next()) return puts("ok") < 0;
    char *memory = malloc(48 << 20);
    memset(memory, 1, 48 << 20);
    for (int i = 0; i < 4; i++) {
        if (fork() == 0) {
            usleep(200000);
            _exit(memory[12345] - 1);
        }
    }
    while (wait(0) > 0) {}
    puts("ok");
    return 0;
}
