//! `watch`: save a file, read what is shown, end it with Ctrl-C.

use std::io::Read as _;
use std::process::Child;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use macro_rules_attribute::apply;
use rustix::process::{Pid, Signal, kill_process};

use crate::cli::answers;
use crate::cli::run::Call;
use crate::cli::workspace::{SUM, Workspace};

const WRONG: &str = "read a b\necho $((a * b))\n";

/// A watch that goes on.
pub(crate) struct Watch<'a> {
    workspace: &'a Workspace,
    child: Child,
    shown: Arc<Mutex<String>>,
    /// What has been waited for already.
    read: usize,
}

impl<'a> Watch<'a> {
    /// Starts it and waits for the end of the first run.
    pub(crate) fn start(workspace: &'a Workspace, args: &[&str]) -> Self {
        let mut watch = Self::spawn(workspace, args);
        watch.until("watching ");
        watch
    }

    fn spawn(workspace: &'a Workspace, args: &[&str]) -> Self {
        let mut child = Call::any(&workspace.path(""), &[&["watch"], args].concat()).start();
        let shown = Arc::new(Mutex::new(String::new()));
        let streams: [Box<dyn std::io::Read + Send>; 2] =
            [Box::new(child.stdout.take().unwrap()), Box::new(child.stderr.take().unwrap())];
        for mut stream in streams {
            let shown = Arc::clone(&shown);
            std::thread::spawn(move || {
                let mut buffer = [0; 4096];
                while let Ok(n @ 1..) = stream.read(&mut buffer) {
                    shown.lock().unwrap().push_str(&String::from_utf8_lossy(&buffer[..n]));
                }
            });
        }
        Self { workspace, child, shown, read: 0 }
    }

    /// Waits until a text is shown, and returns all that was shown up to the end of its line since the last wait.
    #[track_caller]
    fn until(&mut self, text: &str) -> String {
        self.until_all(&[text])
    }

    /// The same for several texts, in any order: two streams may be read in another than they were written.
    #[track_caller]
    fn until_all(&mut self, texts: &[&str]) -> String {
        let begun = Instant::now();
        loop {
            let shown = self.shown.lock().unwrap().clone();
            let rest = &shown[self.read..];
            let end_of = |text: &&str| rest.find(text).and_then(|at| Some(at + rest[at..].find('\n')? + 1));
            let ends: Option<Vec<usize>> = texts.iter().map(end_of).collect();
            if let Some(end) = ends.and_then(|ends| ends.into_iter().max()) {
                self.read += end;
                return rest[..end].to_owned();
            }
            assert!(begun.elapsed() < Duration::from_secs(60), "never shown: {texts:?}; shown:\n{shown}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Saves a file and returns what is shown of the run that follows.
    #[track_caller]
    pub(crate) fn save(&mut self, path: &str, text: &str) -> String {
        self.workspace.file(path, text);
        self.until("watching ")
    }

    /// Ends it as Ctrl-C does.
    #[track_caller]
    pub(crate) fn end(mut self) -> i32 {
        kill_process(Pid::from_child(&self.child), Signal::INT).unwrap();
        self.child.wait().unwrap().code().unwrap()
    }
}

impl Drop for Watch<'_> {
    /// A test that fails leaves nothing running.
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[track_caller]
fn has(shown: &str, texts: &[&str]) {
    for text in texts {
        assert!(shown.contains(text), "lacks {text:?}:\n{shown}");
    }
}

#[track_caller]
fn has_not(shown: &str, text: &str) {
    assert!(!shown.contains(text), "has {text:?}:\n{shown}");
}

const OURS: &str = "problems/sum/submissions/accepted/sum.sh";

#[apply(cli_test)]
fn a_saved_submission_is_run_again_beside_what_it_was() {
    let workspace = Workspace::with_sum();
    workspace.problem("sum").submission("wrong_answer/three.sh", "echo 3\n");
    workspace.sum("twin");
    let mut watch = Watch::start(&workspace, &[]);
    let shown = watch.save(OURS, WRONG);
    has(&shown, &["saved problems/sum/submissions/accepted/sum.sh: 1 submission", "AC → WA", "expected `3`, got `2`"]);
    has_not(&shown, "three.sh");
    has_not(&shown, "twin");
    // Known from before, and told all the same.
    has(&watch.save(OURS, SUM), &["WA → AC", "4 cached", "PASS"]);
    // No terminal, nothing to clear.
    has_not(&watch.shown.lock().unwrap(), "\u{1b}");
    assert_eq!(watch.end(), 130);
}

#[apply(cli_test)]
fn a_saved_answer_is_judged_again() {
    let workspace = answers::sums(answers::RIGHT);
    let packed = "problems/p/submissions/accepted/packed.zip";
    let all = [("1.out", "3\n"), ("01.out", "4\n"), ("02.out", "10\n")];
    workspace.file(packed, answers::zip(&all));
    let mut watch = Watch::start(&workspace, &[]);
    let shown = watch.save("problems/p/submissions/accepted/all/02", "11\n");
    has(&shown, &["accepted/all/02: 1 submission", "AC → WA"]);
    has_not(&shown, "packed");
    workspace.file(packed, answers::zip(&all[..2]));
    has(&watch.until("watching "), &["accepted/packed.zip: 1 submission", "no answer was handed in"]);
    assert_eq!(watch.end(), 130);
}

#[apply(cli_test)]
fn an_editor_that_renames_is_understood() {
    let workspace = Workspace::with_sum();
    let mut watch = Watch::start(&workspace, &[]);
    for (text, change) in [(WRONG, "AC → WA"), (SUM, "WA → AC")] {
        // As vim does with `backupcopy=no`: the old file is moved away, the new one is written, the backup goes.
        let file = workspace.path(OURS);
        let backup = workspace.path(format!("{OURS}~"));
        std::fs::rename(&file, &backup).unwrap();
        std::fs::write(&file, text).unwrap();
        std::fs::remove_file(&backup).unwrap();
        has(&watch.until("watching "), &["accepted/sum.sh: 1 submission", change]);
        // As others do: beside it, and over it.
        let beside = workspace.path("problems/sum/submissions/accepted/.sum.sh.tmp");
        std::fs::write(&beside, format!("{text}# saved\n")).unwrap();
        std::fs::rename(&beside, &file).unwrap();
        has(&watch.until("watching "), &["accepted/sum.sh: 1 submission"]);
    }
    assert_eq!(watch.end(), 130);
}

#[apply(cli_test)]
fn a_new_case_is_run_and_the_rest_is_known() {
    let workspace = Workspace::with_sum();
    workspace.problem("sum").submission("wrong_answer/three.sh", "echo 3\n");
    let mut watch = Watch::start(&workspace, &[]);
    workspace.problem("sum").case("secret/04", "5 5\n", "11\n");
    let shown = watch.until("watching ");
    has(&shown, &["2 submissions", "AC → WA", "secret/04", "6 cached", "three.sh"]);
    let shown = watch.save("testcases/sum/secret/04.ans", "10\n");
    has(&shown, &["saved testcases/sum/secret/04.ans", "WA → AC"]);
    std::fs::remove_file(workspace.path("testcases/sum/secret/04.in")).unwrap();
    std::fs::remove_file(workspace.path("testcases/sum/secret/04.ans")).unwrap();
    has(&watch.until("watching "), &["4 tests", "PASS"]);
    assert_eq!(watch.end(), 130);
}

#[apply(cli_test)]
fn new_and_removed_submissions_are_noticed() {
    let workspace = Workspace::with_sum();
    let mut watch = Watch::start(&workspace, &[]);
    let path = "problems/sum/submissions/run_time_error/crash.sh";
    has(&watch.save(path, "exit 3\n"), &["1 submission", "run_time_error/crash.sh", "RTE"]);
    // In the folder that is new itself.
    has(&watch.save(path, SUM), &["RTE → AC"]);
    std::fs::remove_file(workspace.path(path)).unwrap();
    // A whole problem.
    workspace.sum("twin");
    let shown = watch.until("PASS");
    has(&shown, &["saved problems/twin: 1 submission", "twin"]);
    has_not(&shown, "crash.sh");
    assert_eq!(watch.end(), 130);
}

#[apply(cli_test)]
fn a_saved_problem_file_affects_its_problem_alone() {
    let workspace = Workspace::with_sum();
    workspace.sum("twin");
    let mut watch = Watch::start(&workspace, &[]);
    let shown = watch.save("problems/sum/problem.toml", "limits.time_limit = 1.5\n");
    has(&shown, &["saved problems/sum/problem.toml", "1.5 s ·"]);
    has_not(&shown, "twin");
    let shown = watch.save("problems/twin/output_validator/validate.sh", "exit 43\n");
    has(&shown, &["twin", "AC → WA"]);
    has(&watch.save("problems/twin/output_validator/validate.sh", "exit 42\n"), &["WA → AC"]);
    has(&watch.save("grader.toml", "strict = true\n"), &["saved grader.toml: 2 submissions", "sum", "twin"]);
    assert_eq!(watch.end(), 130);
}

#[apply(cli_test)]
fn a_broken_configuration_is_waited_out() {
    let workspace = Workspace::with_sum();
    let mut watch = Watch::start(&workspace, &[]);
    workspace.file("grader.toml", "strict = maybe\n");
    // Whoever looks sees that it goes on.
    watch.until_all(&["error: ", "grader.toml: line 1", "watching "]);
    has(&watch.save("grader.toml", "strict = true\n"), &["PASS"]);
    workspace.file("problems/sum/problem.toml", "limits.time_limit = \"soon\"\n");
    watch.until_all(&["error: ", "problem.toml", "watching "]);
    has(&watch.save("problems/sum/problem.toml", ""), &["PASS"]);
    assert_eq!(watch.end(), 130);
}

#[apply(cli_test)]
fn what_was_unexpected_comes_first() {
    let workspace = Workspace::with_sum();
    workspace.problem("sum").toml("reference = \"sum.sh\"\n").submission("accepted/zwrong.sh", WRONG);
    let mut watch = Watch::start(&workspace, &[]);
    workspace.problem("sum").case("secret/04", "5 5\n", "10\n");
    let shown = watch.until("watching ");
    let place = |text: &str| shown.find(text).unwrap_or_else(|| panic!("{text}:\n{shown}"));
    assert!(place("accepted/zwrong.sh") < place("accepted/sum.sh"), "{shown}");
    assert_eq!(watch.end(), 130);
}

#[apply(cli_test)]
fn tests_that_failed_are_run_first() {
    let workspace = Workspace::with_sum().without_walls();
    let log = workspace.path("log");
    let logging = |body: &str| format!("read a b\necho $a >> {}\n{body}\n", log.display());
    let mut watch = Watch::start(&workspace, &["-j1", "-a"]);
    let ran = || std::fs::read_to_string(&log).unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ");
    // Wrong on secret/02 alone, which is the third of four.
    let shown = watch.save(OURS, &logging("[ $a = 10 ] && b=6; echo $((a + b))"));
    has(&shown, &["AC → WA"]);
    has_not(&shown, "still");
    assert_eq!(ran(), "1 2 10 -4");
    std::fs::remove_file(&log).unwrap();
    let shown = watch.save(OURS, &logging("[ $a = 10 ] && b=7; echo $((a + b))"));
    has(&shown, &["✗ sum · accepted/sum.sh · secret/02  still WA"]);
    assert_eq!(ran(), "10 1 2 -4");
    std::fs::remove_file(&log).unwrap();
    // The order of running changes no record: the first failure is that of the plan.
    let shown = watch.save(OURS, &logging("echo $((a - b))"));
    has(&shown, &["secret/02  still WA", "✗ sum · accepted/sum.sh · sample/1: expected AC, got WA"]);
    assert_eq!(ran(), "10 1 2 -4");
    std::fs::remove_file(&log).unwrap();
    let shown = watch.save(OURS, &logging("echo $((a + b))"));
    assert!(shown.find("✓ sum · accepted/sum.sh · secret/02  WA → AC") < shown.find("sum  2 s"), "{shown}");
    assert_eq!((ran().as_str(), shown.matches("  WA → AC\n").count()), ("1 2 10 -4", 5), "{shown}");
    assert_eq!(watch.end(), 130);
}

#[apply(cli_test)]
fn a_failure_ends_a_submission_unless_all_tests_are_wanted() {
    let workspace = Workspace::with_sum().without_walls();
    let log = workspace.path("log");
    let wrong = format!("read a b\necho $a >> {}\necho 0\n", log.display());
    workspace.problem("sum").submission("accepted/sum.sh", &wrong);
    for (arguments, ran) in
        [(&["-j1"][..], "1"), (&["-j1", "-a"], "1 2 10 -4"), (&["-j1", "--no-fail-fast"], "1 2 10 -4")]
    {
        let _ = std::fs::remove_file(&log);
        let watch = Watch::start(&workspace, &[arguments, &["--no-cache"]].concat());
        let shown = std::fs::read_to_string(&log).unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(shown, ran, "{arguments:?}");
        assert_eq!(watch.end(), 130);
    }
}

#[apply(cli_test)]
fn what_does_not_matter_is_not_told() {
    let workspace = Workspace::with_sum();
    let mut watch = Watch::start(&workspace, &[]);
    for path in
        ["notes.txt", "problems/sum/README.md", ".grader/last/x.in", "problems/sum/submissions/accepted/.sum.sh.swp"]
    {
        workspace.file(path, "x\n");
    }
    std::thread::sleep(Duration::from_millis(500));
    // What is shown next is the next save.
    let shown = watch.save(OURS, WRONG);
    assert_eq!(shown.matches("saved ").count(), 1, "{shown}");
    has(&shown, &["saved problems/sum/submissions/accepted/sum.sh: 1"]);
    assert_eq!(watch.end(), 130);
}

#[apply(cli_test)]
fn a_wrong_selection_ends_it_at_once() {
    let workspace = Workspace::with_sum();
    workspace.grader(&["watch", "smu"]).status(2).says("did you mean `sum`?");
    workspace.grader(&["watch", "--lang", "nosuch"]).status(2).says("unknown language");
}

/// A workspace whose first submission makes the returned file and then waits.
fn waiting() -> (Workspace, std::path::PathBuf) {
    let workspace = Workspace::with_sum().without_walls();
    let mark = workspace.path("started");
    let body = format!("touch {}\nexec sleep 90\n", mark.display());
    workspace.problem("sum").toml("limits.wall_limit = 100\n").submission("accepted/sum.sh", &body);
    (workspace, mark)
}

#[track_caller]
fn until_there(mark: &std::path::Path) {
    let begun = Instant::now();
    while !mark.exists() {
        assert!(begun.elapsed().as_secs() < 60, "the submission was never started");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[apply(cli_test)]
fn a_signal_during_a_run_ends_it() {
    let (workspace, mark) = waiting();
    let watch = Watch::spawn(&workspace, &[]);
    until_there(&mark);
    assert_eq!(watch.end(), 130);
}

#[apply(cli_test)]
fn a_save_ends_the_stale_run() {
    let (workspace, mark) = waiting();
    // It comes after the one that waits, so the first run does not reach it.
    workspace.problem("sum").toml("limits.wall_limit = 100\nreference = \"sum.sh\"\n");
    workspace.problem("sum").submission("accepted/zwrong.sh", WRONG);
    let mut watch = Watch::spawn(&workspace, &["-j1"]);
    until_there(&mark);
    // What affects nothing ends nothing.
    std::fs::remove_file(&mark).unwrap();
    workspace.file("problems/sum/README.md", "x\n");
    std::thread::sleep(Duration::from_millis(500));
    assert!(!watch.shown.lock().unwrap().contains("saved "));
    let begun = Instant::now();
    let shown = watch.save(OURS, SUM);
    // The programs would have waited for 90 s.
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
    has(&shown, &["2 not finished", "saved problems/sum/submissions/accepted/sum.sh", "expected AC, got WA"]);
    // The other submission, which the first run had not reached, ran too.
    has(&shown, &["accepted/zwrong.sh", "1 as expected, 1 unexpected"]);
    // The next save is noticed as ever.
    has(&watch.save(OURS, WRONG), &["AC → WA"]);
    assert_eq!(watch.end(), 130);
}
