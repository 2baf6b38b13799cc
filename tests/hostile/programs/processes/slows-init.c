// Puts the init of its run behind everybody else and away from its core, by every name that it has; the next run looks
// whether it inherits that.
// only: root user users weak
// expect: AC
#define _GNU_SOURCE
#include <errno.h>
#include <linux/ioprio.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

static int starts_with(const char *expected) {
    char word[16] = "";
    return scanf("%15s", word) == 1 && !strcmp(word, expected);
}

static long set_attributes(int pid) {
    struct {
        unsigned size, policy;
        unsigned long long flags;
        int nice;
        unsigned priority;
        unsigned long long runtime, deadline, period;
    } idle = {sizeof idle, SCHED_IDLE, 0, 19, 0, 0, 0, 0};
    return syscall(SYS_sched_setattr, pid, &idle, 0);
}

int main(void) {
    int is_next = starts_with("next");
    errno = 0;
    int nice = getpriority(PRIO_PROCESS, 0);
    if (nice > 0) printf("niceness %d\n", nice);
    if (sched_getscheduler(0) != SCHED_OTHER) printf("policy %d\n", sched_getscheduler(0));
    int class = syscall(SYS_ioprio_get, 1, 0) >> 13;
    if (class == 3) printf("class of input and output %d\n", class);
    if (is_next) return puts("ok") < 0;

    int init = getppid();
    struct sched_param none = {0};
    cpu_set_t all;
    memset(&all, 255, sizeof all);
    if (sched_setaffinity(init, sizeof all, &all) == 0) puts("moved init");
    if (setpriority(PRIO_PROCESS, init, 19) == 0) puts("init is nice");
    if (setpriority(PRIO_USER, getuid(), 19) == 0 && getpriority(PRIO_PROCESS, init) == 19) puts("all of the user are nice");
    int group = getpgid(init);
    if (group > 0 && setpriority(PRIO_PGRP, group, 19) == 0) puts("the group of init is nice");
    if (syscall(SYS_ioprio_set, 1, init, 3 << 13) == 0) puts("init waits for disks");
    if (syscall(SYS_ioprio_set, 3, getuid(), 3 << 13) == 0 && syscall(SYS_ioprio_get, 1, init) >> 13 == 3) {
        puts("all of the user wait for disks");
    }
    if (sched_setscheduler(init, SCHED_BATCH, &none) == 0) puts("init is a batch job");
    if (sched_setparam(init, &none) == 0) puts("init has a parameter");
    if (set_attributes(init) == 0) puts("init is idle");
    puts("ok");
    return 0;
}
