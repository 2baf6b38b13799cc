// What generators read from their arguments. The first one says what.
#include "testlib.h"

using namespace std;

int main(int argc, char *argv[]) {
    registerGen(argc, argv, 1);
    const string what = opt<string>(1);
    if (what == "index") {
        println(opt(1), opt<int>(2), opt<long long>(3), opt<double>(4));
        println(opt(9, "absent"), opt<int>(9, 5), opt(9, 2.5), opt<string>(9, "text"));
        println(opt<bool>(5), opt<unsigned>(2));
    }
    if (what == "key") {
        println(opt("n"), opt<int>("n"), opt<long long>("n"), opt<double>("n"), opt<string>("n"));
        println(opt<bool>("flag"), opt<bool>("absent"), has_opt("n"), has_opt("absent"));
        println(opt("absent", "default"), opt("absent", 5), opt<double>("absent", 1.5), opt("absent", string("s")), opt<int>("n", 3));
    }
    if (what == "int") println(opt<int>("x"));
    if (what == "unsigned") println(opt<unsigned>("x"));
    if (what == "long") println(opt<long long>("x"));
    if (what == "real") cout << format("%.17g", opt<double>("x")) << endl;
    if (what == "bool") println(opt<bool>("x"));
    if (what == "text") println(opt("x"));
    if (what == "out of range") opt(20);
    if (what == "unused") has_opt("x");
    if (what == "suppressed") has_opt("x"), suppressEnsureNoUnusedOpts();
    if (what == "ensured") ensureNoUnusedOpts();
    if (what == "test") startTest(3), println("in a file");
    if (what == "quit") quitf(_fail, "cannot make %d", 5);
    if (what == "ensure") ensure(argc < 2);
    if (what == "ensuref") ensuref(argc < 2, "argc is %d", argc);
}
