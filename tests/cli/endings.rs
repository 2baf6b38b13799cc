//! Endings of programs in any case of letters, as some systems write them.

use macro_rules_attribute::apply;

use crate::cli::run::Call;
use crate::cli::workspace::{SUM, Workspace};

const PYTHON: &str = "a, b = map(int, input().split())\nprint(a + b)\n";

fn plain() -> Workspace {
    let workspace = Workspace::bare();
    workspace.file("01.in", "1 2\n").file("01.ans", "3\n");
    workspace
}

#[apply(cli_test)]
fn submissions_in_any_case_of_letters() {
    let workspace = plain();
    workspace.file("GAPS.Py", PYTHON).file("SUM.SH", SUM);
    workspace.file(
        "sum.Cpp",
        "#include <iostream>\nint main() { int a, b; std::cin >> a >> b; std::cout << a + b << '\\n'; }\n",
    );
    let run = workspace.run(&[]);
    for name in ["GAPS.Py", "SUM.SH", "sum.Cpp"] {
        run.ends(name, "AC", "met");
    }
    run.status(0);
    workspace.run(&["GAPS.Py"]).status(0).ends("GAPS.Py", "AC", "met");
    // A compiler that cares: only `.java` is Java to it, and only with the name of its class.
    workspace.file(
        "other.JAVA",
        "public class Sum { public static void main(String[] a) { var s = new java.util.Scanner(System.in); \
         System.out.println(s.nextInt() + s.nextInt()); } }\n",
    );
    workspace.run(&["other.JAVA"]).status(0).ends("other.JAVA", "AC", "met");
}

#[apply(cli_test)]
fn a_capital_c_is_another_language() {
    let workspace = plain();
    // `new` is a name in C and a word of C++; iostream is C++ alone.
    workspace.file("a.c", "#include <stdio.h>\nint main() { int a, b, new; scanf(\"%d %d\", &a, &b); new = a + b; printf(\"%d\\n\", new); }\n");
    workspace.file(
        "b.C",
        "#include <iostream>\nint main() { int a, b; std::cin >> a >> b; std::cout << a + b << '\\n'; }\n",
    );
    let run = workspace.run(&[]);
    run.status(0).ends("a.c", "AC", "met").ends("b.C", "AC", "met");
    let languages: Vec<&str> = run.of("built").map(|event| event["result"]["language"].as_str().unwrap()).collect();
    assert_eq!(languages, ["c", "cpp"]);
}

#[apply(cli_test)]
fn files_of_one_program() {
    let workspace = Workspace::with_sum();
    let problem = workspace.problem("sum").toml("reference = \"accepted/sum.sh\"\n");
    problem.submission("accepted/two/Main.PY", "from part import add\nprint(add(*map(int, input().split())))\n");
    problem.submission("accepted/two/part.Py", "def add(a, b):\n    return a + b\n");
    problem.file("submissions/submissions.yaml", "accepted/named:\n  entrypoint: Start.PY\n");
    problem.submission("accepted/named/Start.PY", PYTHON).submission("accepted/named/main.py", "print(0)\n");
    // Names that differ in this alone are two files.
    problem.submission("accepted/both/main.py", "import sys\nsys.path\n".to_owned().as_str());
    problem.submission("accepted/both/main.py", PYTHON).submission("accepted/both/main.PY", "raise SystemExit(1)\n");
    let run = workspace.run(&["-v"]);
    run.ends("accepted/two", "AC", "met")
        .ends("accepted/named", "AC", "met")
        .ends("accepted/both", "AC", "met")
        .status(0);
}

#[apply(cli_test)]
fn judges_and_references() {
    let workspace = Workspace::new();
    let problem = workspace.problem("sum").case("secret/01", "1 2\n", "3\n");
    problem.submission("accepted/best.RS", "fn main() { let mut s = String::new(); std::io::stdin().read_line(&mut s).unwrap(); println!(\"{}\", s.split_whitespace().map(|x| x.parse::<i64>().unwrap()).sum::<i64>()); }\n");
    problem.submission("accepted/other.PY", PYTHON);
    problem.file(
        "output_validator/check.SH",
        "read got\nread want < \"$2\"\n[ \"$got\" = \"$want\" ] && exit 42\nexit 43\n",
    );
    problem.file("input_validators/valid.Sh", "read a b || exit 43\nexit 42\n");
    let list = workspace.grader(&["list", "--format", "json"]);
    list.status(0);
    let listed: serde_json::Value = serde_json::from_str(&list.stdout).unwrap();
    let submissions = listed[0]["submissions"].as_array().unwrap();
    let references: Vec<&str> = submissions
        .iter()
        .filter(|submission| submission["reference"] == true)
        .map(|submission| submission["submission"].as_str().unwrap())
        .collect();
    assert_eq!(references, ["accepted/best.RS"], "the only Rust file");
    workspace.run(&[]).status(0).ends("accepted/other.PY", "AC", "met");
    workspace.grader(&["verify", "--data-only"]).hides("ignored");
}

#[apply(cli_test)]
fn what_students_hand_in() {
    let workspace = Workspace::with_sum();
    workspace.file("class/ann/SUM.PY", PYTHON).file("class/bob/sum.Py", PYTHON).file("class/cid/sum.py", PYTHON);
    let dir = workspace.path(".");
    for layout in ["{student}/{problem}.*", "{student}/{problem}.py"] {
        let run = Call::recorded(&dir, &["judge", "class", "--layout", layout]).run();
        run.status(0).shows("3 students, 1 problem: 3 of 3 submissions accepted");
    }
    Call::recorded(&dir, &["judge", "sum", "class/ann/SUM.PY"]).run().status(0).ends("class/ann/SUM.PY", "AC", "met");
}

#[apply(cli_test)]
fn test_data_in_capitals_is_told() {
    let workspace = plain();
    workspace.file("main.sh", SUM).file("02.IN", "1 2\n").file("02.ANS", "4\n");
    workspace.run(&[]).status(0).says("02.ANS: not part of a test case").says("→ rename it");
}
