// Compares one number by testlib's protocol: input, output, answer; 0 accepts, 1 rejects.
#include "numbers.h"

int main(int, char** argv) {
    const long long output = read_number(argv[2]), answer = read_number(argv[3]);
    if (output != answer) {
        std::fprintf(stderr, "wrong answer expected %lld, found %lld\n", answer, output);
        return 1;
    }
    std::fprintf(stderr, "ok %lld\n", answer);
    return 0;
}
