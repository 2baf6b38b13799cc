//! The processes of one group, and how to kill them where the kernel does not do it at one word.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{BorrowedFd, OwnedFd};

use rustix::fs::{Mode, OFlags, openat};
use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

/// Killed at a time: each needs a descriptor.
const AT_ONCE: usize = 64;

/// Sends SIGKILL to the processes of the group itself; false when there were none. What forks meanwhile is missed.
pub(super) fn strike(group: BorrowedFd<'_>) -> io::Result<bool> {
    let listed = list(group)?;
    for pids in listed.chunks(AT_ONCE) {
        let held: Vec<(i32, OwnedFd)> = pids.iter().filter_map(|pid| Some((*pid, hold(*pid)?))).collect();
        // A number may have passed to a stranger before it was held. A member that is listed after that is the one held,
        // or that one is dead: nobody else can be hit.
        let still: BTreeSet<i32> = list(group)?.into_iter().collect();
        for (_, process) in held.iter().filter(|(pid, _)| still.contains(pid)) {
            // It may have ended by now.
            let _ = pidfd_send_signal(process, Signal::KILL);
        }
    }
    Ok(!listed.is_empty())
}

fn hold(pid: i32) -> Option<OwnedFd> {
    // It may have ended by now; who still lives is found in the next round.
    pidfd_open(Pid::from_raw(pid)?, PidfdFlags::empty()).ok()
}

/// The process ids as this process sees them; 0 for each that it cannot see.
fn list(group: BorrowedFd<'_>) -> io::Result<Vec<i32>> {
    // Opened anew each time: version 1 goes on showing the old list to a descriptor for a second.
    let procs = openat(group, "cgroup.procs", OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty())?;
    let mut text = String::new();
    File::from(procs).read_to_string(&mut text)?;
    text.lines().map(|line| line.parse().map_err(io::Error::other)).collect()
}
