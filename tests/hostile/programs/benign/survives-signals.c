// Handles signals of its own: an alarm, a division by zero, the end of a child, a pipe that nobody reads.
// only: root user users weak none
// expect: AC
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static sigjmp_buf back;
static volatile int children;

static void jump(int number) { siglongjmp(back, number); }
static void count(int number) { children += number == SIGCHLD; }

int main(void) {
    signal(SIGALRM, jump);
    signal(SIGSEGV, jump);
    signal(SIGCHLD, count);
    signal(SIGPIPE, SIG_IGN);
    if (sigsetjmp(back, 1) == 0) {
        ualarm(10000, 0);
        for (;;) pause();
    }
    if (sigsetjmp(back, 1) == 0) *(volatile int *)0 = 1;
    if (fork() == 0) _exit(7);
    int status;
    while (wait(&status) < 0) {}
    int ends[2];
    if (pipe(ends)) return 1;
    close(ends[0]);
    if (write(ends[1], "x", 1) > 0) return 2;
    return WEXITSTATUS(status) == 7 && children == 1 ? puts("ok") < 0 : 3;
}
