//! A temporary problem set, the real binary, and a view of the process table from outside.

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use libtest_mimic::Failed;
use serde_json::Value;
use tempfile::TempDir;

/// How long after the grader's end its processes may still be seen: the keepers need a moment to notice.
const GRACE: Duration = Duration::from_secs(20);

/// Whether a program of this name is in `PATH`.
pub(crate) fn is_installed(tool: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|dir| dir.join(tool).is_file())
}

/// The tool that programs with this extension need.
pub(crate) fn tool_for(file: &Path) -> &'static str {
    match file.extension().and_then(|extension| extension.to_str()) {
        Some("c") => "gcc",
        Some("cpp") => "g++",
        Some("py") => "python3",
        Some("rs") => "rustc",
        _ => "sh",
    }
}

/// One problem `p` with one submission, in a directory that stands for everything that belongs to it.
pub(crate) struct Workspace {
    dir: TempDir,
    /// What the grader shall be run from; holds the path of the workspace, as all that it starts.
    binary: PathBuf,
}

impl Workspace {
    pub(crate) fn new(configuration: &str) -> Result<Self, Failed> {
        let dir = tempfile::Builder::new().prefix("hostile-").tempdir_in(env!("CARGO_TARGET_TMPDIR"))?;
        let binary = dir.path().join("grader");
        fs::hard_link(env!("CARGO_BIN_EXE_grader"), &binary)?;
        fs::create_dir(dir.path().join("tmp"))?;
        let new = Self { dir, binary };
        new.write("grader.toml", &format!("problems = [\"problems\"]\ntestcases = \"testcases\"\n{configuration}"))?;
        Ok(new)
    }

    pub(crate) fn path(&self) -> &Path {
        self.dir.path()
    }

    pub(crate) fn write(&self, name: &str, text: &str) -> Result<(), Failed> {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().unwrap_or(&path))?;
        fs::write(path, text)?;
        Ok(())
    }

    /// Puts a file into the problem.
    pub(crate) fn copy(&self, from: &Path, name: &str) -> Result<(), Failed> {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().unwrap_or(&path))?;
        fs::copy(from, path)?;
        Ok(())
    }

    /// Adds a case to the problem.
    pub(crate) fn case(&self, name: &str, input: &str, answer: &str) -> Result<(), Failed> {
        self.write(&format!("testcases/p/secret/{name}.in"), input)?;
        self.write(&format!("testcases/p/secret/{name}.ans"), answer)
    }

    /// `grader run` with a report, ready to be started; it begins with some signals ignored, as a job of a script does.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        #[expect(clippy::disallowed_methods, reason = "the grader itself is what is tested")]
        let mut command = Command::new("/bin/sh");
        command.args(["-c", "trap '' HUP QUIT USR1; exec \"$0\" \"$@\""]);
        command.arg(&self.binary).args(["run", "--report", "jsonl=report.jsonl", "--color", "never"]).args(arguments);
        command.current_dir(self.path()).env("TMPDIR", self.path().join("tmp")).stdin(Stdio::null());
        command
    }

    /// Starts the grader; its output goes to files.
    pub(crate) fn start(&self, arguments: &[&str]) -> Result<Started, Failed> {
        let file = |name: &str| fs::File::create(self.path().join(name));
        let child = self.command(arguments).stdout(file("stdout")?).stderr(file("stderr")?).spawn()?;
        Ok(Started { child })
    }

    /// Runs the grader to its end.
    pub(crate) fn run(&self, arguments: &[&str], within: Duration) -> Result<Ended, Failed> {
        Ok(self.ended(self.start(arguments)?.wait(within)?))
    }

    /// What a grader that has ended left behind in writing.
    pub(crate) fn ended(&self, status: ExitStatus) -> Ended {
        let text = |name: &str| fs::read_to_string(self.path().join(name)).unwrap_or_default();
        let events = text("report.jsonl").lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        let said = format!("{}{}", text("stdout"), text("stderr"));
        Ended { code: status.code().unwrap_or(-status.signal().unwrap_or(0)), events, said }
    }

    /// Fails when anything of this workspace is still alive after a moment; kills it in any case.
    pub(crate) fn expect_nobody(&self) -> Result<(), Failed> {
        let deadline = Instant::now() + GRACE;
        loop {
            let alive = self.alive();
            if alive.is_empty() {
                return Ok(());
            }
            if Instant::now() > deadline {
                for (pid, _) in &alive {
                    kill(*pid, rustix::process::Signal::KILL);
                }
                return Err(format!("outlived the run: {alive:?}").into());
            }
            sleep(Duration::from_millis(20));
        }
    }

    /// Processes that carry the path of this workspace: their ids, and what they are.
    pub(crate) fn alive(&self) -> Vec<(i32, String)> {
        let Ok(entries) = fs::read_dir("/proc") else { return Vec::new() };
        let pids = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
        pids.filter_map(|pid| self.belongs(pid).map(|what| (pid, what))).collect()
    }

    fn belongs(&self, pid: i32) -> Option<String> {
        let process = PathBuf::from(format!("/proc/{pid}"));
        let marker = self.path().to_string_lossy().into_owned();
        let text = |name: &str| {
            let bytes = fs::read(process.join(name)).unwrap_or_default();
            String::from_utf8_lossy(&bytes).replace('\0', " ")
        };
        let link = |name: &str| fs::read_link(process.join(name)).unwrap_or_default().to_string_lossy().into_owned();
        let command = text("cmdline");
        let carries =
            [&command, &text("environ"), &link("exe"), &link("cwd")].iter().any(|text| text.contains(&marker));
        carries.then(|| command.trim().to_owned())
    }
}

impl Drop for Workspace {
    fn drop(&mut self) {
        // What a program made unreadable must not stay here for ever.
        #[expect(clippy::disallowed_methods, reason = "cleaning up after a test")]
        let mut chmod = Command::new("chmod");
        let _ = chmod.args(["-R", "u+rwx"]).arg(self.path().join("tmp")).stderr(Stdio::null()).status();
    }
}

/// A grader that runs.
pub(crate) struct Started {
    child: Child,
}

impl Started {
    pub(crate) fn pid(&self) -> i32 {
        self.child.id().cast_signed()
    }

    /// Waits for its end; kills it when that does not come.
    pub(crate) fn wait(mut self, within: Duration) -> Result<ExitStatus, Failed> {
        let deadline = Instant::now() + within;
        loop {
            if let Some(status) = self.child.try_wait()? {
                return Ok(status);
            }
            if Instant::now() > deadline {
                self.child.kill()?;
                self.child.wait()?;
                return Err(format!("the grader did not end within {within:?}").into());
            }
            sleep(Duration::from_millis(5));
        }
    }
}

/// A run of the grader that is over.
pub(crate) struct Ended {
    /// The exit status; minus the signal.
    pub(crate) code: i32,
    pub(crate) events: Vec<Value>,
    pub(crate) said: String,
}

impl Ended {
    /// Verdict and reason of a test: `JE` for a judge error, `CE` where there was nothing to run.
    pub(crate) fn result(&self, test: &str) -> (String, String) {
        let words = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        for event in &self.events {
            let result = &event["result"];
            if event["event"] == "built" && result["build"] != "ready" {
                let code = if result["build"] == "compile_error" { "CE".to_owned() } else { words(&result["build"]) };
                return (code, format!("{}{}", words(&result["message"]), words(&result["reason"])));
            }
            if event["event"] != "test_finished" || event["test"] != test {
                continue;
            }
            return match result["result"].as_str() {
                Some("judged") => {
                    // With its figures, where it has some.
                    let figures = &result["measured"]["reason"];
                    (words(&result["verdict"]), words(if figures.is_string() { figures } else { &result["reason"] }))
                }
                Some("judge_error") => ("JE".to_owned(), words(&result["message"])),
                other => (other.unwrap_or_default().to_owned(), String::new()),
            };
        }
        ("nothing".to_owned(), self.said.clone())
    }
}

/// Sends a signal to one process.
pub(crate) fn kill(pid: i32, signal: rustix::process::Signal) {
    if let Some(pid) = rustix::process::Pid::from_raw(pid) {
        let _ = rustix::process::kill_process(pid, signal);
    }
}
