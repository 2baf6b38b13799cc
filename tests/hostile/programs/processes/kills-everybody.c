// Kills the init of its run and whatever else it can reach, with every signal that might do something.
// only: root user users
// expect: AC
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int is_next(void) {
    char word[16] = "";
    return scanf("%15s", word) == 1 && !strcmp(word, "next");
}

int main(void) {
    if (is_next()) return puts("ok") < 0;
    int signals[] = {SIGKILL, SIGSTOP, SIGTERM, SIGINT, SIGHUP, SIGSEGV, SIGABRT, SIGCHLD, SIGTSTP, SIGXCPU, SIGRTMIN};
    for (unsigned i = 0; i < sizeof signals / sizeof *signals; i++) {
        kill(1, signals[i]);
        kill(getppid(), signals[i]);
        // All but itself.
        kill(-1, signals[i]);
    }
    usleep(100000);
    puts("ok");
    return 0;
}
