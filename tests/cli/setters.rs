//! The days of setters: problems whose cases do not exist yet or do not fit, and selections of several problems.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;

use macro_rules_attribute::apply;

use crate::cli::need::Need;
use crate::cli::run::Call;
use crate::cli::workspace::{SUM, Workspace};

const GROUPS: &str = "data:\n  sample: {data: {'1': {in: 1 2}}}\n  secret:\n    data:\n      small:\n        \
                      test_group.yaml: {max_score: 40}\n        data: {a: two.sh 1 1, b: two.sh 1 2}\n      whole:\n        \
                      test_group.yaml: {max_score: 60, require_pass: [sample]}\n        include: [small]\n        \
                      data: {c: two.sh 9 9}\n";

/// A problem with points, whose cases only generators.yaml lists: native, or a package at `dir`.
fn scoring(dir: &str) -> Workspace {
    let workspace = Workspace::new();
    let at = |name: &str| format!("{dir}/{name}");
    let description = if dir.starts_with("problems") { "problem.toml" } else { "problem.yaml" };
    let text = match description {
        "problem.toml" => "type = 'scoring'\n",
        _ => "problem_format_version: 2025-09\nname: Sum\nuuid: x\ntype: scoring\nlimits: {time_limit: 1}\n",
    };
    workspace.file(at(description), text).file(at("submissions/accepted/sum.sh"), SUM);
    workspace.file(at("generators/two.sh"), "echo $1 $2\n").file(at("generators/generators.yaml"), GROUPS);
    workspace
}

#[apply(cli_test)]
fn a_scoring_problem_gets_its_first_cases_from_gen() {
    for (dir, data) in [("problems/sum", "testcases/sum"), ("there/sum", "there/sum/data")] {
        let workspace = scoring(dir);
        let told = workspace.run(&[dir]);
        told.status(2).says("generate them: grader gen sum").hides("scoring problem");
        workspace.grader(&["gen", dir]).status(0).silent().shows("✓ sum: ");
        assert_eq!(workspace.read(format!("{data}/secret/whole/c.ans")), "18\n");
        workspace.run(&[dir]).status(0).shows("100");
    }
}

#[apply(cli_test)]
fn a_clone_with_the_files_of_groups_alone_is_generated() {
    let workspace = scoring("problems/sum");
    workspace.file("testcases/sum/secret/small/test_group.yaml", "max_score: 40\n");
    workspace.file("testcases/sum/sample/1.in", "1 2\n").file("testcases/sum/sample/1.ans", "3\n");
    workspace
        .run(&["sum"])
        .status(2)
        .says("scoring problem without secret cases")
        .says("generate them: grader gen sum");
    workspace.file("testcases/sum/secret/whole/1.in", "1 2\n").file("testcases/sum/secret/whole/1.ans", "3\n");
    workspace
        .run(&["sum"])
        .status(2)
        .says("group secret/small has no test cases")
        .says("generate them: grader gen sum");
    workspace.grader(&["gen", "sum"]).status(0).silent();
    workspace.run(&["sum"]).status(0);
}

#[apply(cli_test)]
fn cases_that_do_not_fit_their_groups_are_moved_and_removed() {
    let workspace = Workspace::with_sum();
    workspace.problem("sum").toml("type = 'scoring'\n").file("generators/two.sh", "echo $1 $2\n");
    workspace.problem("sum").file("generators/generators.yaml", "data: {secret: {data: {old: two.sh 7 7}}}\n");
    workspace.grader(&["gen", "sum"]).status(0);
    workspace.file("testcases/sum/secret/small/test_group.toml", "max_score = 40\n");
    workspace.file("testcases/sum/secret/large/test_group.toml", "max_score = 70\n");
    workspace.run(&["sum"]).status(2).says("cases directly in secret/ beside groups").says("110 points");
    // The group is only a directory until the first case is in it.
    workspace.grader(&["rename", "sum", "secret/01", "secret/small/01"]).status(0).silent();
    workspace.grader(&["rename", "sum", "secret/02", "secret/lrage/02"]).status(2).says("no group is called");
    workspace.grader(&["rename", "sum", "secret/02", "../sum/secret/02"]).status(2).says("no group is called");
    workspace.grader(&["rename", "sum", "secret/02", "secret/large/02"]).status(0).silent();
    workspace.grader(&["remove", "sum", "secret/03", "--yes"]).status(0).silent();
    workspace
        .problem("sum")
        .file("generators/generators.yaml", "data: {secret: {data: {small: {data: {a: two.sh 1 1}}}}}\n");
    let cleaned = workspace.grader(&["gen", "sum", "--clean", "--yes"]);
    cleaned.status(0).shows("removed  secret/old.in").shows("new      secret/small/a");
    workspace.file("testcases/sum/secret/large/test_group.toml", "max_score = 60\n");
    workspace.run(&["sum"]).status(0);
}

#[apply(cli_test)]
fn a_package_case_without_an_answer_is_removed() {
    let workspace = Workspace::bare();
    workspace.file("p/problem.yaml", "problem_format_version: 2025-09\nname: P\nuuid: x\nlimits: {time_limit: 1}\n");
    workspace.file("p/submissions/accepted/sum.sh", SUM).file("p/data/secret/2.in", "1 1\n");
    workspace.file("p/data/secret/1.in", "1 1\n").file("p/data/secret/1.ans", "2\n");
    workspace.run(&["p"]).status(2).says("no answer file 2.ans");
    workspace.grader(&["remove", "p", "secret/2", "--yes"]).status(0);
    workspace.run(&["p"]).status(0);
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn the_cases_of_new_are_generated_ones() {
    let workspace = Workspace::new();
    workspace.grader(&["new", "sums", "--lang", "python"]).status(0);
    workspace.problem("sums").file("generators/generators.yaml", "data: {secret: {data: {only: {in: '5'}}}}\n");
    let told = workspace.grader(&["gen", "sums", "--check"]);
    told.status(1).shows("6 files are not listed any more (--clean removes)").hides("by hand");
    workspace.grader(&["gen", "sums", "--clean", "--yes"]).status(0).shows("6 files removed");
    assert!(!workspace.path("testcases/sums/secret/01.in").exists());
}

#[apply(cli_test)]
fn included_cases_are_no_surprise() {
    let workspace = scoring("problems/sum");
    workspace.grader(&["gen", "sum"]).status(0).silent();
    let twice = GROUPS.replace("c: two.sh 9 9", "c: two.sh 1 1");
    workspace.problem("sum").file("generators/generators.yaml", &twice);
    let told = workspace.grader(&["gen", "sum", "--force"]);
    told.status(0).says("secret/whole/c has the same input as secret/small/a").hides("secret/whole/a has");
}

#[apply(cli_test)]
fn gen_takes_selections() {
    let workspace = Workspace::new();
    for name in ["sum", "sum-two", "max"] {
        workspace.problem(name).submission("accepted/sum.sh", SUM).file("generators/two.sh", "echo $1 $2\n");
        workspace
            .problem(name)
            .file("generators/generators.yaml", "data: {secret: {data: {a: two.sh 1 2, b: two.sh 3 4}}}\n");
    }
    workspace.sum("plain");
    let check = |words: &[&str], counts: &[&str]| {
        let run = workspace.grader(&[&["gen", "--check"], words].concat());
        let shown: Vec<&str> = run.stdout.lines().filter(|line| line.ends_with("missing")).collect();
        assert_eq!(shown, counts, "{words:?}: {}{}", run.stdout, run.stderr);
    };
    let all = ["✗ max: 2 missing", "✗ sum: 2 missing", "✗ sum-two: 2 missing"];
    check(&[], &all);
    check(&["*"], &all);
    check(&["sum", "sum-two"], &all[1..]);
    check(&["sum*"], &all[1..]);
    check(&["su"], &all[1..]);
    check(&["problems/max"], &all[..1]);
    check(&["sum", "max", "-t", "a"], &["✗ sum: 1 missing", "✗ max: 1 missing"]);
    check(&["sum/secret/a", "max/secret"], &["✗ sum: 1 missing", "✗ max: 2 missing"]);
    // The older form: a problem and its tests, which are no problems.
    check(&["sum", "a"], &["✗ sum: 1 missing"]);
    check(&["sum", "secret/a", "b"], &["✗ sum: 2 missing"]);
    workspace.grader(&["gen", "sum", "-t", "c"]).status(2).says("no test matches `c`");
    workspace.grader(&["gen", "smu", "max"]).status(2).says("did you mean `sum`?");
    workspace.grader(&["gen", "plain"]).status(2).says("plain has no generators/generators.yaml");
    workspace.grader(&["gen", "sum", "--clean", "-t", "a"]).status(2).says("--clean");
    // A mistake of one problem keeps no other from its turn.
    workspace.problem("max").file("generators/generators.yaml", "data: {secret: {data: {a: no.sh 1}}}\n");
    let told = workspace.grader(&["gen"]);
    told.status(2).says("no.sh").shows("✓ sum: 2 new").shows("✓ sum-two: 2 new");
    let check = workspace.grader(&["gen", "--check", "sum", "sum-two"]);
    check.status(0).shows("✓ sum: 2 unchanged");
}

#[apply(cli_test)]
fn stress_takes_selections() {
    let workspace = Workspace::new();
    for name in ["sum", "add"] {
        workspace.sum(name).submission("wrong_answer/one.sh", "echo 1\n").file("generators/two.sh", "echo $1 $2\n");
    }
    let stress = |words: &[&str]| {
        let options = ["--gen", "two.sh 2 {seed}", "--count", "1", "--seed", "1", "--no-shrink"];
        workspace.grader(&[&["stress"], words, &options].concat())
    };
    stress(&["sum", "-s", "one.sh"]).status(1).shows("sum · wrong_answer/one.sh").hides("add · ");
    let both = stress(&["sum", "add", "-s", "one.sh"]);
    both.status(1).shows("sum · wrong_answer/one.sh").shows("add · wrong_answer/one.sh");
    both.shows("again    grader stress add wrong_answer/one.sh");
    stress(&["*", "--wrong"]).status(0).shows("add · 1 wrong").shows("sum · 1 wrong");
    stress(&["problems/sum/submissions/wrong_answer/one.sh"]).status(1).shows("sum · wrong_answer/one.sh");
    stress(&["sum", "one.sh"]).status(1).shows("sum · wrong_answer/one.sh");
    stress(&["sum"]).status(2).says("2 submissions of sum are selected").says("-s NAME");
    stress(&["sum", "one.sh", "--wrong"]).status(2).says("cannot be used with");
}

#[apply(cli_test)]
fn time_limit_takes_selections() {
    let workspace = Workspace::new();
    for name in ["sum", "add"] {
        workspace
            .sum(name)
            .submission("accepted/other.sh", SUM)
            .toml("reference = 'accepted/sum.sh'\n[limits]\ntime_limit = 1\n");
    }
    let limit = |words: &[&str]| workspace.grader(&[&["time-limit", "--up-to", "2s"], words].concat());
    limit(&["sum", "-s", "other.sh"]).status(0).shows("sum  limit 1 s, 1 submission up to").hides("add ");
    limit(&["a*", "sum"]).status(0).shows("add  limit").shows("sum  limit");
    limit(&["-s", "other.sh", "-t", "sample"]).status(0).shows("add  limit").shows("sum  limit").shows("sample/1");
    limit(&["sum/secret/03"]).status(0).shows("secret/03").hides("add ");
    limit(&["problems/add/submissions/accepted/other.sh"])
        .status(0)
        .shows("add  limit 1 s, 1 submission")
        .hides("sum  ");
    limit(&["sum", "-t", "secret/9"]).status(2).says("no test matches `secret/9`");
    limit(&["sum", "-s", "other.sh", "--write"]).status(2).says("--write needs every submission");
    limit(&["sum/sample/1", "--write"]).status(2).says("--write needs every submission");
    // One that cannot be measured keeps no other from its turn.
    workspace.problem("add").toml("reference = 'accepted/sum.sh'\n[limits]\ntime_limit = 9\n");
    limit(&["add", "sum"]).status(2).says("--up-to 2 s is too short").shows("sum  limit");
}

#[apply(cli_test)]
fn a_name_that_is_not_utf8_costs_one_file() {
    let workspace = Workspace::with_sum();
    let name = OsStr::from_bytes(b"testcases/sum/secret/b\xffd.in");
    workspace.file(std::path::Path::new(name), "1 1\n");
    workspace.run(&["sum"]).status(0).says("warning: sum: ").says("the name is not UTF-8; ignored").shows("4 tests");
    workspace.run(&["sum", "--strict"]).status(1);
}

#[apply(cli_test)]
fn no_jobs_are_refused() {
    let workspace = Workspace::with_sum();
    for zero in ["0", "-1", "many"] {
        let told = workspace.run(&["sum", &format!("-j{zero}")]);
        told.status(2).says("write a number that is at least 1, or `auto`");
    }
    workspace.run(&["sum", "-j1"]).status(0);
    let told = Call::any(&workspace.path(""), &["list"]).env("GRADER_JOBS", "0").run();
    told.status(2).says("GRADER_JOBS");
}

#[apply(cli_test)]
fn list_shows_the_points_of_groups() {
    let workspace = scoring("problems/sum");
    workspace.grader(&["gen", "sum"]).status(0);
    let told = workspace.grader(&["list", "-v"]);
    told.status(0).shows("secret/small  2 cases · 40 points\n").shows("sample        1 case\n");
    let json = workspace.grader(&["list", "--format", "json"]).stdout;
    let listed: serde_json::Value = serde_json::from_str(&json).unwrap();
    let groups = listed[0]["groups"].as_array().unwrap();
    let points = |group: &serde_json::Value| group["points"]["max_score"].as_f64();
    assert_eq!(groups.iter().map(points).collect::<Vec<_>>(), [None, Some(40.0), Some(60.0)]);
}
