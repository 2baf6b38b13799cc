//! `grader verify --coverage`: lines of accepted submissions that no case executes.

use macro_rules_attribute::apply;
use serde_json::Value;

use crate::cli::need::Need;
use crate::cli::run::Run;
use crate::cli::workspace::Workspace;

/// Three lines of a branch for large numbers; the middle one cannot be executed.
const CPP: &str = "#include <iostream>\nint main() {\n    int n;\n    std::cin >> n;\n    if (n > 100) {\n        n = 100;\n        // capped\n        \
                   n += 0;\n    }\n    std::cout << n << '\\n';\n}\n";
const PYTHON: &str = "n = int(input())\nif n > 100:\n    n = 100\nprint(n)\n";
const RUST: &str = "fn main() {\n    let mut line = String::new();\n    std::io::stdin().read_line(&mut line).unwrap();\n    \
                    let mut n: i32 = line.trim().parse().unwrap();\n    if n > 100 {\n        n = 100;\n    }\n    println!(\"{n}\");\n}\n";

fn capped(name: &str, text: &str) -> Workspace {
    let workspace = Workspace::new();
    workspace.problem("capped").case("secret/1", "7\n", "7\n").submission(&format!("accepted/{name}"), text);
    workspace
}

fn verified(workspace: &Workspace) -> Run {
    workspace.grader(&["verify", "capped", "--coverage", "--try-time", "1"])
}

#[track_caller]
fn missing(workspace: &Workspace) -> Vec<String> {
    let run = workspace.grader(&["verify", "capped", "--coverage", "--try-time", "1", "--format", "json"]);
    let found: Value = serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}: {}", run.all()));
    let files = found["problems"][0]["coverage"].as_array().unwrap_or_else(|| panic!("{}", run.all()));
    files.iter().map(|file| format!("{} {}", file["file"], file["missing"])).collect()
}

#[track_caller]
fn check(name: &str, text: &str, lines: &str) {
    let workspace = capped(name, text);
    let run = verified(&workspace);
    run.shows("note code-not-covered").shows(&format!("submissions/accepted/{name}: no case executes line"));
    assert_eq!(missing(&workspace), [format!("\"{name}\" \"{lines}\"")]);
    // With a large number, every line is executed.
    workspace.problem("capped").case("secret/2", "101\n", "100\n");
    verified(&workspace).hides("code-not-covered").shows(" of 1 file are executed by some case");
    assert_eq!(missing(&workspace), [format!("\"{name}\" \"\"")]);
    // Without the option nothing is counted.
    workspace.grader(&["verify", "capped", "--try-time", "1"]).hides("coverage");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("g++"), Need::Tool("gcov")])]
fn lines_of_cpp() {
    check("capped.cpp", CPP, "6-8");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn lines_of_python() {
    check("capped.py", PYTHON, "3");
}

/// Rust's own tools read its data. Where they are missing, the note says what to install.
#[apply(cli_test)]
#[needs(&[Need::Tool("rustc")])]
fn lines_of_rust() {
    let run = verified(&capped("capped.rs", RUST));
    if run.stdout.contains("coverage-unknown") {
        run.shows("llvm-profdata");
    } else {
        check("capped.rs", RUST, "6");
    }
}

#[apply(cli_test)]
#[needs(&[Need::Tool("g++"), Need::Tool("gcov"), Need::Tool("python3")])]
fn files_of_one_program() {
    let workspace = Workspace::new();
    let problem = workspace.problem("capped");
    problem.case("secret/1", "7\n", "7\n");
    problem.submission("accepted/two/main.py", "import helper\nprint(helper.capped(int(input())))\n");
    problem.submission("accepted/two/helper.py", "def capped(n):\n    if n > 100:\n        return 100\n    return n\n");
    assert_eq!(missing(&workspace), ["\"helper.py\" \"3\"", "\"main.py\" \"\""]);
    std::fs::remove_dir_all(workspace.path("problems/capped/submissions/accepted/two")).unwrap();
    problem.submission("accepted/two/main.cpp", "#include <cstdio>\nint capped(int);\nint main() { int n; std::scanf(\"%d\", &n); std::printf(\"%d\", capped(n)); }\n");
    problem.submission(
        "accepted/two/helper.cpp",
        "int capped(int n) {\n    if (n > 100)\n        return 100;\n    return n;\n}\n",
    );
    assert_eq!(missing(&workspace), ["\"helper.cpp\" \"3\"", "\"main.cpp\" \"\""]);
}

#[apply(cli_test)]
fn what_cannot_be_counted_is_a_note() {
    let workspace = capped("capped.sh", "read n\necho $((n > 100 ? 100 : n))\n");
    let run = verified(&workspace);
    run.status(0).shows("note coverage-unknown").shows("nothing says which lines of Shell (bash) are executed");
    let run = workspace.grader(&["verify", "capped", "--coverage", "--data-only"]);
    run.status(2).says("cannot be used with");
}

/// The interactor decides what a program reads, so the lines are counted while they talk.
#[apply(cli_test)]
#[needs(&[Need::Tool("g++"), Need::Tool("gcov"), Need::Tool("python3")])]
fn lines_of_programs_that_talk() {
    let workspace = Workspace::new();
    let problem = workspace.problem("capped");
    let interactor =
        "read n < \"$1\"\necho $n\nread answer || exit 43\n[ $answer = $((n > 100 ? 100 : n)) ] && exit 42\nexit 43\n";
    let reference = "reference = \"accepted/capped.py\"\n";
    problem
        .toml(&format!("type = \"interactive\"\n{reference}"))
        .file("output_validator/talk.sh", interactor)
        .case("secret/1", "7\n", "");
    problem.submission("accepted/capped.cpp", CPP).submission("accepted/capped.py", PYTHON);
    assert_eq!(missing(&workspace), ["\"capped.cpp\" \"6-8\"", "\"capped.py\" \"3\""]);
    problem.case("secret/2", "101\n", "");
    assert_eq!(missing(&workspace), ["\"capped.cpp\" \"\"", "\"capped.py\" \"\""]);
    problem.file("output_validator/talk.sh", "exit 1\n");
    verified(&workspace).status(3);
    problem.toml(&format!("type = \"multi-pass\"\n{reference}limits.validation_passes = 2\n"));
    verified(&workspace)
        .shows("coverage-unknown")
        .shows("the lines of programs that run several times are not counted");
}

/// A program may leave anything where its tools look: that changes what is said of its own lines at most.
#[apply(cli_test)]
#[needs(&[Need::Tool("gcc"), Need::Tool("gcov"), Need::Tool("python3")])]
fn forged_data_harm_nobody() {
    let forge = "#include <stdio.h>\n#include <stdlib.h>\n#include <unistd.h>\nint main(void) {\n    int n;\n    scanf(\"%d\", &n);\n    \
                 printf(\"%d\\n\", n);\n    fflush(stdout);\n    FILEOP\n    _exit(0);\n}\n";
    for (operation, said) in [
        ("", "the program leaves no "),
        (
            "symlink(\"/etc/passwd\", \"forge.gcda\"); symlink(\"/etc/passwd\", \"prog-forge.gcda\");",
            "coverage-unknown",
        ),
        ("system(\"for f in forge submission program a; do head -c 99 /dev/urandom > $f.gcda; done\");", "coverage"),
    ] {
        let workspace = capped("forge.c", &forge.replace("FILEOP", operation));
        let run = verified(&workspace);
        run.status(0).shows(said).hides("root:");
    }
    let forge =
        "import os\nprint(input(), flush=True)\nopen('forge.cover', 'wb').write(b'>>>>>> \\xff\\n' * 9)\nos._exit(0)\n";
    verified(&capped("forge.py", forge)).status(0).shows("9 lines are executed").hides("root:");
}
