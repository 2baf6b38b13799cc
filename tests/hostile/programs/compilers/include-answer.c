// Includes an answer by its path: a compiler's complaint would show it.
// only: root user users weak
// expect: CE
// reason: error
// answer: the_secret_answer
// unseen: the_secret_answer
#include "@WORKSPACE@/testcases/p/secret/1.ans"
#include "../../../../../../../../../../../../../../../..@WORKSPACE@/testcases/p/secret/1.ans"
int main(void) { return 0; }
