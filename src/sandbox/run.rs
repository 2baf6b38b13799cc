//! Runs one program as a child of the keeper. The keeper makes sure that nothing is left when the program ends.
//!
//! Behind walls the keeper is the init of its pid namespace, so every other process in the namespace belongs to the
//! run. Elsewhere the keeper is a subreaper: it becomes the parent of every orphan of the run.

mod watch;

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};

use super::cgroup::Handle;
use super::sys::{self, Child, Confinement, Prepared, Reaped, StartFailure};
use super::tree::{Ledger, Processes, Snapshot, TaskLook, me};
use super::walls::Walls;
use super::{Exit, Kill, MemoryScope, Outcome, Printed};
use crate::limits::{Bytes, Limits, Usage};
pub(super) use watch::Watch;

/// How long the sweep of survivors may take before it is called a fault.
pub(super) const SWEEP_DEADLINE: Duration = Duration::from_secs(10);

/// What came of a run.
pub(super) enum Ran {
    /// The facts, and when the program ended by the monotonic clock.
    Done(Outcome, Duration),
    /// It did not become the program.
    NotStarted(StartFailure),
    /// Ended for want of a core.
    Starved(Usage),
    /// The grader is gone, and so is all that ran.
    Orphaned,
}

/// Where a run takes place.
pub(super) enum Ground<'a> {
    /// Among the processes of the host.
    Open(&'a Processes),
    /// Behind walls.
    Closed(&'a mut Walls),
}

/// A program that runs, with all that it has started.
pub(super) struct Run<'a> {
    child: Child,
    ground: Ground<'a>,
    /// How many processes and threads there may be.
    processes: u32,
    /// What has been reaped beside the main program so far.
    orphans: Swept,
    /// What was seen of each process.
    ledger: Ledger,
}

/// Runs one program to its end; the time of `watch` has begun.
pub(super) fn run(
    prepared: &Prepared,
    streams: [OwnedFd; 3],
    confinement: &Confinement<'_>,
    mut watch: Watch<'_>,
    mut ground: Ground<'_>,
    socket: BorrowedFd<'_>,
) -> io::Result<Ran> {
    let limits = watch.limits;
    let views = [streams[0].as_fd(), streams[1].as_fd(), streams[2].as_fd()];
    ground.prepare(limits, views)?;
    let child = match ground.spawn(prepared, views, confinement) {
        Ok(child) => child,
        Err(failure) => return Ok(Ran::NotStarted(failure)),
    };
    drop(streams);
    let mut run =
        Run { child, ground, processes: limits.processes, orphans: Swept::default(), ledger: Ledger::default() };
    let watched = watch.until_end(&mut run, socket);
    if watched.is_err() {
        // A fault of ours must not let the program go on unwatched.
        watch.kill(&mut run, Kill::Cancelled);
    }
    // While it is not waited for, its number is its own, and that of its group.
    kill_group(run.child.pid);
    let main = sys::wait(run.child.pid, true)?.ok_or_else(|| io::Error::other("the child vanished"))?;
    if main.exit == Exit::Signal(libc::SIGKILL) {
        run.ground.relieve();
    }
    let wall = watch.start.elapsed();
    let ended = sys::monotonic();
    run.sweep()?;
    if !watched? {
        return Ok(Ran::Orphaned);
    }
    let outcome = run.outcome(&main, wall, &watch);
    if watch.starved {
        return Ok(Ran::Starved(outcome.usage));
    }
    Ok(Ran::Done(outcome, ended))
}

impl Ground<'_> {
    /// Makes the walls ready for a program.
    fn prepare(&mut self, limits: &Limits, streams: [BorrowedFd<'_>; 3]) -> io::Result<()> {
        match self {
            Ground::Open(_) => Ok(()),
            Ground::Closed(walls) => walls.prepare(limits, streams),
        }
    }

    fn spawn(
        &self,
        prepared: &Prepared,
        streams: [BorrowedFd<'_>; 3],
        confinement: &Confinement<'_>,
    ) -> Result<Child, StartFailure> {
        match self {
            Ground::Open(_) => sys::spawn(prepared, streams, confinement),
            Ground::Closed(walls) => sys::spawn(prepared, streams, &walls.confinement()),
        }
    }

    fn relieve(&mut self) {
        if let Ground::Closed(walls) = self {
            walls.relieve();
        }
    }

    fn processes(&self) -> &Processes {
        match self {
            Ground::Open(processes) => processes,
            Ground::Closed(walls) => &walls.processes,
        }
    }

    fn groups(&self) -> Option<&Handle> {
        match self {
            Ground::Open(_) => None,
            Ground::Closed(walls) => walls.groups.as_ref(),
        }
    }

    /// Bytes of files that lie in memory.
    fn files(&self) -> u64 {
        match self {
            Ground::Open(_) => 0,
            Ground::Closed(walls) => walls.scratch_used(),
        }
    }

    /// The file system in which those lie.
    fn scratch_device(&self) -> Option<rustix::fs::Dev> {
        match self {
            Ground::Open(_) => None,
            Ground::Closed(walls) => walls.scratch_device(),
        }
    }

    /// Kills all that belongs to the run.
    fn kill(&self) {
        match self {
            Ground::Open(processes) => processes.descendants(me()).into_iter().for_each(sys::kill),
            Ground::Closed(_) => sys::kill_all_others(),
        }
    }
}

impl Run<'_> {
    /// Readable when the main program has ended.
    pub(super) fn sign(&self) -> BorrowedFd<'_> {
        self.child.pidfd.as_fd()
    }

    /// Looks at it.
    pub(super) fn look(&mut self) -> Snapshot {
        let groups = self.ground.groups();
        let (cpu, memory) = (groups.and_then(Handle::cpu), groups.and_then(Handle::memory_peak));
        // The dead that nobody has waited for yet count as well: whether too many are alive has to be looked at.
        let tasks = match groups.and_then(Handle::tasks) {
            Some(_) if groups.is_some_and(Handle::refused_processes) => Some(u32::MAX),
            Some(tasks) if tasks <= self.processes => Some(tasks),
            _ => None,
        };
        let out_of_memory = groups.is_some_and(Handle::oom_killed);
        if let (Some(cpu), Some(Bytes(memory)), Some(tasks)) = (cpu, memory, tasks) {
            self.reap_orphans();
            return Snapshot { cpu, memory, most: memory, tasks, out_of_memory, ..Snapshot::default() };
        }
        let mut seen = self.ground.processes().snapshot(me());
        let counted = self.ledger.add(&seen.each, seen.cpu + self.orphans.cpu);
        seen.cpu = cpu.unwrap_or(counted);
        seen.memory = memory.map_or_else(|| seen.memory + self.ground.files(), |memory| memory.0);
        seen.most = memory.map_or_else(|| seen.most + self.ground.files(), |memory| memory.0);
        seen.tasks = tasks.unwrap_or(seen.tasks);
        seen.out_of_memory = out_of_memory;
        self.reap_orphans();
        seen
    }

    /// The memory, exact where that of a snapshot may be too high; slow.
    pub(super) fn exact_memory(&self) -> Option<u64> {
        if let Some(Bytes(peak)) = self.ground.groups().and_then(Handle::memory_peak) {
            return Some(peak);
        }
        let files = self.ground.files();
        // Mapped or not, a file of the box counts once.
        let in_box = if files == 0 { None } else { self.ground.scratch_device() };
        Some(self.ground.processes().exact_memory(me(), in_box)? + files)
    }

    /// Its living tasks.
    pub(super) fn task_looks(&self) -> Vec<TaskLook> {
        self.ground.processes().task_looks(me())
    }

    /// Kills all of it.
    pub(super) fn kill(&mut self) {
        self.ground.kill();
        // The main program goes last: its end is what is waited for.
        let _ = rustix::process::pidfd_send_signal(&self.child.pidfd, Signal::KILL);
    }

    /// Reaps dead processes that nobody else will ever wait for: they occupy process ids and count as processes.
    fn reap_orphans(&mut self) {
        for pid in self.ground.processes().children(me()) {
            if pid != self.child.pid
                && let Ok(Some(reaped)) = sys::wait(pid, false)
            {
                self.orphans.add(&reaped);
            }
        }
    }

    /// Kills and reaps whatever the program left behind.
    fn sweep(&mut self) -> io::Result<()> {
        let deadline = Instant::now() + SWEEP_DEADLINE;
        loop {
            match sys::wait(-1, false) {
                Ok(Some(reaped)) => {
                    self.orphans.add(&reaped);
                    continue;
                }
                Err(error) if error.raw_os_error() == Some(libc::ECHILD) => break,
                Err(error) => return Err(error),
                Ok(None) => {}
            }
            if Instant::now() > deadline {
                return Err(io::Error::other("processes of the run cannot be killed"));
            }
            self.ground.kill();
            sleep(Duration::from_micros(200));
        }
        Ok(())
    }

    fn outcome(&self, main: &Reaped, wall: Duration, watch: &Watch<'_>) -> Outcome {
        let groups = self.ground.groups();
        let resident = main.max_rss.max(self.orphans.max_rss);
        let memory = groups.and_then(|groups| groups.memory_peak_with(Bytes(resident)));
        let exact = groups.is_some_and(|groups| !groups.memory_peak_is_sampled());
        let out_of_memory = groups.is_some_and(Handle::oom_killed).then_some(Kill::Memory);
        let too_many = groups.is_some_and(Handle::refused_processes).then_some(Kill::Processes);
        Outcome {
            exit: main.exit,
            killed: watch.killed.or(out_of_memory).or(too_many),
            usage: Usage {
                cpu: groups.and_then(Handle::cpu).unwrap_or((main.cpu + self.orphans.cpu).max(self.ledger.seen())),
                wall,
                memory: memory.unwrap_or(Bytes(watch.peak.max(resident))),
            },
            memory_scope: if exact { MemoryScope::Tree } else { MemoryScope::LargestProcess },
            survivors: self.orphans.killed,
            printed: Printed::default(),
            crossed: watch.crossed,
        }
    }
}

fn kill_group(group: i32) {
    if let Some(group) = Pid::from_raw(group) {
        // The group has no members any more if this fails.
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
