// Leaves a daemon behind that no longer dies with its parent, then kills the keeper that would have swept it up, where
// it can.
// limits: time=0.2
// expect: TLE
// reason: slept
// expect(none): JE
// reason(none): lost the keeper process
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

static int is_next(void) {
    char word[16] = "";
    return scanf("%15s", word) == 1 && !strcmp(word, "next");
}

int main(void) {
    if (is_next()) return puts("ok") < 0;
    pid_t keeper = getppid();
    for (int i = 0; i < 3; i++) {
        if (fork() == 0) {
            setsid();
            if (fork() != 0) _exit(0);
            sleep(600);
            _exit(0);
        }
    }
    usleep(50000);
    prctl(PR_SET_PDEATHSIG, 0);
    kill(keeper, SIGKILL);
    sleep(600);
    return 0;
}
