// Calls one function of a solution in C++. Standard input has its arguments as a list in JSON, and this program writes what
// the function returns as JSON. The types of the parameters say what is read.
namespace grader_driver {

[[noreturn]] void fail(const std::string& words) {
    std::fflush(nullptr);
    std::fprintf(stderr, "%s\n", words.c_str());
    _exit(1);
}

template <class R, class... A, class F> void run(F function) {
    std::string text;
    char part[1 << 16];
    for (ssize_t more; (more = ::read(0, part, sizeof part)) > 0;) text.append(part, static_cast<std::size_t>(more));
    Reader reader(std::move(text));
    if (!reader.take('[')) fail("arguments by name are for Python alone: write a list");
    std::tuple<std::decay_t<A>...> given;
    std::size_t argument = 0;
    const auto one = [&](auto& value) {
        if (argument++ > 0 && !reader.take(',')) fail("the function takes more arguments than the test has");
        reader.subject = "argument " + std::to_string(argument);
        reader.read(value);
    };
    std::apply([&one](auto&... values) { (one(values), ...); }, given);
    if (!reader.take(']')) fail("the function takes fewer arguments than the test has");
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
    if (!send(out)) _exit(1);
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

// The only function that a name means: of a template and of several functions, there is none. `S` delays the question until
// `Solution` is known.
template <class S, class R, class... A> auto only(R (*function)(A...)) {
    return function;
}
template <class S, class C, class R, class... A> auto only(R (C::*function)(A...)) {
    return function;
}
template <class S, class C, class R, class... A> auto only(R (C::*function)(A...) const) {
    return function;
}

/// Stands for a function that the solution lacks.
struct Missing {};

template <class S, class = void> inline constexpr bool has_method = false;
template <class S> inline constexpr bool has_method<S, std::void_t<decltype(only<S>(&S::@FUNCTION@))>> = true;

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

// A function, because `std` has functions of many names, which `using namespace std` brings here.
namespace grader_fallback {
grader_driver::Missing @FUNCTION@(grader_driver::Missing);
}
using namespace grader_fallback;

namespace grader_driver {
template <class S, class = void> inline constexpr bool has_function = false;
template <class S> inline constexpr bool has_function<S, std::void_t<decltype(only<S>(&::@FUNCTION@))>> =
    !std::is_same_v<decltype(only<S>(&::@FUNCTION@)), Missing (*)(Missing)>;

template <class S> void choose() {
    if constexpr (has_method<S>) {
        call(only<S>(&S::@FUNCTION@));
    } else if constexpr (has_function<S>) {
        call(only<S>(&::@FUNCTION@));
    } else {
        static_assert(never<S>, "there is neither a function `@FUNCTION@` nor a class `Solution` with it; "
            "a template does not count, nor several functions of this name");
    }
}
}  // namespace grader_driver

// The solution may have given `int` another meaning.
auto main() -> decltype(0) {
    grader_driver::choose<Solution>();
    return 0;
}
