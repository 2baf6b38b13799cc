// Files that have no name and are mapped by nobody: no process shows their memory.
// Where memory is sampled there are none: it says `ok` only if it holds nothing.
// only: root user users weak
// limits: memory=64 time=2
// expect: MLE
// expect(user users): AC or MLE
// expect(weak): AC
// reason(root): > 64 MiB
#define _GNU_SOURCE
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
    static char block[1 << 20];
    memset(block, 1, sizeof block);
    for (int i = 0; i < 64; i++) {
        int fd = memfd_create("memory", 0);
        if (fd < 0 && i == 0) return puts("ok") < 0;
        for (int n = 0; n < 4; n++) write(fd, block, sizeof block);
    }
    sleep(600);
    return 0;
}
