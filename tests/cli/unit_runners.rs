//! `entry.tests` with runners in whose process the solution is: go test and `JUnit` 5.

use macro_rules_attribute::apply;

use crate::cli::need::Need;
use crate::cli::unit_problems::{JudgedClass, get_nothing, refused, units};
use crate::cli::workspace::Workspace;

const JUNIT: &[Need] = &[Need::Tool("javac"), Need::File("/usr/share/java/junit-platform-launcher.jar")];

const GO_TESTS: &str = r#"package stats

import (
	"errors"
	"testing"
)

// points: 3
func TestMean(t *testing.T) {
	if got, _ := Mean([]float64{1, 2}); got != 1.5 {
		t.Errorf("Mean(1, 2) = %v, want %v", got, 1.5)
	}
}

func TestEmpty(t *testing.T) {
	if _, err := Mean(nil); !errors.Is(err, ErrEmpty) {
		t.Fatal("no ErrEmpty")
	}
}

func TestStack(t *testing.T) {
	for _, n := range NUMBERS {
		n := n
		t.Run("push", func(t *testing.T) {
			t.Parallel()
			var s Stack
			s.Push(n)
			if s.Pop() != n {
				t.Error("another", n)
			}
		})
	}
}

func TestPrints(t *testing.T) {
	Greet("Ada")
}
"#;

const GO: &str = r#"package stats

import (
	"errors"
	"fmt"
)

var ErrEmpty = errors.New("empty")

func Mean(xs []float64) (float64, error) {
	if len(xs) == 0 {
		return 0, ErrEmpty
	}
	sum := 0.0
	for _, x := range xs {
		sum += x
	}
	return sum / float64(len(xs)), nil
}

type Stack struct{ items []int }

func (s *Stack) Push(x int) { s.items = append(s.items, x) }
func (s *Stack) Pop() int {
	x := s.items[len(s.items)-1]
	s.items = s.items[:len(s.items)-1]
	return x
}

func Greet(name string) { fmt.Println("Hello,", name) }
"#;

#[apply(cli_test)]
#[needs(&[Need::Tool("go")])]
fn tests_in_go_are_cases_with_points() {
    let workspace = units("stats_test.go", GO_TESTS);
    workspace.file("problems/units/tests/helper_test.go", "package stats\n\nvar NUMBERS = []int{1, 2}\n");
    workspace.problem("units").toml("entry.tests = \"tests/stats_test.go\"\nreference = \"accepted/stats.go\"\n");
    workspace.problem("units").submission("accepted/stats.go", GO);
    // The tests of the author are left out.
    let own = |name: &str, text: &str| workspace.file(format!("problems/units/submissions/accepted/own/{name}"), text);
    own("stats.go", GO);
    own(
        "stats_test.go",
        "package stats\n\nimport (\n\t\"os\"\n\t\"testing\"\n)\n\nfunc TestMain(m *testing.M) { os.Exit(0) }\n",
    );
    let wrong =
        GO.replace("/ float64(len(xs))", "/ 2.5").replace("return 0, ErrEmpty", "return 0, errors.New(\"empty\")");
    let wrong = wrong.replace("x := s.items[len(s.items)-1]", "x := s.items[len(s.items)]");
    workspace.problem("units").submission("rejected/wrong.go", &wrong);
    workspace.problem("units").submission("rejected/lacks.go", &GO.replace("ErrEmpty", "ErrNone"));
    let run = workspace.run(&["--all-tests"]);
    run.status(1).shows("4 tests · 6 points").ends("accepted/own", "AC", "met");
    run.ends("rejected/lacks.go", "CE", "missed").judged(
        "rejected/wrong.go",
        "TestMean",
        "WA",
        "stats_test.go:11: Mean(1, 2) = 1.2, want 1.5",
    );
    run.judged("rejected/wrong.go", "TestEmpty", "WA", "stats_test.go:17: no ErrEmpty");
    run.judged("rejected/wrong.go", "TestStack", "RTE", "exit code 2");
    run.judged("rejected/wrong.go", "TestPrints", "AC", "");
    run.shows("undefined: ErrEmpty");
    workspace.problem("units").submission(
        "rejected/main.go",
        &format!("{}\nfunc main() {{}}\n", GO.replace("package stats", "package main")),
    );
    let run = workspace.run(&["-s", "rejected/main.go"]);
    run.ends("rejected/main.go", "CE", "missed").shows("main.go: says `package main`, which is a program");
    // A class, with tests in a package of their own.
    let outside = GO_TESTS.replace("package stats\n", "package stats_test\n").replace("NUMBERS", "[]int{1, 2}");
    let outside = outside.replace("\t\"testing\"", "\t\"testing\"\n\n\t. \"example.com/course/stats\"");
    let workspace = units("stats_test.go", &outside);
    workspace.problem("units").submission("accepted/stats.go", GO);
    workspace.file("students/ada.go", GO).file("students/bob.go", GO.replace("sum / float64(len(xs))", "sum"));
    workspace.file("students/cyd.py", "print(1)\n");
    workspace.file("students/dan.go", GO.replace("sum / float64(len(xs))", "xs[9]"));
    let (class, _) = JudgedClass::of(&workspace, 2);
    class.points(&[("ada", 6.0), ("bob", 3.0), ("cyd", 0.0), ("dan", 3.0)]);
    let told = "panic: runtime error: index out of range [9] with length 2";
    assert!(class.feedback.contains(told), "{}", class.feedback);
}

#[apply(cli_test)]
#[needs(&[Need::Tool("go")])]
fn tests_in_go_that_cannot_be_judged_are_errors() {
    let tests = "package stats\n\nimport \"testing\"\n\nfunc TestSkips(t *testing.T) { t.Skip(\"later\") }\nfunc TestFine(t *testing.T) {\n\tif Double(2) != 4 {\n\t\tt.Fail()\n\t}\n}\n";
    let workspace = units("stats_test.go", tests);
    workspace
        .problem("units")
        .submission("accepted/stats.go", "package stats\n\nfunc Double(n int) int { return 2 * n }\n");
    workspace
        .problem("units")
        .submission("rejected/stats.go", "package stats\n\nfunc Double(n int) int { return n }\n");
    let run = workspace.run(&["--all-tests", "-v"]);
    run.status(3).shows("the test was skipped: stats_test.go:5: later");
    run.judged("accepted/stats.go", "TestFine", "AC", "");
    run.judged("rejected/stats.go", "TestFine", "WA", "the test failed without a message");
    for (tests, told) in [
        (
            "package stats\n\nimport \"testing\"\n\nfunc TestMain(m *testing.M) {}\nfunc TestA(t *testing.T) {}\n",
            "`TestMain` is not called",
        ),
        ("package stats_test\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) {}\n", "import no package `stats`"),
        (
            "package stats\n\nimport (\n\t\"testing\"\n\n\t\"github.com/stretchr/testify/assert\"\n)\n\nfunc TestA(t *testing.T) {}\n",
            "stats_test.go imports `github.com/stretchr/testify/assert`",
        ),
        (
            "package stats\n\nimport \"testing\"\n\nfunc BenchmarkA(b *testing.B) {}\n",
            "a file of unit tests without a test",
        ),
        (
            "package stats\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) {}\nfunc TestA(t *testing.T) {}\n",
            "line 6: a test",
        ),
    ] {
        refused("stats_test.go", tests, told);
    }
}

/// Students who want points without a solution.
#[apply(cli_test)]
#[needs(&[Need::Tool("go")])]
fn tricks_in_go_get_nothing() {
    let tests = "package calc\n\nimport \"testing\"\n\nvar want = 5678\n\nfunc TestSum(t *testing.T) {\n\tvar got any\n\tfunc() {\n\t\tdefer func() { recover() }()\n\t\tgot = Add(5000, 678)\n\t}()\n\tif got != want {\n\t\tt.Fatalf(\"got %v\", got)\n\t}\n}\n";
    let importing = |package: &str, call: &str| {
        format!(
            "package calc\n\nimport {package}\n\nfunc init() {{ {call} }}\n\nfunc Add(a, b int) int {{ {call}; return 0 }}\n"
        )
    };
    let plain = |text: &str| format!("package calc\n\n{text}\n");
    let tricks = [
        ("exits", importing("\"os\"", "os.Exit(0)")),
        ("fatal", importing("\"log\"", "log.Fatal(\"PASS\")")),
        (
            "prints_pass",
            importing("\"fmt\"", "fmt.Println(\"=== RUN TestSum\\n--- PASS: TestSum (0.00s)\\nPASS\\nok\")"),
        ),
        (
            "reads_word",
            importing(
                "\"fmt\"",
                "var w, t string; fmt.Scan(&w, &t); fmt.Println(w, \"passed\"); fmt.Print(\"passed\\n\")",
            ),
        ),
        (
            "writes_descriptors",
            importing("\"syscall\"", "for fd := 1; fd < 64; fd++ { syscall.Write(fd, []byte(\"passed\\n\")) }"),
        ),
        ("reads_memory", importing("\"unsafe\"", "_ = unsafe.Pointer(nil)")),
        ("reflects", importing("\"reflect\"", "_ = reflect.ValueOf(0)")),
        (
            "linked_name",
            plain(
                "import _ \"unsafe\"\n\n//go:linkname report calc/graderunits/guard.Report\nfunc report(a, b string)\n\nfunc Add(a, b int) int { report(\"passed\", \"\"); return 0 }",
            ),
        ),
        ("takes_guard", importing("\"solution.invalid/solution/graderunits/guard\"", "guard.Report(\"passed\", \"\")")),
        (
            "hidden_import",
            plain("import \"fmt\" /*\n*/ import `os`\n\nfunc Add(a, b int) int { fmt.Print(); os.Exit(0); return 0 }"),
        ),
        ("calls_c", importing("\"C\"", "_ = 0")),
        ("patches_testing", importing("\"testing\"", "testing.Init()")),
        ("replaces_want", plain("func init() { want = 0 }\n\nfunc Add(a, b int) int { return 0 }")),
        ("own_want", plain("var want = 0\n\nfunc Add(a, b int) int { return 0 }")),
        (
            "shadows",
            plain(
                "const true = false\n\ntype int = any\n\nfunc recover() any { return nil }\n\nfunc Add(a, b any) any { return nil }",
            ),
        ),
        (
            "is_everything",
            plain(
                "type Any struct{ x any }\n\nfunc (Any) Equal(any) bool { return true }\n\nfunc Add(a, b int) any { return Any{} }",
            ),
        ),
        ("panics", plain("func Add(a, b int) int { panic(\"PASS\") }")),
        ("threads", importing("\"time\"", "go func() { panic(0) }(); time.Sleep(time.Second)")),
        ("ignored", "//go:build ignore\n\npackage calc\n\nfunc Add(a, b int) int { return 5678 }\n".to_owned()),
        ("lacks", plain("func Sum(a, b int) int { return a + b }")),
    ];
    let workspace = units("calc_test.go", tests);
    workspace
        .problem("units")
        .submission("accepted/calc.go", "package calc\n\nfunc Add(a, b int) int { return a + b }\n");
    for (name, text) in &tricks {
        workspace.problem("units").submission(&format!("rejected/{name}.go"), text);
    }
    // Files that would replace those of the runner or the tests, and one that `go build` would link.
    let beside = |name: &str, text: &str| {
        workspace.file(format!("problems/units/submissions/rejected/{name}"), text);
    };
    let wrong = "package calc\n\nfunc Add(a, b int) int { return 0 }\n";
    beside("replaces/calc.go", wrong);
    beside("replaces/calc_test.go", "package calc\n\nimport \"testing\"\n\nfunc TestSum(t *testing.T) {}\n");
    beside("replaces/graderunits.go", "package calc\n\nimport \"os\"\n\nfunc init() { os.Exit(0) }\n");
    beside("replaces/go.mod", "module calc\n\nreplace fmt => ./graderunits\n");
    beside("replaces/graderunits/main.go", "package main\n\nfunc main() {}\n");
    beside("replaces/graderunits/tests/more.go", "package tests\n\nfunc init() { want = 0 }\n");
    beside("replaces/graderunits/guard/init.go", "package guard\n\nfunc init() { Report(\"passed\", \"\") }\n");
    beside("assembly/calc.go", wrong);
    beside("assembly/calc.s", "TEXT ·Add(SB), 4, $0\n");
    beside("works/calc.go", wrong);
    beside("works/go.work", "go 1.18\n\nuse ./graderunits\n");
    let run = workspace.run(&["--all-tests"]);
    get_nothing(&run, "accepted/calc.go", tricks.len() + 3);
    run.judged("rejected/replaces", "TestSum", "WA", "calc_test.go:14: got 0");
    run.judged("rejected/reads_word.go", "TestSum", "WA", "calc_test.go:14: got 0");
    run.shows("exits.go: imports `os`; the solution of unit tests imports only");
}

const JAVA_TESTS: &str = r#"import static org.junit.jupiter.api.Assertions.*;

import java.util.List;
import org.junit.jupiter.api.*;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StatsTest {
    private Stats stats;

    @BeforeEach
    void setUp() {
        stats = new Stats();
    }

    // points: 3
    @Test
    @DisplayName("the mean (of two)")
    void mean() {
        assertEquals(1.5, stats.mean(Helper.NUMBERS));
    }

    @Nested
    class Empty {
        @Test
        void throwsError() {
            assertThrows(IllegalArgumentException.class, () -> stats.mean(List.of()));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void doubles(int n) {
        assertEquals(2 * n, stats.twice(n));
    }

    @Test
    void plain() {
        assertEquals(List.of(new Stats.Point(1, 2)), stats.points(1, 2), "a list of one point");
    }
}
"#;

const JAVA: &str = r#"import java.util.*;
import java.util.stream.*;

public class Stats {
    record Point(int x, int y) {}

    double mean(List<Integer> xs) {
        if (xs.isEmpty()) throw new IllegalArgumentException("empty " + xs);
        return xs.stream().mapToInt(x -> x).average().getAsDouble();
    }

    int twice(int n) {
        System.out.println("twice");
        return 2 * n;
    }

    List<Point> points(int x, int y) {
        return Stream.of(new Point(x, y)).collect(Collectors.toList());
    }
}
"#;

#[apply(cli_test)]
#[needs(JUNIT)]
fn tests_of_junit_are_cases_with_points() {
    let workspace = units("StatsTest.java", JAVA_TESTS);
    let helper =
        "import java.util.List;\n\nclass Helper {\n    static final List<Integer> NUMBERS = List.of(1, 2);\n}\n";
    workspace.file("problems/units/tests/Helper.java", helper);
    let settings =
        "entry.tests = \"tests/StatsTest.java\"\nlimits.time_limit = 20\nreference = \"accepted/Stats.java\"\n";
    workspace.problem("units").toml(settings).submission("accepted/Stats.java", JAVA);
    // The tests of the author are not those of the teacher.
    let own = |name: &str, text: &str| workspace.file(format!("problems/units/submissions/accepted/own/{name}"), text);
    own("Stats.java", JAVA);
    own(
        "StatsTest.java",
        "import org.junit.jupiter.api.Test;\n\nclass StatsTest {\n    @Test void mean() { throw new AssertionError(); }\n}\n",
    );
    let wrong = JAVA.replace("average().getAsDouble()", "sum()").replace("new IllegalArgumentException", "new Error");
    let wrong = wrong.replace("2 * n", "n * n").replace("new Point(x, y)", "new Point(x, y / 0)");
    workspace.problem("units").submission("rejected/Stats.java", &wrong);
    let run = workspace.run(&["--all-tests"]);
    run.status(0).shows("4 tests · 6 points").ends("accepted/own", "AC", "met");
    run.judged("rejected/Stats.java", "mean", "WA", "StatsTest.java:20: expected: <1.5> but was: <3.0>");
    run.judged("rejected/Stats.java", "Empty.throwsError", "WA", "Unexpected exception type thrown");
    run.judged("rejected/Stats.java", "doubles", "WA", "expected: <2> but was: <1>");
    run.judged("rejected/Stats.java", "plain", "RTE", "exit code 1");
    workspace.file("students/ada/Stats.java", &wrong);
    let (class, _) = JudgedClass::of(&workspace, 1);
    let told = "java.lang.ArithmeticException: / by zero (Stats.java:18)";
    assert!(class.feedback.contains(told), "{}", class.feedback);
    // The compiler would show the line of the test, with what it expects.
    workspace.problem("units").submission("rejected/Stats.java", &JAVA.replace("double mean(", "double average("));
    let run = workspace.run(&["-s", "rejected"]);
    run.ends("rejected/Stats.java", "CE", "missed")
        .shows("StatsTest.java:20: error: cannot find symbol")
        .hides("assertEquals");
    workspace.problem("units").submission("rejected/Stats.java", &format!("package edu.own;\n{JAVA}"));
    let run = workspace.run(&["-s", "rejected"]);
    run.ends("rejected/Stats.java", "CE", "missed").shows("Stats.java: says `package edu.own`, where the tests do not");
}

#[apply(cli_test)]
#[needs(JUNIT)]
fn tests_of_junit_that_cannot_be_judged_are_errors() {
    let tests = "import static org.junit.jupiter.api.Assertions.*;\nimport org.junit.jupiter.api.*;\nclass StatsTest {\n    @Test @Disabled(\"later\") void skipped() {}\n    @Test void assumed() { Assumptions.assumeTrue(false); }\n}\n";
    let workspace = units("StatsTest.java", tests);
    workspace.problem("units").submission("accepted/Stats.java", "class Stats {}\n");
    let run = workspace.run(&["--all-tests", "-v"]);
    run.status(3).shows("the test was skipped: later").shows("assumption");
    let imports = "import static org.junit.jupiter.api.Assertions.*;\nimport static stats.Stats.*;\nclass StatsTest {\n    @org.junit.jupiter.api.Test void a() {}\n    @Test void b() {}\n}\n";
    let workspace = units("StatsTest.java", imports);
    workspace.problem("units").submission("accepted/Stats.java", "class Stats {}\n");
    workspace.run(&[]).status(2).says("StatsTest.java imports all that the solution's class stats.Stats has");
}

/// A test of the sum of two numbers, and what takes an exception of the solution for 0.
const JAVA_SUM: &str = "import org.junit.jupiter.api.*;\n\nclass CalcTest {\n    static final int WANT = 5678; static int want = WANT;\n\n    @Test\n    void sum() {\n        int got = 0;\n        try {\n            got = Calc.add(5000, 678);\n        } catch (Exception error) {\n        }\n        Assertions.assertEquals(want, got);\n    }\n}\n";

/// Solutions in Java of students who want points without one.
fn tricks_in_java() -> Vec<(&'static str, String)> {
    let class = |text: &str| format!("class Calc {{\n    {text}\n}}\n");
    let in_call = |text: &str| {
        class(&format!("static int add(int a, int b) {{ try {{ {text} }} catch (Throwable error) {{}} return 0; }}"))
    };
    let on_load = |text: &str| {
        class(&format!(
            "static {{ try {{ {text} }} catch (Throwable error) {{}} }}\n    static int add(int a, int b) {{ return 0; }}"
        ))
    };
    let with = |others: &str| format!("{others}\n{}", in_call(""));
    vec![
        ("exits", on_load("System.exit(0);")),
        ("reads_word", on_load("String line = new java.util.Scanner(System.in).nextLine(); System.out.println(line.split(\" \")[0] + \" passed\");")),
        ("writes_out", in_call("new java.io.FileOutputStream(java.io.FileDescriptor.out).write(\"passed\\n\".getBytes());")),
        ("opens_out", in_call("new java.io.PrintStream(\"/proc/self/fd/1\").println(\"passed\");")),
        ("reflects_runner", in_call("for (var f : Class.forName(\"GraderUnits\").getDeclaredFields()) f.setAccessible(true);")),
        ("handles", in_call("java.lang.invoke.MethodHandles.lookup().findStatic(System.class, \"exit\", null).invoke(0);")),
        ("starts", in_call("new ProcessBuilder(\"sh\", \"-c\", \"echo passed > /proc/$PPID/fd/1\").inheritIO().start().waitFor();")),
        ("passes_tests", with("class CalcTest { static int want; }\nclass Before { static { CalcTest.want = 0; } static void run() {} }").replace("try {  }", "try { Before.run(); }")),
        ("own_runner", with("class GraderUnits { static String word; static void end(String a, String b) {} }").replace("try {  }", "try { GraderUnits.end(\"passed\", \"\"); }")),
        ("own_assertions", with("class Assertions { static void assertEquals(Object a, Object b) {} }")),
        ("own_annotation", with("@interface Test {}")),
        ("takes_constant", in_call("return CalcTest.WANT;")),
        ("skips", in_call("throw new org.opentest4j.TestAbortedException();")),
    ]
}

/// The problem of [`JAVA_SUM`] with some of these tricks.
fn with_tricks(tricks: &[(&str, String)]) -> Workspace {
    let workspace = units("CalcTest.java", JAVA_SUM);
    let accepted = "class Calc {\n    static int add(int a, int b) { return a + b; }\n}\n";
    workspace.problem("units").submission("accepted/Calc.java", accepted);
    for (name, text) in tricks {
        workspace.file(format!("problems/units/submissions/rejected/{name}/Calc.java"), text);
    }
    workspace
}

#[apply(cli_test)]
#[needs(JUNIT)]
fn tricks_in_java_get_nothing() {
    let tricks = tricks_in_java();
    let (tricks, _) = tricks.split_at(tricks.len() / 2);
    let run = with_tricks(tricks).run(&["--all-tests"]);
    get_nothing(&run, "accepted/Calc.java", tricks.len());
    run.judged(
        "rejected/opens_out",
        "sum",
        "WA",
        "uses java.io.PrintStream.<init>, which the solution of unit tests cannot",
    );
}

#[apply(cli_test)]
#[needs(JUNIT)]
fn more_tricks_in_java_get_nothing() {
    let tricks = tricks_in_java();
    let (_, tricks) = tricks.split_at(tricks.len() / 2);
    let workspace = with_tricks(tricks);
    // Files that would replace the tests, the runner or the library, and what the compiler would start.
    let beside = |name: &str, text: &str| {
        workspace.file(format!("problems/units/submissions/rejected/beside/{name}"), text);
    };
    beside("Calc.java", "class Calc {\n    static int add(int a, int b) { return 0; }\n}\n");
    beside("CalcTest.java", "import org.junit.jupiter.api.*;\nclass CalcTest { @Test void sum() {} }\n");
    beside("graderunits/CalcTest.java", "import org.junit.jupiter.api.*;\nclass CalcTest { @Test void sum() {} }\n");
    beside("graderunits/made/GraderUnits.class", "");
    beside(
        "org/junit/jupiter/api/Assertions.java",
        "package org.junit.jupiter.api;\npublic class Assertions { public static void assertEquals(int a, int b) {} }\n",
    );
    beside("META-INF/services/javax.annotation.processing.Processor", "Calc\n");
    beside("junit-platform.properties", "junit.jupiter.extensions.autodetection.enabled=true\n");
    let run = workspace.run(&["--all-tests"]);
    get_nothing(&run, "accepted/Calc.java", tricks.len() + 1);
    run.judged("rejected/beside", "sum", "WA", "CalcTest.java:13: expected: <5678> but was: <0>");
    run.judged(
        "rejected/own_assertions",
        "sum",
        "WA",
        "the class Assertions would take the place of org.junit.jupiter.api.Assertions",
    );
}

#[apply(cli_test)]
#[needs(&[Need::Tool("javac")])]
fn a_missing_junit_is_no_fault_of_a_solution() {
    let workspace = units("StatsTest.java", JAVA_TESTS);
    workspace.file("grader.toml", "[language.java.tests]\nneeds = [\"/nowhere/junit.jar\"]\n");
    workspace.problem("units").submission("accepted/Stats.java", JAVA);
    workspace.run(&[]).status(2).shows("no JUnit 5: apt-get install junit5");
}
