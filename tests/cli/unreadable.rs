//! Files and directories that cannot be read: whatever is lost by that is reported, and is never a verdict.

use std::fs::Permissions;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{PermissionsExt as _, symlink};

use macro_rules_attribute::apply;

use crate::cli::need::Need;
use crate::cli::packages::CURRENT;
use crate::cli::run::{Call, Run};
use crate::cli::workspace::{SUM, Workspace};

/// Root reads what nobody may read.
const NOBODY: u32 = 65534;

/// Runs the grader as an ordinary user, to whom the workspace belongs, after these paths have got these rights.
#[track_caller]
fn as_user(workspace: &Workspace, rights: &[(&str, u32)], call: impl FnOnce() -> Call) -> Run {
    let binary = workspace.binary();
    workspace.give_to(NOBODY);
    let set = |path: &str, mode| std::fs::set_permissions(workspace.path(path), Permissions::from_mode(mode)).unwrap();
    for (path, mode) in rights {
        set(path, *mode);
    }
    let run = call().copy(&binary).user(NOBODY).run();
    // Only a directory that may be searched can be removed, also by root on some file systems.
    for (path, _) in rights {
        set(path, 0o755);
    }
    run
}

#[apply(cli_test)]
#[needs(&[Need::Root])]
fn a_source_that_cannot_be_read_is_no_compile_error() {
    let workspace = Workspace::with_sum();
    let problem = workspace.problem("sum").toml("reference = \"accepted/sum.sh\"\n");
    problem.submission("accepted/crate/Cargo.toml", "[package]\nname = \"a\"\n");
    problem.submission("accepted/crate/src/main.rs", "fn main() {}\n");
    let manifest = "problems/sum/submissions/accepted/crate/Cargo.toml";
    let run = as_user(&workspace, &[(manifest, 0o000)], || workspace.call(&[]));
    run.status(3).ends("accepted/sum.sh", "AC", "met").shows("Cargo.toml: Permission denied");
    assert!(!run.stdout.contains("CE"), "{}", run.all());
}

#[apply(cli_test)]
#[needs(&[Need::Root])]
fn a_problem_that_cannot_be_searched_is_one_error() {
    let workspace = Workspace::with_sum();
    workspace.sum("shut");
    let run = as_user(&workspace, &[("problems/shut", 0o644)], || workspace.call(&[]));
    run.status(2).ends("accepted/sum.sh", "AC", "met").says("problems/shut: cannot read: Permission denied");
    assert_eq!(run.stderr.matches("error: ").count(), 1, "{}", run.all());
}

#[apply(cli_test)]
#[needs(&[Need::Root])]
fn a_problem_at_the_end_of_the_search_is_reported() {
    let workspace = Workspace::with_sum();
    workspace.file("problems/course/year/week/shut/submissions/accepted/a.sh", SUM);
    let shut = "problems/course/year/week/shut";
    let run = as_user(&workspace, &[(shut, 0o000)], || workspace.call(&[]));
    run.status(2).ends("accepted/sum.sh", "AC", "met").says("shut: cannot read: Permission denied");
}

/// A package whose only submission is right.
fn package() -> Workspace {
    let workspace = Workspace::bare();
    workspace
        .file("sum/problem.yaml", CURRENT)
        .file("sum/data/secret/1.in", "1 2\n")
        .file("sum/data/secret/1.ans", "3\n")
        .file("sum/submissions/accepted/sum.sh", SUM);
    workspace
}

#[apply(cli_test)]
fn a_validator_behind_a_broken_link_is_not_missing() {
    for name in ["output_validator", "input_validators"] {
        let workspace = package();
        symlink("../shared/nowhere", workspace.path("sum").join(name)).unwrap();
        let run = workspace.run(&["sum"]);
        run.status(2).says(&format!("sum/{name}: cannot follow the symbolic link"));
        assert_eq!(run.of("test_finished").count(), 0, "{}", run.all());
    }
}

#[apply(cli_test)]
fn a_validator_that_is_no_directory_is_an_error() {
    let workspace = package();
    workspace.file("sum/output_validator", "exit 43\n");
    workspace
        .run(&["sum"])
        .status(2)
        .says("sum/output_validator: not a directory")
        .says("→ move the program into a dir");
}

#[apply(cli_test)]
fn a_time_limit_behind_a_broken_link_is_an_error() {
    let workspace = package();
    workspace.file("sum/problem.yaml", "problem_format_version: legacy\nname: Sum\n");
    symlink("../nowhere", workspace.path("sum/.timelimit")).unwrap();
    workspace.run(&["sum"]).status(2).says("sum/.timelimit: cannot read: No such file");
}

#[apply(cli_test)]
fn points_that_cannot_be_read_are_a_fault_of_the_validator() {
    for (leave, why) in [
        ("mkdir $3/score.txt", "score.txt in its feedback directory cannot be read: it is not a plain file"),
        ("ln -s /etc/passwd $3/score_multiplier.txt", "score_multiplier.txt in its feedback directory cannot be read"),
    ] {
        let workspace = Workspace::with_sum();
        workspace.problem("sum").toml("type = \"scoring\"\n");
        workspace.problem("sum").file("output_validator/v.sh", &format!("{leave}\nexit 42\n"));
        let run = workspace.run(&[]);
        run.status(3).shows(why);
        // In a problem without points nobody reads it.
        workspace.problem("sum").toml("type = \"pass-fail\"\n");
        workspace.run(&[]).status(0).ends("accepted/sum.sh", "AC", "met");
    }
}

#[apply(cli_test)]
fn a_word_that_means_nothing_is_told_beside_a_broken_problem() {
    let workspace = Workspace::with_sum();
    workspace.problem("broken").submission("accepted/sum.sh", SUM).file("problem.toml", "colour = 1\n");
    let run = workspace.run(&["broken", "sum", "nosuch"]);
    run.status(2).says("colour").says("no problem or test matches `nosuch`").says("→ list everything: grader list -v");
    // What only the broken problem could have is not said to be missing.
    let run = workspace.run(&["broken", "sum", "-s", "accepted/other.sh"]);
    run.status(2).says("colour");
    assert!(!run.stderr.contains("matches"), "{}", run.all());
}

#[apply(cli_test)]
fn a_case_whose_name_is_not_utf8_is_not_left_out() {
    let workspace = Workspace::with_sum();
    workspace.file("new/a.in", "5 6\n").file("new/notes.txt", "");
    std::fs::write(workspace.path("new").join(std::ffi::OsStr::from_bytes(b"b\xff.in")), "7 8\n").unwrap();
    let run = workspace.grader(&["add", "sum", "new"]);
    run.status(2).says("new/b\\xff.in: its name is not UTF-8").says("→ rename it").says("nothing was written");
    std::fs::remove_file(workspace.path("new").join(std::ffi::OsStr::from_bytes(b"b\xff.in"))).unwrap();
    std::fs::write(workspace.path("new").join(std::ffi::OsStr::from_bytes(b"notes\xff.txt")), "").unwrap();
    workspace.grader(&["add", "sum", "new"]).status(0).shows("added secret/");
}

#[apply(cli_test)]
#[needs(&[Need::Root])]
fn an_answer_that_may_not_be_looked_at_is_no_text() {
    let workspace = Workspace::with_sum();
    workspace.file("new.in", "5 6\n").file("private/answer", "11\n");
    let args = ["add", "sum", "new.in", "--answer", "private/answer"];
    let run = as_user(&workspace, &[("private", 0o000)], || Call::any(&workspace.path(""), &args));
    run.status(2).says("cannot read ").says("private/answer").says("Permission denied");
    assert!(!run.all().contains("given answer"), "{}", run.all());
}

#[apply(cli_test)]
#[needs(&[Need::Root])]
fn validation_data_that_cannot_be_read_was_not_rejected() {
    let workspace = Workspace::with_sum();
    workspace
        .problem("sum")
        .file("input_validators/v.sh", "exit 42\n")
        .file("answer_validators/v.sh", "exit 42\n")
        .file("output_validator/v.sh", "exit 42\n")
        .case("invalid_input/1", "x\n", "")
        .case("invalid_answer/1", "1 2\n", "x\n");
    let shut = [("testcases/sum/invalid_input/1.in", 0o000), ("testcases/sum/invalid_answer/1.ans", 0o000)];
    let args = ["verify", "sum", "--data-only", "--try-time", "0"];
    let run = as_user(&workspace, &shut, || Call::any(&workspace.path(""), &args));
    run.status(1);
    for (path, _) in shut {
        run.shows(&format!("error file-unreadable: {path}: Permission denied"));
    }
}

/// The problem `sum` with one case that generators.yaml makes so.
fn generated(recipe: &str) -> Workspace {
    let workspace = Workspace::new();
    workspace.problem("sum").submission("accepted/sum.sh", SUM);
    let yaml = format!("data:\n  secret:\n    data:\n      - a: {recipe}\n");
    workspace.problem("sum").file("generators/generators.yaml", &yaml);
    workspace
}

#[apply(cli_test)]
fn a_copied_file_behind_a_broken_link_is_not_missing() {
    let workspace = generated("{copy: hand/1}");
    workspace.problem("sum").file("generators/hand/1.in", "1 2\n");
    symlink("nowhere", workspace.path("problems/sum/generators/hand/1.ans")).unwrap();
    let run = workspace.grader(&["gen", "sum"]);
    run.status(2).says("generators/hand/1.ans: No such file").shows("1 failed");
    assert!(!workspace.path("testcases/sum/secret/a.in").exists(), "{}", run.all());
}

#[apply(cli_test)]
fn a_file_of_a_generator_that_cannot_be_read_is_an_error() {
    let workspace = generated("{generate: make.sh}");
    workspace.problem("sum").file("generators/make.sh", "echo 1 2 >testcase.in\nln -s /etc/passwd testcase.ans\n");
    workspace.grader(&["gen", "sum"]).status(2).says("testcase.ans of the generator cannot be read: it is a symbolic");
}

#[apply(cli_test)]
#[needs(&[Need::Root])]
fn a_submission_that_cannot_be_read_is_not_the_students_fault() {
    let workspace = Workspace::with_sum();
    workspace.file("class/ann/sum.sh", SUM).file("class/bob/sum", "#!/bin/sh\nread a b; echo $((a + b))\n");
    let layout = ["judge", "sum", "--layout", "{student}/", "class"];
    let shut = [("class/bob/sum", 0o000)];
    let run = as_user(&workspace, &shut, || Call::any(&workspace.path(""), &layout));
    run.status(2).says("class/bob/sum: Permission denied").shows("bob      cannot be read");
    // Without a layout it is not said to be of no language either.
    let run = as_user(&workspace, &shut, || Call::any(&workspace.path(""), &["judge", "sum", "class"]));
    run.status(2).says("class/bob/sum: Permission denied");
    assert!(!run.stderr.contains("no source file"), "{}", run.all());
}

#[apply(cli_test)]
#[needs(&[Need::Root])]
fn a_path_that_may_not_be_looked_at_is_not_missing() {
    let workspace = Workspace::with_sum();
    workspace.file("class/ann/sum.sh", SUM);
    let args = ["judge", "sum", "class/ann/sum.sh"];
    let run = as_user(&workspace, &[("class", 0o000)], || Call::any(&workspace.path(""), &args));
    run.status(2).says("class/ann/sum.sh: Permission denied").says("→ make it readable");
    assert!(!run.stderr.contains("no such file"), "{}", run.all());
}

#[apply(cli_test)]
#[needs(&[Need::Root])]
fn a_record_that_cannot_be_read_is_not_left_out() {
    let workspace = Workspace::with_sum();
    workspace.run(&[]).status(0);
    // The index knows what it has read.
    std::fs::remove_file(workspace.path(".grader/index.sqlite")).unwrap();
    let record = std::fs::read_dir(workspace.path(".grader/runs")).unwrap().next().unwrap().unwrap().file_name();
    let record = format!(".grader/runs/{}", record.to_str().unwrap());
    let history = || Call::any(&workspace.path(""), &["history"]);
    let run = as_user(&workspace, &[(&record, 0o000)], history);
    run.status(2).says(&format!("{record}: cannot read: Permission denied")).says("can be read");
}
