// Leaves a POSIX message queue behind and nothing else; the next run looks for it.
// only: root user users
// expect: AC
#define _GNU_SOURCE
#include <fcntl.h>
#include <mqueue.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int is_next(void) {
    char word[16] = "";
    return scanf("%15s", word) == 1 && !strcmp(word, "next");
}

int main(void) {
    if (is_next()) {
        if (mq_open("/left-behind", O_RDONLY) != (mqd_t)-1) puts("a message queue");
        return puts("ok") < 0;
    }
    mqd_t queue = mq_open("/left-behind", O_CREAT | O_RDWR, 0600, 0);
    mq_send(queue, "x", 1, 0);
    puts("ok");
    return 0;
}
