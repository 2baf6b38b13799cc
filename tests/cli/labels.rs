//! Labels of submissions and what every command makes of them: one measurement has one answer.

use std::path::Path;
use std::time::{Duration, Instant};

use macro_rules_attribute::apply;
use serde_json::Value;

use crate::cli::need::Need;
use crate::cli::run::{Call, Run};
use crate::cli::workspace::Workspace;

const CURRENT: &str = "problem_format_version: 2025-09\nname: Copy\nuuid: 0\nlimits: {time_limit: 0.4}\n";

/// Wrong on the first case, right on the second, too slow on the third.
const WRONG_THEN_SLOW: &str = "read x\ncase $x in 1) echo 7;; 2) echo 2;; *) while :; do :; done;; esac\n";

/// A package with three cases, and the submissions `accepted/a.sh` and, by its label wrong, `w.sh`.
fn package(yaml: &str) -> Workspace {
    let workspace = Workspace::new();
    workspace.file("problems/p/problem.yaml", yaml).file("problems/p/.timelimit", "0.4\n");
    for case in ["1", "2", "3"] {
        workspace.file(format!("problems/p/data/secret/{case}.in"), format!("{case}\n"));
        workspace.file(format!("problems/p/data/secret/{case}.ans"), format!("{case}\n"));
    }
    workspace.file("problems/p/submissions/accepted/a.sh", "cat\n");
    workspace.file("problems/p/submissions/wrong_answer/w.sh", WRONG_THEN_SLOW);
    workspace
}

fn native() -> Workspace {
    let workspace = Workspace::new();
    let problem = workspace.problem("p").toml("limits.time_limit = 0.4\n").submission("accepted/a.sh", "cat\n");
    let problem = problem.submission("wrong_answer/w.sh", WRONG_THEN_SLOW);
    ["1", "2", "3"].into_iter().fold(problem, |problem, case| {
        problem.case(&format!("secret/{case}"), &format!("{case}\n"), &format!("{case}\n"))
    });
    workspace
}

/// The command that a report prints to repeat a result, without its first word.
fn printed<'a>(run: &'a Run, before: &str) -> Vec<&'a str> {
    let line = run.stdout.lines().find_map(|line| line.trim_start().strip_prefix(before));
    let line = line.unwrap_or_else(|| panic!("no line begins with {before:?}: {}", run.all()));
    line.split_whitespace().skip(1).collect()
}

#[apply(cli_test)]
fn the_first_failure_decides_in_legacy_packages() {
    let workspace = package("name: Copy\n");
    for args in [&[][..], &["-a"]] {
        let run = workspace.run(args);
        run.status(0).ends("wrong_answer/w.sh", "WA", "met").shows("PASS  2 as expected ·").hides("so far");
    }
    workspace.grader(&["verify", "p"]).status(0).hides("w.sh: expected");
}

#[apply(cli_test)]
fn every_case_counts_elsewhere() {
    for workspace in [package(CURRENT), native()] {
        let run = workspace.run(&[]);
        run.status(0).ends("wrong_answer/w.sh", "WA", "met").shows("PASS  2 as expected so far ·");
        assert_eq!(run.end("wrong_answer/w.sh")["so_far"], true);
        let all = workspace.run(&["-a"]);
        all.status(1).ends("wrong_answer/w.sh", "WA", "missed").shows("w.sh · secret/3: expected WA, got TLE");
        let unexpected: Vec<&Value> = all.of("test_finished").filter(|event| event["unexpected"] == true).collect();
        assert!(matches!(&unexpected[..], [event] if event["test"] == "secret/3"), "{}", all.all());
        let again = workspace.grader(&printed(&all, "again "));
        again.status(1).shows("expected WA, got TLE");
        let verified = workspace.grader(&["verify", "p"]);
        verified.status(1).shows("expected WA, got TLE on secret/3");
        workspace.grader(&printed(&verified, "→ see the details: ")).status(1).shows("expected WA, got TLE");
    }
}

#[apply(cli_test)]
fn tests_that_are_not_selected_are_not_held_against_a_label() {
    for workspace in [package(CURRENT), native(), package("name: Copy\n")] {
        // Right on the second case; the wrong answer on the first one is not seen.
        let run = workspace.run(&["-t", "secret/2"]);
        run.status(0).ends("wrong_answer/w.sh", "AC", "met").shows("PASS  2 as expected so far ·");
        workspace.run(&["-t", "secret/1"]).status(0).ends("wrong_answer/w.sh", "WA", "met").hides("so far");
    }
    // In a legacy package the first failure decides, and may be one that was not selected.
    let run = package("name: Copy\n").run(&["-t", "secret/3"]);
    run.status(0).ends("wrong_answer/w.sh", "TLE", "met").shows("so far");
    for workspace in [package(CURRENT), native()] {
        workspace.run(&["-t", "secret/3"]).status(1).shows("expected WA, got TLE");
    }
    // All tests that a rule speaks of are there, so it is known not to be met.
    let workspace = package(CURRENT);
    let rules = "wrong_answer/w.sh:\n  secret/2:\n    required: [WA]\n";
    workspace.file("problems/p/submissions/submissions.yaml", rules);
    workspace.run(&["-t", "secret/2"]).status(1).shows("expected WA");
    workspace.run(&["-t", "secret/1"]).status(0).shows("so far");
}

/// A case that must be wrong is right; the run that stops at the first failure does not see that.
#[apply(cli_test)]
fn a_rule_that_is_not_met_is_seen_with_the_printed_command() {
    let workspace = package(CURRENT);
    workspace.file("problems/p/submissions/wrong_answer/w.sh", "read x\n[ $x = 3 ] && echo 3 || echo 7\n");
    let rules = "wrong_answer/w.sh:\n  secret/3:\n    required: [WA]\n";
    workspace.file("problems/p/submissions/submissions.yaml", rules);
    let verified = workspace.grader(&["verify", "p"]);
    verified.status(1).shows("expected WA");
    workspace.grader(&printed(&verified, "→ see the details: ")).status(1).shows("expected WA");
}

#[apply(cli_test)]
fn nothing_is_expected_of_an_unknown_directory() {
    let workspace = native();
    workspace.problem("p").submission("accpeted/t.sh", "echo 0\n");
    let run = workspace.run(&["-s", "a.sh", "-s", "t.sh"]);
    run.status(0).says("did you mean `accepted`?").shows("PASS  1 as expected, 1 with nothing expected");
    run.shows("– accpeted/t.sh").ends("accpeted/t.sh", "WA", "met");
    workspace.run(&["-s", "t.sh"]).status(0).shows("PASS  1 with nothing expected").hides("as expected");
    // From the store it is not folded into the rest.
    workspace.run(&["-s", "a.sh", "-s", "t.sh"]).shows("– accpeted/t.sh").shows("nothing expected");
}

/// An interactor and a submission that wait for each other.
fn deadlock() -> Workspace {
    let workspace = Workspace::new();
    let problem = workspace.problem("p").toml("type = \"interactive\"\n[limits]\ntime_limit = 0.4\nwall_limit = 1\n");
    let interactor = "#!/bin/sh\nread word || exit 43\necho \"$word\"\nexit 42\n";
    problem
        .file("output_validator/run", interactor)
        .case("secret/1", "1\n", "1\n")
        .submission("accepted/a.sh", "echo 1\nread word\n")
        .submission("time_limit_exceeded/waits.sh", "read word\necho 1\n");
    let run = workspace.path("problems/p/output_validator/run");
    std::fs::set_permissions(run, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    workspace
}

#[apply(cli_test)]
fn a_deadlock_has_the_time_at_which_it_was_stopped() {
    let workspace = deadlock();
    let run = workspace.run(&[]);
    run.status(0).ends("time_limit_exceeded/waits.sh", "TLE", "met").shows("fastest TLE >0.600 s, margins safe");
    run.shows("TLE  >0.600 s").hides(">0.00");
    let measured = workspace.grader(&["time-limit", "p", "--up-to", "1s", "--resolution", "400ms"]);
    measured.status(0).shows("fastest TLE  >1.000 s").shows("0.4 s keeps its distances").hides("try a larger");
}

#[apply(cli_test)]
fn measuring_ends_at_the_time_that_was_asked_for() {
    let workspace = native();
    workspace.problem("p").submission("time_limit_exceeded/never.sh", "while :; do :; done\n");
    let measured = workspace.grader(&["time-limit", "p", "--up-to", "800ms", "--resolution", "400ms"]);
    // The wrong submission is measured too, because in this format its time bounds the limit; it is never right in time.
    measured.status(1).says("wrong_answer/w.sh: expected WA, got TLE");
    let command = measured.stderr.lines().find_map(|line| line.split("until then: grader ").nth(1)).unwrap().to_owned();
    let words: Vec<&str> = command.split_whitespace().collect();
    workspace.grader(&words).status(1).shows("wrong_answer/w.sh").shows("expected WA, got TLE");
    let measured = workspace.grader(&["time-limit", "p", "-s", "a.sh", "-s", "never.sh", "--up-to", "800ms"]);
    let line = measured.stdout.lines().find(|line| line.contains("fastest TLE")).unwrap().to_owned();
    assert!(line.contains(">0.8") || line.contains(">0.9"), "{line}");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn a_program_without_a_time_is_named_with_its_verdict() {
    let workspace = package(CURRENT);
    workspace.file(
        "problems/p/problem.yaml",
        "problem_format_version: 2025-09\nname: Copy\nuuid: 0\nlimits: {time_limit: 2, memory: 64}\n",
    );
    workspace.file("problems/p/submissions/run_time_error/mem.py", "hoard = b'x' * (200 << 20)\nprint(1)\n");
    let run = workspace.run(&["-s", "mem.py", "-s", "a.sh"]);
    run.status(0).ends("run_time_error/mem.py", "MLE", "met").hides("was not run");
    run.shows("margins not known: run_time_error/mem.py was stopped with MLE");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("g++")])]
fn a_judge_error_while_a_limit_is_measured_is_shown() {
    let workspace = package("problem_format_version: 2025-09\nname: Copy\nuuid: 0\n");
    std::fs::remove_file(workspace.path("problems/p/.timelimit")).unwrap();
    workspace.file("problems/p/output_validator/v.cpp", "#include <nosuch.h>\n");
    for command in [&["run", "p"][..], &["time-limit", "p"], &["judge", "p", "problems/p/submissions/accepted/a.sh"]] {
        let run = workspace.grader(command);
        run.status(3).says("judge error").says("nosuch.h").says("→ fix the validator");
        assert!(!run.stderr.contains("state limits.time_limit"), "{}", run.all());
        assert_eq!(run.stderr.matches("fatal error: nosuch.h").count(), 1, "{}", run.all());
    }
    let verified = workspace.grader(&["verify", "p"]);
    verified.status(3).shows("validator-broken").shows("nosuch.h");
    // With a stated limit, the block of a submission says it once.
    let run = workspace.run(&["--time-limit", "1s", "-s", "a.sh"]);
    run.status(3);
    assert_eq!(run.stdout.matches("\n    the output validator does not compile").count(), 1, "{}", run.all());
}

#[apply(cli_test)]
fn an_answer_without_an_input_is_an_error() {
    for yaml in ["name: Copy\n", CURRENT] {
        let workspace = package(yaml);
        workspace.file("problems/p/data/secret/04.ans", "4\n");
        workspace.run(&["p"]).status(2).says("answer without an input 04.in").says("→ add the input");
        workspace.grader(&["verify", "p", "--data-only"]).status(1).shows("answer without an input 04.in");
    }
}

#[apply(cli_test)]
fn an_unknown_problem_of_a_contest_has_its_line() {
    let workspace = native();
    workspace.file("problems/problems.yaml", "- id: p\n  label: A\n- id: nosuch\n  label: B\n");
    workspace.grader(&["list"]).says("line 3, column").says("there is no directory `nosuch` here");
}

#[apply(cli_test)]
fn an_interrupted_verification_says_how_far_it_came() {
    let workspace = native().without_walls();
    let slow = workspace.problem("q").toml("limits.time_limit = 60\n").case("secret/1", "1\n", "1\n");
    let started = format!("touch {}\nsleep 60\n", workspace.path("started").display());
    slow.submission("accepted/slow.sh", &started);
    let run = interrupted(&workspace, &["verify", "p", "q"]);
    run.status(130).says("1 of 2 problems verified, q is unfinished\ninterrupted");
}

/// Runs a command, and interrupts it when a submission has made the file `started`.
fn interrupted(workspace: &Workspace, args: &[&str]) -> Run {
    let mut call = Call::any(&workspace.path(""), args);
    let child = call.piped();
    let started = workspace.path("started");
    let begun = Instant::now();
    while !started.exists() {
        assert!(begun.elapsed() < Duration::from_secs(200), "the submission did not start");
        std::thread::sleep(Duration::from_millis(20));
    }
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    call.wait(child)
}

#[apply(cli_test)]
fn an_interrupted_measurement_says_so() {
    let workspace = package("problem_format_version: 2025-09\nname: Copy\nuuid: 0\n").without_walls();
    std::fs::remove_file(workspace.path("problems/p/.timelimit")).unwrap();
    let started = format!("touch {}\nsleep 60\n", workspace.path("started").display());
    workspace.file("problems/p/submissions/accepted/slow.sh", started);
    interrupted(&workspace, &["run", "p"]).status(130).says("measuring 3 submissions first").says("interrupted");
}

#[apply(cli_test)]
fn a_first_line_makes_a_program_of_a_file_without_extension() {
    let workspace = package(CURRENT);
    workspace.file("problems/p/submissions/accepted/copy", "#!/bin/sh\ncat\n");
    workspace.file("problems/p/submissions/accepted/odd", "#!/usr/bin/nosuch\ncat\n");
    workspace.file("problems/p/submissions/accepted/NOTES", "cat\n");
    let run = workspace.run(&[]);
    run.status(0).ends("accepted/copy", "AC", "met").ends("accepted/odd", "-", "not_judged");
    run.says("accepted/NOTES: no source file of a known language; ignored");
}

#[apply(cli_test)]
fn a_misspelled_validation_is_an_error() {
    let workspace = package("name: Copy\nvalidation: Custom\n");
    workspace.run(&[]).status(2).says("problem.yaml: line 2, column 1: `validation`: unknown word `Custom`; known are");
}

/// Copies a package with its submissions in Python, which every machine here can run.
fn copy(from: &Path, to: &Path) {
    for entry in walkdir::WalkDir::new(from) {
        let entry = entry.unwrap();
        let place = to.join(entry.path().strip_prefix(from).unwrap());
        let is_submission = entry.path().components().any(|part| part.as_os_str() == "submissions");
        let is_other = is_submission && entry.path().extension().is_some_and(|end| end != "py" && end != "yaml");
        if entry.file_type().is_dir() {
            std::fs::create_dir_all(&place).unwrap();
        } else if !is_other {
            std::fs::copy(entry.path(), &place).unwrap();
        }
    }
}

/// The submissions whose result is unexpected by the record of a run.
fn missed(run: &Run) -> Vec<String> {
    let ends = run.of("submission_finished").filter(|end| end["standing"]["standing"] == "missed");
    let mut missed: Vec<String> = ends.map(|end| end["submission"].as_str().unwrap().to_owned()).collect();
    missed.sort();
    missed
}

/// The submissions that `grader verify` reports as unexpected.
fn found(verified: &Run) -> Vec<String> {
    let document: Value = serde_json::from_str(&verified.stdout).unwrap();
    let findings =
        document["problems"].as_array().unwrap().iter().flat_map(|entry| entry["findings"].as_array().unwrap());
    let unexpected = findings.filter(|finding| finding["code"] == "submission-unexpected");
    let name = |finding: &Value| finding["path"].as_str().unwrap().rsplit_once("submissions/").unwrap().1.to_owned();
    let mut found: Vec<String> = unexpected.map(name).collect();
    found.sort();
    found
}

/// How many measured executions the store holds, to see whether a command measured one.
fn measurements(workspace: &Workspace) -> usize {
    let files = std::fs::read_dir(workspace.path(".grader/cache/outcomes")).unwrap();
    let texts = files.map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap());
    texts.map(|text| text.lines().filter(|line| line.contains("\"outcome\":")).count()).sum()
}

/// The first word after these words.
#[track_caller]
fn word_after<'a>(text: &'a str, before: &str) -> &'a str {
    let Some((_, rest)) = text.split_once(before) else { panic!("no {before:?} in:\n{text}") };
    rest.split_whitespace().next().unwrap_or_default()
}

/// A package of the suite with its submissions in Python, perhaps with a wrong label or one that never ends.
fn labelled(package: &str, relabelled: Option<&str>) -> Workspace {
    let workspace = Workspace::new();
    let place = workspace.path(format!("problems/{package}"));
    copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/packages").join(package), &place);
    let submissions = place.join("submissions");
    if package == "legacysum" && relabelled.is_none() {
        workspace.file(submissions.join("time_limit_exceeded/loop.py"), "while True: pass\n");
    }
    if let Some(relabelled) = relabelled {
        std::fs::create_dir_all(submissions.join("run_time_error")).unwrap();
        std::fs::rename(submissions.join(relabelled), submissions.join("run_time_error/x.py")).unwrap();
    }
    workspace
}

/// Every command takes the results of the first run from the store, so that no new measurement can explain a difference.
#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn commands_agree_on_one_measurement() {
    for (package, wrong) in [("newsum", "wrong_answer/deaf.py"), ("legacysum", "wrong_answer/three.py")] {
        for relabelled in [None, Some(wrong)] {
            agree(&labelled(package, relabelled), package, relabelled.is_some());
        }
    }
}

fn agree(workspace: &Workspace, package: &str, is_relabelled: bool) {
    let run = workspace.run(&["-a"]);
    let missed = missed(&run);
    assert_eq!(missed.is_empty(), !is_relabelled, "{}", run.all());
    assert_eq!(run.status, i32::from(is_relabelled), "{}", run.all());
    let known = measurements(workspace);
    assert_ne!(known, 0);

    let replayed = workspace.run(&["-a"]);
    assert_eq!(replayed.measured_and_cached().0, 0, "{}", replayed.all());
    let verdict = word_after(&run.stdout, ": slowest ");
    let slowest = word_after(&run.stdout, &format!(": slowest {verdict} "));
    assert_eq!(word_after(&replayed.stdout, &format!(": slowest {verdict} ")), slowest, "{}", replayed.all());

    let verified = workspace.grader(&["verify", package, "--format", "json"]);
    assert_eq!(found(&verified), missed, "{}", verified.all());
    let document: Value = serde_json::from_str(&verified.stdout).unwrap();
    let safe = document["problems"][0]["margins_safe"].as_bool();
    assert_eq!(safe, Some(run.stdout.contains("margins safe")), "{}", run.all());
    let told = workspace.grader(&["verify", package]);
    assert_eq!(word_after(&told.stdout, "limit     slowest "), slowest, "{}", told.all());
    if run.of("submission_finished").any(|end| end["verdict"] == "TLE") {
        let fastest = word_after(&run.stdout, ", fastest TLE ");
        assert_eq!(word_after(&told.stdout, ", fastest TLE "), fastest, "{}", told.all());
    }

    for end in run.of("submission_finished") {
        let submission = end["submission"].as_str().unwrap();
        let path = format!("problems/{package}/submissions/{submission}");
        let judged = Call::recorded(&workspace.path(""), &["judge", package, &path]).run();
        let verdicts: Vec<&Value> = judged.of("submission_finished").map(|end| &end["verdict"]).collect();
        assert_eq!(verdicts, [&end["verdict"]], "{submission}: {}", judged.all());
    }
    assert_eq!(measurements(workspace), known, "one of the commands measured something");

    // Only the program that never ends is measured again, up to a larger limit. A submission that bounds the limit and
    // is unexpected keeps `time-limit` from measuring; else the margins decide.
    let measured = workspace.grader(&["time-limit", package, "--up-to", "1600ms"]);
    if measured.stderr.contains("fix these first") {
        assert!(!missed.is_empty(), "{}", measured.all());
    } else {
        assert_eq!(measured.status == 0, safe == Some(true), "{} {}", run.all(), measured.all());
        assert_eq!(word_after(&measured.stdout, "slowest "), slowest, "{}", measured.all());
    }
}
