// Looks after itself with the address sanitizer, which reserves terabytes and starts again without randomisation.
// only: root user users weak none
// limits: memory=512 time=5
// toml: [language.c]
// toml: compile = ["gcc", "-fsanitize=address,undefined", "-o", "{binary}", "{files}"]
// expect: AC
#include <stdio.h>
#include <stdlib.h>

// Leaks are looked for by tracing, which no program may do here.
const char *__asan_default_options(void) { return "detect_leaks=0"; }

int main(void) {
    char *memory = malloc(100);
    memory[99] = 1;
    free(memory);
    return puts("ok") < 0;
}
