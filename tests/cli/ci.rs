//! `grader ci`: the files for CI platforms are valid, and every command of grader in them works.

use std::os::unix::fs::PermissionsExt as _;

use macro_rules_attribute::apply;
use yaml_serde::Value;

use crate::cli::need::Need;
use crate::cli::run::Call;
use crate::cli::workspace::Workspace;

/// The platforms, and where each expects its file.
const PLATFORMS: [(&str, &str); 3] = [
    ("github", ".github/workflows/grader.yml"),
    ("gitlab", ".gitlab-ci.yml"),
    ("forgejo", ".forgejo/workflows/grader.yml"),
];

/// A problem in Python.
fn workspace() -> Workspace {
    let workspace = Workspace::new();
    workspace.grader(&["new", "sums", "--lang", "python"]).status(0);
    workspace
}

/// The commands of a file, in order.
fn commands(value: &Value) -> Vec<String> {
    match value {
        Value::Mapping(keys) => keys
            .iter()
            .flat_map(|(key, value)| match (key.as_str(), value) {
                (Some("run"), Value::String(command)) => vec![command.clone()],
                (Some("script" | "before_script"), Value::Sequence(all)) => {
                    all.iter().filter_map(|command| command.as_str().map(str::to_owned)).collect()
                }
                (_, value) => commands(value),
            })
            .collect(),
        Value::Sequence(all) => all.iter().flat_map(commands).collect(),
        _ => Vec::new(),
    }
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn every_command_of_grader_in_the_files_works() {
    for (platform, path) in PLATFORMS {
        let workspace = workspace();
        workspace.grader(&["ci", platform]).status(0).silent().shows(path).shows("Python 3");
        let file: Value = yaml_serde::from_str(&workspace.read(path)).unwrap();
        let commands = commands(&file);
        let own: Vec<&str> = commands.iter().filter_map(|command| command.strip_prefix("grader ")).collect();
        assert!(own.len() >= 2, "{platform}: {commands:?}");
        for words in own {
            workspace.grader(&words.split(' ').collect::<Vec<_>>()).status(0);
        }
        assert!(
            commands.iter().any(|command| command.contains("apt-get install") && command.ends_with(" pipx python3")),
            "{commands:?}"
        );
        let version = format!("pipx install batch-grader=={}", env!("CARGO_PKG_VERSION"));
        assert!(commands.contains(&version), "{commands:?}");
    }
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn nothing_is_overwritten() {
    for (platform, path) in PLATFORMS {
        let workspace = workspace();
        workspace.file(path, "mine: true\n");
        let refused = workspace.grader(&["ci", platform]);
        refused.status(2).says("exists already").says("--stdout");
        assert_eq!(workspace.read(path), "mine: true\n");
        workspace.grader(&["ci", platform, "--stdout"]).status(0).silent().shows("grader run");
        assert_eq!(workspace.read(path), "mine: true\n");
    }
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn the_file_lies_at_the_top_of_the_repository_and_runs_below() {
    let workspace = Workspace::bare();
    workspace.file(".git/HEAD", "ref: refs/heads/main\n");
    let folder = "it's: a # \"set\"";
    workspace.file(format!("{folder}/grader.toml"), "problems = [\"problems\"]\n");
    for (file, text) in [("sum.py", "print(1)\n"), ("1.in", "\n"), ("1.ans", "1\n")] {
        workspace.file(format!("{folder}/problems/sum/{file}"), text);
    }
    let install = "echo 'a: b' && echo \"${{ x }}\"\necho 2";
    for (platform, path) in PLATFORMS {
        Call::any(&workspace.path(folder), &["ci", platform, "--install", install]).run().status(0);
        let text = workspace.read(path);
        let file: Value = yaml_serde::from_str(&text).unwrap();
        let commands = commands(&file);
        assert!(commands.contains(&install.to_owned()), "{text}");
        if platform == "gitlab" {
            let words = commands.iter().filter_map(|command| shlex::split(command));
            assert!(words.into_iter().any(|words| words == ["cd", folder]), "{text}");
        } else {
            let directory = &file["jobs"]["grade"]["defaults"]["run"]["working-directory"];
            assert_eq!(directory.as_str(), Some(folder), "{text}");
        }
    }
}

#[apply(cli_test)]
fn without_a_problem_nothing_is_written() {
    let workspace = Workspace::bare();
    workspace.grader(&["ci", "github"]).status(2).says("no problem");
    assert!(!workspace.path(".github").exists());
}

/// Unpacks the autograder of `sums`, and judges a program with it as Gradescope does.
fn judged_by_gradescope(workspace: &Workspace, archive: &str, program: &str) -> serde_json::Value {
    let place = workspace.path("autograder");
    let source = place.join("source");
    for folder in ["source", "submission", "results"] {
        std::fs::create_dir_all(place.join(folder)).unwrap();
    }
    let file = std::fs::File::open(workspace.path(archive)).unwrap();
    zip::ZipArchive::new(file).unwrap().extract(&source).unwrap();
    std::fs::write(place.join("submission/mine.py"), program).unwrap();
    let path = [source.as_os_str(), &std::env::var_os("PATH").unwrap()].join(std::ffi::OsStr::new(":"));
    let script = Call::program(&source, source.join("run_autograder"), &[]);
    script.env("AUTOGRADER", &place).env("PATH", path).run().status(0);
    serde_json::from_str(&workspace.read("autograder/results/results.json")).unwrap()
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn the_autograder_of_gradescope_has_all_that_it_needs() {
    let workspace = workspace();
    workspace.file("problems/sums/submissions/.hidden.py", "print(0)\n");
    workspace.file("grader.toml", "problems = [\"problems\", \"drafts\"]\n").file("drafts/.keep", "");
    workspace.grader(&["ci", "gradescope", "sums"]).status(0).silent().shows("sums-autograder.zip");
    let right = workspace.read("problems/sums/submissions/accepted/reference.py");
    let judged = judged_by_gradescope(&workspace, "sums-autograder.zip", &right);
    assert_eq!(judged["score"], 1.0, "{judged}");
    let setup = workspace.read("autograder/source/setup.sh");
    assert!(setup.contains(" python3\n") && setup.contains("install -m 755 "), "{setup}");
    assert!(!workspace.path("autograder/source/problems/sums/submissions/.hidden.py").exists());
    let wrong = judged_by_gradescope(&workspace, "sums-autograder.zip", "print(0)\n");
    assert_eq!(wrong["score"], 0.0, "{wrong}");
    workspace.grader(&["ci", "gradescope", "sums", "--out", "problems"]).status(2).says("is a folder");
    workspace.grader(&["ci", "gradescope", "sums", "--out", "absent/a.zip"]).status(2).says("there is no folder");
    // Only the problem is in it.
    workspace.grader(&["new", "others", "--lang", "python"]).status(0);
    workspace.grader(&["ci", "gradescope", "sums", "--out", "again.zip"]).status(0);
    let file = std::fs::File::open(workspace.path("again.zip")).unwrap();
    let again = zip::ZipArchive::new(file).unwrap();
    assert!(again.file_names().all(|name| !name.unwrap().contains("others")));
}

/// A validator that its own script starts needs the right to be executed.
#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn the_autograder_keeps_scripts_executable() {
    let workspace = workspace();
    workspace.file("problems/sums/output_validator/run", "#!/bin/sh\ngrep -q 7 && exit 42\nexit 43\n");
    let script = workspace.path("problems/sums/output_validator/run");
    std::fs::set_permissions(script, std::fs::Permissions::from_mode(0o755)).unwrap();
    workspace.grader(&["ci", "gradescope", "sums"]).status(0);
    for (program, score) in [("print(7)\n", 1.0), ("print(8)\n", 0.0)] {
        let judged = judged_by_gradescope(&workspace, "sums-autograder.zip", program);
        assert_eq!(judged["score"], score, "{judged}");
    }
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn a_problem_outside_the_folder_of_grader_toml_makes_no_autograder() {
    let workspace = Workspace::bare();
    workspace.file("inner/grader.toml", "problems = [\"../problems\"]\n");
    for (file, text) in [("sum.py", "print(1)\n"), ("1.in", "\n"), ("1.ans", "1\n")] {
        workspace.file(format!("problems/sum/{file}"), text);
    }
    let refused = Call::any(&workspace.path("inner"), &["ci", "gradescope", "sum"]).run();
    refused.status(2).says("does not lie below").says("move it there");
    assert!(!workspace.path("inner/sum-autograder.zip").exists());
}
