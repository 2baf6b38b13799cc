// Four threads share the work of using up the time.
// limits: time=0.2 wall_limit=30
// expect: TLE
// reason: > 0.3 s (limit 0.2 s)
#define _GNU_SOURCE
#include <pthread.h>
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
    for (int i = 0; i < 4; i++) {
        pthread_t thread;
        extern void *spin(void *);
        pthread_create(&thread, 0, spin, 0);
    }
    sleep(600);
    return 0;
}

void *spin(void *unused) {
    for (volatile unsigned i = 0;; i++) {}
    return unused;
}
