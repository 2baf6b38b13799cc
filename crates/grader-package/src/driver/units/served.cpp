// Calls the functions of a solution for the program that runs the unit tests of a teacher (runner.cpp). Each line of standard
// input asks for one call, and this program answers with what came of it. Neither the tests nor what they expect come here.
#include <fcntl.h>
@HEADERS@

namespace grader_driver {

[[noreturn]] void fail(const std::string& words) {
    std::fprintf(stderr, "%s\n", words.c_str());
    _exit(1);
}

template <class T> struct Type { using type = T; };

/// The error of the last call that threw one.
std::exception_ptr raised;
/// The calls so far. An answer begins with its number.
unsigned long calls = 0;

void answer(const char* kind, const std::string& rest) {
    if (!send(std::to_string(calls) + ' ' + kind + ' ' + rest + '\n')) _exit(1);
}

void answer_error(std::string_view name, std::string_view words) {
    std::string out;
    write(out, name);
    out += ' ';
    write(out, words);
    answer("raised", out);
}

template <class... E> bool answer_if(const std::exception& error, Errors<E...>) {
    const auto one = [&](auto* kind) {
        using Kind = std::remove_pointer_t<decltype(kind)>;
        if (!dynamic_cast<const Kind*>(&error)) return false;
        answer_error(name_of<Kind>(), error.what());
        return true;
    };
    return (one(static_cast<E*>(nullptr)) || ...);
}

/// Answers with the error that was thrown.
void answer_raised() {
    raised = std::current_exception();
    try {
        throw;
    } catch (const std::exception& error) {
        if (!answer_if(error, Said{}) && !answer_if(error, Silent{})) answer_error("std::exception", error.what());
    } catch (int number) {
        answer_error("int", std::to_string(number));
    } catch (const std::string& words) {
        answer_error("std::string", words);
    } catch (const char* words) {
        answer_error("const char*", words);
    } catch (...) {
        answer_error("", "");
    }
}

template <class F> struct Serve;

/// Makes a call of a function of the solution.
template <class R, class... A> struct Serve<R(A...)> {
    static void make(R (*function)(A...), const char* name, Reader& asked) {
        static_assert(!std::is_reference_v<R> && !std::is_same_v<R, std::string_view>, "a function returns what is not its own");
        if (!function) return answer("lacks", "");
        const auto expect = [](bool is_there) {
            if (!is_there) fail("the program was asked for something else than a call");
        };
        expect(asked.word(name) && asked.take('['));
        std::tuple<Kept<A>...> given;
        bool is_first = true;
        const auto read = [&](auto& value) {
            expect(std::exchange(is_first, false) || asked.take(','));
            asked.read(value);
        };
        std::apply([&read](auto&... values) { (read(values), ...); }, given);
        std::string out;
        const auto call = [&](auto&... values) -> R { return function(static_cast<A&&>(values)...); };
        try {
            if constexpr (std::is_void_v<R>) {
                std::apply(call, given);
                out = "null";
            } else {
                write(out, std::apply(call, given));
            }
        } catch (...) {
            return answer_raised();
        }
        // What the function left of its arguments.
        const auto left = [&](auto type, const auto& value) {
            using T = typename decltype(type)::type;
            if constexpr (std::is_lvalue_reference_v<T> && !std::is_const_v<std::remove_reference_t<T>>) {
                out += ", left ";
                write(out, value);
            }
        };
        std::apply([&left](auto&... values) { (left(Type<A>{}, values), ...); }, given);
        answer("returned", out);
    }
};

}  // namespace grader_driver

@FUNCTIONS@

int main() {
    using namespace grader_driver;
    constexpr void (*functions[])(Reader&) = {@SERVED@};
    // Nothing is there for the solution to read.
    std::FILE* asks = fdopen(fcntl(0, F_DUPFD_CLOEXEC, 3), "r");
    const int nothing = open("/dev/null", O_RDONLY);
    dup2(nothing, 0);
    char* line = nullptr;
    std::size_t room = 0;
    for (ssize_t length; (length = getline(&line, &room, asks)) > 0;) {
        ++calls;
        Reader asked(std::string(line, static_cast<std::size_t>(length)));
        if (asked.word("raise")) std::rethrow_exception(raised);
        std::size_t which = 0;
        asked.read(which);
        functions[which](asked);
    }
    std::fflush(nullptr);
    _exit(0);
}
