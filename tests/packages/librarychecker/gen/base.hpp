#pragma once
#include "../lib/numbers.hpp"

inline void print_numbers(long long a, long long b) { std::printf("%lld %lld\n", a, b); }
