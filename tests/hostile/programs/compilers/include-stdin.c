// Includes the compiler's own input, of which there is none, and the devices that never end.
// compile: time=1 memory=256
// expect: CE
#include "/dev/stdin"
#include "/dev/fd/0"
#include "/dev/urandom"
int main(void) { return 0; }
