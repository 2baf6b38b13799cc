//! `rerun`: what was unexpected, and nothing else.

use macro_rules_attribute::apply;

use crate::cli::run::Call;
use crate::cli::workspace::{SUM, Workspace};

/// Wrong where the sum is not 4, 3 or 0.
const LATE: &str = "read a b\n[ $a = 10 ] && echo 1 || echo $((a + b))\n";

fn mixed() -> Workspace {
    let workspace = Workspace::with_sum();
    workspace
        .problem("sum")
        .toml("reference = \"sum.sh\"\n")
        .submission("accepted/late.sh", LATE)
        .submission("wrong_answer/right.sh", SUM)
        .submission("wrong_answer/three.sh", "echo 3\n");
    workspace.sum("other");
    workspace
}

#[apply(cli_test)]
fn only_the_failed_tests_of_what_should_be_accepted() {
    let workspace = mixed();
    workspace.run(&[]).status(1);
    let run = workspace.grader(&["rerun", "--dry-run"]);
    run.status(0).shows("repeating 2 submissions of 2").shows("sum · accepted/late.sh  secret/02\n");
    run.shows("sum · wrong_answer/right.sh  sample/1, secret/01, secret/02, secret/03\n").hides("other").hides("three");
    let run = workspace.grader(&["rerun", "--last"]);
    run.status(1).shows("accepted/late.sh").shows("secret/02").shows("2 unexpected · 5 results").hides("three.sh");
    workspace.problem("sum").submission("accepted/late.sh", SUM);
    workspace.grader(&["rerun"]).status(1).shows("1 as expected, 1 unexpected");
    // The one that is left.
    workspace.grader(&["rerun"]).status(1).shows("repeating 1 submission").hides("late.sh");
}

#[apply(cli_test)]
fn all_tests_of_what_should_fail_and_did_not() {
    let workspace = mixed();
    workspace.run(&["sum"]).status(1);
    workspace.problem("sum").submission("accepted/late.sh", SUM).submission("wrong_answer/right.sh", LATE);
    workspace.grader(&["rerun"]).status(0).shows("2 as expected");
}

#[apply(cli_test)]
fn nothing_unexpected_is_nothing_to_do() {
    let workspace = Workspace::with_sum();
    workspace.grader(&["rerun"]).status(2).says("there is no record of a run");
    workspace.run(&[]).status(0);
    workspace.grader(&["rerun"]).status(0).shows("nothing was unexpected").silent();
}

#[apply(cli_test)]
fn what_is_gone_is_told() {
    let workspace = mixed();
    workspace.run(&[]).status(1);
    std::fs::remove_file(workspace.path("problems/sum/submissions/accepted/late.sh")).unwrap();
    workspace.grader(&["rerun"]).status(1).says("warning: sum/accepted/late.sh was unexpected and no longer exists");
    std::fs::remove_dir_all(workspace.path("problems/sum")).unwrap();
    std::fs::remove_dir_all(workspace.path("testcases/sum")).unwrap();
    let run = workspace.grader(&["rerun"]);
    run.status(2).says("no longer exists").says("nothing that was unexpected");
}

#[apply(cli_test)]
fn programs_from_elsewhere_and_commands() {
    let workspace = Workspace::with_sum();
    workspace.file("mine.sh", LATE);
    workspace.run(&["sum", "mine.sh"]).status(1);
    workspace.grader(&["rerun"]).status(1).shows("mine.sh").shows("1 unexpected · 1 result");
    workspace.run(&["sum", "-c", "echo '3'"]).status(1);
    workspace.grader(&["rerun"]).status(1).shows("command").shows("1 unexpected · 3 results");
}

#[apply(cli_test)]
fn an_unfinished_run_is_repeated_whole() {
    let workspace = Workspace::with_sum();
    workspace.run(&[]).status(0);
    let record = std::fs::read_dir(workspace.path(".grader/runs")).unwrap().next().unwrap().unwrap().path();
    let text = workspace.read(&record);
    let cut: Vec<&str> = text.lines().take(3).collect();
    std::fs::write(&record, cut.join("\n") + "\n{\"ev").unwrap();
    workspace.grader(&["rerun"]).status(0).shows("repeating 1 submission").shows("4 results");
}

#[apply(cli_test)]
fn an_earlier_run() {
    let workspace = mixed();
    workspace.run(&[]).status(1);
    workspace.run(&["other"]).status(0);
    workspace.grader(&["rerun"]).status(0).shows("nothing was unexpected");
    workspace.grader(&["rerun", "nosuch"]).status(2).says("no run is called `nosuch`");
}

#[apply(cli_test)]
fn what_other_commands_run_is_not_the_last_run() {
    let workspace = mixed();
    workspace.file("problems/sum/generators/gen.sh", "echo $1 1\n");
    workspace.run(&[]).status(1);
    let records = || {
        let listed = std::fs::read_dir(workspace.path(".grader/runs")).unwrap();
        let mut names: Vec<_> = listed.map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    };
    let kept = || {
        let files = walkdir::WalkDir::new(workspace.path(".grader/last")).sort_by_file_name().into_iter();
        let files = files.map(Result::unwrap).filter(|entry| entry.file_type().is_file());
        files.map(|entry| (entry.path().to_owned(), std::fs::read(entry.path()).unwrap())).collect::<Vec<_>>()
    };
    let (before, files) = (records(), kept());
    let dir = workspace.path(".");
    Call::any(&dir, &["add", "sum", "-", "--answer", "50"]).input("20 30\n").run();
    workspace.grader(&["time-limit", "sum"]);
    workspace.grader(&["verify", "sum"]);
    assert_eq!(records(), before);
    assert_eq!(kept(), files);
    workspace.grader(&["stress", "sum", "wrong_answer/right.sh", "--gen", "gen.sh {seed}", "--count", "2"]);
    assert_eq!(records(), before);
}

#[apply(cli_test)]
fn a_record_names_its_command() {
    let workspace = mixed();
    workspace.file("out/sample/1.out", "3\n").file("try.sh", SUM);
    let command = |words: &[&str]| {
        let dir = workspace.path(".");
        Call::any(&dir, words).run();
        let newest =
            std::fs::read_dir(workspace.path(".grader/runs")).unwrap().map(|entry| entry.unwrap().path()).max();
        let record = std::fs::read_to_string(newest.unwrap()).unwrap();
        let head: serde_json::Value = serde_json::from_str(record.lines().next().unwrap()).unwrap();
        head["command"].as_str().unwrap().to_owned()
    };
    assert_eq!(command(&["run"]), "run");
    assert_eq!(command(&["rerun"]), "rerun");
    assert_eq!(command(&["judge", "sum", "try.sh"]), "judge");
    assert_eq!(command(&["judge", "sum", "--outputs", "out"]), "judge");
    assert_eq!(command(&["check", "sum", "out"]), "check");
    let history = workspace.grader(&["history"]);
    history.status(0).shows("  check").shows("  rerun");
    // Records of older and of newer versions are read all the same.
    for (old, new) in [("\"command\":\"check\",", ""), ("\"command\":\"judge\"", "\"command\":\"of tomorrow\"")] {
        for entry in std::fs::read_dir(workspace.path(".grader/runs")).unwrap() {
            let path = entry.unwrap().path();
            let text = std::fs::read_to_string(&path).unwrap();
            std::fs::write(&path, text.replacen(old, new, 1)).unwrap();
        }
    }
    workspace.grader(&["report", "last"]).shows("JUDGED");
    workspace.grader(&["history"]).status(0).hides("damaged");
}
