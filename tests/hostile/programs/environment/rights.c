// Has no right beyond those of any program, no terminal, nothing of the grader's, and works in a box of its own.
// only: root user users weak
// expect: AC
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static int is_next(void) {
    char word[16] = "";
    return scanf("%15s", word) == 1 && !strcmp(word, "next");
}

int main(void) {
    if (is_next()) return puts("ok") < 0;
    FILE *status = fopen("/proc/self/status", "r");
    char line[512];
    while (fgets(line, sizeof line, status)) {
        unsigned long long set;
        // The last set bounds what a program gains, and under no_new_privs there is no gain.
        if (!strncmp(line, "CapBnd:", 7) && getuid() && strncmp(getenv("HOME"), "/sandbox", 8)) continue;
        if (!strncmp(line, "Cap", 3) && sscanf(line + 7, "%llx", &set) == 1 && set) printf("%s", line);
        if (!strncmp(line, "NoNewPrivs:", 11) && atoi(line + 11) != 1) printf("%s", line);
        if (!strncmp(line, "Seccomp:", 8) && atoi(line + 8) != 2) printf("%s", line);
        if (!strncmp(line, "TracerPid:", 10) && atoi(line + 10) != 0) printf("%s", line);
        if (!strncmp(line, "Groups:", 7) && !strncmp(line + 7, "\t0 ", 3)) printf("%s", line);
    }
    fclose(status);
    if (open("/dev/tty", O_RDWR) >= 0) puts("a terminal");
    for (int fd = 0; fd < 3; fd++) {
        if (isatty(fd)) printf("descriptor %d is a terminal\n", fd);
    }
    for (int fd = 3; fd < 4096; fd++) {
        if (fcntl(fd, F_GETFD) >= 0) printf("descriptor %d is open\n", fd);
    }
    char cwd[512] = "";
    if (!getcwd(cwd, sizeof cwd) || strcmp(cwd, getenv("HOME"))) printf("works in %s, not in %s\n", cwd, getenv("HOME"));
    struct rlimit core;
    if (getrlimit(RLIMIT_CORE, &core) || core.rlim_max) puts("leaves cores");
    if (umask(0) != 022) puts("an odd umask");
    puts("ok");
    return 0;
}
