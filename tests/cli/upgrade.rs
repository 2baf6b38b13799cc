//! `grader upgrade`: packages of older versions, in place, all or nothing.

use macro_rules_attribute::apply;

use crate::cli::need::{Need, mount_tmpfs, unmount};
use crate::cli::workspace::{SUM, Workspace};

/// A legacy package with everything that changes its name or its meaning.
fn legacy() -> Workspace {
    let workspace = Workspace::bare();
    workspace
        .file(
            "sum/problem.yaml",
            "# From the attic.\n\n# Who made it.\nauthor: Ann  # and Bob\n# The title.\nname: Sum\n",
        )
        .file("sum/.timelimit", "2\n")
        .file("sum/.git/HEAD", "ref: x\n")
        .file("sum/README.md", "Read me.\n")
        .file("sum/problem_statement/problem.tex", "\\problemname{Sum}\nAdd.\n")
        .file("sum/data/sample/1.in", "1 2\n")
        .file("sum/data/sample/1.ans", "3\n")
        .file("sum/data/sample/1.desc", "Small.\n")
        .file("sum/data/secret/testdata.yaml", "# As bytes.\noutput_validator_flags: case_sensitive\n")
        .file("sum/data/testdata.yaml", "# Nobody reads this.\non_reject: break\n")
        .file("sum/data/secret/1.in", "4 4\n")
        .file("sum/data/secret/1.ans", "8\n")
        .file("sum/submissions/accepted/sum.sh", SUM)
        .file("sum/submissions/run_time_error/no.sh", "exit 1\n");
    workspace
}

#[apply(cli_test)]
fn a_legacy_package_is_upgraded_in_place() {
    let workspace = legacy();
    let old = workspace.read("sum/problem.yaml");
    let dry = workspace.grader(&["upgrade", "sum", "--dry-run"]);
    dry.shows("goes with data/testdata.yaml: # Nobody reads this.");
    dry.status(0).shows("~ problem.yaml").shows("- .timelimit").shows("README.md stays as it is");
    dry.shows("problem_statement/problem.tex → statement/problem.en.tex").shows("+problem_format_version: 2025-09");
    assert_eq!(workspace.read("sum/problem.yaml"), old);
    let run = workspace.grader(&["upgrade", "sum"]);
    run.status(0).shows("✓ upgraded sum to 2025-09").shows("the same before and after, 2 submissions");
    let new = workspace.read("sum/problem.yaml");
    assert!(new.starts_with("# From the attic.\n"), "{new}");
    for part in
        ["2025-09\n", "# The title.\nname:\n", "# and Bob\n", "# Who made it.\n", "credits: Ann\n", "time_limit: 2.0\n"]
    {
        assert!(new.contains(part), "{part}: {new}");
    }
    let group = workspace.read("sum/data/secret/test_group.yaml");
    assert!(group.contains("# As bytes.") && group.contains("case_sensitive"), "{group}");
    for kept in ["sum/README.md", "sum/.git/HEAD", "sum/statement/problem.en.tex", "sum/submissions/mixed/no.sh"] {
        assert!(workspace.path(kept).is_file(), "{kept}");
    }
    let text = workspace.read("sum/data/sample/1.yaml");
    assert!(text.contains("Small.") && !workspace.path("sum/data/sample/1.desc").exists(), "{text}");
    for gone in
        ["sum/.timelimit", "sum/problem_statement", "sum/data/secret/testdata.yaml", "sum/submissions/run_time_error"]
    {
        assert!(!workspace.path(gone).exists(), "{gone}");
    }
    workspace.grader(&["run", "sum"]).status(0).shows("2 of 2 as expected: 1 AC, 1 RTE");
    workspace.grader(&["upgrade", "sum"]).status(0).shows("sum is of the version 2025-09 already");
}

#[apply(cli_test)]
fn authors_and_keywords_become_lists() {
    let workspace = legacy();
    let yaml = "name: Sum\nauthor: Ann Example, Bob B. and Carl\nkeywords: sum easy\n";
    workspace.file("sum/problem.yaml", yaml);
    let expect = |yaml: &str| {
        assert!(yaml.contains("credits:\n  authors:\n  - Ann Example\n  - Bob B.\n  - Carl\n"), "{yaml}");
        assert!(yaml.contains("keywords:\n- sum\n- easy\n"), "{yaml}");
    };
    for format in ["icpc-2025-09", "kattis"] {
        workspace.grader(&["export", "sum", "--force", "--for", format, "-o", format]).status(0);
        expect(&workspace.read(format!("{format}/sum/problem.yaml")));
    }
    workspace.grader(&["upgrade", "sum"]).status(0);
    expect(&workspace.read("sum/problem.yaml"));
}

#[apply(cli_test)]
fn what_cannot_be_upgraded_stays_untouched() {
    let workspace = legacy();
    workspace
        .file("sum/output_validators/a/check.sh", "exit 42\n")
        .file("sum/output_validators/b/check.sh", "exit 42\n");
    workspace.file("sum/problem.yaml", "name: Sum\nvalidation: custom\n");
    let run = workspace.grader(&["upgrade", "sum"]);
    run.status(2).shows("a second output validator").says("to write the rest: --lossy");
    assert_eq!(workspace.read("sum/problem.yaml"), "name: Sum\nvalidation: custom\n");
    assert!(workspace.path("sum/.timelimit").is_file());
    let plain = Workspace::with_sum();
    plain.grader(&["upgrade", "sum"]).status(2).says("is not a problem package in the format of ICPC or Kattis");
    plain.grader(&["upgrade", "nothing"]).status(2).says("nothing");
}

/// A legacy package with points: 30 for both cases of a group, and 35 for each case of another.
fn graded() -> Workspace {
    let workspace = Workspace::bare();
    let group = |name: &str, keys: &str| {
        workspace.file(format!("sum/data/{name}testdata.yaml"), keys);
    };
    group("", "on_reject: continue\ngrader_flags: ignore_sample\nrange: 0 100\n");
    group("sample/", "grader_flags: first_error\n");
    group("secret/", "grader_flags: first_error accept_if_any_accepted\n");
    group("secret/a/", "on_reject: break\ngrader_flags: min\naccept_score: 30\nrange: 0 30\n");
    group("secret/b/", "grader_flags: sum accept_if_any_accepted\naccept_score: 35\nrange: 0 70\n");
    for (case, input, answer) in [
        ("sample/1", "1 2\n", "3\n"),
        ("secret/a/1", "0 4\n", "4\n"),
        ("secret/a/2", "0 5\n", "5\n"),
        ("secret/b/1", "0 7\n", "7\n"),
        ("secret/b/2", "4 4\n", "8\n"),
    ] {
        workspace.file(format!("sum/data/{case}.in"), input).file(format!("sum/data/{case}.ans"), answer);
    }
    workspace
        .file("sum/problem.yaml", "name: Sum\ntype: scoring\nlimits: {time_limit: 1}\n")
        .file("sum/submissions/accepted/sum.sh", SUM)
        .file("sum/submissions/partially_accepted/second.sh", "read a b\n# @EXPECTED_SCORE@: 65\necho $b\n")
        .file("sum/submissions/wrong_answer/none.sh", "echo 1\n");
    workspace
}

#[apply(cli_test)]
fn graders_become_points() {
    let workspace = graded();
    workspace.grader(&["run", "sum"]).status(0).shows("65 of 100");
    let run = workspace.grader(&["upgrade", "sum"]);
    run.status(0).shows("the same before and after, 3 submissions: verdicts and points");
    run.shows("second: AC, 65 points before, WA after: a word for the same points")
        .shows("+score_aggregation: pass-fail");
    let group = |name: &str| workspace.read(format!("sum/data/secret/{name}test_group.yaml"));
    assert_eq!(group("a/"), "max_score: 30\nscore_aggregation: pass-fail\n");
    assert_eq!(group("b/"), "max_score: 70\nscore_aggregation: sum\n");
    assert_eq!(group(""), "max_score: 100\nscore_aggregation: sum\n");
    workspace.grader(&["run", "sum"]).status(0).shows("PASS  3 as expected").shows("65 of 100");
}

#[apply(cli_test)]
fn graders_without_an_equal_are_listed() {
    let losses = |file: &str, keys: &str, says: &[&str]| {
        let workspace = graded();
        workspace.file(format!("sum/data/{file}testdata.yaml"), keys);
        let run = workspace.grader(&["upgrade", "sum"]);
        run.status(2).says("to write the rest: --lossy");
        for says in says {
            run.shows(says);
        }
        assert!(workspace.path("sum/data/testdata.yaml").is_file());
    };
    losses(
        "secret/a/",
        "grader_flags: max\naccept_score: 30\n",
        &["grader_flags of secret/a: some of its points count if another group is accepted"],
    );
    losses("secret/a/", "grader_flags: max always_accept\n", &["grader_flags: max of secret/a"]);
    losses("secret/b/", "grader_flags: sum\naccept_score: 35\n", &["grader_flags of secret/b"]);
    losses("secret/b/", "accept_score: 35\nreject_score: 1\n", &["reject_score of secret/b"]);
    losses("secret/", "on_reject: break\ngrader_flags: accept_if_any_accepted\n", &["on_reject: break of secret"]);
    losses("", "grader_flags: ignore_sample\nrange: 0 50\n", &["range of data: it excludes all points of the group"]);
}

#[apply(cli_test)]
fn points_and_labels_stay_when_something_is_lost() {
    let workspace = graded();
    workspace.file(
        "sum/data/secret/b/testdata.yaml",
        "grader_flags: sum accept_if_any_accepted\naccept_score: 35\nrange: 0 60\n",
    );
    // The difference is shown beside what is lost.
    let dry = workspace.grader(&["upgrade", "sum", "--dry-run"]);
    dry.status(2).shows("✗ range of secret/b").shows("+max_score: 30").says("--lossy");
    let run = workspace.grader(&["upgrade", "sum", "--lossy", "--force"]);
    run.status(0).shows("! upgraded sum to 2025-09").hides("✓");
    let group = |name: &str| workspace.read(format!("sum/data/secret/{name}/test_group.yaml"));
    assert_eq!(group("a"), "max_score: 30\nscore_aggregation: pass-fail\n");
    assert_eq!(group("b"), "max_score: 70\nscore_aggregation: sum\n");
    assert!(workspace.path("sum/submissions/accepted/sum.sh").is_file());
    workspace.grader(&["run", "sum"]).status(0).shows("PASS  3 as expected");
}

#[apply(cli_test)]
fn errors_after_an_upgrade_name_the_files_of_the_package() {
    let workspace = legacy();
    // Nobody reads this folder before the upgrade.
    workspace.file("sum/output_validator/notes.txt", "To do.\n");
    let run = workspace.grader(&["upgrade", "sum"]);
    run.status(2).says("sum: sum/output_validator: no output validator in it").says("so nothing was changed");
    assert!(!run.all().contains(".grader-"), "{}", run.all());
    std::fs::remove_dir_all(workspace.path("sum/output_validator")).unwrap();
    // Graders exist only in the legacy format, and these are not used there.
    workspace.file("sum/graders/sum.py", "print('AC 1')\n");
    workspace.grader(&["upgrade", "sum"]).status(0).shows("- graders/sum.py");
    assert!(!workspace.path("sum/graders").exists());
}

#[apply(cli_test)]
fn without_points_an_accepted_submission_stays_accepted() {
    let workspace = graded();
    workspace.file("sum/data/secret/3.in", "1 1\n").file("sum/data/secret/3.ans", "2\n");
    let run = workspace.grader(&["upgrade", "sum", "--lossy", "--force"]);
    run.status(0).shows("all points: there are cases directly in secret beside groups");
    assert!(workspace.path("sum/submissions/accepted/sum.sh").is_file());
    assert!(workspace.read("sum/problem.yaml").contains("type: pass-fail"));
    workspace.grader(&["run", "sum"]).status(0).shows("sum.sh");
}

#[apply(cli_test)]
fn an_upgrade_does_not_wait_for_a_named_pipe() {
    let workspace = legacy();
    let old = workspace.read("sum/problem.yaml");
    workspace.pipe("sum/pipe");
    let run = workspace.grader(&["upgrade", "sum", "--force"]);
    run.status(2).says("sum/pipe is neither a file nor a directory").says("remove it");
    assert_eq!(workspace.read("sum/problem.yaml"), old);
}

#[apply(cli_test)]
#[needs(&[Need::Mount])]
fn a_full_disk_changes_nothing() {
    let workspace = Workspace::bare();
    std::fs::create_dir(workspace.path("full")).unwrap();
    assert!(mount_tmpfs(&workspace.path("full"), "96k"));
    let yaml = "name: Sum\nlimits: {time_limit: 1}\n";
    workspace
        .file("full/sum/problem.yaml", yaml)
        .file("full/sum/data/secret/1.in", "4 4\n".to_owned() + &" ".repeat(50_000))
        .file("full/sum/data/secret/1.ans", "8\n")
        .file("full/sum/submissions/accepted/sum.sh", SUM);
    let run = workspace.grader(&["upgrade", "full/sum", "--force"]);
    let after = workspace.read("full/sum/problem.yaml");
    unmount(&workspace.path("full"));
    run.status(2).says("full/sum: ").says("nothing was changed").says("→ free some space");
    assert!(!run.all().contains("with -o"), "{}", run.all());
    assert_eq!(after, yaml);
}
