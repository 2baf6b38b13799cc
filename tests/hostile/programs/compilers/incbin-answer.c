// Has the assembler put an answer into the program.
// only: root user users weak
// expect: CE
// reason: 1.ans
// answer: the_secret_answer
// unseen: the_secret_answer
#include <stdio.h>
__asm__("answer: .incbin \"@WORKSPACE@/testcases/p/secret/1.ans\"");
extern char answer[18];
int main(void) { return fwrite(answer, 1, 18, stdout) != 18; }
