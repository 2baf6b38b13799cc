#include "square.h"

long long square(long long n) { return 2 * n; }
