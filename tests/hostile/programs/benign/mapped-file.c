// A large file that is mapped: it counts once, not as a file and as memory.
// only: root user
// limits: memory=64 output=64 time=5
// expect: AC
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static int is_next(void) {
    char word[16] = "";
    return scanf("%15s", word) == 1 && !strcmp(word, "next");
}

int main(void) {
    if (is_next()) return puts("ok") < 0;
    size_t size = 36 << 20;
    int file = open("/tmp/table", O_RDWR | O_CREAT, 0600);
    if (ftruncate(file, size)) return 1;
    char *table = mmap(0, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    memset(table, 1, size);
    // Long enough to be seen.
    usleep(300000);
    puts("ok");
    return 0;
}
