//! `grader verify`: single findings, each brought about by what it is about; and what verifying leaves alone.

use std::os::unix::fs::PermissionsExt as _;

use macro_rules_attribute::apply;
use serde_json::Value;

use crate::cli::need::Need;
use crate::cli::run::Call;
use crate::cli::verify::{DATA, findings, has, sound};
use crate::cli::workspace::{SUM, Workspace};

const NOBODY: u32 = 65534;

#[apply(cli_test)]
fn a_large_file_is_told() {
    let workspace = sound();
    workspace.problem("sum").toml("limits.output = 64\n");
    workspace.file("testcases/sum/secret/02.ans", "15\n".repeat(7 << 20));
    has(&workspace, DATA, 0, &[("large-file", "02.ans")]);
}

#[apply(cli_test)]
fn an_answer_near_the_output_limit_is_told() {
    let workspace = sound();
    workspace.problem("sum").toml("limits.output = 1\n");
    workspace.file("testcases/sum/secret/02.ans", "15\n".repeat(170_000));
    has(&workspace, DATA, 0, &[]);
    workspace.file("testcases/sum/secret/02.ans", "15\n".repeat(180_000));
    has(&workspace, DATA, 0, &[("answer-near-output-limit", "02.ans")]);
}

#[apply(cli_test)]
#[needs(&[Need::Root])]
fn a_file_that_cannot_be_read_is_told() {
    let workspace = sound();
    let binary = workspace.binary();
    workspace.give_to(NOBODY);
    let answer = workspace.path("testcases/sum/secret/02.ans");
    std::fs::set_permissions(&answer, std::fs::Permissions::from_mode(0o000)).unwrap();
    let run = Call::any(&workspace.path(""), &["verify", "sum", "--data-only"]).copy(&binary).user(NOBODY).run();
    run.status(1).shows("error file-unreadable: testcases/sum/secret/02.ans: Permission denied");
    run.shows("1 problem: 1 error, 0 warnings");
}

#[apply(cli_test)]
fn what_was_not_tried_is_told() {
    let workspace = sound();
    let run = has(&workspace, &["--data-only", "--try-time", "0"], 0, &[("not-all-tried", "")]);
    run.shows("corrupted inputs: only 0 were tried in 0 s");
    has(&workspace, &["--data-only", "--try-time", "0", "--strict"], 1, &[("not-all-tried", "")]);
}

#[apply(cli_test)]
fn a_fault_of_ours_while_a_submission_is_judged() {
    let workspace = sound();
    // Nothing but a submission says this word.
    let checker = "read a b < $1\noutput=$(tr -d '\\0')\n[ \"$output\" = plover ] && exit 1\n\
                   [ \"$output\" = $((a + b)) ] && exit 42\nexit 43\n";
    workspace.problem("sum").file("output_validator/v.sh", checker).submission("wrong_answer/odd.sh", "echo plover\n");
    let (run, found) = findings(&workspace, &["--try-time", "0", "--allow", "not-all-tried"]);
    run.status(3);
    let told: Vec<_> = found.iter().map(|(code, file, _)| (&**code, &**file)).collect();
    assert_eq!(told, [("judge-error", "odd.sh")], "{found:?}");
    assert!(found[0].2.contains("exit code 1 instead of 42"), "{found:?}");
}

#[apply(cli_test)]
fn a_submission_that_cannot_be_judged_here() {
    let workspace = sound();
    workspace
        .file("grader.toml", "[language.unit]\nextensions = ['unit']\nrun = ['no-such-tool-here', '{mainfile}']\n");
    workspace.problem("sum").submission("wrong_answer/odd.unit", "?\n");
    let run = has(&workspace, &[], 0, &[("submission-not-judged", "odd.unit")]);
    run.shows("no-such-tool-here");
}

#[apply(cli_test)]
fn what_reading_tells_has_codes() {
    let workspace = Workspace::bare();
    for (name, text) in [
        ("problem.yaml", "problem_format_version: 2025-09\nname: Sum\nlimits: {time_limit: 1}\ncolour: red\n"),
        ("statement/problem.en.md", "Add.\n"),
        ("input_validators/v.sh", "exit 42\n"),
        ("data/sample/1.in", "1 2\n"),
        ("data/sample/1.ans", "3\n"),
        ("data/secret/1.in", "2 2\n"),
        ("data/secret/1.ans", "4\n"),
        ("data/secret/2.in.disabled", ""),
        ("data/secret/a case.in", ""),
        ("submissions/accepted/a.sh", SUM),
        ("submissions/rejectd/three.sh", "echo 3\n"),
        ("submissions/submissions.yaml", "wrong_answer/x.sh:\n  permitted: [WA]\n"),
    ] {
        workspace.file(format!("sum/{name}"), text);
    }
    let expected = [
        ("key-ignored", "problem.yaml"),
        ("file-ignored", "2.in.disabled"),
        ("name-ignored", "a case.in"),
        ("nothing-expected", "rejectd"),
        ("pattern-unmatched", "submissions.yaml"),
    ];
    let quick = ["--data-only", "--try-time", "0", "--allow", "not-all-tried"];
    has(&workspace, &quick, 0, &expected);
    // Each is passed over by itself.
    let one: Vec<_> = expected.iter().copied().filter(|(code, _)| *code != "name-ignored").collect();
    has(&workspace, &[&quick[..], &["--allow", "name-ignored"]].concat(), 0, &one);
}

/// An interactive problem with one case and no submission.
fn interactive(interactor: &str) -> Workspace {
    let workspace = Workspace::new();
    let problem = workspace.problem("sum").toml("type = \"interactive\"\nlimits.validation_time = 1\n");
    problem.case("secret/1", "5\n", "").file("output_validator/v.sh", interactor);
    problem.file("input_validators/v.sh", "read n && [[ $n =~ ^[1-9]$ ]] && ! read -n 1 m && exit 42\nexit 43\n");
    workspace
}

/// Codes that are about something else.
const OTHERS: &[&str] = &[
    "--data-only",
    "--allow=no-sample",
    "--allow=no-statement",
    "--allow=problem-untidy",
    "--allow=no-accepted-submission",
    "--allow=input-corruption-accepted",
    "--allow=not-all-tried",
];

fn partners(run: &crate::cli::run::Run, kind: &str) -> (u64, Vec<String>) {
    let document: Value = serde_json::from_str(&run.stdout).unwrap();
    let tries = document["problems"][0]["tries"].as_array().unwrap();
    let tries = tries.iter().find(|tries| tries["kind"] == kind).unwrap();
    let odd = tries["odd"].as_array().unwrap().iter().map(|odd| odd["name"].as_str().unwrap().to_owned());
    (tries["tried"].as_u64().unwrap(), odd.collect())
}

#[apply(cli_test)]
fn an_interactor_survives_every_partner() {
    let careful = "read n < $1\necho $n\nread -n 100 guess || exit 43\n[ \"$guess\" = $n ] && exit 42\nexit 43\n";
    let run = has(&interactive(careful), OTHERS, 0, &[]);
    assert_eq!(partners(&run, "partners"), (27, Vec::new()));
}

#[apply(cli_test)]
fn an_interactor_that_fails_on_a_partner() {
    // The end of what it is told, and a negative number, are more than it expects.
    let careless = "read n < $1\necho $n\nread guess || exit 1\n[ \"$guess\" = -1 ] && exit 7\nexit 43\n";
    let run = has(&interactive(careless), OTHERS, 3, &[("validator-crash", "v.sh")]);
    let (_, odd) = partners(&run, "partners");
    for name in ["says nothing and ends", "says nothing and sleeps", "answers each line with -1", "-1"] {
        assert!(odd.iter().any(|odd| odd == name), "{name}: {odd:?}");
    }
    assert!(!odd.iter().any(|odd| odd == "answers each line with 1"), "{odd:?}");
    run.shows("exit code 1 instead of 42 (accept) or 43 (reject)");
}

#[apply(cli_test)]
fn an_interactor_that_waits_for_ever_is_over_its_limit() {
    let endless = "while :; do read guess; done\n";
    let run = has(&interactive(endless), &[OTHERS, &["--try-time", "1"]].concat(), 3, &[("validator-crash", "v.sh")]);
    run.shows("exceeded its own limits").shows("says nothing and ends");
}

#[apply(cli_test)]
fn passes_are_made_of_junk() {
    // It asks for another pass although it rejects, where it is told something negative.
    let twice = "read m\n[ \"$m\" = -1 ] && echo 1 > $3/nextpass.in\nexit 43\n";
    let workspace = interactive(twice);
    workspace.problem("sum").toml("type = \"multi-pass\"\n");
    let run = has(&workspace, OTHERS, 3, &[("validator-crash", "v.sh")]);
    assert_eq!(partners(&run, "junk"), (30, vec!["-1".to_owned()]));
    run.shows("it rejects and requests another pass");
}

#[apply(cli_test)]
fn the_last_run_stays_that_of_run() {
    let workspace = sound();
    let problem = workspace.problem("sum").toml("reference = \"accepted/sum.sh\"\n");
    problem.submission("accepted/late.sh", "read a b\n[ $a = 10 ] && echo 1 || echo $((a + b))\n");
    workspace.run(&["sum"]).status(1);
    let kept = workspace.path(".grader/last/sum/accepted/late.sh/secret/02.out");
    assert!(kept.is_file());
    let records = || std::fs::read_dir(workspace.path(".grader/runs")).unwrap().count();
    let before = records();
    problem.submission("accepted/late.sh", SUM).submission("wrong_answer/right.sh", SUM);
    problem.submission("accepted/nine.sh", "echo 9\n");
    let quick = ["verify", "sum", "--try-time", "0"];
    workspace.grader(&quick).status(1).shows("submission-unexpected").shows("wrong_answer/right.sh");
    assert_eq!(records(), before);
    assert!(kept.is_file() && !workspace.path(".grader/last/sum/accepted/nine.sh").exists());
    workspace.grader(&["rerun", "-v"]).status(0).shows("accepted/late.sh").hides("right.sh").hides("nine.sh");
}

#[apply(cli_test)]
fn a_file_of_validation_data_is_told_once() {
    let workspace = sound();
    workspace.file("testcases/sum/invalid_input/alone.ans", "3\n");
    has(&workspace, DATA, 1, &[("validation-data-incomplete", "alone.ans")]);
}
