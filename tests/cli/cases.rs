//! `grader accept`, `grader remove` and `grader rename`: what becomes of cases that are there.

use macro_rules_attribute::apply;

use crate::cli::run::{Call, Run};
use crate::cli::workspace::Workspace;

fn answers(workspace: &Workspace) -> Vec<String> {
    ["01", "02", "03"].map(|name| workspace.read(format!("testcases/sum/secret/{name}.ans"))).to_vec()
}

/// `sum` whose reference now adds one to every large sum.
fn changed() -> Workspace {
    let workspace = Workspace::with_sum();
    workspace
        .problem("sum")
        .submission("accepted/sum.sh", "read a b\ns=$((a + b))\n[ $s -lt 4 ] || s=$((s + 1))\necho $s\n");
    workspace
}

#[apply(cli_test)]
fn accept_shows_what_would_change_and_prints_the_commands() {
    let workspace = changed();
    let run = workspace.grader(&["accept", "sum"]);
    run.status(1).shows("secret/01  another answer (1 of 2)").shows("expected `4`, got `5`").shows("2 unchanged");
    run.shows("grader accept sum secret/01 --yes\n").shows("grader accept sum secret/02 --yes\n");
    assert_eq!(answers(&workspace), ["4\n", "15\n", "0\n"]);
}

#[apply(cli_test)]
fn accept_rewrites_with_yes() {
    let workspace = changed();
    workspace.grader(&["accept", "sum", "--yes"]).status(0).shows("2 written, 2 unchanged").silent();
    assert_eq!(answers(&workspace), ["5\n", "16\n", "0\n"]);
    workspace.grader(&["accept", "sum"]).status(0).shows("0 written, 4 unchanged");
    workspace.run(&[]).status(0).silent();
}

#[apply(cli_test)]
fn accept_leaves_what_the_checker_takes_for_the_same() {
    let workspace = Workspace::with_sum();
    workspace.problem("sum").case("secret/01", "2 2\n", "  4\n");
    workspace.grader(&["accept", "sum", "--yes"]).status(0).shows("1 of them written differently");
    assert_eq!(answers(&workspace)[0], "  4\n");
}

#[apply(cli_test)]
fn accept_makes_missing_answers() {
    let workspace = Workspace::with_sum();
    std::fs::remove_file(workspace.path("testcases/sum/secret/02.ans")).unwrap();
    workspace.grader(&["accept", "sum"]).status(1).shows("no answer yet").silent();
    workspace.grader(&["accept", "sum", "-y"]).status(0).shows("1 written");
    assert_eq!(answers(&workspace)[1], "15\n");
    workspace.run(&[]).status(0).silent();

    let plain = Workspace::bare();
    plain.file("p/solve.sh", crate::cli::workspace::SUM).file("p/1.in", "1 1\n");
    Call::any(&plain.path("p"), &["accept", ".", "--yes"]).run().status(0);
    assert_eq!(plain.read("p/1.ans"), "2\n");
}

#[apply(cli_test)]
fn accept_of_some_tests() {
    let workspace = changed();
    workspace.grader(&["accept", "sum", "secret/02", "--yes"]).status(0).shows("1 written, 0 unchanged");
    assert_eq!(answers(&workspace), ["4\n", "16\n", "0\n"]);
    workspace.grader(&["accept", "sum", "secret/20"]).status(2).says("did you mean `secret/02`?");
}

#[apply(cli_test)]
fn accept_leaves_cases_that_the_reference_fails_on() {
    let workspace = changed();
    let crashes = "read a b\n[ $a = 10 ] && exit 3\necho 8\n";
    workspace.problem("sum").submission("accepted/sum.sh", crashes);
    let run = workspace.grader(&["accept", "sum", "--yes"]);
    run.status(1).says("secret/02: the reference accepted/sum.sh fails on it: RTE: exit code 3").shows("3 written");
    assert_eq!(answers(&workspace), ["8\n", "15\n", "8\n"]);
}

#[apply(cli_test)]
fn accept_needs_a_reference() {
    let workspace = Workspace::bare();
    workspace.file("one.sh", "echo 1\n").file("two.sh", "echo 1\n").file("1.in", "1\n");
    workspace.grader(&["accept", "."]).status(2).says("nothing says which solver of").says("--reference");
}

#[apply(cli_test)]
fn accept_refuses_interactive_problems() {
    let workspace = Workspace::with_sum();
    workspace.problem("sum").toml("type = \"interactive\"\n").file("output_validator/talk.sh", "exit 42\n");
    workspace.grader(&["accept", "sum"]).status(2).says("is of type interactive");
}

/// Runs a command on a terminal, with keys.
pub(crate) fn on_terminal(workspace: &Workspace, command: &str, keys: &str) -> Run {
    let binary = crate::under_test::grader().display();
    // Keys come one by one, as fingers do it, and only when somebody waits for them.
    let feed: Vec<String> = keys.chars().map(|key| format!("sleep 1.5; printf '%s' '{key}'; ")).collect();
    let feed = feed.concat();
    let script = format!("({feed} sleep 1) | script -qec '{binary} {command}' /dev/null");
    let mut call = Call::program(&workspace.path(""), "sh", &["-c", &script]);
    call = call.env("TERM", "xterm");
    call.run()
}

#[apply(cli_test)]
#[needs(&[crate::cli::need::Need::Tool("script")])]
fn accept_asks_with_one_key() {
    let workspace = changed();
    let run = on_terminal(&workspace, "accept sum --color never", "ra");
    run.status(1).shows("a accept, r reject, s skip, A accept all, q quit?").shows("1 written, 1 rejected");
    assert_eq!(answers(&workspace), ["4\n", "16\n", "0\n"]);
    let run = on_terminal(&workspace, "accept sum", "A");
    run.status(0);
    assert_eq!(answers(&workspace), ["5\n", "16\n", "0\n"]);
    let run = on_terminal(&workspace, "remove sum secret/01", "n");
    run.status(1).shows("remove secret/01? y/n");
    assert!(workspace.path("testcases/sum/secret/01.in").exists());
}

#[apply(cli_test)]
fn remove_takes_everything_of_a_case() {
    let workspace = Workspace::with_sum();
    for ending in ["yaml", "png", "in.statement", "notes"] {
        workspace.file(format!("testcases/sum/secret/02.{ending}"), "");
    }
    workspace.problem("sum").case("secret/020", "2 2 \n", "4\n");
    let run = workspace.grader(&["remove", "sum", "secret/02", "--yes"]);
    run.status(0).shows("removed secret/02").shows(".notes");
    let left: Vec<_> = std::fs::read_dir(workspace.path("testcases/sum/secret")).unwrap().flatten().collect();
    assert_eq!(left.len(), 6, "{left:?}");
    workspace.grader(&["remove", "sum", "secret/0[13]", "-y"]).status(0).shows("secret/01").shows("secret/03");
    assert!(workspace.path("testcases/sum/secret/020.in").exists());
}

#[apply(cli_test)]
fn remove_asks_first() {
    let workspace = Workspace::with_sum();
    let run = workspace.grader(&["remove", "sum", "03", "secret/01"]);
    run.status(1).says("nothing was removed").says("grader remove sum secret/03 secret/01 --yes");
    assert_eq!(answers(&workspace).len(), 3);
}

#[apply(cli_test)]
fn remove_of_unknown_tests_tells_all() {
    let workspace = Workspace::with_sum();
    workspace.problem("sum").case("secret/1", "6 6\n", "12\n");
    let run = workspace.grader(&["remove", "sum", "secret/04", "1", "x*", "secret/01", "--yes"]);
    run.status(2).says("no test is called `secret/04`; did you mean").says("several tests are called `1`");
    run.says("no test matches `x*`");
    assert_eq!(answers(&workspace).len(), 3);
}

#[apply(cli_test)]
fn remove_in_a_plain_folder_leaves_the_solver() {
    let workspace = Workspace::bare();
    workspace.file("p/a.sh", "cat\n").file("p/a.in", "1\n").file("p/a.out", "1\n").file("p/b.in", "1\n");
    Call::any(&workspace.path("p"), &["remove", ".", "a", "--yes"]).run().status(0);
    assert!(workspace.path("p/a.sh").exists() && !workspace.path("p/a.in").exists());
    assert!(!workspace.path("p/a.out").exists() && workspace.path("p/b.in").exists());
}

#[apply(cli_test)]
fn cases_are_changed_only_by_the_whole_name() {
    let workspace = Workspace::with_sum();
    for word in ["su", "s*"] {
        let run = workspace.grader(&["remove", word, "secret/01", "--yes"]);
        run.status(2).says(&format!("no problem is called `{word}`; did you mean `sum`?"));
    }
    workspace.grader(&["remove", "problems/sum/", "secret/01", "--yes"]).status(0);
}

#[apply(cli_test)]
fn remove_mends_a_problem_that_cannot_be_run() {
    let workspace = Workspace::with_sum();
    workspace.problem("sum").case("secret/07", "1 6\n", "7\n");
    workspace.file("testcases/sum/secret/07.files/data", "x\n").file("testcases/sum/secret/left.ans", "1\n");
    workspace.run(&[]).status(2).says("answer without an input left.in");
    let run = workspace.grader(&["remove", "sum", "secret/07", "secret/left", "--yes"]);
    run.status(0).shows("removed secret/07  .ans .files .in").shows("removed secret/left  .ans");
    assert!(!workspace.path("testcases/sum/secret/07.files").exists());
    assert!(!workspace.path("testcases/sum/secret/left.ans").exists());
    workspace.run(&[]).status(0).silent();
}

#[apply(cli_test)]
fn rename_keeps_everything_together() {
    let workspace = Workspace::with_sum();
    workspace
        .file("testcases/sum/secret/02.yaml", "description: x\n")
        .file("testcases/sum/secret/02.ans.statement", "");
    let run = workspace.grader(&["rename", "sum", "02", "07-large"]);
    run.status(0).shows("renamed secret/02 to secret/07-large  .ans .ans.statement .in .yaml").silent();
    assert_eq!(workspace.read("testcases/sum/secret/07-large.in"), "10 5\n");
    assert!(workspace.path("testcases/sum/secret/07-large.ans.statement").exists());
    workspace.run(&[]).status(0).silent();
}

#[apply(cli_test)]
fn rename_into_another_group() {
    let workspace = Workspace::with_sum();
    workspace.grader(&["rename", "sum", "secret/02", "sample/2"]).status(0);
    assert_eq!(workspace.read("testcases/sum/sample/2.ans"), "15\n");
    let run = workspace.grader(&["rename", "sum", "secret/03", "smaple/3"]);
    run.status(2).says("no group is called `smaple`; did you mean `sample`?");
}

#[apply(cli_test)]
fn rename_never_overwrites() {
    let workspace = Workspace::with_sum();
    let run = workspace.grader(&["rename", "sum", "secret/02", "03"]);
    run.status(2).says("exists already; grader overwrites nothing");
    workspace.file("testcases/sum/secret/09.yaml", "");
    workspace.grader(&["rename", "sum", "secret/02", "09"]).status(2).says("09.yaml");
    assert_eq!(answers(&workspace), ["4\n", "15\n", "0\n"]);
}

#[apply(cli_test)]
fn rename_of_bad_names() {
    let workspace = Workspace::with_sum();
    for name in ["secret/../x", "a b", "x.in", "secret/"] {
        workspace.grader(&["rename", "sum", "secret/02", name]).status(2);
    }
    workspace.grader(&["rename", "sum", "secret/02", "sample/"]).status(2).says("write sample/02");
    workspace.grader(&["rename", "sum", "secret/20", "x"]).status(2).says("did you mean `secret/02`?");
    assert_eq!(answers(&workspace), ["4\n", "15\n", "0\n"]);
}

#[apply(cli_test)]
fn rename_and_remove_know_what_is_generated() {
    let workspace = Workspace::with_sum();
    // The names of other groups, of files and of list entries are not those of the case.
    let yaml = "data:\n  sample:\n    data:\n      '1': {in: 1 2}\n  secret:\n    data:\n      - small: gen.sh 01 03\n";
    workspace
        .problem("sum")
        .file("generators/generators.yaml", yaml)
        .file("generators/gen.sh", "echo $1 $2\n")
        .case("secret/1", "8 8\n", "16\n");
    workspace.grader(&["gen", "sum"]).status(0).shows("new      secret/1-small");
    for (old, new) in [("secret/1", "5"), ("secret/01", "6")] {
        workspace.grader(&["rename", "sum", old, new]).status(0).silent();
    }
    workspace.grader(&["remove", "sum", "secret/03", "--yes"]).status(0).silent();
    let run = workspace.grader(&["rename", "sum", "secret/1-small", "7"]);
    run.status(0).says("line 7: it lists secret/1-small, so `grader gen` makes that case again").says("there too");
    workspace.grader(&["remove", "sum", "sample/1", "--yes"]).status(0).says("line 4: it lists sample/1");
}
