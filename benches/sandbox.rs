//! The sandbox beside a bare start of the same program, and its clocks beside the truth:
//! `cargo bench --bench sandbox [-- SECTION…]`, as root and as an ordinary user.
//!
//! `cost`: `/bin/true` by `posix_spawn`, in each isolation that works here, and by `bwrap --unshare-all` where it is
//! installed, all by turns in one process at one priority. `start`: what comes before a slot's first program. `growth`:
//! both in a process that is small, and in one that is large. `clocks`: programs that burn a known cpu time in one
//! process, threads, children and orphans. `kill`: how far such programs get beyond a limit. Nothing here fails for being
//! slow: `docs/sandbox.md` says what is reached. `GRADER_ISOLATION` asks for one isolation alone.

#[path = "sandbox/burn.rs"]
mod burn;
#[path = "sandbox/clocks.rs"]
mod clocks;
#[path = "sandbox/growth.rs"]
mod growth;
#[path = "sandbox/kill.rs"]
mod kill;

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use grader::limits::{Bytes, Limits, Overflow};
use grader::sandbox::{Isolation, Outcome, Place, Request, Sandbox, Side, Sight, Sink, Slot};

const GRADER: &str = env!("CARGO_BIN_EXE_grader");
/// Measured runs of each kind, and those before that are not counted.
const RUNS: usize = 600;
const WARM_UP: usize = 30;

type Section = (&'static str, fn(&mut String, &Path) -> io::Result<()>);

const SECTIONS: [Section; 5] =
    [("cost", costs), ("start", starts), ("growth", growth::growth), ("clocks", clocks::clocks), ("kill", kill::kills)];

fn main() -> io::Result<()> {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let scratch = tempfile::tempdir()?;
    let load = || fs::read_to_string("/proc/loadavg");
    let mut text = format!("nice {}, load {}", rustix::process::getpriority_process(None)?, load()?);
    for (name, section) in SECTIONS {
        if wanted.is_empty() || wanted.iter().any(|word| word == name) {
            section(&mut text, scratch.path())?;
        }
    }
    write!(io::stdout(), "{text}\nload at the end {}", load()?)
}

/// The slots of every isolation that works here, or of the one that `GRADER_ISOLATION` asks for.
fn slots(scratch: &Path) -> Vec<Slot> {
    let slot = |isolation: Isolation| {
        let mut slot = Slot::new(Path::new(GRADER), &scratch.join(isolation.name()), isolation).ok()?;
        slot.warm_up().ok().map(|()| slot)
    };
    let wanted = std::env::var("GRADER_ISOLATION").ok();
    let is_wanted = |isolation: &Isolation| wanted.as_ref().is_none_or(|wanted| wanted == isolation.name());
    Isolation::ALL.into_iter().filter(is_wanted).filter_map(slot).collect()
}

fn isolations(slots: &[Slot]) -> Vec<Isolation> {
    slots.iter().map(Sandbox::isolation).collect()
}

#[derive(Default)]
struct Printed(Vec<u8>);

impl Sink for Printed {
    fn stdout(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    fn stderr(&mut self, _: &[u8]) {}
}

/// What nothing here comes near, unless it is meant to.
const LIMITS: Limits = Limits {
    cpu: Duration::from_secs(60),
    wall: Duration::from_secs(120),
    memory: Bytes::mib(256),
    output: Bytes::mib(1),
    overflow: Overflow::Kill,
    processes: 64,
};

fn run(
    slot: &mut Slot,
    argv: &[&str],
    program: Option<PathBuf>,
    limits: Limits,
    printed: &mut Printed,
) -> io::Result<Outcome> {
    let sight = Sight { program, ..Sight::default() };
    slot.fresh_box(Side::Submission, &sight).map_err(io::Error::other)?;
    let argv = argv.iter().map(Into::into).collect();
    let request = Request { argv, env: Vec::new(), place: Place::Box(sight), limits, core: None };
    slot.run(Side::Submission, &request, File::open("/dev/null")?, printed).map_err(io::Error::other)
}

fn run_true(slot: &mut Slot) -> io::Result<()> {
    run(slot, &["/bin/true"], None, LIMITS, &mut Printed::default()).map(drop)
}

fn timed(work: impl FnOnce() -> io::Result<()>) -> io::Result<Duration> {
    let start = Instant::now();
    work()?;
    Ok(start.elapsed())
}

/// A command that no sandbox runs.
fn command(program: &str) -> Command {
    #[expect(clippy::disallowed_methods, reason = "the floor is what a program costs without the sandbox")]
    Command::new(program)
}

fn spawn(argv: &[&str]) -> io::Result<()> {
    let mut command = command(argv[0]);
    command.args(&argv[1..]).env_clear().stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    if command.status()?.success() { Ok(()) } else { Err(io::Error::other("it failed")) }
}

fn costs(text: &mut String, scratch: &Path) -> io::Result<()> {
    const BWRAP: [&str; 12] = [
        "/usr/bin/bwrap",
        "--unshare-all",
        "--ro-bind",
        "/usr",
        "/usr",
        "--ro-bind",
        "/lib",
        "/lib",
        "--ro-bind",
        "/lib64",
        "/lib64",
        "/usr/bin/true",
    ];
    let mut slots = slots(scratch);
    let with_bwrap = spawn(&BWRAP).is_ok();
    let mut names: Vec<&str> = vec!["posix_spawn"];
    names.extend(slots.iter().map(|slot| slot.isolation().name()));
    names.extend(with_bwrap.then_some("bwrap"));
    let mut times: Vec<Vec<Duration>> = vec![Vec::new(); names.len()];
    for round in 0..RUNS + WARM_UP {
        let mut row = vec![timed(|| spawn(&["/bin/true"]))?];
        for slot in &mut slots {
            row.push(timed(|| run_true(slot))?);
        }
        if with_bwrap {
            row.push(timed(|| spawn(&BWRAP))?);
        }
        if round >= WARM_UP {
            times.iter_mut().zip(row).for_each(|(times, time)| times.push(time));
        }
    }
    let _ = writeln!(text, "\n/bin/true, us    median     p90     p99   median - posix_spawn");
    let mut floor = None;
    for (name, mut times) in names.into_iter().zip(times) {
        times.sort_unstable();
        let at = |part: usize| times[times.len() * part / 100].as_secs_f64() * 1e6;
        let over = at(50) - *floor.get_or_insert(at(50));
        let _ = writeln!(text, "{name:<14}{:>9.0}{:>8.0}{:>8.0}{over:>9.0}", at(50), at(90), at(99));
    }
    Ok(())
}

/// What comes before the first program of a slot.
fn starts(text: &mut String, scratch: &Path) -> io::Result<()> {
    let _ = writeln!(text, "\nstart of a slot, ms   median    most");
    for isolation in isolations(&slots(scratch)) {
        let mut times = (0..20).map(|_| start(scratch, isolation)).collect::<io::Result<Vec<_>>>()?;
        times.sort_unstable();
        let [median, most] = [times.len() / 2, times.len() - 1].map(|at| times[at].as_secs_f64() * 1e3);
        let _ = writeln!(text, "{:<20}{median:>8.1}{most:>8.1}", isolation.name());
    }
    Ok(())
}

fn start(scratch: &Path, isolation: Isolation) -> io::Result<Duration> {
    timed(|| {
        let mut slot = Slot::new(Path::new(GRADER), &scratch.join("start"), isolation).map_err(io::Error::other)?;
        slot.warm_up().map_err(io::Error::other)
    })
}
