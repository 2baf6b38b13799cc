//! `grader import`: problems of data sets. All rows here are made for the tests.

use std::io::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::{GzEncoder, ZlibEncoder};
use macro_rules_attribute::apply;
use serde_json::{Value, json};

use crate::cli::need::Need;
use crate::cli::run::{Call, Run};
use crate::cli::testlib::{CHECKER, HEADER};
use crate::cli::workspace::Workspace;

fn rows(rows: &[Value]) -> String {
    rows.iter().fold(String::new(), |lines, row| lines + &row.to_string() + "\n")
}

fn import(workspace: &Workspace, words: &[&str]) -> Run {
    Call::any(&workspace.path(""), &[&["import"], words].concat()).run()
}

/// Runs everything that was imported. `--lang` because the judges of packages run Python with PyPy, which not every
/// machine has.
fn run(workspace: &Workspace, problem: &str) -> Run {
    Call::any(&workspace.path(""), &["run", problem]).run()
}

fn sum_of(id: u64) -> Value {
    json!({
        "problem_id": id, "question": "# Twice\n\nPrint twice the number.", "difficulty": "introductory",
        "solutions": json!(["print(2 * int(input()))\n", "n = int(input())\nprint(n + n)\n"]).to_string(),
        "input_output": json!({"inputs": ["1\n", ["2", ""]], "outputs": ["2\n", ["4", ""]]}).to_string(),
        "url": "https://example.org/1", "starter_code": "",
    })
}

fn twice_of(id: u64, expected: &Value) -> Value {
    json!({
        "problem_id": id, "question": "Twice.", "starter_code": "class Solution:",
        "solutions": json!(["class Solution:\n    def twice(self, n):\n        return 2 * n\n"]).to_string(),
        "input_output": json!({"fn_name": "twice", "inputs": [[1], [10]], "outputs": expected}).to_string(),
    })
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn rows_of_apps_become_problems() {
    let workspace = Workspace::new();
    workspace.file("apps.jsonl", rows(&[sum_of(7), twice_of(8, &json!([2, 20]))]));
    let made = import(&workspace, &["--from", "apps", "apps.jsonl"]);
    made.status(0).silent();
    assert!(made.stdout.contains("made 2 problems in problems, with 4 tests"), "{}", made.stdout);
    assert!(made.stdout.contains("apps-7  tests: 2, 2 accepted"), "{}", made.stdout);
    let metadata = workspace.read("problems/apps-7/problem.yaml");
    for line in ["problem_format_version: 2025-09", "en: Twice", "time_limit: 4.0", "source: APPS"] {
        assert!(metadata.contains(line), "{metadata}");
    }
    assert_eq!(workspace.read("problems/apps-7/data/secret/002.in"), "2\n");
    for problem in ["apps-7", "apps-8"] {
        let run = run(&workspace, problem);
        run.status(0);
    }
    // TACO has the same keys, and limits.
    let mut taco = sum_of(1);
    let keys = taco.as_object_mut().unwrap();
    keys.remove("problem_id");
    keys.extend([
        ("name".to_owned(), json!("Sum Up")),
        ("time_limit".to_owned(), json!("2.5 seconds")),
        ("memory_limit".to_owned(), json!("256.0 megabytes")),
        ("solutions".to_owned(), json!(["print(2 * int(input()))"])),
    ]);
    workspace.file("taco.json", json!([taco]).to_string());
    import(&workspace, &["--from", "taco", "taco.json", "--out", "few"]).status(0);
    let metadata = workspace.read("few/sum-up/problem.yaml");
    assert!(metadata.contains("time_limit: 2.5") && metadata.contains("memory: 256"), "{metadata}");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3"), Need::Tool("g++")])]
fn labelled_solutions_are_kept() {
    let workspace = Workspace::new();
    let cpp = "#include <cstdio>\nint main() { int a, b; scanf(\"%d%d\", &a, &b); printf(\"%d\\n\", a + b); }";
    let python = "print(sum(map(int, input().split())))";
    let row = json!({
        "name": "1575_A. Another Sum", "description": "Add.", "source": 2, "input_file": "", "output_file": "",
        "public_tests": {"input": ["1 2\n"], "output": ["3\n"]},
        "private_tests": {"input": ["5 6\n"], "output": ["11\n"]},
        "generated_tests": {"input": ["2 -1\n"], "output": ["1\n"]},
        "solutions": {"language": [2, 3, 3, 1], "solution": [cpp, python, python, "print 1"]},
        "incorrect_solutions": {"language": [3], "solution": ["a, b = map(int, input().split())\nprint(a + abs(b))"]},
        "time_limit": {"seconds": 1, "nanos": 500_000_000}, "memory_limit_bytes": 268_435_456u64,
    });
    workspace.file("contests.jsonl", rows(&[row]));
    let made = import(&workspace, &["--from", "codecontests", "contests.jsonl", "--solutions", "2"]);
    made.status(0).silent();
    for words in ["tests: 3, 2 accepted, 1 rejected", "1 solution beyond --solutions", "1 solution in other languages"]
    {
        assert!(made.stdout.contains(words), "{words}: {}", made.stdout);
    }
    let metadata = workspace.read("problems/1575-a-another-sum/problem.yaml");
    assert!(metadata.contains("time_limit: 1.5") && metadata.contains("memory: 256"), "{metadata}");
    let run = run(&workspace, "1575-a-another-sum");
    run.status(0);
    assert!(run.stdout.contains("secret/2-generated-001"), "{}", run.stdout);
}

/// A row of `CodeContests+` whose tests are there, or are to be made.
fn plus(id: &str, tests: &Value) -> Value {
    let generator = "#include \"testlib.h\"\nint main(int argc, char **argv) {\n    registerGen(argc, argv, 1);\n\
                     puts(argv[2]);\n}\n";
    let validator = "#include \"testlib.h\"\nint main(int argc, char **argv) {\n    registerValidation(argc, argv);\n\
                     inf.readInt(1, 100, \"n\"), inf.readEoln(), inf.readEof();\n}\n";
    json!({
        "source": "Codeforces", "id": id, "title": "Twice", "description": "Print twice the number.",
        "time_limit": 1500, "memory_limit": 256, "checker": CHECKER, "validator": validator,
        "generator": generator, "generator_cmd": "./gen -n 5\n./gen -n 7\n",
        "correct_submissions": [{"code": "print('00%d' % (2 * int(input())))", "language": "py3"}],
        "incorrect_submissions": [
            {"code": "print(10)", "language": "PY3"}, {"code": "print 1", "language": "py2"},
        ],
        "test_cases": tests, "true_positive_rate": 1.0, "true_negative_rate": 1.0,
    })
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3"), Need::Tool("g++")])]
fn problems_bring_their_checkers_and_generators() {
    let workspace = Workspace::new();
    let given = json!([{"input": "3\n", "output": "6\n"}, {"input": "5\n", "output": "10\n"}]);
    let bare = json!({"id": "none", "checker": CHECKER, "generator_cmd": "./gen 1"});
    workspace.file("plus.jsonl", rows(&[plus("1_A", &given), plus("1_B", &Value::Null), bare]));
    let made = import(&workspace, &["--from", "codecontests+", "plus.jsonl"]);
    made.status(2).says("row 3: it has no tests");
    for words in ["1-a  tests: 2, 1 accepted, 1 rejected", "2 solutions in other languages"] {
        assert!(made.stdout.contains(words), "{words}: {}", made.stdout);
    }
    assert!(made.stdout.contains("grader gen 1-a, then grader run 1-a"), "{}", made.stdout);
    let metadata = workspace.read("problems/1-a/problem.yaml");
    assert!(metadata.contains("time_limit: 1.5") && metadata.contains("memory: 256"), "{metadata}");
    workspace.file("testlib.h", HEADER).file("grader.toml", "testlib = \"testlib.h\"\n");
    // The generator makes the tests that the row does not have.
    workspace.grader(&["gen", "1-b"]).status(0).shows("2 new");
    assert_eq!(workspace.read("problems/1-b/data/secret/002.in"), "7\n");
    assert_eq!(workspace.read("problems/1-b/data/secret/002.ans"), "0014\n");
    // Only the checker accepts zeros before a number.
    for problem in ["1-a", "1-b"] {
        let run = run(&workspace, problem);
        run.status(0);
    }
    workspace.file("problems/1-b/data/secret/003.in", "101\n").file("problems/1-b/data/secret/003.ans", "202\n");
    workspace.grader(&["verify", "1-b", "--data-only"]).status(1).shows("n is out of range");
}

/// What `LiveCodeBench` does with a pickle: zlib, then base64.
fn packed(pickle: &[u8]) -> String {
    let mut zlib = ZlibEncoder::new(Vec::new(), Compression::best());
    zlib.write_all(pickle).unwrap();
    STANDARD.encode(zlib.finish().unwrap())
}

/// A pickle of a text (protocol 4: `BINUNICODE`, `STOP`).
fn pickle_of(text: &str) -> Vec<u8> {
    let size = u32::try_from(text.len()).unwrap().to_le_bytes();
    [&[0x80, 4, b'X'][..], &size, text.as_bytes(), b"."].concat()
}

fn question(id: &str, private: &str) -> Value {
    json!({
        "question_title": "A Sum", "question_content": "Sum.", "platform": "leetcode", "question_id": id,
        "starter_code": "class Solution:\n    def total(self, a: List[int], b: int) -> int:\n        ",
        "public_test_cases": json!([{"input": "[4]\n5", "output": "9", "testtype": "functional"}]).to_string(),
        "private_test_cases": private, "metadata": json!({"func_name": "total"}).to_string(),
    })
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn packed_tests_are_read_and_never_run() {
    let workspace = Workspace::new();
    let tests = json!([{"input": "[1, 2]\n3", "output": "6", "testtype": "functional"}]).to_string();
    // `os.system("touch pwned")`, as pickle.dumps writes it in protocol 0.
    let attack = b"cposix\nsystem\n(S'touch pwned'\ntR.";
    let deep = [&[0x80, 4][..], &vec![b']'; 3_000_000], &vec![b'a'; 2_999_999], b"."].concat();
    let bomb = [&[0x80, 4][..], &b"N0".repeat(50_000_000), b"N."].concat();
    let questions = [
        question("3000", &packed(&pickle_of(&tests))),
        question("3001", &packed(attack)),
        question("3002", &packed(&deep)),
        question("3003", &packed(&bomb)),
        question("3004", "no base64!"),
        question("3005", &tests),
    ];
    workspace.file("questions.jsonl", rows(&questions));
    let made = import(&workspace, &["--from", "livecodebench", "questions.jsonl"]);
    made.status(2);
    assert!(made.stdout.contains("made 2 problems"), "{}", made.all());
    for row in ["row 2: `private", "row 3: `private", "row 4: `private", "row 5: `private"] {
        assert!(made.stderr.contains(row), "{row}: {}", made.stderr);
    }
    assert!(!workspace.path("pwned").exists());
    assert_eq!(workspace.read("problems/3000/data/secret/001.in"), "[[1, 2], 3]");
    workspace.file(
        "problems/3000/submissions/accepted/a.py",
        "class Solution:\n    def total(self, a: List[int], b):\n        return sum(a) + b\n",
    );
    workspace.file(
        "problems/3000/submissions/wrong_answer/b.py",
        "class Solution:\n    def total(self, a, b):\n        return 9\n",
    );
    run(&workspace, "3000").status(0);
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn assertions_become_tests() {
    let workspace = Workspace::new();
    let row = json!({
        "task_id": "HumanEval/0", "prompt": "def twice(n: int) -> int:\n    \"\"\"Twice.\"\"\"\n", "entry_point": "twice",
        "canonical_solution": "    return 2 * n\n",
        "test": "def check(candidate):\n    assert candidate(2) == 4\n    assert candidate(0) == 0\n",
    });
    let mut gz = GzEncoder::new(Vec::new(), Compression::fast());
    gz.write_all(rows(&[row]).as_bytes()).unwrap();
    std::fs::write(workspace.path("eval.jsonl.gz"), gz.finish().unwrap()).unwrap();
    import(&workspace, &["--from", "humaneval", "eval.jsonl.gz"]).status(0).silent();
    let whole = json!({
        "task_id": 11, "text": "Write a function to double.", "code": "def twice(n):\r\n  return 2*n",
        "test_list": ["assert twice(2) == 4", "assert twice(0) == 0"], "test_setup_code": "",
        "challenge_test_list": ["assert twice(-1) == -2"],
    });
    let sanitized = json!({
        "task_id": 12, "prompt": "Write a function to double.", "code": "def twice(n):\n  return 2*n",
        "test_list": ["assert math.isclose(twice(2), 4)"], "test_imports": ["import math"],
    });
    workspace.file("mbpp.jsonl", rows(&[whole, sanitized]));
    import(&workspace, &["--from", "mbpp", "mbpp.jsonl"]).status(0).silent();
    for (problem, tests) in [("humaneval-0", 1), ("mbpp-11", 3), ("mbpp-12", 1)] {
        let wrong = format!("problems/{problem}/submissions/wrong_answer/wrong.py");
        workspace.file(&wrong, "def twice(n): return 7\n");
        let run = run(&workspace, problem);
        run.status(0);
        assert!(run.stdout.contains(&format!("{tests} test")), "{}", run.stdout);
    }
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn a_function_is_judged_by_its_value() {
    let workspace = Workspace::new();
    // In APPS, an expected value may stand in a list of its own.
    workspace.file("apps.jsonl", rows(&[twice_of(1, &json!([[2], [20]]))]));
    import(&workspace, &["--from", "apps", "apps.jsonl", "--out", "."]).status(0);
    for (label, name, source) in [
        ("accepted", "plain", "def twice(n): return 2 * n\n"),
        ("accepted", "float", "def twice(n): return 2.0 * n\n"),
        ("wrong_answer", "near", "def twice(n): return 2.0000001 * n\n"),
        ("accepted", "prints", "def twice(n):\n    print('x')\n    return 2 * n\n"),
        ("accepted", "listed", "def twice(n): return [2 * n]\n"),
        ("wrong_answer", "off", "def twice(n): return 2 * n + 1\n"),
        ("wrong_answer", "text", "def twice(n): return str(2 * n)\n"),
        ("wrong_answer", "leaves", "import os\nos._exit(0)\ndef twice(n): return 2 * n\n"),
        (
            "wrong_answer",
            "claims",
            "class All(int):\n    def __eq__(self, other): return True\ndef twice(n): return All(7)\n",
        ),
        ("run_time_error", "none", "def thrice(n): return 3 * n\n"),
    ] {
        workspace.file(format!("apps-1/submissions/{label}/{name}.py"), source);
    }
    run(&workspace, "apps-1").status(0);
    // The same through a stream, which names the problem.
    let request = json!({"id": 1, "problem": "apps-1", "language": "python", "source": "def twice(n): return n + n\n"});
    let judged = Call::any(&workspace.path(""), &["judge", "--stream"]).input(&rows(&[request])).run();
    judged.status(0);
    assert!(judged.stdout.contains("\"verdict\":\"AC\""), "{}", judged.stdout);
}

#[apply(cli_test)]
fn a_bad_row_harms_no_other() {
    let workspace = Workspace::new();
    let mut odd = sum_of(3);
    odd["input_output"] = json!({"inputs": ["1"], "outputs": []}).to_string().into();
    let mut empty = sum_of(4);
    empty["input_output"] = json!({"inputs": [], "outputs": []}).to_string().into();
    let mut named = twice_of(5, &json!([2, 20]));
    named["input_output"] = json!({"fn_name": "os.system('x')#", "inputs": [[1]], "outputs": [2]}).to_string().into();
    let text = rows(&[sum_of(1), json!({"id": 2}), odd, empty, named]) + "no JSON\n" + &rows(&[sum_of(1), sum_of(6)]);
    workspace.file("apps.jsonl", &text);
    let made = import(&workspace, &["--from", "apps", "apps.jsonl"]);
    made.status(2);
    assert!(made.stdout.contains("made 2 problems"), "{}", made.stdout);
    for words in [
        "apps.jsonl, row 2: missing field `input_output`",
        "row 3: `input_output` has 1 inputs and 0 outputs",
        "row 4: it has no tests",
        "row 5: \"os.system('x')#\" cannot be the name of a function",
        "row 6: expected",
        "row 7: ",
        "problems/apps-1: exists already; grader overwrites nothing",
    ] {
        assert!(made.stderr.contains(words), "{words}: {}", made.stderr);
    }
    let first = import(&workspace, &["--from", "apps", "apps.jsonl", "--first", "1", "--out", "one"]);
    first.status(0).silent();
    assert_eq!(std::fs::read_dir(workspace.path("one")).unwrap().count(), 1);
}

#[apply(cli_test)]
fn hostile_rows_stay_in_their_place() {
    let workspace = Workspace::new();
    let contest = |name: &str| {
        json!({"name": name, "public_tests": {"input": ["1\n"], "output": ["1\n"]},
            "description": "\u{1b}]0;x\u{7}"})
    };
    let names = ["../../../out", "/etc/passwd", "..", "", "\u{1b}[31mred", "a: b\n- c", &"x".repeat(100_000)];
    let all: Vec<Value> = names.iter().map(|name| contest(name)).collect();
    workspace.file("contests.jsonl", rows(&all));
    let made = import(&workspace, &["--from", "codecontests", "contests.jsonl", "--out", "inside"]);
    made.status(2);
    assert!(made.stdout.contains("made 5 problems"), "{}", made.all());
    assert!(!made.stdout.contains('\u{1b}') && !made.stderr.contains('\u{1b}'), "{}", made.all());
    let mut found: Vec<String> = std::fs::read_dir(workspace.path("inside"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    found.sort();
    assert_eq!(found[..4], ["31mred", "a-b-c", "etc-passwd", "out"]);
    let listed = Call::any(&workspace.path(""), &["list", "inside/a-b-c", "inside/out"]).run();
    listed.status(0);
}

#[apply(cli_test)]
fn files_that_cannot_be_read_are_told() {
    let workspace = Workspace::new();
    workspace.file("empty.jsonl", "\n");
    workspace.file("taken", "");
    workspace.file("broken.json", "[{]");
    workspace.file("broken.jsonl.gz", "no gzip");
    for (words, told) in [
        (&["missing.jsonl"][..], "cannot read missing.jsonl: No such file"),
        (&["empty.jsonl"], "no file has a row"),
        (&["broken.json"], "cannot read broken.json: it is neither JSON Lines nor a list of objects"),
        (&["broken.jsonl.gz"], "cannot read broken.jsonl.gz: "),
        (&["empty.jsonl", "--out", "taken"], "taken is a file"),
        (&["empty.parquet"], "empty.parquet"),
    ] {
        let run = import(&workspace, &[&["--from", "apps"], words].concat());
        run.status(2);
        assert!(run.stderr.contains(told), "{told}: {}", run.stderr);
    }
}
