// Four threads share work that takes less than the limit in all.
// limits: time=2
// only: root user users weak none
// expect: AC
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static void *work(void *unused) {
    volatile unsigned long sum = 0;
    for (unsigned i = 0; i < 50000000; i++) sum += i;
    return unused;
}

static int is_next(void) {
    char word[16] = "";
    return scanf("%15s", word) == 1 && !strcmp(word, "next");
}

int main(void) {
    if (is_next()) return puts("ok") < 0;
    pthread_t threads[4];
    for (int i = 0; i < 4; i++) pthread_create(&threads[i], 0, work, 0);
    for (int i = 0; i < 4; i++) pthread_join(threads[i], 0);
    puts("ok");
    return 0;
}
