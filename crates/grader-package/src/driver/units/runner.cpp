// Runs one unit test of a teacher by GoogleTest, as an interactor: run TEST ANSWER FEEDBACK. TEST has the name of the test. The
// tests and everything that they expect are here; the solution is in another process and sends values. The functions of the
// solution are stand-ins here, which ask that process.
#undef main
#include <csignal>
#include <cstring>
#include <cxxabi.h>
#include <fstream>
#include <sstream>
#include <sys/resource.h>
#include <sys/wait.h>
#include <gtest/gtest.h>
@HEADERS@

namespace grader_driver {

constexpr int ACCEPT = 42, REJECT = 43, FAULT = 1;
/// What the test may use, on top of what it waits: seconds of processor time, and bytes.
constexpr rlim_t SECONDS = 10, MEMORY = rlim_t{3} << 29;
/// The longest answer of a solution, in bytes.
constexpr std::size_t LONGEST = 4 << 20;
/// What is shown of a text.
constexpr std::size_t SHOWN = 200;
constexpr auto ENDED = "the program ended before the last assertion";
constexpr auto ODD = "the program wrote something else than a value";

/// Where messages go; none before the test begins.
std::string feedback;
/// The last call and what came of it, for messages.
std::string last;
/// The error of the solution that was thrown last.
std::exception_ptr raised;
/// The calls so far. The answer to a call begins with its number.
unsigned long calls = 0;

[[noreturn]] void fault(const std::string& words) {
    std::fprintf(stderr, "%s\n", words.c_str());
    _exit(FAULT);
}

/// Ends the test, which the solution has failed.
[[noreturn]] void fail(const std::string& words) {
    for (const char* name : {"judgemessage.txt", "teammessage.txt"}) {
        std::ofstream file(feedback + '/' + name);
        file << words << std::endl;
        if (!file) fault(std::string("cannot write ") + name);
    }
    _exit(REJECT);
}

std::string cut(std::string text) {
    if (text.size() <= SHOWN) return text;
    std::size_t end = SHOWN;
    // Not in the middle of a character.
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
    return text.substr(0, end) + "…";
}

/// A line of the solution, without its end.
std::string line() {
    static std::string buffer;
    for (std::size_t from = 0;;) {
        if (const auto end = buffer.find('\n', from); end != std::string::npos) {
            std::string found = buffer.substr(0, end);
            buffer.erase(0, end + 1);
            return found;
        }
        from = buffer.size();
        if (from > LONGEST) fail("the program returned more than " + std::to_string(LONGEST >> 20) + " MiB");
        char part[1 << 16];
        const auto more = ::read(0, part, sizeof part);
        if (more < 0 && errno == EINTR) continue;
        if (more <= 0) fail(ENDED);
        buffer.append(part, static_cast<std::size_t>(more));
    }
}

template <class E> [[noreturn]] void raise_kept(E error) {
    raised = std::make_exception_ptr(std::move(error));
    std::rethrow_exception(raised);
}

template <class... E> void raise_if(const std::string& name, const std::string& words, Errors<E...>) {
    const auto one = [&](auto* kind) {
        using Kind = std::remove_pointer_t<decltype(kind)>;
        if (name != name_of<Kind>()) return;
        if constexpr (std::is_constructible_v<Kind, const std::string&>) {
            raise_kept(Kind(words));
        } else {
            raise_kept(Kind());
        }
    };
    (one(static_cast<E*>(nullptr)), ...);
}

/// Throws what the solution threw.
[[noreturn]] void raise_again(const std::string& name, const std::string& words) {
    raise_if(name, words, Said{});
    raise_if(name, words, Silent{});
    if (name == "std::exception") raise_kept(Error(words));
    if (name == "int") raise_kept(std::atoi(words.c_str()));
    if (name == "std::string") raise_kept(words);
    // Nobody knows how long the text is used.
    if (name == "const char*") raise_kept(static_cast<const char*>(strdup(words.c_str())));
    raise_kept(Unknown{});
}

/// Asks for a call and returns the answer, from the value on. `signature`: the function, for messages.
Reader ask(std::size_t which, const char* name, const char* signature, const std::string& given) {
    if (feedback.empty()) fault("the tests call the solution before a test begins: write the call into the test");
    ++calls;
    if (!send(std::to_string(which) + ' ' + name + ' ' + given + '\n')) fail(ENDED);
    const std::string found = line();
    const std::string call = name + ('(' + cut(given.substr(1, given.size() - 2)) + ')');
    Reader answer(found);
    answer.subject = call + " returned what";
    if (!answer.word(std::to_string(calls) + ' ')) fail(ODD);
    if (answer.word("returned ")) {
        last = call + " returned " + cut(found.substr(found.find("returned ") + 9));
        return answer;
    }
    if (answer.word("lacks ")) fail(std::string("there is no function `") + signature + '`');
    if (!answer.word("raised ")) fail(ODD);
    std::string kind, words;
    answer.read(kind);
    answer.read(words);
    last = call + " threw " + (kind.empty() ? "an object" : cut(kind)) + (words.empty() ? "" : ": " + cut(words));
    raise_again(kind, words);
}

template <class F> struct Call;

/// A call of a function of the solution.
template <class R, class... A> struct Call<R(A...)> {
    using Value = std::conditional_t<std::is_void_v<R>, int, R>;

    static_assert(!std::is_reference_v<R> && !std::is_same_v<R, std::string_view>, "a function returns what is not its own");

    /// Does what the other process does, and is never called: a type that this cannot do is an error of the tests.
    static void check(Reader& reader, std::string& out, const Value& value, Kept<A>&... given) {
        (reader.read(given), ...);
        write(out, value);
    }

    static R make(std::size_t which, const char* name, const char* signature, A... given) {
        std::string out = "[";
        bool is_first = true;
        const auto one = [&](const auto& value) {
            if (!std::exchange(is_first, false)) out += ',';
            write(out, value);
        };
        (one(given), ...);
        static_cast<void>(&check);
        Reader answer = ask(which, name, signature, out + ']');
        const auto left = [&]<class T>(std::type_identity<T>, auto& value) {
            if constexpr (std::is_lvalue_reference_v<T> && !std::is_const_v<std::remove_reference_t<T>>) {
                std::decay_t<T> changed{};
                if (!answer.take(',') || !answer.word("left")) fail(ODD);
                answer.read(changed);
                value = std::move(changed);
            }
        };
        const auto end = [&] {
            (left(std::type_identity<A>{}, given), ...);
            if (!answer.is_at_end()) fail(ODD);
        };
        if constexpr (std::is_void_v<R>) {
            if (!answer.word("null")) fail(ODD);
            end();
        } else {
            std::decay_t<R> value{};
            answer.read(value);
            end();
            return value;
        }
    }
};

std::string with_call(const std::string& why) { return why + (last.empty() ? "" : "; " + last); }

/// Keeps what GoogleTest says of the test.
class Listener : public testing::EmptyTestEventListener {
public:
    int ended = 0;
    std::string failure, skipped;

    void OnTestPartResult(const testing::TestPartResult& part) override {
        std::string words = one_line(part.message());
        if (part.file_name()) {
            const std::string_view path = part.file_name();
            const auto name = path.substr(path.rfind('/') + 1);
            words = std::string(name) + ':' + std::to_string(part.line_number()) + ": " + words;
        }
        if (part.skipped() && skipped.empty()) skipped = words;
        if (part.failed() && failure.empty()) failure = with_call(words);
    }

    void OnTestEnd(const testing::TestInfo&) override { ++ended; }

private:
    static std::string one_line(const char* message) {
        std::istringstream lines(message);
        std::string found;
        for (std::string line; std::getline(lines, line);) {
            line.erase(0, line.find_first_not_of(" \t"));
            if (line.empty()) continue;
            if (line.starts_with("Which is: ")) {
                found += " (which is " + cut(line.substr(10)) + ')';
                continue;
            }
            if (!found.empty()) found += found.ends_with(':') ? " " : "; ";
            found += cut(line);
        }
        return found.substr(0, 8 * SHOWN);
    }
};

std::string name_of_error() {
    const auto* type = abi::__cxa_current_exception_type();
    if (!type) return "an exception";
    int status = 0;
    const char* name = abi::__cxa_demangle(type->name(), nullptr, nullptr, &status);
    return status == 0 ? name : type->name();
}

/// The words of an exception that the test did not expect.
std::string words_of_error() {
    try {
        throw;
    } catch (const std::exception& error) {
        return name_of_error() + ": " + cut(error.what());
    } catch (...) {
        return name_of_error();
    }
}

/// Runs the test. Does not return.
[[noreturn]] void run(const std::string& test) {
    for (const auto& [kind, most] : {std::pair{RLIMIT_CPU, SECONDS}, std::pair{RLIMIT_AS, MEMORY}, std::pair{RLIMIT_CORE, rlim_t{0}}}) {
        rlimit limit{};
        getrlimit(kind, &limit);
        limit.rlim_cur = std::min(most, limit.rlim_max);
        setrlimit(kind, &limit);
    }
    // A test with parameters has names around its own.
    const std::string filter = "--gtest_filter=" + test + ":*/" + test + "/*:" + test + "/*";
    std::vector<std::string> words = {"tests", filter, "--gtest_catch_exceptions=0", "--gtest_color=no", "--gtest_repeat=1"};
    std::vector<char*> arguments;
    for (auto& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    int count = static_cast<int>(words.size());
    testing::InitGoogleTest(&count, arguments.data());
    auto& listeners = testing::UnitTest::GetInstance()->listeners();
    delete listeners.Release(listeners.default_result_printer());
    auto* listener = new Listener;
    listeners.Append(listener);
    bool is_passed = false;
    try {
        is_passed = RUN_ALL_TESTS() == 0;
    } catch (...) {
        if (listener->failure.empty() && std::current_exception() == raised) {
            // The solution ends with its own error.
            if (send("raise\n")) {
                char part[1 << 16];
                while (::read(0, part, sizeof part) > 0) {}
            }
            fail("an exception that the test does not expect; " + last);
        }
        fail(listener->failure.empty() ? with_call(words_of_error()) : listener->failure);
    }
    if (!listener->failure.empty()) fail(listener->failure);
    if (!listener->skipped.empty()) fault("the test was skipped: " + listener->skipped);
    if (!is_passed || listener->ended == 0) fault("GoogleTest ran no test `" + test + "` to its end");
    _exit(ACCEPT);
}

}  // namespace grader_driver

@FUNCTIONS@

int main(int, char** arguments) {
    using namespace grader_driver;
    std::signal(SIGPIPE, SIG_IGN);
    std::string test;
    std::getline(std::ifstream(arguments[1]), test);
    feedback = arguments[3];
    const pid_t child = fork();
    if (child < 0) fault("cannot start a process for the test");
    if (child == 0) run(test);
    close(0);
    close(results);
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    if (WIFEXITED(status)) {
        const int code = WEXITSTATUS(status);
        if (code == REJECT || code == ACCEPT || code == FAULT) return code;
        fault("the test ended its process, with exit code " + std::to_string(code));
    }
    // The test took too long, or read what is not there. What the solution returned is the likely cause.
    fail("the test cannot be finished with the values that the program returned");
}
