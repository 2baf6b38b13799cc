//! Runs on workers: `cargo bench --features nats --bench workers [-- ASLEEP SHORT]`, 64 and 2048 programs without
//! numbers. Needs `nats-server` in `PATH`.
//!
//! Programs that sleep, so that cores do not limit: how much of the ideal 1, 2, 4, 8 and 16 workers reach, and what a job
//! costs the broker. Then programs that end at once: what workers and client cost, and their memory.
//!
//! Isolation is `none`: what a sandbox costs is measured by `--bench sandbox`.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How long a program sleeps.
const SLEEP: Duration = Duration::from_millis(500);

fn main() -> io::Result<()> {
    let numbers: Vec<usize> = std::env::args().skip(1).filter_map(|word| word.parse().ok()).collect();
    let [jobs, count] = [(0, 64), (1, 2048)].map(|(at, default)| numbers.get(at).copied().unwrap_or(default));
    if command("nats-server").arg("--version").output().is_err() {
        return writeln!(io::stderr(), "needs nats-server, which is not in PATH");
    }
    let dir = tempfile::tempdir()?;
    let mut out = io::stdout().lock();
    writeln!(out, "{jobs} programs that sleep {} ms", SLEEP.as_millis())?;
    let first = problem(&dir.path().join("first"), 1, "exit 0\n")?;
    let asleep = problem(&dir.path().join("asleep"), jobs, "exec /bin/sleep 0.5\n")?;
    for workers in [1, 2, 4, 8, 16].into_iter().filter(|_| jobs > 0) {
        let farm = Farm::new(&dir.path().join(format!("farm{workers}")), workers)?;
        // The first run of a broker makes its streams.
        farm.run(&first)?;
        let before = farm.broker_time();
        let (wall, _) = farm.run(&asleep)?;
        let rounds = u32::try_from(jobs.div_ceil(workers)).unwrap_or(u32::MAX);
        let ideal = SLEEP * rounds;
        let share = 100.0 * ideal.as_secs_f64() / wall.as_secs_f64();
        #[expect(clippy::cast_precision_loss, reason = "few jobs")]
        let broker = 1e3 * (farm.broker_time() - before) / jobs as f64;
        writeln!(
            out,
            "  {workers:>3} workers  {:>7.2} s  {share:>5.1} % of the ideal  broker {broker:.2} ms of cpu a job",
            wall.as_secs_f64()
        )?;
    }
    writeln!(out, "{count} programs that end at once, 2 workers")?;
    let short = problem(&dir.path().join("short"), count, "exit 0\n")?;
    let farm = Farm::new(&dir.path().join("farm"), 2)?;
    farm.run(&first)?;
    let before = farm.broker_time();
    let (wall, client) = farm.run(&short)?;
    #[expect(clippy::cast_precision_loss, reason = "few jobs")]
    let rate = count as f64 / wall.as_secs_f64();
    #[expect(clippy::cast_precision_loss, reason = "few jobs")]
    let broker = 1e3 * (farm.broker_time() - before) / count as f64;
    writeln!(out, "  {:.2} s, {rate:.0} jobs a second, broker {broker:.2} ms of cpu a job", wall.as_secs_f64())?;
    let [broker, worker] = [&farm.broker, &farm.workers[0]].map(|child| peak(child.id()));
    writeln!(out, "  peak memory: client {client} MiB, broker {broker} MiB, a worker {worker} MiB")?;
    Ok(())
}

/// A workspace whose one problem has so many programs.
fn problem(dir: &Path, count: usize, text: &str) -> io::Result<PathBuf> {
    let write = |path: &str, text: &str| {
        let path = dir.join(path);
        fs::create_dir_all(path.parent().unwrap_or(dir))?;
        fs::write(path, text)
    };
    write("grader.toml", "isolation = \"none\"\n")?;
    write("problems/p/problem.toml", "reference = \"accepted/0.sh\"\n[limits]\ntime_limit = 5\n")?;
    write("testcases/p/sample/1.in", "")?;
    write("testcases/p/sample/1.ans", "")?;
    for number in 0..count {
        write(&format!("problems/p/submissions/accepted/{number}.sh"), &format!("# {number}\n{text}"))?;
    }
    Ok(dir.to_owned())
}

/// A broker with workers of one slot.
struct Farm {
    broker: Child,
    workers: Vec<Child>,
    client: String,
}

#[expect(clippy::disallowed_methods, reason = "brokers, workers and clients are started, not submissions")]
fn command(program: &str) -> Command {
    Command::new(program)
}

fn grader() -> Command {
    command(env!("CARGO_BIN_EXE_grader"))
}

impl Farm {
    fn new(dir: &Path, count: usize) -> io::Result<Self> {
        let tools = dir.join("tools");
        fs::create_dir_all(&tools)?;
        std::os::unix::fs::symlink("/bin/bash", tools.join("bash"))?;
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let mut config = grader();
        config.current_dir(dir).args([
            "engine",
            "config",
            "--out",
            "nats.conf",
            "--listen",
            &format!("127.0.0.1:{port}"),
        ]);
        for worker in 0..count {
            config.args(["--worker", &format!("w{worker}")]);
        }
        let told = String::from_utf8_lossy(&config.output()?.stdout).into_owned();
        let mut urls = told.split_whitespace().filter(|word| word.starts_with("nats://")).map(str::to_owned);
        let log = File::create(dir.join("nats.log"))?;
        let mut broker = command("nats-server");
        let broker = broker.arg("-c").arg(dir.join("nats.conf")).stdout(log.try_clone()?).stderr(log).spawn()?;
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            std::thread::sleep(Duration::from_millis(20));
        }
        let mut workers = Vec::new();
        for (number, url) in urls.by_ref().take(count).enumerate() {
            let log = File::create(dir.join(format!("{number}.log")))?;
            let mut worker = grader();
            worker
                .args(["worker", &url, "-j1", "--isolation", "none", "--cache"])
                .arg(dir.join(format!("cache{number}")));
            worker.env("PATH", &tools).current_dir(dir).stdin(Stdio::null()).stdout(Stdio::null()).stderr(log);
            workers.push(worker.spawn()?);
        }
        for number in 0..count {
            while !fs::read_to_string(dir.join(format!("{number}.log")))?.contains("waiting for jobs") {
                std::thread::sleep(Duration::from_millis(20));
            }
        }
        Ok(Self { broker, workers, client: urls.next().unwrap_or_default() })
    }

    /// The time of a run, and the most memory of its client in MiB.
    fn run(&self, workspace: &Path) -> io::Result<(Duration, u64)> {
        let mut run = grader();
        run.current_dir(workspace).args(["run", "--no-cache", "--engine", &self.client]);
        let log = workspace.join("log");
        run.stdout(File::create(&log)?).stderr(Stdio::null());
        let begun = Instant::now();
        let mut child = run.spawn()?;
        let mut most = 0;
        let status = loop {
            most = peak(child.id()).max(most);
            if let Some(status) = child.try_wait()? {
                break status;
            }
            std::thread::sleep(Duration::from_millis(5));
        };
        if status.success() { Ok((begun.elapsed(), most)) } else { Err(io::Error::other(fs::read_to_string(log)?)) }
    }

    /// The cpu time of the broker, in seconds.
    fn broker_time(&self) -> f64 {
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.broker.id())).unwrap_or_default();
        let fields: Vec<f64> = stat.split_whitespace().filter_map(|field| field.parse().ok()).collect();
        // Fields 14 and 15 of `proc_pid_stat(5)`; two before them are no numbers. A tick is 10 ms.
        (fields[11] + fields[12]) / 100.0
    }
}

impl Drop for Farm {
    fn drop(&mut self) {
        for child in self.workers.iter_mut().chain([&mut self.broker]) {
            // It may have ended.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// The most memory that a process had, in MiB.
fn peak(process: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or_default() / 1024
}
