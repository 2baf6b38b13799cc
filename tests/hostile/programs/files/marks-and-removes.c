// Leaves nothing but a mark on a directory that is otherwise as it was.
// only: root user users
// expect: AC
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/xattr.h>
#include <unistd.h>

static const char *places[] = {".", "/tmp", "/dev/shm", "/sandbox", "/program"};

static int is_next(void) {
    char word[16] = "";
    return scanf("%15s", word) == 1 && !strcmp(word, "next");
}

int main(void) {
    if (is_next()) {
        char value;
        for (int i = 0; i < 5; i++) {
            if (getxattr(places[i], "user.mark", &value, 1) > 0) printf("a mark on %s\n", places[i]);
        }
        return puts("ok") < 0;
    }
    for (int i = 0; i < 5; i++) setxattr(places[i], "user.mark", "x", 1, 0);
    puts("ok");
    return 0;
}
