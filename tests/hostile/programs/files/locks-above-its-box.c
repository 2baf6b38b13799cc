// Takes the rights to the directory above its own, and to nothing else.
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
    chmod("..", 0);
    puts("ok");
    return 0;
}
