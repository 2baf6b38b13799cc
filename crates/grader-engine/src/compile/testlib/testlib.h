// The interface of testlib (https://github.com/MikeMirzayanov/testlib), written anew for grader.
//
// grader gives this header to programs that include testlib.h if neither the problem, nor grader.toml, nor the machine has
// the original. Names, exit codes, messages and random numbers are those of testlib 0.9.45. Differences are in
// docs/testlib.md of grader. It needs C++11 and a POSIX system.

#ifndef _TESTLIB_H_
#define _TESTLIB_H_
#define GRADER_TESTLIB 1

// Programs may use the name `random` for their own purposes.
#define random testlib_hidden_random
#include <stdlib.h>
#undef random

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <climits>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <functional>
#include <iostream>
#include <iterator>
#include <limits>
#include <map>
#include <set>
#include <sstream>
#include <stdarg.h>
#include <string>
#include <type_traits>
#include <unistd.h>
#include <vector>

#define LF ((char)10)
#define CR ((char)13)
#define TAB ((char)9)
#define SPACE ((char)' ')
#define EOFC (255)
#define I64 "%lld"
#define U64 "%llu"
#define NORETURN __attribute__((noreturn))
#define TESTLIB_PRINTF(format_index, first_index) __attribute__((format(printf, format_index, first_index)))

#ifndef OK_EXIT_CODE
#define OK_EXIT_CODE 0
#endif
#ifndef WA_EXIT_CODE
#define WA_EXIT_CODE 1
#endif
#ifndef PE_EXIT_CODE
#define PE_EXIT_CODE 2
#endif
#ifndef FAIL_EXIT_CODE
#define FAIL_EXIT_CODE 3
#endif
#ifndef DIRT_EXIT_CODE
#define DIRT_EXIT_CODE 4
#endif
#ifndef POINTS_EXIT_CODE
#define POINTS_EXIT_CODE 7
#endif
#ifndef UNEXPECTED_EOF_EXIT_CODE
#define UNEXPECTED_EOF_EXIT_CODE 8
#endif
#ifndef PC_BASE_EXIT_CODE
#ifdef TESTSYS
#define PC_BASE_EXIT_CODE 50
#else
#define PC_BASE_EXIT_CODE 0
#endif
#endif

enum TMode { _input, _output, _answer };

enum TResult {
    _ok = 0,
    _wa = 1,
    _pe = 2,
    _fail = 3,
    _dirt = 4,
    _points = 5,
    _unexpected_eof = 8,
    _partially = 16
};
#define _pc(exitCode) (TResult(_partially + (exitCode)))

enum TTestlibMode { _unknown, _checker, _validator, _generator, _interactor, _scorer };

inline int resultExitCode(TResult result) {
    switch (result) {
    case _ok: return OK_EXIT_CODE;
    case _wa: return WA_EXIT_CODE;
    case _pe: return PE_EXIT_CODE;
    case _dirt: return DIRT_EXIT_CODE;
    case _points: return POINTS_EXIT_CODE;
#ifdef ENABLE_UNEXPECTED_EOF
    case _unexpected_eof: return UNEXPECTED_EOF_EXIT_CODE;
#else
    case _unexpected_eof: return PE_EXIT_CODE;
#endif
    default: return result >= _partially ? PC_BASE_EXIT_CODE + (result - _partially) : FAIL_EXIT_CODE;
    }
}

// ---------------------------------------------------------------------------------------------------------------- text

// Ends the program: its own mistake.
NORETURN inline void __testlib_fail(const std::string &message);

namespace testlib_own {

const int MOST_TEST_CASES = 1073741823;

inline std::string formatted(const char *format, va_list arguments) {
    va_list again;
    va_copy(again, arguments);
    const int size = std::max(0, std::vsnprintf(nullptr, 0, format, again));
    va_end(again);
    std::vector<char> text(size_t(size) + 1);
    std::vsnprintf(text.data(), text.size(), format, arguments);
    return std::string(text.data());
}

} // namespace testlib_own

#define TESTLIB_FORMAT(text, format)                                                                                           \
    va_list testlib_rest;                                                                                                      \
    va_start(testlib_rest, format);                                                                                            \
    const std::string text = testlib_own::formatted(format, testlib_rest);                                                     \
    va_end(testlib_rest)

TESTLIB_PRINTF(1, 2) inline std::string testlib_format_(const char *format, ...) {
    TESTLIB_FORMAT(text, format);
    return text;
}

// Templates, because `format` with `using namespace std` must not be ambiguous in C++20.
template <typename... Arguments> std::string format(const char *format, Arguments &&...arguments) {
    const int size = std::max(0, std::snprintf(nullptr, 0, format, arguments...));
    std::vector<char> text(size_t(size) + 1);
    std::snprintf(text.data(), text.size(), format, arguments...);
    return std::string(text.data());
}

template <typename... Arguments> std::string format(const std::string &text, Arguments &&...arguments) {
    return format(text.c_str(), std::forward<Arguments>(arguments)...);
}

template <typename C> inline bool isEof(C c) { return c == EOFC; }
template <typename C> inline bool isEoln(C c) { return c == LF || c == CR; }
template <typename C> inline bool isBlanks(C c) { return isEoln(c) || c == SPACE || c == TAB; }

inline std::string trim(const std::string &text) {
    size_t first = 0, end = text.size();
    while (first < end && isBlanks(text[first])) first++;
    while (first < end && isBlanks(text[end - 1])) end--;
    return text.substr(first, end - first);
}

inline std::string upperCase(std::string text) {
    for (char &c : text) c = 'a' <= c && c <= 'z' ? char(c - 'a' + 'A') : c;
    return text;
}

inline std::string lowerCase(std::string text) {
    for (char &c : text) c = 'A' <= c && c <= 'Z' ? char(c - 'A' + 'a') : c;
    return text;
}

// A text of at most 64 characters: the middle of a longer one becomes three dots.
inline std::string compress(const std::string &text) {
    std::string visible = text;
    std::replace(visible.begin(), visible.end(), '\0', '~');
    const size_t size = visible.size();
    return size <= 64 ? visible : visible.substr(0, 30) + "..." + visible.substr(size - 31);
}

inline std::string englishEnding(int number) {
    number %= 100;
    const char *endings[] = {"th", "st", "nd", "rd"};
    return number / 10 == 1 || number % 10 < 1 || number % 10 > 3 ? "th" : endings[number % 10];
}

inline std::string removeDoubleTrailingZeroes(std::string number) {
    if (number.find('.') == std::string::npos) return number;
    number.erase(number.find_last_not_of('0') + 1);
    return number.back() == '.' ? number + '0' : number;
}

namespace testlib_own {

// An integer of any type as a number, also a `char` or one of 128 bits.
template <typename T> std::string shown(const T &integer, std::true_type) {
    std::string digits;
    for (T rest = integer; rest != 0; rest = T(rest / 10)) digits += char('0' + std::abs(int(rest % 10)));
    if (integer < T(0)) digits += '-';
    return digits.empty() ? "0" : std::string(digits.rbegin(), digits.rend());
}

template <typename T> std::string shown(const T &value, std::false_type) {
    std::stringstream stream;
    stream << value;
    std::string word;
    stream >> word;
    return word;
}

} // namespace testlib_own

template <typename T> std::string vtos(const T &value) { return testlib_own::shown(value, std::is_integral<T>()); }
template <typename T> std::string toString(const T &value) { return vtos(value); }

// An integer; with seven or more zeros at its end as a multiple of a power of ten.
template <typename T> std::string toHumanReadableString(const T &integer) {
    int zeros = 0;
    T rest = integer;
    for (; rest != 0 && rest % 10 == 0; rest /= 10) zeros++;
    if (zeros < 7) return vtos(integer);
    const std::string factor = vtos(rest), power = "10^" + vtos(zeros);
    return factor == "1" ? power : factor == "-1" ? "-" + power : factor + "*" + power;
}

namespace testlib_own {

// The parts between separators: all of them, or those that are not empty.
template <typename IsSeparator>
std::vector<std::string> parts(const std::string &text, IsSeparator isSeparator, bool keepsEmpty) {
    std::vector<std::string> found;
    for (size_t first = 0; first <= text.size();) {
        const size_t end = std::find_if(text.begin() + std::ptrdiff_t(first), text.end(), isSeparator) - text.begin();
        if (keepsEmpty || end > first) found.push_back(text.substr(first, end - first));
        first = end + 1;
    }
    return found;
}

inline std::vector<std::string> parts(const std::string &text, const std::string &separators, bool keepsEmpty) {
    if (separators.empty()) return {text};
    return parts(text, [&](char c) { return separators.find(c) != std::string::npos; }, keepsEmpty);
}

} // namespace testlib_own

inline std::vector<std::string> split(const std::string &text, char separator) {
    return testlib_own::parts(text, std::string(1, separator), true);
}
inline std::vector<std::string> split(const std::string &text, const std::string &separators) {
    return testlib_own::parts(text, separators, true);
}
inline std::vector<std::string> tokenize(const std::string &text, char separator) {
    return testlib_own::parts(text, std::string(1, separator), false);
}
inline std::vector<std::string> tokenize(const std::string &text, const std::string &separators) {
    return testlib_own::parts(text, separators, false);
}

template <typename Iterator, typename Separator> std::string join(Iterator first, Iterator last, Separator separator) {
    std::stringstream joined;
    for (Iterator i = first; i != last; i++) {
        if (i != first) joined << separator;
        joined << *i;
    }
    return joined.str();
}
template <typename Iterator> std::string join(Iterator first, Iterator last) { return join(first, last, ' '); }
template <typename Collection, typename Separator> std::string join(const Collection &collection, Separator separator) {
    return join(collection.begin(), collection.end(), separator);
}
template <typename Collection> std::string join(const Collection &collection) { return join(collection, ' '); }

// -------------------------------------------------------------------------------------------------------------- numbers

namespace testlib_own {

inline bool isInfinite(double value) { return value > 1E300 || value < -1E300; }

// The value, but at least `least` and less than `end`.
template <typename T> T cropped(T value, T least, T end) { return std::min(std::max(value, least), T(end - 1)); }
inline double cropped(double value, double least, double end) {
    value = std::min(std::max(value, least), end);
    return value >= end ? std::nexttoward(end, least) : value;
}

} // namespace testlib_own

// Whether the absolute or the relative error is at most `error`.
inline bool doubleCompare(double expected, double result, double error) {
    using testlib_own::isInfinite;
    error += 1E-15;
    if (std::isnan(expected)) return std::isnan(result);
    if (isInfinite(expected)) return isInfinite(result) && (expected > 0) == (result > 0);
    if (std::isnan(result) || isInfinite(result)) return false;
    if (std::fabs(result - expected) <= error) return true;
    const double less = expected * (1.0 - error), more = expected * (1.0 + error);
    return result >= std::min(less, more) && result <= std::max(less, more);
}

// The absolute or the relative error, whichever is less.
inline double doubleDelta(double expected, double result) {
    // As in the original, the magnitude of 0 is -0, which messages of checkers show.
    const auto magnitude = [](double x) { return x > 0 ? x : -x; };
    const double absolute = magnitude(result - expected);
    if (magnitude(expected) <= 1E-9) return absolute;
    const double relative = magnitude(absolute / expected);
    return absolute < relative ? absolute : relative;
}

// ------------------------------------------------------------------------------------------------------- random numbers

class random_t;

// A simple pattern: characters and sets, each with a count, alternatives, and one group at the end.
class pattern {
public:
    pattern(std::string source) : written(source) {
        std::vector<Symbol> symbols;
        for (size_t i = 0; i < source.size(); i++) {
            const bool escaped = source[i] == '\\' && i + 1 < source.size();
            if (escaped) i++;
            if (escaped || source[i] != ' ') symbols.push_back({source[i], escaped});
        }
        parse(symbols);
    }

    std::string next(random_t &generator) const;
    bool matches(const std::string &text) const { return matchesFrom(text, 0); }
    std::string src() const { return written; }

private:
    // A character of the pattern. An escaped one has no other meaning.
    struct Symbol {
        char value;
        bool escaped;
        bool is(char command) const { return !escaped && value == command; }
    };
    typedef std::vector<Symbol> Symbols;
    static const int NO_END = INT_MAX;

    std::string written;
    std::string chars; // sorted; a character that is named twice is twice as likely
    int least = 0, most = 0;
    std::vector<pattern> rest;

    pattern(const Symbols &symbols, const std::string &source) : written(source) { parse(symbols); }

    static Symbols slice(const Symbols &symbols, size_t first, size_t end) {
        return Symbols(symbols.begin() + std::ptrdiff_t(first), symbols.begin() + std::ptrdiff_t(end));
    }

    NORETURN void illegal() const { __testlib_fail("pattern: Illegal pattern (or part) \"" + written + "\""); }

    void parse(const Symbols &symbols) {
        std::vector<size_t> bars;
        size_t firstClose = symbols.size();
        int depth = 0;
        for (size_t i = 0; i < symbols.size(); i++) {
            if (symbols[i].is('(')) {
                depth++;
            } else if (symbols[i].is(')')) {
                if (--depth == 0 && firstClose == symbols.size()) firstClose = i;
            } else if (depth < 0) {
                illegal();
            } else if (depth == 0 && symbols[i].is('|')) {
                bars.push_back(i);
            }
        }
        if (depth != 0) illegal();
        if (!bars.empty()) {
            bars.push_back(symbols.size());
            size_t first = 0;
            for (size_t bar : bars) {
                rest.push_back(pattern(slice(symbols, first, bar), written));
                first = bar + 1;
            }
        } else if (!symbols.empty() && symbols[0].is('(') && firstClose + 1 == symbols.size()) {
            rest.push_back(pattern(slice(symbols, 1, firstClose), written));
        } else {
            size_t at = 0;
            parseSet(symbols, at);
            parseCount(symbols, at);
            if (at < symbols.size()) rest.push_back(pattern(slice(symbols, at, symbols.size()), written));
        }
    }

    void parseSet(const Symbols &symbols, size_t &at) {
        if (at >= symbols.size()) illegal();
        if (!symbols[at].is('[')) {
            chars = std::string(1, symbols[at++].value);
            return;
        }
        const bool negative = ++at < symbols.size() && symbols[at].is('^');
        if (negative) at++;
        bool canBegin = false; // whether the last character may begin a range
        for (; at < symbols.size() && !symbols[at].is(']'); at++) {
            const bool isRange = symbols[at].is('-') && canBegin && at + 1 < symbols.size() && !symbols[at + 1].is(']');
            if (!isRange) {
                chars += symbols[at].value;
                canBegin = true;
                continue;
            }
            const char end = symbols[++at].value;
            if (chars.back() > end) illegal();
            for (char c = chars.back(); c != end;) chars += ++c;
            canBegin = false;
        }
        if (at++ >= symbols.size()) illegal();
        if (negative) {
            const std::string excluded = chars;
            chars.clear();
            for (int code = 0; code < 255; code++)
                if (excluded.find(char(code)) == std::string::npos) chars += char(code);
        }
        std::sort(chars.begin(), chars.end());
    }

    void parseCount(const Symbols &symbols, size_t &at) {
        const char command = at < symbols.size() && !symbols[at].escaped ? symbols[at].value : '\0';
        switch (command) {
        case '?': least = 0, most = 1, at++; return;
        case '*': least = 0, most = NO_END, at++; return;
        case '+': least = 1, most = NO_END, at++; return;
        case '{': break;
        default: least = most = 1; return;
        }
        std::string counts;
        for (at++; at < symbols.size() && !symbols[at].is('}'); at++) counts += symbols[at].value;
        if (at++ >= symbols.size()) illegal();
        // `{5,}` means `{5}`.
        if (!counts.empty() && counts.back() == ',') counts.pop_back();
        const std::vector<std::string> numbers = testlib_own::parts(counts, std::string(","), true);
        if (numbers.size() > 2) illegal();
        for (const std::string &number : numbers) {
            char *end = nullptr;
            const long value = std::strtol(number.c_str(), &end, 10);
            if (end == number.c_str()) illegal();
            least = &number == &numbers[0] ? int(value) : least;
            most = int(value);
        }
        if (least > most) illegal();
    }

    // Takes as many characters as it can and never fewer: `[0-9]?1` does not match `1`.
    bool matchesFrom(const std::string &text, size_t at) const {
        if (most > 0) {
            int count = 0;
            while (count < most && at < text.size() && std::binary_search(chars.begin(), chars.end(), text[at])) count++, at++;
            if (count < least) return false;
        }
        if (rest.empty()) return at == text.size();
        return std::any_of(rest.begin(), rest.end(), [&](const pattern &one) { return one.matchesFrom(text, at); });
    }
};

// Random numbers. The same seed and the same calls give the numbers of the original.
class random_t {
    unsigned long long seed = START;

    static const unsigned long long START = 3905348978240129619ULL;
    static const unsigned long long MULTIPLIER = 0x5DEECE66DULL;
    static const unsigned long long ADDEND = 0xBULL;
    static const unsigned long long MASK = (1ULL << 48) - 1;
    // From this weight on, `wnext` uses a power in place of repetitions.
    static const int MANY = 25;

    long long bits(int count) {
        seed = (seed * MULTIPLIER + ADDEND) & MASK;
        return (long long)(seed >> (48 - count));
    }

    long long bits63() {
        const long long upper = bits(31) << 32;
        return upper ^ bits(version == 0 ? 31 : 32);
    }

    static void need(bool condition, const char *called, const char *rule) {
        if (!condition) __testlib_fail(std::string("rnd.") + called + ": " + rule);
    }
    static void needRange(bool condition, const char *called) { need(condition, called, "the range is empty"); }

    template <typename T, typename Draw> static T extreme(int type, Draw draw) {
        T found = draw();
        for (int i = std::abs(type); i > 0; i--) {
            const T other = draw();
            found = type > 0 ? std::max(found, other) : std::min(found, other);
        }
        return found;
    }

    double power(int type) {
        const double drawn = std::pow(next() + 0.0, 1.0 / (std::abs(type) + 1));
        return type > 0 ? drawn : 1 - drawn;
    }

    template <typename T> T weighted(T n, int type) {
        needRange(n > 0, "wnext");
        if (std::abs(type) < MANY) return extreme<T>(type, [&] { return next(n); });
        return testlib_own::cropped(T(double(n) * power(type)), T(0), n);
    }

public:
    // 0 for generators from before testlib 0.8.7.
    static int version;

    void setSeed(int argc, char *argv[]) {
        seed = START;
        for (int i = 1; i < argc; i++) {
            for (const char *c = argv[i]; *c; c++) seed = seed * MULTIPLIER + (unsigned int)(*c) + ADDEND;
            seed += MULTIPLIER / ADDEND;
        }
        seed &= MASK;
    }
    void setSeed(long long value) { seed = ((unsigned long long)(value) ^ MULTIPLIER) & MASK; }

    // A number from 0 to n - 1.
    int next(int n) {
        needRange(n > 0, "next");
        if ((n & -n) == n) return int((n * bits(31)) >> 31);
        const long long limit = INT_MAX / n * n;
        long long drawn;
        do drawn = bits(31);
        while (drawn >= limit);
        return int(drawn % n);
    }
    long long next(long long n) {
        needRange(n > 0, "next");
        const long long limit = LLONG_MAX / n * n;
        long long drawn;
        do drawn = bits63();
        while (drawn >= limit);
        return drawn % n;
    }
    unsigned int next(unsigned int n) {
        need(n < (unsigned int)(INT_MAX), "next", "the range is too large");
        return (unsigned int)(next(int(n)));
    }
    unsigned long long next(unsigned long long n) {
        need(n < (unsigned long long)(LLONG_MAX), "next", "the range is too large");
        return (unsigned long long)(next((long long)(n)));
    }
    long next(long n) { return long(next((long long)(n))); }
    unsigned long next(unsigned long n) { return (unsigned long)(next((unsigned long long)(n))); }

    // A number from `from` to `to`.
    int next(int from, int to) { return int(next((long long)(to) - from + 1) + from); }
    unsigned int next(unsigned int from, unsigned int to) { return (unsigned int)(next((long long)(to) - from + 1) + from); }
    long long next(long long from, long long to) { return next(to - from + 1) + from; }
    long next(long from, long to) { return next(to - from + 1) + from; }
    unsigned long long next(unsigned long long from, unsigned long long to) {
        needRange(from <= to, "next");
        return next(to - from + 1) + from;
    }
    unsigned long next(unsigned long from, unsigned long to) {
        needRange(from <= to, "next");
        return next(to - from + 1) + from;
    }

    // A number from 0 (or from `from`) to 1 (or to `end`), which is excluded.
    double next() {
        const long long upper = bits(26) << 27;
        return testlib_own::cropped(double(upper + bits(27)) / double(1LL << 53), 0.0, 1.0);
    }
    double next(double end) {
        needRange(end > 0, "next");
        return testlib_own::cropped(end * next(), 0.0, end);
    }
    double next(double from, double end) {
        needRange(from < end, "next");
        return next(end - from) + from;
    }

    // A text that matches the pattern.
    std::string next(const std::string &source) { return pattern(source).next(*this); }
    TESTLIB_PRINTF(2, 3) std::string next(const char *format, ...) {
        TESTLIB_FORMAT(source, format);
        return next(source);
    }

    // As `next`; the greatest of `type + 1` numbers, or the least of `-type + 1`.
    int wnext(int n, int type) { return weighted(n, type); }
    long long wnext(long long n, int type) { return weighted(n, type); }
    unsigned int wnext(unsigned int n, int type) {
        need(n < (unsigned int)(INT_MAX), "wnext", "the range is too large");
        return (unsigned int)(wnext(int(n), type));
    }
    unsigned long long wnext(unsigned long long n, int type) {
        need(n < (unsigned long long)(LLONG_MAX), "wnext", "the range is too large");
        return (unsigned long long)(wnext((long long)(n), type));
    }
    long wnext(long n, int type) { return long(wnext((long long)(n), type)); }
    unsigned long wnext(unsigned long n, int type) { return (unsigned long)(wnext((unsigned long long)(n), type)); }
    double wnext(double n, int type) {
        needRange(n > 0, "wnext");
        if (std::abs(type) < MANY) return n * extreme<double>(type, [&] { return next(); });
        return testlib_own::cropped(n * power(type), 0.0, n);
    }
    double wnext(int type) { return wnext(1.0, type); }

    int wnext(int from, int to, int type) { return weightedIn(from, to, type); }
    int wnext(unsigned int from, unsigned int to, int type) { return int(weightedIn(from, to, type)); }
    long long wnext(long long from, long long to, int type) { return weightedIn(from, to, type); }
    unsigned long long wnext(unsigned long long from, unsigned long long to, int type) { return weightedIn(from, to, type); }
    long wnext(long from, long to, int type) { return weightedIn(from, to, type); }
    unsigned long wnext(unsigned long from, unsigned long to, int type) { return weightedIn(from, to, type); }
    double wnext(double from, double end, int type) {
        needRange(from < end, "wnext");
        return wnext(end - from, type) + from;
    }

    // An element of a container or of a range.
    template <typename Container> typename Container::value_type any(const Container &container) {
        return any(container.begin(), container.end());
    }
    template <typename Iterator>
    typename std::iterator_traits<Iterator>::value_type any(const Iterator &begin, const Iterator &end) {
        const int size = int(std::distance(begin, end));
        needRange(size > 0, "any");
        return *std::next(begin, next(size));
    }
    template <typename Container> typename Container::value_type wany(const Container &container, int type) {
        return wany(container.begin(), container.end(), type);
    }
    template <typename Iterator>
    typename std::iterator_traits<Iterator>::value_type wany(const Iterator &begin, const Iterator &end, int type) {
        const int size = int(std::distance(begin, end));
        needRange(size > 0, "wany");
        return *std::next(begin, wnext(size, type));
    }

    // A permutation of the `size` numbers from `first` on.
    template <typename T, typename E> std::vector<E> perm(T size, E first) {
        need(size >= 0, "perm", "the size is negative");
        std::vector<E> numbers;
        for (T i = 0; i < size; i++) numbers.push_back(first++);
        for (T i = 1; i < size; i++) std::swap(numbers[size_t(i)], numbers[size_t(next(T(i + 1)))]);
        return numbers;
    }
    template <typename T> std::vector<T> perm(T size) { return perm(size, T(0)); }

    // Different numbers from `from` to `to`, or less than `end`, in random order.
    template <typename T> std::vector<T> distinct(int size, T from, T to) {
        if (size == 0) return {};
        need(size > 0, "distinct", "the size is negative");
        needRange(from <= to, "distinct");
        const uint64_t count = uint64_t(to - from + 1);
        need(uint64_t(size) <= count, "distinct", "the range has fewer numbers than the size");
        // How many draws repetition needs on average.
        double draws = 0;
        for (int i = 1; i <= size; i++) draws += double(count) / double(count - uint64_t(i) + 1);
        std::vector<T> numbers;
        if (draws < double(count)) {
            std::set<T> drawn;
            while (int(drawn.size()) < size) {
                const T number = T(next(from, to));
                if (drawn.insert(number).second) numbers.push_back(number);
            }
        } else {
            need(count <= 1000000000, "distinct", "the range is too large");
            numbers = perm(int(count), from);
            numbers.resize(size_t(size));
        }
        return numbers;
    }
    template <typename T> std::vector<T> distinct(int size, T end) {
        if (size == 0) return {};
        needRange(end > 0, "distinct");
        return distinct(size, T(0), T(end - 1));
    }

    // `size` numbers of at least `least`, in random order, whose sum is `sum`.
    template <typename T> std::vector<T> partition(int size, T sum, T least) {
        need(size >= 0 && (size > 0 || sum == 0) && least * size <= sum, "partition", "no such numbers exist");
        if (size == 0) return {};
        const T spare = T(sum - least * size);
        std::vector<T> bounds = distinct(size - 1, T(1), T(spare + size - 1));
        bounds.push_back(T(0));
        bounds.push_back(T(spare + size));
        std::sort(bounds.begin(), bounds.end());
        std::vector<T> numbers;
        for (size_t i = 1; i < bounds.size(); i++) numbers.push_back(T(bounds[i] - bounds[i - 1] - 1 + least));
        return numbers;
    }
    template <typename T> std::vector<T> partition(int size, T sum) { return partition(size, sum, T(1)); }

private:
    template <typename T> T weightedIn(T from, T to, int type) {
        needRange(from <= to, "wnext");
        return T(wnext(T(to - from + 1), type) + from);
    }
};

int random_t::version = -1;

inline std::string pattern::next(random_t &generator) const {
    if (most == NO_END) __testlib_fail("pattern: cannot generate `*` or `+`");
    std::string text;
    if (most > 0)
        for (int count = generator.next(most - least + 1) + least; count > 0; count--)
            text += chars[size_t(generator.next(int(chars.size())))];
    // Also draws if there is one way to go on.
    return rest.empty() ? text : text + rest[size_t(generator.next(int(rest.size())))].next(generator);
}

random_t rnd;

template <typename Iterator> void shuffle(Iterator first, Iterator last) {
    if (first == last) return;
    for (Iterator i = first + 1; i != last; ++i) std::iter_swap(i, first + rnd.next(int(i - first) + 1));
}

// Their numbers depend on the compiler and the system.
#if defined(__GLIBC__) && !defined(__clang__)
#define TESTLIB_UNSTABLE __attribute__((error("its numbers depend on the system: use rnd.next() or shuffle()")))
template <typename Iterator> TESTLIB_UNSTABLE void random_shuffle(Iterator, Iterator) {}
extern "C" TESTLIB_UNSTABLE int rand(void) noexcept;
extern "C" TESTLIB_UNSTABLE void srand(unsigned int) noexcept;
#endif

// ------------------------------------------------------------------------------------------------------------- streams

// A file, standard input or a text, by characters. At its end it gives EOFC.
class InputStreamReader {
public:
    InputStreamReader(std::FILE *opened, const std::string &called)
        : file(opened), name(called), isStandardInput(opened == stdin) {
        if (!isStandardInput) std::setvbuf(file, nullptr, _IOFBF, 1 << 16);
    }
    explicit InputStreamReader(const std::string &content) : text(content), name(compress(content)), line(-1) {}
    ~InputStreamReader() { close(); }
    InputStreamReader(const InputStreamReader &) = delete;
    InputStreamReader &operator=(const InputStreamReader &) = delete;

    int nextChar() {
        const int c = take();
        if (c == LF && file) line++;
        if (isRecorded && c != EOFC) record.push_back(c);
        return c;
    }
    void unreadChar(int c) {
        if (c == LF && file) line--;
        if (isRecorded && c != EOFC && !record.empty()) record.pop_back();
        putBack.push_back(c);
    }
    int curChar() {
        const int c = nextChar();
        unreadChar(c);
        return c;
    }
    void skipChar() { nextChar(); }
    bool eof() { return curChar() == EOFC; }
    std::string getName() const { return name; }
    int getLine() const { return line; }
    void close() {
        if (file && !isStandardInput) std::fclose(file);
        file = nullptr;
    }

    // For the markup of a validator: what was read. The beginning of a test case is its number plus 256.
    bool isRecorded = false;
    std::vector<int> record;

private:
    std::FILE *file = nullptr;
    std::string text;
    size_t at = 0;
    std::string name;
    bool isStandardInput = false;
    int line = 1;
    std::vector<int> putBack;

    int take() {
        if (!putBack.empty()) {
            const int c = putBack.back();
            putBack.pop_back();
            return c;
        }
        if (!file) return at < text.size() ? text[at++] : EOFC;
        const int c = getc_unlocked(file);
        if (c == EOF) {
            if (std::ferror(file)) __testlib_fail("cannot read " + name);
            return EOFC;
        }
        // In a file, the byte 255 is a character like others.
        return isStandardInput ? c : (signed char)(c);
    }
};

struct InStream {
    InputStreamReader *reader = nullptr;
    int lastLine = -1;

    std::string name;
    TMode mode = _input;
    bool opened = false;
    bool stdfile = false;
    // Whether white space must be exactly as read, as in validators.
    bool strict = false;

    // The index of the element that is read; NO_INDEX outside of readInts and others.
    int readManyIteration = NO_INDEX;
    // In bytes.
    size_t maxFileSize = 128 * 1024 * 1024;
    size_t maxTokenLength = 32 * 1024 * 1024;
    size_t maxMessageLength = 32000;

    const static int NO_INDEX = INT_MAX;

    InStream() {}
    // Reads a text by the rules of another stream.
    InStream(const InStream &base, std::string content)
        : reader(new InputStreamReader(content)), name("based on " + base.name), mode(base.mode), opened(true),
          strict(base.strict) {}
    ~InStream() { close(); }

    void init(std::string fileName, TMode as) {
        close();
        name = fileName, mode = as, stdfile = false;
        reset();
    }
    void init(std::FILE *file, TMode as) {
        close();
        stdfile = file == stdin || file == stdout || file == stderr;
        name = file == stdin ? "stdin" : file == stdout ? "stdout" : file == stderr ? "stderr" : "untitled";
        mode = as;
        reset(file);
    }
    // Opens the stream again.
    void reset(std::FILE *file = nullptr) {
        if (opened && stdfile) quit(_fail, "Can't reset standard handle");
        close();
        if (!file && !stdfile) file = openByName();
        if (!file) return;
        opened = true;
        reader = new InputStreamReader(file, name);
    }
    void close() {
        delete reader;
        reader = nullptr;
        opened = false;
    }

    void setTestCase(int testCase);

    // Characters.
    char curChar() { return char(source().curChar()); }
    void skipChar() { source().skipChar(); }
    char nextChar() { return char(source().nextChar()); }
    char readChar() { return nextChar(); }
    char readChar(char expected) {
        lastLine = source().getLine();
        const char found = readChar();
        if (found != expected) {
            const std::string shown = isEoln(found) ? "#" + vtos(int(found)) : "'" + std::string(1, found) + "'";
            quit(_pe, "Unexpected character " + shown + ", but '" + std::string(1, expected) + "' expected");
        }
        return found;
    }
    char readSpace() { return readChar(' '); }
    void unreadChar(char c) { source().unreadChar(c); }
    void skipBlanks() {
        while (isBlanks(source().curChar())) source().skipChar();
    }
    void skipBom() {
        const char bom[] = {'\xEF', '\xBB', '\xBF'};
        if (!reader) return;
        for (int i = 0; i < 3; i++) {
            if (curChar() == bom[i]) {
                skipChar();
                continue;
            }
            while (i > 0) unreadChar(bom[--i]);
            return;
        }
    }

    // Ends of lines and of the file.
    bool eof() { return isMissing() || source().eof(); }
    bool seekEof() {
        if (isMissing()) return true;
        skipBlanks();
        return eof();
    }
    bool eoln() {
        if (isMissing()) return true;
        const int c = source().nextChar();
        if (c == LF || (c == EOFC && !strict)) return true;
        if (c == CR && !strict) {
            const int after = source().nextChar();
            if (after == LF) return true;
            source().unreadChar(after);
        }
        source().unreadChar(c);
        return false;
    }
    bool seekEoln() {
        if (isMissing()) return true;
        while (source().curChar() == SPACE || source().curChar() == TAB) source().skipChar();
        return eoln();
    }
    void readEoln() {
        lastLine = source().getLine();
        if (!eoln()) quit(_pe, "Expected EOLN");
    }
    void readEof();
    void nextLine() { readLine(); }

    // Tokens.
    void readWordTo(std::string &result) {
        if (!strict) skipBlanks();
        InputStreamReader &from = source();
        lastLine = from.getLine();
        int c = from.nextChar();
        if (c == EOFC) quit(_unexpected_eof, "Unexpected end of file - token expected");
        if (isBlanks(c)) quit(_pe, "Unexpected white-space - token expected");
        for (result.clear(); !isBlanks(c) && c != EOFC; c = from.nextChar()) {
            result += char(c);
            if (result.size() > maxTokenLength)
                quitf(_pe, "Length of token exceeds %d, token is '%s...'", int(maxTokenLength), compress(result).c_str());
        }
        from.unreadChar(c);
    }
    void readWordTo(std::string &result, const pattern &expected, const std::string &variableName = "") {
        readWordTo(result);
        needMatch("Token", " parameter", result, expected, variableName);
    }
    void readWordTo(std::string &result, const std::string &expected, const std::string &variableName = "") {
        readWordTo(result, pattern(expected), variableName);
    }
    std::string readWord() {
        readWordTo(token);
        return token;
    }
    std::string readWord(const pattern &expected, const std::string &variableName = "") {
        readWordTo(token, expected, variableName);
        return token;
    }
    std::string readWord(const std::string &expected, const std::string &variableName = "") {
        return readWord(pattern(expected), variableName);
    }

    // Lines, without their ends.
    void readLineTo(std::string &result) {
        if (!reader) quit(_pe, "Expected line");
        result.clear();
        for (int c; (c = reader->curChar()) != LF && c != EOFC; result += char(reader->nextChar())) {
            if (c == CR) {
                reader->skipChar();
                if (reader->curChar() == LF) {
                    reader->unreadChar(CR);
                    break;
                }
            }
            lastLine = reader->getLine();
        }
        if (strict) readEoln();
        else eoln();
    }
    void readLineTo(std::string &result, const pattern &expected, const std::string &variableName = "") {
        readLineTo(result);
        needMatch("Line", "", result, expected, variableName);
    }
    void readLineTo(std::string &result, const std::string &expected, const std::string &variableName = "") {
        readLineTo(result, pattern(expected), variableName);
    }
    std::string readLine() {
        readLineTo(token);
        return token;
    }
    std::string readLine(const pattern &expected, const std::string &variableName = "") {
        readLineTo(token, expected, variableName);
        return token;
    }
    std::string readLine(const std::string &expected, const std::string &variableName = "") {
        return readLine(pattern(expected), variableName);
    }

    // Numbers.
    int readInt();
    int readInt(int minv, int maxv, const std::string &variableName = "") {
        return ranged("Integer", readInt(), minv, maxv, variableName);
    }
    long long readLong();
    long long readLong(long long minv, long long maxv, const std::string &variableName = "") {
        return ranged("Integer", readLong(), minv, maxv, variableName);
    }
    unsigned long long readUnsignedLong();
    unsigned long long
    readUnsignedLong(unsigned long long minv, unsigned long long maxv, const std::string &variableName = "") {
        return ranged("Unsigned integer", readUnsignedLong(), minv, maxv, variableName);
    }
    unsigned long long readLong(unsigned long long minv, unsigned long long maxv, const std::string &variableName = "") {
        return readUnsignedLong(minv, maxv, variableName);
    }
    double readDouble();
    double readDouble(double minv, double maxv, const std::string &variableName = "") {
        return ranged("Double", readDouble(), minv, maxv, variableName);
    }
    // A number without exponent that has so many digits behind the point.
    double readStrictDouble(double minv, double maxv, int minDigits, int maxDigits, const std::string &variableName = "");

    // Several values with one space between them, or several lines. The elements are numbered from `indexBase` on.
#define TESTLIB_PLURAL(Value, plural, one, isSpaced)                                                                           \
    std::vector<Value> plural(int size, int indexBase = 1) {                                                                   \
        return many<Value>(#plural, size, indexBase, isSpaced, "", [&] { return one(); });                                     \
    }
#define TESTLIB_RANGED(Value, plural, one)                                                                                     \
    std::vector<Value> plural(int size, Value minv, Value maxv, const std::string &names = "", int indexBase = 1) {            \
        return many<Value>(#plural, size, indexBase, true, names, [&] { return one(minv, maxv, names); });                     \
    }
#define TESTLIB_MATCHED(plural, one, isSpaced)                                                                                 \
    std::vector<std::string> plural(int size, const pattern &expected, const std::string &names = "", int indexBase = 1) {     \
        return many<std::string>(#plural, size, indexBase, isSpaced, names, [&] { return one(expected, names); });             \
    }                                                                                                                          \
    std::vector<std::string> plural(int size, const std::string &expected, const std::string &names = "", int indexBase = 1) { \
        return plural(size, pattern(expected), names, indexBase);                                                              \
    }                                                                                                                          \
    TESTLIB_PLURAL(std::string, plural, one, isSpaced)
#define TESTLIB_STRICT(plural)                                                                                                 \
    std::vector<double> plural(int size, double minv, double maxv, int minDigits, int maxDigits,                               \
                               const std::string &names = "", int indexBase = 1) {                                             \
        return many<double>(#plural, size, indexBase, true, names,                                                             \
                            [&] { return readStrictDouble(minv, maxv, minDigits, maxDigits, names); });                        \
    }

    TESTLIB_PLURAL(int, readInts, readInt, true)
    TESTLIB_RANGED(int, readInts, readInt)
    TESTLIB_PLURAL(int, readIntegers, readInt, true)
    TESTLIB_RANGED(int, readIntegers, readInt)
    TESTLIB_PLURAL(long long, readLongs, readLong, true)
    TESTLIB_RANGED(long long, readLongs, readLong)
    TESTLIB_RANGED(unsigned long long, readLongs, readUnsignedLong)
    TESTLIB_PLURAL(unsigned long long, readUnsignedLongs, readUnsignedLong, true)
    TESTLIB_RANGED(unsigned long long, readUnsignedLongs, readUnsignedLong)
    TESTLIB_PLURAL(double, readDoubles, readDouble, true)
    TESTLIB_RANGED(double, readDoubles, readDouble)
    TESTLIB_PLURAL(double, readReals, readDouble, true)
    TESTLIB_RANGED(double, readReals, readDouble)
    TESTLIB_STRICT(readStrictDoubles)
    TESTLIB_STRICT(readStrictReals)
    TESTLIB_MATCHED(readWords, readWord, true)
    TESTLIB_MATCHED(readTokens, readWord, true)
    TESTLIB_MATCHED(readLines, readLine, false)
    TESTLIB_MATCHED(readStrings, readLine, false)

    // The other names of these functions.
#define TESTLIB_ALIAS(Value, alias, name)                                                                                      \
    template <typename... Arguments> Value alias(Arguments &&...arguments) { return name(std::forward<Arguments>(arguments)...); }

    TESTLIB_ALIAS(int, readInteger, readInt)
    TESTLIB_ALIAS(double, readReal, readDouble)
    TESTLIB_ALIAS(double, readStrictReal, readStrictDouble)
    TESTLIB_ALIAS(std::string, readToken, readWord)
    TESTLIB_ALIAS(std::string, readString, readLine)
    TESTLIB_ALIAS(void, readTokenTo, readWordTo)
    TESTLIB_ALIAS(void, readStringTo, readLineTo)

    // Ends the program. On another stream than that of the output, every result is FAIL.
    NORETURN void quit(TResult result, const std::string &message);
    NORETURN void quits(TResult result, std::string message) { quit(result, message); }
    NORETURN TESTLIB_PRINTF(3, 4) void quitf(TResult result, const char *format, ...) {
        TESTLIB_FORMAT(message, format);
        quit(result, message);
    }
    TESTLIB_PRINTF(4, 5) void quitif(bool condition, TResult result, const char *format, ...) {
        if (!condition) return;
        TESTLIB_FORMAT(message, format);
        quit(result, message);
    }
    TESTLIB_PRINTF(3, 4) void ensuref(bool condition, const char *format, ...) {
        if (condition) return;
        TESTLIB_FORMAT(message, format);
        quit(_wa, message);
    }
    // `stream.ensure(condition)`, by the macro.
    void __testlib_ensure(bool condition, const std::string &message) {
        if (!condition) quit(_wa, message);
    }

private:
    std::string token;

    InStream(const InStream &);
    InStream &operator=(const InStream &);

    bool isMissing() const { return !strict && !reader; }
    InputStreamReader &source() {
        if (!reader) quit(_fail, "The stream is not open");
        return *reader;
    }

    std::FILE *openByName() {
        std::FILE *file = std::fopen(name.c_str(), "rb");
        if (!file && mode == _output) quit(_pe, "Output file not found: \"" + name + "\"");
        if (!file && mode == _answer) quit(_fail, "Answer file not found: \"" + name + "\"");
        if (!file) return nullptr;
        // A pipe has no size.
        const long size = std::fseek(file, 0, SEEK_END) == 0 ? std::ftell(file) : 0;
        std::rewind(file);
        if (size > 0 && size_t(size) > maxFileSize)
            quitf(_pe, "File size exceeds %d bytes, size is %d", int(maxFileSize), int(size));
        return file;
    }

    void expectNumber(const char *kind) {
        if (!strict && seekEof()) quit(_unexpected_eof, std::string("Unexpected end of file - ") + kind + " expected");
    }

    // A value with its name or index: `Integer parameter [name=n] equals to 5`.
    std::string described(const std::string &kind, const char *parameter, const std::string &value,
                          const std::string &variableName) const {
        if (readManyIteration == NO_INDEX)
            return variableName.empty() ? kind + " " + value
                                        : kind + parameter + " [name=" + variableName + "] equals to " + value;
        const std::string index = "[" + vtos(readManyIteration) + "]";
        const std::string element = variableName.empty() ? "[index=" + index.substr(1) : variableName + index;
        return kind + " element " + element + " equals to " + value;
    }

    void needMatch(const char *kind, const char *parameter, const std::string &value, const pattern &expected,
                   const std::string &variableName);

    template <typename T> T ranged(const char *kind, T value, T least, T most, const std::string &variableName);

    template <typename Value, typename Read>
    std::vector<Value> many(const char *called, int size, int indexBase, bool isSpaced, const std::string &names, Read read);
};

InStream inf;
InStream ouf;
InStream ans;
std::fstream tout;
bool appesMode;
std::string appesModeEncoding = "windows-1251";
std::string resultName;
std::string checkerName = "untitled checker";
TTestlibMode testlibMode = _unknown;

namespace testlib_own {

// The test case that messages name; 0 if none.
static int testCase = 0;
static double points = std::numeric_limits<double>::infinity();
static int exitCode = 0;
static std::string testset, group;

} // namespace testlib_own

inline std::string getTestset() { return testlib_own::testset; }
inline std::string getGroup() { return testlib_own::group; }

NORETURN inline void quit(TResult result, const std::string &message) { ouf.quit(result, message); }
NORETURN TESTLIB_PRINTF(2, 3) inline void quitf(TResult result, const char *format, ...) {
    TESTLIB_FORMAT(message, format);
    quit(result, message);
}
TESTLIB_PRINTF(3, 4) inline void quitif(bool condition, TResult result, const char *format, ...) {
    if (!condition) return;
    TESTLIB_FORMAT(message, format);
    quit(result, message);
}
NORETURN inline void __testlib_fail(const std::string &message) { quit(_fail, message); }

inline void __testlib_ensure(bool condition, const std::string &message) {
    if (!condition) quit(_fail, message);
}
TESTLIB_PRINTF(2, 3) inline void ensuref(bool condition, const char *format, ...) {
    if (condition) return;
    TESTLIB_FORMAT(message, format);
    quit(_fail, message);
}
#define ensure(condition) __testlib_ensure((condition), "Condition failed: \"" #condition "\"")
#define ensure_ext(condition)                                                                                                  \
    __testlib_ensure((condition), "Line " + vtos(__LINE__) + ": Condition failed: \"" #condition "\"")

// --------------------------------------------------------------------------------------------------------------- points

namespace testlib_own {

inline double checkedPoints(double given) {
    if (std::isnan(given)) quit(_fail, "Parameter 'points' can't be nan");
    if (isInfinite(given)) quit(_fail, "Parameter 'points' can't be infinite");
    if (given < -1E-8) quit(_fail, "Parameter 'points' can't be negative");
    if (given > 1E6 + 1E-8) quit(_fail, "Parameter 'points' can't be greater than 1E6");
    return std::min(std::max(given, 0.0), 1E6);
}

inline std::string decimal(const char *format, double number) {
    return removeDoubleTrailingZeroes(::format(format, number));
}

} // namespace testlib_own

template <typename F> NORETURN void quitp(F given, const std::string &message = "") {
    testlib_own::points = testlib_own::checkedPoints(double(given));
    const std::string shown =
        std::is_integral<F>::value ? vtos(given) : testlib_own::decimal("%.10f", testlib_own::points);
    quit(_points, message.empty() ? shown : shown + " " + message);
}
template <typename F> NORETURN TESTLIB_PRINTF(2, 3) void quitp(F given, const char *format, ...) {
    TESTLIB_FORMAT(message, format);
    quitp(given, message);
}

NORETURN inline void quitpi(const std::string &points_info, const std::string &message = "") {
    if (points_info.find(' ') != std::string::npos) quit(_fail, "Parameter 'points_info' can't contain spaces");
    quit(_points, "points_info=" + points_info + (message.empty() ? "" : " " + message));
}

namespace testlib_own {

inline std::string compared(const std::string &text) { return text; }
inline std::string compared(const char *text) { return text; }
inline std::string compared(double number) { return decimal("%.12f", number); }
inline std::string compared(float number) { return decimal("%.12f", number); }
inline std::string compared(long double number) { return decimal("%.12f", double(number)); }
template <typename T> std::string compared(const T &value) { return vtos(value); }

} // namespace testlib_own

template <typename T>
NORETURN TESTLIB_PRINTF(4, 5) void expectedButFound(TResult result, T expected, T found, const char *format = "", ...) {
    TESTLIB_FORMAT(before, format);
    const std::string both = "expected '" + compress(testlib_own::compared(expected)) + "', but found '" +
                             compress(testlib_own::compared(found)) + "'";
    quit(result, before.empty() ? both : compress(before) + ": " + both);
}

// ------------------------------------------------------------------------------------------------- validator and checker

// What a validator has seen of its bounds and features.
class Validator {
    // The bound of every reading of a variable, if it is always the same.
    struct Constant {
        std::string value;
        bool varies = false;
        void see(const std::string &bound) {
            varies = varies || bound.size() >= 32 || (!value.empty() && value != bound);
            value = varies ? "" : bound;
        }
        std::string shown() const { return value.empty() ? "?" : value; }
    };
    struct Variable {
        bool isBounded = false, hitsLeast = false, hitsMost = false;
        Constant least, most;
    };
    static const size_t MOST_VARIABLES = 255;

    bool isRegistered = false;
    std::string _testset = "tests", _group;
    std::map<std::string, Variable> variables;
    std::map<std::string, bool> features;

    // A name whose bounds are to be known; none if it has digits, as names of elements have.
    Variable *variable(std::string name) {
        const auto isStrange = [](char c) { return ('0' <= c && c <= '9') || c < ' '; };
        if (std::any_of(name.begin(), name.end(), isStrange)) return nullptr;
        if (ignoresMost(name)) name.erase(name.size() - 1);
        if (name.size() > 1 && name[0] == '~' && name != "~~") name.erase(0, 1);
        if (variables.size() >= MOST_VARIABLES && !variables.count(name)) return nullptr;
        return &variables[name];
    }
    static bool ignoresLeast(const std::string &name) { return name.size() > 1 && name != "~~" && name[0] == '~'; }
    static bool ignoresMost(const std::string &name) { return name.size() > 1 && name != "~~" && name.back() == '~'; }

    static void needName(const std::string &feature) {
        for (char c : feature)
            if (c < ' ') __testlib_fail("Feature name '" + feature + "' contains restricted characters.");
    }
    void needRegistered() const {
        if (!isRegistered) __testlib_fail("call registerValidation(argc, argv) to have a test set and a group");
    }

    // A file with what the validator found. The standard streams are named by their names.
    struct Page {
        const std::string name;
        void write(const std::string &content) const {
            std::FILE *standard = name == "stdout" ? stdout : name == "stderr" ? stderr : nullptr;
            std::FILE *file = standard ? standard : std::fopen(name.c_str(), "wb");
            const bool written = file && std::fwrite(content.data(), 1, content.size(), file) == content.size();
            if (!written || (standard ? std::fflush(file) : std::fclose(file)) != 0)
                __testlib_fail("cannot write to (" + name + ")");
        }
    };

    std::string overview() const {
        std::string bounds, constants, names, marks;
        for (const auto &entry : variables) {
            const Variable &variable = entry.second;
            const std::string name = "\"" + entry.first + "\"";
            names += "variable " + name + "\n";
            if (!variable.isBounded) continue;
            bounds += name + ":" + (variable.hitsLeast ? " min-value-hit" : "") + (variable.hitsMost ? " max-value-hit" : "") + "\n";
            if (!variable.least.value.empty() || !variable.most.value.empty())
                constants += "constant-bounds " + name + ": " + variable.least.shown() + " " + variable.most.shown() + "\n";
        }
        for (const auto &feature : features) marks += "feature \"" + feature.first + "\":" + (feature.second ? " hit\n" : "\n");
        return bounds + marks + constants + names;
    }

    static std::string markup(const std::vector<int> &record) {
        std::string text = "MU\xF3\x01";
        for (int c : record) {
            if (c > 256) text += "!c" + vtos(c - 256) + ";";
            else text += (c == '\\' || c == '!' ? "\\" : "") + std::string(1, char(c));
        }
        return text;
    }
    // The characters of the last test case of this number.
    static std::string partOf(const std::vector<int> &record, int testCase) {
        std::string found, part;
        bool isIt = false;
        for (int c : record) {
            if (c <= 256) {
                part += char(c);
                continue;
            }
            if (isIt) found = part;
            part.clear();
            isIt = c - 256 == testCase;
        }
        return isIt ? part : found;
    }

public:
    // Where to write what; empty for nowhere.
    std::string overviewName, markupName, testCaseName;
    // 0 if no test case is to be written.
    int testCase = 0;

    void initialize(const std::string &testset, const std::string &group) {
        isRegistered = true, _testset = testset, _group = group;
    }
    std::string testset() const {
        needRegistered();
        return _testset;
    }
    std::string group() const {
        needRegistered();
        return _group;
    }

    void addVariable(const std::string &name) { variable(name); }

    template <typename T> void addBounds(const std::string &name, T value, T least, T most) {
        Variable *found = variable(name);
        if (!found) return;
        found->isBounded = true;
        found->hitsLeast = found->hitsLeast || ignoresLeast(name) || isHit(least, value);
        found->hitsMost = found->hitsMost || ignoresMost(name) || isHit(most, value);
        found->least.see(std::to_string(least));
        found->most.see(std::to_string(most));
    }
    template <typename T> static bool isHit(T bound, T value) { return bound == value; }
    static bool isHit(double bound, double value) { return doubleDelta(bound, value) < 1E-12; }

    void addFeature(const std::string &feature) {
        needName(feature);
        if (!features.insert({feature, false}).second) __testlib_fail("Feature " + feature + " registered twice.");
    }
    void feature(const std::string &feature) {
        needName(feature);
        if (!features.count(feature)) __testlib_fail("Feature " + feature + " didn't registered via addFeature(feature).");
        features[feature] = true;
    }

    void write() const {
        if (!overviewName.empty()) Page{overviewName}.write(overview());
        if (!inf.reader || inf.reader->record.empty()) return;
        if (!markupName.empty()) Page{markupName}.write(markup(inf.reader->record));
        const std::string part = testCase > 0 ? partOf(inf.reader->record, testCase) : "";
        if (!part.empty()) Page{testCaseName.empty() ? "stdout" : testCaseName}.write(part);
    }
} validator;

inline void addFeature(const std::string &feature) {
    if (testlibMode != _validator) quit(_fail, "Features are supported in validators only.");
    validator.addFeature(feature);
}
inline void feature(const std::string &feature) {
    if (testlibMode != _validator) quit(_fail, "Features are supported in validators only.");
    validator.feature(feature);
}

class Checker {
    bool isRegistered = false;
    std::string _testset = "tests", _group;

    void needRegistered() const {
        if (!isRegistered) __testlib_fail("call registerTestlibCmd(argc, argv) to have a test set and a group");
    }

public:
    void initialize(const std::string &testset, const std::string &group) {
        isRegistered = true, _testset = testset, _group = group;
    }
    std::string testset() const {
        needRegistered();
        return _testset;
    }
    std::string group() const {
        needRegistered();
        return _group;
    }
} checker;

TESTLIB_PRINTF(1, 2) inline void setName(const char *format, ...) {
    TESTLIB_FORMAT(name, format);
    checkerName = name;
}

// Messages name the test case from here on. If the first one is 0, they count from 1 on.
inline void setTestCase(int number) {
    static const bool isZeroBased = number == 0;
    testlib_own::testCase = number + (isZeroBased ? 1 : 0);
    if (testlibMode == _validator) inf.setTestCase(testlib_own::testCase);
}
inline void unsetTestCase() { testlib_own::testCase = 0; }

inline void startTest(int test) {
    const std::string name = vtos(test);
    if (!std::freopen(name.c_str(), "wt", stdout)) __testlib_fail("Unable to write file '" + name + "'");
}

inline void InStream::setTestCase(int number) {
    if (testlibMode != _validator || this != &inf || !reader) __testlib_fail("only `inf` of a validator has test cases");
    if (number < 0 || number > testlib_own::MOST_TEST_CASES)
        __testlib_fail("the test case " + vtos(number) + " is not in the range [0, " + vtos(testlib_own::MOST_TEST_CASES) + "]");
    if (reader->isRecorded) reader->record.push_back(number + 256);
}

// ------------------------------------------------------------------------------------------------------ end of the program

struct TestlibFinalizeGuard {
    static bool alive;
    static bool registered;
    int quitCount = 0, readEofCount = 0;
    ~TestlibFinalizeGuard();
};
bool TestlibFinalizeGuard::alive = true;
bool TestlibFinalizeGuard::registered = false;
extern TestlibFinalizeGuard testlibFinalizeGuard;

// Permits programs that end without `quitf` or `readEof`.
inline void disableFinalizeGuard() { TestlibFinalizeGuard::alive = false; }

#ifdef TESTLIB_THROW_EXIT_EXCEPTION_INSTEAD_OF_EXIT
class exit_exception : public std::exception {
    int code;

public:
    exit_exception(int exitCode) : code(exitCode) {}
    int getExitCode() { return code; }
};
#endif

NORETURN inline void halt(int exitCode) {
    testlib_own::exitCode = exitCode;
#ifdef TESTLIB_THROW_EXIT_EXCEPTION_INSTEAD_OF_EXIT
    throw exit_exception(exitCode);
#else
    std::exit(exitCode);
#endif
}

inline void InStream::readEof() {
    lastLine = source().getLine();
    if (!eof()) quit(_pe, "Expected EOF");
    if (TestlibFinalizeGuard::alive && this == &inf) testlibFinalizeGuard.readEofCount++;
}

namespace testlib_own {

inline std::string xml(const std::string &text) {
    std::string escaped;
    for (char c : text) {
        const char *entity = c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '"' ? "&quot;" : nullptr;
        if (entity) escaped += entity;
        else escaped += 0 <= c && c < ' ' ? '.' : c;
    }
    return escaped;
}

// The beginning of the message and the outcome of `-appes`.
struct Names {
    std::string words, outcome;
};
inline Names names(TResult result) {
    switch (result) {
    case _ok: return {"ok ", "accepted"};
    case _wa: return {"wrong answer ", "wrong-answer"};
    case _pe:
    case _dirt: return {"wrong output format ", "presentation-error"};
    case _fail: return {"FAIL ", "fail"};
    case _points: return {"points ", "points"};
    case _unexpected_eof: return {"unexpected eof ", "unexpected-eof"};
    default: return {"partially correct (" + vtos(result - _partially) + ") ", "partially-correct"};
    }
}

inline std::string appes(TResult result, const std::string &message) {
    std::string attributes;
    if (result == _points) attributes = " points = \"" + decimal("%.10f", points) + "\"";
    if (result >= _partially) attributes = " pctype = \"" + vtos(result - _partially) + "\"";
    return "<?xml version=\"1.0\" encoding=\"" + appesModeEncoding + "\"?><result outcome = \"" + names(result).outcome +
           "\"" + attributes + ">" + xml(message) + "</result>\n";
}

} // namespace testlib_own

NORETURN inline void InStream::quit(TResult result, const std::string &message) {
    if (TestlibFinalizeGuard::alive) testlibFinalizeGuard.quitCount++;
#ifndef ENABLE_UNEXPECTED_EOF
    if (result == _unexpected_eof) result = _pe;
#endif
    std::string text = trim(message.c_str());
    const bool isGood = result == _ok || result == _points;
    if (testlibMode == _scorer && result != _fail)
        result = _fail, text = "Scorer should return points only. Don't use a quit function.";

    // Where it happened, in brackets.
    std::vector<std::string> places;
    if (const int number = testlib_own::testCase)
        places.push_back(isGood ? vtos(number) + (number == 1 ? " test case" : " test cases") : "test case " + vtos(number));
    if (mode != _output && result != _fail) {
        result = _fail;
        places.push_back(name);
        if (mode == _input && testlibMode == _validator && lastLine != -1) places.push_back("line " + vtos(lastLine));
    }
    const bool needsEnd = isGood || result >= _partially;
    if (needsEnd && result != _fail && testlibMode != _interactor && !ouf.seekEof())
        quit(_dirt, "Extra information in the output file");
    if (result > _unexpected_eof && result < _partially) quit(_fail, "there is no such result");
    if (!places.empty()) text += " (" + join(places, ", ") + ")";
    if (text.size() > maxMessageLength) {
        const std::string warning = "message length exceeds " + vtos(maxMessageLength) + ", the message is truncated: ";
        text = warning + text.substr(0, maxMessageLength - warning.size());
    }

    const testlib_own::Names names = testlib_own::names(result);
    if (result == _dirt) result = _pe;
    if (resultName.empty()) {
        std::fprintf(stderr, "%s%s\n", names.words.c_str(), text.c_str());
    } else {
        if (appesMode && result == _points && std::isinf(testlib_own::points))
            quit(_fail, "Expected points, but infinity found");
        std::FILE *file = std::fopen(resultName.c_str(), "w");
        const std::string content = appesMode ? testlib_own::appes(result, text) : text;
        const bool written = file && std::fputs(content.c_str(), file) >= 0;
        if ((file && std::fclose(file) != 0) || !written) {
            resultName = "";
            quit(_fail, "Can not write to the result file");
        }
        std::fprintf(stderr, "\nSee file to check exit message\n");
    }
    inf.close();
    ouf.close();
    ans.close();
    if (tout.is_open()) tout.close();
    halt(resultExitCode(result));
}

// ----------------------------------------------------------------------------------------------------- numbers in streams

namespace testlib_own {

NORETURN inline void notA(InStream &in, const char *kind, const std::string &found) {
    const bool hasNull = found.find('\0') != std::string::npos;
    in.quit(_pe, std::string("Expected ") + kind + ", but \"" + compress(found) + "\" found" + (hasNull ? " (it contains \\0)" : ""));
}

inline bool areDigits(const std::string &text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

// Whether it is an integer without needless zeros or signs.
inline bool isInteger(const std::string &text, bool isSigned) {
    const std::string digits = text.substr(isSigned && text[0] == '-' ? 1 : 0);
    return areDigits(digits) && (digits[0] != '0' || text.size() == 1);
}

} // namespace testlib_own

inline long long stringToLongLong(InStream &in, const std::string &text) {
    errno = 0;
    const long long value = std::strtoll(text.c_str(), nullptr, 10);
    if (!testlib_own::isInteger(text, true) || errno == ERANGE) testlib_own::notA(in, "integer", text);
    return value;
}

inline unsigned long long stringToUnsignedLongLong(InStream &in, const std::string &text) {
    errno = 0;
    const unsigned long long value = std::strtoull(text.c_str(), nullptr, 10);
    if (!testlib_own::isInteger(text, false) || errno == ERANGE) testlib_own::notA(in, "unsigned integer", text);
    return value;
}

inline double stringToDouble(InStream &in, const std::string &text) {
    // Neither hexadecimal numbers nor `inf`.
    const bool areAllowed = text.find_first_not_of(std::string("0123456789.eE+-")) == std::string::npos;
    double value = 0;
    int length = 0;
    // As in the original, the C library decides: GNU's reads `1e` as 1.
    const bool isRead = std::sscanf(text.c_str(), "%lf%n", &value, &length) == 1 && size_t(length) == text.size();
    if (!areAllowed || !isRead) testlib_own::notA(in, "double", text);
    return value;
}

inline double stringToStrictDouble(InStream &in, const std::string &text, int minDigits, int maxDigits) {
    if (minDigits < 0 || minDigits > maxDigits) in.quit(_fail, "the numbers of digits behind the point are no range");
    if (text.find('\0') != std::string::npos) testlib_own::notA(in, "double", text);
    const size_t first = text[0] == '-' ? 1 : 0, point = std::min(text.find('.'), text.size());
    const std::string whole = text.substr(first, point - first), digits = text.substr(std::min(point + 1, text.size()));
    if (text.size() > 1000 || !testlib_own::areDigits(whole) || (point < text.size() && !testlib_own::areDigits(digits)))
        testlib_own::notA(in, "strict double", text);
    if (int(digits.size()) < minDigits || int(digits.size()) > maxDigits)
        in.quit(_pe, "Expected strict double with number of digits after point in range [" + vtos(minDigits) + "," +
                         vtos(maxDigits) + "], but \"" + compress(text) + "\" found");
    if (whole.size() > 1 && whole[0] == '0') testlib_own::notA(in, "strict double", text);
    const double value = std::strtod(text.c_str(), nullptr);
    if (testlib_own::isInfinite(value)) testlib_own::notA(in, "double", text);
    if (text[0] == '-' && value >= 0) in.quit(_pe, "Redundant minus in \"" + compress(text) + "\" found");
    return value;
}

inline int InStream::readInt() {
    expectNumber("int32");
    readWordTo(token);
    const long long value = stringToLongLong(*this, token);
    if (value < INT_MIN || value > INT_MAX) testlib_own::notA(*this, "int32", token);
    return int(value);
}

inline long long InStream::readLong() {
    expectNumber("int64");
    readWordTo(token);
    return stringToLongLong(*this, token);
}

inline unsigned long long InStream::readUnsignedLong() {
    expectNumber("int64");
    readWordTo(token);
    return stringToUnsignedLongLong(*this, token);
}

inline double InStream::readDouble() {
    expectNumber("double");
    readWordTo(token);
    return stringToDouble(*this, token);
}

inline double InStream::readStrictDouble(double minv, double maxv, int minDigits, int maxDigits, const std::string &variableName) {
    expectNumber("strict double");
    readWordTo(token);
    return ranged("Strict double", stringToStrictDouble(*this, token, minDigits, maxDigits), minv, maxv, variableName);
}

namespace testlib_own {

template <typename T> std::string bound(T value) { return toHumanReadableString(value); }
inline std::string bound(double value) { return vtos(value); }

} // namespace testlib_own

template <typename T>
T InStream::ranged(const char *kind, T value, T least, T most, const std::string &variableName) {
    if (value < least || value > most) {
        const bool isPlain = readManyIteration == NO_INDEX && variableName.empty();
        quit(_wa, described(kind, " parameter", vtos(value), variableName) + (isPlain ? "" : ",") + " violates the range [" +
                      testlib_own::bound(least) + ", " + testlib_own::bound(most) + "]");
    }
    if (strict && !variableName.empty()) validator.addBounds(variableName, value, least, most);
    return value;
}

inline void InStream::needMatch(const char *kind, const char *parameter, const std::string &value, const pattern &expected,
                                const std::string &variableName) {
    if (!expected.matches(value))
        quit(_wa, described(kind, parameter, "\"" + compress(value) + "\"", variableName) + (variableName.empty() ? "" : ",") +
                      " doesn't correspond to pattern \"" + expected.src() + "\"");
    if (strict && !variableName.empty()) validator.addVariable(variableName);
}

template <typename Value, typename Read>
std::vector<Value> InStream::many(const char *called, int size, int indexBase, bool isSpaced, const std::string &names, Read read) {
    if (size < 0 || size > 100000000) quit(_fail, std::string(called) + ": the size " + vtos(size) + " is out of range");
    if (strict && !names.empty()) validator.addVariable(names);
    // No room is reserved: the size may be a wrong one of an output.
    std::vector<Value> values;
    for (int i = 0; i < size; i++) {
        readManyIteration = indexBase + i;
        values.push_back(read());
        if (strict && isSpaced && i + 1 < size) readSpace();
    }
    readManyIteration = NO_INDEX;
    return values;
}

// ---------------------------------------------------------------------------------------------------------------- options

namespace testlib_own {

struct Option {
    std::string value;
    bool isUsed;
};
static std::vector<std::string> arguments;
static std::map<std::string, Option> options;
// Whether every option of the command line must be used.
static bool needsUse = false, needsNoUse = false;

// The length of the dashes before the name of an option; 0 if the argument is none, such as a negative number.
inline size_t dashes(const std::string &argument) {
    const size_t count = argument.compare(0, 2, "--") == 0 ? 2 : argument.compare(0, 1, "-") == 0 ? 1 : 0;
    return count > 0 && count < argument.size() && std::isalpha((unsigned char)(argument[count])) ? count : 0;
}

// Reads `-name=value`, `-name value`, `-n5` and `-name` (true), each also with two dashes.
inline void readOptions(int argc, char *argv[]) {
    arguments.assign(argv, argv + argc);
    options.clear();
    for (size_t i = 1; i < arguments.size(); i++) {
        const size_t count = dashes(arguments[i]);
        if (count == 0) continue;
        std::string name = arguments[i].substr(count), value = "true";
        const size_t equals = name.find('=');
        if (equals != std::string::npos) {
            value = name.substr(equals + 1);
            name.erase(equals);
        } else if (i + 1 < arguments.size() && dashes(arguments[i + 1]) == 0) {
            value = arguments[++i];
        } else if (name.size() > 1 && std::isdigit((unsigned char)(name[1]))) {
            value = name.substr(1);
            name.erase(1);
        }
        options[name] = {value, false};
    }
}

inline std::string argument(int index) {
    if (index < 0 || size_t(index) >= arguments.size())
        __testlib_fail("Opts: index '" + vtos(index) + "' is out of range [0," + vtos(arguments.size()) + ")");
    return arguments[size_t(index)];
}

inline std::string argument(const std::string &name) {
    const auto found = options.find(name);
    if (found == options.end()) __testlib_fail("Opts: unknown key '" + compress(name) + "'");
    found->second.isUsed = true;
    return found->second.value;
}

NORETURN inline void badOption(const char *expected, const std::string &found) {
    __testlib_fail(std::string("Opts: expected ") + expected + " but '" + compress(found) + "' found");
}

// A number with an exponent (`1.5e3`) without it (`1500`); others as they are.
inline std::string withoutExponent(const std::string &text) {
    const char *const kind = "typical exponential notation";
    const size_t e = text.find_first_of("eE");
    if (e == std::string::npos) return text;
    char *end = nullptr;
    const long exponent = std::strtol(text.c_str() + e + 1, &end, 10);
    std::string digits = text.substr(0, e);
    if (end == text.c_str() + e + 1 || *end != '\0' || std::labs(exponent) > 1000) badOption(kind, text);
    const std::string sign = digits[0] == '-' ? "-" : "";
    if (digits[0] == '-' || digits[0] == '+') digits.erase(0, 1);
    const size_t point = std::min(digits.find('.'), digits.size());
    digits.erase(point, 1);
    if (digits.empty() || digits.find_first_not_of("0123456789") != std::string::npos) badOption(kind, text);
    // Zeros on both sides, so that the point is inside.
    const std::string zeros(size_t(std::labs(exponent)) + 1, '0');
    digits = zeros + digits + zeros;
    digits.insert(size_t(long(zeros.size() + point) + exponent), ".");
    digits.erase(digits.find_last_not_of('0') + 1);
    if (digits.back() == '.') digits.erase(digits.size() - 1);
    digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size()));
    return sign + (digits.empty() || digits[0] == '.' ? "0" : "") + digits;
}

template <typename T> T integerOption(const std::string &text) {
    const std::string plain = withoutExponent(text);
    const bool isNegative = !plain.empty() && plain[0] == '-';
    if (isNegative && std::is_unsigned<T>::value) badOption("non-negative integer", text);
    const std::string digits = plain.substr(isNegative ? 1 : 0);
    if (plain.empty() || digits.find_first_not_of("0123456789") != std::string::npos) badOption("integer", text);
    T value = 0;
    long double exact = 0;
    for (char digit : digits) {
        value = T((unsigned long long)(value) * 10 + (unsigned long long)(digit - '0'));
        exact = exact * 10 + (digit - '0');
    }
    if (isNegative) value = T(0 - (unsigned long long)(value)), exact = -exact;
    if (std::fabs((long double)(value) - exact) > 0.1L) __testlib_fail("Opts: integer overflow: expected integer but '" + compress(text) + "' found");
    return value;
}

inline long double realOption(const std::string &text) {
    const std::string plain = withoutExponent(text);
    const bool isNegative = !plain.empty() && plain[0] == '-';
    long double value = 0, unit = 1;
    bool isFraction = false;
    for (size_t i = isNegative ? 1 : 0; i < plain.size(); i++) {
        const int digit = plain[i] - '0';
        if (plain[i] == '.' && !isFraction) {
            isFraction = true;
        } else if (digit < 0 || digit > 9) {
            badOption("float number", text);
        } else if (isFraction) {
            unit *= 10;
            value += digit / unit;
        } else {
            value = value * 10 + digit;
        }
    }
    if (plain.empty()) badOption("float number", text);
    return isNegative ? -value : value;
}

template <typename T, bool isIntegral = std::is_integral<T>::value, bool isReal = std::is_floating_point<T>::value>
struct OptionOf; // Options are integers, real numbers, texts and `bool`.
template <typename T> struct OptionOf<T, true, false> {
    static T read(const std::string &text) { return integerOption<T>(text); }
};
template <typename T> struct OptionOf<T, false, true> {
    static T read(const std::string &text) { return T(realOption(text)); }
};
template <> struct OptionOf<bool, true, false> {
    static bool read(const std::string &text) {
        if (text != "true" && text != "1" && text != "false" && text != "0") badOption("bool true/false or 0/1", text);
        return text == "true" || text == "1";
    }
};
template <> struct OptionOf<std::string, false, false> {
    static std::string read(const std::string &text) { return text; }
};

} // namespace testlib_own

inline void prepareOpts(int argc, char *argv[]) { testlib_own::readOptions(argc, argv); }

inline bool has_opt(const std::string &key) {
    testlib_own::needsUse = true;
    return testlib_own::options.count(key) != 0;
}

template <typename T> T opt(int index) { return testlib_own::OptionOf<T>::read(testlib_own::argument(index)); }
template <typename T> T opt(const std::string &key) {
    if (std::is_same<T, bool>::value && !has_opt(key)) return T();
    return testlib_own::OptionOf<T>::read(testlib_own::argument(key));
}
template <typename T> T opt(int index, const T &default_value) {
    return index >= int(testlib_own::arguments.size()) ? default_value : opt<T>(index);
}
template <typename T> T opt(const std::string &key, const T &default_value) {
    return has_opt(key) ? opt<T>(key) : default_value;
}
inline std::string opt(int index) { return opt<std::string>(index); }
inline std::string opt(const std::string &key) { return opt<std::string>(key); }
inline std::string opt(int index, const std::string &default_value) { return opt<std::string>(index, default_value); }
inline std::string opt(const std::string &key, const std::string &default_value) { return opt<std::string>(key, default_value); }

inline void ensureNoUnusedOpts() {
    for (const auto &option : testlib_own::options)
        if (!option.second.isUsed) __testlib_fail("Opts: unused key '" + compress(option.first) + "'");
}
inline void suppressEnsureNoUnusedOpts() { testlib_own::needsNoUse = true; }

// ----------------------------------------------------------------------------------------------------------- registration

namespace testlib_own {

inline void registerAs(TTestlibMode mode) {
    testlibMode = mode;
    TestlibFinalizeGuard::registered = true;
}

// The value behind an option of a judging program, which is an error if there is none.
inline const char *valueOf(int argc, char *argv[], int &i) {
    if (i + 1 >= argc) quit(_fail, std::string("a value is missing behind ") + argv[i]);
    return argv[++i];
}

// Takes `--testset` and `--group` out of the arguments.
inline std::vector<std::string> judgeArguments(int argc, char *argv[]) {
    std::vector<std::string> rest;
    for (int i = 1; i < argc; i++) {
        if (!std::strcmp(argv[i], "--testset")) {
            testset = valueOf(argc, argv, i);
            if (testset.empty()) quit(_fail, "Expected non-empty testset after --testset command line parameter");
        } else if (!std::strcmp(argv[i], "--group")) {
            group = valueOf(argc, argv, i);
        } else {
            rest.push_back(argv[i]);
        }
    }
    return rest;
}

inline std::string testsetOrTests() { return testset.empty() ? "tests" : testset; }

// The files of a checker or an interactor: input, output, answer, and perhaps a report.
inline void readFiles(const std::vector<std::string> &files, size_t least) {
    const bool isAppes = files.size() == 5 && (files[4] == "-appes" || files[4] == "-APPES");
    if (files.size() < least || files.size() > 5 || (files.size() == 5 && !isAppes))
        quit(_fail, std::string("Program must be run with the following arguments: ") +
                        (least == 3 ? "[--testset testset] [--group group] <input-file> <output-file> <answer-file>"
                                    : "<input-file> <output-file> [<answer-file>]") +
                        " [<report-file> [<-appes>]]");
    appesMode = isAppes;
    resultName = files.size() > 3 ? files[3] : "";
}

} // namespace testlib_own

inline void registerTestlibCmd(int argc, char *argv[]) {
    testlib_own::registerAs(_checker);
    const std::vector<std::string> files = testlib_own::judgeArguments(argc, argv);
    checker.initialize(testlib_own::testsetOrTests(), testlib_own::group);
    testlib_own::readFiles(files, 3);
    inf.init(files[0], _input);
    ouf.init(files[1], _output);
    ouf.skipBom();
    ans.init(files[2], _answer);
}

inline void registerTestlib(int argc, ...) {
    std::vector<char *> argv(1, nullptr);
    va_list arguments;
    va_start(arguments, argc);
    for (int i = 0; i < argc; i++) argv.push_back(va_arg(arguments, char *));
    va_end(arguments);
    registerTestlibCmd(int(argv.size()), argv.data());
}

inline void registerInteraction(int argc, char *argv[]) {
    testlib_own::registerAs(_interactor);
    testlib_own::judgeArguments(argc, argv);
    // Unlike those of a checker, the files of an interactor come first.
    const std::vector<std::string> files(argv + std::min(argc, 1), argv + argc);
    testlib_own::readFiles(files, 2);
    inf.init(files[0], _input);
    tout.open(files[1].c_str(), std::ios_base::out);
    if (tout.fail()) quit(_fail, "Can not write to the test-output-file '" + files[1] + "'");
    ouf.init(stdin, _output);
    if (files.size() > 2) ans.init(files[2], _answer);
    else ans.name = "unopened answer stream";
}

inline void registerValidation() {
    testlib_own::registerAs(_validator);
    inf.init(stdin, _input);
    inf.strict = true;
}

inline void registerValidation(int argc, char *argv[]) {
    registerValidation();
    testlib_own::judgeArguments(argc, argv);
    validator.initialize(testlib_own::testsetOrTests(), testlib_own::group);
    for (int i = 1; i < argc; i++) {
        const std::string option = argv[i];
        if (option == "--testset" || option == "--group") i++;
        if (option == "--testOverviewLogFileName") validator.overviewName = testlib_own::valueOf(argc, argv, i);
        if (option == "--testMarkupFileName") validator.markupName = testlib_own::valueOf(argc, argv, i);
        if (option == "--testCaseFileName") validator.testCaseName = testlib_own::valueOf(argc, argv, i);
        if (option != "--testCase") continue;
        const long long number = stringToLongLong(inf, testlib_own::valueOf(argc, argv, i));
        if (number < 1 || number >= testlib_own::MOST_TEST_CASES)
            quitf(_fail, "the test case %lld is not in the range [1, %d]", number, testlib_own::MOST_TEST_CASES - 1);
        validator.testCase = int(number);
    }
    inf.reader->isRecorded = !validator.markupName.empty() || validator.testCase > 0;
}

// The random numbers are those of testlib since 0.8.7 (version 1) or before it (version 0).
inline void registerGen(int argc, char *argv[], int randomGeneratorVersion = 0) {
    if (randomGeneratorVersion < 0 || randomGeneratorVersion > 1)
        quit(_fail, "Random generator version is expected to be 0 or 1.");
    random_t::version = randomGeneratorVersion;
    testlib_own::registerAs(_generator);
    rnd.setSeed(argc, argv);
    testlib_own::readOptions(argc, argv);
}

inline void setAppesModeEncoding(std::string encoding) { appesModeEncoding = lowerCase(encoding); }

// ----------------------------------------------------------------------------------------------------------------- scorer

enum TestResultVerdict {
    SKIPPED,
    OK,
    WRONG_ANSWER,
    RUNTIME_ERROR,
    TIME_LIMIT_EXCEEDED,
    IDLENESS_LIMIT_EXCEEDED,
    MEMORY_LIMIT_EXCEEDED,
    COMPILATION_ERROR,
    CRASHED,
    FAILED
};

// A line of a scorer's input.
struct TestResult {
    int testIndex;
    std::string testset;
    std::string group;
    TestResultVerdict verdict;
    // NaN if there are none.
    double points;
    // In milliseconds and bytes.
    long long timeConsumed;
    long long memoryConsumed;
    std::string input;
    std::string output;
    std::string answer;
    int exitCode;
    std::string checkerComment;
};

namespace testlib_own {

static std::function<double(std::vector<TestResult>)> scorer;

inline const std::vector<std::string> &verdicts() {
    static const std::vector<std::string> names = {"SKIPPED", "OK", "WRONG_ANSWER", "RUNTIME_ERROR", "TIME_LIMIT_EXCEEDED",
        "IDLENESS_LIMIT_EXCEEDED", "MEMORY_LIMIT_EXCEEDED", "COMPILATION_ERROR", "CRASHED", "FAILED"};
    return names;
}

// The fields of a line. A backslash keeps a semicolon or itself, or is a line feed with an `n`.
inline std::vector<std::string> fields(const std::string &line) {
    std::vector<std::string> found(1);
    for (size_t i = 0; i < line.size(); i++) {
        const char after = line[i] == '\\' && i + 1 < line.size() ? line[i + 1] : '\0';
        if (after == 'n' || after == ';' || after == '\\') found.back() += after == 'n' ? '\n' : after, i++;
        else if (line[i] == ';') found.push_back("");
        else found.back() += line[i];
    }
    return found;
}

} // namespace testlib_own

inline std::string serializeVerdict(TestResultVerdict verdict) { return testlib_own::verdicts()[verdict]; }

inline TestResultVerdict deserializeTestResultVerdict(std::string name) {
    const std::vector<std::string> &names = testlib_own::verdicts();
    const auto found = std::find(names.begin(), names.end(), name);
    ensuref(found != names.end(), "Unexpected serialized TestResultVerdict");
    return TestResultVerdict(found - names.begin());
}

inline TestResult deserializeTestResult(std::string line) {
    const std::vector<std::string> fields = testlib_own::fields(line);
    ensuref(fields.size() == 12, "Invalid TestResult serialization: expected exactly 12 items");
    TestResult result;
    result.testIndex = std::stoi(fields[0]);
    result.testset = fields[1];
    result.group = fields[2];
    result.verdict = deserializeTestResultVerdict(fields[3]);
    result.points = fields[4].empty() ? std::numeric_limits<double>::quiet_NaN() : std::stod(fields[4]);
    result.timeConsumed = std::stoll(fields[5]);
    result.memoryConsumed = std::stoll(fields[6]);
    result.input = fields[7];
    result.output = fields[8];
    result.answer = fields[9];
    result.exitCode = std::stoi(fields[10]);
    result.checkerComment = fields[11];
    return result;
}

inline std::vector<TestResult> readTestResults(std::string fileName) {
    std::ifstream stream(fileName.c_str());
    ensuref(stream.is_open(), "Can't read test results file '%s'", fileName.c_str());
    std::vector<TestResult> results;
    for (std::string line; std::getline(stream, line);)
        if (!line.empty()) results.push_back(deserializeTestResult(line));
    return results;
}

inline void registerScorer(int, char *[], std::function<double(std::vector<TestResult>)> scorer) {
    testlib_own::registerAs(_scorer);
    inf.init(stdin, _input);
    testlib_own::scorer = scorer;
}

// ----------------------------------------------------------------------------------------------------------------- output

namespace testlib_own {

// Whether a type is a container or an iterator, by its members.
struct Probe {
    template <typename T> static std::true_type container(typename T::iterator *);
    template <typename T> static std::false_type container(...);
    template <typename T> static std::true_type iterator(typename std::iterator_traits<T>::iterator_category *);
    template <typename T> static std::false_type iterator(...);
};
template <typename T> using IsContainer = decltype(Probe::container<T>(nullptr));
// A text is a value also if a pointer to its characters names it.
template <typename T>
using IsIterator = std::integral_constant<bool, decltype(Probe::iterator<T>(nullptr))::value &&
                                                    !std::is_convertible<T, const char *>::value && !std::is_array<T>::value>;

template <typename T> void print(const T &value, std::false_type) { std::cout << value; }
template <typename T> void print(const T &values, std::true_type) {
    const char *before = "";
    for (const auto &value : values) {
        std::cout << before << value;
        before = " ";
    }
}
inline void print(const std::string &text, std::true_type) { std::cout << text; }
template <typename T> void printOne(const T &value) { print(value, IsContainer<T>()); }

inline void printAll() {}
template <typename First, typename... Rest> void printAll(const First &first, const Rest &...rest) {
    std::cout << " ";
    printOne(first);
    printAll(rest...);
}

template <typename A, typename B> void printTwo(const A &begin, const B &end, std::true_type) {
    const char *before = "";
    for (B i = B(begin); i != end; i++) {
        std::cout << before;
        printOne(*i);
        before = " ";
    }
}
template <typename A, typename B> void printTwo(const A &a, const B &b, std::false_type) {
    printOne(a);
    printAll(b);
}

} // namespace testlib_own

// Values, separated by spaces, or the values between two iterators, and the end of the line.
template <typename First, typename... Rest> void println(const First &first, const Rest &...rest) {
    testlib_own::printOne(first);
    testlib_own::printAll(rest...);
    std::cout << std::endl;
}
template <typename A, typename B> void println(const A &a, const B &b) {
    testlib_own::printTwo(a, b, testlib_own::IsIterator<B>());
    std::cout << std::endl;
}
template <typename A> void println(const A *begin, const A *end) {
    testlib_own::printTwo(begin, end, testlib_own::IsIterator<const A *>());
    std::cout << std::endl;
}

// Runs at the end of the program, after `main` or `exit`.
inline TestlibFinalizeGuard::~TestlibFinalizeGuard() {
    const bool wasAlive = alive;
    alive = false;
    if (testlibMode == _scorer && testlib_own::exitCode == 0) {
        std::vector<TestResult> results;
        while (!inf.eof()) {
            const std::string line = inf.readLine();
            if (!line.empty()) results.push_back(deserializeTestResult(line));
        }
        std::printf("%.3f\n", testlib_own::scorer(results));
    }
    if (wasAlive) {
        if (testlibMode == _checker && quitCount == 0) __testlib_fail("Checker must end with quit or quitf call.");
        if (testlibMode == _validator && readEofCount == 0 && quitCount == 0) __testlib_fail("Validator must end with readEof call.");
        if (testlib_own::needsUse && !testlib_own::needsNoUse) ensureNoUnusedOpts();
        if (!registered) __testlib_fail("Call register-function in the first line of the main (registerTestlibCmd or other similar)");
    }
    if (testlib_own::exitCode == 0) validator.write();
}

TestlibFinalizeGuard testlibFinalizeGuard;

#endif
