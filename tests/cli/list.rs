//! What only looks: `list`, `config`, `cache`, `completions`.

use macro_rules_attribute::apply;
use serde_json::Value;

use crate::cli::run::Run;
use crate::cli::workspace::Workspace;

fn two() -> Workspace {
    let workspace = Workspace::with_sum();
    workspace
        .problem("sum")
        .toml("name = \"Two numbers\"\nreference = \"sum.sh\"\nlimits.time_limit = 1.5\n")
        .submission("wrong_answer/three.py", "print(3)\n");
    workspace.sum("other");
    workspace
}

fn json(run: &Run) -> Value {
    serde_json::from_str(&run.stdout).unwrap()
}

#[apply(cli_test)]
fn problems_in_a_line_each() {
    let run = two().grader(&["list"]);
    run.status(0).silent().shows("sum    1.5 s · 1024 MiB · 4 cases · 2 submissions  Two numbers\n");
    run.shows("other  2 s · 1024 MiB · 4 cases · 1 submission");
    assert_eq!(run.stdout.lines().count(), 2);
}

#[apply(cli_test)]
fn more_with_each_v() {
    let workspace = two();
    let run = workspace.grader(&["list", "-v", "sum"]);
    run.shows("  sample  1 case\n  secret  3 cases\n").hides("    02");
    run.shows("  accepted/sum.sh        shell       expected AC  reference\n");
    run.shows("  wrong_answer/three.py  python3     expected WA\n");
    workspace.grader(&["list", "-vv", "sum"]).shows("  secret  3 cases\n    01\n    02\n    03\n");
}

#[apply(cli_test)]
fn a_selection_narrows_it() {
    let workspace = two();
    workspace.grader(&["list", "sum/secret"]).status(0).shows("3 cases · 2 submissions").hides("other");
    workspace.grader(&["list", "-s", "three.py"]).status(0).shows("1 submission").hides("other");
    workspace.grader(&["list", "smu"]).status(2).says("did you mean `sum`?");
}

#[apply(cli_test)]
fn json_has_everything() {
    let workspace = two();
    let listed = json(workspace.grader(&["list", "--format", "json"]).status(0));
    let sum = listed.as_array().unwrap().iter().find(|problem| problem["problem"] == "sum").unwrap();
    assert_eq!(sum["title"], "Two numbers");
    assert_eq!(sum["limits"]["time_limit"], 1.5);
    assert_eq!(sum["limits"]["memory"], 1_u64 << 30);
    assert_eq!(sum["groups"][1]["cases"][2]["case"], "03");
    let input = workspace.path("testcases/sum/secret/03.in");
    assert_eq!(sum["groups"][1]["cases"][2]["input"], input.to_str().unwrap());
    assert_eq!(sum["submissions"][0]["language"], "shell");
    assert_eq!(sum["submissions"][0]["reference"], true);
    assert_eq!(sum["submissions"][1]["expected"], "WA");
}

#[apply(cli_test)]
fn a_broken_problem_is_told_and_the_others_listed() {
    let workspace = two();
    workspace.file("problems/sum/problem.toml", "limits.time_limit = \"soon\"\n");
    workspace.grader(&["list"]).status(2).shows("other").says("problem.toml");
}

#[apply(cli_test)]
fn nothing_to_list_is_an_error() {
    Workspace::bare().grader(&["list"]).status(2).says("contains no problem");
}

#[apply(cli_test)]
fn a_setting_says_where_it_comes_from() {
    let workspace = Workspace::new();
    workspace.file("grader.toml", "jobs = 3\n\n[limits]\nmemory = 99\n");
    let run = crate::cli::run::Call::any(&workspace.path(""), &["config"]).env("GRADER_CONTEXT", "7").run();
    run.status(0).silent();
    let origin = |key: &str| {
        let line = run.stdout.lines().find(|line| line.starts_with(&format!("{key} = "))).unwrap();
        line.split_once('=')
            .unwrap()
            .1
            .split_once('#')
            .map(|(v, o)| (v.trim().to_owned(), o.trim().to_owned()))
            .unwrap()
    };
    assert_eq!(origin("jobs"), ("3".to_owned(), format!("{}:1", workspace.path("grader.toml").display())));
    assert_eq!(origin("limits.memory").1, format!("{}:4", workspace.path("grader.toml").display()));
    assert_eq!(origin("context"), ("7".to_owned(), "GRADER_CONTEXT".to_owned()));
    assert_eq!(origin("strict"), ("false".to_owned(), "default".to_owned()));
    let listed = json(&workspace.grader(&["config", "memory", "--format", "json"]));
    assert_eq!(listed.as_array().unwrap().len(), 3);
    assert_eq!(listed[0]["key"], "limits.memory");
    assert_eq!((&listed[0]["value"], &listed[0]["origin"]["line"]), (&Value::from(99), &Value::from(4)));
}

#[apply(cli_test)]
fn settings_are_toml() {
    let workspace = Workspace::new();
    let shown = workspace.grader(&["config", "-v"]).stdout;
    workspace.file("grader.toml", shown);
    workspace.grader(&["config"]).status(0).silent();
}

#[apply(cli_test)]
fn an_unknown_setting_suggests() {
    Workspace::new()
        .grader(&["config", "limit"])
        .status(2)
        .says("no setting is called `limit`; did you mean `limits`?");
}

#[apply(cli_test)]
fn the_cache_is_measured_and_cleared() {
    let workspace = Workspace::with_sum();
    workspace.run(&[]).status(0);
    let size = json(workspace.grader(&["cache", "size", "--format", "json"]).status(0));
    assert!(size["outcomes"].as_u64().unwrap() > 0 && size["runs"].as_u64().unwrap() > 0, "{size}");
    workspace.grader(&["cache"]).status(0).shows("outcomes").shows("grader keeps them below 2048 MiB");
    workspace.grader(&["cache", "clear"]).status(0).shows("freed").hides(": 0 B freed");
    let cleared = json(workspace.grader(&["cache", "size", "--format", "json"]).status(0));
    assert_eq!((&cleared["outcomes"], &cleared["runs"]), (&Value::from(0), &size["runs"]));
    assert_eq!(workspace.run(&[]).status(0).measured_and_cached(), (4, 0));
}

#[apply(cli_test)]
fn looking_at_the_cache_makes_none() {
    let workspace = Workspace::with_sum();
    workspace.grader(&["cache"]).status(0).shows("grader has saved nothing yet");
    workspace.grader(&["cache", "clear"]).status(0);
    assert!(!workspace.path(".grader").exists());
}

#[apply(cli_test)]
fn a_cache_in_use_is_not_cleared() {
    let workspace = Workspace::with_sum();
    workspace.run(&[]).status(0);
    let lock = std::fs::File::open(workspace.path(".grader/cache/lock")).unwrap();
    rustix::fs::flock(&lock, rustix::fs::FlockOperation::LockShared).unwrap();
    let run = workspace.grader(&["cache", "clear"]);
    run.status(2).says("another grader is using it; wait until it ends");
    drop(lock);
    assert_eq!(workspace.run(&[]).status(0).measured_and_cached(), (0, 4));
}

#[apply(cli_test)]
fn completions_ask_the_grader() {
    let workspace = Workspace::bare();
    for shell in ["bash", "zsh", "fish"] {
        // The script asks grader itself, which knows commands, options and names (`options`).
        workspace.grader(&["completions", shell]).status(0).silent().shows("_GRADER_COMPLETE");
    }
    workspace.grader(&["completions", "cmd"]).status(2).says("bash");
}
