// Opens as many descriptors as it can, and keeps them.
// expect: AC
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int is_next(void) {
    char word[16] = "";
    return scanf("%15s", word) == 1 && !strcmp(word, "next");
}

int main(void) {
    if (is_next()) return puts("ok") < 0;
    while (open("/dev/null", O_RDONLY) >= 0) {}
    puts("ok");
    return 0;
}
