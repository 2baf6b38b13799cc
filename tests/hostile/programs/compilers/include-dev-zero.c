// Makes the compiler read without end.
// compile: time=2 memory=256
// expect: CE
#include "/dev/zero"
