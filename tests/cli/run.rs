//! One call of the binary and what came of it.

use std::ffi::{OsStr, OsString};
use std::io::{Read, Seek as _, Write as _};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::under_test::{self, grader};

/// Nothing that is tested takes longer, however busy the machine is.
const HANG: Duration = Duration::from_secs(300);

/// A call that can still be changed.
pub(crate) struct Call {
    command: Command,
    events: PathBuf,
    report: tempfile::TempDir,
}

impl Call {
    /// `grader run` with arguments in a directory, told to record its events.
    pub(crate) fn new(dir: &Path, args: &[&str]) -> Self {
        Self::recorded(dir, &[&["run"], args].concat())
    }

    /// Any subcommand that makes reports, told to record its events.
    pub(crate) fn recorded(dir: &Path, args: &[&str]) -> Self {
        let mut call = Self::any(dir, args);
        call.command.arg("--report").arg(join("jsonl=", &call.events));
        call
    }

    /// Any subcommand with its arguments.
    pub(crate) fn any(dir: &Path, args: &[&str]) -> Self {
        Self::program(dir, grader(), args)
    }

    /// A program that starts the grader.
    #[expect(clippy::disallowed_methods, reason = "the grader itself is started, not a submission")]
    pub(crate) fn program(dir: &Path, program: impl AsRef<OsStr>, args: &[&str]) -> Self {
        let report = tempfile::tempdir().unwrap();
        let events = report.path().join("events.jsonl");
        let mut command = Command::new(program);
        for (name, _) in std::env::vars_os() {
            // What the person who runs the tests prefers must not change their outcome.
            let name_text = name.to_string_lossy();
            if name_text.starts_with("GRADER_") || name_text.starts_with("CLICOLOR") || name_text == "NO_COLOR" {
                command.env_remove(name);
            }
        }
        command.current_dir(dir).env("COLUMNS", "110").env("PATH", under_test::path()).stdin(Stdio::null());
        command.args(args);
        Self { command, events, report }
    }

    /// A line that was printed to be typed, run by a shell that finds the grader; runs are told to record their events.
    pub(crate) fn typed(dir: &Path, line: &str) -> Self {
        let mut line = line.to_owned();
        for command in ["grader run ", "grader judge "] {
            line = line.replacen(command, &format!("{command}--report \"$REPORT\" "), 1);
        }
        let call = Self::program(dir, "bash", &["-c", &line]);
        let binary = grader().parent().unwrap();
        let dirs = std::iter::once(binary.to_owned()).chain(std::env::split_paths(under_test::path()));
        let path = std::env::join_paths(dirs).unwrap();
        let report = join("jsonl=", &call.events);
        let call = call.env("REPORT", report);
        call.env("PATH", path)
    }

    /// Sets a variable.
    pub(crate) fn env(mut self, name: &str, value: impl Into<OsString>) -> Self {
        self.command.env(name, value.into());
        self
    }

    /// Puts something on standard input.
    pub(crate) fn input(mut self, text: &str) -> Self {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        file.rewind().unwrap();
        self.command.stdin(file);
        self
    }

    /// Starts it behind the words of another program that runs it.
    #[expect(clippy::disallowed_methods, reason = "the grader itself is started, not a submission")]
    pub(crate) fn behind(mut self, words: &[&str]) -> Self {
        let mut command = Command::new(words[0]);
        command.args(&words[1..]).arg(self.command.get_program());
        self.command = same(&self.command, command);
        self
    }

    /// Starts another copy of the grader.
    #[expect(clippy::disallowed_methods, reason = "the grader itself is started, not a submission")]
    pub(crate) fn copy(mut self, binary: &Path) -> Self {
        self.command = same(&self.command, Command::new(binary));
        self
    }

    /// Starts it as another user.
    pub(crate) fn user(mut self, user: u32) -> Self {
        std::os::unix::fs::chown(self.report.path(), Some(user), Some(user)).unwrap();
        self.command.uid(user).gid(user);
        self
    }

    /// Stands in another directory.
    pub(crate) fn dir(mut self, dir: impl AsRef<Path>) -> Self {
        self.command.current_dir(dir);
        self
    }

    /// Starts it without waiting; both streams are pipes.
    pub(crate) fn start(&mut self) -> Child {
        self.command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    }

    /// The same, with a pipe to its standard input.
    pub(crate) fn piped(&mut self) -> Child {
        self.command.stdin(Stdio::piped());
        self.start()
    }

    /// Runs it to its end.
    #[track_caller]
    pub(crate) fn run(mut self) -> Run {
        let child = self.start();
        self.wait(child)
    }

    /// Waits for what `start` has started, reading both streams.
    #[track_caller]
    pub(crate) fn wait(&self, mut child: Child) -> Run {
        let (stdout, stderr) = (drain(child.stdout.take()), drain(child.stderr.take()));
        let (status, peak) = wait(&mut child);
        let events = std::fs::read_to_string(&self.events).unwrap_or_default();
        Run {
            status: code(status),
            stdout: stdout.join().unwrap(),
            stderr: stderr.join().unwrap(),
            events: events.lines().map(|line| serde_json::from_str(line).unwrap()).collect(),
            peak,
        }
    }
}

/// `new` with the arguments and the surroundings of `old`.
fn same(old: &Command, mut new: Command) -> Command {
    new.args(old.get_args()).stdin(Stdio::null());
    for (name, value) in old.get_envs() {
        match value {
            Some(value) => new.env(name, value),
            None => new.env_remove(name),
        };
    }
    if let Some(dir) = old.get_current_dir() {
        new.current_dir(dir);
    }
    new
}

fn join(prefix: &str, path: &Path) -> OsString {
    let mut whole = OsString::from(prefix);
    whole.push(path);
    whole
}

fn drain(stream: Option<impl Read + Send + 'static>) -> std::thread::JoinHandle<String> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut stream) = stream {
            stream.read_to_end(&mut bytes).unwrap();
        }
        String::from_utf8(bytes).expect("what is shown is always UTF-8")
    })
}

/// Waits, and tells the status and the largest memory seen, in KiB.
#[track_caller]
fn wait(child: &mut Child) -> (ExitStatus, u64) {
    let begun = Instant::now();
    let mut peak = 0;
    loop {
        peak = peak.max(high_water(child.id()));
        if let Some(status) = child.try_wait().unwrap() {
            return (status, peak);
        }
        if begun.elapsed() > HANG {
            let _ = child.kill();
            panic!("the grader did not end within {} s", HANG.as_secs());
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// `VmHWM` of a process, which only grows; 0 once it is gone.
fn high_water(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or_default();
    line.trim().trim_end_matches(" kB").parse().unwrap_or(0)
}

fn code(status: ExitStatus) -> i32 {
    use std::os::unix::process::ExitStatusExt;
    status.code().unwrap_or_else(|| -status.signal().unwrap_or(0))
}

/// Whether an event tells what this machine lacks, which no test can know.
pub(crate) fn is_of_machine(event: &Value) -> bool {
    event["remedy"] == "run `grader doctor`: it shows how to fix this"
}

/// A document without its remark about other programs on this machine, which no test can know.
pub(crate) fn without_others(document: &str) -> String {
    let mut text = String::new();
    let mut lines = document.split_inclusive('\n').peekable();
    while let Some(line) = lines.next() {
        if line.contains("of this machine during the run") {
            lines.next_if(|line| line.trim().is_empty());
        } else {
            text.push_str(line);
        }
    }
    text
}

/// What came of a call.
pub(crate) struct Run {
    /// The exit status; a signal is negative.
    pub(crate) status: i32,
    /// Standard output.
    pub(crate) stdout: String,
    /// Standard error.
    pub(crate) stderr: String,
    /// The recorded events.
    pub(crate) events: Vec<Value>,
    /// The largest memory of the grader itself, in KiB.
    pub(crate) peak: u64,
}

impl Run {
    /// Asserts the exit status.
    #[track_caller]
    pub(crate) fn status(&self, status: i32) -> &Self {
        assert_eq!(self.status, status, "exit status; {}", self.all());
        self
    }

    /// Asserts that standard output holds a text.
    #[track_caller]
    pub(crate) fn shows(&self, text: &str) -> &Self {
        assert!(self.stdout.contains(text), "stdout lacks {text:?}; {}", self.all());
        self
    }

    /// Asserts that standard output does not hold a text.
    #[track_caller]
    pub(crate) fn hides(&self, text: &str) -> &Self {
        assert!(!self.stdout.contains(text), "stdout has {text:?}; {}", self.all());
        self
    }

    /// Asserts that standard error holds a text.
    #[track_caller]
    pub(crate) fn says(&self, text: &str) -> &Self {
        assert!(self.stderr.contains(text), "stderr lacks {text:?}; {}", self.all());
        self
    }

    /// Asserts that standard error is empty but for what this machine lacks.
    #[track_caller]
    pub(crate) fn silent(&self) -> &Self {
        let of_machine = |line: &&str| line.starts_with("note: ") || line.starts_with("  → `grader doctor` ");
        let others: Vec<&str> = self.stderr.lines().filter(|line| !of_machine(line)).collect();
        assert!(others.is_empty(), "stderr; {}", self.all());
        self
    }

    /// Asserts a submission's verdict and standing: `("sum.sh", "AC", "met")`; `-` stands for no verdict.
    #[track_caller]
    pub(crate) fn ends(&self, submission: &str, verdict: &str, standing: &str) -> &Self {
        let end = self.end(submission);
        let found = (end["verdict"].as_str().unwrap_or("-"), end["standing"]["standing"].as_str().unwrap_or_default());
        assert_eq!(found, (verdict, standing), "{submission}: {end}; {}", self.all());
        self
    }

    /// The `submission_finished` event of a submission.
    #[track_caller]
    pub(crate) fn end(&self, submission: &str) -> &Value {
        let mut ends = self.of("submission_finished").filter(|event| event["submission"] == submission);
        match (ends.next(), ends.next()) {
            (Some(end), None) => end,
            (None, _) => panic!("no end of {submission}; {}", self.all()),
            (Some(_), Some(_)) => panic!("several ends of {submission}; {}", self.all()),
        }
    }

    /// The result of one test of one submission.
    #[track_caller]
    pub(crate) fn test(&self, submission: &str, test: &str) -> &Value {
        let is_meant = |event: &&Value| event["of"]["submission"] == submission && event["test"] == test;
        match self.of("test_finished").find(is_meant) {
            Some(event) => &event["result"],
            None => panic!("{submission} was not run on {test}; {}", self.all()),
        }
    }

    /// Asserts one test's verdict and that its reason holds a text.
    #[track_caller]
    pub(crate) fn judged(&self, submission: &str, test: &str, verdict: &str, reason: &str) -> &Self {
        let result = self.test(submission, test);
        assert_eq!(result["verdict"], verdict, "{submission} on {test}: {result}");
        let told = result["measured"]["reason"].as_str().or(result["reason"].as_str()).unwrap_or_default();
        assert!(told.contains(reason), "{submission} on {test}: reason lacks {reason:?}: {result}");
        self
    }

    /// The names of the tests of a submission with an event of this kind.
    pub(crate) fn tests(&self, kind: &str, submission: &str) -> Vec<&str> {
        let of = self.of(kind).filter(|event| event["of"]["submission"] == submission);
        of.filter_map(|event| event["test"].as_str()).collect()
    }

    /// The events of one kind.
    pub(crate) fn of(&self, kind: &str) -> impl Iterator<Item = &Value> {
        self.events.iter().filter(move |event| event["event"] == kind)
    }

    /// The notices that are not about the machine.
    pub(crate) fn findings(&self) -> impl Iterator<Item = &Value> {
        self.of("notice").filter(|event| !is_of_machine(event))
    }

    /// How many results were measured in this run, and how many came from the store.
    pub(crate) fn measured_and_cached(&self) -> (usize, usize) {
        let cached = |event: &&Value| event["result"]["measured"]["cached"] == true;
        let all = self.of("test_finished").count();
        let cached = self.of("test_finished").filter(cached).count();
        (all - cached, cached)
    }

    /// Everything that was shown, for messages.
    pub(crate) fn all(&self) -> String {
        let events: Vec<String> = self.events.iter().map(Value::to_string).collect();
        format!(
            "status {}\n--- stdout\n{}\n--- stderr\n{}\n--- events\n{}",
            self.status,
            self.stdout,
            self.stderr,
            events.join("\n")
        )
    }
}
