#include "../params.h"
#include "base.hpp"

static_assert(SCALE < 1 && sizeof(TITLE) == 4);

int main() { print_numbers(MOST, MOST); }
