// check INPUT OUTPUT ANSWER: judges an output, where any right answer is accepted.
#include "testlib.h"

int main(int argc, char** argv) {
    registerTestlibCmd(argc, argv);
    int n = inf.readInt();
    // The limits are those of the statement. An integer outside is a wrong answer.
    int a = ouf.readInt(1, n, "a");
    int b = ouf.readInt(1, n, "b");
    // Behind the verdict, testlib rejects further output by itself.
    if (a + b != n) quitf(_wa, "the sum is %d instead of %d", a + b, n);
    quitf(_ok, "%d + %d", a, b);
}
