// Reads and traces the init of its run, and limits it.
// only: root user users
// expect: AC
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static int is_next(void) {
    char word[16] = "";
    return scanf("%15s", word) == 1 && !strcmp(word, "next");
}

int main(void) {
    if (is_next()) return puts("ok") < 0;
    const char *files[] = {"environ", "mem", "maps", "auxv", "stack", "syscall", "io", "smaps", "pagemap", "fd", "fdinfo",
                           "root/", "cwd/", "exe", "map_files", "ns/mnt", "ns/user", "task/1/mem", "oom_score_adj"};
    char path[64], byte;
    for (unsigned i = 0; i < sizeof files / sizeof *files; i++) {
        snprintf(path, sizeof path, "/proc/1/%s", files[i]);
        int fd = open(path, O_RDONLY);
        if (fd >= 0 && (i < 2 || read(fd, &byte, 1) >= 0 || errno == EISDIR)) printf("opened %s\n", path);
        if (open(path, O_WRONLY) >= 0) printf("may write %s\n", path);
        if (readlink(path, &byte, 1) > 0) printf("read the link %s\n", path);
    }
    int parents[] = {1, getppid()};
    for (int i = 0; i < 2; i++) {
        int pid = parents[i];
        if (ptrace(PTRACE_ATTACH, pid, 0, 0) == 0) puts("attached to init");
        if (ptrace(PTRACE_SEIZE, pid, 0, 0) == 0) puts("seized init");
        struct iovec here = {&byte, 1}, there = {(void *)0x400000, 1};
        if (process_vm_readv(pid, &here, 1, &there, 1, 0) >= 0 || errno == EFAULT) puts("reads the memory of init");
        struct rlimit none = {0, 0};
        if (prlimit(pid, RLIMIT_CPU, &none, 0) == 0) puts("limits init");
        int pidfd = syscall(SYS_pidfd_open, pid, 0);
        if (pidfd >= 0 && syscall(SYS_pidfd_getfd, pidfd, 0, 0) >= 0) puts("took a descriptor of init");
    }
    puts("ok");
    return 0;
}
