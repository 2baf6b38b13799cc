//! Lists the processes of one group, and kills them if the kernel has no `cgroup.kill`.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{BorrowedFd, OwnedFd};

use rustix::fs::{Mode, OFlags, openat};
use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

/// The maximum number of processes to kill at once; each needs a descriptor.
const AT_ONCE: usize = 64;

/// Sends SIGKILL to the processes of the group itself; false if there were none. Misses processes that fork during the
/// call.
pub(super) fn strike(group: BorrowedFd<'_>) -> io::Result<bool> {
    let listed = list(group)?;
    for pids in listed.chunks(AT_ONCE) {
        let held: Vec<(i32, OwnedFd)> = pids.iter().filter_map(|pid| Some((*pid, hold(*pid)?))).collect();
        // A pid may have been reused before `hold` opened it. If the second list contains the pid, the descriptor
        // refers to a member or to a dead process. No other process can be hit.
        let still: BTreeSet<i32> = list(group)?.into_iter().collect();
        for (_, process) in held.iter().filter(|(pid, _)| still.contains(pid)) {
            // It may have ended by now.
            let _ = pidfd_send_signal(process, Signal::KILL);
        }
    }
    Ok(!listed.is_empty())
}

fn hold(pid: i32) -> Option<OwnedFd> {
    // The process may have ended by now. The next round finds the living ones.
    pidfd_open(Pid::from_raw(pid)?, PidfdFlags::empty()).ok()
}

/// The process ids as seen by this process; 0 for each that it cannot see.
fn list(group: BorrowedFd<'_>) -> io::Result<Vec<i32>> {
    // Opened anew each time: version 1 shows an old list to the same descriptor for up to a second.
    let procs = openat(group, "cgroup.procs", OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty())?;
    let mut text = String::new();
    File::from(procs).read_to_string(&mut text)?;
    text.lines().map(|line| line.parse().map_err(io::Error::other)).collect()
}
