//! The first process of a run's pid namespace: it starts the program, reaps whatever the program leaves, and reports.
//!
//! It is a copy of the keeper. The program is never pid 1 itself: signals that pid 1 does not handle do nothing to it, so
//! that `abort` would look like a segmentation fault. Programs can neither trace nor read it; when it ends, the kernel ends
//! all that is left in the namespace (`pid_namespaces(7)`).

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::Duration;

use rustix::fs::Mode;
use rustix::mount::{MountFlags, mount};
use rustix::process::{DumpableBehavior, Signal, set_dumpable_behavior, set_parent_process_death_signal};
use rustix::time::{ClockId, clock_gettime};

use super::cgroup::Handle;
use super::sys::{self, Child, Confinement, Prepared, StartFailure};
use super::walls::Walls;
use super::wire::{self, Ended, Report};

/// Runs one program to its end and ends itself.
pub(super) fn main(walls: &Walls, prepared: &Prepared, streams: [OwnedFd; 3], report: BorrowedFd<'_>) -> ! {
    let told = match run(walls, prepared, streams, report) {
        Ok(last) => wire::send(report, &last, &[]),
        Err(error) => wire::send(report, &Report::Failed(error.to_string()), &[]),
    };
    // Where nobody listens any more the keeper is gone, and this process with it.
    let _ = told;
    sys::exit_now()
}

fn run(walls: &Walls, prepared: &Prepared, streams: [OwnedFd; 3], report: BorrowedFd<'_>) -> io::Result<Report> {
    set_parent_process_death_signal(Some(Signal::KILL))?;
    set_dumpable_behavior(DumpableBehavior::NotDumpable)?;
    // hidepid: programs of another user see nothing of this process, not even that it is there.
    let flags = MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC;
    mount("proc", "/proc", "proc", flags, c"hidepid=2")
        .map_err(|error| io::Error::other(format!("cannot mount /proc: {}", io::Error::from(error))))?;
    let begun = now();
    let child = match start(walls, prepared, &streams) {
        Ok(child) => child,
        Err(failure) => return Ok(Report::NotStarted(failure)),
    };
    // The other side of an interactive run waits for the end of this output.
    drop(streams);
    wire::send(report, &Report::Started, &[child.pidfd.as_fd()])?;
    sys::become_powerless(walls.identity.map(|identity| identity.init))?;
    // Once more: a change of user takes it back.
    set_parent_process_death_signal(Some(Signal::KILL))?;
    wait(&child, begun).map(Report::Ended)
}

fn start(walls: &Walls, prepared: &Prepared, streams: &[OwnedFd; 3]) -> Result<Child, StartFailure> {
    rustix::process::umask(Mode::from_raw_mode(0o022));
    let groups = walls.groups.as_ref().map(Handle::join_fds).unwrap_or_default();
    let confinement = Confinement {
        groups: &groups,
        user: walls.identity.map(|identity| identity.program),
        ruleset: None,
        filter: Some(&walls.filter),
    };
    sys::spawn(prepared, [streams[0].as_fd(), streams[1].as_fd(), streams[2].as_fd()], confinement)
}

/// Waits for the main program, then kills and reaps everything else: as pid 1 we inherit every orphan.
fn wait(main: &Child, begun: Duration) -> io::Result<Ended> {
    let mut total =
        Ended { exit: super::Exit::Code(0), cpu: Duration::ZERO, max_rss: 0, survivors: 0, begun, ended: begun };
    let mut main_lives = true;
    loop {
        let reaped = match sys::wait(-1, true) {
            Ok(Some(reaped)) => reaped,
            Ok(None) => continue,
            Err(error) if error.raw_os_error() == Some(libc::ECHILD) => return Ok(total),
            Err(error) => return Err(error),
        };
        total.cpu += reaped.cpu;
        total.max_rss = total.max_rss.max(reaped.max_rss);
        if reaped.pid == main.pid {
            (total.exit, total.ended, main_lives) = (reaped.exit, now(), false);
        } else if !main_lives {
            total.survivors += u32::from(reaped.exit == super::Exit::Signal(libc::SIGKILL));
        }
        if !main_lives {
            // Again each time: one that forked meanwhile has a child that was not there yet.
            sys::kill_all_others();
        }
    }
}

/// The monotonic clock.
fn now() -> Duration {
    let now = clock_gettime(ClockId::Monotonic);
    Duration::new(u64::try_from(now.tv_sec).unwrap_or(0), u32::try_from(now.tv_nsec).unwrap_or(0))
}
