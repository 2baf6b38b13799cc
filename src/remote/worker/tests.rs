//! Measures how the number of workers changes the throughput if neither cores nor sandboxes limit it: many real workers
//! in one process, whose sandbox only sleeps. Needs `nats-server` in `PATH`. To see the figures:
//!
//! ```text
//! cargo test --release --features nats --lib -- --ignored --nocapture a_hundred_workers
//! ```

use std::env;
use std::fs::{self, File};
use std::io::Write as _;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime};

use super::serve_on;
use crate::engine::bench::Bench;
use crate::event::Event;
use crate::limits::Usage;
use crate::remote::broker::{Address, Broker};
use crate::remote::cache::BlobCache;
use crate::remote::client::{Client, ClientOptions, Terms};
use crate::remote::configuration::{Configuration, User};
use crate::remote::wire::{Hello, Profile, SCHEMA};
use crate::remote::worker::floor::Floor;
use crate::sandbox::{
    Canceller, ControlGroups, Conversation, Exit, Interaction, Isolation, MemoryScope, Outcome, Place, Request,
    Sandbox, SandboxError, Side, Sight, Sink, Workdir, WrittenBytes,
};
use crate::session::{Selection, Session};
use crate::workspace::{Surroundings, Workspace};

/// A sandbox in which every program ends well, without output, after a while.
struct Stub<'a> {
    /// How long a program runs, in milliseconds.
    takes: &'a AtomicU64,
    dir: PathBuf,
    canceller: Canceller,
}

impl Sandbox for Stub<'_> {
    fn run(&mut self, _: Side, request: &Request, _: File, sink: &mut dyn Sink) -> Result<Outcome, SandboxError> {
        // The check of a script before its run takes no time, and neither does a question for the version of bash.
        let is_check = request.argv.iter().any(|word| word == "-n");
        let is_question = matches!(request.place, Place::Host(_));
        if is_question {
            sink.stdout(b"GNU bash, version 5.2\n");
        }
        let wall = if is_check || is_question { 0 } else { self.takes.load(Ordering::SeqCst) };
        let wall = Duration::from_millis(wall);
        std::thread::sleep(wall);
        Ok(Outcome {
            exit: Exit::Code(0),
            killed: None,
            usage: Usage { wall, ..Usage::default() },
            memory_scope: MemoryScope::Tree,
            survivors: 0,
            printed: WrittenBytes::default(),
            crossed: None,
            waited: Duration::ZERO,
        })
    }

    fn interact(&mut self, _: &Request, _: &Request, _: &mut dyn Conversation) -> Result<Interaction, SandboxError> {
        unreachable!("no problem here is interactive")
    }

    fn fresh_box(&mut self, _: Side, _: &Sight) -> Result<Workdir, SandboxError> {
        Workdir::at(&self.dir).map_err(|source| SandboxError::System { what: "the box of a stub".to_owned(), source })
    }

    fn program_dir(&self, dir: &Path) -> PathBuf {
        dir.to_owned()
    }

    fn isolation(&self) -> Isolation {
        Isolation::None
    }

    fn control_groups(&self) -> Vec<ControlGroups> {
        Vec::new()
    }

    fn canceller(&self) -> Canceller {
        self.canceller.clone()
    }
}

/// A broker that ends with its value.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Server {
    /// Starts a broker, with a user for each of `workers` workers.
    fn start(dir: &Path, workers: usize) -> (Self, Configuration) {
        let listen = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
        let user = |name: String| User::new(&name).unwrap();
        let configuration = Configuration {
            listen: listen.clone(),
            reached: listen.clone(),
            dir: dir.join("nats"),
            certificate: None,
            client: user("client".to_owned()),
            workers: (0..workers).map(|number| user(format!("w{number}"))).collect(),
        };
        fs::write(dir.join("nats.conf"), configuration.text()).unwrap();
        #[expect(clippy::disallowed_methods, reason = "a broker is started, not a submission")]
        let mut server = Command::new("nats-server");
        server.arg("-c").arg(dir.join("nats.conf")).stdout(Stdio::null()).stderr(Stdio::null());
        let server = Self(server.spawn().unwrap());
        while TcpStream::connect(&listen).is_err() {
            std::thread::sleep(Duration::from_millis(20));
        }
        (server, configuration)
    }
}

fn workspace(dir: &Path) -> Workspace {
    fs::create_dir_all(dir).unwrap();
    fs::write(dir.join("grader.toml"), "isolation = \"none\"\n").unwrap();
    let surroundings = Surroundings::new(dir.to_owned(), env::current_exe().unwrap(), env::vars_os());
    Workspace::open(surroundings).unwrap()
}

fn address(url: &str) -> Address {
    Address { url: url.to_owned(), authority: None, password: None }
}

/// A worker with one slot. Ends after `done`.
fn work(dir: &Path, name: &str, url: &str, takes: &AtomicU64, done: &AtomicBool) {
    let workspace = workspace(dir);
    let broker = Broker::connect(&address(url), "a worker with a stub").unwrap();
    let cache = BlobCache::open(&dir.join("cache"), 1 << 30).unwrap();
    let profile = Profile {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        limits_memory: false,
        isolation: Isolation::None,
        machine: "stub".to_owned(),
        tools: [("bash".to_owned(), "stub".to_owned())].into(),
    };
    let hello = Hello {
        schema: SCHEMA,
        name: name.to_owned(),
        label: "default".to_owned(),
        profile,
        slots: 1,
        cores: 1,
        notices: Vec::new(),
        clock: SystemTime::UNIX_EPOCH,
        repeats: Vec::new(),
        leaves: None,
        host: String::new(),
        instance: String::new(),
    };
    let resources = workspace.resources(crate::store::Store::disabled(), Isolation::None);
    let stub = Stub { takes, dir: dir.join("box"), canceller: Canceller::new().unwrap() };
    let bench = Bench::new(&resources, Box::new(stub), None);
    let scratch = dir.join("scratch");
    fs::create_dir(&scratch).unwrap();
    fs::create_dir(dir.join("box")).unwrap();
    let floor = Floor::new(broker, cache, &workspace, hello, &scratch);
    floor.listen().unwrap();
    std::thread::scope(|scope| {
        scope.spawn(|| serve_on(&floor, vec![bench], &scratch, false));
        while !done.load(Ordering::SeqCst) {
            std::thread::sleep(Duration::from_millis(100));
        }
        floor.ends.store(true, Ordering::SeqCst);
        floor.stop();
    });
}

/// Ends the workers, also if the run fails.
struct EndOfWorkers<'a>(&'a AtomicBool);

impl Drop for EndOfWorkers<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

#[test]
#[ignore = "a measurement; it starts a broker and hundreds of threads"]
fn a_hundred_workers_whose_sandbox_only_sleeps() {
    // A hundred machines have a hundred disks. Here, one disk would be the bottleneck.
    let dir = tempfile::tempdir_in("/dev/shm").unwrap();
    let workers = 100;
    let (_server, configuration) = Server::start(dir.path(), workers);
    let takes = AtomicU64::new(0);
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for (number, user) in configuration.workers.iter().enumerate() {
            let dir = dir.path().join(&user.name);
            let url = configuration.url(user);
            let takes = &takes;
            let done = &done;
            let name = format!("w{number}");
            scope.spawn(move || work(&dir, &name, &url, takes, done));
        }
        let _done = EndOfWorkers(&done);
        let address = address(&configuration.url(&configuration.client));
        let terms = Terms { lease: Duration::from_secs(30), words: Vec::new(), expected: None };
        let options = ClientOptions { address, pool: None, is_urgent: None, terms };
        // Every worker needs some time to start.
        std::thread::sleep(Duration::from_secs(5));
        // The first run makes the streams, and every worker asks its tools.
        for (milliseconds, jobs) in [(100, 400), (200, 4000), (1000, 2000)] {
            takes.store(milliseconds, Ordering::SeqCst);
            let there = dir.path().join(format!("client{milliseconds}"));
            make_problem(&there, jobs);
            let client = workspace(&there).with_machines(Arc::new(Client::new(options.clone())));
            measure(client, workers, jobs, Duration::from_millis(milliseconds));
        }
    });
}

/// A problem with so many submissions and one test.
fn make_problem(dir: &Path, jobs: usize) {
    let write = |path: &str, text: String| {
        let path = dir.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    for number in 0..jobs {
        write(&format!("problems/p/submissions/accepted/{number}.sh"), format!("# {number}\n"));
    }
    write("problems/p/problem.toml", "reference = \"accepted/0.sh\"\n[limits]\ntime_limit = 5\n".to_owned());
    write("testcases/p/sample/1.in", String::new());
    write("testcases/p/sample/1.ans", String::new());
}

fn measure(client: Workspace, workers: usize, jobs: usize, takes: Duration) {
    let session = Session::open(client, &Selection::default()).unwrap();
    let begun = Instant::now();
    let mut first = None;
    let mut last = begun;
    let report = session.run(|event| {
        if matches!(event, Event::SubmissionFinished(_)) {
            last = Instant::now();
            first.get_or_insert(last);
        }
    });
    assert_eq!(report.unwrap().counts().met, jobs);
    let ideal = takes * u32::try_from(jobs / workers).unwrap();
    let all = last - begun;
    let steady = last - first.unwrap() + takes;
    let share = |time: Duration| 100.0 * ideal.as_secs_f64() / time.as_secs_f64();
    let text = format!(
        "{workers} workers, {jobs} jobs of {takes:?}: {all:.2?}, {:.1} % of the ideal; from the first result on {steady:.2?}, {:.1} %\n",
        share(all),
        share(steady)
    );
    std::io::stderr().write_all(text.as_bytes()).unwrap();
}
