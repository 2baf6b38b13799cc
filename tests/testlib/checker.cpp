// A checker that does what its input file says: each word is a call on the output, or an end.
#include "testlib.h"

using namespace std;

template <typename T> void show(const vector<T> &values) {
    for (const T &value : values) cout << "<" << value << ">";
}

int main(int argc, char *argv[]) {
    setName("a checker that does what it is %s", "told");
    registerTestlibCmd(argc, argv);
    cout.precision(17);
    while (!inf.seekEof()) {
        const string call = inf.readToken();
        cout << call << " ";
        if (call == "int") cout << ouf.readInt();
        if (call == "int-range") cout << ouf.readInt(1, 100);
        if (call == "int-name") cout << ouf.readInteger(-5, 1000000000, "count");
        if (call == "long") cout << ouf.readLong();
        if (call == "long-range") cout << ouf.readLong(-10000000LL, 350000000LL, "big");
        if (call == "unsigned") cout << ouf.readUnsignedLong();
        if (call == "unsigned-range") cout << ouf.readLong(1ULL, 10000000000ULL, "u");
        if (call == "double") cout << ouf.readDouble();
        if (call == "double-range") cout << ouf.readReal(-1.5, 1e6, "x");
        if (call == "double-plain") cout << ouf.readDouble(0, 1);
        if (call == "strict") cout << ouf.readStrictDouble(-10, 10, 1, 3, "s");
        if (call == "strict-any") cout << ouf.readStrictReal(-1e300, 1e300, 0, 400);
        if (call == "ints") show(ouf.readInts(3));
        if (call == "ints-range") show(ouf.readInts(3, 1, 5, "a"));
        if (call == "ints-plain") show(ouf.readIntegers(3, 1, 5));
        if (call == "ints-zero") show(ouf.readInts(2, 0, 9, "a", 0));
        if (call == "longs") show(ouf.readLongs(2, 1LL, 5LL, "l"));
        if (call == "unsigneds") show(ouf.readUnsignedLongs(2, 1ULL, 5ULL, "l"));
        if (call == "doubles") show(ouf.readDoubles(2, 0.5, 2, "d"));
        if (call == "stricts") show(ouf.readStrictDoubles(2, 0, 1, 0, 2, "d"));
        if (call == "word") cout << ouf.readWord();
        if (call == "word-pattern") cout << ouf.readWord("[a-z]{1,5}");
        if (call == "word-name") cout << ouf.readToken("YES|NO", "verdict");
        if (call == "words") show(ouf.readWords(2));
        if (call == "words-pattern") show(ouf.readTokens(2, "[a-z]+"));
        if (call == "words-name") show(ouf.readWords(2, pattern("[a-z]+"), "w"));
        if (call == "line") cout << ouf.readLine();
        if (call == "line-pattern") cout << ouf.readString("[a-z ]{1,9}");
        if (call == "line-name") cout << ouf.readLine("[a-z]*", "l");
        if (call == "lines") show(ouf.readLines(2));
        if (call == "lines-pattern") show(ouf.readStrings(2, "[a-z]+"));
        if (call == "lines-name") show(ouf.readLines(2, "[a-z]+", "l"));
        if (call == "char") cout << int(ouf.readChar());
        if (call == "char-x") cout << ouf.readChar('x');
        if (call == "space") cout << int(ouf.readSpace());
        if (call == "cur") cout << int(ouf.curChar());
        if (call == "skip") ouf.skipChar();
        if (call == "unread") ouf.unreadChar('7');
        if (call == "eoln") cout << ouf.eoln();
        if (call == "seek-eoln") cout << ouf.seekEoln();
        if (call == "eof") cout << ouf.eof();
        if (call == "seek-eof") cout << ouf.seekEof();
        if (call == "next-line") ouf.nextLine();
        if (call == "read-eoln") ouf.readEoln();
        if (call == "read-eof") ouf.readEof();
        if (call == "blanks") ouf.skipBlanks();
        if (call == "to") {
            string text;
            ouf.readTokenTo(text);
            ouf.readWordTo(text, "[a-z]+", "to");
            ouf.readLineTo(text);
            ouf.readStringTo(text, "[a-z]*");
            cout << text;
        }
        if (call == "inner") {
            InStream inner(ouf, "12 x");
            cout << inner.readInt() << inner.readInt(1, 2);
        }
        if (call == "answer-int") cout << ans.readInt(1, 5, "n");
        if (call == "answer-word") cout << ans.readWord("[a-z]+");
        if (call == "answer-double") cout << ans.readDouble();
        if (call == "strings") cout << stringToDouble(ouf, "1e3") << stringToLongLong(ouf, "-7") << stringToLongLong(ouf, "07");
        if (call == "case0") setTestCase(0);
        if (call == "case1") setTestCase(1);
        if (call == "case2") setTestCase(2);
        if (call == "no-case") unsetTestCase();
        if (call == "ok") quitf(_ok, "all %d are right", 3);
        if (call == "quit") quit(_ok, "plain");
        if (call == "wa") quitf(_wa, "  %s differ\n\n", "they");
        if (call == "pe") quit(_pe, string("bad"));
        if (call == "fail") quitf(_fail, "broken");
        if (call == "dirt") quitf(_dirt, "rest");
        if (call == "pc") quitf(_pc(40), "partly");
        if (call == "pc0") quitf(_pc(0), "nothing");
        if (call == "eof-result") quitf(_unexpected_eof, "ended");
        if (call == "points") quitp(2.5, "half of %d", 5);
        if (call == "points-int") quitp(7);
        if (call == "points-text") quitp(12.0, string("text"));
        if (call == "points-third") quitp(1.0 / 3);
        if (call == "points-bad") quitp(-1);
        if (call == "points-large") quitp(2e6, "too many");
        if (call == "points-info") quitpi("a=1", "info");
        if (call == "points-spaces") quitpi("a 1");
        if (call == "points-result") quitf(_points, "3 points");
        if (call == "quitif") quitif(true, _wa, "because of %d", 1);
        if (call == "inf-wa") inf.quitf(_wa, "the input is bad");
        if (call == "ans-wa") ans.quitf(_wa, "the answer is bad");
        if (call == "ans-pe") ans.quit(_pe, "the answer is bad");
        if (call == "ouf-quitif") ouf.quitif(1 == 1, _pe, "%s", "form");
        if (call == "ensure") ensure(1 > 2);
        if (call == "ensuref") ensuref(1 > 2, "%d > %d", 1, 2);
        if (call == "ouf-ensure") ouf.ensure(1 > 2);
        if (call == "ouf-ensuref") ouf.ensuref(1 > 2, "%d > %d", 1, 2);
        if (call == "ans-ensuref") ans.ensuref(1 > 2, "%d > %d", 1, 2);
        if (call == "expected-int") expectedButFound(_wa, 10, 20);
        if (call == "expected-format") expectedButFound(_wa, 10LL, 20LL, "[n=%d]", 4);
        if (call == "expected-text") expectedButFound<string>(_wa, "one two", "three");
        if (call == "expected-chars") expectedButFound(_pe, "one", "two", "at");
        if (call == "expected-double") expectedButFound(_fail, 1.5, 2.25);
        if (call == "expected-long") expectedButFound(_wa, string(100, 'a'), string(100, 'b'));
        if (call == "long-message") quitf(_wa, "%s", string(40000, 'm').c_str());
        if (call == "delta") cout << format("%.3f %.3f %.3f %.3f", doubleDelta(0, 0), doubleDelta(-5, -5), doubleDelta(5, 5), doubleDelta(4, 5));
        if (call == "group") cout << checker.group() << checker.testset() << getGroup() << getTestset();
        if (call == "nothing") return 0;
        if (call == "calm") {
            disableFinalizeGuard();
            return 0;
        }
        cout << "\n";
    }
    quitf(_ok, "done");
}
