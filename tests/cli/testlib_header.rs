//! grader's own `testlib.h`: it does what the original does, and programs get it if there is no other.
//!
//! `tests/testlib` has programs that make the calls of testlib. A line of `recorded.jsonl` is one execution: the program,
//! its arguments, files and standard input, and what it did with the original of testlib 0.9.45. With the variable
//! `TESTLIB`, the directory of an original `testlib.h`, the test also checks the record. With `UPDATE_TESTLIB=1` it writes
//! the record anew: a new line needs no results. `own_words` marks mistakes of the program or its arguments, which the
//! header words itself.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use macro_rules_attribute::apply;
use serde_json::{Value, json};

use crate::cli::need::Need;
use crate::cli::workspace::Workspace;

const PROGRAMS: [&str; 5] = ["generator", "options", "checker", "validator", "interactor"];
/// What an execution did, by key: exit code, outputs, and the file `made`.
const RESULTS: [&str; 4] = ["exit", "stdout", "stderr", "made"];

/// A directory of this project.
fn here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

#[expect(clippy::disallowed_methods, reason = "the programs are trusted, and no submissions")]
fn command(program: impl AsRef<std::ffi::OsStr>) -> Command {
    Command::new(program)
}

/// Compiles with the header in a directory.
fn compile(header: &Path, arguments: &[&str], sources: impl IntoIterator<Item = PathBuf>) {
    let done = command("g++").arg("-I").arg(header).args(arguments).args(sources).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}

fn source(program: &str) -> PathBuf {
    here("tests/testlib").join(program).with_extension("cpp")
}

/// Builds the programs with the header in a directory.
fn built(header: &Path, standard: &str) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for program in PROGRAMS {
        compile(header, &[standard, "-w", "-o", dir.path().join(program).to_str().unwrap()], [source(program)]);
    }
    dir
}

/// Executes a case in an empty directory. Returns the case with what it did.
fn executed(case: &Value, programs: &Path) -> Value {
    let dir = tempfile::tempdir().unwrap();
    for (name, text) in case["files"].as_object().unwrap() {
        fs::write(dir.path().join(name), text.as_str().unwrap()).unwrap();
    }
    let input = dir.path().join("standard-input");
    fs::write(&input, case["stdin"].as_str().unwrap()).unwrap();
    let arguments = case["arguments"].as_array().unwrap().iter().map(|word| word.as_str().unwrap());
    let mut program = command(programs.join(case["program"].as_str().unwrap()));
    program.args(arguments).current_dir(dir.path()).stdin(Stdio::from(fs::File::open(input).unwrap()));
    let done = program.output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let mut result = case.clone();
    result["exit"] = json!(done.status.code());
    result["stdout"] = json!(text(&done.stdout));
    result["stderr"] = json!(text(&done.stderr));
    // Most cases make no such file.
    result["made"] = json!(fs::read(dir.path().join("made")).ok().map(|bytes| text(&bytes)));
    result
}

/// Fails with all cases that did something else with the header in a directory.
fn check(record: &[Value], header: &Path, standard: &str) {
    let programs = built(header, standard);
    let differs = |case: &Value| {
        let mut found = executed(case, programs.path());
        let verdict = |of: &Value| of["stderr"].as_str().unwrap_or_default().split(' ').next().map(str::to_owned);
        if case["own_words"] == true && verdict(&found) == verdict(case) {
            found["stderr"] = case["stderr"].clone();
        }
        (found != *case).then(|| {
            let [was, is] = [case, &found].map(|of| RESULTS.map(|key| format!("{key}: {}", of[key])).join("\n  "));
            format!(
                "{} {} {} {}\n  {was}\nnow:\n  {is}",
                case["program"], case["arguments"], case["files"], case["stdin"]
            )
        })
    };
    let different: Vec<String> = record.iter().filter_map(differs).collect();
    assert!(different.is_empty(), "{} of {} differ:\n{}", different.len(), record.len(), different.join("\n"));
}

#[apply(cli_test)]
#[needs(&[Need::Tool("g++")])]
fn it_does_what_the_original_does() {
    let path = here("tests/testlib/recorded.jsonl");
    let text = fs::read_to_string(&path).unwrap();
    let mut record: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    if let Some(original) = std::env::var_os("TESTLIB").map(PathBuf::from) {
        if std::env::var_os("UPDATE_TESTLIB").is_some() {
            let programs = built(&original, "-std=c++17");
            record = record.iter().map(|case| executed(case, programs.path())).collect();
            let lines: Vec<String> = record.iter().map(Value::to_string).collect();
            fs::write(&path, lines.join("\n") + "\n").unwrap();
        }
        check(&record, &original, "-std=c++17");
    }
    check(&record, &here("crates/grader-engine/src/compile/testlib"), "-std=c++11");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("g++")])]
fn it_compiles_in_newer_standards() {
    for standard in ["-std=c++17", "-std=c++20"] {
        compile(
            &here("crates/grader-engine/src/compile/testlib"),
            &[standard, "-fsyntax-only", "-Wall", "-Wextra", "-Wno-format-zero-length", "-Werror"],
            PROGRAMS.map(source),
        );
    }
}

#[apply(cli_test)]
#[needs(&[Need::Tool("g++"), Need::NoTestlib])]
fn a_new_problem_with_testlib_runs_on_a_fresh_machine() {
    let workspace = Workspace::bare();
    for (name, options) in [("talk", &["--interactive"][..]), ("many", &["--checker", "--lang", "cpp"])] {
        workspace.grader(&[&["new", name, "--testlib"], options].concat()).status(0).silent();
    }
    let run = workspace.grader(&["run"]);
    run.status(0).says("no testlib.h was found, so grader used its own").says("→ put the original (https://");
    assert_eq!(run.stderr.matches("no testlib.h was found").count(), 1, "{}", run.stderr);
    workspace.grader(&["verify", "many"]).status(0).says("no testlib.h was found");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("g++"), Need::NoTestlib])]
fn what_the_header_lacks_is_an_error_that_names_the_original() {
    let workspace = Workspace::with_sum();
    let checker = "#include \"testlib.h\"\nint main(int argc, char **argv) {\n    registerTestlibCmd(argc, argv);\n    \
                   callOfALaterVersion();\n}\n";
    workspace.problem("sum").file("output_validator/check.cpp", checker);
    let run = workspace.run(&["-t", "sample"]);
    run.status(3)
        .says("callOfALaterVersion")
        .says("compiled with grader's own testlib.h")
        .says("name it in grader.toml");
    // With another header it is an error of the program alone.
    workspace.problem("sum").file("testlib.h", super::testlib::HEADER);
    let run = workspace.run(&["-t", "sample"]);
    run.status(3).says("callOfALaterVersion");
    assert!(!run.stderr.contains("grader's own"), "{}", run.stderr);
}

#[apply(cli_test)]
#[needs(&[Need::Tool("g++"), Need::NoTestlib])]
fn an_export_has_the_header_and_an_import_needs_none() {
    let workspace = Workspace::new();
    workspace.grader(&["new", "sums", "--testlib"]).status(0);
    for format in ["domjudge", "kattis", "icpc-2025-09", "polygon"] {
        let run = workspace.grader(&["export", "sums", "--force", "--for", format, "-o", format]);
        run.status(0).shows("the original testlib.h: it is not on this machine");
        workspace.run(&[&format!("{format}/sums")]).status(0);
        let import = workspace.grader(&["import", &format!("{format}/sums"), "--out", &format!("back-{format}")]);
        import.status(0).shows("✓ made 1 problem");
    }
}
