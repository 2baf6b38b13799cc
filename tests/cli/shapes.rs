//! The shapes of folders that people have who solve contests and puzzles, as seen in public repositories and written here
//! anew. Each works at once: with `grader run` alone, in a folder without configuration.

use macro_rules_attribute::apply;

use crate::cli::need::Need;
use crate::cli::run::Call;
use crate::cli::workspace::Workspace;

/// Adds the numbers on standard input.
const SUM: &str = "import sys\nprint(sum(map(int, sys.stdin.read().split())))\n";

/// What a program is expected to be.
enum Ends {
    /// Accepted on so many tests.
    Accepted(usize),
    /// It prints this, and has no answer.
    Prints(&'static str),
}
use Ends::{Accepted, Prints};

type Shape<'a> = (&'a str, &'a [(&'a str, &'a str)], &'a [(&'a str, Ends)]);

#[track_caller]
fn check(shapes: &[Shape<'_>]) {
    for (name, files, programs) in shapes {
        let workspace = Workspace::bare();
        for (path, text) in *files {
            workspace.file(path, text);
        }
        let run = workspace.run(&[]);
        assert_eq!(run.status, 0, "{name}: {}", run.all());
        for (program, ends) in *programs {
            match ends {
                Accepted(tests) => {
                    run.ends(program, "AC", "met");
                    assert_eq!(run.tests("test_finished", program).len(), *tests, "{name}: {}", run.all());
                }
                Prints(output) => {
                    run.ends(program, "-", "not_judged").shows(&format!("output   {output}\n"));
                }
            }
        }
    }
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn advent_of_code() {
    let named = "print(sum(map(int, open('input.txt'))))\n";
    let above = "print(sum(map(int, open('../inputs/01.txt'))))\n";
    let both = "x = sum(map(int, open('input.txt')))\nprint(x)\nprint(2 * x)\n";
    let twice = "print(2 * sum(map(int, open('input.txt'))))\n";
    check(&[
        (
            "a day with its answer and an example",
            &[
                ("day01/solution.py", named),
                ("day01/input.txt", "1\n2\n"),
                ("day01/example.txt", "4\n"),
                ("day01/answer.txt", "3\n"),
            ],
            &[("solution.py", Accepted(2))],
        ),
        (
            "names without extension",
            &[("1.py", "print(sum(map(int, open('input'))))\n"), ("input", "1\n2\n")],
            &[("1.py", Prints("3"))],
        ),
        ("inputs by number", &[("01.py", SUM), ("inputs/01.txt", "1\n4\n")], &[("01.py", Prints("5"))]),
        ("inputs above the day", &[("day01/main.py", above), ("inputs/01.txt", "1\n5\n")], &[("main.py", Prints("6"))]),
        (
            "data above the day",
            &[("day01/main.py", SUM), ("data/inputs/01.txt", "7\n"), ("data/inputs/02.txt", "8\n")],
            &[("main.py", Prints("7"))],
        ),
        (
            "inputs of years",
            &[("2023/01/main.py", SUM), ("inputs/2023/01.txt", "8\n"), ("inputs/2022/01.txt", "9\n")],
            &[("main.py", Prints("8"))],
        ),
        (
            "a path above the source",
            &[("src/day01.py", above), ("inputs/01.txt", "9\n")],
            &[("src/day01.py", Prints("9"))],
        ),
        (
            "two answers and a program",
            &[("main.py", both), ("input.txt", "5\n"), ("answers.txt", "5\n10\n")],
            &[("main.py", Accepted(1))],
        ),
        (
            "two answers and two programs",
            &[("d/part1.py", named), ("d/part2.py", twice), ("d/input.txt", "5\n"), ("d/answers.txt", "5\n10\n")],
            &[("part1.py", Accepted(1)), ("part2.py", Accepted(1))],
        ),
        (
            "an answer for each part",
            &[
                ("d/1.py", named),
                ("d/2.py", twice),
                ("d/input.txt", "5\n"),
                ("d/result_part1.txt", "5\n"),
                ("d/result_part2.txt", "10\n"),
            ],
            &[("1.py", Accepted(1)), ("2.py", Accepted(1))],
        ),
        (
            "a number beside two programs",
            &[
                ("1a.py", "print(open('1.txt').read().strip())\n"),
                ("1b.py", "print(1)\n"),
                ("1.txt", "11\n"),
                ("2a.py", "print(2)\n"),
                ("2.txt", "12\n"),
            ],
            &[("1a.py", Prints("11")), ("1b.py", Prints("1")), ("2a.py", Prints("2"))],
        ),
        (
            "a composed name",
            &[
                ("day03.py", "day = 3\nprint(open(f'inputs/day{day:02}.txt').read().strip())\n"),
                ("inputs/day03.txt", "33\n"),
            ],
            &[("day03.py", Prints("33"))],
        ),
    ]);
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn tests_beside_programs_are_no_programs() {
    let test = "from day1 import total\n\ndef test_total():\n    assert total([1]) == 1\n";
    let day = "def total(a):\n    return sum(a)\n\nif __name__ == '__main__':\n    print(total(map(int, open('input.txt'))))\n";
    let go = "package main\nimport (\"bufio\"; \"fmt\"; \"os\")\nfunc main() { s := bufio.NewScanner(os.Stdin); s.Scan(); fmt.Println(s.Text()) }\n";
    let go_test = "package main\nimport \"testing\"\nfunc TestIt(t *testing.T) {}\n";
    check(&[(
        "pytest",
        &[("day1.py", day), ("test_day1.py", test), ("input.txt", "4\n")],
        &[("day1.py", Prints("4"))],
    )]);
    let workspace = Workspace::bare();
    workspace.file("main.go", go).file("main_test.go", go_test).file("input.txt", "4\n");
    workspace.grader(&["list", "-v"]).shows("main.go").hides("main_test.go");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("kotlinc"), Need::Tool("cargo")])]
fn advent_of_code_from_templates() {
    let main = "fn main() { println!(\"{}\", day::sum(include_str!(\"../data/input.txt\"))) }\n";
    let library = "pub fn sum(text: &str) -> u32 { text.lines().map(|line| line.parse::<u32>().unwrap()).sum() }\n";
    check(&[(
        "a crate with a library",
        &[
            ("Cargo.toml", "[package]\nname = \"day\"\nversion = \"0.1.0\"\nedition = \"2021\"\n"),
            ("src/main.rs", main),
            ("src/lib.rs", library),
            ("data/input.txt", "4\n6\n"),
        ],
        &[("src", Prints("10"))],
    )]);

    // The tests of the template for Rust state the answers to its examples.
    let rust = |answer: &str| {
        format!(
            "const DAY: &str = \"01\";\nfn read_file(folder: &str, day: &str) -> String {{\n    \
             std::fs::read_to_string(format!(\"data/{{folder}}/{{day}}.txt\")).unwrap()\n}}\n\
             pub fn part_one(input: &str) -> Option<u32> {{\n    \
             Some(input.lines().map(|line| line.parse::<u32>().unwrap()).sum())\n}}\n\
             fn main() {{\n    println!(\"Part 1: {{}}\", part_one(&read_file(\"inputs\", DAY)).unwrap());\n}}\n\
             #[test]\nfn test_part_one() {{\n    let result = part_one(&read_file(\"examples\", DAY));\n    \
             assert_eq!(result, Some({answer}));\n}}\n"
        )
    };
    let workspace = Workspace::bare();
    workspace.file("Cargo.toml", "[package]\nname = \"days\"\nversion = \"0.1.0\"\nedition = \"2021\"\n");
    workspace.file("data/inputs/01.txt", "4\n6\n").file("data/examples/01.txt", "1\n2\n");
    workspace.file("src/bin/01.rs", rust("3")).run(&[]).status(0).judged("src/bin/01.rs", "example/01", "AC", "");
    workspace.file("src/bin/01.rs", rust("4")).run(&[]).status(1).ends("src/bin/01.rs", "WA", "missed");

    let utils =
        "import java.io.File\nfun readInput(name: String) = File(\"src/$name.txt\").readText().trim().lines()\n";
    let day = "fun part1(input: List<String>) = input.sumBy { it.toInt() }\nfun main() {\n    check(part1(readInput(\"Day01_test\")) == 1)\n    println(part1(readInput(\"Day01\")))\n}\n";
    check(&[(
        "the template for Kotlin",
        &[("src/Day01.kt", day), ("src/Utils.kt", utils), ("src/Day01.txt", "4\n5\n"), ("src/Day01_test.txt", "1\n")],
        &[("src/Day01.kt", Prints("9"))],
    )]);
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn names_of_cases() {
    check(&[
        (
            "inp and outp",
            &[("a.py", SUM), ("task_first.inp", "1 2\n"), ("task_first.outp", "3\n")],
            &[("a.py", Accepted(1))],
        ),
        (
            "a folder for each case",
            &[("a.py", SUM), ("cases/first/stdin", "1 2\n"), ("cases/first/stdout", "3\n")],
            &[("a.py", Accepted(1))],
        ),
    ]);
    let (one, three) = ("1 2\n", "3\n");
    let pair = |input: &'static str, answer: &'static str| [("main.py", SUM), (input, one), (answer, three)];
    for (input, answer) in [
        ("test/sample-1.in", "test/sample-1.out"),
        ("input1.txt", "output1.txt"),
        ("in1.txt", "ans1.txt"),
        ("in/1.txt", "want/1.txt"),
        ("in/1.txt", "out/1.txt"),
        ("input/input00.txt", "output/output00.txt"),
        ("test_1/input.txt", "test_1/output.txt"),
        ("case2/in", "case2/out"),
        ("tests/a/in.txt", "tests/a/out.txt"),
        (".in_0.txt", ".out_0.txt"),
        ("main_input0.txt", "main_output0.txt"),
        ("01", "01.a"),
        ("1.dat", "1.ans"),
        ("1.in", "1.want"),
        ("examples/1.in", "examples/1.out"),
    ] {
        check(&[(input, &pair(input, answer), &[("main.py", Accepted(1))])]);
    }
    // A folder that only happens to have such files is none.
    let workspace = Workspace::bare();
    workspace.file("main.py", SUM).file("build/input.txt", one).file("build/output.txt", three);
    workspace.grader(&["run"]).status(2).says("it contains build/, main.py");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn cases_of_several_programs() {
    let more = "import sys\nprint(sum(map(int, sys.stdin.read().split())) + 1)\n";
    check(&[
        (
            "a prefix",
            &[("A.py", SUM), ("B.py", more), ("A.in", "1\n"), ("A.out", "1\n"), ("B1.in", "1\n"), ("B1.out", "2\n")],
            &[("A.py", Accepted(1)), ("B.py", Accepted(1))],
        ),
        (
            "competitest",
            &[
                ("a.py", SUM),
                ("b.py", more),
                ("a_input0.txt", "1\n"),
                ("a_output0.txt", "1\n"),
                ("a_input1.txt", "2\n"),
                ("a_output1.txt", "2\n"),
                ("b_input0.txt", "1\n"),
                ("b_output0.txt", "2\n"),
            ],
            &[("a.py", Accepted(2)), ("b.py", Accepted(1))],
        ),
        (
            "a number after the ending",
            &[("a.py", SUM), ("b.py", more), ("a.in1", "1\n"), ("a.out1", "1\n"), ("b.in1", "1\n"), ("b.out1", "2\n")],
            &[("a.py", Accepted(1)), ("b.py", Accepted(1))],
        ),
    ]);
}

/// JSON with one test.
fn json(input: &str, output: &str) -> String {
    let tests = serde_json::json!([{"input": input, "output": output}]);
    serde_json::json!({"name": "A", "tests": tests, "timeLimit": 1500, "memoryLimit": 64, "interactive": false})
        .to_string()
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3"), Need::Tool("bash")])]
fn documents_of_cases() {
    let (a, b) = (json("1 2\n", "3\n"), json("1 2\n", "4\n"));
    let more = "import sys\nprint(sum(map(int, sys.stdin.read().split())) + 1)\n";
    check(&[
        ("Competitive Companion", &[("main.py", SUM), ("problem.json", &a)], &[("main.py", Accepted(1))]),
        (
            "a document beside each program",
            &[("a.py", SUM), ("b.py", more), ("a.json", &a), ("b.json", &b)],
            &[("a.py", Accepted(1)), ("b.py", Accepted(1))],
        ),
        (
            "CPH",
            &[
                ("A.py", SUM),
                ("B.py", more),
                (".cph/.A.py_1a.prob", &a.replacen('{', "{\"srcPath\":\"/home/me/A.py\",", 1)),
                (".cph/.B.py_2b.prob", &b.replacen('{', "{\"srcPath\":\"/home/me/B.py\",", 1)),
            ],
            &[("A.py", Accepted(1)), ("B.py", Accepted(1))],
        ),
    ]);
    // The document states limits.
    let workspace = Workspace::bare();
    workspace.file("main.py", SUM).file("problem.json", json("1\n", "1\n"));
    workspace.run(&[]).status(0).shows("1.5 s · 64 MiB");
}

fn suite(matching: &str, cases: &str) -> String {
    format!(
        "---\ntype: Batch\ntimelimit: 2s\nmatch: {matching}\n\ncases:\n{cases}\nextend:\n  - type: Text\n    path: ./a\n    in: /in/*.txt\n    out: /out/*.txt\n"
    )
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3"), Need::Tool("bash")])]
fn every_match_of_cargo_compete() {
    let printing = |text: &str| format!("input()\nprint({text:?})\n");
    let case = "  - name: Sample 1\n    in: |\n      1\n    out: |\n      Yes 0.5\n";
    let checker = "\n  Checker:\n    cmd: 'grep -q \"$(cat \"$INPUT\")\" \"$ACTUAL_OUTPUT\"'\n    shell: Bash";
    for (matching, printed, verdict) in [
        ("Exact", "Yes 0.5", "AC"),
        ("Exact", "Yes  0.5", "WA"),
        ("Lines", "Yes 0.5", "AC"),
        ("Lines", "yes 0.5", "WA"),
        ("Lines", "Yes\n0.5", "WA"),
        ("Lines", "Yes 0.5\n", "WA"),
        ("SplitWhitespace", "Yes\n0.5", "AC"),
        ("\n  Float:\n    relative_error: 1e-3\n    absolute_error: 1e-3", "Yes 0.5004", "AC"),
        ("\n  Float:\n    relative_error: 1e-3\n    absolute_error: ~", "Yes 0.51", "WA"),
        (checker, "other 1", "AC"),
        (checker, "other 2", "WA"),
    ] {
        let workspace = Workspace::bare();
        workspace.file("a.py", printing(printed)).file("testcases/a.yml", suite(matching, case));
        let run = workspace.run(&[]);
        run.status(i32::from(verdict == "WA")).shows("2 s ·");
        run.judged("a.py", "a/sample-1", verdict, "");
    }
    // Cases in files, and a case with a match of its own.
    let workspace = Workspace::bare();
    let own = format!("{case}    match: Exact\n");
    workspace
        .file("a.py", "print('yes', float(input()) / 2)\n")
        .file("testcases/a.yml", suite("SplitWhitespace", &own));
    workspace.file("testcases/a/in/x.txt", "3\n").file("testcases/a/out/x.txt", "yes\n1.5\n");
    workspace.run(&[]).status(1).judged("a.py", "a/sample-1", "WA", "").judged("a.py", "a/x", "AC", "");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn broken_documents_are_named() {
    let workspace = Workspace::bare();
    workspace.file("a.py", SUM).file("a.json", "{\"tests\": [{\"input\": \"1\",}]}");
    workspace.grader(&["run"]).status(2).says("a.json: line 1").says("not the JSON of Competitive Companion or CPH");
    let workspace = Workspace::bare();
    workspace
        .file("a.py", SUM)
        .file("testcases/a.yml", "type: Batch\nmatch: Lines\ntimelimit: 2\ncases:\n  - in: '1'\n    out: '1'\n");
    workspace.grader(&["run"]).status(2).says("testcases/a.yml: line 3").says("`timelimit: 2` is not a time");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3"), Need::Tool("g++")])]
fn input_and_output_in_files() {
    let files = "import sys\nx = sum(map(int, open('paint.in').read().split()))\nwith open('paint.out', 'w') as out:\n    print(x, file=out)\n";
    let redirected = "#include <cstdio>\nint main() {\n    freopen(\"input.txt\", \"r\", stdin);\n    freopen(\"output.txt\", \"w\", stdout);\n    int a, b;\n    scanf(\"%d %d\", &a, &b);\n    printf(\"%d\\n\", a + b);\n}\n";
    let composed = "#include <bits/stdc++.h>\nusing namespace std;\nvoid setIO(string s) {\n    freopen((s + \".in\").c_str(), \"r\", stdin);\n    freopen((s + \".out\").c_str(), \"w\", stdout);\n}\nint main() {\n    setIO(\"paint\");\n    int a, b;\n    cin >> a >> b;\n    cout << a + b << endl;\n}\n";
    let pair = [("1.in", "1 2\n"), ("1.out", "3\n"), ("2.in", "4 5\n"), ("2.out", "9\n")];
    let with = |source| [&[source][..], &pair].concat();
    check(&[
        ("USACO", &with(("paint.py", files)), &[("paint.py", Accepted(2))]),
        (
            "its own name",
            &[("paint.py", files), ("paint.in", "1 2\n"), ("paint.ans", "3\n")],
            &[("paint.py", Accepted(1))],
        ),
        ("freopen", &with(("main.cpp", redirected)), &[("main.cpp", Accepted(2))]),
        ("names put together", &with(("paint.cpp", composed)), &[("paint.cpp", Accepted(2))]),
    ]);
    // What the program has written is not an answer.
    let workspace = Workspace::bare();
    workspace.file("paint.py", files).file("paint.in", "1 2\n").file("paint.out", "7\n");
    let run = workspace.run(&[]);
    run.status(0).ends("paint.py", "-", "not_judged").says("paint.out: a program here writes this file");
    // Wrong outputs are wrong, and a link in the place of the output is none.
    let workspace = Workspace::bare();
    let link = "import os\nopen('paint.in').read()\nos.symlink('paint.in', 'paint.out')\n";
    workspace.file("paint.py", files.replace("print(x,", "print(x + 1,")).file("link.py", link);
    workspace.file("t.in", "3\n").file("t.out", "3\n");
    let run = workspace.run(&[]);
    run.status(1).ends("paint.py", "WA", "missed").ends("link.py", "WA", "missed").shows("expected `3`, got `4`");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn classes_are_called() {
    let class = "from typing import List\n\nclass Solution:\n    def twoSum(self, nums: List[int], target: int) -> List[int]:\n        seen = {}\n        for i, x in enumerate(nums):\n            if target - x in seen:\n                return [seen[target - x], i]\n            seen[x] = i\n";
    let length = "class Solution:\n    def size(self, nums):\n        def inner():\n            return len(nums)\n        return inner()\n";
    check(&[
        (
            "an argument on each line",
            &[
                ("two_sum.py", class),
                ("1.in", "[2,7,11,15]\n9\n"),
                ("1.out", "[0, 1]\n"),
                ("2.in", "nums = [3,3], target = 6\n"),
                ("2.out", "[0,1]\n"),
            ],
            &[("two_sum.py", Accepted(2))],
        ),
        ("no answer", &[("size.py", length), ("1.in", "[5,6]\n")], &[("size.py", Prints("2"))]),
        ("one argument", &[("size.py", length), ("1.in", "[5,6,7]\n"), ("1.out", "3\n")], &[("size.py", Accepted(1))]),
    ]);
    let workspace = Workspace::bare();
    workspace
        .file("two_sum.py", class.replace("seen[target - x], i", "i, i"))
        .file("1.in", "[2,7]\n9\n")
        .file("1.out", "[0,1]\n");
    workspace.run(&[]).status(1).ends("two_sum.py", "WA", "missed");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn cases_in_documents_are_changed_there() {
    let workspace = Workspace::bare();
    workspace.file("main.py", SUM).file("problem.json", json("1\n", "2\n"));
    let call = Call::any(&workspace.path(""), &["add", ".", "--answer", "7"]).input("3 4\n");
    call.run().status(2).says("problem.json");
    workspace.grader(&["accept", ".", "--yes"]).status(2).says("problem.json");
    // A line of a file with two answers is changed there too; a new example has files of its own.
    let workspace = Workspace::bare();
    workspace
        .file("d/part1.py", SUM)
        .file("d/part2.py", "print(8)\n")
        .file("d/input.txt", "5\n")
        .file("d/answers.txt", "6\n8\n");
    workspace.grader(&["accept", "d/part1", "--yes"]).status(2).says("answers.txt");
    assert_eq!(workspace.read("d/answers.txt"), "6\n8\n");
}

/// Files with names that grader does not know are named with the renaming that makes them test cases.
#[apply(cli_test)]
fn a_file_with_another_name_is_named() {
    for (files, says, renamed) in [
        (&["aoc.txt"][..], "if aoc.txt is the input, call it input.txt", &["input.txt"][..]),
        (&["inp.txt", "out.txt"], "call them 1.in and 1.ans", &["1.in", "1.ans"]),
        (&["in_2", "out_2"], "call them 2.in and 2.ans", &["2.in", "2.ans"]),
        (&["test1.txt", "test1_out.txt"], "if test1.txt is an input and test1_out.txt its answer", &["1.in", "1.ans"]),
        (&["full.txt", "small.txt"], "if full.txt is an input, call it full.in", &["full.in", "small.in"]),
        (&["tc/1.in", "tc/1.ans"], "if tc/ has the test cases, call it tests/", &["tests/1.in", "tests/1.ans"]),
        (&["cases/a.txt"], "call it cases/a.in", &["cases/a.in"]),
        (&["c1.question", "c1.solution"], "call them c1.in and c1.ans", &["c1.in", "c1.ans"]),
        (&["t1.q", "t1.a"], "if t1.q is an input and t1.a its answer", &["t1.in", "t1.ans"]),
        (&["c1.question"], "if c1.question is the input, call it input.txt", &["input.txt"]),
    ] {
        let workspace = Workspace::bare();
        workspace.file("main.sh", "cat\n");
        for file in files {
            workspace.file(*file, "1\n");
        }
        workspace.grader(&["run"]).status(2).says(says);
        for (file, renamed) in files.iter().zip(renamed) {
            std::fs::remove_file(workspace.path(*file)).unwrap();
            workspace.file(*renamed, "1\n");
        }
        workspace.grader(&["run"]).status(0).shows("main.sh");
    }
    let workspace = Workspace::bare();
    workspace.file("A.sh", "cat\n").file("B.sh", "cat\n").file("test_A/1.in", "1\n").file("test_A/1.out", "1\n");
    workspace.grader(&["run"]).status(2).says("test cases of A, move them beside it: A1.in with A1.ans");
    let workspace = Workspace::bare();
    workspace.file("main.sh", "cat\n").file("gen.sh", "echo 1\n").file("brute.sh", "cat\n");
    workspace.grader(&["run"]).status(2).says("grader stress");
    // A misspelling beside an input that is known.
    workspace.file("input.txt", "1\n").file("anwser.txt", "1\n");
    workspace.grader(&["run"]).status(0).says("anwser.txt: not read; did you mean `answer.txt`?");
    // A program that takes the name of its input gets no `.in`.
    let workspace = Workspace::bare();
    workspace.file("sol.sh", "#!/bin/sh\ncat \"$1\"\n").file("data.txt", "1\n").file("more.txt", "2\n");
    workspace.grader(&["run"]).status(2).says("if data.txt is the input, call it input.txt, and its answer answer.txt");
    workspace.file("input.txt", "1\n").file("answer.txt", "1\n").run(&[]).status(0).ends("sol.sh", "AC", "met");
}

/// A program that adds the numbers in a file.
fn adds(file: &str) -> String {
    format!("print(sum(map(int, open('{file}'))))\n")
}

/// Whatever a file is called and wherever it lies below the top: a source names it, so it is the input.
#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn inputs_that_only_sources_name() {
    let words = "words = open('words.txt').read().split()\nprint(len(words) + int(open('input.txt').read()))\n";
    let twice = "print(2 * sum(map(int, open('points.txt'))))\n";
    let echo = |file: &str| format!("print(open('{file}').read().strip())\n");
    check(&[
        ("above", &[("day/main.py", &adds("../input.txt")), ("input.txt", "1\n2\n")], &[("main.py", Prints("3"))]),
        (
            "in another tree",
            &[
                ("2023/day01.py", &adds("../aocinput/2023/01.txt")),
                ("aocinput/2023/01.txt", "1\n2\n"),
                ("aocinput/2023/02.txt", "9\n"),
            ],
            &[("day01.py", Prints("3"))],
        ),
        (
            "a path from the top",
            &[("2023/day01/main.py", &adds("2023/day01/data.csv")), ("2023/day01/data.csv", "4\n")],
            &[("main.py", Prints("4"))],
        ),
        (
            "any name, and its answer",
            &[("x/foo.py", &adds("numbers.txt")), ("x/numbers.txt", "5\n"), ("x/answer.txt", "5\n")],
            &[("foo.py", Accepted(1))],
        ),
        (
            "other data beside the input",
            &[("d/sol.py", words), ("d/words.txt", "a b\n"), ("d/input.txt", "3\n")],
            &[("sol.py", Prints("5"))],
        ),
        (
            "two parts with a file of answers",
            &[
                ("d/part1.py", &adds("points.txt")),
                ("d/part2.py", twice),
                ("d/points.txt", "1\n2\n"),
                ("d/answers.txt", "3\n6\n"),
            ],
            &[("part1.py", Accepted(1)), ("part2.py", Accepted(1))],
        ),
        ("a test alone", &[("day05/sol.py", &echo("test.txt")), ("day05/test.txt", "7\n")], &[("sol.py", Prints("7"))]),
        ("words without a space", &[("sol.py", &echo("testinput")), ("testinput", "7\n")], &[("sol.py", Prints("7"))]),
        (
            "attempts",
            &[("A.py", SUM), ("A2.py", SUM), ("A1.in", "1\n"), ("A1.out", "1\n"), ("A2.in", "2\n"), ("A2.out", "2\n")],
            &[("A.py", Accepted(2)), ("A2.py", Accepted(2))],
        ),
    ]);
    // Every command finds the same, and what a program writes is not an input.
    let workspace = Workspace::bare();
    workspace.file("x/foo.py", "open('log.txt', 'w').write('1')\n".to_owned() + &adds("numbers.txt"));
    workspace.file("x/numbers.txt", "5\n").file("x/log.txt", "9\n");
    workspace.grader(&["list", "x"]).status(0).shows("1 case");
    workspace.grader(&["accept", "x", "--yes"]).status(0);
    assert_eq!(workspace.read("x/numbers.ans"), "5\n");
    workspace.run(&["x/foo.py"]).status(0).ends("foo.py", "AC", "met");
    // What only this program reads beside its source is the same in each test.
    let workspace = Workspace::bare();
    workspace.file("d/main.py", "from pathlib import Path\nprint(Path(__file__).with_name('data.txt').read_text())\n");
    workspace.file("d/data.txt", "4\n").file("d/example.txt", "5\n");
    workspace.run(&[]).status(0).ends("main.py", "-", "not_judged").says("d/example.txt: not a test");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn what_sources_name_and_nobody_finds() {
    let workspace = Workspace::bare();
    workspace.file("d/main.py", adds("../inputs/day1.txt"));
    let run = workspace.grader(&["run", "d"]);
    run.status(2)
        .says("main.py reads ../inputs/day1.txt, which is not there")
        .says("save the input as ../inputs/day1.txt");
    workspace.file("inputs/day1.txt", "3\n").run(&["d"]).status(0).ends("main.py", "-", "not_judged");
    // Days without an input are named beside those that have one.
    let workspace = Workspace::bare();
    for day in ["day01", "day02", "day03"] {
        workspace.file(format!("2023/{day}/main.py"), adds("input.txt"));
    }
    workspace.file("2023/day01/input.txt", "1\n");
    let run = workspace.run(&[]);
    run.status(0).says("2023/day02: not a problem: it has a solver, but no test cases; main.py reads input.txt");
    run.says("(1 more folder like this)");
    // Nothing above the top and nothing hidden is read, whatever a source names.
    let workspace = Workspace::bare();
    workspace.file("grader.toml", "problems = [\".\"]\n").file(".secret/data.txt", "9\n");
    workspace.file("d/main.py", adds("../.secret/data.txt"));
    workspace.grader(&["run", "d"]).status(2).says("which is not there");
    let outside = tempfile::tempdir().unwrap();
    std::fs::write(outside.path().join("x.txt"), "9\n").unwrap();
    std::os::unix::fs::symlink(outside.path().join("x.txt"), workspace.path("d/data.txt")).unwrap();
    workspace.file("d/main.py", adds("data.txt"));
    workspace.grader(&["run", "d"]).status(2).says("which is not there");
}

/// Letters after a number are problems in contests and parts in puzzles; an answer with the name of a program is its own.
#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn letters_tell_programs_apart() {
    let largest = "import sys\nprint(max(map(int, sys.stdin.read().split())))\n";
    for [one, two] in [["1520A", "1520B"], ["abc300_a", "abc300_b"], ["1a", "1b"]] {
        let workspace = Workspace::bare();
        workspace.file(format!("{one}.py"), SUM).file(format!("{two}.py"), largest);
        workspace.file(format!("{one}.in"), "1 2 4\n").file(format!("{one}.out"), "7\n");
        let run = workspace.run(&[]);
        run.status(0).ends(&format!("{one}.py"), "AC", "met");
        assert!(!run.all().contains(&format!("{two}.py  ")), "{}", run.all());
        workspace.file(format!("{two}.in"), "1 2 5\n").file(format!("{two}.out"), "5\n");
        let run = workspace.run(&[]);
        run.status(0)
            .ends(&format!("{one}.py"), "AC", "met")
            .ends(&format!("{two}.py"), "AC", "met")
            .shows("2 results");
    }
    for [input, ending] in [["input.txt", "ans"], ["in.txt", "ans"], ["input.txt", "out"]] {
        let named = adds(input);
        let workspace = Workspace::bare();
        workspace.file("day01/a.py", &named).file("day01/b.py", &named).file(format!("day01/{input}"), "3\n4\n");
        workspace.file(format!("day01/a.{ending}"), "7\n").file(format!("day01/b.{ending}"), "4\n");
        workspace.run(&[]).status(1).ends("a.py", "AC", "met").ends("b.py", "WA", "missed");
    }
}

/// One `output.txt` beside the programs of several problems is not the answer of each.
#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn an_answer_of_nobody_is_not_used() {
    let workspace = Workspace::bare();
    for name in ["A", "B", "C"] {
        workspace.file(format!("{name}.py"), SUM);
    }
    workspace.file("input.txt", "1 2\n").file("output.txt", "4\n");
    let run = workspace.run(&[]);
    run.status(0).ends("A.py", "-", "not_judged").shows("output   3\n").says("nothing says whose answer this is");
    run.says("for example A.in with A.out");
    // Two attempts at one problem share it.
    let workspace = Workspace::bare();
    workspace.file("sum.py", SUM).file("fast.py", SUM).file("input.txt", "1 2\n").file("output.txt", "4\n");
    workspace.run(&[]).status(1).ends("sum.py", "WA", "missed");
}

/// Answers lie in a folder beside that of the inputs, under the same names.
#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn answers_have_a_folder_of_their_own() {
    let workspace = Workspace::bare();
    workspace.file("src/day01.py", adds("inputs/day01.txt")).file("src/day02.py", adds("inputs/day02.txt"));
    for (day, answer) in [("day01", "3\n"), ("day02", "4\n")] {
        workspace.file(format!("inputs/{day}.txt"), "1\n2\n").file(format!("answers/{day}.txt"), answer);
    }
    workspace.run(&[]).status(1).ends("src/day01.py", "AC", "met").ends("src/day02.py", "WA", "missed");
    // Two lines are the answers of two parts, or each part has a file.
    let workspace = Workspace::bare();
    workspace.file("2023/day01/part1.py", SUM).file("2023/day01/part2.py", "print(8)\n");
    workspace.file("inputs/2023/01.txt", "1\n2\n").file("expected/2023/01.txt", "3\n7\n");
    workspace.run(&[]).status(1).ends("part1.py", "AC", "met").ends("part2.py", "WA", "missed");
    std::fs::remove_file(workspace.path("expected/2023/01.txt")).unwrap();
    workspace.file("expected/2023/01_part1.txt", "4\n").file("expected/2023/01_part2.txt", "8\n");
    workspace.run(&[]).status(1).ends("part1.py", "WA", "missed").ends("part2.py", "AC", "met");
    // What programs may have written is not an answer of a puzzle.
    let workspace = Workspace::bare();
    workspace.file("day01/main.py", SUM).file("inputs/01.txt", "1\n").file("outputs/01.txt", "2\n");
    workspace.run(&[]).status(0).ends("main.py", "-", "not_judged");
    // Tests of a contest.
    for (name, text, status, verdict) in [("a.py", SUM, 0, "AC"), ("a.py", "print(4)\n", 1, "WA")] {
        let workspace = Workspace::bare();
        workspace.file(name, text).file("tests/1.in", "1 2\n").file("want/1.out", "3\n");
        workspace.run(&[]).status(status).ends(name, verdict, if status == 0 { "met" } else { "missed" });
    }
}

/// A third part, as Everybody Codes has, with inputs and answers of its own.
#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn three_parts() {
    let workspace = Workspace::bare();
    for part in ["1", "2", "3"] {
        workspace.file(format!("quest01/part{part}.py"), adds(&format!("input{part}.txt")));
        workspace.file(format!("quest01/input{part}.txt"), format!("{part}\n4\n"));
        workspace.file(
            format!("quest01/part{part}.ans"),
            if part == "3" { "8\n" } else { ["5\n", "6\n"][usize::from(part == "2")] },
        );
    }
    let run = workspace.run(&[]);
    run.status(1).ends("part1.py", "AC", "met").ends("part2.py", "AC", "met").ends("part3.py", "WA", "missed");
}

/// Modules that a solution imports belong to it, also if they read the input; the template for Rust states its answers.
#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn modules_that_read_the_input() {
    let workspace = Workspace::bare();
    workspace.file(
        "load.py",
        "import os\nxs = [int(x) for x in open(os.path.join(os.path.dirname(__file__), 'input.txt'))]\n",
    );
    workspace.file("calc.py", "def total(a):\n    return sum(a)\n").file("input.txt", "1\n5\n");
    for part in ["part1", "part2"] {
        workspace.file(format!("{part}.py"), "from load import xs\nfrom calc import total\nprint(total(xs))\n");
    }
    let run = workspace.run(&[]);
    run.status(0).ends("part1.py", "-", "not_judged").ends("part2.py", "-", "not_judged").shows("output   6\n");
    assert!(!run.all().contains("load.py"), "{}", run.all());
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn tests_of_one_program_are_not_for_others() {
    let day = |day: u8| adds(&format!("day{day:02}.txt"));
    let data = [("day01.txt", "1\n"), ("day02.txt", "2\n")];
    for examples in [["day01_example.txt", "day02_example.txt"], ["example01.txt", "example02.txt"]] {
        let workspace = Workspace::bare();
        for (name, text) in data.into_iter().chain(examples.map(|name| (name, "7\n"))) {
            workspace.file(name, text);
        }
        workspace.file("day01.py", day(1)).file("day02.py", day(2)).file("day03.py", day(3));
        let run = workspace.run(&[]);
        run.status(0).says("day03.py: neither its name nor its source gives it a test");
        for (program, own) in [("day01.py", ["day01", examples[0]]), ("day02.py", ["day02", examples[1]])] {
            let names = run.tests("test_finished", program);
            assert_eq!(names, own.map(|name| name.trim_end_matches(".txt")), "{}", run.all());
        }
    }
    // A test of one problem is none of another, also if no other has any.
    let workspace = Workspace::bare();
    workspace.file("Weird Algorithm.py", SUM).file("Missing Number.py", "print(1)\n");
    workspace.file("tests/Weird Algorithm.in", "1 2\n").file("tests/Weird Algorithm.out", "3\n");
    let run = workspace.run(&[]);
    run.status(0).ends("Weird Algorithm.py", "AC", "met").says("Missing Number.py: neither its name");
    // The numbers of problems are no parts.
    let workspace = Workspace::bare();
    workspace.file("p001.py", "print(1)\n").file("p002.py", "print(2)\n").file("p022.py", adds("p022_names.txt"));
    workspace.file("p022_names.txt", "5\n");
    workspace.run(&[]).status(0).ends("p022.py", "-", "not_judged").says("p001.py: neither its name");
}

/// A puzzle states no limit, so its programs have the time that Advent of Code promises to suffice.
#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn puzzles_have_more_time() {
    let slow = "import time\nwhile time.process_time() < 2.3: pass\nprint(1)\n";
    let workspace = Workspace::bare();
    workspace.file("day01/main.py", slow).file("day01/input.txt", "1\n").file("day01/answer.txt", "1\n");
    workspace.run(&[]).status(0).ends("main.py", "AC", "met").shows("day01  15 s");
    workspace.file("grader.toml", "[limits]\ntime_limit = 2\n");
    workspace.run(&[]).status(1).ends("main.py", "TLE", "missed");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3"), Need::Tool("node"), Need::Tool("go")])]
fn what_is_no_solution() {
    let named = adds("input.txt");
    let input = ("d/input.txt", "4\n");
    let library = "exports.sum = (text) => text.trim().split('\\n').reduce((a, b) => a + Number(b), 0);\n";
    let index =
        "const { sum } = require('./solution');\nconsole.log(sum(require('fs').readFileSync('input.txt', 'utf8')));\n";
    check(&[
        (
            "a picture and a library beside two parts",
            &[
                ("d/a.py", &named),
                ("d/b.py", &named),
                ("d/visualize.py", "print('picture')\n"),
                ("d/utils.py", "x = 1\n"),
                ("d/input.part1.ans", "4\n"),
                ("d/input.part2.ans", "4\n"),
                input,
            ],
            &[("a.py", Accepted(1)), ("b.py", Accepted(1))],
        ),
        (
            "a library called solution",
            &[("d/index.js", index), ("d/solution.js", library), ("d/answer.txt", "4\n"), input],
            &[("index.js", Accepted(1))],
        ),
        (
            "a generator that has tests of its own",
            &[
                ("generator.py", SUM),
                ("generator.in", "1\n"),
                ("generator.ans", "1\n"),
                ("sum.py", SUM),
                ("sum.in", "4\n"),
                ("sum.ans", "4\n"),
            ],
            &[("generator.py", Accepted(1)), ("sum.py", Accepted(1))],
        ),
    ]);
    let workspace = Workspace::bare();
    workspace.file("d/utils.py", "x = 1\n").file("d/main.py", &named).file("d/input.txt", "4\n");
    let run = workspace.run(&[]);
    assert!(!run.all().contains("utils.py"), "{}", run.all());
    // A package of Go that is not a program is none.
    let workspace = Workspace::bare();
    workspace.file("day01/day01.go", "package day01\nfunc Run() int { return 1 }\n").file("day01/input.txt", "1\n");
    workspace.run(&[]).status(2).says("no solver");
}

/// A file as the first argument, a place that the source puts together, and output in a file.
#[apply(cli_test)]
#[needs(&[Need::Tool("python3"), Need::Tool("g++"), Need::Tool("lua5.4"), Need::Tool("cargo")])]
fn ways_to_name_the_input() {
    let c = "#include <stdio.h>\nint main(int c, char **a) { FILE *f = fopen(a[1], \"r\"); int x; fscanf(f, \"%d\", &x); printf(\"%d\\n\", x); (void)c; }\n"
        .replace("**a)", "**argv)").replace("a[1]", "argv[1]");
    let rust = "fn main() { let args: Vec<String> = std::env::args().collect(); print!(\"{}\", std::fs::read_to_string(&args[1]).unwrap()); }\n";
    let argparse = "import argparse\np = argparse.ArgumentParser()\np.add_argument('file')\nprint(open(p.parse_args().file).read().strip())\n";
    let composed = "import os\nday = os.path.basename(__file__).split('.')[0]\nhere = os.path.dirname(__file__)\n\
                    print(open(os.path.join(here, '..', 'inputs', '2022', day + '.txt')).read().strip())\n";
    let freopen = "#include <cstdio>\nint main() { freopen(\"input.txt\", \"r\", stdin); freopen(\"output.txt\", \"w\", stdout); int x; scanf(\"%d\", &x); printf(\"%d\\n\", x); }\n";
    let path =
        "from pathlib import Path\nprint((Path(__file__).parent.parent / 'inputs' / 'd1.txt').read_text().strip())\n";
    let input = ("d/input.txt", "4\n");
    check(&[
        ("C", &[("d/main.c", &c), input], &[("main.c", Prints("4"))]),
        ("Rust", &[("d/main.rs", rust), input], &[("main.rs", Prints("4"))]),
        ("argparse", &[("d/main.py", argparse), input], &[("main.py", Prints("4"))]),
        (
            "Lua",
            &[("d/main.lua", "for line in io.lines(arg[1]) do print(line) end\n"), input],
            &[("main.lua", Prints("4"))],
        ),
        (
            "a name that is put together",
            &[("2022/day1.py", composed), ("inputs/2022/day1.txt", "1\n"), ("inputs/2022/day2.txt", "2\n")],
            &[("day1.py", Prints("1"))],
        ),
        ("folders of a path", &[("a/x.py", path), ("inputs/d1.txt", "1\n")], &[("x.py", Prints("1"))]),
        ("capitals", &[("d/x.py", &adds("INPUT.TXT")), ("d/INPUT.TXT", "1\n")], &[("x.py", Prints("1"))]),
        ("files of both", &[("d/main.cpp", freopen), input, ("d/output.ans", "4\n")], &[("main.cpp", Accepted(1))]),
    ]);
    // A clone of a template has examples alone. They stand for the inputs.
    let workspace = Workspace::bare();
    let main = "fn main() { let day = std::env::args().next().unwrap(); let day = &day[day.len() - 2..];\n\
                let _ = day; print!(\"{}\", std::fs::read_to_string(format!(\"data/{}/01.txt\", \"inputs\")).unwrap()); }\n";
    workspace.file("Cargo.toml", "[package]\nname = \"aoc\"\nversion = \"0.1.0\"\nedition = \"2021\"\n");
    workspace.file("src/bin/01.rs", main).file("data/examples/01.txt", "9\n");
    workspace.run(&[]).status(0).ends("src/bin/01.rs", "-", "not_judged").shows("output   9");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn answers_of_both_parts() {
    let both = "x = sum(map(int, open('input.txt')))\nprint('Part 1:', x)\nprint('Part 2:', 2 * x, '(0.1 ms)')\n";
    check(&[
        (
            "two files",
            &[("d/main.py", both), ("d/input.txt", "5\n"), ("d/part1.ans", "5\n"), ("d/part2.ans", "10\n")],
            &[("main.py", Accepted(1))],
        ),
        (
            "headings",
            &[
                ("day01/main.py", "print('Day 1\\n-----\\nPart 1:')\nprint(5)\nprint('Part 2: 10')\n"),
                ("day01/input.txt", "5\n"),
                ("day01/answers.txt", "5\n10\n"),
            ],
            &[("main.py", Accepted(1))],
        ),
        (
            "one file",
            &[("d/main.py", both), ("d/input.txt", "5\n"), ("d/answers.txt", "5\n10\n")],
            &[("main.py", Accepted(1))],
        ),
    ]);
    let workspace = Workspace::bare();
    workspace.file("d/main.py", both).file("d/input.txt", "5\n").file("d/part1.ans", "5\n").file("d/part2.ans", "11\n");
    workspace.run(&[]).status(1).ends("main.py", "WA", "missed").shows("line 2, column 9: expected `11`, got `10`");
    // Programs that print one answer each are not compared with both.
    workspace.file("d/main.py", adds("input.txt")).run(&[]).status(0).ends("main.py", "-", "not_judged");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn folders_that_are_left_out_are_named() {
    let workspace = Workspace::bare();
    workspace.file("2024/quest01/a.py", adds("input.txt")).file("2024/quest01/input.txt", "1\n");
    workspace.file("2024/quest02/b.py", adds("notes1.txt")).file("lib/x.py", "y = 1\n");
    let run = workspace.run(&[]);
    run.status(0).says("2024/quest02: not a problem: it has a solver, but no test cases; b.py reads notes1.txt");
    assert!(!run.stderr.contains("lib"), "{}", run.all());
    // Programs above problems.
    let workspace = Workspace::bare();
    workspace.file("rna/rna.py", SUM).file("rna/1.in", "1\n").file("DNA.py", adds("dna.txt")).file("dna.txt", "4\n");
    workspace.run(&[]).status(0).says("its programs are not run").says("grader run DNA.py");
    // Nothing at all: the first folder with a program says why.
    let workspace = Workspace::bare();
    workspace.file("2022/day01/solution.py", adds("input.txt"));
    workspace
        .grader(&["run"])
        .status(2)
        .says("2022/day01: it has a solver, but no test cases; solution.py reads input.txt");
}

/// What `accept` and `add` write is found again, and is that of the same day.
#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn cases_that_grader_writes_are_found() {
    let twice = "print(2 * sum(map(int, open('p1.txt'))))\n";
    let workspace = Workspace::bare();
    workspace.file("d/part1.py", adds("p1.txt")).file("d/part2.py", twice).file("d/p1.txt", "5\n");
    workspace.grader(&["accept", "d/part1", "--yes"]).status(0);
    workspace.grader(&["accept", "d/part2", "--yes"]).status(0);
    assert_eq!((&*workspace.read("d/p1.part1.ans"), &*workspace.read("d/p1.part2.ans")), ("5\n", "10\n"));
    workspace.run(&[]).status(0).ends("part1.py", "AC", "met").ends("part2.py", "AC", "met");
    // The inputs of all days lie together: a new one of this day is an example.
    let workspace = Workspace::bare();
    for (day, input) in [("day01", "01"), ("day02", "02")] {
        workspace.file(format!("2023/{day}/main.py"), adds(&format!("../../inputs/2023/{input}.txt")));
    }
    workspace.file("inputs/2023/01.txt", "1\n2\n");
    Call::any(&workspace.path(""), &["add", "2023/day01", "--answer", "9"])
        .input("9\n")
        .run()
        .status(0)
        .shows("added example1");
    assert_eq!(workspace.read("2023/day01/example1.txt"), "9\n");
    assert!(!workspace.path("inputs/2023/02.txt").exists());
    workspace.run(&["2023/day01"]).status(0).ends("main.py", "AC", "met");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn what_programs_write_is_no_test() {
    let writes =
        |file: &str| format!("x = sum(map(int, open('input.txt')))\nopen('{file}', 'w').write(str(x))\nprint(x)\n");
    for file in ["result_part1.txt", "answer.txt"] {
        let workspace = Workspace::bare();
        workspace.file("d/part1.py", writes(file)).file("d/input.txt", "5\n").file(format!("d/{file}"), "4\n");
        workspace.run(&[]).status(0).ends("part1.py", "-", "not_judged").says("so it is no answer");
    }
    let workspace = Workspace::bare();
    workspace.file("d/day6.py", writes("sample.txt")).file("d/input.txt", "5\n").file("d/sample.txt", "4\n");
    let run = workspace.run(&[]);
    assert_eq!(run.status(0).tests("test_finished", "day6.py"), ["input"], "{}", run.all());
    // A secret is not an input.
    let workspace = Workspace::bare();
    workspace.file("aoc.py", "print(open('session.txt').read())\n").file("session.txt", "SECRET\n");
    assert!(!workspace.grader(&["run"]).status(2).all().contains("SECRET"));
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn names_tell_problems_apart() {
    let pairs: [[&str; 3]; 4] = [
        ["solutionA.py", "inputA.txt", "outputA.txt"],
        ["solve_b.py", "input_b.txt", "output_b.txt"],
        ["p1.py", "p1_1.in", "p1_1.ans"],
        ["1a-theatre.py", "1a.in", "1a.out"],
    ];
    for [program, input, answer] in pairs {
        let swap = |name: &str| {
            name.replace('A', "C").replace("_b", "_d").replace("p1", "p2").replace("1a", "4a").replace("theatre", "x")
        };
        let workspace = Workspace::bare();
        workspace.file(program, SUM).file(input, "1 2\n").file(answer, "3\n");
        workspace.file(swap(program), "print(7)\n").file(swap(input), "5\n").file(swap(answer), "7\n");
        let run = workspace.run(&[]);
        run.status(0).ends(program, "AC", "met").ends(&swap(program), "AC", "met");
    }
    // A file of another day is that file.
    let workspace = Workspace::bare();
    workspace.file("day01/input.txt", "3\n").file("day02/input.txt", "10\n").file("day02/answer.txt", "13\n");
    workspace.file("day02/sol.py", "print(int(open('../day01/input.txt').read()) + int(open('input.txt').read()))\n");
    workspace.run(&["day02"]).status(0).ends("sol.py", "AC", "met");
    // An assertion with another argument states nothing about this program.
    let workspace = Workspace::bare();
    let solve = "def solve(file, times):\n    return times * sum(map(int, open(file)))\n";
    let both = "assert solve('example.txt', 7) == 21\nprint(solve('input.txt', 101))\n";
    workspace.file("d/day14.py", solve.to_owned() + both).file("d/example.txt", "3\n").file("d/input.txt", "4\n");
    workspace.run(&[]).status(0).ends("day14.py", "-", "not_judged");
    // The first part alone is stated and printed.
    let workspace = Workspace::bare();
    workspace.file("d/day2.py", format!("# Part 1: 9\n{}", adds("input.txt"))).file("d/input.txt", "8\n");
    workspace.run(&[]).status(1).ends("day2.py", "WA", "missed");
    // Another value before the right one is not a label.
    let workspace = Workspace::bare();
    workspace.file("d/part1.py", "open('input.txt')\nprint('Part 1: 9, Part 2: 3')\n").file("d/input.txt", "8\n");
    workspace.file("d/part1.ans", "3\n").run(&[]).status(1).ends("part1.py", "WA", "missed");
}
