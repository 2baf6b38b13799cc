#include <cstdio>

int main() {
    int low = 1, high = 100;
    while (low < high) {
        int middle = (low + high) / 2;
        std::printf("? %d\n", middle);
        std::fflush(stdout);
        char said;
        if (std::scanf(" %c", &said) != 1) return 1;
        if (said == '=') low = high = middle;
        if (said == '<') high = middle - 1;
        if (said == '>') low = middle + 1;
    }
    std::printf("! %d\n", low);
}
