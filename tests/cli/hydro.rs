//! Problems of Hydro, as its judge understands them.

use macro_rules_attribute::apply;

use crate::cli::workspace::{SUM, Workspace};

/// A problem with these files in `testdata/` and a program that adds.
fn problem(config: &str, files: &[(&str, &str)]) -> Workspace {
    let workspace = Workspace::bare();
    workspace.file("sum/problem.yaml", "pid: sum\ntitle: Sum\ntag: [easy]\n").file("sum/std/sum.sh", SUM);
    if !config.is_empty() {
        workspace.file("sum/testdata/config.yaml", config);
    }
    for (name, text) in files {
        workspace.file(format!("sum/testdata/{name}"), *text);
    }
    workspace
}

const FILES: &[(&str, &str)] =
    &[("1.in", "1 2\n"), ("1.out", "3\n"), ("2.in", "2 2\n"), ("2.out", "4\n"), ("10.in", "0 1\n"), ("10.ans", "1\n")];

/// A wrong program, which adds to 3 only.
const THREE: &str = "echo 3\n";

#[apply(cli_test)]
fn tests_are_found_by_the_names_of_files() {
    let workspace = problem("", FILES);
    workspace.file("three.sh", THREE);
    workspace.run(&["sum"]).status(0).shows("PASS  1 as expected");
    // Each test has a share of 100 points.
    workspace.grader(&["judge", "sum", "three.sh", "--color", "never"]).status(1).shows("33");
}

#[apply(cli_test)]
fn subtasks_depend_on_each_other() {
    let config = "time: 1s\nmemory: 128m\nchecker_type: testlib\nchecker: ncmp\nsubtasks:\n\
                  - {id: 1, score: 30, cases: [{input: 1.in, output: 1.out}]}\n\
                  - {id: 2, score: 30, if: [3], cases: [{input: 1.in, output: 1.out}]}\n\
                  - {id: 3, type: sum, cases: [{input: 2.in, output: 2.out}, {input: 10.in, output: 10.ans}]}\n";
    let workspace = problem(config, FILES);
    workspace.file("three.sh", THREE);
    workspace.run(&["sum"]).status(0).shows("PASS  1 as expected");
    workspace.grader(&["judge", "sum", "three.sh", "--color", "never"]).status(1).shows("30 of 100");
    workspace.grader(&["list", "sum", "-v"]).status(0).shows("1 s").shows("128");
}

#[apply(cli_test)]
fn submissions_may_read_and_write_files() {
    let config = "filename: sum\nsubtasks:\n- {score: 100, type: min, cases: [{input: 1.in, output: 1.out}]}\n";
    let workspace = problem(config, FILES);
    workspace.file("sum/std/sum.sh", "read a b < sum.in\necho $((a + b)) > sum.out\n");
    workspace.run(&["sum"]).status(0).shows("PASS  1 as expected").hides("points");
}

#[apply(cli_test)]
fn what_grader_does_not_know_is_an_error_with_its_line() {
    let config =
        "type: objective\ntime: soon\nchecker_type: syzoj\nsubtasks:\n- type: max\n  cases:\n  - {input: ../1.in}\n";
    let run = problem(config, FILES).run(&["sum"]);
    run.status(2).says("config.yaml: line 1, column 1: `type`").says("`default` or `interactive`");
    run.says("line 2, column 1: `time`: expected a time such as 1000ms or 1s, found the string `soon`");
    run.says("line 3, column 1: `checker_type`").says("line 5, column 3: `subtasks.0.type`");
    run.says("must be a path inside testdata/");
    let run = problem("subtasks:\n- cases: [{input: 3.in, output: 1.out}]\n", FILES).run(&["sum"]);
    run.status(2).says("3.in").says("add the file to testdata/, or correct its name");
    let run = problem("checker_type: kattis\n", FILES).run(&["sum"]);
    run.status(2).says("`checker` is missing");
    problem("", &[])
        .file("sum/testdata/readme", "")
        .run(&["sum"])
        .status(2)
        .says("no tests")
        .says("call the files 1.in and 1.out");
    // Its tests are not those of grader.
    let workspace = problem("", FILES);
    workspace.grader(&["add", "sum", "sum/testdata/1.in"]).status(2).says("change them in testdata/");
}
