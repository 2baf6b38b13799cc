//! `autograding.json` of GitHub Classroom and `tests.json` of Classroom 50, read as plain problems with points.

use macro_rules_attribute::apply;
use serde_json::json;

use crate::cli::need::Need;
use crate::cli::run::Call;
use crate::cli::workspace::Workspace;

const HELLO: &str = "import sys\ntry:\n    name = input()\nexcept EOFError:\n    name = 'nobody'\nprint('Hello,', name)\nfor word in sys.argv[1:]:\n    print(word)\n";

fn folder(path: &str, document: &serde_json::Value) -> Workspace {
    let workspace = Workspace::new();
    workspace.file(format!("hello/{path}"), document.to_string()).file("hello/hello.py", HELLO);
    workspace.file("students/ada/hello.py", HELLO).file("students/bob/hello.py", "print('Hello, Ada', input())\n");
    workspace.file("grader.toml", "problems = [\".\"]\n");
    workspace
}

#[track_caller]
fn judged(workspace: &Workspace) -> String {
    workspace.grader(&["judge", "students", "--problem", "hello", "--report", "csv=grades.csv"]).status(1);
    workspace.read("grades.csv")
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn tests_of_github_classroom_are_cases_with_points() {
    let test = |name: &str, run: &str, input: &str, output: &str, comparison: &str, points: u32| {
        json!({"name": name, "setup": "", "run": run, "input": input, "output": output, "comparison": comparison,
            "timeout": 1, "points": points})
    };
    let tests = json!({"tests": [
        test("Greets", "python3 hello.py", "Ada\r\n", "Hello, Ada\r\n", "included", 5),
        test("Exact!", "python3 hello.py x", "Bob", "\r\nHello, Bob\r\nx\n", "exact", 3),
        test("Pattern", "python3 hello.py", "Bob", r"^Hello, \w+$", "regex", 2),
        test("Runs", "python3 hello.py", "", "", "included", 1),
        test("Unit tests", "pytest test_hello.py", "", "", "included", 9),
        test("Two", "python3 hello.py | sort", "", "", "included", 4),
    ]});
    let workspace = folder(".github/classroom/autograding.json", &tests);
    let run = workspace.run(&[]);
    run.status(0).ends("hello.py", "AC", "met").shows("60 s").shows("4 tests · 11 points");
    run.says("test `Unit tests` is left out with its 9 points: `pytest test_hello.py` does not start one program");
    run.says("judge its unit tests as a problem with `entry.tests`");
    run.says("test `Two` is left out with its 4 points");
    let grades = judged(&workspace);
    for line in [
        "students/ada,,hello/greets,AC,5,",
        "students/ada,,hello/exact,AC,3,",
        "students/ada,,hello/pattern,AC,2,",
        "students/ada,,hello/runs,AC,1,",
        "students/bob,,hello/greets,AC,5,",
        "students/bob,,hello/exact,WA,0,",
        "students/bob,,hello/pattern,WA,0,",
        // The exit code counts although no output is expected.
        "students/bob,,hello/runs,RTE,0,",
    ] {
        assert!(grades.contains(line), "{line}: {grades}");
    }
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn tests_of_classroom_50_are_cases_with_points() {
    let tests = json!({"schema": "classroom50/tests/v1", "tests": [
        {"name": "greets", "type": "io", "run": "python3 hello.py", "input-file": "fixtures/name.txt", "expected-file": "fixtures/greeting.txt",
            "comparison": "exact", "points": 4},
        {"name": "runs", "type": "run", "run": "python3 hello.py", "timeout": 3, "points": 1},
        {"name": "fails", "type": "run", "run": "python3 hello.py", "exit-code": 2, "points": 1},
        {"name": "units", "type": "python", "points": 7},
    ]});
    let workspace = folder("tests.json", &tests);
    workspace.file("hello/fixtures/name.txt", "Ada\n").file("hello/fixtures/greeting.txt", "Hello, Ada\n");
    let run = workspace.run(&[]);
    run.status(0).ends("hello.py", "AC", "met").shows("10 s").shows("2 tests · 5 points");
    run.says("test `fails` is left out with its 1 points: the program has to fail");
    run.says("test `units` is left out with its 7 points: its tests are a program of their own");
    assert!(judged(&workspace).contains("students/bob,,hello/runs,RTE,0,"));
    // A file that a test names has to be there.
    let workspace = folder("tests.json", &tests);
    workspace.run(&[]).status(2).says("hello/fixtures/name.txt: cannot be read as text, but a test names it");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3"), Need::Tool("node")])]
fn programs_get_the_arguments_of_their_commands_and_no_others() {
    let document = |run: &str, output: &str| {
        json!({"tests": [{"name": "double of 5", "setup": "", "run": run, "input": "", "output": output,
            "comparison": "exact", "timeout": 1, "points": 2}]})
        .to_string()
    };
    let workspace = Workspace::new();
    workspace
        .file("double/autograding.json", document("python3 double.py 5", "10"))
        .file("double/double.py", "import sys\nprint(2 * int(sys.argv[1]))\n")
        .file("twice/autograding.json", document("node twice.js 5", "10"))
        .file("twice/twice.js", "console.log(2 * Number(process.argv[2]));\n")
        .file("count/autograding.json", document("python3 count.py", "0"))
        .file("count/count.py", "import sys\nif len(sys.argv) > 1: print(sys.argv[1])\nprint(len(sys.argv) - 1)\n")
        .file("grader.toml", "problems = [\".\"]\n");
    let run = workspace.run(&[]);
    run.status(0).ends("double.py", "AC", "met").ends("twice.js", "AC", "met").ends("count.py", "AC", "met");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn only_the_tests_of_a_document_count_beside_files_that_look_like_cases() {
    let test = |input: &str, points: u32| {
        json!({"name": format!("greets {input}"), "setup": "", "run": "python3 hello.py", "input": input,
            "output": format!("Hello, {input}"), "comparison": "included", "timeout": 1, "points": points})
    };
    for others in [["input.txt", "output.txt"], ["1.in", "1.out"], ["tests/a.in", "tests/a.ans"]] {
        let workspace =
            folder(".github/classroom/autograding.json", &json!({"tests": [test("Ada", 5), test("Bob", 5)]}));
        workspace.file(format!("hello/{}", others[0]), "Eve\n").file(format!("hello/{}", others[1]), "Bye\n");
        let run = workspace.run(&[]);
        run.status(0).ends("hello.py", "AC", "met").shows("2 tests · 10 points");
        run.says(&format!(
            "{}: it looks like a test case, but only the tests of .github/classroom/autograding.json",
            others[0]
        ));
    }
    // What a test names is its fixture.
    let tests = json!({"schema": "classroom50/tests/v1", "tests": [
        {"name": "greets", "type": "io", "run": "python3 hello.py", "input-file": "in1.txt", "expected-file": "out1.txt",
            "comparison": "exact", "points": 4},
        {"name": "runs", "type": "run", "run": "python3 hello.py", "points": 2},
    ]});
    let workspace = folder("tests.json", &tests);
    workspace.file("hello/in1.txt", "Ada\n").file("hello/out1.txt", "Hello, Ada\n");
    let run = workspace.run(&[]);
    run.status(0).shows("2 tests · 6 points");
    assert!(!run.stderr.contains("looks like a test case"), "{}", run.all());
}

#[apply(cli_test)]
#[needs(&[Need::Tool("gcc")])]
fn a_program_is_that_of_its_source() {
    let tests = json!({"tests": [{"name": "sum", "setup": "gcc -Wall -o calc sum.c", "run": "./calc 1 2", "input": "",
        "output": "3", "comparison": "exact", "timeout": 10, "points": null}]});
    let workspace = Workspace::new();
    workspace
        .file("sum/.github/classroom/autograding.json", tests.to_string())
        .file("grader.toml", "problems = [\".\"]\n");
    workspace.file("sum/sum.c", "#include <stdio.h>\n#include <stdlib.h>\nint main(int n, char **a) { printf(\"%d\", atoi(a[1]) + atoi(a[2])); }\n");
    workspace.run(&[]).status(0).ends("sum.c", "AC", "met");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn two_tested_programs_are_two_problems() {
    let test = |program: &str, input: &str, output: &str| {
        json!({"name": "runs", "setup": "", "run": format!("python3 {program}"), "input": input, "output": output,
            "comparison": "included", "timeout": 1, "points": 2})
    };
    let tests = json!({"tests": [test("hello.py", "Ada", "Hello, Ada"), test("sum.py", "1 2", "3")]});
    let workspace = folder(".github/classroom/autograding.json", &tests);
    workspace.file("hello/sum.py", "print(sum(map(int, input().split())))\n");
    workspace.run(&[]).status(0).ends("hello.py", "AC", "met").ends("sum.py", "AC", "met");
    let imported = workspace.grader(&["import", "hello", "--lossy", "--out", "imported"]);
    imported.status(0).shows("hello-hello").shows("hello-sum");
    let run = Call::new(&workspace.path("imported"), &[]).run();
    run.status(0).shows("2 problems");
    let exported =
        workspace.grader(&["export", "hello", "--for", "icpc-2025-09", "--lossy", "--force", "-o", "set.zip"]);
    exported.status(0);
}

/// The only program that tests start is another name of their exercise.
#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn a_program_names_its_exercise() {
    let test = json!({"name": "h", "run": "python3 hello.py", "output": "Hello", "comparison": "exact", "points": 5});
    let document = json!({ "tests": [test] }).to_string();
    let workspace = Workspace::bare();
    workspace.file("grader.toml", "problems = [\".\"]\n").file("hw4/autograding.json", &document);
    workspace.file("class/ann/hello.py", "print('Hello')\n").file("class/bo/helo.py", "print('Hello')\n");
    let layout = ["--layout", "{student}/{problem}.*", "--report", "gradebook=-", "--exit-zero"];
    let judged = |word: &str| workspace.grader(&[&["judge", word, "class"], &layout[..]].concat());
    judged("hw4").status(2).shows("ann,5,5,AC").shows("bo,,,no such problem");
    // Beside another exercise with the same program, the one that is named is meant.
    workspace.file("hw5/autograding.json", &document);
    judged("hw4").status(2).shows("ann,5,5,AC");
    judged("hw5").status(2).shows("ann,5,5,AC");
}

/// Any program may be called `main.py`, so this name does not point to another exercise. A warning names each test that grader leaves
/// out, also in a folder with tests of several programs.
#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn main_is_the_program_of_the_week_that_is_judged() {
    let test = |program: &str, output: &str| {
        json!({"name": program, "run": format!("python3 {program}"), "input": "4", "output": output, "comparison": "exact",
            "points": 5})
    };
    let week = |tests: Vec<serde_json::Value>| json!({ "tests": tests }).to_string();
    let workspace = Workspace::bare();
    workspace.file("grader.toml", "problems = [\".\"]\n").file("r.csv", "id\nann\nbo\n");
    workspace.file("hw1/autograding.json", week(vec![test("main.py", "4"), test("add.py", "5")]));
    workspace.file("hw2/autograding.json", week(vec![test("main.py", "8")]));
    let unit = json!({"name": "unit", "run": "pytest", "points": 90});
    workspace.file("hw3/autograding.json", week(vec![test("main.py", "8"), test("sub.py", "3"), unit]));
    let (double, less) = ("print(2 * int(input()))\n", "print(int(input()) - 1)\n");
    workspace.file("hw2-submissions/hw2-ann/main.py", double).file("hw2-submissions/hw2-bo/double.py", double);
    for student in ["ann", "bo"] {
        workspace.file(format!("hw3-submissions/hw3-{student}/main.py"), double);
        workspace.file(format!("hw3-submissions/hw3-{student}/sub.py"), less);
    }
    let judge = |week: &str| {
        workspace.grader(&[
            "judge",
            week,
            &format!("{week}-submissions"),
            "--roster",
            "r.csv",
            "--report",
            "gradebook=-",
        ])
    };
    let of_second = judge("hw2");
    of_second.status(0).shows("ann,ann,5,5,AC").shows("bo,bo,5,5,AC");
    let of_third = judge("hw3");
    of_third.status(0).shows("ann,ann,5,5,10,AC,AC").shows("bo,bo,5,5,10,AC,AC");
    of_third.says("test `unit` is left out with its 90 points");
    // One program of such a folder.
    workspace.file("sub.py", less);
    workspace.grader(&["judge", "hw3/sub", "sub.py"]).status(0).shows("1 AC");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn a_class_of_two_programs_is_judged() {
    let test = |program: &str, output: &str| {
        json!({"name": "runs", "setup": "", "run": format!("python3 {program}"), "input": "", "output": output,
            "comparison": "included", "timeout": 1, "points": 2})
    };
    let workspace = Workspace::new();
    let tests = json!({"tests": [test("hello.py", "Hello"), test("add.py", "3")]});
    let hello = "print('Hello')\n";
    workspace.file("hw/.github/classroom/autograding.json", tests.to_string()).file("hw/README.md", "# Homework\n");
    workspace
        .file("hw/hello.py", hello)
        .file("hw/add.py", "print(1 + 2)\n")
        .file("grader.toml", "problems = [\".\"]\n");
    for (student, add) in [("ann", "print(3)\n"), ("bob", "print(4)\n")] {
        workspace.file(format!("class/hw-submissions/hw-{student}/hello.py"), hello);
        workspace.file(format!("class/hw-submissions/hw-{student}/add.py"), add);
        workspace.file(format!("class/hw-submissions/hw-{student}/README.md"), "# Homework\n");
    }
    workspace.file("class/hw-submissions/hw-cy/hello.py", hello);
    let run = workspace.grader(&["judge", "hw", "class", "--report", "csv=grades.csv"]);
    run.status(1).shows("3 students, 2 problems").shows("hw/add");
    let grades = workspace.read("grades.csv");
    for line in [
        "hw/add,ann/add.py,ann,add/runs,AC,2,",
        "hw/hello,ann/hello.py,ann,hello/runs,AC,2,",
        "hw/add,bob/add.py,bob,add/runs,WA,0,",
        "hw/hello,cy/hello.py,cy,hello/runs,AC,2,",
    ] {
        assert!(grades.contains(line), "{line}: {grades}");
    }
    assert!(!run.stdout.contains("hw/add.py"), "the teacher's own program is of no student: {}", run.all());
    // The folder of the teacher need not have the programs: the document names them.
    for program in ["hello.py", "add.py"] {
        std::fs::remove_file(workspace.path(format!("hw/{program}"))).unwrap();
    }
    let run = workspace.grader(&["judge", "hw", "class", "--report", "csv=again.csv"]);
    run.status(1).shows("3 students, 2 problems");
    assert_eq!(workspace.read("again.csv"), grades);
    // Clones by themselves, with a layout.
    let clones = ["judge", "hw", "class/hw-submissions", "--layout", "{student}/{problem}.*"];
    let run = workspace.grader(&clones);
    run.status(1).shows("3 students, 2 problems").shows("hw-bob");
}

#[apply(cli_test)]
fn a_broken_document_is_an_error() {
    let workspace = folder(".github/classroom/autograding.json", &json!({"tests": [{"run": "python3 hello.py"}]}));
    workspace.run(&[]).status(2).says("not the tests of a classroom: missing field `name`");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn tests_with_points_carry_them_in_reports_for_platforms_and_students() {
    let case = |name: &str, input: &str, output: &str, points: f64| {
        json!({"name": name, "type": "io", "run": "python3 hello.py", "input": input, "expected": output,
            "comparison": "exact", "points": points})
    };
    let tests = [case("ada", "Ada", "Hello, Ada", 4.0), case("bob", "Bob", "Hello, Bob", 1.5)];
    let workspace = folder("tests.json", &json!({"schema": "classroom50/tests/v1", "tests": tests}));
    workspace.file("students/bob/hello.py", "print('Hello, Ada')\n");
    let mut args = vec!["judge", "students/bob", "--problem", "hello", "--exit-zero", "--report", "gradescope=g.json"];
    args.extend(["--report", "artemis=feedback", "--out", "out"]);
    workspace.grader(&args).status(0);
    let results: serde_json::Value = serde_json::from_str(&workspace.read("g.json")).unwrap();
    let lines: Vec<_> = results["tests"]
        .as_array()
        .unwrap()
        .iter()
        .map(|line| [&line["name"], &line["score"], &line["max_score"]])
        .collect();
    assert_eq!(
        lines,
        [[&json!("hello/ada"), &json!(4.0), &json!(4.0)], [&json!("hello/bob"), &json!(0.0), &json!(1.5)]]
    );
    assert_eq!(results["score"], json!(4.0));
    assert!(!workspace.path("feedback/3.json").exists(), "each test once, and no sum");
    let text = workspace.read("out/students/students_bob/hello.txt");
    assert!(text.contains("hello/ada (4 of 4 points): accepted\nhello/bob (0 of 1.5 points): wrong answer"), "{text}");
}

/// Judges a student's program in a problem with points: 4 of 5.
fn sum_with_points() -> Workspace {
    let workspace = Workspace::new();
    let problem = workspace.problem("sum").toml("type = \"scoring\"\n");
    let problem = problem.case("sample/1", "1 2\n", "3\n").case("secret/1", "4 4\n", "8\n");
    problem.submission("accepted/sum.sh", "read a b\necho $((a + b))\n");
    workspace.file("ada/sum.sh", "echo 3\n");
    workspace
}

#[apply(cli_test)]
fn results_for_classroom_50() {
    let workspace = sum_with_points();
    let args = ["judge", "sum", "ada", "--exit-zero", "--report", "classroom50=result.json"];
    let run = workspace.grader(&args);
    run.status(2).says("these are not set: CLASSROOM, ASSIGNMENT, OWNER, SUBMISSION_TAG, COMMIT_URL, RELEASE_URL");
    let variables = [
        ("CLASSROOM", "c"),
        ("ASSIGNMENT", "a"),
        ("OWNER", "ada"),
        ("SUBMISSION_TAG", "submit/1"),
        ("COMMIT_URL", "https://x.org/c"),
        ("RELEASE_URL", "https://x.org/r"),
    ];
    let call = variables
        .iter()
        .fold(Call::any(workspace.path("").as_path(), &args), |call, (name, value)| call.env(name, *value));
    call.run().status(0);
    let result: serde_json::Value = serde_json::from_str(&workspace.read("result.json")).unwrap();
    let keys: Vec<&String> = result.as_object().unwrap().keys().collect();
    let expect = [
        "assignment",
        "assignment_type",
        "classroom",
        "commit",
        "datetime",
        "max-score",
        "owner",
        "release",
        "review",
        "schema",
        "score",
        "submission",
        "tests",
    ];
    assert_eq!(keys, expect);
    assert_eq!(
        (&result["schema"], &result["assignment_type"]),
        (&json!("classroom50/result/v1"), &json!("individual"))
    );
    assert_eq!((&result["review"], &result["owner"]), (&json!("https://x.org/c"), &json!("ada")));
    assert_eq!((&result["score"], &result["max-score"]), (&json!(0), &json!(10_000)));
    let time = result["datetime"].as_str().unwrap();
    assert!(time.len() == 20 && time.ends_with('Z'), "{time}");
    let tests = result["tests"].as_array().unwrap();
    let of = |name: &str| tests.iter().find(|test| test["test-name"] == name).unwrap_or_else(|| panic!("{tests:?}"));
    assert_eq!((&of("sample/1")["passed"], &of("secret/1")["passed"]), (&json!(true), &json!(false)));
    for test in tests {
        let points = ["score", "max-score"].map(|key| test[key].as_u64().unwrap());
        assert!(points[0] <= points[1], "{test}");
        assert!(!test.to_string().contains("\\u001b"), "no colours: {test}");
    }
}

#[apply(cli_test)]
fn feedback_for_artemis() {
    let workspace = sum_with_points();
    let args = ["judge", "sum", "ada", "--exit-zero", "--report", "artemis=customFeedbacks"];
    workspace.grader(&args).status(0);
    let files: Vec<String> = ["1", "2", "3"].map(|n| workspace.read(format!("customFeedbacks/{n}.json"))).to_vec();
    let of = |name: &str| -> serde_json::Value {
        let all = files.iter().map(|text| serde_json::from_str::<serde_json::Value>(text).unwrap());
        all.into_iter().find(|one| one["name"] == name).unwrap_or_else(|| panic!("{files:?}"))
    };
    assert_eq!(of("sample/1")["successful"], json!(true));
    let secret = of("secret/1");
    assert_eq!(
        (&secret["successful"], secret["message"].as_str().unwrap().contains("wrong answer")),
        (&json!(false), true)
    );
    // A secret test stays secret, and old feedback does not mix with new.
    assert!(!secret.to_string().contains('8'), "{secret}");
    workspace.grader(&args).status(2).says("it is not empty; name a new folder");
    workspace.file("class/ada/sum.sh", "echo 3\n").file("class/bob/sum.sh", "echo 4\n");
    let class = ["judge", "class", "--layout", "{student}/{problem}.*", "--report", "artemis=other"];
    workspace.grader(&class).status(2).says("this report is for one student");
}
