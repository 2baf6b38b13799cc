// An interactor that repeats what it gets, until a 0.
#include "testlib.h"

using namespace std;

int main(int argc, char *argv[]) {
    registerInteraction(argc, argv);
    const int limit = inf.readInt();
    for (int count = 0;; count++) {
        const int number = ouf.readInt(0, limit, "number");
        if (number == 0) {
            tout << count << endl;
            if (ans.readInt() != count) quitf(_wa, "%d numbers", count);
            quitf(_ok, "%d numbers", count);
        }
        cout << number << endl;
    }
}
