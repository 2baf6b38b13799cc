// A validator that does what its group says.
#include "testlib.h"

using namespace std;

int main(int argc, char *argv[]) {
    registerValidation(argc, argv);
    const string group = validator.group();
    if (validator.testset() != "tests") cout << validator.testset() << getTestset() << "\n";
    if (group == "unread") return 0;
    if (group == "quit") quitf(_ok, "not for validators");
    if (group == "wa") inf.quitf(_wa, "the input is wrong");
    if (group == "ensure") ensure(1 > 2);
    if (group == "ensuref") inf.ensuref(false, "line is %s", "bad");
    addFeature("has-one");
    addFeature("never");
    addFeature("twice as long");
    if (group == "twice") addFeature("never");
    if (group == "unknown") feature("unknown");
    if (group == "double") {
        inf.readDouble(-1, 1, "x");
        inf.readSpace();
        inf.readStrictDouble(0, 2.5, 1, 2, "y");
        inf.readEoln();
    } else if (group == "words") {
        inf.readToken("[a-z]{1,3}", "word");
        inf.readSpace();
        inf.readWords(2, "[a-z]+", "words");
        inf.readEoln();
        inf.readLine("[a-z ]*", "line");
        inf.readLines(2, "[a-z]{1,4}", "lines");
    } else {
        if (group == "cases") setTestCase(0);
        const int n = inf.readInt(1, 5, "n");
        inf.readSpace();
        const long long m = inf.readLong(-1LL, 10000000LL, "~m");
        inf.readEoln();
        if (group == "cases") setTestCase(1);
        for (int a : inf.readInts(n, 1, n + 2, "a"))
            if (a == 1) feature("has-one");
        inf.readEoln();
        if (group == "cases") setTestCase(2);
        inf.readUnsignedLong(0, 7, "u1");
        inf.readSpace();
        inf.readInt(0, int(m) + 10, "both~");
        inf.readEoln();
    }
    inf.readEof();
}
