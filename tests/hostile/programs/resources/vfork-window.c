// Many children started by vfork from a process with 64 MiB: until they exec they show the memory of their parent.
// limits: memory=96 time=4
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
    char *memory = malloc(64 << 20);
    memset(memory, 1, 64 << 20);
    for (int i = 0; i < 20; i++) {
        if (vfork() == 0) {
            usleep(20000);
            _exit(0);
        }
        wait(0);
    }
    puts("ok");
    return 0;
}
