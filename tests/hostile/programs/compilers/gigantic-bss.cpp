// A program whose memory is larger than any machine: compiling it is cheap.
// limits: memory=64
// expect: CE or RTE or MLE or AC
#include <cstdio>
static char memory[1l << 46];
int main() { std::puts("ok"); return memory[0]; }
