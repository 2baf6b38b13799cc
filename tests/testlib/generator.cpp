// Every call of random numbers, and what generators print them with.
#include "testlib.h"

#include <list>

using namespace std;

template <typename T> void show(const char *name, const vector<T> &values) {
    cout << name << ":";
    for (const T &value : values) cout << " " << value;
    cout << "\n";
}

template <typename T> void integers(const char *name, T n, T from, T to) {
    vector<T> values;
    for (int i = 0; i < 20; i++) {
        values.push_back(rnd.next(n));
        values.push_back(rnd.next(from, to));
        for (int type : {0, 1, -1, 5, -7, 24, 25, -25, 100, -1000}) {
            values.push_back(rnd.wnext(n, type));
            values.push_back(T(rnd.wnext(from, to, type)));
        }
    }
    show(name, values);
}

void reals() {
    cout.precision(17);
    for (int i = 0; i < 20; i++) {
        cout << rnd.next() << " " << rnd.next(3.25) << " " << rnd.next(-1.5, 1e9) << "\n";
        for (int type : {0, 2, -3, 25, -60})
            cout << rnd.wnext(type) << " " << rnd.wnext(7.5, type) << " " << rnd.wnext(-2.0, 5.0, type) << "\n";
    }
}

void patterns() {
    for (const char *source : {"a", "[a-z]{1,10}", "[a-zA-Z0-9_]{5}", "mike|john|[x-z]{2}", "-?[1-9][0-9]{0,3}", "id-([ac]|b{2})",
                               "[aab]{20}", "\\[[\\]\\-a]{8}", "a b c", "a\\ b", "[^a-z]{3}", "x?y?z?", "(ab|cd|(ef|[g-i]{2,3}))",
                               "[+-]{4}", "[a-]{9}", "[-a]{9}", "a{0}b", "[a-c-e]{12}", "q{3,3}"})
        for (int i = 0; i < 5; i++) cout << source << ": " << rnd.next(string(source)) << "\n";
    cout << rnd.next("[a-%c]{%d}", 'f', 30) << "\n";
    pattern p("[0-9]{1,3}(k|m)");
    cout << pattern("x{2,5}[yz]").next(rnd) << " " << pattern("[0-9]+").matches("12") << pattern("[0-9]?1").matches("1")
         << pattern("a*b|c+").matches("ccc") << pattern("(a|b)").matches("c") << " " << p.src() << "\n";
}

int main(int argc, char *argv[]) {
    registerGen(argc, argv, argc > 1 && argv[1][0] == '0' ? 0 : 1);
    integers<int>("int", 1000, -50, 1000000000);
    integers<int>("powers of two", 1 << 20, 0, 1023);
    integers<unsigned int>("unsigned int", 77u, 3u, 4000000u);
    integers<long long>("long long", 1000000000000LL, -9000000000LL, 1LL << 60);
    integers<unsigned long long>("unsigned long long", 1ULL << 62, 5, 1ULL << 61);
    integers<long>("long", 99999L, -3L, 100000000000L);
    integers<unsigned long>("unsigned long", 12345UL, 1UL, 9999999UL);
    reals();
    patterns();

    vector<int> numbers = {2, 3, 5, 7, 11, 13, 17};
    set<string> words = {"one", "two", "three"};
    list<int> listed(numbers.begin(), numbers.end());
    for (int i = 0; i < 10; i++)
        cout << rnd.any(numbers) << " " << rnd.any(words) << " " << rnd.any(listed) << " " << rnd.any(string("letters")) << " "
             << rnd.any(numbers.begin() + 2, numbers.end()) << " " << rnd.wany(numbers, 3) << " " << rnd.wany(words, -2) << " "
             << rnd.wany(numbers.begin(), numbers.begin() + 3, 30) << "\n";
    show("perm", rnd.perm(12));
    show("perm from 1", rnd.perm(12, 1));
    show("perm of size_t", rnd.perm(size_t(9), 4LL));
    show("perm of long long", rnd.perm(10LL));
    show("no perm", rnd.perm(0));
    show("distinct few", rnd.distinct(5, 1000000));
    show("distinct many", rnd.distinct(9, 10));
    show("distinct range", rnd.distinct(6, -3LL, 1000000000000LL));
    show("distinct all", rnd.distinct(7, 11, 17));
    show("partition", rnd.partition(6, 100));
    show("partition from 0", rnd.partition(6, 10, 0));
    show("partition from 5", rnd.partition(4, 1000000000000LL, 5LL));
    show("partition of one", rnd.partition(1, 9));
    shuffle(numbers.begin(), numbers.end());
    show("shuffle", numbers);

    random_t other;
    other.setSeed(20240101LL);
    cout << other.next(1000000) << " " << other.next(5) << " " << rnd.next(5) << "\n";

    println(1);
    println("words", 2);
    println(1, 2, "three", 4.5, 'x', 6LL, string("seven"));
    println(numbers);
    println(numbers.begin(), numbers.end());
    println(numbers.begin(), numbers.begin());
    int raw[] = {4, 5, 6};
    println(raw, raw + 3);
    println("left", "right");
    println(numbers, words);
    println(vector<string>{"a", "b"}, 3);

    cout << format("%05d|%s|%.3f", 42, "text", 2.5) << " " << format(string("%d%%"), 7) << "\n";
    cout << join(numbers) << " " << join(numbers, ',') << " " << join(numbers.begin(), numbers.end(), " + ") << " "
         << join(words.begin(), words.end()) << "\n";
    for (const string &text : {string("a,b,,c"), string(""), string(",x,")}) {
        cout << split(text, ',').size() << split(text, ",b").size() << tokenize(text, ',').size() << tokenize(text, ",b").size() << " ";
        cout << join(split(text, ','), '|') << " " << join(tokenize(text, ",b"), '|') << "\n";
    }
    cout << upperCase("Upper lower 1") << lowerCase("Upper LOWER 1") << "[" << trim(" \t trim \r\n") << "]"
         << compress(string(200, 'y')) << compress("short") << "\n";
    for (int i : {0, 1, 2, 3, 4, 10, 11, 12, 13, 21, 22, 101, 111, 112, 123}) cout << i << englishEnding(i) << " ";
    cout << "\n";
    cout << vtos(0) << vtos(-12) << vtos(LLONG_MIN) << vtos(ULLONG_MAX) << vtos(2.5) << vtos('a') << vtos(string("one two")) << toString(1e-7)
         << " " << vtos(123456789.0) << vtos(true) << "\n";
    for (long long n : {0LL, 10LL, 1000000LL, 10000000LL, 20000000LL, -10000000LL, -350000000LL, 1000000007LL, 1000000000000000000LL})
        cout << toHumanReadableString(n) << " ";
    cout << toHumanReadableString(10000000u) << "\n";
    for (double expected : {0.0, 1.0, -5.0, 1e-12, 1e301, -1e301, 12345.678})
        for (double result : {0.0, 1.0 + 1e-7, -5.00001, 1e-9, 1e302, -1e302, 12345.679, (double)NAN})
            cout << doubleCompare(expected, result, 1e-6) << (result == result ? doubleDelta(expected, result) < 1e-6 : 0);
    cout << "\n" << removeDoubleTrailingZeroes("2.500") << removeDoubleTrailingZeroes("3.000") << removeDoubleTrailingZeroes("100") << "\n";
    cout << isBlanks(' ') << isBlanks('x') << isEoln('\n') << isEof(255) << "\n";
}
