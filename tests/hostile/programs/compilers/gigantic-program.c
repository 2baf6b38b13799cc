// A program of a gigabyte.
// compile: time=5 memory=1024
// expect: CE
// within: 60
char a[1 << 30] = {1};
int main(void) { return a[0]; }
