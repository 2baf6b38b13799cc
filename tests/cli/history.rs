//! The records of earlier runs: `history` and `compare`.

use std::path::PathBuf;

use macro_rules_attribute::apply;
use serde_json::Value;

use crate::cli::run::Run;
use crate::cli::workspace::{SUM, Workspace};

const WRONG: &str = "read a b\necho $((a * b))\n";

/// The records, oldest first.
fn records(workspace: &Workspace) -> Vec<PathBuf> {
    let dir = std::fs::read_dir(workspace.path(".grader/runs")).unwrap();
    let mut records: Vec<PathBuf> = dir.map(|entry| entry.unwrap().path()).collect();
    records.sort();
    records
}

fn json(run: &Run) -> Value {
    serde_json::from_str(&run.stdout).unwrap()
}

fn history(workspace: &Workspace) -> Vec<Value> {
    let run = workspace.grader(&["history", "--format", "json"]);
    json(run.status(0)).as_array().unwrap().clone()
}

fn states(workspace: &Workspace) -> Vec<String> {
    history(workspace).iter().map(|run| run["state"].as_str().unwrap().to_owned()).collect()
}

/// Two runs: all well, then one submission wrong.
fn two_runs() -> Workspace {
    let workspace = Workspace::with_sum();
    workspace.run(&[]).status(0);
    workspace.problem("sum").submission("accepted/sum.sh", WRONG);
    workspace.run(&[]).status(1);
    workspace
}

#[apply(cli_test)]
fn what_was_handed_in_is_no_success() {
    let workspace = Workspace::with_sum();
    workspace.file("mine.sh", WRONG);
    workspace.grader(&["judge", "sum", "mine.sh"]).status(1);
    let run = workspace.grader(&["history"]);
    run.shows("JUDGED").shows("sum, 1 submission · 1 judged").hides("PASS").hides("expected").shows(" s  judge\n");
}

#[apply(cli_test)]
fn runs_are_listed_newest_first() {
    let workspace = two_runs();
    let run = workspace.grader(&["history"]);
    run.status(0).silent();
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert_eq!(lines.len(), 2);
    assert!(lines[0].contains("FAIL") && lines[0].contains("0 as expected, 1 unexpected"), "{}", lines[0]);
    assert!(
        lines[1].contains("PASS") && lines[1].contains("sum, 1 submission · 1 as expected · 4 results"),
        "{}",
        lines[1]
    );
    assert_eq!(workspace.grader(&["history", "-n1"]).stdout.lines().count(), 1);
    assert_eq!(states(&workspace), ["failed", "passed"]);
}

#[apply(cli_test)]
fn only_runs_of_a_problem() {
    let workspace = Workspace::with_sum();
    workspace.sum("other");
    workspace.run(&["sum"]).status(0);
    workspace.run(&["other"]).status(0);
    let run = workspace.grader(&["history", "su*"]);
    run.status(0).shows("sum, 1 submission").hides("other");
    workspace.grader(&["history", "nosuch"]).status(2).says("no run graded `nosuch`");
}

#[apply(cli_test)]
fn no_runs_is_an_error() {
    let workspace = Workspace::with_sum();
    for command in [&["history"][..], &["compare"]] {
        workspace.grader(command).status(2).says("there is no record of a run").says("grader run");
    }
    assert!(!workspace.path(".grader").exists());
}

#[apply(cli_test)]
fn a_record_cut_in_the_middle_is_an_unfinished_run() {
    let workspace = two_runs();
    let last = records(&workspace).pop().unwrap();
    let text = std::fs::read(&last).unwrap();
    for cut in [0, 10, text.len() / 2, text.len() - 20] {
        std::fs::write(&last, &text[..cut]).unwrap();
        assert_eq!(states(&workspace), ["unfinished", "passed"], "{cut}");
        workspace.grader(&["history"]).status(0).shows("UNFINISHED").hides("damaged");
    }
    // The next run does not mind.
    workspace.run(&[]).status(1);
    assert_eq!(states(&workspace).len(), 3);
}

#[apply(cli_test)]
fn a_record_that_is_being_written_is_a_running_one() {
    let workspace = two_runs();
    let last = records(&workspace).pop().unwrap();
    let text = workspace.read(&last);
    let head = text.lines().next().unwrap();
    std::fs::write(&last, format!("{head}\n")).unwrap();
    let file = std::fs::File::options().append(true).open(&last).unwrap();
    rustix::fs::flock(&file, rustix::fs::FlockOperation::LockExclusive).unwrap();
    assert_eq!(states(&workspace), ["running", "passed"]);
    drop(file);
    assert_eq!(states(&workspace), ["unfinished", "passed"]);
}

#[apply(cli_test)]
fn a_damaged_record_is_told() {
    let workspace = two_runs();
    let last = records(&workspace).pop().unwrap();
    let text = workspace.read(&last);
    let mut lines: Vec<&str> = text.lines().collect();
    lines[2] = "{\"event\":\"test_finished\"}";
    std::fs::write(&last, lines.join("\n") + "\n").unwrap();
    workspace.grader(&["history"]).status(0).shows("the record is damaged: line 3");
    workspace.grader(&["compare"]).says("warning").says("line 3");
    std::fs::write(&last, "not json\n").unwrap();
    workspace.grader(&["compare"]).status(2).says("is not a record of a run: line 1").says("grader history");
    // The run was killed before its first event.
    std::fs::write(&last, "{\"event\":").unwrap();
    for command in ["compare", "rerun"] {
        workspace.grader(&[command]).status(2).says("no complete line").says("name another run: grader history");
    }
}

#[apply(cli_test)]
fn an_index_of_another_version_is_made_anew() {
    let workspace = two_runs();
    let index = rusqlite::Connection::open(workspace.path(".grader/index.sqlite")).unwrap();
    index.pragma_update(None, "user_version", 1).unwrap();
    drop(index);
    let run = workspace.grader(&["history"]);
    run.status(0).says("it has version 1, and this grader uses");
    assert_eq!(run.stdout.lines().count(), 2);
    assert_eq!(workspace.run(&[]).status(1).measured_and_cached(), (0, 4));
    std::fs::write(workspace.path(".grader/index.sqlite"), "rubbish").unwrap();
    assert_eq!(states(&workspace).len(), 3);
}

#[apply(cli_test)]
fn two_graders_at_once_are_both_recorded() {
    let workspace = Workspace::with_sum();
    let mut calls: Vec<_> = (0..4).map(|_| workspace.call(&["--no-cache"])).collect();
    let children: Vec<_> = calls.iter_mut().map(crate::cli::run::Call::start).collect();
    for (call, child) in calls.iter().zip(children) {
        call.wait(child).status(0).silent();
    }
    assert_eq!(states(&workspace), ["passed"; 4]);
    workspace.grader(&["history"]).silent();
}

#[apply(cli_test)]
fn old_records_are_pruned() {
    let workspace = Workspace::with_sum();
    workspace.file("grader.toml", "keep_runs = 2\n");
    for _ in 0..4 {
        workspace.run(&[]).status(0);
    }
    assert_eq!(records(&workspace).len(), 2);
    assert_eq!(states(&workspace).len(), 2);
    workspace.file("grader.toml", "keep_runs = 0\n");
    for _ in 0..2 {
        workspace.run(&[]).status(0);
    }
    assert_eq!(records(&workspace).len(), 4);
}

#[apply(cli_test)]
fn a_changed_verdict_is_told() {
    let workspace = two_runs();
    let run = workspace.grader(&["compare"]);
    run.status(1).silent().shows("✗ sum · accepted/sum.sh  AC → WA  sample/1").shows("1 changed, 1 of them worse");
    workspace.grader(&["compare", "last", "prev"]).status(0).shows("✓ sum · accepted/sum.sh  WA → AC");
    workspace.problem("sum").submission("accepted/sum.sh", SUM).submission("wrong_answer/new.sh", WRONG);
    workspace.run(&[]).status(0);
    let found = json(workspace.grader(&["compare", "--format", "json"]).status(0));
    assert_eq!(found["changed"][0]["kind"], "better");
    assert_eq!(found["added"][0], "sum/wrong_answer/new.sh");
}

#[apply(cli_test)]
fn a_run_is_found_by_what_people_type() {
    let workspace = two_runs();
    let ids: Vec<String> =
        records(&workspace).iter().map(|path| path.file_stem().unwrap().to_string_lossy().into_owned()).collect();
    let end = ids[0].rsplit('-').next().unwrap();
    let path = format!(".grader/runs/{}.jsonl", ids[0]);
    for word in [&*ids[0], &ids[0][..ids[0].len() - 1], end, "prev", &*path, &*workspace.path(&path).to_string_lossy()]
    {
        workspace.grader(&["compare", word, "last"]).status(1).shows("AC → WA");
    }
    workspace.grader(&["compare", "2", "last"]).status(2).says("2 runs begin with `2`").says("write more of the id");
    workspace.grader(&["compare", "nosuch", "last"]).status(2).says("no run is called `nosuch`").says("grader history");
    workspace.grader(&["compare", "last", "last"]).status(2).says("both are the same run");
}

/// Replaces what was measured in a record.
fn rewrite(path: &PathBuf, change: impl Fn(&mut Value)) {
    let text = std::fs::read_to_string(path).unwrap();
    let lines = text.lines().map(|line| {
        let mut event: Value = serde_json::from_str(line).unwrap();
        change(&mut event);
        event.to_string() + "\n"
    });
    let text: String = lines.collect();
    std::fs::write(path, text).unwrap();
}

fn set_cpu(path: &PathBuf, seconds: f64, cached: bool) {
    rewrite(path, |event| {
        if event["event"] == "test_finished" {
            event["result"]["measured"]["cpu"] = seconds.into();
            event["result"]["measured"]["cached"] = cached.into();
        }
    });
}

#[apply(cli_test)]
fn a_slower_submission_is_told_beyond_noise() {
    let workspace = Workspace::with_sum();
    workspace.run(&["--no-cache"]).status(0);
    workspace.run(&["--no-cache"]).status(0);
    let [old, new] = &*records(&workspace) else { panic!("two records") };
    // (before, after, slower lines): by a tenth and by 50 ms of all four tests, by a quarter and 50 ms of one.
    for (before, after, lines) in [(0.1, 0.3, 2), (0.2, 0.23, 1), (0.2, 0.21, 0), (0.001, 0.01, 0), (0.3, 0.1, 0)] {
        set_cpu(old, before, false);
        set_cpu(new, after, false);
        let found = json(workspace.grader(&["compare", "--format", "json"]).status(0));
        assert_eq!(found["slower"].as_array().unwrap().len(), lines, "{before} → {after}: {found}");
        assert_eq!(found["times_compared"], 4);
        workspace.grader(&["compare", "--times"]).status(i32::from(lines > 0));
    }
    workspace.grader(&["compare"]).shows("quicker: 1.200 s → 0.400 s  all tests").shows("quicker: 0.300 s → 0.100 s");
    set_cpu(new, 9.0, true);
    workspace.grader(&["compare", "--times"]).status(0).shows("times of 0 tests compared");
}

#[apply(cli_test)]
fn times_of_another_machine_are_not_compared() {
    let workspace = Workspace::with_sum();
    workspace.run(&["--no-cache"]).status(0);
    workspace.run(&["--no-cache"]).status(0);
    let [old, new] = &*records(&workspace) else { panic!("two records") };
    set_cpu(old, 0.1, false);
    set_cpu(new, 0.9, false);
    rewrite(old, |event| {
        if event["event"] == "run_started" {
            event["measured"]["machine"] = "abacus".into();
        }
    });
    let run = workspace.grader(&["compare", "--times"]);
    run.status(0).shows("times are not compared: the processor was `abacus` and is `");
}

#[apply(cli_test)]
fn hostile_names_in_a_record_are_harmless() {
    let workspace = two_runs();
    for path in records(&workspace) {
        rewrite(&path, |event| {
            if event["event"] == "run_started" {
                event["problems"][0]["problem"] = "\u{1b}]0;pwned\u{7}".into();
                event["problems"][0]["submissions"][0]["submission"] = "\u{1b}[2J".into();
                event["measured"]["started"] = "\u{1b}[2J".into();
            }
        });
    }
    for command in ["history", "compare"] {
        let run = workspace.grader(&[command]);
        run.hides("\u{1b}").hides("\u{7}");
        assert!(run.status < 2, "{}", run.all());
    }
}
