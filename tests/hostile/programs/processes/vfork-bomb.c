// Every process waits for a child that it started with vfork, which does the same.
// Without control groups and namespaces nothing bounds it but the looking, which comes too late.
// only: root user users
// limits: processes=16 time=2
// expect: RTE
// reason: more than 16 processes and threads
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
    for (;;) {
        if (vfork() < 0) sleep(600);
    }
}
