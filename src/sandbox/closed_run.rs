//! A run behind walls: in new pid, ipc and mount namespaces, watched from outside through control groups where there are
//! any, and through `/proc` where there are none.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::fs::{FileType, Gid, Uid, fchown, fstat};
use rustix::net::{AddressFamily, SocketFlags, SocketType, socketpair};
use rustix::process::{Signal, pidfd_send_signal};

use super::cgroup::Handle;
use super::init;
use super::open_run::{Ran, SWEEP_DEADLINE};
use super::sys::{self, Child, Prepared, StartFailure};
use super::tree::Snapshot;
use super::walls::{Walls, during};
use super::watch::{Subject, Watch};
use super::wire::{self, Ended, Report};
use super::{Kill, MemoryScope, Outcome};
use crate::limits::{Bytes, Limits, Usage};

struct ClosedRun<'a> {
    walls: &'a mut Walls,
    init: Child,
    report: OwnedFd,
    buffer: Vec<u8>,
    /// The main program, once it was started.
    main: Option<OwnedFd>,
    end: Option<End>,
}

enum End {
    Ended(Ended),
    NotStarted(StartFailure),
}

/// Runs one program to its end.
pub(super) fn run(
    walls: &mut Walls,
    prepared: &Prepared,
    streams: [OwnedFd; 3],
    limits: &Limits,
    socket: BorrowedFd<'_>,
) -> io::Result<Ran> {
    if let Some(groups) = &mut walls.groups {
        groups.prepare(limits.memory, limits.processes).map_err(during("set the limits of the control groups"))?;
    }
    if let Some(identity) = walls.identity {
        streams.iter().try_for_each(|stream| give_pipe(stream, identity.program))?;
    }
    let (ours, theirs) = socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None)?;
    let mut watch = Watch::new(limits);
    let Some(init) = sys::fork_into(libc::CLONE_NEWPID | libc::CLONE_NEWNS | libc::CLONE_NEWIPC)
        .map_err(during("make namespaces"))?
    else {
        drop(ours);
        init::main(walls, prepared, streams, theirs.as_fd())
    };
    drop((streams, theirs));
    let mut run = ClosedRun { walls, init, report: ours, buffer: Vec::new(), main: None, end: None };
    let watched = watch.until_end(&mut run, socket);
    if watched.is_err() {
        // A fault of ours must not let the program go on unwatched. All of it ends with its init.
        let _ = pidfd_send_signal(&run.init.pidfd, Signal::KILL);
    }
    sys::wait(run.init.pid, true)?;
    run.leave_nothing()?;
    if !watched? {
        return Ok(Ran::Orphaned);
    }
    match run.end {
        Some(End::Ended(ended)) => {
            let outcome = run.outcome(&ended, &watch);
            Ok(Ran::Done(outcome, ended.ended))
        }
        Some(End::NotStarted(failure)) => Ok(Ran::NotStarted(failure)),
        None => Err(io::Error::other("the init of the run ended without a word")),
    }
}

/// `/dev/stdout` opens the pipe anew, for which a program must own it.
fn give_pipe(stream: &OwnedFd, user: u32) -> io::Result<()> {
    if FileType::from_raw_mode(fstat(stream)?.st_mode) == FileType::Fifo {
        fchown(stream, Some(Uid::from_raw(user)), Some(Gid::from_raw(user)))?;
    }
    Ok(())
}

impl ClosedRun<'_> {
    /// With its init everything of the run has ended; the control groups must agree before others join them.
    fn leave_nothing(&mut self) -> io::Result<()> {
        let Some(groups) = &mut self.walls.groups else { return Ok(()) };
        let deadline = Instant::now() + SWEEP_DEADLINE;
        while !groups.is_empty() {
            if Instant::now() > deadline {
                return Err(io::Error::other("processes of the run cannot be killed"));
            }
            groups.kill()?;
            sleep(Duration::from_micros(200));
        }
        Ok(())
    }

    fn outcome(&self, ended: &Ended, watch: &Watch<'_>) -> Outcome {
        let groups = self.walls.groups.as_ref();
        let out_of_memory = groups.is_some_and(Handle::oom_killed);
        let peak = groups.and_then(|groups| groups.memory_peak_with(Bytes(ended.max_rss)));
        let exact = groups.is_some_and(|groups| !groups.memory_peak_is_sampled());
        let memory_scope = if exact { MemoryScope::Tree } else { MemoryScope::LargestProcess };
        let memory = peak.unwrap_or(Bytes(watch.peak.max(ended.max_rss)));
        let cpu = groups.and_then(Handle::cpu).unwrap_or(ended.cpu);
        let too_many = groups.is_some_and(Handle::refused_processes);
        let reason = out_of_memory.then_some(Kill::Memory).or(too_many.then_some(Kill::Processes));
        let killed = watch.killed.or(reason);
        Outcome {
            exit: ended.exit,
            killed,
            usage: Usage { cpu, wall: ended.ended.saturating_sub(ended.begun), memory },
            memory_scope,
            survivors: ended.survivors,
        }
    }
}

impl Subject for ClosedRun<'_> {
    fn sign(&self) -> BorrowedFd<'_> {
        self.report.as_fd()
    }

    fn has_ended(&mut self) -> io::Result<bool> {
        match wire::receive::<Report>(self.report.as_fd(), &mut self.buffer)? {
            Some((Report::Started, fds)) => {
                self.main = fds.into_iter().next();
                return Ok(false);
            }
            Some((Report::Ended(ended), _)) => self.end = Some(End::Ended(ended)),
            Some((Report::NotStarted(failure), _)) => self.end = Some(End::NotStarted(failure)),
            Some((Report::Failed(message), _)) => return Err(io::Error::other(message)),
            None => return Err(io::Error::other("the init of the run was killed")),
        }
        Ok(true)
    }

    fn look(&mut self) -> Snapshot {
        let groups = self.walls.groups.as_ref();
        let cpu = groups.and_then(Handle::cpu);
        let memory = groups.and_then(Handle::memory_peak);
        // The dead that nobody has waited for yet count as well, so that only a refusal says that there were too many.
        let limited = groups.filter(|groups| groups.limits_processes());
        let tasks = limited.map(|groups| if groups.refused_processes() { u32::MAX } else { 0 });
        let out_of_memory = groups.is_some_and(Handle::oom_killed);
        if let (Some(cpu), Some(Bytes(memory)), Some(tasks)) = (cpu, memory, tasks) {
            return Snapshot { cpu, memory, tasks, out_of_memory, dead: Vec::new() };
        }
        let processes = &self.walls.processes;
        let seen = processes.snapshot(self.init.pid);
        Snapshot {
            cpu: cpu.unwrap_or_else(|| seen.cpu + processes.waited(self.init.pid)),
            memory: memory.map_or_else(|| seen.memory + self.walls.scratch_used(), |memory| memory.0),
            tasks: tasks.unwrap_or(seen.tasks),
            out_of_memory,
            dead: Vec::new(),
        }
    }

    fn exact_memory(&mut self) -> Option<u64> {
        if let Some(Bytes(peak)) = self.walls.groups.as_ref().and_then(Handle::memory_peak) {
            return Some(peak);
        }
        let exact = self.walls.processes.exact_memory(self.init.pid)?;
        Some(exact + self.walls.scratch_used())
    }

    fn run_delays(&self) -> Vec<(i32, Duration)> {
        self.walls.processes.run_delays(self.init.pid)
    }

    fn kill(&mut self) {
        if let Some(groups) = &mut self.walls.groups {
            let _ = groups.kill();
        }
        match &self.main {
            // Its init kills the rest.
            Some(main) => drop(pidfd_send_signal(main, Signal::KILL)),
            None => drop(pidfd_send_signal(&self.init.pidfd, Signal::KILL)),
        }
    }
}
