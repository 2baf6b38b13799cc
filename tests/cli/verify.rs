//! `grader verify`: whole problems, and input files against the input validators.

use macro_rules_attribute::apply;
use serde_json::Value;

use crate::cli::run::Run;
use crate::cli::workspace::{SUM, Workspace};

fn validated(validator: &str) -> Workspace {
    let workspace = Workspace::with_sum();
    workspace.problem("sum").file("input_validators/check.sh", validator);
    workspace.file("good.in", "1 2\n").file("bad.in", "-1 2\n").file("folder/x.in", "1 2\n");
    workspace
}

#[apply(cli_test)]
fn every_file_is_told() {
    let workspace = validated("read a b\n[ $a -gt 0 ] && exit 42\necho \"$a is not positive\"\nexit 43\n");
    let run = workspace.grader(&["verify", "sum", "--input", "good.in", "bad.in", "folder", "missing.in"]);
    run.status(2).shows("good.in").shows("bad.in: rejected by input_validators/check.sh: -1 is not positive");
    run.shows("folder: a folder; name the files in it").shows("missing.in: No such file");
    workspace.grader(&["validate", "sum", "--input", "bad.in"]).status(1);
    workspace.grader(&["verify", "sum", "--input", "good.in"]).status(0);
}

#[apply(cli_test)]
fn a_folder_without_problems_is_an_error() {
    let workspace = crate::cli::workspace::Workspace::new();
    workspace.file("empty/notes.txt", "");
    let run = workspace.grader(&["verify", "empty"]);
    run.status(2).says("empty: contains no problem").says("a problem has submissions/ or problem.toml").hides("FAIL");
}

#[apply(cli_test)]
fn only_options_that_matter_are_offered() {
    let workspace = validated("exit 42\n");
    workspace.grader(&["verify", "sum", "--checker", "exact", "--input", "good.in"]).status(2).says("--checker");
    workspace.grader(&["verify", "sum", "--no-cache", "--input", "good.in"]).status(0);
    workspace.grader(&["verify", "sum", "--cases", "--input", "good.in"]).status(2).says("--cases");
    workspace.grader(&["verify", "--input", "good.in"]).status(2).says("--input needs one problem");
}

#[apply(cli_test)]
fn a_validator_that_does_not_compile_says_what_to_do() {
    let workspace = validated("exit 42\n");
    workspace.problem("sum").file("input_validators/other.py", "def\n");
    let run = workspace.grader(&["verify", "sum", "--input", "good.in"]);
    run.status(3).says("input_validators/other.py does not compile:\n  ").says("\n  → fix the validator");
}

/// Two numbers in one line, written unchanged, and nothing else.
///
/// A run of `verify` starts it a hundred times, so it starts nothing itself.
const TWO_NUMBERS: &str = r"number='(0|-?[1-9][0-9]{0,8})'
# Success means a zero byte or more than any two numbers.
IFS= read -r -d '' -n 100 text || [[ ! $text =~ ^$number' '$number$'\n'$ ]] || exit 42
echo 'not two numbers'
exit 43
";

/// One number, which is the sum, and nothing else.
const SUM_CHECKER: &str = "read a b < $1
IFS= read -r -d '' -n 100 text || [[ ${text%$'\\n'} == *$'\\n'* ]] || {
    words=($text)
    [ ${#words[@]} -eq 1 ] && [ \"${words[0]}\" = $((a + b)) ] && exit 42
}
echo \"not $((a + b))\"
exit 43
";

/// Which of several accepted submissions is the reference.
const REFERENCE: &str = "reference = \"accepted/sum.sh\"\n";

/// A problem in which nothing is to be found.
pub(crate) fn sound() -> Workspace {
    let workspace = Workspace::with_sum();
    let problem = workspace.problem("sum");
    problem.file("input_validators/check.sh", TWO_NUMBERS).file("statement/problem.en.md", "Add.\n");
    problem.submission("wrong_answer/three.sh", "echo 3\n");
    workspace
}

/// Only the data of the problem, as a document.
pub(crate) fn findings(workspace: &Workspace, args: &[&str]) -> (Run, Vec<(String, String, String)>) {
    let run = workspace.grader(&[&["verify", "sum", "--format", "json"], args].concat());
    let document: Value = serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}; {}", run.all()));
    let problems = document["problems"].as_array().unwrap().iter();
    let findings = problems.flat_map(|problem| problem["findings"].as_array().unwrap().iter());
    let text = |finding: &Value, key: &str| finding[key].as_str().unwrap_or_default().to_owned();
    let found = findings.map(|finding| {
        let path = text(finding, "path");
        let name = path.rsplit('/').next().unwrap_or_default().to_owned();
        (text(finding, "code"), name, text(finding, "message"))
    });
    let found = found.collect();
    (run, found)
}

/// Asserts the codes and the names of the files of all findings, in any order.
#[track_caller]
pub(crate) fn has(workspace: &Workspace, args: &[&str], status: i32, expected: &[(&str, &str)]) -> Run {
    let (run, found) = findings(workspace, args);
    let mut found: Vec<(&str, &str)> = found.iter().map(|(code, name, _)| (code.as_str(), name.as_str())).collect();
    let mut expected = expected.to_vec();
    found.sort_unstable();
    expected.sort_unstable();
    assert_eq!(found, expected, "{}", run.all());
    run.status(status);
    run
}

pub(crate) const DATA: &[&str] = &["--data-only"];

#[apply(cli_test)]
fn a_sound_problem_has_no_findings() {
    let workspace = sound();
    has(&workspace, &[], 0, &[]);
    let run = workspace.grader(&["verify", "sum"]);
    run.status(0).silent().shows("✓ sum  4 cases · 2 submissions · 1 input validator");
    run.shows("ok  1 problem: 0 errors, 0 warnings").shows("kinds of corruption are rejected");
    run.shows("limit     slowest ").shows("margins safe");
}

#[apply(cli_test)]
fn everything_below_is_checked_without_a_selection() {
    let workspace = sound();
    workspace.sum("other");
    let run = workspace.grader(&["verify", "--data-only"]);
    run.status(0).shows("✓ sum ").shows("! other ").shows("warning no-input-validator: ");
    run.shows("warning no-statement: problems/other/statement: no statement").shows("2 problems: 0 errors, 2 warnings");
}

#[apply(cli_test)]
fn a_problem_that_cannot_be_read_does_not_hide_the_others() {
    let workspace = sound();
    workspace.sum("other").toml("odd = 1\n");
    workspace.sum("third");
    workspace.file("testcases/third/secret/9.in", "1 1\n");
    let run = workspace.grader(&["verify", "sum", "other", "third", "--data-only"]);
    run.status(1).shows("✓ sum ").shows("✗ other  cannot be read; grader checked nothing else");
    run.shows("error problem-invalid: problems/other/problem.toml: line 1, column 1: unknown key `odd`");
    run.shows("error case-incomplete: testcases/third/secret/9.in: no answer file 9.ans");
    workspace.grader(&["verify", "nobody"]).status(2);
}

#[apply(cli_test)]
fn codes_are_allowed_by_name() {
    let workspace = sound();
    std::fs::remove_dir_all(workspace.path("problems/sum/statement")).unwrap();
    has(&workspace, DATA, 0, &[("no-statement", "statement")]);
    has(&workspace, &["--data-only", "--allow", "no-statement"], 0, &[]);
    let run = workspace.grader(&["verify", "--data-only", "--allow", "no-statement", "--allow", "no-sample"]);
    run.status(0).shows("0 errors, 0 warnings, 1 allowed");
    workspace.problem("sum").toml("[verify]\nallow = [\"no-statement\"]\n");
    has(&workspace, DATA, 0, &[]);
    workspace.problem("sum").toml("[verify]\nallow = [\"no-statment\"]\n");
    has(&workspace, DATA, 1, &[("no-statement", "statement"), ("problem-invalid", "problem.toml")]);
    workspace.problem("sum").toml("");
    let run = workspace.grader(&["verify", "--allow", "no-statment"]);
    run.status(2).says("unknown code `no-statment`; did you mean `no-statement`?");
    workspace.grader(&["verify", "--allow", "judge-error"]).status(2).says("`judge-error` cannot be allowed");
}

#[apply(cli_test)]
fn warnings_fail_when_that_is_wanted() {
    let workspace = sound();
    std::fs::remove_dir_all(workspace.path("problems/sum/statement")).unwrap();
    has(&workspace, &["--data-only", "--strict"], 1, &[("no-statement", "statement")]);
    has(&workspace, &["--data-only", "--strict", "--allow", "no-statement"], 0, &[]);
}

#[apply(cli_test)]
fn input_validators_are_asked_about_every_case() {
    let workspace = sound();
    workspace.problem("sum").case("secret/04", "1  1\n", "2\n").file("input_validators/other.sh", "exit 42\n");
    let (run, found) = findings(&workspace, DATA);
    run.status(1);
    let message = "rejected by input_validators/check.sh: not two numbers".to_owned();
    assert_eq!(found, [("input-rejected".to_owned(), "04.in".to_owned(), message)]);
}

#[apply(cli_test)]
fn a_validator_that_fails_is_our_error() {
    let workspace = sound();
    workspace.problem("sum").file("input_validators/other.sh", "exit 1\n");
    let cases = ["1.in", "01.in", "02.in", "03.in"].map(|name| ("validator-broken", name));
    has(&workspace, DATA, 3, &cases);
}

#[apply(cli_test)]
fn a_validator_that_does_not_compile_is_our_error() {
    let workspace = sound();
    let problem = workspace.problem("sum");
    problem.file("output_validator/v.py", "def\n").case("secret/04", "x\n", "2\n");
    has(&workspace, &[], 3, &[("validator-broken", "v.py"), ("input-rejected", "04.in")]);
}

#[apply(cli_test)]
fn answers_are_outputs() {
    let workspace = sound();
    workspace.problem("sum").file("output_validator/v.sh", SUM_CHECKER).case("secret/04", "1 1\n", "3\n");
    let (run, found) = findings(&workspace, DATA);
    run.status(1);
    let message = "rejected as an output: not 2".to_owned();
    assert_eq!(found, [("answer-rejected".to_owned(), "04.ans".to_owned(), message)], "{}", run.all());
    workspace.problem("sum").case("secret/04", "1 1\n", "2\n");
    has(&workspace, DATA, 0, &[]);
}

#[apply(cli_test)]
fn answer_validators_are_asked() {
    let workspace = sound();
    // It sees the answer on its standard input and the input as a file.
    let validator =
        "read answer\nread a b < $1\n[ $answer = $((a + b)) ] && exit 42\necho \"not $((a + b))\"\nexit 43\n";
    workspace.problem("sum").file("answer_validators/v.sh", validator);
    workspace.file("testcases/sum/invalid_answer/1.in", "1 1\n").file("testcases/sum/invalid_answer/1.ans", "3\n");
    has(&workspace, DATA, 0, &[]);
    workspace.problem("sum").case("secret/04", "1 1\n", "3\n");
    workspace.file("testcases/sum/invalid_answer/1.ans", "2\n");
    let (run, found) = findings(&workspace, DATA);
    run.status(1);
    assert_eq!(found[0].2, "rejected by answer_validators/v.sh: not 2", "{found:?}");
    assert_eq!((&*found[0].0, &*found[1].0), ("answer-invalid", "invalid-answer-accepted"), "{found:?}");
}

#[apply(cli_test)]
fn invalid_inputs_must_be_rejected() {
    let workspace = sound();
    workspace.file("testcases/sum/invalid_input/bad.in", "1 2 3\n");
    has(&workspace, DATA, 0, &[]);
    workspace.file("testcases/sum/invalid_input/good.in", "1 2\n");
    has(&workspace, DATA, 1, &[("invalid-input-accepted", "good.in")]);
    std::fs::remove_dir_all(workspace.path("problems/sum/input_validators")).unwrap();
    let untried = [("validation-data-incomplete", "good.in"), ("validation-data-incomplete", "bad.in")];
    has(&workspace, DATA, 1, &[&untried[..], &[("no-input-validator", "input_validators")]].concat());
}

#[apply(cli_test)]
fn a_validator_that_a_signal_ends_has_not_rejected() {
    let workspace = sound();
    let killed = "read line\n[ \"$line\" != '7 7' ] || kill -9 $$\nexit 42\n";
    workspace.problem("sum").file("input_validators/killed.sh", killed);
    workspace.file("testcases/sum/invalid_input/bad.in", "7 7\n");
    has(&workspace, DATA, 3, &[("validator-broken", "bad.in")]);
}

/// Adds a case to a validation directory.
fn validation_case(workspace: &Workspace, stem: &str, texts: [&str; 3]) {
    for (ending, text) in ["in", "ans", "out"].iter().zip(texts) {
        workspace.file(format!("testcases/sum/{stem}.{ending}"), text);
    }
}

#[apply(cli_test)]
fn invalid_and_valid_outputs_are_told_apart() {
    let workspace = sound();
    workspace.problem("sum").file("output_validator/v.sh", SUM_CHECKER);
    validation_case(&workspace, "invalid_output/a", ["1 2\n", "3\n", "4\n"]);
    validation_case(&workspace, "valid_output/a", ["1 2\n", "3\n", " 3\n"]);
    has(&workspace, DATA, 0, &[]);
    validation_case(&workspace, "invalid_output/b", ["1 2\n", "3\n", "3\n"]);
    validation_case(&workspace, "valid_output/b", ["1 2\n", "3\n", "4\n"]);
    validation_case(&workspace, "valid_output/c", ["1\n", "3\n", "3\n"]);
    workspace.file("testcases/sum/valid_output/d.in", "1 2\n").file("testcases/sum/valid_output/e.out", "3\n");
    let expected = [
        ("invalid-output-accepted", "b.out"),
        ("valid-output-rejected", "b.out"),
        ("validation-data-incomplete", "c.in"),
        ("validation-data-incomplete", "d.in"),
        ("validation-data-incomplete", "e.out"),
    ];
    has(&workspace, DATA, 1, &expected);
}

#[apply(cli_test)]
fn the_built_in_checker_is_asked_about_outputs() {
    let workspace = sound();
    validation_case(&workspace, "invalid_output/a", ["1 2\n", "3\n", "4\n"]);
    validation_case(&workspace, "valid_output/a", ["1 2\n", "3\n", "3\r\n"]);
    has(&workspace, DATA, 0, &[]);
    workspace.problem("sum").toml("checker = \"exact\"\n");
    has(&workspace, DATA, 1, &[("valid-output-rejected", "a.out")]);
}

#[apply(cli_test)]
fn arguments_reach_validation_data() {
    let workspace = sound();
    let validator = "[ \"$*\" = '--n 2' ] || exit 43\nexit 42\n";
    workspace.problem("sum").file("input_validators/args.sh", validator);
    for dir in ["sample", "secret"] {
        let file = format!("testcases/sum/{dir}/test_group.yaml");
        workspace.file(file, "input_validator_args: [--n, '2']\n");
    }
    workspace.file("testcases/sum/invalid_input/bad.in", "1 2\n");
    has(&workspace, DATA, 1, &[("invalid-input-accepted", "bad.in")]);
    workspace.file("testcases/sum/invalid_input/bad.yaml", "input_validator_args: [--n, '1']\n");
    has(&workspace, DATA, 0, &[]);
}

#[apply(cli_test)]
fn a_strict_input_validator_survives_corruption() {
    let workspace = sound();
    workspace
        .problem("sum")
        .file("input_validators/check.sh", "read a b c && [ -n \"$b\" ] && [ -z \"$c\" ] && exit 42\nexit 43\n");
    let run = has(&workspace, DATA, 0, &[("input-corruption-accepted", "input_validators")]);
    let document: Value = serde_json::from_str(&run.stdout).unwrap();
    let tries = &document["problems"][0]["tries"][0];
    let odd: Vec<&str> = tries["odd"].as_array().unwrap().iter().filter_map(|odd| odd["name"].as_str()).collect();
    assert!(odd.contains(&"double spaces") && odd.contains(&"a line with a word more"), "{odd:?}");
    assert!(!odd.contains(&"nothing") && !odd.contains(&"a word more in the last line"), "{odd:?}");
    let text = workspace.grader(&["verify", "sum", "--data-only"]);
    text.status(0).shows("no input validator rejects ").shows("accepted double spaces").shows("sample/1");
}

#[apply(cli_test)]
fn a_lenient_output_validator_is_noticed() {
    let workspace = sound();
    let problem = workspace.problem("sum").file("output_validator/v.sh", SUM_CHECKER);
    has(&workspace, DATA, 0, &[]);
    problem.file("output_validator/v.sh", "read a b < $1\nread n rest\n[ \"$n\" = $((a + b)) ] && exit 42\nexit 43\n");
    let run = has(&workspace, DATA, 0, &[("output-corruption-accepted", "output_validator")]);
    run.shows("a line with a word more").shows("a number more in the last line");
}

#[apply(cli_test)]
fn an_output_validator_that_crashes_on_junk_is_our_error() {
    let workspace = sound();
    let crash = "read a b < $1\nread n || exit 1\n[ \"$n\" = $((a + b)) ] && exit 42\nexit 43\n";
    workspace.problem("sum").file("output_validator/v.sh", crash);
    let (run, found) = findings(&workspace, &["--data-only", "--allow", "output-corruption-accepted"]);
    run.status(3);
    assert_eq!((&*found[0].0, &*found[0].1, found.len()), ("validator-crash", "v.sh", 1), "{found:?}");
    assert!(found[0].2.contains("fails on nothing for sample/1: ") && found[0].2.contains("exit code 1"), "{found:?}");
}

#[apply(cli_test)]
fn inputs_that_nobody_runs_on_are_found() {
    let workspace = sound();
    let deep = "testcases/sum/secret/a/b/c/d/e/f/g/h/1";
    workspace.file(format!("{deep}.in"), "1 2\n").file(format!("{deep}.ans"), "3\n");
    workspace.file("testcases/sum/.hidden/1.in", "1 2\n");
    has(&workspace, DATA, 1, &[("case-unreachable", "1.in")]);
}

#[apply(cli_test)]
fn what_a_problem_should_have() {
    let workspace = Workspace::new();
    let problem = workspace.problem("sum").case("sample/1", "1 2\n", "3\n");
    problem.submission("wrong_answer/four.sh", "echo 4\n");
    let expected = [
        ("no-input-validator", "input_validators"),
        ("no-statement", "statement"),
        ("no-secret-case", "secret"),
        ("no-accepted-submission", "accepted"),
    ];
    has(&workspace, &["--data-only", "--allow", "problem-untidy"], 1, &expected);
    workspace.file("testcases/sum/secret/1.in", "2 2\n").file("testcases/sum/secret/1.ans", "4\n");
    std::fs::remove_dir_all(workspace.path("testcases/sum/sample")).unwrap();
    let (_, found) = findings(&workspace, DATA);
    assert!(found.iter().any(|(code, ..)| code == "no-sample"), "{found:?}");
    assert!(!found.iter().any(|(code, ..)| code == "no-secret-case"), "{found:?}");
}

#[apply(cli_test)]
fn peculiar_bytes_are_told_once() {
    let workspace = Workspace::new();
    let problem = workspace.problem("sum").submission("accepted/a.sh", "cat\n").file("statement/problem.en.md", "x\n");
    problem.file("input_validators/v.sh", "exit 42\n").case("sample/1", "a\n", "a\n");
    problem.case("secret/1", "b\r\n", "é\n").case("secret/2", "", "c").case("secret/3", "\u{1}\n", "ü\n");
    let expected = [
        ("carriage-return", "1.in"),
        ("non-ascii", "1.ans"),
        ("no-final-newline", "2.ans"),
        ("empty-input", "2.in"),
        ("control-character", "3.in"),
    ];
    let (run, found) = findings(&workspace, &["--data-only", "--allow", "input-corruption-accepted"]);
    run.status(0);
    let codes: Vec<(&str, &str)> = found.iter().map(|(code, name, _)| (&**code, &**name)).collect();
    assert!(expected.iter().all(|expected| codes.contains(expected)), "{codes:?}");
    assert_eq!(codes.len(), expected.len(), "{codes:?}");
    let non_ascii = found.iter().find(|(code, ..)| code == "non-ascii").unwrap();
    assert_eq!(non_ascii.2, "line 1: not ASCII; the same in 1 more file");
}

#[apply(cli_test)]
fn the_same_input_twice_is_told() {
    let workspace = sound();
    workspace.problem("sum").case("secret/04", "2 2\n", "4\n");
    let (run, found) = findings(&workspace, DATA);
    run.status(0);
    let message = "the same input as secret/01".to_owned();
    assert_eq!(found, [("duplicate-input".to_owned(), "04.in".to_owned(), message)]);
    // Called with something else it is another case.
    workspace.file("testcases/sum/secret/04.yaml", "args: [x]\n");
    has(&workspace, DATA, 0, &[]);
}

#[apply(cli_test)]
fn submissions_must_be_what_their_authors_say() {
    let workspace = sound();
    let problem = workspace.problem("sum").submission("accepted/two.sh", "echo 3\n").toml(REFERENCE);
    problem.submission("wrong_answer/right.sh", SUM);
    let (run, found) = findings(&workspace, &[]);
    run.status(1);
    let of = |name: &str| found.iter().find(|(_, file, _)| file == name).unwrap();
    assert_eq!(
        (found.len(), &*of("two.sh").0, &*of("right.sh").0),
        (2, "submission-unexpected", "submission-unexpected")
    );
    assert!(of("two.sh").2.starts_with("expected AC, got WA on secret/01: "), "{found:?}");
    assert_eq!(of("right.sh").2, "expected WA, got AC");
    has(&workspace, DATA, 0, &[]);
}

#[apply(cli_test)]
fn a_wrong_submission_must_die_of_a_secret_case() {
    let workspace = sound();
    let spared = "read a b\nif [ \"$a\" = 1 ]; then echo 0; else echo $((a + b)); fi\n";
    workspace.problem("sum").submission("wrong_answer/spared.sh", spared);
    has(&workspace, &[], 0, &[("killed-by-sample-only", "spared.sh")]);
    workspace.problem("sum").case("secret/04", "1 7\n", "8\n");
    has(&workspace, &[], 0, &[]);
}

#[apply(cli_test)]
fn the_use_of_each_case_is_shown() {
    let workspace = sound();
    let negative = "read a b\n[ $a -lt 0 ] && echo 1 && exit\necho $((a + b))\n";
    workspace.problem("sum").submission("wrong_answer/negative.sh", negative);
    let run = workspace.grader(&["verify", "sum"]);
    run.status(0).shows("1 secret case is enough: secret/03").shows("2 of 3 secret cases are redundant");
    run.shows("secret/03  alone wrong_answer/negative.sh").hides("secret/01  ");
    let run = workspace.grader(&["verify", "sum", "--cases"]);
    run.shows("sample/1   none").shows("secret/01  wrong_answer/three.sh");
    run.shows("secret/03  wrong_answer/negative.sh (alone), wrong_answer/three.sh");
}

/// Works for so many hundredths of a second.
const BUSY: &str = "import time
def work(seconds):
    while time.process_time() < seconds: pass
";

#[apply(cli_test)]
fn the_time_limit_keeps_its_distances() {
    let workspace = sound();
    let slow = format!("{BUSY}a, b = map(int, input().split())\nwork(0.6 if a == 10 else 0)\nprint(a + b)\n");
    workspace.problem("sum").toml(&format!("{REFERENCE}limits.time_limit = 1\n")).submission("accepted/slow.py", &slow);
    let (run, found) = findings(&workspace, &[]);
    run.status(0);
    assert_eq!((found.len(), &*found[0].0), (1, "time-limit-tight"), "{found:?}");
    assert!(
        found[0].2.starts_with("accepted/slow.py takes 0.6") && found[0].2.contains(" on secret/02 of a limit of 1 s")
    );
    workspace.problem("sum").toml(&format!("{REFERENCE}limits.time_limit = 2\n"));
    has(&workspace, &[], 0, &[]);
}

#[apply(cli_test)]
fn a_limit_too_near_to_a_slow_submission_is_told() {
    let workspace = sound();
    let slow = |seconds: &str| {
        format!("{BUSY}a, b = map(int, input().split())\nwork({seconds} if a == 10 else 0)\nprint(a + b)\n")
    };
    let problem = workspace.problem("sum").toml("limits.time_limit = 0.5\n");
    problem.submission("time_limit_exceeded/slow.py", &slow("0.62"));
    let (run, found) = findings(&workspace, &[]);
    run.status(0);
    assert_eq!((found.len(), &*found[0].0), (1, "time-limit-loose"), "{found:?}");
    problem.submission("time_limit_exceeded/slow.py", &slow("9"));
    has(&workspace, &[], 0, &[]);
}

#[apply(cli_test)]
fn interactive_problems_are_checked() {
    let workspace = Workspace::new();
    let interactor = "read n < $1\necho $n\nread guess\n[ \"$guess\" = $n ] && exit 42\nexit 43\n";
    let problem = workspace.problem("sum").toml("type = \"interactive\"\n").case("sample/1", "5\n", "");
    problem.case("secret/1", "6\n", "").file("output_validator/v.sh", interactor);
    problem.file("input_validators/v.sh", "read n && [[ $n =~ ^[1-9]$ ]] && ! read -n 1 m && exit 42\nexit 43\n");
    problem.file("statement/problem.en.md", "Repeat.\n").submission("accepted/echo.sh", "read n\necho $n\n");
    problem.submission("wrong_answer/seven.sh", "echo 7\n");
    let untried = ["--try-time", "0", "--allow", "not-all-tried"];
    has(&workspace, &untried, 0, &[]);
    problem.case("secret/2", "0\n", "");
    has(&workspace, &[DATA, &untried].concat(), 1, &[("input-rejected", "2.in")]);
}

#[apply(cli_test)]
fn answers_of_passes_are_no_outputs() {
    let workspace = Workspace::new();
    let twice = "read n < $1\nread m\n[ $m = $n ] || exit 43\n[ $n = 1 ] || echo 1 > $3/nextpass.in\nexit 42\n";
    let problem = workspace.problem("sum").toml("type = \"multi-pass\"\n").case("sample/1", "5\n", "");
    problem.case("secret/1", "6\n", "whatever\n").file("output_validator/v.sh", twice);
    problem.file("input_validators/v.sh", "read n && [[ $n =~ ^[1-9]$ ]] && ! read -n 1 m && exit 42\nexit 43\n");
    problem.file("statement/problem.en.md", "Repeat.\n").submission("accepted/echo.sh", "read n\necho $n\n");
    problem.submission("wrong_answer/six.sh", "echo 6\n");
    let untried = ["--try-time", "0", "--allow", "not-all-tried"];
    has(&workspace, &untried, 0, &[]);
    workspace.file("testcases/sum/valid_output/1.in", "1\n").file("testcases/sum/valid_output/1.ans", "1\n");
    workspace.file("testcases/sum/valid_output/1.out", "1\n");
    let run = has(&workspace, &[DATA, &untried].concat(), 1, &[("validation-data-incomplete", "1.in")]);
    run.shows("of type multi-pass");
}

#[apply(cli_test)]
fn submitted_answers_are_checked() {
    let workspace = sound();
    let problem = workspace.problem("sum");
    problem.toml("type = \"submit-answer\"\nreference = \"accepted/all\"\n");
    for path in ["submissions/accepted/sum.sh", "submissions/wrong_answer/three.sh"] {
        std::fs::remove_file(workspace.path(format!("problems/sum/{path}"))).unwrap();
    }
    for (test, case) in [("sample/1", "sample/1"), ("01", "secret/01"), ("02", "secret/02"), ("03", "secret/03")] {
        let answer = workspace.read(format!("testcases/sum/{case}.ans"));
        problem.file(&format!("submissions/accepted/all/{test}.out"), &answer);
        problem.file(&format!("submissions/wrong_answer/some/{test}.out"), if test == "02" { "0\n" } else { &answer });
    }
    problem.file("output_validator/v.sh", SUM_CHECKER);
    has(&workspace, &[], 0, &[]);
    let run = workspace.grader(&["verify", "sum", "--cases"]);
    run.status(0).shows("secret/02").hides("limit  ").shows("kinds of junk cause no failure");
    problem.file("submissions/accepted/all/03.out", "7\n");
    has(&workspace, &[], 1, &[("submission-unexpected", "all")]);
}

#[apply(cli_test)]
fn files_of_cases_are_seen() {
    let workspace = sound();
    let problem = workspace.problem("sum");
    problem.file("input_validators/check.sh", &format!("[ -s more.in ] || exit 43\n{TWO_NUMBERS}"));
    for case in ["sample/1", "secret/01", "secret/02", "secret/03"] {
        workspace.file(format!("testcases/sum/{case}.files/more.in"), case);
    }
    has(&workspace, &[], 0, &[]);
    // The same input with another file is another case.
    let input = workspace.read("testcases/sum/secret/01.in");
    problem.case("secret/04", &input, &workspace.read("testcases/sum/secret/01.ans"));
    workspace.file("testcases/sum/secret/04.files/more.in", "other\n");
    has(&workspace, DATA, 0, &[]);
    workspace.file("testcases/sum/secret/04.files/more.in", "secret/01");
    has(&workspace, DATA, 0, &[("duplicate-input", "04.in")]);
    let input = workspace.path("testcases/sum/secret/04.in");
    workspace.grader(&["verify", "sum", "--input", input.to_str().unwrap()]).status(0);
}

#[apply(cli_test)]
fn a_package_is_checked_where_it_is() {
    let workspace = Workspace::bare();
    for (name, text) in [
        ("problem.yaml", "name: Sum\nvalidation: custom\n"),
        (".timelimit", "1\n"),
        ("problem_statement/problem.tex", "Add.\n"),
        ("input_format_validators/v.sh", TWO_NUMBERS),
        ("output_validators/v/v.sh", SUM_CHECKER),
        ("data/sample/1.in", "1 2\n"),
        ("data/sample/1.ans", "3\n"),
        ("data/secret/1.in", "2 2\n"),
        ("data/secret/1.ans", "4\n"),
        ("data/invalid_inputs/1.in", "2 2\n"),
        ("submissions/accepted/a.sh", SUM),
    ] {
        workspace.file(format!("sum/{name}"), text);
    }
    has(&workspace, &[], 1, &[("invalid-input-accepted", "1.in")]);
    workspace.file("sum/data/invalid_inputs/1.in", "2\n");
    has(&workspace, &[], 0, &[]);
}

#[apply(cli_test)]
fn a_plain_folder_is_checked() {
    let workspace = Workspace::bare();
    workspace.file("sum/main.sh", SUM).file("sum/1.in", "1 2\n").file("sum/1.ans", "3\n").file("sum/2.in", "1 2\n");
    has(&workspace, &[], 0, &[("duplicate-input", "2.in")]);
}

#[apply(cli_test)]
fn the_document_has_everything() {
    let workspace = sound();
    workspace.problem("sum").file("output_validator/v.sh", SUM_CHECKER);
    let run = has(&workspace, &[], 0, &[]);
    let document: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!((&document["errors"], &document["warnings"], &document["allowed"]), (&0.into(), &0.into(), &0.into()));
    let problem = &document["problems"][0];
    assert_eq!(problem["problem"], "sum");
    let kinds: Vec<&str> =
        problem["tries"].as_array().unwrap().iter().filter_map(|tries| tries["kind"].as_str()).collect();
    assert_eq!(kinds, ["inputs", "outputs", "layout", "junk"]);
    assert!(problem["tries"][3]["tried"].as_u64() > Some(20) && problem["tries"][3]["odd"] == Value::Array(Vec::new()));
    assert_eq!(problem["cases"][1]["case"], "secret/01");
    assert_eq!(problem["cases"][1]["kills"][0], "wrong_answer/three.sh");
    assert!(problem["slowest"]["limit"].as_f64() > Some(0.0) && problem["slowest"]["safe"] == true);
}

#[apply(cli_test)]
fn two_answers_that_differ_are_noticed() {
    let workspace = Workspace::with_sum();
    workspace.file("testcases/sum/secret/01.out", "4\n").file("testcases/sum/secret/02.out", "16\n");
    let run = workspace.grader(&["verify", "sum"]);
    run.status(0).shows("two-answers: testcases/sum/secret/02.ans: differs from 02.out; grader uses the .ans");
    run.hides("differs from 01.out");
}
