// Makes the assembler read without end.
// compile: time=2 memory=256
// expect: CE
__asm__(".incbin \"/dev/zero\"");
int main(void) { return 0; }
