// Makes the compiler say what would move the cursor of whoever reads it.
// expect: CE
// reason: error
#error "[31m]0;title1m"
int main(void) { return 0; }
