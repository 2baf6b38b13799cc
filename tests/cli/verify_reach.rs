//! What no case reaches: bounds and features that input validators know.

use macro_rules_attribute::apply;
use serde_json::Value;

use crate::cli::need::Need;
use crate::cli::packages::{CURRENT, SUMS, add};
use crate::cli::run::Call;
use crate::cli::verify::{DATA, has, sound};
use crate::cli::workspace::Workspace;

/// Accepts two numbers from 1 to 100, and logs the bounds of the first in the form of BAPCtools.
pub(super) const LOGGED: &str = "read a b\n[ \"$1\" = --constraints_file ] && echo \"a a $((a == 1)) $((a == 100)) $a $a 1 100\" > \"$2\"\n\
                      exit 42\n";

fn with_validator(name: &str, text: &str) -> Workspace {
    let workspace = sound();
    workspace.problem("sum").file(&format!("input_validators/{name}"), text);
    workspace
}

fn document(workspace: &Workspace, args: &[&str]) -> Value {
    let run = workspace.grader(&[&["verify", "sum", "--data-only", "--format", "json"], args].concat());
    serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}; {}", run.all()))
}

#[apply(cli_test)]
fn a_bound_that_no_case_reaches_is_a_note() {
    let workspace = with_validator("bounds.sh", LOGGED);
    workspace.file("testcases/sum/secret/9.in", "100 1\n").file("testcases/sum/secret/9.ans", "101\n");
    has(&workspace, DATA, 0, &[]);
    std::fs::remove_file(workspace.path("testcases/sum/secret/9.in")).unwrap();
    std::fs::remove_file(workspace.path("testcases/sum/secret/9.ans")).unwrap();
    has(&workspace, &["--data-only", "--strict"], 0, &[("bound-not-reached", "bounds.sh")]);
    let run = workspace.grader(&["verify", "sum", "--data-only", "--strict"]);
    run.status(0).shows("✓ sum ").shows("note bound-not-reached: problems/sum/input_validators/bounds.sh: ");
    run.shows("no case reaches the maximum of `a`, 100; the largest value is ");
    run.shows("1 of 2 bounds of 1 variable are reached by some case").shows("0 errors, 0 warnings, 1 note");
    let found = document(&workspace, &[]);
    assert_eq!(found["notes"], 1, "{found}");
    let bound = &found["problems"][0]["bounds"][0];
    assert_eq!(
        (&bound["variable"], &bound["declared"]["max"], &bound["max_reached"]),
        (&"a".into(), &100.into(), &false.into())
    );
    has(&workspace, &["--data-only", "--allow", "bound-not-reached"], 0, &[]);
    workspace.grader(&["verify", "sum", "--data-only", "--report", "html=verify.html"]).status(0);
    bars(&workspace, "verify.html");
}

#[apply(cli_test)]
fn bounds_of_the_statement_are_those_of_the_validator() {
    let workspace = with_validator("bounds.sh", LOGGED);
    let args = ["--data-only", "--allow", "bound-not-reached"];
    let states = |text: &str| {
        workspace.problem("sum").file("statement/problem.en.md", text);
    };
    for same in
        ["$1 \\le a \\le 100$", "1 ≤ a_i ≤ 100", "$0 < a < 101$", "$a$", "$1 \\le a \\le n$", "$1 \\le b \\le 5$"]
    {
        states(same);
        has(&workspace, &args, 0, &[]);
    }
    // Subtasks have bounds of their own.
    states("1 ≤ a ≤ 10 or 1 ≤ a ≤ 20");
    has(&workspace, &args, 0, &[]);
    states("# Sum\n\nA number $a$ ($1 \\le a \\le 10^3$).\n");
    has(&workspace, &args, 0, &[("statement-bound-differs", "problem.en.md")]);
    let run = workspace.grader(&["verify", "sum", "--data-only", "--strict", "--report", "html=verify.html"]);
    run.status(1).shows("the statement says 1 to 1000 for `a`; the validator accepts 1 to 100");
    assert!(workspace.read("verify.html").contains("<td>1 to 1000</td><td>1 to 100</td>"));
    let found = document(&workspace, &[]);
    assert_eq!(found["problems"][0]["bounds"][0]["stated"]["max"], 1000, "{found}");
}

/// The page shows the part of the range that the cases have.
#[track_caller]
pub(super) fn bars(workspace: &Workspace, page: &str) {
    let page = std::fs::read_to_string(workspace.path(page)).unwrap();
    for part in ["<td>1 to 100</td>", "<rect class=\"seen\" x=\"", "<td class=\"look\">the maximum</td>"] {
        assert!(page.contains(part), "{part}: {page}");
    }
}

#[apply(cli_test)]
fn a_validator_that_does_not_know_the_option_is_not_asked() {
    // It rejects every argument, and its verdict is that without one.
    has(&with_validator("strict.sh", "[ $# = 0 ] && exit 42\nexit 43\n"), DATA, 0, &[]);
    // It mentions the option, and dislikes it, or crashes, or writes no file.
    for odd in ["[ $# = 0 ] && exit 42\nexit 43\n", "[ $# = 0 ] || kill -11 $$\nexit 42\n", "exit 42\n"] {
        let workspace = with_validator("odd.sh", &format!("# constraints_file\n{odd}"));
        has(&workspace, DATA, 0, &[]);
        workspace.grader(&["verify", "sum", "--data-only"]).status(0).hides("bounds ");
    }
}

#[apply(cli_test)]
fn hostile_logs_harm_nobody() {
    for odd in [
        "ln -s /etc/passwd \"$2\"",
        "mkdir \"$2\"",
        "head -c 300000 /dev/zero > \"$2\"",
        "printf '\\377 x 1 1 1\\nn n 1 1 nan inf 1 1\\n' > \"$2\"",
    ] {
        let workspace = with_validator("odd.sh", &format!("[ \"$1\" = --constraints_file ] && {odd}\nexit 42\n"));
        has(&workspace, DATA, 0, &[]);
    }
}

#[apply(cli_test)]
fn cases_of_other_arguments_have_bounds_of_their_own() {
    let script = "read a b\nlimit=$1\n[ \"$2\" = --constraints_file ] || exit 42\n\
                  echo \"a a 1 $((a == limit)) 0 $a 0 $limit\" > \"$3\"\nexit 42\n";
    let workspace = with_validator("bounds.sh", script);
    workspace.problem("sum").file("input_validators/check.sh", "exit 42\n");
    for (group, limit) in [("small", "5"), ("large", "50")] {
        let dir = format!("testcases/sum/secret/{group}");
        workspace
            .file(format!("{dir}/test_group.toml"), format!("input_validator_args = {{bounds = [\"{limit}\"]}}\n"));
        workspace.file(format!("{dir}/1.in"), "50 1\n").file(format!("{dir}/1.ans"), "51\n");
        workspace.file(format!("{dir}/2.in"), "3 4\n").file(format!("{dir}/2.ans"), "7\n");
    }
    let found = document(&workspace, &["--allow", "duplicate-input"]);
    let bounds = found["problems"][0]["bounds"].as_array().unwrap();
    let of = |limit: i64| {
        let bound = bounds.iter().find(|bound| bound["declared"]["max"] == limit);
        bound.unwrap_or_else(|| panic!("{found}"))["max_reached"] == true
    };
    assert_eq!((of(50), of(5)), (true, false), "{found}");
}

/// Enough of testlib for one variable and one feature.
const HEADER: &str = r#"#include <cstdio>
#include <cstring>
static const char *file;
inline void registerValidation(int count, char **words) {
    for (int at = 1; at + 1 < count; at++)
        if (!strcmp(words[at], "--testOverviewLogFileName")) file = words[at + 1];
}
"#;

const VALIDATOR: &str = r#"#include "testlib.h"
int main(int argc, char **argv) {
    registerValidation(argc, argv);
    int a, b;
    if (scanf("%d%d", &a, &b) != 2) return 3;
    if (!file) return 0;
    FILE *log = fopen(file, "w");
    fprintf(log, "\"a\":%s\nfeature \"odd\":%s\n", a == 1 ? " min-value-hit" : "", a % 2 ? " hit" : "");
    fprintf(log, "feature \"huge\":\nconstant-bounds \"a\": 1 100\nvariable \"a\"\n");
    fclose(log);
}
"#;

#[apply(cli_test)]
#[needs(&[Need::Tool("g++")])]
fn a_validator_of_testlib_says_bounds_and_features() {
    let workspace = with_validator("validate.cpp", VALIDATOR);
    workspace.problem("sum").file("testlib.h", HEADER);
    let expected = [("bound-not-reached", "validate.cpp"), ("feature-not-hit", "validate.cpp")];
    has(&workspace, DATA, 0, &expected);
    let run = workspace.grader(&["verify", "sum", "--data-only"]);
    run.status(0).shows("no case reaches the maximum of `a`, 100").shows("no case has the feature `huge`");
    run.shows("1 of 2 features are in some case");
}

#[apply(cli_test)]
fn a_grammar_says_bounds_if_its_interpreter_can() {
    let interpreter = "#!/bin/sh\n[ \"$*\" = --version ] && { echo 1; exit 0; }\n\
        [ \"$2\" = --constraints_file ] && echo 'n n 0 1 2 9 1 9' > \"$3\"\nexit 0\n";
    for (name, is_asked) in [("pyctd", true), ("checktestdata", false)] {
        let workspace = Workspace::new();
        add(&workspace, "problems/p", SUMS);
        add(&workspace, "problems/p", &[("problem.yaml", CURRENT), ("input_validators/f.ctd", "INT(1, 9, n)\n")]);
        crate::cli::grammars::tool(&workspace, name, interpreter);
        let call = Call::any(&workspace.path(""), &["verify", "p", "--data-only"]);
        let run = crate::cli::grammars::call(&workspace, call);
        assert_eq!(
            run.all().contains("no case reaches the minimum of `n`, 1; the smallest value is 2"),
            is_asked,
            "{}",
            run.all()
        );
    }
}

/// The problem `sum` with these answers of its secret cases.
fn answered(answers: &[&str]) -> Workspace {
    let workspace = sound();
    for (at, answer) in answers.iter().enumerate() {
        let at = at + 11;
        workspace.file(format!("testcases/sum/secret/{at}.in"), format!("{at} {at}\n"));
        workspace.file(format!("testcases/sum/secret/{at}.ans"), format!("{answer}\n"));
    }
    for own in ["01", "02", "03"] {
        for ending in ["in", "ans"] {
            std::fs::remove_file(workspace.path(format!("testcases/sum/secret/{own}.{ending}"))).unwrap();
        }
    }
    workspace
}

#[apply(cli_test)]
fn an_answer_that_a_constant_gives_is_a_note() {
    has(&answered(&["1", "2", "3", "4"]), DATA, 0, &[]);
    has(&answered(&["1", "1", "2", "3"]), DATA, 0, &[]);
    let workspace = answered(&["YES", "yes", "YES", "no"]);
    has(&workspace, &["--data-only", "--strict"], 0, &[("answer-guessable", "")]);
    let run = workspace.grader(&["verify", "sum", "--data-only"]);
    run.shows("note answer-guessable: a program that always prints `yes` is right on 3 of 4 secret cases");
    let workspace = answered(&["7", "7", "7"]);
    has(&workspace, DATA, 0, &[("same-answer", "")]);
    workspace.grader(&["verify", "sum", "--data-only"]).shows("all 3 answers of secret cases are `7`");
    // Where every byte counts, they differ.
    let workspace = answered(&["YES", "yes", "YES", "no"]);
    workspace.problem("sum").toml("checker = \"exact\"\n");
    has(&workspace, DATA, 0, &[]);
    // An output validator may accept other outputs, so its answers say little.
    let workspace = answered(&["7", "7", "7"]);
    workspace.problem("sum").file("output_validator/check.sh", "exit 42\n");
    let (run, found) = crate::cli::verify::findings(&workspace, DATA);
    assert!(!found.iter().any(|(code, ..)| code == "same-answer"), "{}", run.all());
}

#[apply(cli_test)]
fn an_answer_that_is_the_input_is_a_note() {
    let workspace = answered(&["11 11", "12 12", "13 13"]);
    has(&workspace, DATA, 0, &[("answer-guessable", "")]);
    let run = workspace.grader(&["verify", "sum", "--data-only"]);
    run.shows("a program that prints its input is right on 3 of 3 secret cases");
    let workspace = answered(&["11 14", "12 15", "16 13"]);
    for (at, input) in [(11, "14 11\n"), (12, "15 12\n"), (13, "16 13\n")] {
        workspace.file(format!("testcases/sum/secret/{at}.in"), input);
    }
    has(&workspace, DATA, 0, &[("answer-permutes-input", "")]);
}

#[apply(cli_test)]
fn mistakes_are_counted_and_the_suite_is_minimal() {
    let workspace = sound();
    let problem = workspace.problem("sum");
    // 2 2, 10 5 and -4 4: `three.sh` fails on all of them, the others on one or two.
    problem.submission("wrong_answer/three_too.sh", "echo 3\n");
    problem.submission("wrong_answer/positive.sh", "read a b\n[ $a -lt 0 ] && a=1\necho $((a + b))\n");
    problem.submission("wrong_answer/small.sh", "read a b\n[ $a -gt 9 ] && a=9\necho $((a + b))\n");
    problem.submission("wrong_answer/both.sh", "read a b\n[ $a -gt 9 -o $a -lt 0 ] && a=9\necho $((a + b))\n");
    let run = workspace.grader(&["verify", "sum"]);
    run.status(0).shows("2 secret cases are enough: secret/02, secret/03");
    run.shows("5 wrong submissions fail in 4 different ways, 3 of them independent");
    run.shows("without the other 1, all submissions together take ").shows("; no fewer are enough");
    let run = workspace.grader(&["verify", "sum", "--format", "json"]);
    let found: Value = serde_json::from_str(&run.stdout).unwrap();
    let suite = &found["problems"][0]["suite"];
    let numbers = ["killed", "different", "rank"].map(|key| suite[key].as_u64().unwrap());
    assert_eq!((numbers, &suite["is_smallest"]), ([5, 4, 3], &true.into()), "{suite}");
    assert_eq!(suite["enough"], serde_json::json!(["secret/02", "secret/03"]));
    let time = |key: &str| suite[key].as_f64().unwrap();
    assert!(0.0 <= time("time_of_enough") && time("time_of_enough") < time("time"), "{suite}");
}
