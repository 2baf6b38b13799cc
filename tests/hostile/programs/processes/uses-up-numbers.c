// Goes through many process ids: the next run starts as the first one did.
// only: root user
// limits: time=5
// expect: AC
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int is_next(void) {
    char word[16] = "";
    return scanf("%15s", word) == 1 && !strcmp(word, "next");
}

int main(void) {
    if (is_next()) return puts("ok") < 0;
    for (int i = 0; i < 1000; i++) {
        if (vfork() == 0) _exit(0);
        wait(0);
    }
    puts("ok");
    return 0;
}
