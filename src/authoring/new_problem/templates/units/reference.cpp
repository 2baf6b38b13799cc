#include "sums.h"

int sum_to(int n) {
    return n * (n + 1) / 2;
}
