//! Runs one program as a child of the keeper. The keeper makes sure that no process is left when the program ends.
//!
//! Behind walls the keeper is the init of its pid namespace, so every other process in the namespace belongs to the
//! execution. Elsewhere the keeper is a subreaper: it becomes the parent of every orphan of the execution.

mod watch;

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};

use super::cgroup::Handle;
use super::sys::{self, Child, Confinement, PreparedChild, ReapedProcess, StartFailure};
use super::tree::{Processes, SWEEP_DEADLINE, SeenCpuTime, Snapshot, TaskLook, me};
use super::user_walls::UserWalls;
use super::walls::Walls;
use super::{Exit, Kill, MemoryScope, Outcome, WrittenBytes};
use grader_model::limits::{Bytes, Limits, Usage};
pub(super) use watch::Watch;

/// The result of an execution.
pub(super) enum ExecutionEnd {
    /// The facts, and when the program ended, by the monotonic clock.
    Done(Outcome, Duration),
    /// The program could not be started.
    NotStarted(StartFailure),
    /// It was ended because it got no core.
    Starved(Usage),
    /// The grader has ended, and the execution was killed.
    Orphaned,
}

/// The place of an execution.
pub(super) enum Ground<'a> {
    /// Among the processes of the host.
    Open(&'a Processes),
    /// Among the processes of the host, with a user that no other process has.
    Users(&'a mut UserWalls),
    /// Behind walls.
    Closed(&'a mut Walls),
}

/// A running program, with all processes that it has started.
pub(super) struct RunningProgram<'a> {
    child: Child,
    /// The entries of the child in `/proc` that its rules are about. A rule holds for an entry in memory, and the kernel may
    /// forget one that no process holds.
    _entries: Vec<OwnedFd>,
    ground: Ground<'a>,
    /// The limit on processes and threads.
    processes: u32,
    /// The processes that have been reaped so far, except the main program.
    orphans: ReapedSum,
    /// The cpu time that was seen of each process.
    seen_cpu: SeenCpuTime,
}

/// Runs one program to its end. The time of `watch` has already started.
pub(super) fn run(
    prepared: &PreparedChild,
    streams: [OwnedFd; 3],
    confinement: &Confinement<'_>,
    mut watch: Watch<'_>,
    mut ground: Ground<'_>,
    socket: BorrowedFd<'_>,
) -> io::Result<ExecutionEnd> {
    let limits = watch.limits;
    let views = [streams[0].as_fd(), streams[1].as_fd(), streams[2].as_fd()];
    ground.prepare(limits, views)?;
    let child = match ground.spawn(prepared, views, confinement) {
        Ok(child) => child,
        Err(failure) => return Ok(ExecutionEnd::NotStarted(failure)),
    };
    drop(streams);
    let mut program = RunningProgram {
        _entries: ground.own_entries(child.pid),
        child,
        ground,
        processes: limits.processes,
        orphans: ReapedSum::default(),
        seen_cpu: SeenCpuTime::default(),
    };
    let watched = watch.until_end(&mut program, socket);
    if watched.is_err() {
        // If watching fails, the program must not continue unwatched.
        watch.kill(&mut program, Kill::Cancelled);
    }
    let waited = watch.waited(&program);
    // Until the child is reaped, its number and that of its group cannot be reused.
    kill_group(program.child.pid);
    let main = sys::wait(program.child.pid, true)?.ok_or_else(|| io::Error::other("the child vanished"))?;
    if main.exit == Exit::Signal(libc::SIGKILL) {
        program.ground.relieve();
    }
    let wall = watch.start.elapsed();
    let ended = sys::monotonic();
    program.sweep()?;
    if !watched? {
        return Ok(ExecutionEnd::Orphaned);
    }
    if program.ground.box_is_full(true) {
        // It counts however the program has ended, as output does that is still in the pipe.
        watch.killed.get_or_insert(Kill::Files);
    }
    let outcome = program.outcome(&main, [wall, waited], &watch);
    if watch.starved {
        return Ok(ExecutionEnd::Starved(outcome.usage));
    }
    Ok(ExecutionEnd::Done(outcome, ended))
}

impl Ground<'_> {
    /// Prepares the walls for a program.
    fn prepare(&mut self, limits: &Limits, streams: [BorrowedFd<'_>; 3]) -> io::Result<()> {
        match self {
            Ground::Open(_) => Ok(()),
            Ground::Users(walls) => walls.prepare(limits, streams),
            Ground::Closed(walls) => walls.prepare(limits, streams),
        }
    }

    fn spawn(
        &self,
        prepared: &PreparedChild,
        streams: [BorrowedFd<'_>; 3],
        confinement: &Confinement<'_>,
    ) -> Result<Child, StartFailure> {
        match self {
            Ground::Open(_) | Ground::Users(_) => sys::spawn(prepared, streams, confinement),
            Ground::Closed(walls) => sys::spawn(prepared, streams, &walls.confinement()),
        }
    }

    fn relieve(&mut self) {
        match self {
            Ground::Open(_) => {}
            Ground::Users(walls) => walls.groups.iter_mut().for_each(Handle::lift_memory),
            Ground::Closed(walls) => walls.relieve(),
        }
    }

    fn own_entries(&self, pid: i32) -> Vec<OwnedFd> {
        if let Ground::Users(walls) = self { walls.own_entries(pid) } else { Vec::new() }
    }

    /// Whether the files of the execution are more than it may have, if nothing but the keeper limits them.
    fn box_is_full(&mut self, is_end: bool) -> bool {
        if let Ground::Users(walls) = self { walls.look_at_files(is_end) } else { false }
    }

    fn processes(&self) -> &Processes {
        match self {
            Ground::Open(processes) => processes,
            Ground::Users(walls) => &walls.processes,
            Ground::Closed(walls) => &walls.processes,
        }
    }

    fn groups(&self) -> Option<&Handle> {
        match self {
            Ground::Open(_) => None,
            Ground::Users(walls) => walls.groups.as_ref(),
            Ground::Closed(walls) => walls.groups.as_ref(),
        }
    }

    /// The size of files in memory, in bytes.
    fn files(&self) -> u64 {
        match self {
            Ground::Open(_) => 0,
            Ground::Users(walls) => walls.files.memory(),
            Ground::Closed(walls) => walls.scratch_used(),
        }
    }

    /// The device of the file system that holds those files.
    fn scratch_device(&self) -> Option<rustix::fs::Dev> {
        match self {
            Ground::Open(_) => None,
            Ground::Users(walls) => walls.files.memory_device(),
            Ground::Closed(walls) => walls.scratch_device(),
        }
    }

    /// Kills all processes of the execution.
    fn kill(&self) {
        match self {
            Ground::Open(processes) => processes.descendants(me()).into_iter().for_each(sys::kill),
            Ground::Users(walls) => walls.kill(),
            Ground::Closed(_) => sys::kill_all_others(),
        }
    }
}

impl RunningProgram<'_> {
    /// The main program's pidfd; readable when the program has ended.
    pub(super) fn sign(&self) -> BorrowedFd<'_> {
        self.child.pidfd.as_fd()
    }

    /// Measures the execution now.
    pub(super) fn look(&mut self) -> Snapshot {
        let box_is_full = self.ground.box_is_full(false);
        let groups = self.ground.groups();
        let cpu = groups.and_then(Handle::cpu);
        let memory = groups.and_then(Handle::memory_peak);
        // The count includes dead processes that are not reaped yet. A count above the limit therefore needs a closer
        // look.
        let tasks = match groups.and_then(Handle::tasks) {
            Some(_) if groups.is_some_and(Handle::refused_processes) => Some(u32::MAX),
            Some(tasks) if tasks <= self.processes => Some(tasks),
            _ => None,
        };
        let out_of_memory = groups.is_some_and(Handle::oom_killed);
        if let (Some(cpu), Some(Bytes(memory)), Some(tasks)) = (cpu, memory, tasks) {
            self.reap_orphans();
            return Snapshot { cpu, memory, most: memory, tasks, out_of_memory, box_is_full, ..Snapshot::default() };
        }
        let mut seen = self.ground.processes().snapshot(me(), self.processes);
        let is_whole = seen.tasks <= self.processes;
        let counted =
            if is_whole { self.seen_cpu.add(&seen.each, seen.cpu + self.orphans.cpu) } else { self.seen_cpu.seen() };
        seen.cpu = cpu.unwrap_or(counted);
        seen.memory = memory.map_or_else(|| seen.memory + self.ground.files(), |memory| memory.0);
        seen.most = memory.map_or_else(|| seen.most + self.ground.files(), |memory| memory.0);
        seen.tasks = tasks.unwrap_or(seen.tasks);
        seen.out_of_memory = out_of_memory;
        seen.box_is_full = box_is_full;
        self.reap_orphans();
        seen
    }

    /// The exact memory, for snapshots that may be too high; slow. None if unknown.
    pub(super) fn exact_memory(&self) -> Option<u64> {
        if let Some(Bytes(peak)) = self.ground.groups().and_then(Handle::memory_peak) {
            return Some(peak);
        }
        let _identity = if let Ground::Users(walls) = &self.ground { Some(walls.identity().ok()?) } else { None };
        let files = self.ground.files();
        // A file of the box counts once, mapped or not.
        let in_box = if files == 0 { None } else { self.ground.scratch_device() };
        Some(self.ground.processes().exact_memory(me(), in_box)? + files)
    }

    /// The living tasks of the execution.
    pub(super) fn task_looks(&self) -> Vec<TaskLook> {
        self.ground.processes().task_looks(me())
    }

    /// Kills all processes of the execution.
    pub(super) fn kill(&mut self) {
        self.ground.kill();
        // The main program dies last, because the keeper waits for its end.
        let _ = rustix::process::pidfd_send_signal(&self.child.pidfd, Signal::KILL);
    }

    /// Reaps dead orphans: no other process waits for them. They occupy process ids and count as processes.
    fn reap_orphans(&mut self) {
        for pid in self.ground.processes().children(me()) {
            if pid != self.child.pid
                && let Ok(Some(reaped)) = sys::wait(pid, false)
            {
                self.orphans.add(&reaped);
            }
        }
    }

    /// Kills and reaps all processes that the program left behind.
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
                return Err(io::Error::other("processes of the program cannot be killed"));
            }
            self.ground.kill();
            sleep(Duration::from_micros(200));
        }
        Ok(())
    }

    fn outcome(&self, main: &ReapedProcess, [wall, waited]: [Duration; 2], watch: &Watch<'_>) -> Outcome {
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
                cpu: groups.and_then(Handle::cpu).unwrap_or((main.cpu + self.orphans.cpu).max(self.seen_cpu.seen())),
                wall,
                memory: memory.unwrap_or(Bytes(watch.peak.max(resident))),
            },
            memory_scope: if exact { MemoryScope::Tree } else { MemoryScope::LargestProcess },
            survivors: self.orphans.killed,
            printed: WrittenBytes::default(),
            crossed: watch.crossed,
            waited,
        }
    }
}

fn kill_group(group: i32) {
    if let Some(group) = Pid::from_raw(group) {
        // A failure means that the group has no members any more.
        let _ = kill_process_group(group, Signal::KILL);
    }
}

/// The sum of the reaped processes, except the main program.
#[derive(Debug, Default, Clone, Copy)]
struct ReapedSum {
    /// The number of processes that SIGKILL ended.
    killed: u32,
    cpu: Duration,
    max_rss: u64,
}

impl ReapedSum {
    fn add(&mut self, reaped: &ReapedProcess) {
        self.killed += u32::from(reaped.exit == Exit::Signal(libc::SIGKILL));
        self.cpu += reaped.cpu;
        self.max_rss = self.max_rss.max(reaped.max_rss);
    }
}
