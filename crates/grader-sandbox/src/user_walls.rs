//! The walls of a keeper that can make no namespaces, as root has none in most containers: a user that nothing else on the
//! machine has, Landlock, and the filter of system calls.
//!
//! The keeper stays root. What its programs may do to another process or to a file then depends on their user alone, and
//! each side of a slot has its own. The keeper needs no capability beyond changing users and owners: it kills as the user
//! of its programs (`sys::kill_all_of`), and reads their files and their entries of `/proc` as that user
//! (`sys::FileIdentity`).

use std::fs;
use std::io;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::process::{DumpableBehavior, set_dumpable_behavior};
use rustix::thread::{CapabilitySet, capabilities, set_thread_groups};

use super::box_use::BoxUse;
use super::cgroup::Handle;
use super::landlock::Ruleset;
use super::lease::LeasedUsers;
use super::places::during;
use super::refusal::{Part, Refusal};
use super::root;
use super::seccomp::{Filter, Network, Surroundings};
use super::sys::{self, Confinement, FileIdentity};
use super::tree::{self, Processes, SWEEP_DEADLINE};
use super::walls::{MORE_PROCESSES, give_pipe, keep_capabilities, making, open_groups};
use super::wire::Setup;
use grader_model::limits::Limits;

/// The capabilities that this layer cannot do without, with their names.
const NEEDED: [(CapabilitySet, &str); 3] =
    [(CapabilitySet::CHOWN, "CAP_CHOWN"), (CapabilitySet::SETUID, "CAP_SETUID"), (CapabilitySet::SETGID, "CAP_SETGID")];

/// The files of `/proc` that run-time systems read and that are not about processes.
const PROC: [&str; 9] = [
    "/proc/cgroups",
    "/proc/cpuinfo",
    "/proc/filesystems",
    "/proc/loadavg",
    "/proc/meminfo",
    "/proc/stat",
    "/proc/sys",
    "/proc/uptime",
    "/proc/version",
];

/// A keeper's users, control groups and box.
pub(super) struct UserWalls {
    users: LeasedUsers,
    pub(super) groups: Option<Handle>,
    pub(super) processes: Processes,
    pub(super) files: BoxUse,
    etc: Vec<PathBuf>,
}

impl UserWalls {
    /// Prepares this process, which cannot go back. Also returns the filter for its programs.
    pub(super) fn enter(setup: &Setup) -> io::Result<(Self, Filter)> {
        if !rustix::process::geteuid().is_root() {
            return Err(io::Error::other("only root has users to give away"));
        }
        let users = setup.users.ok_or_else(|| io::Error::other("no user for programs"))?;
        Ruleset::demand()?;
        let mut groups = open_groups(setup)?;
        if let Some(groups) = &mut groups {
            groups.enter().map_err(during("join the control groups"))?;
        }
        let surroundings = Surroundings {
            ipc: false,
            memory: groups.as_ref().is_some_and(Handle::limits_memory),
            network: Network::Pairs,
            bounded_box: false,
            // For the moment of a kill, the keeper has the user of its programs.
            keeper: Some(tree::me()),
        };
        let filter = Filter::new(surroundings).map_err(making(Part::Filter, "make the filter of system calls"))?;
        // Some names in `/etc` lead to what the keeper may know of itself, such as its mounts.
        let is_of_the_keeper = |path: &PathBuf| fs::canonicalize(path).is_ok_and(|real| real.starts_with("/proc"));
        let etc = root::public_etc().into_iter().filter(|path| !is_of_the_keeper(path)).collect();
        let files = BoxUse::new(&setup.boxes);
        set_dumpable_behavior(DumpableBehavior::NotDumpable)?;
        give_up_privileges()?;
        let processes = Processes::open().map_err(making(Part::Proc, "open /proc"))?;
        let walls = Self { users, groups, processes, files, etc };
        walls.expect_nobody()?;
        Ok((walls, filter))
    }

    /// Kills what an earlier keeper of the same users may have left. Nothing else on the machine has them.
    fn expect_nobody(&self) -> io::Result<()> {
        let deadline = Instant::now() + SWEEP_DEADLINE;
        let user = self.users.programs;
        while self.processes.has_any_of(user)? {
            if Instant::now() > deadline {
                return Err(io::Error::other(format!("processes of user {user} cannot be killed")));
            }
            sys::kill_all_of(user, self.users.companion).map_err(during("kill as the user of programs"))?;
            sleep(Duration::from_millis(1));
        }
        Ok(())
    }

    /// The rules for files: `read` and the public parts of the system to read, `write` to work in.
    pub(super) fn ruleset(&self, read: &[&Path], write: &[&Path]) -> io::Result<Ruleset> {
        let public = self.etc.iter().map(PathBuf::as_path).chain(PROC.map(Path::new));
        let read: Vec<_> = read.iter().copied().chain(public).collect();
        Ruleset::new(&read, write)
    }

    /// The restrictions that each program puts on itself at its start, beside the rules for files and system calls.
    pub(super) fn confinement(&self) -> Confinement<'static> {
        let dies_first = self.groups.as_ref().is_some_and(Handle::limits_memory);
        Confinement { dies_first, user: Some(self.users.programs), shows_itself: true, ..Confinement::default() }
    }

    /// Prepares a run with these limits.
    pub(super) fn prepare(&mut self, limits: &Limits, streams: [BorrowedFd<'_>; 3]) -> io::Result<()> {
        if let Some(groups) = &mut self.groups {
            let failed = during("set the limits of the control groups");
            groups.prepare(limits.memory, limits.processes.saturating_add(MORE_PROCESSES)).map_err(failed)?;
        }
        self.files.begin();
        streams.into_iter().try_for_each(|stream| give_pipe(stream, self.users.programs))
    }

    /// Kills all programs.
    pub(super) fn kill(&self) {
        if sys::kill_all_of(self.users.programs, self.users.companion).is_err() {
            // Slower, and needs a capability, but better than nothing. The sweep notices what stays alive.
            self.processes.descendants(tree::me()).into_iter().for_each(sys::kill);
        }
    }

    /// Looks into files as the user of programs, until the result is dropped.
    pub(super) fn identity(&self) -> io::Result<FileIdentity> {
        FileIdentity::assume(Some(self.users.programs))
    }

    /// Measures the files of the run if it is time for that, and in any case at its end. Returns whether they are more than a
    /// program may have.
    pub(super) fn look_at_files(&mut self, is_end: bool) -> bool {
        // Without it nothing can be measured; the next look tries again.
        let Ok(_identity) = FileIdentity::assume(Some(self.users.programs)) else { return false };
        if is_end { self.files.measure(&self.processes) } else { self.files.look(&self.processes) }
    }

    /// The entries of a program in `/proc` that its rules are about.
    pub(super) fn own_entries(&self, pid: i32) -> Vec<OwnedFd> {
        // None of them if this fails. A program then may fail to read about itself late in a long run.
        let Ok(_identity) = self.identity() else { return Vec::new() };
        self.processes.own_entries(pid)
    }
}

/// Drops the capabilities and groups that this keeper does not need.
fn give_up_privileges() -> io::Result<()> {
    let held = capabilities(None)?.permitted;
    if let Some((_, name)) = NEEDED.iter().find(|(capability, _)| !held.contains(*capability)) {
        let message = format!("this root user lacks {name}, and so can give programs no user of their own");
        return Err(Refusal { part: Some(Part::Capabilities), is_forbidden: true, message }.into());
    }
    set_thread_groups(&[]).map_err(|error| during("drop the groups")(error.into()))?;
    sys::drop_bounding_set();
    keep_capabilities(NEEDED.iter().fold(CapabilitySet::empty(), |all, (capability, _)| all | *capability))
}
