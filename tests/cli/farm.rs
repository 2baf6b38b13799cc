//! A broker and workers of their own, for one test.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::cli::run::{Call, Run};
use crate::cli::workspace::Workspace;
use crate::under_test::{grader, path};

/// The lease of jobs in tests.
pub(crate) const LEASE: &str = "1s";

/// A broker with workers. Everything ends with it.
pub(crate) struct Farm {
    dir: tempfile::TempDir,
    host: &'static str,
    port: u16,
    /// The words of everybody who connects over TLS.
    trust: Vec<String>,
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
        Self::at("127.0.0.1", false)
    }

    /// A broker at an address of this machine that others reach, with a certificate.
    pub(crate) fn protected(host: &'static str) -> Self {
        Self::at(host, true)
    }

    fn at(host: &'static str, is_protected: bool) -> Self {
        let dir = tempfile::Builder::new().prefix("farm-").tempdir().unwrap();
        // Another process may take the port before the broker does; then the test fails, and says so.
        let port = TcpListener::bind((host, 0)).unwrap().local_addr().unwrap().port();
        let trust = Vec::new();
        let mut farm = Self { dir, host, port, trust, broker: None, urls: BTreeMap::new(), workers: BTreeMap::new() };
        let listen = format!("{host}:{port}");
        let words = ["engine", "config", "--out", "nats.conf", "--listen", &listen];
        let workers = ["--worker", "w1", "--worker", "w2", "--worker", "w3"];
        let mut words = [&words[..], &workers].concat();
        if is_protected {
            farm.make_certificate();
            farm.trust = vec!["--ca".to_owned(), farm.path("ca.pem").display().to_string()];
            words.extend(["--cert", "server.pem", "--key", "server.key"]);
        }
        let told = Call::any(farm.dir.path(), &words).run();
        told.status(0);
        for url in told.stdout.split_whitespace().filter(|word| word.contains("://")) {
            let user = url.split("://").nth(1).unwrap().split(':').next().unwrap();
            farm.urls.insert(user.to_owned(), url.to_owned());
        }
        assert_eq!(farm.urls.len(), 4, "{}", told.stdout);
        farm.make_tools("tools", &["bash", "sh", "sleep", "kill"]);
        farm.start_broker();
        farm
    }

    /// An authority, and a certificate of the broker.
    fn make_certificate(&self) {
        let subject = format!("subjectAltName=IP:{}\nbasicConstraints=CA:FALSE\n", self.host);
        fs::write(self.path("extension"), subject).unwrap();
        let new = "req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout";
        let lines = [
            format!(
                "{new} ca.key -x509 -out ca.pem -days 2 -subj /CN=authority -addext basicConstraints=critical,CA:TRUE"
            ),
            format!("{new} server.key -out request -subj /CN=broker"),
            "x509 -req -in request -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile extension -out server.pem"
                .to_owned(),
        ];
        for line in lines {
            let made = command("openssl").args(line.split(' ')).current_dir(self.dir.path()).output().unwrap();
            assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        }
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
        while TcpStream::connect((self.host, self.port)).is_err() {
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
        self.start_behind(&[], name, tools, more);
    }

    /// Starts a worker as the end of a command line, such as one that enters another network.
    pub(crate) fn start_behind(&mut self, words: &[&str], name: &str, tools: &str, more: &[&str]) {
        let log = fs::File::options().create(true).append(true).open(self.path(&format!("{name}.log"))).unwrap();
        let mut worker = match words {
            [] => command(grader()),
            [first, rest @ ..] => {
                let found =
                    std::env::split_paths(path()).map(|dir| dir.join(first)).find(|file| file.is_file()).unwrap();
                let mut worker = command(found);
                worker.args(rest).arg(grader());
                worker
            }
        };
        worker.args(["worker", self.url(name), "-j1", "--isolation", "none", "--cache"]);
        worker.arg(self.path(&format!("cache-{name}"))).args(&self.trust).args(more);
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
        let trust: Vec<&str> = self.trust.iter().map(String::as_str).collect();
        [words, &["--engine", self.url("client"), "--lease", LEASE], &trust].concat()
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
        let trust = self.trust.clone();
        let trust: Vec<&str> = trust.iter().map(String::as_str).collect();
        let words = [words, &["--engine", &url, "--lease", LEASE, "--report", "jsonl=so-far.jsonl"], &trust].concat();
        let mut call = Call::any(&workspace.path(""), &words);
        let mut child = call.start();
        let so_far = || fs::read_to_string(workspace.path("so-far.jsonl")).unwrap_or_default();
        let _ = fs::remove_file(workspace.path("so-far.jsonl"));
        let count = || so_far().matches("submission_finished").count();
        let until = Instant::now() + Duration::from_secs(60);
        while count() < results && Instant::now() < until {
            assert!(child.try_wait().unwrap().is_none(), "it has ended: {}", call.wait(child).all());
            std::thread::sleep(Duration::from_millis(10));
        }
        let begun = Instant::now();
        if std::env::var_os("FAULT_TIMES").is_none() {
            event(self);
            return call.wait(child);
        }
        // The longest time without a result, from the fault on: until work went on.
        let ended = AtomicBool::new(false);
        let mut last = (count(), begun);
        let mut longest = Duration::ZERO;
        std::thread::scope(|scope| {
            let watch = scope.spawn(|| {
                while !ended.load(Ordering::SeqCst) {
                    std::thread::sleep(Duration::from_millis(5));
                    let now = count();
                    if now > last.0 {
                        longest = longest.max(last.1.elapsed());
                        last = (now, Instant::now());
                    }
                }
                longest
            });
            event(self);
            let run = call.wait(child);
            ended.store(true, Ordering::SeqCst);
            let line = format!(
                "without a result for {:.2} s; {:.2} s in all\n",
                watch.join().unwrap().as_secs_f64(),
                begun.elapsed().as_secs_f64()
            );
            std::io::stderr().write_all(line.as_bytes()).unwrap();
            run
        })
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
