#include <stdio.h>
#include <string.h>

int main(void) {
    static char text[1 << 20];
    memset(text, 'x', sizeof text);
    for (int i = 0; i < 1024; i++) fwrite(text, 1, sizeof text, i % 2 ? stdout : stderr);
    return 42;
}
