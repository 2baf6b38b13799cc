// Would be scheduled before everything else, as the keeper is: it is not, and cannot make itself so.
// only: root user users weak none
// expect: AC
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static int is_next(void) {
    char word[16] = "";
    return scanf("%15s", word) == 1 && !strcmp(word, "next");
}

int main(void) {
    if (is_next()) return puts("ok") < 0;
    errno = 0;
    int nice = getpriority(PRIO_PROCESS, 0);
    if (nice < 0 || errno) printf("niceness %d\n", nice);
    // Without walls root may do what root may.
    int may = geteuid() == 0 && access("/root", X_OK) == 0;
    if (!may && setpriority(PRIO_PROCESS, 0, nice - 1) == 0) puts("less nice than before");
    puts("ok");
    return 0;
}
