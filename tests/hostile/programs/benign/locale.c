// Speaks the language of its environment, knows the time, and finds random numbers.
// only: root user users weak none
// expect: AC
#define _GNU_SOURCE
#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

static int is_next(void) {
    char word[16] = "";
    return scanf("%15s", word) == 1 && !strcmp(word, "next");
}

int main(void) {
    if (is_next()) return puts("ok") < 0;
    if (!setlocale(LC_ALL, "")) puts("no locale");
    if (strcmp(nl_langinfo(CODESET), "UTF-8")) printf("code set %s\n", nl_langinfo(CODESET));
    wchar_t wide[8];
    if (mbstowcs(wide, "\xe2\x80\xa6", 8) != 1) puts("not one character");
    struct timespec now;
    for (int clock = 0; clock < 8; clock++) {
        if (clock != 2 && clock_gettime(clock, &now)) printf("no clock %d\n", clock);
    }
    if (time(0) < 1700000000) puts("long ago");
    char random[16];
    if (getrandom(random, sizeof random, 0) != sizeof random) puts("nothing random");
    struct timespec little = {0, 1000000};
    if (nanosleep(&little, 0)) puts("no sleep");
    if (sysconf(_SC_NPROCESSORS_ONLN) < 1 || sysconf(_SC_PHYS_PAGES) < 1) puts("no machine");
    puts("ok");
    return 0;
}
