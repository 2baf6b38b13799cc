//! Broken problems, data and configuration: each finding names the file and the remedy, all are told, and what is
//! healthy is judged all the same.

use std::fs::File;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};

use macro_rules_attribute::apply;

use crate::cli::need::{Need, mount_tmpfs, unmount};
use crate::cli::run::Call;
use crate::cli::workspace::{SUM, Workspace};

/// Asserts that `grader run` finds this and judges the healthy problem beside it.
#[track_caller]
fn finds(workspace: &Workspace, file: &str, texts: &[&str]) {
    workspace.sum("healthy");
    let run = workspace.run(&[]);
    run.status(2).ends("accepted/sum.sh", "AC", "met").shows("FAIL");
    for text in texts {
        run.says(text);
    }
    run.says(&format!(": {file}: "));
}

/// A problem of another submission than that of `healthy`.
fn broken() -> Workspace {
    let workspace = Workspace::new();
    workspace.problem("broken").case("sample/1", "1 2\n", "3\n").submission("accepted/add.sh", SUM);
    workspace
}

#[apply(cli_test)]
fn a_case_without_an_answer() {
    let workspace = broken();
    workspace.file("testcases/broken/secret/1.in", "1 2\n");
    finds(&workspace, "testcases/broken/secret/1.in", &["no answer file 1.ans", "→ add 1.ans"]);
    workspace.file("testcases/broken/secret/1.out", "3\n");
    finds(&workspace, "testcases/broken/secret/1.in", &["→ rename 1.out to 1.ans"]);
}

#[apply(cli_test)]
fn an_answer_without_a_case() {
    let workspace = broken();
    workspace.file("testcases/broken/secret/1.ans", "3\n");
    finds(&workspace, "testcases/broken/secret/1.ans", &["answer without an input 1.in", "→ add the input or remove"]);
}

#[apply(cli_test)]
fn a_problem_without_cases() {
    let workspace = Workspace::new();
    workspace.problem("broken").submission("accepted/add.sh", SUM);
    let texts = ["problem without test cases in", "testcases/broken", "→ add cases, each a .in with its .ans"];
    finds(&workspace, "problems/broken", &texts);
}

#[apply(cli_test)]
fn cases_without_a_problem() {
    let workspace = Workspace::new();
    workspace.problem("helthy").case("sample/1", "1 2\n", "3\n");
    let texts = ["test cases without a problem", "problems/helthy", "did you mean `healthy`?"];
    finds(&workspace, "testcases/helthy", &texts);
}

#[apply(cli_test)]
fn unknown_keys_are_errors() {
    let workspace = broken();
    workspace.problem("broken").toml("limits.time_limt = 1\n");
    finds(
        &workspace,
        "problems/broken/problem.toml",
        &["line 1", "`limits.time_limt`", "did you mean `limits.time_limit`?"],
    );
    let workspace = broken();
    workspace.file("grader.toml", "problems = [\"problems\"]\n\ntime_facto = 2\n");
    let run = workspace.run(&[]);
    run.status(2)
        .says("grader.toml")
        .says("line 3")
        .says("unknown key `time_facto`")
        .says("did you mean `time_factor`?");
}

#[apply(cli_test)]
fn mistakes_in_a_language_are_all_told() {
    let workspace = Workspace::with_sum();
    workspace.file("grader.toml", "[language.c]\nlimits.memry = 3\ncompil = []\nrun = []\n");
    let run = workspace.run(&[]);
    run.status(2)
        .says("line 2, column 8: unknown key `memry`")
        .says("line 3, column 1: [language.c]: unknown key `compil`");
    run.says("line 4, column 1: [language.c]: `run`: a command needs at least one word");
}

#[apply(cli_test)]
fn bad_values_are_errors() {
    for (text, told) in [
        ("limits.time_limit = \"fast\"\n", "limits.time_limit"),
        ("limits.memory = -1\n", "limits.memory"),
        ("type = \"multi-pas\"\n", "found `multi-pas`"),
        ("checker = \"tokns\"\n", "checker"),
        ("reference = \"ad.sh\"\n", "did you mean `accepted/add.sh`?"),
    ] {
        let workspace = broken();
        workspace.problem("broken").toml(text);
        finds(&workspace, "problems/broken/problem.toml", &[told]);
    }
}

#[apply(cli_test)]
fn broken_toml_and_yaml() {
    let workspace = broken();
    workspace.problem("broken").toml("name = \"x\nlimits\n");
    finds(&workspace, "problems/broken/problem.toml", &["line 1"]);
    let workspace = broken();
    workspace.problem("broken").submission("submissions.yaml", "accepted/add.sh: [\n");
    finds(&workspace, "problems/broken/submissions/submissions.yaml", &["line"]);
    let workspace = broken();
    workspace.file("grader.toml", "jobs = \n");
    workspace.run(&[]).status(2).says("grader.toml").says("line 1");
    let workspace = broken();
    workspace.problem("broken").toml("").file("problem.yaml", "name: x\n");
    finds(
        &workspace,
        "problems/broken/problem.toml",
        &["both problem.toml and problem.yaml exist", "→ keep one of the two"],
    );
}

#[apply(cli_test)]
fn two_problems_of_one_name() {
    let workspace = broken();
    workspace.file("problems/more/broken/submissions/accepted/add.sh", SUM);
    // Each has a name of its own; that they have the same cases deserves a look.
    let run = workspace.run(&[]);
    run.status(0)
        .shows("more/broken  ")
        .shows("problems/broken  ")
        .says("takes its test cases from")
        .says("→ rename one");
}

#[apply(cli_test)]
fn all_errors_are_told() {
    let workspace = broken();
    workspace.problem("broken").toml("nmae = \"x\"\nlimits.memory = \"much\"\n").submission("accepted/second.sh", SUM);
    workspace.file("testcases/broken/secret/1.in", "").file("testcases/broken/secret/2.ans", "");
    workspace.problem("lonely").submission("accepted/one.sh", SUM);
    let texts = ["nmae", "limits.memory", "the reference is ambiguous", "1.ans", "2.in", "problem without test cases"];
    finds(&workspace, "problems/broken/problem.toml", &texts);
}

#[apply(cli_test)]
fn an_ambiguous_or_missing_reference() {
    let workspace = broken();
    workspace.problem("broken").submission("accepted/second.sh", SUM);
    let texts = ["the reference is ambiguous: accepted/add.sh, accepted/second.sh", "→ name one: `reference`"];
    finds(&workspace, "problems/broken/submissions", &texts);
    let workspace = Workspace::new();
    workspace.problem("hard").case("sample/1", "", "1\n").submission("wrong_answer/two.sh", "echo 2\n");
    workspace.run(&[]).status(0).says("no accepted submission");
    workspace.run(&["--strict"]).status(1);
}

#[apply(cli_test)]
fn a_reference_that_fails_its_own_cases() {
    let workspace = broken();
    workspace.problem("broken").case("secret/1", "1 2\n", "4\n");
    let run = workspace.run(&[]);
    run.status(1).shows("this is the reference").shows("expected `4`, got `3`");
}

#[apply(cli_test)]
#[needs(&[Need::NoRoot])]
fn unreadable_files() {
    let workspace = broken();
    workspace.problem("broken").case("secret/1", "1 2\n", "3\n").toml("");
    let lock = |file: &str| {
        std::fs::set_permissions(workspace.path(file), std::fs::Permissions::from_mode(0o000)).unwrap();
    };
    lock("testcases/broken/secret/1.in");
    workspace.run(&[]).status(3).shows("testcases/broken/secret/1.in");
    lock("problems/broken/problem.toml");
    finds(&workspace, "problems/broken/problem.toml", &["Permission denied"]);
}

#[apply(cli_test)]
fn names_that_are_not_utf8() {
    let workspace = broken();
    let name = |stem: &[u8]| std::ffi::OsStr::from_bytes(stem).to_owned();
    std::fs::write(workspace.path("testcases/broken/sample").join(name(b"\xff.in")), "1 2\n").unwrap();
    std::fs::write(workspace.path("testcases/broken/sample").join(name(b"\xff.ans")), "3\n").unwrap();
    // It costs that file alone.
    let ignored = |workspace: &Workspace, dir: &str| {
        let run = workspace.run(&["broken"]);
        run.status(0).says(&format!(": {dir}")).says("not UTF-8; ignored").says("→ rename it");
    };
    ignored(&workspace, "testcases/broken/sample");
    let workspace = broken();
    let dir = workspace.path("problems").join(name(b"od\xffd"));
    std::fs::create_dir_all(dir.join("submissions")).unwrap();
    workspace.sum("healthy");
    workspace.run(&[]).status(2).says("not UTF-8").says("→ rename it").ends("accepted/add.sh", "AC", "met");
    let workspace = broken();
    std::fs::write(workspace.path("problems/broken/submissions/accepted").join(name(b"\xff.sh")), SUM).unwrap();
    ignored(&workspace, "problems/broken/submissions/accepted");
}

#[apply(cli_test)]
fn links_that_lead_in_circles() {
    let workspace = broken();
    symlink(workspace.path("testcases/broken"), workspace.path("testcases/broken/secret")).unwrap();
    finds(&workspace, "testcases/broken/secret", &["leads back to", "→ remove the link"]);
    let workspace = broken();
    symlink(workspace.path("problems"), workspace.path("problems/again")).unwrap();
    workspace.sum("healthy");
    let run = workspace.run(&[]);
    run.status(2).says("problems/again").ends("accepted/add.sh", "AC", "met");
}

#[apply(cli_test)]
fn links_that_lead_nowhere() {
    let workspace = broken();
    symlink(workspace.path("nowhere"), workspace.path("testcases/broken/sample/2.in")).unwrap();
    workspace.file("testcases/broken/sample/2.ans", "3\n");
    finds(&workspace, "testcases/broken/sample/2.in", &[]);
    let workspace = broken();
    symlink(workspace.path("nowhere"), workspace.path("problems/broken/submissions/accepted/second.sh")).unwrap();
    finds(&workspace, "problems/broken/submissions/accepted/second.sh", &[]);
}

#[apply(cli_test)]
fn carriage_returns_are_forgiven() {
    let workspace = broken();
    workspace
        .problem("broken")
        .toml("name = \"Windows\"\r\nlimits.time_limit = 3\r\n")
        .submission("submissions.yaml", "wrong_answer:\r\n  permitted: [AC, WA]\r\n  required: [WA]\r\n")
        .submission("wrong_answer/three.sh", "echo 8\n")
        .case("sample/2", "3 4\r\n", "7\r\n")
        .submission("accepted/add.py", "print(sum(map(int, input().split())))\r\n");
    workspace.problem("broken").toml("reference = \"add.sh\"\r\n");
    workspace.file("grader.toml", "time_factor = 2\r\n");
    let run = workspace.run(&["-s", "add.py", "-s", "three.sh"]);
    run.status(0).ends("accepted/add.py", "AC", "met").ends("wrong_answer/three.sh", "WA", "met");
}

#[apply(cli_test)]
fn a_byte_order_mark_is_forgiven() {
    let workspace = broken();
    workspace
        .problem("broken")
        .toml("\u{feff}name = \"Marked\"\n")
        .submission("submissions.yaml", "\u{feff}accepted:\n  language: shell\n");
    workspace.file("grader.toml", "\u{feff}time_factor = 2\n");
    workspace.run(&[]).status(0).ends("accepted/add.sh", "AC", "met");
}

#[apply(cli_test)]
fn empty_files() {
    let workspace = broken();
    workspace
        .problem("broken")
        .toml("")
        .submission("submissions.yaml", "")
        .case("sample/2", "", "")
        .submission("accepted/add.sh", "read a b || exit 0\necho $((a + b))\n");
    workspace.run(&[]).status(0).ends("accepted/add.sh", "AC", "met");
    workspace.problem("broken").submission("accepted/add.sh", "");
    workspace.run(&[]).status(1).judged("accepted/add.sh", "sample/1", "WA", "nothing was printed");
}

#[apply(cli_test)]
fn a_directory_where_a_file_is_meant() {
    let workspace = broken();
    std::fs::create_dir_all(workspace.path("problems/broken/problem.toml")).unwrap();
    finds(&workspace, "problems/broken/problem.toml", &[]);
    let workspace = broken();
    std::fs::create_dir_all(workspace.path("testcases/broken/sample/2.in")).unwrap();
    workspace.file("testcases/broken/sample/2.ans", "");
    finds(&workspace, "testcases/broken/sample/2.ans", &[]);
}

#[apply(cli_test)]
#[needs(&[Need::Mount])]
fn a_full_disk() {
    let workspace = broken();
    let store = workspace.path(".grader");
    std::fs::create_dir(&store).unwrap();
    assert!(mount_tmpfs(&store, "160k"));
    let flood = "yes | head -c 100000\n";
    workspace.problem("broken").submission("wrong_answer/flood.sh", flood);
    for n in 10..30 {
        workspace.problem("broken").case(&format!("secret/{n}"), "1 2\n", "3\n");
    }
    let runs = [workspace.run(&["-a"]), workspace.run(&["-a"]), workspace.run(&["-a", "--no-cache"])];
    unmount(&store);
    for run in runs {
        run.status(0).ends("accepted/add.sh", "AC", "met").ends("wrong_answer/flood.sh", "WA", "met");
    }
}

/// Makes a file of so many bytes without using a disk.
fn sparse(workspace: &Workspace, path: &str, bytes: u64) {
    workspace.file(path, "");
    File::options().write(true).open(workspace.path(path)).unwrap().set_len(bytes).unwrap();
}

/// The grader's own memory, in KiB, whatever the size of a file.
const SMALL: u64 = 64 * 1024;

#[apply(cli_test)]
fn a_gigabyte_of_input() {
    let workspace = broken();
    sparse(&workspace, "testcases/broken/secret/1.in", 1 << 30);
    workspace.file("testcases/broken/secret/1.ans", "4\n");
    workspace.problem("broken").submission("accepted/add.sh", "echo 3\n");
    let run = workspace.run(&["-t", "secret"]);
    run.status(1).judged("accepted/add.sh", "secret/1", "WA", "expected `4`, got `3`");
    assert!(run.peak > 0 && run.peak < SMALL, "{} KiB", run.peak);
}

#[apply(cli_test)]
fn a_large_answer() {
    let workspace = broken();
    workspace.file("testcases/broken/secret/1.in", "1 2\n");
    sparse(&workspace, "testcases/broken/secret/1.ans", 100 << 20);
    let run = workspace.run(&["-t", "secret"]);
    run.status(1).ends("accepted/add.sh", "WA", "missed");
    assert!(run.peak > 0 && run.peak < SMALL, "{} KiB", run.peak);
}

#[apply(cli_test)]
fn an_unknown_variable_is_a_warning() {
    let workspace = broken();
    let run = |name: &str, value: &str| workspace.call(&[]).env(name, value).run();
    run("GRADER_JOSB", "1").status(0).says("unknown variable `GRADER_JOSB`").says("did you mean `GRADER_JOBS`?");
    run("GRADER_JOBS", "many").status(2).says("GRADER_JOBS");
    assert_eq!(run("GRADER_JOBS", "1").status(0).events[0]["measured"]["slots"], 1);
}

#[apply(cli_test)]
fn a_reader_that_goes_away() {
    // Whatever comes of the run: nobody has been told, so that it is not a success.
    let workspace = Workspace::with_sum();
    let mut call = Call::any(&workspace.path(""), &["run"]);
    let mut child = call.start();
    drop(child.stdout.take());
    let run = call.wait(child);
    run.status(141);
    assert!(!run.stderr.contains("panicked"), "{}", run.all());
}

#[apply(cli_test)]
fn a_name_that_is_no_text() {
    let workspace = Workspace::with_sum();
    let name = std::ffi::OsStr::from_bytes(b"a\xff.sh");
    std::fs::write(workspace.path(name), SUM).unwrap();
    let words = ["-c", "exec \"$0\" judge sum a*.sh", crate::under_test::grader().to_str().unwrap()];
    let run = Call::program(&workspace.path(""), "sh", &words).run();
    run.status(2).says("not UTF-8: `a").says("→ name the folder that it is in, or rename it");
}

#[apply(cli_test)]
fn what_is_there_is_said_where_nothing_is_near() {
    let workspace = Workspace::bare();
    workspace.grader(&["add", "elsewhere"]).status(2).says("→ create one: grader new NAME");
    let workspace = Workspace::with_sum();
    workspace.run(&["-t", "elsewhere"]).status(2).says("→ list everything: grader list -v");
    // What is near says more.
    let run = workspace.run(&["-t", "secret/09"]);
    run.status(2).says("did you mean");
    assert!(!run.stderr.contains("grader list"), "{}", run.all());
}

#[apply(cli_test)]
fn hostile_names_outside_of_a_layout() {
    let workspace = Workspace::with_sum();
    workspace.file("class/ann/sum.sh", SUM).file("class/x\nerror: all is lost", "");
    let run = workspace.grader(&["judge", "class", "--layout", "{student}/{problem}.*"]);
    run.status(0).says("outside of the layout").says("all is lost");
    assert!(!run.stderr.lines().any(|line| line.starts_with("error:")), "{}", run.all());
}
