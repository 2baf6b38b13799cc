// What generators and solutions share.
#pragma once
#include <cstdio>
#include <cstdlib>

inline long long read_number(std::FILE* file) {
    long long number = 0;
    if (file == nullptr || std::fscanf(file, "%lld", &number) != 1) std::exit(1);
    return number;
}
