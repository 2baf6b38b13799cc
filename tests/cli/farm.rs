//! A broker and workers of their own, for one test.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::cli::run::{Call, Run};
use crate::cli::workspace::Workspace;
use crate::under_test::{grader, path};

/// The lease of jobs in tests.
pub(crate) const LEASE: &str = "1s";

/// A broker with workers. Everything ends with it.
pub(crate) struct Farm {
    dir: tempfile::TempDir,
    port: u16,
    broker: Option<Child>,
    /// The URLs by the names of users.
    urls: BTreeMap<String, String>,
    workers: BTreeMap<String, Child>,
}

#[expect(clippy::disallowed_methods, reason = "brokers and workers are started, not submissions")]
fn command(program: impl AsRef<std::ffi::OsStr>) -> Command {
    Command::new(program)
}

impl Farm {
    /// A broker alone.
    pub(crate) fn new() -> Self {
        let dir = tempfile::Builder::new().prefix("farm-").tempdir().unwrap();
        // Another process may take the port before the broker does; then the test fails, and says so.
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let mut farm = Self { dir, port, broker: None, urls: BTreeMap::new(), workers: BTreeMap::new() };
        let listen = format!("127.0.0.1:{port}");
        let words = ["engine", "config", "--out", "nats.conf", "--listen", &listen];
        let workers = ["--worker", "w1", "--worker", "w2", "--worker", "w3"];
        let told = Call::any(farm.dir.path(), &[&words[..], &workers].concat()).run();
        told.status(0);
        for url in told.stdout.split_whitespace().filter(|word| word.starts_with("nats://")) {
            let user = url.trim_start_matches("nats://").split(':').next().unwrap();
            farm.urls.insert(user.to_owned(), url.to_owned());
        }
        assert_eq!(farm.urls.len(), 4, "{}", told.stdout);
        farm.make_tools("tools", &["bash", "sh", "sleep", "kill"]);
        farm.start_broker();
        farm
    }

    /// A broker with two workers of one slot.
    pub(crate) fn with_two() -> Self {
        let mut farm = Self::new();
        farm.start("w1");
        farm.start("w2");
        farm.wait_for_workers(&["w1", "w2"]);
        farm
    }

    /// A directory with some programs of this machine.
    pub(crate) fn make_tools(&self, name: &str, tools: &[&str]) {
        fs::create_dir(self.path(name)).unwrap();
        for tool in tools {
            let found = std::env::split_paths(path()).map(|dir| dir.join(tool)).find(|file| file.is_file());
            if let Some(found) = found {
                symlink(found, self.path(name).join(tool)).unwrap();
            }
        }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub(crate) fn url(&self, user: &str) -> &str {
        &self.urls[user]
    }

    pub(crate) fn start_broker(&mut self) {
        let log = fs::File::options().create(true).append(true).open(self.path("nats.log")).unwrap();
        let mut broker = command("nats-server");
        broker.arg("-c").arg(self.path("nats.conf")).stdout(log.try_clone().unwrap()).stderr(log);
        self.broker = Some(broker.spawn().unwrap());
        let until = Instant::now() + Duration::from_secs(20);
        while TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            assert!(Instant::now() < until, "no broker: {}", fs::read_to_string(self.path("nats.log")).unwrap());
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Ends the broker without warning.
    pub(crate) fn kill_broker(&mut self) {
        let mut broker = self.broker.take().unwrap();
        broker.kill().unwrap();
        broker.wait().unwrap();
    }

    /// The files of the broker.
    pub(crate) fn broker_files(&self) -> PathBuf {
        self.path("nats.store")
    }

    /// Starts a worker with one slot.
    pub(crate) fn start(&mut self, name: &str) {
        self.start_with(name, "tools", &[]);
    }

    /// Starts a worker that finds its tools in this directory.
    pub(crate) fn start_with(&mut self, name: &str, tools: &str, more: &[&str]) {
        let log = fs::File::options().create(true).append(true).open(self.path(&format!("{name}.log"))).unwrap();
        let mut worker = command(grader());
        worker.args(["worker", self.url(name), "-j1", "--isolation", "none", "--cache"]);
        worker.arg(self.path(&format!("cache-{name}"))).args(more);
        worker.env("PATH", self.path(tools)).current_dir(self.dir.path()).stdin(Stdio::null());
        worker.stdout(log.try_clone().unwrap()).stderr(log);
        self.workers.insert(name.to_owned(), worker.spawn().unwrap());
    }

    /// Waits until workers say that they wait for jobs.
    pub(crate) fn wait_for_workers(&self, names: &[&str]) {
        let until = Instant::now() + Duration::from_secs(60);
        for name in names {
            while !self.log(name).contains("waiting for jobs") {
                assert!(Instant::now() < until, "{name}: {}", self.log(name));
                std::thread::sleep(Duration::from_millis(20));
            }
        }
    }

    pub(crate) fn log(&self, name: &str) -> String {
        fs::read_to_string(self.path(&format!("{name}.log"))).unwrap_or_default()
    }

    pub(crate) fn signal(&self, name: &str, signal: rustix::process::Signal) {
        let pid = rustix::process::Pid::from_child(&self.workers[name]);
        rustix::process::kill_process(pid, signal).unwrap();
    }

    /// Ends a worker without warning.
    pub(crate) fn kill(&mut self, name: &str) {
        let mut worker = self.workers.remove(name).unwrap();
        worker.kill().unwrap();
        worker.wait().unwrap();
    }

    /// The status of a worker that ended by itself.
    pub(crate) fn ended(&mut self, name: &str) -> Option<i32> {
        self.workers.get_mut(name)?.try_wait().unwrap().map(|status| status.code().unwrap_or(-1))
    }

    /// The words of a run on this farm.
    pub(crate) fn words<'a>(&'a self, words: &[&'a str]) -> Vec<&'a str> {
        [words, &["--engine", self.url("client"), "--lease", LEASE]].concat()
    }

    /// Runs to the end.
    pub(crate) fn run(&self, workspace: &Workspace, words: &[&str]) -> Run {
        workspace.grader(&self.words(words))
    }

    /// Starts a run, and lets something happen as soon as some results are there.
    pub(crate) fn run_while(
        &mut self,
        workspace: &Workspace,
        words: &[&str],
        results: usize,
        event: impl FnOnce(&mut Self),
    ) -> Run {
        let url = self.url("client").to_owned();
        let words = [words, &["--engine", &url, "--lease", LEASE, "--report", "jsonl=so-far.jsonl"]].concat();
        let mut call = Call::any(&workspace.path(""), &words);
        let mut child = call.start();
        let so_far = || fs::read_to_string(workspace.path("so-far.jsonl")).unwrap_or_default();
        let _ = fs::remove_file(workspace.path("so-far.jsonl"));
        let until = Instant::now() + Duration::from_secs(60);
        while so_far().matches("submission_finished").count() < results && Instant::now() < until {
            assert!(child.try_wait().unwrap().is_none(), "it has ended: {}", call.wait(child).all());
            std::thread::sleep(Duration::from_millis(10));
        }
        event(self);
        call.wait(child)
    }

    /// A connection without the client library.
    pub(crate) fn raw(&self, user: &str) -> Raw {
        Raw::connect(self.port, self.url(user))
    }
}

impl Drop for Farm {
    fn drop(&mut self) {
        for child in self.workers.values_mut().chain(&mut self.broker) {
            // It may have ended.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// A connection that speaks the protocol of NATS by hand ("NATS client protocol").
pub(crate) struct Raw {
    out: TcpStream,
    lines: BufReader<TcpStream>,
    user: String,
}

impl Raw {
    fn connect(port: u16, url: &str) -> Self {
        let out = TcpStream::connect(("127.0.0.1", port)).unwrap();
        out.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
        let lines = BufReader::new(out.try_clone().unwrap());
        let credentials = url.trim_start_matches("nats://").split('@').next().unwrap().to_owned();
        let (user, password) = credentials.split_once(':').unwrap();
        let mut raw = Self { out, lines, user: user.to_owned() };
        raw.line();
        let options = serde_json::json!({ "verbose": true, "pedantic": false, "user": user, "pass": password });
        raw.say(&format!("CONNECT {options}"));
        assert_eq!(raw.line(), "+OK");
        raw
    }

    fn say(&mut self, line: &str) {
        self.out.write_all(format!("{line}\r\n").as_bytes()).unwrap();
    }

    fn line(&mut self) -> String {
        loop {
            let mut line = String::new();
            self.lines.read_line(&mut line).unwrap();
            match line.trim_end() {
                "PING" => self.say("PONG"),
                line => return line.to_owned(),
            }
        }
    }

    /// Publishes, and returns what the broker says.
    pub(crate) fn publish(&mut self, subject: &str, payload: &str) -> String {
        self.say(&format!("PUB {subject} {}\r\n{payload}", payload.len()));
        let mut said = self.line();
        // A denial comes after the acknowledgement of the line.
        if said == "+OK" {
            self.say("PING");
            said = self.line();
        }
        if said == "PONG" { "+OK".to_owned() } else { said }
    }

    /// Subscribes, and returns what the broker says.
    pub(crate) fn subscribe(&mut self, subject: &str) -> String {
        self.say(&format!("SUB {subject} 9"));
        let said = self.line();
        if said != "+OK" {
            return said;
        }
        self.say("PING");
        let said = self.line();
        if said == "PONG" { "+OK".to_owned() } else { said }
    }

    /// Asks, and returns the answer.
    pub(crate) fn ask(&mut self, subject: &str, payload: &str) -> String {
        let place = format!("_INBOX_{}.raw", self.user);
        assert_eq!(self.subscribe(&place), "+OK");
        self.say(&format!("PUB {subject} {place} {}\r\n{payload}", payload.len()));
        loop {
            let line = self.line();
            assert!(!line.starts_with("-ERR"), "{line}");
            if line.starts_with("MSG ") {
                return self.line();
            }
        }
    }
}

/// Fails at the first line that differs.
pub(crate) fn same_record(there: &[String], here: &[String]) {
    for (there, here) in there.iter().zip(here) {
        assert_eq!(there, here);
    }
    assert_eq!(there.len(), here.len());
}
