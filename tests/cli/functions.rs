//! `entry.function`: problems whose tests call a function.

use macro_rules_attribute::apply;
use serde_json::Value;

use crate::cli::need::Need;
use crate::cli::workspace::Workspace;

const PYTHON: &[Need] = &[Need::Tool("python3")];

/// The problem `pairs`: the positions of two numbers with a sum.
fn pairs(settings: &str) -> Workspace {
    let workspace = Workspace::new();
    let toml = format!("entry.function = \"pair\"\nreference = \"accepted/plain.py\"\n{settings}");
    workspace.problem("pairs").toml(&toml).case("sample/1", "[[2, 7, 11], 9]", "[0, 1]\n");
    workspace.problem("pairs").case("secret/1", "{\"total\": 6, \"numbers\": [3, 2, 4]}", "[1,2]");
    let plain = "def pair(numbers, total):\n    n = range(len(numbers))\n    print('looking')\n    return next((i, j) for i in n for j in n if i < j and numbers[i] + numbers[j] == total)\n";
    workspace.problem("pairs").submission("accepted/plain.py", plain);
    workspace
}

#[apply(cli_test)]
#[needs(PYTHON)]
fn a_problem_calls_a_function() {
    let workspace = pairs("");
    let submissions = [
        // What `typing` exports is there.
        (
            "accepted/class.py",
            "class Solution:\n  def pair(self, numbers: List[int], total: int):\n    return {9: [0, 1], 6: [1.0, 2]}[total]\n",
        ),
        ("wrong_answer/order.py", "def pair(numbers, total): return [1, 0]\n"),
        ("wrong_answer/text.py", "def pair(numbers, total): return '[0, 1]'\n"),
        ("wrong_answer/exits.py", "import os\nos.write(1, b'[0, 1]')\nos._exit(0)\n"),
        ("wrong_answer/nothing.py", "def pair(numbers, total): print([0, 1])\n"),
        ("wrong_answer/huge.py", "def pair(numbers, total): return 'x' * 3000000\n"),
        ("wrong_answer/no_json.py", "def pair(numbers, total): return float('nan')\n"),
        (
            "wrong_answer/equals.py",
            "class Same(list):\n  def __eq__(self, other): return True\ndef pair(numbers, total): return Same([7])\n",
        ),
        ("run_time_error/other_name.py", "def pairs(numbers, total): return [0, 1]\n"),
        ("run_time_error/set.py", "def pair(numbers, total): return {0, 1}\n"),
    ];
    for (name, text) in submissions {
        workspace.problem("pairs").submission(name, text);
    }
    let run = workspace.run(&[]);
    run.status(0).ends("accepted/class.py", "AC", "met");
    run.judged("wrong_answer/order.py", "sample/1", "WA", "at [0]: expected 0, got 1");
    run.judged("wrong_answer/text.py", "sample/1", "WA", "expected a list of length 2, got \"[0, 1]\"");
    run.judged("wrong_answer/exits.py", "sample/1", "WA", "the program ended before the function returned");
    let nothing = "a list of length 2, got null (the function returned nothing; printing a value does not return it)";
    run.judged("wrong_answer/nothing.py", "sample/1", "WA", nothing);
    run.judged("wrong_answer/huge.py", "sample/1", "WA", "a value of more than 1 MiB");
    run.judged("wrong_answer/no_json.py", "sample/1", "WA", "the returned value is not JSON");
    // The cache knows the checker.
    workspace.run(&[]).status(0);
    let exact = pairs("checker = \"float=2\"\n");
    exact.problem("pairs").submission("wrong_answer/order.py", "def pair(numbers, total): return [1, 0]\n");
    exact.run(&[]).status(1).ends("wrong_answer/order.py", "AC", "missed");
}

/// The problem `pairs` with submissions of these names and texts, all of which are as labelled.
fn pairs_in(submissions: &[(&str, &str)]) -> crate::cli::run::Run {
    let workspace = pairs("");
    std::fs::remove_file(workspace.path("problems/pairs/submissions/accepted/plain.py")).unwrap();
    let reference = submissions[0].0;
    workspace.problem("pairs").toml(&format!("entry.function = \"pair\"\nreference = \"{reference}\"\n"));
    // An input by names is for Python alone.
    workspace.problem("pairs").case("secret/1", "[[3, 2, 4], 6]", "[1,2]");
    for (name, text) in submissions {
        workspace.problem("pairs").submission(name, text);
    }
    let run = workspace.run(&["--all-tests"]);
    run.status(0);
    run
}

#[apply(cli_test)]
#[needs(&[Need::Tool("node")])]
fn functions_in_javascript() {
    let right = "  for (let j = 0; j < numbers.length; j++)\n    for (let i = 0; i < j; i++) if (numbers[i] + numbers[j] === total) return [i, j];\n";
    let run = pairs_in(&[
        ("accepted/plain.js", &format!("function pair(numbers, total) {{\n  console.log('looking');\n{right}}}\n")),
        ("accepted/main.js", &format!("module.exports = {{ pair(numbers, total) {{\n{right}}} }};\n")),
        ("accepted/module.mjs", &format!("export async function pair(numbers, total) {{\n{right}}}\n")),
        ("accepted/module.js", &format!("export const pair = (numbers, total) => {{\n{right}}};\n")),
        ("accepted/class.js", &format!("class Solution {{\n  pair(numbers, total) {{\n{right}}}\n}}\n")),
        ("wrong_answer/order.js", "const pair = () => [1, 0];\n"),
        ("wrong_answer/text.js", "const pair = () => '[0, 1]';\n"),
        ("wrong_answer/exits.js", "const pair = () => process.exit(0);\n"),
        ("wrong_answer/exits_at_once.js", "process.exit(0);\n"),
        (
            "wrong_answer/forged.js",
            "const pair = () => { require('fs').writeSync(1, '[0, 1]\\n'); process.exit(0) };\n",
        ),
        ("wrong_answer/both.js", "require('fs').writeSync(1, '[0, 1]\\n'); const pair = () => [1, 2];\n"),
        ("wrong_answer/prints.js", "const pair = () => console.log([0, 1]);\n"),
        (
            "wrong_answer/patched.js",
            "JSON.stringify = () => '[0, 1]'; Array.isArray = () => true;\nconst pair = () => 7;\n",
        ),
        ("wrong_answer/proxy.js", "const pair = () => ({ toJSON: () => [0, 1, 2] });\n"),
        ("wrong_answer/infinite.js", "const pair = () => [0, 1 / 0];\n"),
        ("wrong_answer/never.js", "const pair = () => new Promise(() => {});\n"),
        ("run_time_error/throws.js", "const pair = () => { throw null };\n"),
        ("run_time_error/set.js", "const pair = () => new Set([0, 1]);\n"),
        ("run_time_error/other_name.js", "const pairs = () => [0, 1];\n"),
    ]);
    run.judged("wrong_answer/exits.js", "sample/1", "WA", "the program ended before the function returned");
    run.judged("wrong_answer/text.js", "sample/1", "WA", "expected a list of length 2, got \"[0, 1]\"");
    run.judged("wrong_answer/infinite.js", "sample/1", "WA", "the returned value is not JSON");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("g++")])]
fn functions_in_cpp() {
    let right = "for (int j = 0; j < (int)numbers.size(); j++) for (int i = 0; i < j; i++) if (numbers[i] + numbers[j] == total) return {i, j};\n  return {};\n";
    let run = pairs_in(&[
        (
            "accepted/plain.cpp",
            &format!(
                "#include <iostream>\n#include <vector>\nusing namespace std;\n#define int long long\nvector<int> pair(vector<int>& numbers, const int total) {{\n  cout << \"looking\\n\";\n  {right}}}\nsigned main() {{ return 1; }}\n"
            ),
        ),
        (
            "accepted/class.cc",
            &format!(
                "#include <utility>\n#include <vector>\nclass Solution {{\npublic:\n  std::pair<int, int> pair(const std::vector<int>& numbers, int total) const {{\n{right}}}\n}};\n"
            ),
        ),
        (
            "wrong_answer/order.cpp",
            "#include <array>\nstd::array<int, 2> pair(std::array<int, 3>, int) { return {1, 0}; }\n",
        ),
        (
            "wrong_answer/text.cpp",
            "#include <string>\n#include <vector>\nstd::string pair(std::vector<int>, int) { return \"[0, 1]\"; }\n",
        ),
        (
            "wrong_answer/exits.cpp",
            "#include <cstdlib>\n#include <vector>\nvoid pair(std::vector<int>, int) { std::exit(0); }\n",
        ),
        (
            "wrong_answer/forged.cpp",
            "#include <unistd.h>\n#include <vector>\nvoid pair(std::vector<int>, int) { if (write(1, \"[0, 1]\\n\", 7)) _exit(0); }\n",
        ),
        (
            "wrong_answer/early.cpp",
            "#include <cstdio>\n#include <vector>\nstruct Early { Early() { puts(\"[0, 1]\"); fflush(stdout); } } early;\nint pair(std::vector<int>, int) { return 7; }\n",
        ),
        (
            "run_time_error/overflow.cpp",
            "#include <vector>\nstd::vector<int> pair(std::vector<signed char>, bool) { return {0, 1}; }\n",
        ),
        (
            "run_time_error/throws.cpp",
            "#include <vector>\nstd::vector<int> pair(std::vector<int> numbers, int) { return {numbers.at(9)}; }\n",
        ),
        ("run_time_error/fewer.cpp", "#include <vector>\nint pair(std::vector<int>) { return 0; }\n"),
        ("compile_error/other_name.cpp", "int pairs(int) { return 0; }\n"),
        ("compile_error/other_type.cpp", "struct Own {};\nint pair(Own, int) { return 0; }\n"),
        ("compile_error/twice.cpp", "int pair(int) { return 0; }\nint pair(int, int) { return 0; }\n"),
        ("compile_error/syntax.cpp", "int pair(int) { return 0 }\n"),
    ]);
    // The words of the compiler about our own program are hidden.
    let built = |name: &str| {
        let of = |event: &&Value| event["of"]["submission"] == format!("compile_error/{name}");
        run.of("built").find(of).expect("it was built")["result"].to_string()
    };
    let none = "there is neither a function `pair` nor a class `Solution` with it; a template does not count";
    for (name, words) in [
        ("other_name.cpp", none),
        ("twice.cpp", none),
        ("other_type.cpp", "a type that no JSON value has"),
        ("syntax.cpp", "solution.cpp:1:25: error"),
    ] {
        let built = built(name);
        assert!(built.contains(words) && !built.contains("In instantiation of"), "{built}");
    }
    run.judged("wrong_answer/exits.cpp", "sample/1", "WA", "the program ended before the function returned");
    run.judged("run_time_error/overflow.cpp", "sample/1", "RTE", "exit code 1");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("g++")])]
fn a_method_in_cpp_may_have_the_name_of_a_function_of_std() {
    let workspace = Workspace::new();
    workspace
        .problem("turn")
        .toml("entry.function = \"reverse\"\nreference = \"accepted/plain.cpp\"\n")
        .case("sample/1", "[[1, 2]]", "[2, 1]");
    let body = "vector<int> reverse(vector<int> a) { std::reverse(a.begin(), a.end()); return a; }";
    let begin = "#include <algorithm>\n#include <vector>\nusing namespace std;\n";
    let class = format!("{begin}class Solution {{ public: {body} }};\n");
    workspace.problem("turn").submission("accepted/class.cpp", &class);
    workspace.problem("turn").submission("accepted/plain.cpp", &format!("{begin}{body}\n"));
    workspace.problem("turn").submission("compile_error/none.cpp", begin);
    workspace.run(&[]).status(0).ends("accepted/class.cpp", "AC", "met").ends("accepted/plain.cpp", "AC", "met");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("javac")])]
fn functions_in_java() {
    let right = "for (int j = 0; j < numbers.length; j++) for (int i = 0; i < j; i++) if (numbers[i] + numbers[j] == total) return new int[] {i, j};\n    return null;\n";
    let run = pairs_in(&[
        (
            "accepted/Main.java",
            &format!(
                "public class Main {{\n  static int[] pair(int[] numbers, long total) {{\n    System.out.println(\"looking\");\n    {right}  }}\n  public static void main(String[] args) {{ }}\n}}\n"
            ),
        ),
        (
            "accepted/lists.java",
            "import java.util.*;\nclass Solution {\n  List<Integer> pair(List<Integer> numbers, int total) { return total == 9 ? List.of(0, 1) : List.of(1, 2); }\n}\n",
        ),
        (
            "wrong_answer/order.java",
            "class Order { int[] pair(int[] numbers, int total) { return new int[] {1, 0}; } }\n",
        ),
        (
            "wrong_answer/exits.java",
            "class Exits { int[] pair(int[] numbers, int total) { System.exit(0); return null; } }\n",
        ),
        (
            "wrong_answer/forged.java",
            "import java.io.*;\nclass Forged {\n  static Object pair(int[] numbers, int total) throws Exception {\n    new FileOutputStream(FileDescriptor.out).write(\"[0, 1]\\n\".getBytes());\n    return 7;\n  }\n}\n",
        ),
        (
            "run_time_error/overflow.java",
            "class Overflow { int[] pair(byte[] numbers, boolean total) { return new int[] {0, 1}; } }\n",
        ),
        (
            "run_time_error/throws.java",
            "class Throws { int[] pair(int[] numbers, int total) { return new int[] {numbers[9]}; } }\n",
        ),
        ("run_time_error/object.java", "class It { Object pair(int[] numbers, int total) { return new It(); } }\n"),
        ("run_time_error/other_name.java", "class It { int[] pairs(int[] numbers, int total) { return null; } }\n"),
    ]);
    run.judged("wrong_answer/exits.java", "sample/1", "WA", "the program ended before the function returned");
}

#[apply(cli_test)]
#[needs(PYTHON)]
fn a_class_is_judged_by_a_function() {
    let workspace = pairs("");
    workspace.file("students/ada.py", "def pair(numbers, total): return [0, 1] if total == 9 else [1, 2]\n");
    workspace.file("students/bob.py", "def pair(numbers, total): return [0, 1]\n");
    let judged = workspace.grader(&["judge", "students", "--problem", "pairs", "--report", "csv=grades.csv"]);
    judged.status(1);
    let grades = workspace.read("grades.csv");
    let has = |words: [&str; 2]| grades.lines().any(|line| words.iter().all(|word| line.contains(word)));
    assert!(has(["ada", "AC"]) && has(["bob", "WA"]), "{grades}");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3"), Need::Tool("sh")])]
fn a_language_without_a_driver_gets_no_verdict() {
    let workspace = pairs("");
    workspace.file("students/ada/pairs.sh", "echo '[0, 1]'\n");
    workspace.file("students/bob/pairs.py", "def pair(numbers, total): return [0, 1] if total == 9 else [1, 2]\n");
    let layout = "{student}/{problem}.*";
    let judged = workspace.grader(&["judge", "students", "--layout", layout, "--report", "gradebook=grades.csv"]);
    judged
        .status(2)
        .shows("not judged: ada: no driver calls functions in")
        .shows("only in Python, JavaScript, Java, C++");
    let grades = workspace.read("grades.csv");
    assert!(grades.contains("ada,,,not judged") && grades.contains("bob,1,1,AC"), "{grades}");
}

/// Programs of several files, and names of files that the drivers have too.
#[apply(cli_test)]
#[needs(&[Need::Tool("python3"), Need::Tool("node"), Need::Tool("javac"), Need::Tool("g++")])]
fn a_class_is_judged_by_a_function_in_several_languages() {
    let workspace = pairs("");
    workspace.problem("pairs").case("secret/1", "[[3, 2, 4], 6]", "[1,2]");
    for (name, text) in [
        ("ada/pairs.mjs", "import { two } from './helper.mjs';\nexport const pair = (n, t) => two(t);\n"),
        ("ada/helper.mjs", "export const two = (t) => (t === 9 ? [0, 1] : [1, 2]);\n"),
        ("bob/Pairs.java", "public class Pairs { int[] pair(int[] n, int t) { return Helper.two(t); } }\n"),
        (
            "bob/Helper.java",
            "class Helper { static int[] two(int t) { return new int[] {t == 9 ? 0 : 1, t == 9 ? 1 : 2}; } }\n",
        ),
        ("cyd/pairs.cpp", "#include \"helper.h\"\nstd::vector<int> pair(std::vector<int>, int t) { return two(t); }\n"),
        ("cyd/helper.h", "#include <vector>\ninline std::vector<int> two(int t) { return {t != 9, 1 + (t != 9)}; }\n"),
        (
            "dan/solution.cpp",
            "#include \"helper.h\"\nstd::vector<int> pair(std::vector<int>, int t) { return two(t); }\n",
        ),
        ("dan/helper.h", "#include <vector>\nstd::vector<int> two(int t);\n"),
        ("dan/helper.cpp", "#include \"helper.h\"\nstd::vector<int> two(int t) { return {t != 9, 1 + (t != 9)}; }\n"),
        ("eve/main.js", "exports.pair = (n, t) => (t === 9 ? [0, 1] : [1, 2]);\n"),
        (
            "fay/Main.java",
            "package a.b;\npublic class Main {\n  public static int[] pair(int[] n, int t) { return new int[] {t == 9 ? 0 : 1, t == 9 ? 1 : 2}; }\n  public static void main(String[] a) {}\n}\n",
        ),
    ] {
        workspace.file(format!("students/{name}"), text);
    }
    let judged = workspace.grader(&["judge", "students", "--problem", "pairs", "--report", "csv=grades.csv"]);
    judged.status(0);
    let grades = workspace.read("grades.csv");
    for student in ["ada", "bob", "cyd", "dan", "eve", "fay"] {
        let is_right = |line: &str| line.contains(&format!("/{student}")) && line.contains("AC");
        assert!(grades.lines().any(is_right), "{student}: {grades}");
    }
}

#[apply(cli_test)]
#[needs(PYTHON)]
fn a_plain_folder_describes_its_function() {
    let workspace = Workspace::new();
    workspace.file("double/problem.toml", "entry = { function = \"double\" }\n");
    workspace
        .file("double/1.in", "[21]")
        .file("double/1.out", "42")
        .file("double/2.in", "[0.1]")
        .file("double/2.out", "0.2");
    workspace.file("double/double.py", "def double(x):\n    return x + x\n");
    workspace.file("grader.toml", "problems = [\".\"]\n");
    workspace.run(&[]).status(0).ends("double.py", "AC", "met");
}

#[apply(cli_test)]
#[needs(PYTHON)]
fn an_input_without_arguments_is_no_fault_of_a_program() {
    let workspace = pairs("");
    workspace.problem("pairs").case("secret/2", "[[1, 2], 3", "[0, 1]").case("secret/3", "7", "[0, 1]");
    let run = workspace.run(&["--all-tests"]);
    run.status(3).shows("the input has no arguments: it is not JSON").shows("secret/2.in").hides("RTE");
    let of_third = run.test("accepted/plain.py", "secret/3").to_string();
    assert!(of_third.contains("the input has no arguments: a value that is not a list (secret/3.in)"), "{of_third}");
    // A program that raises with good arguments is RTE.
    let other = pairs("");
    other.problem("pairs").submission("run_time_error/other_name.py", "def pairs(numbers, total): return [0, 1]\n");
    other.run(&[]).status(0).ends("run_time_error/other_name.py", "RTE", "met");
}

#[apply(cli_test)]
fn what_does_not_fit_a_function_is_an_error() {
    for (settings, told) in [
        ("checker = \"wcmp\"\n", "`wcmp` compares texts; calls of a function have values"),
        ("checker = \"regex\"\n", "`regex` compares texts"),
        ("type = \"submit-answer\"\n", "`entry.function` with type `submit-answer`"),
        ("entry.call = \"x\"\n", "entry.call"),
    ] {
        pairs(settings).run(&[]).status(2).says(told);
    }
    let workspace = pairs("");
    workspace.problem("pairs").toml("entry.function = \"a b\"\n");
    workspace.run(&[]).status(2).says("`a b` cannot be the name of a function");
    let workspace = pairs("");
    workspace.file("problems/pairs/output_validator/validate.py", "import sys\nsys.exit(42)\n");
    workspace.run(&[]).status(2).says("`entry.function` with an output validator");
    let workspace = pairs("");
    workspace.problem("pairs").case("sample/1", "[[2, 7, 11], 9]", "no JSON");
    workspace.run(&[]).status(3).shows("the expected value: line 1, column 1 of the answer: not JSON:");
}
