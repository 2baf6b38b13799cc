//! The keeper: a small process per slot that starts programs, enforces their limits and leaves nothing behind.
//!
//! It is the same binary in another role, started before the grader has grown: `ru_maxrss` of a child begins at the
//! resident set of the process that started it. It has one thread, holds no test data and never prints.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use rustix::time::{ClockId, clock_gettime};

use super::sys::{self, Child, Prepared, Reaped, ResourceLimits};
use super::tree::{self, Snapshot};
use super::wire::{self, Order, Reply};
use super::{Kill, MemoryScope, Outcome, Request};
use crate::limits::{Bytes, Limits, Usage};

/// The longest pause between two looks at a running program.
const TICK: Duration = Duration::from_millis(10);
/// How long the sweep of survivors may take before it is called a fault.
const SWEEP_DEADLINE: Duration = Duration::from_secs(10);

/// The whole life of a keeper: serves orders on `socket` until the grader closes it.
pub fn serve(socket: BorrowedFd<'_>) -> io::Result<()> {
    // A session of its own: Ctrl-C in the terminal reaches the grader, which decides.
    let _ = rustix::process::setsid();
    rustix::process::set_child_subreaper(Some(rustix::process::getpid()))?;
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
    let mut watch = Watch { limits: &request.limits, start, peak: 0, killed: None };
    let grader_lives = watch.until_end(&child, socket)?;
    let main = sys::wait(child.pid, true)?.ok_or_else(|| io::Error::other("the child vanished"))?;
    let wall = start.elapsed();
    let ended = clock_gettime(ClockId::Monotonic);
    let rest = sweep(child.pid)?;
    if !grader_lives {
        return Ok(None);
    }
    let memory = watch.peak.max(main.max_rss).max(rest.max_rss);
    let outcome = Outcome {
        exit: main.exit,
        killed: watch.killed,
        usage: Usage { cpu: main.cpu + rest.cpu, wall, memory: Bytes(memory) },
        memory_scope: MemoryScope::LargestProcess,
        survivors: rest.count,
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
    Prepared::new(&argv, &env, request.cwd.as_os_str().as_bytes(), limits)
}

/// Watches one program.
struct Watch<'a> {
    limits: &'a Limits,
    start: Instant,
    /// The largest memory seen, in bytes.
    peak: u64,
    killed: Option<Kill>,
}

impl Watch<'_> {
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
        let now = tree::snapshot();
        self.peak = self.peak.max(now.memory);
        if let Some(reason) = self.over(&now) {
            self.kill(child, reason);
        }
        let cpu_left = self.limits.cpu.saturating_sub(now.cpu);
        let wall_left = self.limits.wall.saturating_sub(self.start.elapsed());
        // All cores of the tree may burn at once, hence half; never shorter than a millisecond.
        TICK.min(cpu_left / 2).min(wall_left).max(Duration::from_millis(1))
    }

    fn over(&self, now: &Snapshot) -> Option<Kill> {
        if now.memory > self.limits.memory.0 {
            Some(Kill::Memory)
        } else if now.cpu >= self.limits.cpu {
            Some(Kill::Cpu)
        } else if self.start.elapsed() >= self.limits.wall {
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
        for pid in tree::descendants() {
            kill_one(pid);
        }
        // The main program goes last: its end is what the loop waits for.
        let _ = rustix::process::pidfd_send_signal(&child.pidfd, Signal::KILL);
    }
}

fn kill_one(pid: i32) {
    if let Some(pid) = Pid::from_raw(pid) {
        let _ = kill_process(pid, Signal::KILL);
    }
}

/// What the sweep found.
#[derive(Default)]
struct Swept {
    count: u32,
    cpu: Duration,
    max_rss: u64,
}

/// Kills and reaps whatever the program left behind: as the subreaper we inherit every orphan.
fn sweep(group: i32) -> io::Result<Swept> {
    let mut swept = Swept::default();
    let deadline = Instant::now() + SWEEP_DEADLINE;
    loop {
        match sys::wait(-1, false) {
            Ok(Some(Reaped { cpu, max_rss, .. })) => {
                swept.count += 1;
                swept.cpu += cpu;
                swept.max_rss = swept.max_rss.max(max_rss);
                continue;
            }
            Err(error) if error.raw_os_error() == Some(libc::ECHILD) => return Ok(swept),
            Err(error) => return Err(error),
            Ok(None) => {}
        }
        if Instant::now() > deadline {
            return Err(io::Error::other("processes of the run cannot be killed"));
        }
        if let Some(pid) = Pid::from_raw(group) {
            let _ = kill_process_group(pid, Signal::KILL);
        }
        tree::descendants().into_iter().for_each(kill_one);
        std::thread::sleep(Duration::from_micros(200));
    }
}
