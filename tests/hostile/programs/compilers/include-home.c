// Includes a secret of the user's, by its path and through the processes around the compiler.
// only: root user users weak
// expect: CE
// reason: error
// unseen: a secret of
#include "@WORKSPACE@/home/secret"
#include "/proc/1/root@WORKSPACE@/home/secret"
#include "/proc/self/cwd/../../../../../../../../../..@WORKSPACE@/home/secret"
int main(void) { return 0; }
