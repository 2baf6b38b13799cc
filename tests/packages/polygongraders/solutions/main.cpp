#include "total.h"

int total(int a, int b) {
    return a + b;
}
