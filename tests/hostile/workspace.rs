//! A temporary problem set, the real binary, and what is left of a run.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::lchown;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::sleep;
use std::time::{Duration, Instant};

use libtest_mimic::Failed;
use serde_json::Value;
use tempfile::TempDir;
use walkdir::WalkDir;

use crate::hostile::layer::Layer;
use crate::hostile::outside;

/// How long after the grader's end its processes may still be seen: the keepers need a moment to notice.
const GRACE: Duration = Duration::from_secs(20);
/// How long things may be there that another grader has left.
const TIDY: Duration = Duration::from_secs(20);

/// One problem `p` with one submission, in a directory that stands for everything that belongs to it.
pub(crate) struct Workspace {
    layer: Layer,
    dir: TempDir,
    /// What the grader shall be run from; holds the path of the workspace, as all that it starts.
    binary: PathBuf,
    /// The user that the grader runs as, where that is another one.
    user: Option<u32>,
    seen: Arc<Sightings>,
}

/// What was seen of the graders of a workspace while they ran.
#[derive(Default)]
struct Sightings {
    /// The numbers that each claimed, as root.
    claims: Mutex<BTreeMap<i32, BTreeSet<u32>>>,
    pids: Mutex<Vec<i32>>,
}

impl Sightings {
    /// Looks for the numbers that a grader has claimed. Returns whether there are any.
    fn look(&self, pid: i32) -> bool {
        let claims = outside::claims_of(pid);
        let has_any = !claims.is_empty();
        if has_any {
            // Not those of before: one that was not free after all is given back.
            self.claims.lock().unwrap_or_else(PoisonError::into_inner).insert(pid, claims);
        }
        has_any
    }

    fn claims(&self) -> Vec<u32> {
        let claims = self.claims.lock().unwrap_or_else(PoisonError::into_inner);
        claims.values().flatten().copied().collect()
    }

    fn pids(&self) -> Vec<i32> {
        self.pids.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Workspace {
    pub(crate) fn new(layer: Layer, configuration: &str) -> Result<Self, Failed> {
        // An ordinary user may not be able to enter the place where this was built.
        let dir = tempfile::Builder::new().prefix("hostile-").tempdir()?;
        let binary = dir.path().join("grader");
        if fs::hard_link(crate::under_test::grader(), &binary).is_err() {
            crate::under_test::copy_grader(&binary)?;
        }
        let new = Self { layer, dir, binary, user: layer.changes_user().then(new_user), seen: Arc::default() };
        fs::create_dir(new.path().join("tmp"))?;
        new.write("home/secret", "a secret of the user\n")?;
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

    /// Puts a file into the problem; `@WORKSPACE@` in it becomes the path of the workspace.
    pub(crate) fn copy(&self, from: &Path, name: &str) -> Result<(), Failed> {
        let text = fs::read_to_string(from)?;
        self.write(name, &text.replace("@WORKSPACE@", &self.path().to_string_lossy()))
    }

    /// Adds a case to the problem.
    pub(crate) fn case(&self, name: &str, input: &str, answer: &str) -> Result<(), Failed> {
        self.write(&format!("testcases/p/secret/{name}.in"), input)?;
        self.write(&format!("testcases/p/secret/{name}.ans"), answer)
    }

    /// What of the workspace is the user's own and must stay as it is.
    pub(crate) fn precious(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let places = ["problems", "testcases", "home", "grader.toml"];
        outside::contents(&places.map(|name| self.path().join(name)))
    }

    /// The grader, ready to be started in the layer of this workspace.
    fn command(&self, arguments: &[&str]) -> Result<Command, Failed> {
        self.command_as_chosen(&[arguments, &["--isolation", self.layer.name()]].concat())
    }

    /// The grader, ready to be started; it begins with some signals ignored, as a job of a script does.
    fn command_as_chosen(&self, arguments: &[&str]) -> Result<Command, Failed> {
        #[expect(clippy::disallowed_methods, reason = "the grader itself is what is tested")]
        let mut command = Command::new("/bin/sh");
        command.args(["-c", "trap '' HUP QUIT USR1; exec \"$0\" \"$@\""]);
        command.arg(&self.binary).args(arguments);
        command.current_dir(self.path()).env("TMPDIR", self.path().join("tmp")).stdin(Stdio::null());
        command.env("PATH", self.layer.path_variable()).env_remove("GRADER_ISOLATION");
        if let Some(user) = self.user {
            self.give_to(user)?;
            command.env("HOME", self.path().join("home")).uid(user).gid(user);
        }
        Ok(command)
    }

    /// Makes all but the binary, which has other names, that user's.
    fn give_to(&self, user: u32) -> Result<(), Failed> {
        for entry in WalkDir::new(self.path()) {
            let entry = entry?;
            if entry.path() != self.binary {
                lchown(entry.path(), Some(user), Some(user))?;
            }
        }
        Ok(())
    }

    /// Starts `grader run` with a report.
    pub(crate) fn start(&self, arguments: &[&str]) -> Result<RunningGrader, Failed> {
        let run = ["run", "--report", "jsonl=report.jsonl", "--color", "never"];
        self.spawn(self.command(&[&run, arguments].concat())?)
    }

    /// Judges the requests of a file to the end of the stream. The events are the results.
    pub(crate) fn judge_stream(&self, file: &str, arguments: &[&str], within: Duration) -> Result<FinishedRun, Failed> {
        let mut command = self.command(&[&["judge", "--stream"], arguments].concat())?;
        command.stdin(fs::File::open(self.path().join(file))?);
        let status = self.spawn(command)?.wait(within)?;
        Ok(FinishedRun { events: self.lines("stdout"), ..self.ended(status) })
    }

    /// Runs the grader to its end in the layer that it chooses. Its events are those of the report, or the results of the
    /// requests in `input`.
    pub(crate) fn run_as_chosen(
        &self,
        arguments: &[&str],
        input: Option<&str>,
        within: Duration,
    ) -> Result<FinishedRun, Failed> {
        let mut command = self.command_as_chosen(arguments)?;
        if let Some(input) = input {
            command.stdin(fs::File::open(self.path().join(input))?);
        }
        let ended = self.ended(self.spawn(command)?.wait(within)?);
        let events = if input.is_some() { self.lines("stdout") } else { self.lines("report.jsonl") };
        Ok(FinishedRun { events, ..ended })
    }

    /// Runs a script that finds the grader in the directory `bin`, in the layer that it chooses.
    pub(crate) fn run_script(
        &self,
        script: &Path,
        bin: &Path,
        (variable, value): (&str, &Path),
        within: Duration,
    ) -> Result<FinishedRun, Failed> {
        let path = std::env::join_paths(
            [bin.to_owned()].into_iter().chain(std::env::split_paths(&self.layer.path_variable())),
        )?;
        #[expect(clippy::disallowed_methods, reason = "the script starts the grader, which is what is tested")]
        let mut command = Command::new(script);
        command.current_dir(self.path()).env("TMPDIR", self.path().join("tmp")).stdin(Stdio::null());
        command.env("PATH", path).env_remove("GRADER_ISOLATION").env(variable, value);
        Ok(self.ended(self.spawn(command)?.wait(within)?))
    }

    /// Starts the grader; its output goes to files.
    fn spawn(&self, mut command: Command) -> Result<RunningGrader, Failed> {
        outside::new_mounts(self.path());
        let file = |name: &str| fs::File::create(self.path().join(name));
        let child = command.stdout(file("stdout")?).stderr(file("stderr")?).spawn()?;
        let started = RunningGrader { child, claims_users: self.layer.claims_users(), seen: Arc::clone(&self.seen) };
        self.seen.pids.lock().unwrap_or_else(PoisonError::into_inner).push(started.pid());
        Ok(started)
    }

    /// Runs the grader to its end.
    pub(crate) fn run(&self, arguments: &[&str], within: Duration) -> Result<FinishedRun, Failed> {
        Ok(self.ended(self.start(arguments)?.wait(within)?))
    }

    /// What a grader that has ended left behind in writing.
    pub(crate) fn ended(&self, status: ExitStatus) -> FinishedRun {
        let said = format!("{}{}", self.text("stdout"), self.text("stderr"));
        let code = status.code().unwrap_or(-status.signal().unwrap_or(0));
        FinishedRun { code, events: self.lines("report.jsonl"), said }
    }

    fn text(&self, name: &str) -> String {
        String::from_utf8_lossy(&fs::read(self.path().join(name)).unwrap_or_default()).into_owned()
    }

    /// The lines of a file that are JSON: a run that was killed leaves half a line.
    fn lines(&self, name: &str) -> Vec<Value> {
        self.text(name).lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
    }

    /// Fails when anything that a run made is still there after its end.
    pub(crate) fn expect_nothing_left(&self) -> Result<(), Failed> {
        self.expect_nobody()?;
        // A grader of another test that was killed may have had the number of ours last: its next one tidies up.
        let deadline = Instant::now() + TIDY;
        loop {
            let left = self.left()?;
            if left.is_empty() {
                return Ok(());
            }
            if Instant::now() > deadline {
                return Err(format!("left behind: {left:?}").into());
            }
            sleep(Duration::from_millis(200));
        }
    }

    /// Files, control groups, mounts and objects of its graders.
    fn left(&self) -> Result<Vec<String>, Failed> {
        let files = fs::read_dir(self.path().join("tmp"))?.flatten().map(|entry| entry.path().display().to_string());
        let groups = self.control_groups().into_iter().map(|path| path.display().to_string());
        Ok(files.chain(groups).chain(outside::new_mounts(self.path())).chain(outside::ipc_of(&self.users())).collect())
    }

    /// The control groups that its graders have left.
    pub(crate) fn control_groups(&self) -> Vec<PathBuf> {
        self.with_control_groups(|groups| groups)
    }

    /// Hands them over while no other grader can take their names.
    fn with_control_groups<T>(&self, act: impl FnOnce(Vec<PathBuf>) -> T) -> T {
        let claims = self.seen.claims().into_iter();
        let held: Vec<_> = claims.filter_map(|number| Some((number, outside::hold(number)?))).collect();
        let claimed = held.iter().flat_map(|(number, _)| {
            // Names with a process id begin like those with a number.
            let name = format!("grader-{number}");
            outside::control_groups(&name).into_iter().filter(move |path| path.ends_with(&name))
        });
        let own = self.seen.pids().into_iter().flat_map(|pid| outside::control_groups(&format!("grader-{pid}")));
        act(claimed.chain(own.filter(|_| self.layer == Layer::User)).collect())
    }

    /// The users that nobody but its graders has.
    fn users(&self) -> Vec<u32> {
        self.user.into_iter().chain(self.seen.claims().into_iter().flat_map(outside::users_of)).collect()
    }

    /// Fails when anything of this workspace is still alive after a moment; kills it in any case.
    pub(crate) fn expect_nobody(&self) -> Result<(), Failed> {
        if self.layer.claims_users() && self.seen.claims().is_empty() {
            return Err("the grader was never seen to claim a user, so that nobody knows what to look for".into());
        }
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

    /// Processes that carry the path of this workspace, have a user of its own, or descend from its grader: their ids, and
    /// what they are.
    pub(crate) fn alive(&self) -> Vec<(i32, String)> {
        let (runs, dead): (Vec<i32>, Vec<i32>) = self.seen.pids().into_iter().partition(|pid| self.carries_path(*pid));
        for pid in runs.iter().chain(&dead) {
            self.seen.look(*pid);
        }
        let claims = self.seen.claims();
        // Once the grader is gone another one may take the number over.
        let locks: Vec<_> = claims.into_iter().map(|number| (number, outside::hold(number))).collect();
        let ours = locks.iter().filter(|(_, lock)| lock.is_some() || !runs.is_empty());
        let users: Vec<u32> =
            self.user.into_iter().chain(ours.flat_map(|(number, _)| outside::users_of(*number))).collect();
        let processes = outside::processes();
        let belongs = |pid: i32, process: &outside::Process| {
            (users.contains(&process.user) && !self.is_of_another(&processes, pid))
                || runs.iter().any(|run| outside::is_below(&processes, pid, *run))
                || (!process.is_of_the_kernel() && self.carries_path(pid))
        };
        let alive = processes.iter().filter(|(pid, process)| belongs(**pid, process));
        alive.map(|(pid, _)| (*pid, outside::command_line(*pid))).collect()
    }

    /// Whether a process descends from the grader of another test. One in a container does not see the numbers that others have
    /// claimed, so it may have the same users.
    fn is_of_another(&self, processes: &BTreeMap<i32, outside::Process>, pid: i32) -> bool {
        let parent = |pid: &i32| processes.get(pid).map(|process| process.parent);
        let marker = self.path().to_string_lossy().into_owned();
        std::iter::successors(parent(&pid), parent).any(|above| {
            let command = outside::command_line(above);
            command.contains("/hostile-") && !command.contains(&marker)
        })
    }

    /// Processes that its graders have started and that still descend from them.
    pub(crate) fn running(&self) -> Vec<(i32, String)> {
        let processes = outside::processes();
        let graders = self.seen.pids();
        // Seen while it runs: of one that is killed nothing can be learnt any more.
        for pid in &graders {
            self.seen.look(*pid);
        }
        let is_ours = |pid: i32| graders.iter().any(|grader| outside::is_below(&processes, pid, *grader));
        let ours = processes.keys().copied().filter(|pid| is_ours(*pid));
        ours.map(|pid| (pid, outside::command_line(pid))).collect()
    }

    fn carries_path(&self, pid: i32) -> bool {
        let process = PathBuf::from(format!("/proc/{pid}"));
        let marker = self.path().to_string_lossy().into_owned();
        let text = |name: &str| {
            let bytes = fs::read(process.join(name)).unwrap_or_default();
            String::from_utf8_lossy(&bytes).into_owned()
        };
        let link = |name: &str| fs::read_link(process.join(name)).unwrap_or_default().to_string_lossy().into_owned();
        [&text("cmdline"), &text("environ"), &link("exe"), &link("cwd")].iter().any(|text| text.contains(&marker))
    }
}

/// A user that nobody is: neither a person, nor one of systemd's, nor one of the grader's.
fn new_user() -> u32 {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    400_000 + std::process::id() % 1000 * 1000 + NEXT.fetch_add(1, Ordering::Relaxed) % 1000
}

impl Drop for Workspace {
    fn drop(&mut self) {
        // What was found has been reported, and must not stay on the machine.
        self.with_control_groups(|groups| groups.iter().rev().for_each(|group| drop(fs::remove_dir(group))));
        // What a program made unreadable must not stay here for ever.
        #[expect(clippy::disallowed_methods, reason = "cleaning up after a test")]
        let mut chmod = Command::new("chmod");
        let _ = chmod.args(["-R", "u+rwx"]).arg(self.path().join("tmp")).stderr(Stdio::null()).status();
    }
}

/// A grader that runs.
pub(crate) struct RunningGrader {
    child: Child,
    /// Whether it claims numbers of users.
    claims_users: bool,
    seen: Arc<Sightings>,
}

impl RunningGrader {
    pub(crate) fn pid(&self) -> i32 {
        self.child.id().cast_signed()
    }

    /// Waits for its end; kills it when that does not come.
    pub(crate) fn wait(mut self, within: Duration) -> Result<ExitStatus, Failed> {
        let deadline = Instant::now() + within;
        let mut next_look = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait()? {
                return Ok(status);
            }
            if self.claims_users && next_look <= Instant::now() {
                // A grader that has a number keeps it, or soon gives it back.
                let is_known = self.seen.look(self.pid());
                next_look = Instant::now() + Duration::from_millis(if is_known { 50 } else { 5 });
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
pub(crate) struct FinishedRun {
    /// The exit status; minus the signal.
    pub(crate) code: i32,
    pub(crate) events: Vec<Value>,
    pub(crate) said: String,
}

impl FinishedRun {
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
