// Puts its session behind all others, which the keeper and every later program are in; the next run looks for that.
// only: root user users weak
// expect: AC
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(void) {
    char text[64] = "";
    int file = open("/proc/self/autogroup", O_RDONLY);
    if (file >= 0 && read(file, text, sizeof text - 1) > 0 && !strstr(text, "nice 0")) printf("found %s", text);
    file = open("/proc/self/autogroup", O_WRONLY);
    // The kernel lets this be done ten times a second.
    for (int i = 0; i < 100 && file >= 0 && write(file, "19", 2) < 0; i++) usleep(10000);
    puts("ok");
    return 0;
}
