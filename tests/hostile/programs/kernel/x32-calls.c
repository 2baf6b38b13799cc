// Calls the kernel by the numbers of x32.
// only: root user users weak
// expect: RTE
// reason: denied system call
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int is_next(void) {
    char word[16] = "";
    return scanf("%15s", word) == 1 && !strcmp(word, "next");
}

int main(void) {
    if (is_next()) return puts("ok") < 0;
    syscall(0x40000000 | SYS_getpid);
    puts("ok");
    return 0;
}
