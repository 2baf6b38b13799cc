// Takes the rights to every directory that it may change, so that nobody can enter them.
// only: root user users
// expect: AC
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int is_next(void) {
    char word[16] = "";
    return scanf("%15s", word) == 1 && !strcmp(word, "next");
}

int main(void) {
    if (is_next()) return puts("ok") < 0;
    const char *places[] = {".", "/tmp", "/dev/shm", "/sandbox", "/program", "/", "/proc", "/dev"};
    for (int i = 0; i < 8; i++) chmod(places[i], 0);
    puts("ok");
    return 0;
}
