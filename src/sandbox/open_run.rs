//! A run without walls: the program is a child of the keeper, which sees to it that nothing is left when it ends.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};
use rustix::time::{ClockId, clock_gettime};

use super::sys::{self, Child, Confinement, Prepared, Reaped, StartFailure};
use super::tree::{Processes, Snapshot, me};
use super::watch::{Subject, Watch};
use super::{Exit, Kill, MemoryScope, Outcome};
use crate::limits::{Bytes, Limits, Usage};

/// How long the sweep of survivors may take before it is called a fault.
pub(super) const SWEEP_DEADLINE: Duration = Duration::from_secs(10);

/// A program that runs, with all that it has started.
struct OpenRun<'a> {
    child: Child,
    processes: &'a Processes,
    /// What has been reaped of the tree so far.
    orphans: Swept,
}

/// What came of a run.
pub(super) enum Ran {
    /// The facts, and when the program ended by the monotonic clock.
    Done(Outcome, Duration),
    /// It did not become the program.
    NotStarted(StartFailure),
    /// The grader is gone, and so is all that ran.
    Orphaned,
}

/// Runs one program to its end.
pub(super) fn run(
    prepared: &Prepared,
    streams: [OwnedFd; 3],
    confinement: Confinement<'_>,
    limits: &Limits,
    processes: &Processes,
    socket: BorrowedFd<'_>,
) -> io::Result<Ran> {
    let mut watch = Watch::new(limits);
    let start = Instant::now();
    let child = match sys::spawn(prepared, [streams[0].as_fd(), streams[1].as_fd(), streams[2].as_fd()], confinement) {
        Ok(child) => child,
        Err(failure) => return Ok(Ran::NotStarted(failure)),
    };
    drop(streams);
    let mut run = OpenRun { child, processes, orphans: Swept::default() };
    let watched = watch.until_end(&mut run, socket);
    if watched.is_err() {
        // A fault of ours must not let the program go on unwatched.
        watch.kill(&mut run, Kill::Cancelled);
    }
    // While it is not waited for, its number is its own, and that of its group.
    kill_group(run.child.pid);
    let main = sys::wait(run.child.pid, true)?.ok_or_else(|| io::Error::other("the child vanished"))?;
    let wall = start.elapsed();
    let ended = clock_gettime(ClockId::Monotonic);
    let mut rest = run.orphans;
    sweep(&mut rest, processes)?;
    if !watched? {
        return Ok(Ran::Orphaned);
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
    Ok(Ran::Done(outcome, ended))
}

impl Subject for OpenRun<'_> {
    fn sign(&self) -> BorrowedFd<'_> {
        self.child.pidfd.as_fd()
    }

    fn has_ended(&mut self) -> io::Result<bool> {
        Ok(true)
    }

    fn look(&mut self) -> Snapshot {
        let mut now = self.processes.snapshot(me());
        now.cpu += self.orphans.cpu;
        for pid in now.dead.iter().filter(|pid| **pid != self.child.pid) {
            if let Ok(Some(reaped)) = sys::wait(*pid, false) {
                self.orphans.add(&reaped);
            }
        }
        now
    }

    fn exact_memory(&mut self) -> Option<u64> {
        self.processes.exact_memory(me())
    }

    fn run_delays(&self) -> Vec<(i32, Duration)> {
        self.processes.run_delays(me())
    }

    fn kill(&mut self) {
        self.processes.descendants(me()).into_iter().for_each(sys::kill);
        // The main program goes last: its end is what is waited for.
        let _ = rustix::process::pidfd_send_signal(&self.child.pidfd, Signal::KILL);
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
fn sweep(swept: &mut Swept, processes: &Processes) -> io::Result<()> {
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
        processes.descendants(me()).into_iter().for_each(sys::kill);
        std::thread::sleep(Duration::from_micros(200));
    }
}
