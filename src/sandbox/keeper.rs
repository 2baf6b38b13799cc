//! The keeper: a small process per slot that starts programs, enforces their limits and leaves nothing behind.
//!
//! It is the same binary in another role, started before the grader has grown: `ru_maxrss` of a child begins at the
//! resident set of the process that started it. It has one thread, holds no test data and never prints.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, kill_process_group};
use rustix::time::{ClockId, clock_gettime};

use super::guard::Guard;
use super::sys::{self, Child, Prepared, Reaped, ResourceLimits};
use super::tree::{self, Snapshot};
use super::wire::{self, Order, Reply};
use super::{Exit, Kill, MemoryScope, Outcome, Request};
use crate::limits::{Bytes, Limits, Usage};

/// The longest pause between two looks at a running program.
const TICK: Duration = Duration::from_millis(10);
/// How long the sweep of survivors may take before it is called a fault.
pub(super) const SWEEP_DEADLINE: Duration = Duration::from_secs(10);

/// The whole life of a keeper: serves orders on `socket` until the grader closes it.
pub fn serve(socket: BorrowedFd<'_>) -> io::Result<()> {
    // A session of its own: Ctrl-C in the terminal reaches the grader, which decides.
    let _ = rustix::process::setsid();
    rustix::process::set_child_subreaper(Some(rustix::process::getpid()))?;
    sys::default_signals();
    // A program may stop us, as the same user: the grader's end must wake us up to kill what we run.
    let _ = rustix::process::set_parent_process_death_signal(Some(Signal::CONT));
    sys::forget_startup();
    let mut buffer = Vec::new();
    while let Some((order, fds)) = wire::receive::<Order>(socket, &mut buffer)? {
        let Order::Run(request) = order else { continue };
        let reply = match run(&request, fds, socket) {
            Ok(Some(reply)) => reply,
            Ok(None) => return Ok(()),
            Err(error) => Reply::Failed(error.to_string()),
        };
        wire::send(socket, &reply, &[])?;
    }
    Ok(())
}

/// Runs one program to its end. `Ok(None)`: the grader is gone, everything has been killed.
fn run(request: &Request, fds: Vec<OwnedFd>, socket: BorrowedFd<'_>) -> io::Result<Option<Reply>> {
    let Ok([stdin, stdout, stderr]) = <[OwnedFd; 3]>::try_from(fds) else {
        return Err(io::Error::other("a run order without its three streams"));
    };
    let prepared = prepare(request)?;
    let start = Instant::now();
    let child = match sys::spawn(&prepared, [stdin.as_fd(), stdout.as_fd(), stderr.as_fd()]) {
        Ok(child) => child,
        Err(failure) if matches!(failure.step, "execve" | "chdir") => {
            let message = io::Error::from_raw_os_error(failure.errno).to_string();
            let program = prepared.program().to_string_lossy().into_owned();
            return Ok(Some(Reply::NotExecuted { program, message }));
        }
        Err(failure) => {
            let error = io::Error::from_raw_os_error(failure.errno);
            return Err(io::Error::other(format!("{}: {error}", failure.step)));
        }
    };
    drop((stdin, stdout, stderr));
    let mut watch = Watch::new(&request.limits, start);
    let watched = watch.until_end(&child, socket);
    if watched.is_err() {
        // A fault of ours must not let the program go on unwatched.
        watch.kill(&child, Kill::Cancelled);
    }
    // While it is not waited for, its number is its own, and that of its group.
    kill_group(child.pid);
    let main = sys::wait(child.pid, true)?.ok_or_else(|| io::Error::other("the child vanished"))?;
    let wall = start.elapsed();
    let ended = clock_gettime(ClockId::Monotonic);
    let mut rest = watch.orphans;
    sweep(&mut rest)?;
    if !watched? {
        return Ok(None);
    }
    let memory = watch.peak.max(main.max_rss).max(rest.max_rss);
    let outcome = Outcome {
        exit: main.exit,
        killed: watch.killed,
        usage: Usage { cpu: main.cpu + rest.cpu, wall, memory: Bytes(memory) },
        memory_scope: MemoryScope::LargestProcess,
        survivors: rest.killed,
    };
    let ended = Duration::new(u64::try_from(ended.tv_sec).unwrap_or(0), u32::try_from(ended.tv_nsec).unwrap_or(0));
    Ok(Some(Reply::Done { outcome, ended }))
}

fn prepare(request: &Request) -> io::Result<Prepared> {
    use std::os::unix::ffi::{OsStrExt, OsStringExt};
    let bytes = |text: &std::ffi::OsString| text.clone().into_vec();
    let argv: Vec<_> = request.argv.iter().map(bytes).collect();
    let env: Vec<_> = request.env.iter().map(|(key, value)| (bytes(key), bytes(value))).collect();
    let limits = ResourceLimits {
        cpu_seconds: request.limits.cpu.as_secs() + 2,
        file_size: request.limits.output.0,
        stack: request.limits.memory.0,
    };
    let prepared = Prepared::new(&argv, &env, request.cwd.as_os_str().as_bytes(), limits)?;
    Ok(prepared.on_core(request.core))
}

/// Watches one program.
struct Watch<'a> {
    limits: &'a Limits,
    start: Instant,
    guard: Guard,
    /// The largest memory seen, in bytes.
    peak: u64,
    killed: Option<Kill>,
    /// What has been reaped of the tree so far.
    orphans: Swept,
    /// The last exact measurement of memory, and when the next one may be afforded.
    exact: Option<(u64, Instant)>,
}

impl<'a> Watch<'a> {
    fn new(limits: &'a Limits, start: Instant) -> Self {
        Self { limits, start, guard: Guard::default(), peak: 0, killed: None, orphans: Swept::default(), exact: None }
    }

    /// Returns when the main program has ended; false when the grader went away (the program has been killed).
    fn until_end(&mut self, child: &Child, socket: BorrowedFd<'_>) -> io::Result<bool> {
        let mut buffer = Vec::new();
        let mut grader_lives = true;
        let mut pause = self.first_pause();
        loop {
            let timeout = Timespec::try_from(pause).map_err(io::Error::other)?;
            let mut fds = [PollFd::new(&child.pidfd, PollFlags::IN), PollFd::from_borrowed_fd(socket, PollFlags::IN)];
            // A grader that is gone makes its socket readable for ever.
            let watched = if grader_lives { 2 } else { 1 };
            match poll(&mut fds[..watched], Some(&timeout)) {
                Ok(_) | Err(rustix::io::Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
            let (ended, order) = (!fds[0].revents().is_empty(), watched == 2 && !fds[1].revents().is_empty());
            if ended {
                return Ok(grader_lives);
            }
            if order {
                match wire::receive::<Order>(socket, &mut buffer)? {
                    Some((Order::Kill(reason), _)) => self.kill(child, reason),
                    Some((Order::Run(_), _)) => return Err(io::Error::other("a run order during a run")),
                    None => {
                        grader_lives = false;
                        self.kill(child, Kill::Cancelled);
                    }
                }
            }
            pause = self.look(child);
        }
    }

    /// Half of the smallest budget: most programs end before the first look, which then costs them nothing.
    fn first_pause(&self) -> Duration {
        TICK.min(self.limits.cpu / 2).max(Duration::from_millis(1))
    }

    /// Looks at the running tree, kills it when it is over a limit, and says how long to wait for the next look.
    fn look(&mut self, child: &Child) -> Duration {
        let mut now = tree::snapshot();
        now.cpu += self.orphans.cpu;
        if now.memory > self.limits.memory.0 {
            now.memory = self.exact_memory(now.memory);
        }
        self.peak = self.peak.max(now.memory);
        let wall_left = self.wall_left();
        if let Some(reason) = self.over(&now, wall_left) {
            self.kill(child, reason);
        }
        for pid in now.dead.iter().filter(|pid| **pid != child.pid) {
            if let Ok(Some(reaped)) = sys::wait(*pid, false) {
                self.orphans.add(&reaped);
            }
        }
        let cpu_left = self.limits.cpu.saturating_sub(now.cpu);
        // All cores of the tree may burn at once, hence half; never shorter than a millisecond.
        TICK.min(cpu_left / 2).min(wall_left).max(Duration::from_millis(1))
    }

    /// The quick sum is over the limit: is the truth? That takes time, which the program must not be robbed of again and
    /// again, so that a measurement below the limit holds for a while.
    fn exact_memory(&mut self, quick: u64) -> u64 {
        let begun = Instant::now();
        match self.exact {
            Some((known, until)) if begun < until => known,
            _ => {
                let exact = tree::exact_memory().unwrap_or(quick);
                self.exact = Some((exact, begun + begun.elapsed() * 10));
                exact
            }
        }
    }

    /// What is left of the wall limit, not counting what the tree has waited for a core.
    fn wall_left(&mut self) -> Duration {
        let elapsed = self.start.elapsed();
        if Guard::wants_to_look(elapsed, self.limits.wall) {
            self.guard.look(elapsed, tree::run_delays());
        }
        self.guard.left(elapsed, self.limits.wall)
    }

    fn over(&self, now: &Snapshot, wall_left: Duration) -> Option<Kill> {
        if now.memory > self.limits.memory.0 {
            Some(Kill::Memory)
        } else if now.cpu >= self.limits.cpu {
            Some(Kill::Cpu)
        } else if wall_left.is_zero() {
            Some(Kill::Wall)
        } else if now.tasks > self.limits.processes {
            Some(Kill::Processes)
        } else {
            None
        }
    }

    /// Kills the tree once; the first reason stands.
    fn kill(&mut self, child: &Child, reason: Kill) {
        self.killed.get_or_insert(reason);
        tree::descendants().into_iter().for_each(sys::kill);
        // The main program goes last: its end is what the loop waits for.
        let _ = rustix::process::pidfd_send_signal(&child.pidfd, Signal::KILL);
    }
}

fn kill_group(group: i32) {
    if let Some(group) = Pid::from_raw(group) {
        let _ = kill_process_group(group, Signal::KILL);
    }
}

/// What was reaped beside the main program.
#[derive(Debug, Default, Clone, Copy)]
struct Swept {
    /// Those that SIGKILL ended.
    killed: u32,
    cpu: Duration,
    max_rss: u64,
}

impl Swept {
    fn add(&mut self, reaped: &Reaped) {
        self.killed += u32::from(reaped.exit == Exit::Signal(libc::SIGKILL));
        self.cpu += reaped.cpu;
        self.max_rss = self.max_rss.max(reaped.max_rss);
    }
}

/// Kills and reaps whatever the program left behind: as the subreaper we inherit every orphan.
fn sweep(swept: &mut Swept) -> io::Result<()> {
    let deadline = Instant::now() + SWEEP_DEADLINE;
    loop {
        match sys::wait(-1, false) {
            Ok(Some(reaped)) => {
                swept.add(&reaped);
                continue;
            }
            Err(error) if error.raw_os_error() == Some(libc::ECHILD) => return Ok(()),
            Err(error) => return Err(error),
            Ok(None) => {}
        }
        if Instant::now() > deadline {
            return Err(io::Error::other("processes of the run cannot be killed"));
        }
        tree::descendants().into_iter().for_each(sys::kill);
        std::thread::sleep(Duration::from_micros(200));
    }
}
