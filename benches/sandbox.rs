//! The sandbox beside a bare start of the same program, and its clocks beside the truth:
//! `cargo bench --bench sandbox [-- SECTION…]`, as root and as an ordinary user.
//!
//! `cost`: `/bin/true` by `posix_spawn`, in each isolation that works here, and by `bwrap --unshare-all` where it is
//! installed, all by turns in one process at one priority. `start`: what comes before a slot's first program. `clocks`: programs that burn a known cpu time in one process,
//! threads, children and orphans. Nothing here fails for being slow: `docs/sandbox.md` says what is reached.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use grader::limits::{Bytes, Limits};
use grader::sandbox::{Isolation, Outcome, Place, Request, Sandbox, Side, Sight, Sink, Slot};

const GRADER: &str = env!("CARGO_BIN_EXE_grader");
/// Measured runs of each kind, and those before that are not counted.
const RUNS: usize = 600;
const WARM_UP: usize = 30;

/// Burns `argv[2]` milliseconds of cpu time in each of what `argv[1]` names. Each process prints what its own clock says at
/// its end, in nanoseconds.
const BURN: &str = r#"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
static long long target;
static long long now(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}
static void *burn(void *clock) {
    while (now(*(clockid_t *)clock) < target);
    return 0;
}
static void end(void) {
    char line[32];
    if (write(1, line, sprintf(line, "%lld\n", now(CLOCK_PROCESS_CPUTIME_ID))) > 0) _exit(0);
}
int main(int argc, char **argv) {
    clockid_t process = CLOCK_PROCESS_CPUTIME_ID, thread = CLOCK_THREAD_CPUTIME_ID;
    pthread_t threads[4];
    int all_gone[2], orphans = !strcmp(argv[1], "orphans");
    target = atoll(argv[2]) * 1000000;
    if (pipe(all_gone)) return 1;
    if (!strcmp(argv[1], "one")) burn(&process);
    else if (!strcmp(argv[1], "threads")) {
        for (int i = 0; i < 4; i++) pthread_create(threads + i, 0, burn, &thread);
        for (int i = 0; i < 4; i++) pthread_join(threads[i], 0);
    } else for (int i = 0; i < 4; i++) if (!fork()) {
        if (orphans && fork()) end();
        burn(&process);
        end();
    }
    close(all_gone[1]);
    while (wait(0) > 0);
    char byte;
    if (read(all_gone[0], &byte, 1)) return 1;
    end();
}
"#;

fn main() -> io::Result<()> {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let is_wanted = |section: &str| wanted.is_empty() || wanted.iter().any(|word| word == section);
    let scratch = tempfile::tempdir()?;
    let load = fs::read_to_string("/proc/loadavg")?;
    let mut text = format!("nice {}, load {load}", rustix::process::getpriority_process(None)?);
    if is_wanted("cost") {
        costs(&mut text, scratch.path())?;
    }
    if is_wanted("start") {
        starts(&mut text, scratch.path());
    }
    if is_wanted("clocks") {
        clocks(&mut text, scratch.path())?;
    }
    write!(io::stdout(), "{text}")
}

/// The slots of every isolation that works here, without the grader's own rights only.
fn slots(scratch: &Path) -> Vec<Slot> {
    let slot = |isolation: Isolation| {
        let mut slot = Slot::new(Path::new(GRADER), &scratch.join(isolation.name()), isolation).ok()?;
        slot.warm_up().ok().map(|()| slot)
    };
    Isolation::ALL.into_iter().filter_map(slot).collect()
}

#[derive(Default)]
struct Printed(Vec<u8>);

impl Sink for Printed {
    fn stdout(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    fn stderr(&mut self, _: &[u8]) {}
}

fn run(slot: &mut Slot, argv: &[&str], program: Option<PathBuf>, printed: &mut Printed) -> io::Result<Outcome> {
    let sight = Sight { program, toolchains: Vec::new() };
    slot.fresh_box(Side::Submission, &sight).map_err(io::Error::other)?;
    let limits = Limits {
        cpu: Duration::from_secs(60),
        wall: Duration::from_secs(120),
        memory: Bytes::mib(256),
        output: Bytes::mib(1),
        processes: 64,
    };
    let argv = argv.iter().map(Into::into).collect();
    let request = Request { argv, env: Vec::new(), place: Place::Box(sight), limits, core: None };
    slot.run(Side::Submission, &request, File::open("/dev/null")?, printed).map_err(io::Error::other)
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
            row.push(timed(|| run(slot, &["/bin/true"], None, &mut Printed::default()).map(drop))?);
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

/// What it takes until a slot can run its first program.
fn starts(text: &mut String, scratch: &Path) {
    let _ = writeln!(text, "\nstart of a slot, ms   median    most");
    for isolation in Isolation::ALL {
        let start = || {
            timed(|| {
                let mut slot =
                    Slot::new(Path::new(GRADER), &scratch.join("start"), isolation).map_err(io::Error::other)?;
                slot.warm_up().map_err(io::Error::other)
            })
        };
        let Ok(mut times) = (0..20).map(|_| start()).collect::<io::Result<Vec<_>>>() else { continue };
        times.sort_unstable();
        let [median, most] = [times.len() / 2, times.len() - 1].map(|at| times[at].as_secs_f64() * 1e3);
        let _ = writeln!(text, "{:<20}{median:>8.1}{most:>8.1}", isolation.name());
    }
}

fn clocks(text: &mut String, scratch: &Path) -> io::Result<()> {
    let dir = scratch.join("program");
    fs::create_dir_all(&dir)?;
    fs::write(scratch.join("burn.c"), BURN)?;
    let source = scratch.join("burn.c");
    let built = command("cc").args(["-O2", "-static", "-pthread", "-o"]).arg(dir.join("burn")).arg(source).status()?;
    if !built.success() {
        return Err(io::Error::other("cc failed"));
    }
    let _ = writeln!(text, "\ncpu ms            truth   measured   off by");
    for mut slot in slots(scratch) {
        let program = slot.program_dir(&dir).join("burn");
        let program = program.to_string_lossy();
        for (kind, count) in [("one", 1), ("threads", 4), ("children", 4), ("orphans", 4)] {
            for ms in [5, 50, 500, 5000 / count] {
                let (arguments, mut printed) = ([&*program, kind, &ms.to_string()], Printed::default());
                let outcome = run(&mut slot, &arguments, Some(dir.clone()), &mut printed)?;
                let printed = String::from_utf8_lossy(&printed.0).into_owned();
                let truth = printed.lines().filter_map(|line| line.parse::<f64>().ok()).sum::<f64>() / 1e6;
                let measured = outcome.usage.cpu.as_secs_f64() * 1e3;
                let name = slot.isolation().name();
                let off = measured - truth;
                let _ = writeln!(text, "{name:<5}{kind:<9}{truth:>9.2}{measured:>11.2}{off:>9.2}");
            }
        }
    }
    Ok(())
}
