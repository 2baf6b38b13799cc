// Includes itself, deeper than any compiler goes, twice at each level.
// compile: time=1.5 memory=512
// expect: CE
#include __FILE__
#include __FILE__
int main(void) { return 0; }
