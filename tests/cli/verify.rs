//! `grader verify`: input files against the input validators.

use crate::workspace::Workspace;

listed![every_file_is_told, only_options_that_matter_are_offered, a_validator_that_does_not_compile_says_what_to_do];

fn validated(validator: &str) -> Workspace {
    let workspace = Workspace::with_sum();
    workspace.problem("sum").file("input_validators/check.sh", validator);
    workspace.file("good.in", "1 2\n").file("bad.in", "-1 2\n").file("folder/x.in", "1 2\n");
    workspace
}

fn every_file_is_told() {
    let workspace = validated("read a b\n[ $a -gt 0 ] && exit 42\necho \"$a is not positive\"\nexit 43\n");
    let run = workspace.grader(&["verify", "sum", "--input", "good.in", "bad.in", "folder", "missing.in"]);
    run.status(2).shows("good.in").shows("bad.in: rejected by input_validators/check.sh: -1 is not positive");
    run.shows("folder: a folder; name the files in it").shows("missing.in: No such file");
    workspace.grader(&["validate", "sum", "--input", "bad.in"]).status(1);
    workspace.grader(&["verify", "sum", "--input", "good.in"]).status(0);
}

fn only_options_that_matter_are_offered() {
    let workspace = validated("exit 42\n");
    workspace.grader(&["verify", "sum", "--checker", "exact", "--input", "good.in"]).status(2).says("--checker");
    workspace.grader(&["verify", "sum", "--no-cache", "--input", "good.in"]).status(0);
}

fn a_validator_that_does_not_compile_says_what_to_do() {
    let workspace = validated("exit 42\n");
    workspace.problem("sum").file("input_validators/other.py", "def\n");
    let run = workspace.grader(&["verify", "sum", "--input", "good.in"]);
    run.status(3).says("input_validators/other.py does not compile:\n  ").says("\n  → mend the validator");
}
