//! The user's own command (`-c`): it runs where the user is, with what the user has.

use macro_rules_attribute::apply;

use crate::cli::run::Call;
use crate::cli::watch::Watch;
use crate::cli::workspace::Workspace;

const CAVEAT: &str = "without isolation: your own command (--isolation puts it in the sandbox)";

/// A folder with a test that wants the sum of its numbers.
fn sums(names: &[&str]) -> Workspace {
    let workspace = Workspace::bare();
    for name in names {
        workspace.file(format!("tests/{name}.in"), "1\n2\n").file(format!("tests/{name}.ans"), "3\n");
    }
    workspace
}

#[apply(cli_test)]
fn a_command_has_the_directory_and_the_variables_of_its_user() {
    let workspace = sums(&["1", "2"]);
    workspace.file("table/two", "2\n").file("home/one", "1\n");
    let command =
        "test \"$MINE\" = yes && cat \"$HOME/one\" table/two | paste -sd+ | sed 's/^/echo $((/; s/$/))/' | sh";
    let call = Call::new(&workspace.path(""), &["-c", command]);
    let run = call.env("MINE", "yes").env("HOME", workspace.path("home")).run();
    run.status(0).ends("command", "AC", "met").shows(CAVEAT).shows("isolation: none");
    let mut left: Vec<_> = std::fs::read_dir(workspace.path("")).unwrap().map(|e| e.unwrap().file_name()).collect();
    left.sort();
    // The store holds the record, as after any run.
    assert_eq!(left, [".grader", "home", "table", "tests"]);
    // Where the problem is does not matter.
    let run = Call::new(&workspace.path("table"), &["..", "-c", "echo $((1 + $(cat two)))"]).run();
    run.status(0).ends("command", "AC", "met");
}

#[apply(cli_test)]
fn runs_of_a_command_do_not_overlap() {
    let workspace = sums(&["1", "2", "3", "4"]);
    let command = "mkdir busy || exit 1; sleep 0.1; rmdir busy; echo 3";
    workspace.run(&["-c", command]).status(0).ends("command", "AC", "met").shows("1 slot");
    workspace.run(&["-c", "echo 3", "-j", "2"]).status(0).shows("2 slots");
}

#[apply(cli_test)]
fn a_named_layer_puts_a_command_into_a_box() {
    let workspace = sums(&["1"]);
    workspace.file("secret", "3\n");
    let run = workspace.run(&["-c", "cat secret", "--isolation", "weak"]);
    run.status(1).ends("command", "RTE", "missed").shows("isolation: weak").hides(CAVEAT);
    let run = workspace.run(&["-c", "paste -sd+ | sed 's/.*/echo $((&))/' | sh", "--isolation", "weak"]);
    run.status(0).ends("command", "AC", "met");
    workspace.run(&["-c", "cat secret", "--isolation", "none"]).status(0).shows(CAVEAT);
    workspace.file("grader.toml", "isolation = \"weak\"\n");
    workspace.run(&["-c", "cat secret"]).status(1).shows("isolation: weak");
}

#[apply(cli_test)]
fn a_command_solves_one_part_of_a_day() {
    let workspace = Workspace::bare();
    workspace.file("day01/part1.py", "print(3)\n").file("day01/part2.py", "print(8)\n");
    workspace.file("day01/input.txt", "1\n2\n").file("day01/answer1.txt", "3\n").file("day01/answer2.txt", "8\n");
    let run = workspace.run(&["day01", "-c", "echo 3"]);
    run.status(2).says("2 problems are selected: day01/part1, day01/part2").says("→ name the problem");
    workspace.run(&["day01/part1", "-c", "echo 3"]).status(0).ends("command", "AC", "met").hides("part2");
    workspace.run(&["day01/part2", "-c", "echo 3"]).status(1).ends("command", "WA", "missed");
}

#[apply(cli_test)]
fn watch_runs_a_command_after_each_save() {
    let workspace = sums(&["1"]);
    workspace.file("number", "3\n");
    // What the command writes does not start it again.
    let mut watch = Watch::start(&workspace, &["-c", "date > log; cat number"]);
    let shown = watch.save("number", "4\n");
    assert!(shown.contains("saved number: 1 submission") && shown.contains("AC → WA"), "{shown}");
    let shown = watch.save("number", "3\n");
    assert!(shown.contains("saved number: 1 submission") && shown.contains("WA → AC"), "{shown}");
    assert_eq!(watch.end(), 130);
}
