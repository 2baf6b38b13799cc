// Finds every signal at its default and none blocked, and no environment but its own.
// (Signals 32 and 33 belong to the C library, which lets nobody set them.)
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
    char line[256];
    FILE *status = fopen("/proc/self/status", "r");
    while (fgets(line, sizeof line, status)) {
        unsigned long long mask;
        if (sscanf(line, "SigIgn: %llx", &mask) == 1 && (mask &= ~0x180000000ull)) printf("ignored %llx\n", mask);
        if (sscanf(line, "SigBlk: %llx", &mask) == 1 && mask) printf("blocked %llx\n", mask);
    }
    extern char **environ;
    for (char **variable = environ; *variable; variable++) {
        if (strncmp(*variable, "PATH=", 5) && strncmp(*variable, "HOME=", 5) && strncmp(*variable, "LANG=", 5)) {
            printf("variable %s\n", *variable);
        }
    }
    for (int fd = 3; fd < 1024; fd++) {
        char path[64], target[256] = "";
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
        if (fd != fileno(status) && readlink(path, target, sizeof target - 1) > 0) printf("descriptor %s\n", target);
    }
    puts("ok");
    return 0;
}
