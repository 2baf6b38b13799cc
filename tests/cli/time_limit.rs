//! `grader time-limit`: what the limit of a problem should be.

use macro_rules_attribute::apply;

use crate::cli::workspace::{SUM, Workspace};

/// One case, a right submission and one that is much too slow.
fn with_a_slow_one() -> Workspace {
    let workspace = Workspace::new();
    workspace
        .problem("sum")
        .case("sample/1", "1 2\n", "3\n")
        .submission("accepted/sum.sh", SUM)
        .submission("time_limit_exceeded/never.sh", "while :; do :; done\n");
    workspace
}

#[apply(cli_test)]
fn the_proposal_keeps_its_distance_to_both_sides() {
    let workspace = with_a_slow_one();
    workspace.problem("sum").toml("limits.time_limit = 0.25\n");
    let told = workspace.grader(&["time-limit", "sum", "--up-to", "500ms", "--resolution", "250ms"]);
    told.status(0).shows("accepted/sum.sh").shows("time_limit_exceeded/never.sh").shows("proposal     0.25 s");
    told.shows("0.25 s keeps its distances");
    // Four times a larger limit is more than anybody has seen; the stated limit is safe all the same.
    let told = workspace.grader(&["time-limit", "sum", "--up-to", "1s", "--tle", "4"]);
    told.status(0).shows("no limit: 1 s").shows("try a larger --up-to").shows("0.25 s keeps its distances");
    workspace.grader(&["time-limit", "sum", "--up-to", "100ms"]).status(2).says("measure up to at least 0.375 s");
}

#[apply(cli_test)]
fn a_limit_that_is_too_small_is_told_and_changed() {
    let workspace = Workspace::with_sum();
    workspace
        .problem("sum")
        .submission("accepted/slow.sh", &format!("i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done\n{SUM}"));
    let toml = "reference = \"sum.sh\"\n# limits\n[limits]\ntime_limit = 0.01 # too small\n";
    workspace.problem("sum").toml(toml);
    workspace
        .grader(&["time-limit", "sum"])
        .status(1)
        .shows("0.01 s does not keep its distances")
        .shows("accepted/slow.sh");
    assert_eq!(workspace.read("problems/sum/problem.toml"), toml);
    workspace.grader(&["time-limit", "sum", "--write"]).status(0).shows("written to problems/sum/problem.toml");
    let written = workspace.read("problems/sum/problem.toml");
    assert!(written.starts_with("reference = \"sum.sh\"\n# limits\n[limits]\ntime_limit = "), "{written}");
    assert!(written.ends_with(" # too small\n") && !written.contains("0.01"), "{written}");
    workspace.grader(&["time-limit", "sum"]).status(0);
}

#[apply(cli_test)]
fn submissions_that_are_wrong_measure_nothing() {
    let workspace = Workspace::with_sum();
    workspace.problem("sum").toml("reference = \"sum.sh\"\n").submission("accepted/three.sh", "echo 3\n");
    let told = workspace.grader(&["time-limit", "sum", "--write"]);
    told.status(1).says("accepted/three.sh: expected AC, got WA").hides("proposal");
    assert!(!workspace.read("problems/sum/problem.toml").contains("time_limit"));
}
