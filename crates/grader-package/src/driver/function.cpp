// Calls one function of a solution in C++. Standard input has its arguments as a list in JSON, and this program writes what
// the function returns as JSON. The types of the parameters say what is read: there is no library of JSON to rely on where
// solutions are compiled.
#include <array>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <unistd.h>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace grader_driver {

/// Where the result goes.
inline int results = -1;

/// What the solution itself prints is no result. Runs before the objects of the solution are made.
__attribute__((constructor(101))) inline void divert() {
    results = dup(1);
    dup2(2, 1);
}

[[noreturn]] inline void fail(const std::string& words) {
    std::fflush(nullptr);
    std::fprintf(stderr, "%s\n", words.c_str());
    _exit(1);
}

template <class T> inline constexpr bool never = false;

template <class T> constexpr std::string_view name_of() {
    std::string_view text = __PRETTY_FUNCTION__;
    text.remove_prefix(text.find("T = ") + 4);
    return text.substr(0, text.find_first_of(";]"));
}

/// Reads JSON as the types that a function takes.
class Reader {
    std::string text;
    std::size_t at = 0;
    std::size_t argument = 0;

    void skip() {
        while (at < text.size() && std::string_view(" \t\r\n").find(text[at]) != std::string_view::npos) ++at;
    }

    template <class T> [[noreturn]] void refuse() {
        fail("argument " + std::to_string(argument) + " is no `" + std::string(name_of<T>()) + "`: " + text.substr(at, 40));
    }

    bool take(char sign) {
        skip();
        if (at >= text.size() || text[at] != sign) return false;
        ++at;
        return true;
    }

    bool word(std::string_view expected) {
        skip();
        if (text.compare(at, expected.size(), expected) != 0) return false;
        at += expected.size();
        return true;
    }

    unsigned code() {
        unsigned found = 0;
        const auto end = text.data() + std::min(at + 4, text.size());
        if (std::from_chars(text.data() + at, end, found, 16).ptr != text.data() + at + 4) refuse<std::string>();
        at += 4;
        return found;
    }

    void escaped(std::string& into) {
        static constexpr std::string_view signs = "\"\\/bfnrt", meant = "\"\\/\b\f\n\r\t";
        const char sign = at < text.size() ? text[at++] : 0;
        if (const auto which = signs.find(sign); which != std::string_view::npos) {
            into += meant[which];
            return;
        }
        if (sign != 'u') refuse<std::string>();
        unsigned point = code();
        if (point >= 0xd800 && point < 0xdc00 && text.compare(at, 2, "\\u") == 0) {
            at += 2;
            point = 0x10000 + ((point - 0xd800) << 10) + (code() - 0xdc00);
        }
        const auto more = [&](int shift) { into += static_cast<char>(0x80 | (point >> shift & 0x3f)); };
        if (point < 0x80) {
            into += static_cast<char>(point);
        } else if (point < 0x800) {
            into += static_cast<char>(0xc0 | point >> 6), more(0);
        } else if (point < 0x10000) {
            into += static_cast<char>(0xe0 | point >> 12), more(6), more(0);
        } else {
            into += static_cast<char>(0xf0 | point >> 18), more(12), more(6), more(0);
        }
    }

    template <class List> void read_list(List& into) {
        if (!take('[')) refuse<List>();
        if (take(']')) return;
        do {
            typename List::value_type one{};
            read(one);
            into.insert(into.end(), std::move(one));
        } while (take(','));
        if (!take(']')) refuse<List>();
    }

    template <class Map> void read_map(Map& into) {
        if (!take('{')) refuse<Map>();
        if (take('}')) return;
        do {
            typename Map::key_type key{};
            if constexpr (std::is_same_v<typename Map::key_type, std::string>) {
                read(key);
            } else {
                // Keys of JSON are texts.
                if (!take('"')) refuse<Map>();
                read(key);
                if (!take('"')) refuse<Map>();
            }
            if (!take(':')) refuse<Map>();
            read(into[std::move(key)]);
        } while (take(','));
        if (!take('}')) refuse<Map>();
    }

    template <class Tuple> void read_tuple(Tuple& into) {
        if (!take('[')) refuse<Tuple>();
        const auto one = [this, first = true](auto& part) mutable {
            if (!std::exchange(first, false) && !take(',')) refuse<Tuple>();
            read(part);
        };
        std::apply([&one](auto&... parts) mutable { auto each = one; (each(parts), ...); }, into);
        if (!take(']')) refuse<Tuple>();
    }

public:
    explicit Reader(std::string given) : text(std::move(given)) {}

    void next(bool is_first) {
        ++argument;
        if (is_first && !take('[')) fail("arguments by name are for Python alone: write a list");
        if (!is_first && !take(',')) fail("the function takes more arguments than the test has");
    }

    void end(bool has_arguments) {
        if (!has_arguments && !take('[')) fail("arguments by name are for Python alone: write a list");
        if (!take(']')) fail("the function takes fewer arguments than the test has");
    }

    void read(bool& into) {
        into = word("true");
        if (!into && !word("false")) refuse<bool>();
    }

    void read(std::string& into) {
        into.clear();
        if (!take('"')) refuse<std::string>();
        while (at < text.size() && text[at] != '"') {
            const char sign = text[at++];
            if (sign == '\\') escaped(into); else into += sign;
        }
        if (!take('"')) refuse<std::string>();
    }

    void read(char& into) {
        std::string one;
        read(one);
        if (one.size() != 1) refuse<char>();
        into = one[0];
    }

    template <class T> std::enable_if_t<std::is_arithmetic_v<T>> read(T& into) {
        skip();
        const auto [end, error] = std::from_chars(text.data() + at, text.data() + text.size(), into);
        const bool is_whole = end == text.data() + text.size() || std::string_view(".eE").find(*end) == std::string_view::npos;
        if (error != std::errc() || !is_whole) refuse<T>();
        at = end - text.data();
    }

    template <class T, class A> void read(std::vector<T, A>& into) { read_list(into); }
    template <class T, class A> void read(std::deque<T, A>& into) { read_list(into); }
    template <class T, class A> void read(std::list<T, A>& into) { read_list(into); }
    template <class... T> void read(std::set<T...>& into) { read_list(into); }
    template <class... T> void read(std::multiset<T...>& into) { read_list(into); }
    template <class... T> void read(std::unordered_set<T...>& into) { read_list(into); }
    template <class... T> void read(std::map<T...>& into) { read_map(into); }
    template <class... T> void read(std::unordered_map<T...>& into) { read_map(into); }
    template <class... T> void read(std::pair<T...>& into) { read_tuple(into); }
    template <class... T> void read(std::tuple<T...>& into) { read_tuple(into); }
    template <class T, std::size_t N> void read(std::array<T, N>& into) { read_tuple(into); }

    template <class T> void read(std::optional<T>& into) {
        if (word("null")) into.reset(); else read(into.emplace());
    }

    template <class T> std::enable_if_t<std::is_class_v<T> || std::is_pointer_v<T> || std::is_enum_v<T>> read(T&) {
        static_assert(never<T>, "the function has a parameter of a type that no JSON value has");
    }
};

inline void write(std::string& out, bool value) { out += value ? "true" : "false"; }

inline void write(std::string& out, std::string_view value) {
    out += '"';
    for (const char sign : value) {
        if (sign == '"' || sign == '\\') {
            out += '\\', out += sign;
        } else if (static_cast<unsigned char>(sign) < 0x20) {
            char code[8];
            std::snprintf(code, sizeof code, "\\u%04x", static_cast<unsigned>(sign));
            out += code;
        } else {
            out += sign;
        }
    }
    out += '"';
}

inline void write(std::string& out, const std::string& value) { write(out, std::string_view(value)); }
inline void write(std::string& out, const char* value) { write(out, std::string_view(value)); }
inline void write(std::string& out, char value) { write(out, std::string_view(&value, 1)); }

template <class T> std::enable_if_t<std::is_arithmetic_v<T>> write(std::string& out, T value) {
    char digits[128];
    out.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

template <class T> void write(std::string& out, const std::optional<T>& value);
template <class... T> void write(std::string& out, const std::pair<T...>& value);
template <class... T> void write(std::string& out, const std::tuple<T...>& value);
template <class... T> void write(std::string& out, const std::map<T...>& value);
template <class... T> void write(std::string& out, const std::unordered_map<T...>& value);
template <class T, class = decltype(std::declval<const T&>().begin())> void write(std::string& out, const T& value);

template <class T> void write_map(std::string& out, const T& value) {
    out += '{';
    bool is_first = true;
    for (const auto& [key, one] : value) {
        if (!std::exchange(is_first, false)) out += ',';
        if constexpr (std::is_arithmetic_v<std::decay_t<decltype(key)>> && !std::is_same_v<std::decay_t<decltype(key)>, char>) {
            out += '"', write(out, key), out += '"';
        } else {
            write(out, key);
        }
        out += ':';
        write(out, one);
    }
    out += '}';
}

template <class T> void write_tuple(std::string& out, const T& value) {
    out += '[';
    bool is_first = true;
    const auto one = [&](const auto& part) {
        if (!std::exchange(is_first, false)) out += ',';
        write(out, part);
    };
    std::apply([&one](const auto&... parts) { (one(parts), ...); }, value);
    out += ']';
}

template <class T> void write(std::string& out, const std::optional<T>& value) {
    if (value) write(out, *value); else out += "null";
}
template <class... T> void write(std::string& out, const std::pair<T...>& value) { write_tuple(out, value); }
template <class... T> void write(std::string& out, const std::tuple<T...>& value) { write_tuple(out, value); }
template <class... T> void write(std::string& out, const std::map<T...>& value) { write_map(out, value); }
template <class... T> void write(std::string& out, const std::unordered_map<T...>& value) { write_map(out, value); }
template <class T, class> void write(std::string& out, const T& value) {
    out += '[';
    bool is_first = true;
    for (const auto& one : value) {
        if (!std::exchange(is_first, false)) out += ',';
        // An element of std::vector<bool> is no bool.
        write(out, static_cast<const typename T::value_type&>(one));
    }
    out += ']';
}

inline void send(const std::string& text) {
    for (std::size_t sent = 0; sent < text.size();) {
        const auto more = ::write(results, text.data() + sent, text.size() - sent);
        if (more < 0) _exit(1);
        sent += static_cast<std::size_t>(more);
    }
}

template <class R, class... A, class F> void run(F function) {
    std::string text;
    char part[1 << 16];
    for (ssize_t more; (more = ::read(0, part, sizeof part)) > 0;) text.append(part, static_cast<std::size_t>(more));
    Reader reader(std::move(text));
    std::tuple<std::decay_t<A>...> given;
    bool is_first = true;
    const auto one = [&](auto& value) {
        reader.next(std::exchange(is_first, false));
        reader.read(value);
    };
    std::apply([&one](auto&... values) { (one(values), ...); }, given);
    reader.end(sizeof...(A) > 0);
    std::string out;
    const auto call = [&](auto&... values) -> R { return function(static_cast<A&&>(values)...); };
    if constexpr (std::is_void_v<R>) {
        std::apply(call, given);
        out = "null";
    } else {
        write(out, std::apply(call, given));
    }
    out += '\n';
    std::fflush(nullptr);
    send(out);
}

template <class R, class... A> void call(R (*function)(A...)) {
    run<R, A...>(function);
}
template <class S, class R, class... A> void call(R (S::*function)(A...)) {
    S solution{};
    run<R, A...>([&](auto&&... given) -> R { return (solution.*function)(static_cast<A&&>(given)...); });
}
template <class S, class R, class... A> void call(R (S::*function)(A...) const) {
    S solution{};
    run<R, A...>([&](auto&&... given) -> R { return (solution.*function)(static_cast<A&&>(given)...); });
}

template <class T, class = void> inline constexpr bool has = false;
template <class T> inline constexpr bool has<T, std::void_t<decltype(&T::@FUNCTION@)>> = true;

template <class T> auto method() {
    return &T::@FUNCTION@;
}

/// Stands for a function that the solution lacks.
struct Missing {};
inline void call(Missing*) {}

}  // namespace grader_driver

class Solution;
// A program that also has a `main` keeps it.
#define main main_of_solution
#if __has_include("solution.cpp")
#include "solution.cpp"
#elif __has_include("solution.cc")
#include "solution.cc"
#else
#include "solution.cxx"
#endif
#undef main

namespace grader_fallback {
inline grader_driver::Missing @FUNCTION@;
}
using namespace grader_fallback;

namespace grader_driver {
template <class S> void choose() {
    if constexpr (has<S>) {
        call(method<S>());
    } else {
        static_assert(!std::is_same_v<decltype(&::@FUNCTION@), Missing*> || never<S>,
            "there is neither a function `@FUNCTION@` nor a class `Solution` with it");
        call(&::@FUNCTION@);
    }
}
}  // namespace grader_driver

// The solution may have given `int` another meaning.
auto main() -> decltype(0) {
    grader_driver::choose<Solution>();
    return 0;
}
