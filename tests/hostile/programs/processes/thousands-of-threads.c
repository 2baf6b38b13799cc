// As many threads as allowed, all alive when the program ends.
// limits: processes=3000 time=5
// expect: AC
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int is_next(void) {
    char word[16] = "";
    return scanf("%15s", word) == 1 && !strcmp(word, "next");
}

int main(void) {
    if (is_next()) return puts("ok") < 0;
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 64 << 10);
    int started = 0;
    for (int i = 0; i < 2000; i++) {
        pthread_t thread;
        started += pthread_create(&thread, &small, (void *(*)(void *))sleep, (void *)600) == 0;
    }
    if (started < 2000) printf("only %d threads\n", started);
    puts("ok");
    return 0;
}
