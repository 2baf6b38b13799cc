#include "sums.h"

int sum_to(int n) {
    // Wrong: half a step is missing.
    return n * n / 2;
}
