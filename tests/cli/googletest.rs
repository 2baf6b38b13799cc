//! `entry.tests` in C++: `GoogleTest`, whose tests run in another process than the solution.

use macro_rules_attribute::apply;

use crate::cli::need::Need;
use crate::cli::unit_problems::{JudgedClass, get_nothing, units, without};
use crate::cli::workspace::Workspace;

const GOOGLETEST: &[Need] = &[Need::Tool("g++"), Need::File("/usr/include/gtest/gtest.h")];

const HEADER: &str = r"#pragma once
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

using Numbers = std::vector<double>;  // { of (all)
constexpr int LIMIT = 10;
inline double half(double x) { return x / 2; }

double mean(const Numbers& xs);
void sort_numbers(std::vector<int>& xs);
std::map<std::string, std::vector<int>> positions(const std::string& text);
std::optional<std::pair<char, int>> most(std::string_view text, int least = 1);
std::tuple<bool, unsigned, std::array<int, 2>> all(bool, unsigned n, long long big, char sign);
struct Point {
    int x = 0, y = 0;
    bool operator==(const Point& other) const { return x == other.x && y == other.y; }
};
enum class Axis { X, Y };
std::vector<Point> mirrored(std::vector<Point> points, Axis axis);
void greet(const std::string& name);
namespace shapes {
[[nodiscard]] double area(double width, double height);
int area(int side) noexcept;
}
";

const TESTS: &str = r#"#include <gtest/gtest.h>
#include <cmath>
#include "stats.h"
#include "helper.h"

// points: 3
TEST(Mean, OfTwo) {
    EXPECT_DOUBLE_EQ(mean(NUMBERS), 1.5);
}
TEST(Mean, OfNothing) {
    EXPECT_THROW(mean({}), std::invalid_argument);
    try {
        mean({});
    } catch (const std::exception& error) {
        EXPECT_STREQ(error.what(), "empty \"list\"");
    }
}
TEST(Mean, OfInfinity) { EXPECT_TRUE(std::isnan(mean({INFINITY, -INFINITY}))); }

class Sorted : public testing::Test {
protected:
    void SetUp() override { sort_numbers(numbers); }
    std::vector<int> numbers = {3, 1, 2};
};
TEST_F(Sorted, IsSorted) { EXPECT_EQ(numbers, (std::vector<int>{1, 2, 3})); }

class Area : public testing::TestWithParam<int> {};
TEST_P(Area, OfASquare) { EXPECT_EQ(shapes::area(GetParam()), GetParam() * GetParam()); }
INSTANTIATE_TEST_SUITE_P(Small, Area, testing::Values(1, 2, 3));
TEST(Area2, OfARectangle) { EXPECT_NEAR(shapes::area(0.1, half(0.4)), 0.02, 1e-9); }

TEST(Texts, Positions) {
    const std::map<std::string, std::vector<int>> expected = {{"a", {0, 2}}, {"b\n\x01\xff", {1}}};
    EXPECT_EQ(positions("a b\n\x01\xff a"), expected);
}
TEST(Texts, Most) {
    EXPECT_EQ(most("abcb"), std::make_pair('b', 2));
    EXPECT_EQ(most("abc", 2), std::nullopt);
}
TEST(Types, All) { EXPECT_EQ(all(true, 4000000000u, -(1LL << 62), 'x'), std::make_tuple(false, 1u, std::array<int, 2>{-1, 'x'})); }
TEST(Types, Structs) { EXPECT_EQ(mirrored({{1, 2}, {3, 4}}, Axis::Y), (std::vector<Point>{{-1, 2}, {-3, 4}})); }
TEST(Types, Prints) { greet("Ada"); }  // points: 2
"#;

const STATS: &str = r#"#include "stats.h"
#include <algorithm>
#include <iostream>
#include <sstream>
#include <stdexcept>

double mean(const std::vector<double>& xs) {
    if (xs.empty()) throw std::invalid_argument("empty \"list\"");
    double sum = 0;
    for (double x : xs) sum += x;
    return sum / xs.size();
}
void sort_numbers(std::vector<int>& xs) { std::sort(xs.begin(), xs.end()); }
std::map<std::string, std::vector<int>> positions(const std::string& text) {
    std::map<std::string, std::vector<int>> found;
    std::istringstream words(text);
    std::string word;
    for (int at = 0; std::getline(words, word, ' '); ++at) found[word].push_back(at);
    return found;
}
std::optional<std::pair<char, int>> most(std::string_view text, int least) {
    std::map<char, int> counts;
    for (char sign : text) ++counts[sign];
    std::optional<std::pair<char, int>> best;
    for (auto [sign, count] : counts) if (count >= least && (!best || count > best->second)) best = {sign, count};
    return best;
}
std::tuple<bool, unsigned, std::array<int, 2>> all(bool b, unsigned n, long long big, char sign) {
    return {!b, n / 4000000000u, {big < 0 ? -1 : 1, sign}};
}
std::vector<Point> mirrored(std::vector<Point> points, Axis axis) {
    for (auto& point : points) (axis == Axis::X ? point.y : point.x) *= -1;
    return points;
}
void greet(const std::string& name) { std::cout << "Hello, " << name << std::endl; }
namespace shapes {
double area(double width, double height) { return width * height; }
int area(int side) noexcept { return side * side; }
}
"#;

/// The problem `units` with these tests and this header.
fn googletest(tests: &str, header: &str) -> Workspace {
    let workspace = units("test_stats.cpp", tests);
    workspace.file("problems/units/tests/stats.h", header);
    workspace
}

#[apply(cli_test)]
#[needs(GOOGLETEST)]
fn tests_of_googletest_are_cases_with_points() {
    let workspace = googletest(TESTS, HEADER);
    workspace.file("problems/units/tests/helper.h", "#include \"stats.h\"\nextern const Numbers NUMBERS;\n");
    workspace.file("problems/units/tests/helper.cc", "#include \"helper.h\"\nconst Numbers NUMBERS = {1, 2};\n");
    let settings =
        "entry.tests = \"tests/test_stats.cpp\"\nlimits.time_limit = 20\nreference = \"accepted/stats.cpp\"\n";
    workspace.problem("units").toml(settings).submission("accepted/stats.cpp", STATS);
    // The author's own header is replaced, and the author's `main` is not called.
    let own = |name: &str, text: &str| workspace.file(format!("problems/units/submissions/accepted/own/{name}"), text);
    let main = "\nint main() { std::cout << mean({}) << std::endl; }\n";
    own("any.cc", &[STATS, main].concat());
    own("stats.h", "double mean(int);\n");
    let wrong =
        STATS.replace("sum / xs.size()", "sum / 3").replace("throw std::invalid_argument", "throw std::runtime_error");
    let wrong = wrong.replace("std::sort(xs.begin(), xs.end())", "xs.back() = 0").replace("side * side", "2 * side");
    let wrong = wrong
        .replace("count > best->second", "false")
        .replace("return width * height", "throw std::out_of_range(\"no\")");
    workspace.problem("units").submission("rejected/wrong.cpp", &wrong);
    let lacks = STATS.replace("void greet(const std::string& name)", "void greet(std::string name)");
    let lacks = lacks
        .replace("!b, n / 4000000000u", "!b, unsigned(*(volatile unsigned*)nullptr)")
        .replace("++counts[sign]", "std::exit(0)");
    workspace.problem("units").submission(
        "rejected/lacks.cpp",
        &lacks.replace("#include \"stats.h\"", &HEADER.replace("void greet", "void greet2")),
    );
    let run = workspace.run(&["--all-tests"]);
    run.status(0).shows("11 tests · 14 points").shows("AC   14 of 14").ends("accepted/own", "AC", "met");
    for (test, told) in [
        (
            "Mean.OfTwo",
            "test_stats.cpp:8: Expected equality of these values: mean(NUMBERS) (which is 1); 1.5; mean([1,2]) returned 1",
        ),
        ("Mean.OfNothing", "Actual: it throws std::runtime_error"),
        ("Sorted.IsSorted", "sort_numbers([3,1,2]) returned null, left [3,1,0]"),
        ("Area.OfASquare", "GetParam() * GetParam() (which is 1); area(1) returned 2"),
        ("Texts.Most", "most(\"abcb\",1) returned [\"a\",1]"),
    ] {
        run.judged("rejected/wrong.cpp", test, "WA", told);
    }
    run.judged("rejected/wrong.cpp", "Area2.OfARectangle", "RTE", "SIGABRT");
    run.judged("rejected/wrong.cpp", "Texts.Positions", "AC", "");
    run.judged("rejected/lacks.cpp", "Mean.OfTwo", "AC", "");
    run.judged("rejected/lacks.cpp", "Types.Prints", "WA", "there is no function `void greet(const std::string&)`");
    run.judged("rejected/lacks.cpp", "Types.All", "RTE", "SIGSEGV");
    run.judged("rejected/lacks.cpp", "Texts.Most", "WA", "the program ended before the last assertion");
}

const SUM_HEADER: &str = "#include <string>\nint add(int a, int b);\nstd::string name();\n";

#[apply(cli_test)]
#[needs(GOOGLETEST)]
fn a_class_in_cpp_gets_points() {
    let tests = "#include <gtest/gtest.h>\n#include \"stats.h\"\nTEST(Add, Small) { EXPECT_EQ(add(1, 2), 3); } // points: 2\nTEST(Add, Name) { EXPECT_EQ(name(), \"Ada\"); }\n";
    let workspace = googletest(tests, SUM_HEADER);
    let solution =
        "#include \"stats.h\"\nint add(int a, int b) { return a + b; }\nstd::string name() { return \"Ada\"; }\n";
    workspace.problem("units").submission("accepted/stats.cpp", solution);
    workspace.file("students/ada.cpp", solution).file("students/bob.cpp", solution.replace("a + b", "a * b"));
    // A program of several files, with a main and tests of its own.
    workspace.file("students/cyd/main.cpp", "#include \"stats.h\"\nint main() { return add(1, 2); }\n");
    workspace.file("students/cyd/stats.h", SUM_HEADER).file("students/cyd/stats.cpp", solution);
    workspace.file("students/cyd/tests/test_stats.cpp", tests);
    workspace
        .file("students/dan.cpp", "int add(int a, int b) { return a + b }\n")
        .file("students/eve.py", "print(3)\n");
    let (class, run) = JudgedClass::of(&workspace, 2);
    run.shows("no driver calls functions in Python 3");
    class.points(&[("ada", 3.0), ("bob", 1.0), ("cyd", 3.0), ("dan", 0.0)]);
    assert!(class.feedback.contains("add(1,2) returned 2"), "{}", class.feedback);
}

#[apply(cli_test)]
#[needs(GOOGLETEST)]
fn tests_of_googletest_that_cannot_be_judged_are_errors() {
    let head = "#include <gtest/gtest.h>\n#include \"stats.h\"\n";
    let solution = "int add(int a, int b) { return a + b; }\n";
    let judged = |tests: &str| {
        let workspace = googletest(&[head, tests].concat(), SUM_HEADER);
        workspace.problem("units").submission("accepted/stats.cpp", solution);
        workspace.run(&["--all-tests", "-v"])
    };
    let run = judged(
        "TEST(A, Skipped) { GTEST_SKIP() << \"later\"; }\nTEST(A, DISABLED_Off) {}\nTEST(A, Exits) { std::exit(0); }\nTEST(A, Fine) { EXPECT_EQ(add(2, 2), 4); }\n",
    );
    run.status(3)
        .shows("the test was skipped: test_stats.cpp:3: later")
        .shows("GoogleTest ran no test `A.DISABLED_Off`");
    run.judged("accepted/stats.cpp", "A.Fine", "AC", "");
    judged("const int FOUR = add(2, 2);\nTEST(A, Four) { EXPECT_EQ(FOUR, 4); }\n")
        .status(3)
        .shows("the tests call the solution before a test begins");
    judged("TEST(A, Broken) { EXPECT_EQ(ad(2, 2), 4); }\n").status(3).says("tests/test_stats.cpp:3");
    let refused = |tests: &str, header: &str, told: &str| {
        let workspace = googletest(tests, header);
        workspace.problem("units").submission("accepted/stats.cpp", solution);
        workspace.run(&[]).status(2).says(told);
    };
    let fine = [head, "TEST(A, B) {}\n"].concat();
    refused(
        &fine,
        "#include <vector>\nint f();\nint top(int* xs);\n",
        "stats.h, line 3: a pointer or an array cannot be in another process: `int top(int* xs)`",
    );
    refused(&fine, "class Stack {\npublic:\n    int top();\n};\n", "stats.h, line 1: a class");
    refused(
        "#include <gtest/gtest.h>\nTEST(A, B) {}\n",
        SUM_HEADER,
        "the tests include no header beside them that declares functions",
    );
    refused(
        &[head, "TEST(A, B) { EXPECT_DEATH(add(1, 2), \"\"); }\n"].concat(),
        SUM_HEADER,
        "`EXPECT_DEATH` waits for the end of its own process",
    );
    refused(
        "#include <catch2/catch_all.hpp>\nTEST_CASE(\"a\") {}\n",
        SUM_HEADER,
        "a file of unit tests without a test",
    );
    refused("#include <other.h>\nTEST(A, B) {}\n", SUM_HEADER, "the tests do not use `gtest/gtest.h`");
}

/// A test, and what takes an exception of the solution for 0.
const SUM_TESTS: &str = r#"#include <gtest/gtest.h>
#include "stats.h"
static const int WANT = 5678;
TEST(Add, Sum) {
    int got = 0;
    try {
        got = add(5000, 678);
    } catch (...) {
    }
    EXPECT_EQ(got, WANT);
    EXPECT_EQ(add(90000, 1), 90001);
}
"#;

const SUM: &str =
    "#include \"stats.h\"\nint add(int a, int b) { return a + b; }\nstd::string name() { return \"\"; }\n";

/// A wrong solution with these definitions, and with this before it returns.
fn calling(before: &str, text: &str) -> String {
    format!(
        "#include <unistd.h>\n#include <cstdlib>\n#include <cstring>\n#include <cstdio>\n#include <string>\n#include <fcntl.h>\n#include <signal.h>\n{before}\n{NAME}int add(int a, int b) {{ {text} return 0; }}\n"
    )
}

fn at_start(text: &str) -> String {
    calling(&format!("static int started = [] {{ {text} return 0; }}();"), "")
}

/// Writes words to all descriptors.
fn to_all(words: &str) -> String {
    format!(
        "for (int fd = 0; fd < 64; ++fd) {{ const char* w = {words:?}; if (write(fd, w, strlen(w)) < 0) continue; }}"
    )
}

const NAME: &str = "std::string name() { return \"\"; }\n";

/// What students do in C++ when `add` is called, to get points without a solution: a name, and the statements.
fn tricks_in_calls() -> Vec<(&'static str, String)> {
    let tricks = [
        ("exits", "_exit(0);"),
        ("exits_42", "exit(42);"),
        ("prints_passed", "puts(\"[       OK ] Add.Sum (0 ms)\\n[  PASSED  ] 1 test.\"); fflush(stdout);"),
        (
            "huge_answer",
            "std::string huge(5 << 20, '1'); for (int fd = 3; fd < 64; ++fd) if (write(fd, huge.data(), huge.size()) < 0) continue;",
        ),
        ("prints_for_ever", "for (;;) puts(\"PASSED\");"),
        ("closes", "for (int fd = 0; fd < 64; ++fd) close(fd);"),
        (
            "reads_on",
            "char all[4096]; for (int fd = 0; fd < 64; ++fd) { fcntl(fd, F_SETFL, O_NONBLOCK); ssize_t n = read(fd, all, 4095); if (n > 0 && strstr(all, \"5678\")) return 5678; }",
        ),
        ("forks", "if (fork()) _exit(0);"),
        ("threads", "std::thread([] { _exit(0); }).detach(); sleep(1);"),
        ("kills", "kill(getppid(), SIGKILL); kill(-1, SIGKILL);"),
        ("traces", "for (int pid = 1; pid < 200; ++pid) ptrace(PTRACE_ATTACH, pid, 0, 0);"),
        (
            "reads_memory",
            "for (int pid = 1; pid < 200; ++pid) { FILE* f = fopen((\"/proc/\" + std::to_string(pid) + \"/cmdline\").c_str(), \"r\"); char all[4096] = {}; if (f && fread(all, 1, 4095, f) && strstr(all, \"Tricks.\")) return 5678; }",
        ),
        ("jumps", "longjmp(place, 1);"),
        ("throws_skip", "throw testing::internal::GoogleTestFailureException();"),
        ("terminates", "std::set_terminate([] { _exit(0); }); throw 1;"),
        (
            "preloads",
            "setenv(\"LD_PRELOAD\", \"/tmp/a.so\", 1); setenv(\"GTEST_FILTER\", \"-*\", 1); execl(\"/bin/sh\", \"sh\", \"-c\", \"echo 2 returned 5678\", nullptr);",
        ),
        (
            "writes_feedback",
            "for (const char* name : {\"judgemessage.txt\", \"/tmp/judgemessage.txt\", \"/program/run\"}) if (FILE* f = fopen(name, \"w\")) fputs(\"passed\", f);",
        ),
    ];
    let mut all: Vec<_> = tricks.map(|(name, text)| (name, text.to_owned())).into();
    // The call is the second one.
    all.extend([
        ("answers_twice", to_all("2 returned 1\n2 returned 2\n")),
        ("odd_answers", to_all("2 returned \n2 returned []\n\0\n2 raised \"x\n")),
        ("raises_by_hand", to_all("2 raised \"std::exception\" \"[  PASSED  ]\"\n")),
    ]);
    all
}

/// What [`tricks_in_calls`] needs.
const FOR_CALLS: &str = "#include <csetjmp>\n#include <exception>\n#include <sys/ptrace.h>\n#include <thread>\nstatic jmp_buf place; static int again = setjmp(place);\nnamespace testing::internal { struct GoogleTestFailureException {}; }\n";

/// Other solutions in C++ of students who want points without one. Each is a program of its own.
fn tricks_around_calls() -> Vec<(&'static str, String)> {
    vec![
        ("main", calling("int main() { puts(\"[  PASSED  ] 1 test.\"); _exit(0); }", "")),
        (
            "main_in_c",
            calling(
                "extern \"C\" int main_of_solution() { _exit(0); }\n#undef main\nextern \"C\" int _start_of_solution() asm(\"main\"); int _start_of_solution() { _exit(0); }",
                "",
            ),
        ),
        ("exits_at_start", at_start("_exit(0);")),
        ("at_exit", at_start("atexit([] { _exit(42); });")),
        ("answers_ahead", at_start(&to_all("1 returned 1\n2 returned 1\n"))),
        (
            "includes_tests",
            calling(
                "#if __has_include(\"tests/test_stats.cpp\")\n#include \"tests/test_stats.cpp\"\n#elif __has_include(\"../tests/test_stats.cpp\")\n#include \"../tests/test_stats.cpp\"\n#else\nstatic const int WANT = 0;\n#endif",
                "return WANT;",
            ),
        ),
        ("takes_bytes", calling("asm(\".globl bytes\\nbytes: .incbin \\\"tests/test_stats.cpp\\\"\");", "")),
        (
            "redefines",
            calling("#define int long\n#define add add_of_solution\n#define static\n#pragma GCC poison EXPECT_EQ", ""),
        ),
        (
            "own_stand_ins",
            calling(
                "namespace grader_driver { unsigned long calls = 7; bool send(const std::string&) { return true; } void fail(const std::string&) {} }\nextern \"C\" ssize_t getline(char**, size_t*, FILE*) { return -1; }",
                "",
            ),
        ),
        (
            "own_write",
            calling(
                "#include <sys/syscall.h>\nextern \"C\" ssize_t write(int fd, const void* bytes, size_t n) { syscall(SYS_write, fd, \"1 returned 5678, left\\n\", 22); return n; }",
                "",
            ),
        ),
        ("lacks", format!("#include <string>\n{NAME}int sum(int a, int b) {{ return a + b; }}\n")),
    ]
}

/// One program has all tricks in calls: each has a test, which says to the program which trick it is.
#[apply(cli_test)]
#[needs(GOOGLETEST)]
fn tricks_in_calls_in_cpp_get_nothing() {
    let tricks = tricks_in_calls();
    let mut tests = SUM_TESTS.replace("TEST(Add, Sum) {", "static void attempt(int trick) {\n    choose(trick);");
    let numbered = || tricks.iter().enumerate();
    let test = |(number, (name, _)): (usize, &(_, _))| format!("TEST(Tricks, {name}) {{ attempt({number}); }}\n");
    tests.extend(numbered().map(test));
    let cases = numbered().map(|(number, (_, text))| format!("case {number}: {{ {text} }} break;"));
    let cases: Vec<String> = cases.collect();
    let workspace = googletest(&tests, &format!("{SUM_HEADER}void choose(int trick);\n"));
    workspace.problem("units").toml("entry.tests = \"tests/test_stats.cpp\"\nlimits.time_limit = 2\n");
    workspace.problem("units").submission("accepted/stats.cpp", &format!("{SUM}void choose(int) {{}}\n"));
    let chosen = "static int chosen; void choose(int trick) { chosen = trick; }\n";
    let all = calling(&[FOR_CALLS, chosen].concat(), &format!("switch (chosen) {{ {} }}", cases.join("\n")));
    workspace.problem("units").submission("rejected/all.cpp", &all);
    let run = workspace.run(&["--all-tests"]);
    run.shows(&format!("{} tests", tricks.len()));
    get_nothing(&run, "accepted/stats.cpp", 1);
}

#[apply(cli_test)]
#[needs(GOOGLETEST)]
fn tricks_around_calls_in_cpp_get_nothing() {
    let tricks = tricks_around_calls();
    let workspace = googletest(SUM_TESTS, SUM_HEADER);
    workspace.problem("units").toml("entry.tests = \"tests/test_stats.cpp\"\nlimits.time_limit = 2\n");
    workspace.problem("units").submission("accepted/stats.cpp", SUM);
    for (name, text) in &tricks {
        workspace.problem("units").submission(&format!("rejected/{name}.cpp"), text);
    }
    let beside = |name: &str, text: &str| {
        workspace.file(format!("problems/units/submissions/rejected/beside/{name}"), text);
    };
    beside("stats.cpp", "#include \"stats.h\"\nint add(int, int) { return 0; }\nstd::string name() { return \"\"; }\n");
    beside("stats.h", "#include <string>\nstd::string name();\ninline int add(int a, int b) { return a + b; }\n");
    beside("tests/test_stats.cpp", "#include <gtest/gtest.h>\nTEST(Add, Sum) {}\n");
    beside("graderunits/main.cpp", "int main() {}\n");
    beside("graderunits/solution.o", "");
    beside("build", "exit 0\n");
    let run = workspace.run(&["--all-tests"]);
    get_nothing(&run, "accepted/stats.cpp", tricks.len() + 1);
}

#[apply(cli_test)]
#[needs(&[Need::Tool("g++"), Need::Tool("unshare"), Need::Mount])]
fn a_missing_googletest_is_named() {
    let workspace = googletest(SUM_TESTS, SUM_HEADER);
    workspace.problem("units").submission("accepted/stats.cpp", SUM);
    let run = without(workspace.call(&[]), &["/usr/include/gtest", "/usr/local/include/gtest"]).run();
    run.status(2)
        .says("units/tests/test_stats.cpp: cannot be run: GoogleTest is not installed: apt-get install libgtest-dev");
    assert!(!run.all().contains("fix the"), "{}", run.all());
}
