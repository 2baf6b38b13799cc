// How values of C++ cross the border of a process: as JSON, by their types. There is no library of JSON to rely on where
// solutions are compiled. The programs that begin with this define `fail`.
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

/// Ends the program for a value that has another type.
[[noreturn]] void fail(const std::string& words);

/// Where values go.
inline int results = -1;

/// What the program itself prints is no value. Runs before the objects of the solution are made.
__attribute__((constructor(101))) inline void divert() {
    results = dup(1);
    dup2(2, 1);
}

template <class T> inline constexpr bool never = false;

template <class T> constexpr std::string_view name_of() {
    std::string_view text = __PRETTY_FUNCTION__;
    text.remove_prefix(text.find("T = ") + 4);
    return text.substr(0, text.find_first_of(";]"));
}

/// Whether keys of this type are in quotes of their own.
template <class K> inline constexpr bool is_quoted = !std::is_same_v<K, std::string> && !std::is_same_v<K, char>;

/// Converts to any type, to count the fields of a struct.
struct Anything {
    template <class T> operator T() const;
};

template <class T, class Fields, class = void> inline constexpr bool has_fields = false;
template <class T, std::size_t... N>
inline constexpr bool has_fields<T, std::index_sequence<N...>, std::void_t<decltype(T{(static_cast<void>(N), Anything{})...})>> = true;

/// How many fields a struct has.
template <class T, std::size_t most = 8> constexpr std::size_t count_fields() {
    if constexpr (most == 0 || has_fields<T, std::make_index_sequence<most>>) return most; else return count_fields<T, most - 1>();
}

/// The fields of a struct.
template <class T> auto fields(T& of) {
    constexpr auto count = count_fields<T>();
    static_assert(!has_fields<T, std::make_index_sequence<9>>, "a struct has more than 8 fields");
    if constexpr (count == 1) {
        auto& [a] = of;
        return std::tie(a);
    } else if constexpr (count == 2) {
        auto& [a, b] = of;
        return std::tie(a, b);
    } else if constexpr (count == 3) {
        auto& [a, b, c] = of;
        return std::tie(a, b, c);
    } else if constexpr (count == 4) {
        auto& [a, b, c, d] = of;
        return std::tie(a, b, c, d);
    } else if constexpr (count == 5) {
        auto& [a, b, c, d, e] = of;
        return std::tie(a, b, c, d, e);
    } else if constexpr (count == 6) {
        auto& [a, b, c, d, e, f] = of;
        return std::tie(a, b, c, d, e, f);
    } else if constexpr (count == 7) {
        auto& [a, b, c, d, e, f, g] = of;
        return std::tie(a, b, c, d, e, f, g);
    } else {
        auto& [a, b, c, d, e, f, g, h] = of;
        return std::tie(a, b, c, d, e, f, g, h);
    }
}

/// Whether values of a type are their fields. A list of the standard library is not such a struct.
template <class T, class = void> inline constexpr bool is_struct = std::is_class_v<T> && std::is_aggregate_v<T> && !std::is_empty_v<T>;
template <class T> inline constexpr bool is_struct<T, std::void_t<decltype(std::declval<const T&>().begin())>> = false;

/// Reads JSON as values of given types.
class Reader {
    std::string text;
    std::size_t at = 0;

    void skip() {
        while (at < text.size() && std::string_view(" \t\r\n").find(text[at]) != std::string_view::npos) ++at;
    }

    template <class T> [[noreturn]] void refuse() {
        fail(subject + " is no `" + std::string(name_of<T>()) + "`: " + text.substr(at, 40));
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
            if constexpr (!is_quoted<typename Map::key_type>) {
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

    template <class T, class Tuple> void read_tuple(Tuple& into) {
        if (!take('[')) refuse<T>();
        const auto one = [this, first = true](auto& part) mutable {
            if (!std::exchange(first, false) && !take(',')) refuse<T>();
            read(part);
        };
        std::apply([&one](auto&... parts) mutable { auto each = one; (each(parts), ...); }, into);
        if (!take(']')) refuse<T>();
    }

public:
    /// What is read, for messages.
    std::string subject;

    explicit Reader(std::string given) : text(std::move(given)) {}

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

    bool is_at_end() {
        skip();
        return at == text.size();
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
    template <class... T> void read(std::pair<T...>& into) { read_tuple<std::pair<T...>>(into); }
    template <class... T> void read(std::tuple<T...>& into) { read_tuple<std::tuple<T...>>(into); }
    template <class T, std::size_t N> void read(std::array<T, N>& into) { read_tuple<std::array<T, N>>(into); }

    template <class T> void read(std::optional<T>& into) {
        if (word("null")) into.reset(); else read(into.emplace());
    }

    template <class T> std::enable_if_t<std::is_class_v<T> || std::is_pointer_v<T> || std::is_enum_v<T>> read(T& into) {
        if constexpr (std::is_enum_v<T>) {
            std::underlying_type_t<T> number{};
            read(number);
            into = static_cast<T>(number);
        } else if constexpr (is_struct<T>) {
            auto parts = fields(into);
            read_tuple<T>(parts);
        } else {
            static_assert(never<T>, "a function has a parameter or a result of a type that no JSON value has");
        }
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
template <class T> std::enable_if_t<is_struct<T> || std::is_enum_v<T>> write(std::string& out, const T& value);

template <class T> void write_map(std::string& out, const T& value) {
    out += '{';
    bool is_first = true;
    for (const auto& [key, one] : value) {
        if (!std::exchange(is_first, false)) out += ',';
        if constexpr (is_quoted<std::decay_t<decltype(key)>>) {
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

template <class T> std::enable_if_t<is_struct<T> || std::is_enum_v<T>> write(std::string& out, const T& value) {
    if constexpr (std::is_enum_v<T>) write(out, static_cast<std::underlying_type_t<T>>(value)); else write_tuple(out, fields(value));
}

/// What an argument is kept in.
template <class T> using Kept = std::conditional_t<std::is_same_v<std::decay_t<T>, std::string_view>, std::string, std::decay_t<T>>;

/// Whether the other program took all of it.
inline bool send(const std::string& text) {
    for (std::size_t sent = 0; sent < text.size();) {
        const auto more = ::write(results, text.data() + sent, text.size() - sent);
        if (more < 0) return false;
        sent += static_cast<std::size_t>(more);
    }
    return true;
}

}  // namespace grader_driver
