// Accepts an input with one integer on one line.
#include "testlib.h"

int main(int argc, char** argv) {
    registerValidation(argc, argv);
    inf.readInt(2, 1000, "n");
    inf.readEoln();
    inf.readEof();
}
