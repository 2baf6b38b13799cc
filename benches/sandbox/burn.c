/* Burns argv[2] milliseconds of cpu time in each of what argv[1] names. Each process prints what its own clock says at its
   end, in nanoseconds. `turns` and `sleep` never end. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static long long target;

static long long now(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void *burn(void *clock) {
    while (now(*(clockid_t *)clock) < target);
    return 0;
}

static void end(void) {
    char line[32];
    if (write(1, line, sprintf(line, "%lld\n", now(CLOCK_PROCESS_CPUTIME_ID))) > 0) _exit(0);
}

int main(int argc, char **argv) {
    clockid_t process = CLOCK_PROCESS_CPUTIME_ID, thread = CLOCK_THREAD_CPUTIME_ID;
    pthread_t threads[4];
    int all_gone[2], orphans = !strcmp(argv[1], "orphans");
    if (argc < 3 || pipe(all_gone)) return 1;
    target = atoll(argv[2]) * 1000000;
    if (!strcmp(argv[1], "sleep")) for (;;) pause();
    /* Each child ends after 3 ms: what it used is then known to nobody but its parent. */
    if (!strcmp(argv[1], "turns")) for (target = 3000000;; wait(0)) if (!fork()) {
        burn(&process);
        _exit(0);
    }
    if (!strcmp(argv[1], "one")) burn(&process);
    else if (!strcmp(argv[1], "threads")) {
        for (int i = 0; i < 4; i++) pthread_create(threads + i, 0, burn, &thread);
        for (int i = 0; i < 4; i++) pthread_join(threads[i], 0);
    } else for (int i = 0; i < 4; i++) if (!fork()) {
        if (orphans && fork()) end();
        burn(&process);
        end();
    }
    close(all_gone[1]);
    while (wait(0) > 0);
    char byte;
    if (read(all_gone[0], &byte, 1)) return 1;
    end();
}
