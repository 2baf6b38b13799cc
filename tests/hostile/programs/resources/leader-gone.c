// Its first thread is gone, and the others take more memory than allowed: of a process without its first thread `/proc`
// shows no memory.
// limits: memory=64 time=5 wall_limit=5
// within: 30
// expect: MLE
// reason: > 64 MiB
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int is_next(void) {
    char word[16] = "";
    return scanf("%15s", word) == 1 && !strcmp(word, "next");
}

static void *eat(void *unused) {
    usleep(50000);
    volatile char *memory = malloc(40 << 20);
    for (size_t i = 0; i < 40 << 20; i += 4096) memory[i] = 1;
    sleep(600);
    return unused;
}

int main(void) {
    if (is_next()) return puts("ok") < 0;
    for (int i = 0; i < 4; i++) {
        if (fork() == 0) {
            pthread_t thread;
            pthread_create(&thread, 0, eat, 0);
            pthread_exit(0);
        }
    }
    sleep(2);
    puts("ok");
    fflush(stdout);
    return 0;
}
