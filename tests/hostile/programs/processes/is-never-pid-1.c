// Is not the first process of its namespace, whose signals would do nothing.
// only: root user
// expect: AC
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static int is_next(void) {
    char word[16] = "";
    return scanf("%15s", word) == 1 && !strcmp(word, "next");
}

int main(void) {
    if (is_next()) return puts("ok") < 0;
    if (getpid() == 1) puts("pid 1");
    // It shall know nothing of the processes outside.
    if (getppid() > 1) puts("a parent outside");
    if (getsid(0) > 0 && getsid(0) != getpid()) puts("a session outside");
    puts("ok");
    return 0;
}
