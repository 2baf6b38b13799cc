//! Grammars of checktestdata as validators of inputs and answers. What interprets them is mostly a stand-in here.

use std::fs::{Permissions, set_permissions};
use std::os::unix::fs::{PermissionsExt, symlink};

use macro_rules_attribute::apply;

use crate::cli::need::Need;
use crate::cli::packages::{CURRENT, LEGACY, SUMS, add};
use crate::cli::run::{Call, Run};
use crate::cli::workspace::{SUM, Workspace};

/// Understands three grammars: `DIGITS`, `TWO` (lines of two digits), and `FAIL n` (ends with n unless the input is empty).
const STAND_IN: &str = r#"#!/bin/sh
[ "$*" = --version ] && { echo "stand-in 1"; exit 0; }
[ $# -eq 1 ] || { echo "called with $*"; exit 2; }
read -r rule code < "$1"
case $rule in
    DIGITS) ok() { case $1 in *[!0-9\ ]*) return 1 ;; esac; } ;;
    TWO) ok() { case $1 in [0-9][0-9]) ;; *) return 1 ;; esac; } ;;
    FAIL) ok() { exit "$code"; } ;;
    *) echo "parse error: $rule"; exit 2 ;;
esac
while read -r line; do
    ok "$line" || { echo "mismatch: $line" >&2; exit 1; }
done
echo "testdata ok!"
"#;

/// A package with a grammar.
fn package(grammar: &str, files: &[(&str, &str)]) -> Workspace {
    let workspace = Workspace::new();
    add(&workspace, "problems/p", SUMS);
    add(&workspace, "problems/p", &[("problem.yaml", CURRENT), ("input_validators/format.ctd", grammar)]);
    add(&workspace, "problems/p", files);
    workspace
}

/// A program in a directory that [`call`] has in `PATH`.
pub(super) fn tool(workspace: &Workspace, name: &str, text: &str) {
    workspace.file(format!("tools/{name}"), text);
    set_permissions(workspace.path(format!("tools/{name}")), Permissions::from_mode(0o755)).unwrap();
}

/// With a shell and the tools of the workspace alone in `PATH`.
pub(super) fn call(workspace: &Workspace, call: Call) -> Run {
    for name in ["sh", "bash"] {
        let _ = symlink(format!("/bin/{name}"), workspace.file("tools/.keep", "").path("tools").join(name));
    }
    call.env("PATH", workspace.path("tools")).run()
}

fn run(workspace: &Workspace) -> Run {
    call(workspace, workspace.call(&[]))
}

fn grader(workspace: &Workspace, args: &[&str]) -> Run {
    call(workspace, Call::any(&workspace.path(""), args))
}

#[apply(cli_test)]
fn a_grammar_checks_inputs() {
    for (yaml, dir) in [(CURRENT, "input_validators"), (LEGACY, "input_format_validators")] {
        let files = [("problem.yaml", yaml), (".timelimit", "1"), (&format!("{dir}/format.ctd"), "DIGITS\n")];
        let workspace = package("DIGITS\n", &files);
        if yaml == LEGACY {
            std::fs::remove_dir_all(workspace.path("problems/p/input_validators")).unwrap();
        }
        tool(&workspace, "checktestdata", STAND_IN);
        let ran = run(&workspace);
        ran.status(0).ends("accepted/sum.sh", "AC", "met");
        assert_eq!(ran.findings().count(), 0, "{}", ran.all());
        workspace.file("problems/p/data/secret/large/02.in", "100 x\n");
        let ran = run(&workspace);
        ran.says("large/02.in").says("rejected by").says(&format!("{dir}/format.ctd: mismatch: 100 x"));
        assert!(!ran.all().contains("small/01.in"), "{}", ran.all());
    }
}

#[apply(cli_test)]
fn a_mistake_in_a_grammar_is_our_error() {
    let workspace = package("INT(\n", &[]);
    tool(&workspace, "checktestdata", STAND_IN);
    let ran = run(&workspace);
    ran.status(3).says("format.ctd").says("does not compile").says("parse error: INT(").says("fix the validator");
    assert!(!ran.all().contains("rejected by"), "{}", ran.all());
    let checked = grader(&workspace, &["verify", "p", "--input", "problems/p/data/sample/1.in"]);
    checked.status(3).says("parse error: INT(");
}

#[apply(cli_test)]
fn an_interpreter_that_fails_rejects_nothing() {
    for (code, told) in [("2", "exit code 2 instead of 0 (accept) or 1 (reject)"), ("42", "exit code 42 instead of 0")]
    {
        let workspace = package(&format!("FAIL {code}\n"), &[]);
        tool(&workspace, "checktestdata", STAND_IN);
        let ran = run(&workspace);
        ran.status(3).says("format.ctd").says(told);
        assert!(!ran.all().contains("rejected by"), "{}", ran.all());
    }
}

#[apply(cli_test)]
fn without_an_interpreter_nothing_is_checked() {
    let workspace =
        package("DIGITS\n", &[("data/secret/large/02.in", "100 x\n"), ("data/secret/large/02.ans", "100\n")]);
    workspace.file("problems/p/submissions/accepted/sum.sh", "read a b\n[ $b = x ] && b=0\necho $((a + b))\n");
    let ran = run(&workspace);
    ran.status(0).ends("accepted/sum.sh", "AC", "met");
    ran.says("format.ctd").says("grader does not check inputs with it: no checktestdata: pip install checktestdata");
    // Where an answer was asked for there is none.
    let asked = grader(&workspace, &["verify", "p", "--input", "problems/p/data/sample/1.in"]);
    asked.status(2).says("grader cannot run every input validator").hides("✓");
    let verified = grader(&workspace, &["verify", "p", "--data-only"]);
    verified.shows("not-checked").shows("no checktestdata").hides("input-rejected").hides("validator-broken");
    // Where another validator rejects what is invalid, that is enough; where it does not, nobody knows.
    workspace
        .file("problems/p/input_validators/short.sh", "read line\n[ ${#line} -lt 9 ] && exit 42\nexit 43\n")
        .file("problems/p/data/invalid_input/long.in", "1 2 3 4 5 6 7\n");
    grader(&workspace, &["verify", "p", "--data-only"]).hides("validation-data-incomplete");
    workspace.file("problems/p/data/invalid_input/words.in", "a b\n");
    let verified = grader(&workspace, &["verify", "p", "--data-only"]);
    verified.shows("invalid_input/words.in: not known: grader cannot run every input validator, and those that it can run accept it");
    verified.hides("long.in").hides("invalid-input-accepted");
}

#[apply(cli_test)]
fn an_interpreter_that_does_not_run_is_none() {
    // As a script whose modules cannot be seen in a box.
    let workspace = package("DIGITS\n", &[]);
    tool(&workspace, "checktestdata", "#!/bin/sh\necho 'No module named checktestdata' >&2\nexit 1\n");
    tool(&workspace, "pyctd", "#!/nonexistent/python3\n");
    let ran = run(&workspace);
    ran.status(0).says("tools/pyctd does not run in the sandbox: pip install checktestdata");
    assert!(!ran.all().contains("rejected by"), "{}", ran.all());
}

#[apply(cli_test)]
fn the_other_implementation_is_found() {
    let workspace = package("DIGITS\n", &[("data/secret/large/02.in", "100 x\n")]);
    tool(&workspace, "checktestdata", "#!/nonexistent/sh\n");
    tool(&workspace, "pyctd", STAND_IN);
    run(&workspace).says("rejected by").says("mismatch: 100 x");
}

#[apply(cli_test)]
fn a_grammar_takes_no_arguments() {
    let files = [
        ("data/secret/test_group.yaml", "input_validator_args: [a, b]\nargs: [c]\n"),
        ("data/secret/1.in", "1 1\n"),
        ("data/secret/1.ans", "2\n"),
    ];
    let workspace = Workspace::new();
    let all: Vec<(&str, &str)> = files.into_iter().chain([("problem.yaml", CURRENT)]).collect();
    add(&workspace, "problems/p", &all);
    add(&workspace, "problems/p", &[("submissions/accepted/sum.sh", SUM), ("input_validators/f.ctd", "DIGITS\n")]);
    tool(&workspace, "checktestdata", STAND_IN);
    let ran = run(&workspace);
    ran.status(0);
    assert!(ran.findings().all(|found| found["severity"] != "judge_error"), "{}", ran.all());
    // Those that are meant for it alone would be lost.
    workspace.file("problems/p/data/secret/test_group.yaml", "input_validator_args: {f: [a]}\n");
    run(&workspace).status(2).says("secret/test_group.yaml").says("a grammar takes no arguments");
}

#[apply(cli_test)]
fn a_changed_grammar_or_interpreter_is_asked_anew() {
    let workspace = package("DIGITS\n", &[("problem.yaml", &format!("{CURRENT}constants: {{rule: DIGITS}}\n"))]);
    tool(&workspace, "checktestdata", STAND_IN);
    assert_eq!(run(&workspace).status(0).findings().count(), 0);
    workspace.file("problems/p/input_validators/format.ctd", "TWO\n");
    run(&workspace).says("mismatch: 1 2");
    workspace.file("problems/p/input_validators/format.ctd", "{{rule}}\n");
    assert_eq!(run(&workspace).status(0).findings().count(), 0);
    tool(&workspace, "checktestdata", "#!/bin/sh\n[ \"$1\" = --version ] && echo stand-in 2 && exit\nexit 1\n");
    run(&workspace).says("rejected by");
}

#[apply(cli_test)]
fn verify_asks_grammars() {
    let validation = [("data/invalid_input/bad.in", "x\n"), ("answer_validators/answer.ctd", "DIGITS\n")];
    let workspace = package("DIGITS\n", &validation);
    tool(&workspace, "checktestdata", STAND_IN);
    let verify = || grader(&workspace, &["verify", "p", "--data-only"]);
    let sound = verify();
    sound.hides("input-rejected").hides("answer-invalid").hides("invalid-input-accepted").hides("validator-broken");
    sound.shows("1 input validator");
    workspace.file("problems/p/data/invalid_input/bad.in", "5\n");
    workspace.file("problems/p/data/secret/large/02.in", "x 5\n");
    workspace.file("problems/p/data/secret/large/02.ans", "five\n");
    let unsound = verify();
    unsound.shows("input-rejected").shows("mismatch: x 5").shows("invalid-input-accepted");
    unsound.shows("answer-invalid").shows("mismatch: five");
}

#[apply(cli_test)]
fn a_finding_names_its_validator_once() {
    let workspace = package("DIGITS\n", &[]);
    let run = grader(&workspace, &["verify", "p", "--data-only"]);
    run.shows("input_validators/format.ctd: cannot be run, so it checks nothing").hides("ctd: input_validators");
}

#[apply(cli_test)]
fn cases_are_made_by_what_grammars_accept() {
    let workspace = package("DIGITS\n", &[]);
    tool(&workspace, "checktestdata", STAND_IN);
    workspace.file("good.in", "3 4\n").file("bad.in", "3 x\n");
    let added = grader(&workspace, &["add", "p", "bad.in", "--group", "secret/small"]);
    added.status(1).says("rejected by input_validators/format.ctd: mismatch: 3 x");
    grader(&workspace, &["add", "p", "good.in", "--group", "secret/small"]).status(0);
    // Without its interpreter that is told, and cases are made all the same.
    std::fs::remove_file(workspace.path("tools/checktestdata")).unwrap();
    workspace.file("other.in", "5 6\n");
    let added = grader(&workspace, &["add", "p", "other.in", "--group", "secret/small"]);
    added.status(0).says("so it checks nothing: no checktestdata");
}

#[apply(cli_test)]
fn a_grammar_is_no_submission() {
    let workspace = package("DIGITS\n", &[("submissions/accepted/format.ctd", "DIGITS\n")]);
    tool(&workspace, "checktestdata", STAND_IN);
    run(&workspace).status(0).says("submissions/accepted/format.ctd").says("no source file of a known language");
    let judged = grader(&workspace, &["judge", "p", "problems/p/input_validators/format.ctd"]);
    judged.status(2);
}

#[apply(cli_test)]
#[needs(&[Need::Checktestdata])]
fn a_real_interpreter_is_asked() {
    let grammar = "INT(0, 1000, a) SPACE INT(0, 1000, b) NEWLINE ASSERT(a + b < 1000) EOF\n";
    let workspace = package(grammar, &[]);
    let ran = workspace.run(&[]);
    ran.status(0).ends("accepted/sum.sh", "AC", "met");
    assert_eq!(ran.findings().count(), 0, "{}", ran.all());
    workspace.file("problems/p/data/secret/large/02.in", "999 2\n");
    workspace.file("problems/p/data/secret/large/02.ans", "1001\n");
    workspace.run(&[]).says("rejected by").says("format.ctd").says("ASSERT");
    workspace.file("problems/p/input_validators/format.ctd", "INT(0, SPACE\n");
    workspace.run(&[]).status(3).says("does not compile");
}
