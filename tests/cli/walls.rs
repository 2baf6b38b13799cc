//! What stands between the programs and the host, as the command line shows it. The programs that try to get through are in
//! `tests/hostile`.

use std::os::unix::fs::PermissionsExt;

use macro_rules_attribute::apply;

use crate::cli::need::{Need, mount_tmpfs, unmount};
use crate::cli::packages;
use crate::cli::workspace::{SUM, Workspace};

#[apply(cli_test)]
fn every_report_says_which_isolation() {
    let workspace = Workspace::with_sum();
    for isolation in ["weak", "none"] {
        let run = workspace.run(&["--isolation", isolation, "--no-cache"]);
        run.status(0).shows(&format!("isolation: {isolation}"));
        assert_eq!(run.events[0]["isolation"], isolation);
    }
    let auto = workspace.run(&["--no-cache"]);
    let found = auto.events[0]["isolation"].as_str().unwrap().to_owned();
    assert!(["root", "user", "users", "weak"].contains(&found.as_str()), "{found}");
    workspace.file("grader.toml", "isolation = \"none\"\n");
    workspace.run(&[]).shows("isolation: none");
}

#[apply(cli_test)]
fn an_unknown_isolation_is_a_usage_error() {
    let workspace = Workspace::with_sum();
    workspace.run(&["--isolation", "rot"]).status(2).says("invalid value 'rot'").says("a similar value exists: 'root'");
    workspace.file("grader.toml", "jobs = 1\nisolation = \"rooot\"\n");
    let run = workspace.run(&[]);
    run.status(2).says("grader.toml").says("line 2, column 1").says("found `rooot`; did you mean `root`?");
}

#[apply(cli_test)]
fn weak_isolation_gives_a_warning() {
    let workspace = Workspace::with_sum();
    workspace.run(&["--isolation", "weak"]).shows("do not judge untrusted code");
}

#[apply(cli_test)]
#[needs(&[Need::Mount])]
fn a_toolchain_in_a_private_home_is_seen_and_nothing_else_of_it() {
    let workspace = Workspace::with_sum();
    workspace
        .file(
            "home/tools/mine/bin/mine",
            "#!/bin/sh\ncat \"${0%/*}/../lib/greeting\"\ncat \"${0%/*}/../../../secret\"\ntrue\n",
        )
        .file("home/tools/mine/lib/greeting", "hello\n")
        .file("home/secret", "secret\n")
        .file("grader.toml", "[language.mine]\nextensions = ['.mine']\nrun = ['mine', '{mainfile}']\n");
    std::fs::set_permissions(workspace.path("home/tools/mine/bin/mine"), PermissionsExt::from_mode(0o755)).unwrap();
    std::fs::set_permissions(workspace.path("home"), PermissionsExt::from_mode(0o700)).unwrap();
    workspace.problem("hello").case("sample/1", "", "hello\n").submission("accepted/a.mine", "");
    let path = format!("{}:/usr/bin:/bin", workspace.path("home/tools/mine/bin").display());
    let call = workspace.call(&["hello", "--isolation", "root"]);
    let run = call.env("PATH", path).env("HOME", workspace.path("home")).run();
    run.status(0).ends("accepted/a.mine", "AC", "met");
}

#[apply(cli_test)]
#[needs(&[Need::Mount])]
fn a_problem_set_that_holds_a_toolchain_is_not_seen() {
    let workspace = Workspace::with_sum();
    let script = "#!/bin/sh\ncat \"${0%/*}/../testcases/hello/sample/1.ans\" || echo nothing\n";
    workspace
        .file("bin/mine", script)
        .file("lib/library", "")
        .file("grader.toml", "[language.mine]\nextensions = ['.mine']\nrun = ['mine', '{mainfile}']\n");
    std::fs::set_permissions(workspace.path("bin/mine"), PermissionsExt::from_mode(0o755)).unwrap();
    std::fs::set_permissions(workspace.path(""), PermissionsExt::from_mode(0o755)).unwrap();
    workspace.problem("hello").case("sample/1", "", "secret\n").submission("wrong_answer/a.mine", "");
    workspace.problem("hello").submission("accepted/a.sh", "echo secret\n");
    let path = format!("{}:/usr/bin:/bin", workspace.path("bin").display());
    let run = workspace.call(&["hello", "--isolation", "root"]).env("PATH", path).run();
    run.status(0).ends("wrong_answer/a.mine", "WA", "met");
}

#[apply(cli_test)]
fn what_every_program_sees_is_no_place_for_submissions() {
    let workspace = Workspace::with_sum();
    // A script that every system has.
    let script = std::fs::canonicalize("/usr/bin/ldd").unwrap();
    let judge = |isolation: &str| {
        let args = ["judge", "sum", script.to_str().unwrap(), "--lang", "shell", "--isolation", isolation];
        workspace.grader(&args)
    };
    let seen = judge("weak");
    seen.status(2).says("/usr/bin lies in /usr, which every program may read").says("→ move them elsewhere");
    judge("none").status(1);
}

#[apply(cli_test)]
#[needs(&[Need::Root])]
fn what_every_program_sees_is_no_place_for_problems() {
    let workspace = Workspace::bare();
    let place = tempfile::Builder::new().prefix("grader-test-").tempdir_in("/usr/local/lib").unwrap();
    let problem = place.path().to_str().unwrap();
    let more = [
        ("problem.yaml", packages::CURRENT),
        ("input_validators/check.sh", "exit 42\n"),
        ("generators/one.sh", "echo 1 2\n"),
    ];
    packages::add(&workspace, problem, &[packages::SUMS, &more].concat());
    let (input, other) =
        (format!("{problem}/data/sample/1.in"), format!("{problem}/submissions/wrong_answer/three.sh"));
    let calls: [&[&str]; 4] = [
        &["run", problem],
        &["verify", problem],
        &["verify", problem, "--input", &input],
        &["stress", problem, &other, "--gen", "one.sh {seed}", "--count", "1"],
    ];
    for words in calls {
        let run = workspace.grader(&[words, &["--isolation", "root"]].concat());
        run.status(2).says("lies in /usr, which every program may read");
        let run = workspace.grader(&[words, &["--isolation", "none"]].concat());
        assert!(run.status != 2 && !run.stderr.contains("every program may read"), "{}", run.stderr);
    }
}

#[apply(cli_test)]
#[needs(&[Need::Tool("gcc")])]
fn what_a_compiler_makes_is_run_and_what_it_links_to_is_not_taken() {
    let workspace = Workspace::with_sum();
    let secret = workspace.path("secret");
    workspace.file("secret", "top secret\n").file(
        "grader.toml",
        format!(
            "[language.linker]\nextensions = ['.linker']\ncompile = [['sh', '-c', 'ln -s {0} link; cp a.linker \
             program; mkfifo pipe; mkdir -p a/b; echo 1 > a/b/c'], ['sh', '-c', 'test -e a/b/c']]\nrun = ['sh', \
             '{{path}}/program']\n",
            secret.display()
        ),
    );
    let script = format!("cd \"${{0%/*}}\"; [ -e a/b/c ] && [ ! -e link ] && [ ! -e pipe ] && {SUM}");
    workspace.problem("sum").toml("reference = \"sum.sh\"\n").submission("accepted/a.linker", &script);
    workspace.run(&["-s", "a.linker"]).status(0).ends("accepted/a.linker", "AC", "met");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("g++")])]
fn an_answer_cannot_be_included() {
    let workspace = Workspace::with_sum();
    workspace.file("testcases/sum/secret/99.in", "1 1\n").file("testcases/sum/secret/99.ans", "2 xyzzy\n");
    let answer = workspace.path("testcases/sum/secret/99.ans");
    let source = format!("#include \"{}\"\nint main() {{}}\n", answer.display());
    workspace.problem("sum").toml("reference = \"sum.sh\"\n").submission("compile_error/include.cpp", &source);
    let run = workspace.run(&["-s", "include.cpp"]);
    run.ends("compile_error/include.cpp", "CE", "met");
    assert!(!run.all().contains("xyzzy"), "{}", run.all());
}

#[apply(cli_test)]
#[needs(&[Need::Mount])]
fn a_full_scratch_directory_changes_no_verdict() {
    let workspace = Workspace::with_sum();
    workspace.file("scratch/.keep", "");
    let scratch = workspace.path("scratch");
    assert!(mount_tmpfs(&scratch, "64k"));
    std::fs::write(scratch.join("large"), vec![0; 1 << 20]).unwrap_err();
    let run = workspace.call(&["--no-cache"]).env("TMPDIR", &scratch).run();
    unmount(&scratch);
    run.status(0).ends("accepted/sum.sh", "AC", "met");
    let missing = workspace.call(&[]).env("TMPDIR", workspace.path("absent")).run();
    missing.status(2).says("cannot create a scratch directory").says("absent");
}

#[apply(cli_test)]
fn two_graders_at_once() {
    let (one, two) = (Workspace::with_sum(), Workspace::with_sum());
    let mut calls = [one.call(&["--repeat", "20", "--no-cache"]), two.call(&["--repeat", "20", "--no-cache"])];
    let children = calls.each_mut().map(crate::cli::run::Call::start);
    for (call, child) in calls.iter().zip(children) {
        call.wait(child).status(0).ends("accepted/sum.sh", "AC", "met");
    }
}
