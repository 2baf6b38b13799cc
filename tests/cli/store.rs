//! What is remembered: never more than what is still true.

use macro_rules_attribute::apply;

use crate::cli::need::{Need, mount_tmpfs, unmount};
use crate::cli::record::comparable;
use crate::cli::run::Run;
use crate::cli::workspace::{SUM, Workspace};

/// A submission that leaves a mark each time it is run.
fn marked(workspace: &Workspace, body: &str) -> String {
    format!("echo x >> {}\n{body}", workspace.path("marks").display())
}

fn marks(workspace: &Workspace) -> usize {
    std::fs::read_to_string(workspace.path("marks")).unwrap_or_default().lines().count()
}

fn one_case(body: &str) -> Workspace {
    let workspace = Workspace::new().without_walls();
    let body = marked(&workspace, body);
    workspace.problem("sum").case("sample/1", "1 2\n", "3\n").submission("accepted/sum.sh", &body);
    workspace
}

fn same_record(first: &Run, second: &Run) {
    assert_eq!(comparable(&first.events), comparable(&second.events));
}

#[apply(cli_test)]
fn a_second_run_is_served_from_the_store() {
    let workspace = Workspace::with_sum();
    workspace
        .problem("sum")
        .toml("reference = \"sum.sh\"\nlimits.time_limit = 0.3\nlimits.wall_limit = 60\nlimits.memory = 64\nlimits.output = 1\n")
        .submission("accepted/wrong.sh", "echo 3\n")
        .submission("wrong_answer/three.sh", "echo 3\n")
        .submission("run_time_error/crash.sh", "exit 3\n")
        .submission("memory_limit_exceeded/hoard.py", "hoard = b'x' * (200 << 20)\n")
        .submission("output_limit_exceeded/flood.sh", "exec yes\n")
        .submission("compile_error/syntax.py", "print(\n")
        .submission("time_limit_exceeded/busy.sh", "while :; do :; done\n");
    let first = workspace.run(&[]);
    let second = workspace.run(&[]);
    first.status(1);
    second.status(1);
    assert_eq!(second.measured_and_cached().0, 0, "everything is known: {}", second.all());
    same_record(&first, &second);
    second.shows("cached)").shows("expected `4`, got `3`");
    // What explains the failure is kept again.
    assert_eq!(workspace.read(".grader/last/sum/accepted/wrong.sh/secret/01.out"), "3\n");
}

#[apply(cli_test)]
fn a_changed_input_is_run_again() {
    let workspace = one_case(SUM);
    workspace.run(&[]).status(0);
    workspace.problem("sum").case("sample/1", "1 5\n", "3\n");
    workspace.run(&[]).status(1).judged("accepted/sum.sh", "sample/1", "WA", "expected `3`, got `6`");
    assert_eq!(marks(&workspace), 2);
    // Back to what was known.
    workspace.problem("sum").case("sample/1", "1 2\n", "3\n");
    workspace.run(&[]).status(0);
    assert_eq!(marks(&workspace), 2);
}

#[apply(cli_test)]
fn a_changed_answer_is_judged_again_without_running() {
    let workspace = one_case(SUM);
    workspace.run(&[]).status(0);
    workspace.problem("sum").case("sample/1", "1 2\n", "4\n");
    workspace.run(&[]).status(1).judged("accepted/sum.sh", "sample/1", "WA", "expected `4`, got `3`");
    assert_eq!(marks(&workspace), 1);
}

#[apply(cli_test)]
fn a_changed_source_is_run_again() {
    let workspace = one_case(SUM);
    workspace.run(&[]).status(0);
    let wrong = marked(&workspace, "echo 8\n");
    workspace.problem("sum").submission("accepted/sum.sh", &wrong);
    workspace.run(&[]).status(1).judged("accepted/sum.sh", "sample/1", "WA", "expected `3`, got `8`");
    assert_eq!(marks(&workspace), 2);
}

#[apply(cli_test)]
fn a_changed_checker_is_judged_again_without_running() {
    let workspace = one_case("echo ' 3'\n");
    workspace.run(&[]).status(0);
    workspace.run(&["--checker", "exact"]).status(1);
    workspace.run(&["--checker", "exact"]).status(1);
    workspace.problem("sum").toml("checker = \"exact\"\n");
    workspace.run(&[]).status(1);
    workspace.problem("sum").toml("checker = \"tokens\"\n");
    workspace.run(&[]).status(0);
    assert_eq!(marks(&workspace), 1);
}

#[apply(cli_test)]
fn a_changed_validator_is_asked_again() {
    let workspace = one_case(SUM);
    let validator = |text: &str| {
        workspace.problem("sum").file("output_validator/validate.sh", text);
    };
    validator("exit 42\n");
    workspace.run(&[]).status(0);
    validator("echo never > $3/judgemessage.txt; exit 43\n");
    workspace.run(&[]).status(1).judged("accepted/sum.sh", "sample/1", "WA", "never");
    validator("exit 42\n");
    workspace.run(&[]).status(0);
    std::fs::remove_dir_all(workspace.path("problems/sum/output_validator")).unwrap();
    workspace.run(&[]).status(0).judged("accepted/sum.sh", "sample/1", "AC", "");
}

#[apply(cli_test)]
fn a_looser_time_limit_is_judged_by_the_facts_that_suffice() {
    let workspace = one_case(SUM);
    workspace.run(&["--time-limit", "2"]).status(0);
    workspace.run(&["--time-limit", "5"]).status(0);
    assert_eq!(marks(&workspace), 1, "a success holds for every looser limit");
    let busy = one_case("while :; do :; done\n");
    busy.problem("sum").toml("limits.wall_limit = 60\n");
    busy.run(&["--time-limit", "0.2"]).status(1).judged("accepted/sum.sh", "sample/1", "TLE", "(limit 0.2 s)");
    busy.run(&["--time-limit", "0.1"]).status(1).judged("accepted/sum.sh", "sample/1", "TLE", "");
    // The first time it ran once, and twice more because an accepted submission should not be too slow.
    assert_eq!(marks(&busy), 3, "a kill holds for every tighter limit");
    busy.run(&["--time-limit", "0.3"]).status(1).judged("accepted/sum.sh", "sample/1", "TLE", "(limit 0.3 s)");
    assert_eq!(marks(&busy), 6, "but not for a looser one");
}

#[apply(cli_test)]
fn a_tighter_time_limit_is_judged_without_running() {
    // About half a second of cpu time, by the program's own clock.
    let body = "import time\nwhile time.process_time() < 0.5: pass\nprint(3)\n";
    let workspace = Workspace::new().without_walls();
    let mark = format!("open('{}', 'a').write('x\\n')\n", workspace.path("marks").display());
    workspace.problem("sum").case("sample/1", "1 2\n", "3\n");
    // What is expected to be too slow gets no second look.
    workspace.problem("sum").submission("time_limit_exceeded/slow.py", &format!("{mark}{body}"));
    workspace.run(&["--time-limit", "10"]).status(1).ends("time_limit_exceeded/slow.py", "AC", "missed");
    workspace.run(&["--time-limit", "0.1"]).status(0).ends("time_limit_exceeded/slow.py", "TLE", "met");
    assert_eq!(marks(&workspace), 1);
    workspace.run(&["--time-limit", "10"]).status(1).ends("time_limit_exceeded/slow.py", "AC", "missed");
    assert_eq!(marks(&workspace), 1);
}

#[apply(cli_test)]
fn a_changed_output_limit_is_obeyed() {
    let workspace = one_case("head -c 3000000 /dev/zero | tr '\\0' ' '\necho 3\n");
    workspace.run(&[]).status(0);
    workspace.problem("sum").toml("limits.output = 1\n");
    workspace.run(&[]).status(1).ends("accepted/sum.sh", "OLE", "missed");
    workspace.problem("sum").toml("limits.output = 8\n");
    workspace.run(&[]).status(0).ends("accepted/sum.sh", "AC", "met");
}

#[apply(cli_test)]
fn a_touched_file_is_still_known() {
    let workspace = one_case(SUM);
    workspace.run(&[]).status(0);
    // The same content with other times, and another name of the workspace's file system entry.
    workspace.problem("sum").case("sample/1", "1 2\n", "3\n");
    workspace.run(&[]).status(0);
    assert_eq!(marks(&workspace), 1);
}

#[apply(cli_test)]
fn a_case_edited_during_its_run_is_not_remembered() {
    let workspace = one_case("echo 3\n");
    let input = workspace.path("testcases/sum/sample/1.in");
    let body = marked(&workspace, &format!("printf '5 5\\n' > '{}'\necho 3\n", input.display()));
    workspace.problem("sum").submission("accepted/sum.sh", &body);
    workspace.run(&[]).status(0);
    assert_eq!(workspace.run(&[]).measured_and_cached(), (1, 0), "nobody knows which input was judged");
}

#[apply(cli_test)]
fn judge_errors_are_not_remembered() {
    let workspace = one_case(SUM);
    workspace.problem("sum").file("output_validator/validate.sh", "exit 7\n");
    workspace.run(&[]).status(3);
    workspace.run(&[]).status(3);
    workspace.problem("sum").file("output_validator/validate.sh", "exit 42\n");
    workspace.run(&[]).status(0);
}

#[apply(cli_test)]
fn a_run_in_a_damaged_store_is_still_right() {
    let workspace = one_case(SUM);
    workspace.run(&[]).status(0);
    workspace.file(".grader/index.sqlite", "nonsense");
    let _ = std::fs::remove_file(workspace.path(".grader/index.sqlite-wal"));
    let _ = std::fs::remove_file(workspace.path(".grader/index.sqlite-shm"));
    workspace.run(&[]).status(0).ends("accepted/sum.sh", "AC", "met");
    std::fs::remove_dir_all(workspace.path(".grader/cache")).unwrap();
    workspace.run(&[]).status(0).ends("accepted/sum.sh", "AC", "met");
}

#[apply(cli_test)]
fn the_store_cannot_be_written() {
    let workspace = one_case(SUM);
    // A file where the directory should be stops root as well.
    workspace.file(".grader", "in the way");
    workspace.run(&[]).status(0).ends("accepted/sum.sh", "AC", "met");
    assert_eq!(workspace.read(".grader"), "in the way");
    // A person can do something about it, so that it is told without being asked for.
    let run = workspace.run(&[]);
    run.status(0).says("note: running without a cache: ").says(".grader").says("→ make it writable");
}

#[apply(cli_test)]
fn the_files_of_the_last_failure_are_kept_and_forgotten() {
    let workspace = one_case("echo oops >&2\necho 4\n");
    workspace.run(&[]).status(1).shows(".grader/last/sum/accepted/sum.sh/sample/1.{in,ans,out,err}");
    let stem = ".grader/last/sum/accepted/sum.sh/sample/1";
    for (extension, text) in [("in", "1 2\n"), ("ans", "3\n"), ("out", "4\n"), ("err", "oops\n")] {
        assert_eq!(workspace.read(format!("{stem}.{extension}")), text, "{extension}");
    }
    let right = marked(&workspace, SUM);
    workspace.problem("sum").submission("accepted/sum.sh", &right);
    workspace.run(&[]).status(0);
    assert!(!workspace.path(stem.to_owned() + ".out").exists(), "nothing failed in the last run");
}

#[apply(cli_test)]
#[needs(&[Need::Mount])]
fn a_build_that_does_not_fit_on_the_disk_is_run() {
    let workspace = Workspace::bare();
    let dir = workspace.path("small");
    std::fs::create_dir(&dir).unwrap();
    assert!(mount_tmpfs(&dir, "3m"));
    let compile = "head -c 5000000 /dev/zero > large; exit 0";
    let language = format!(
        "[language.own]\nextensions = [\"own\"]\nrun = [\"sh\", \"{{mainfile}}\"]\n\
         compile = [\"sh\", \"-c\", '{compile}']\n"
    );
    workspace.file("small/grader.toml", language);
    workspace.file("small/problems/sum/submissions/accepted/sum.own", SUM);
    workspace.file("small/problems/sum/submissions/wrong_answer/three.own", "echo 3\n");
    workspace.file("small/testcases/sum/1.in", "1 5\n").file("small/testcases/sum/1.ans", "6\n");
    let runs = [(2, 0), (0, 2)].map(|counts| (workspace.call(&[]).dir(&dir).run(), counts));
    unmount(&dir);
    for (run, counts) in runs {
        run.status(0).ends("accepted/sum.own", "AC", "met").ends("wrong_answer/three.own", "WA", "met");
        run.says("note: not every build could be stored: ").says("No space left on device");
        assert_eq!(run.stderr.matches("not every build").count(), 1);
        // What is small is kept all the same.
        assert_eq!(run.measured_and_cached(), counts);
    }
}
