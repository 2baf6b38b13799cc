// Calls the kernel as a 32-bit program does, where other rules apply.
// only: root user users weak
// expect: RTE
// reason: denied system call
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int is_next(void) {
    char word[16] = "";
    return scanf("%15s", word) == 1 && !strcmp(word, "next");
}

int main(void) {
    if (is_next()) return puts("ok") < 0;
    int result = 20;
    __asm__ volatile("int $0x80" : "+a"(result) : : "memory");
    puts("ok");
    return 0;
}
