//! Reserves the resources of one keeper behind walls: a user id, and control groups with a unique name.
//!
//! As root, a lease is a number. The grader holds a lock on a file of that number for as long as it runs. The kernel
//! drops the lock however the grader ends. The file says which control groups exist. If a file names groups but is not
//! locked, a killed grader left it. The next grader then removes those groups. As long as that fails, the file keeps
//! naming them, and no grader takes the number.

use std::fs::{self, File};
use std::io::{self, Read};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::fs::{DirBuilderExt, FileExt, MetadataExt, OpenOptionsExt};
use std::path::Path;
use std::sync::Once;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::cgroup::{Controller, Groups, GroupsPaths, Missing};
use super::pipe::system;
use super::{Isolation, SandboxError};

/// The directory of the lock files. Only root uses it.
const LOCKS: &str = "/run/grader";
/// The users that leases are about: one for the programs of each number, and one more that is its companion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct UserRange {
    first: u32,
    /// The largest number of leases.
    most: u32,
}

/// Above the users of any system and below those that systemd allocates (`systemd.io/UIDS-GIDS`). No machine has so many
/// slots.
const USUAL: UserRange = UserRange { first: 300_000, most: 4096 };
/// For a container that has only the first 65,536 users. Systemd gives these to services while they run, which containers
/// hardly do.
const SMALL: UserRange = UserRange { first: 61_184, most: 2048 };

/// How long the start of a grader may be delayed by processes of a killed grader that do not die.
const PATIENCE: Duration = Duration::from_secs(2);

/// The available control groups for one side of a slot.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ControlGroups {
    /// In words: `cgroup v1 (memory, pids, cpuacct), v2 (kill, cpu)`.
    pub found: String,
    /// The figures and limits that the groups should provide and do not, each with its reason.
    pub missing: Vec<Missing>,
}

impl ControlGroups {
    /// Whether memory is limited by the kernel on all sides; none without control groups.
    pub fn limit_memory(all: &[Self]) -> Option<bool> {
        (!all.is_empty()).then(|| all.iter().all(Self::count_memory))
    }

    /// Whether memory is counted and limited by the kernel; otherwise it is sampled.
    pub fn count_memory(&self) -> bool {
        !self.missing.iter().any(|missing| missing.includes(Controller::Memory))
    }
}

/// The users of a lease. Each is also the number of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct LeasedUsers {
    /// The user that programs run as.
    pub(super) programs: u32,
    /// A user that no process has. A keeper without namespaces needs it to kill.
    pub(super) companion: u32,
}

/// The user id and control groups of one side of a slot.
pub(super) struct Lease {
    users: Option<LeasedUsers>,
    groups: Option<Groups>,
    /// The features that control groups lack.
    missing: Vec<Missing>,
    lock: Option<File>,
}

impl Drop for Lease {
    fn drop(&mut self) {
        let removed = self.groups.take().map_or(Ok(()), Groups::remove);
        // If groups remain, the file still names them for the next grader.
        if let (Ok(()), Some(lock)) = (removed, &self.lock) {
            let _ = lock.set_len(0);
        }
    }
}

impl Lease {
    /// Reserves the resources that `isolation` needs.
    pub(super) fn new(isolation: Isolation) -> Result<Self, SandboxError> {
        match isolation {
            Isolation::Root | Isolation::Users => {
                let range = UserRange::available()?;
                let (number, lock) = lock_a_number(range)?;
                let (groups, missing) = Groups::create(&format!("grader-{number}"));
                note(&lock, groups.paths()).map_err(system("cannot claim a user id"))?;
                Ok(Self { users: Some(range.of(number)), groups: Some(groups), missing, lock: Some(lock) })
            }
            Isolation::User => {
                // No locks are safe from other users here, so the grader's own process id makes the group names unique.
                static NEXT: AtomicU32 = AtomicU32::new(0);
                let number = NEXT.fetch_add(1, Ordering::Relaxed);
                let (groups, missing) = Groups::create(&format!("grader-{}-{number}", std::process::id()));
                Ok(Self { users: None, groups: Some(groups), missing, lock: None })
            }
            Isolation::Weak | Isolation::None => {
                Ok(Self { users: None, groups: None, missing: Vec::new(), lock: None })
            }
        }
    }

    /// The users, if programs do not run as the grader's own.
    pub(super) fn users(&self) -> Option<LeasedUsers> {
        self.users
    }

    /// The lock, which a keeper holds too: the users of a killed grader become free only after its keepers have ended.
    pub(super) fn lock(&self) -> Option<BorrowedFd<'_>> {
        self.lock.as_ref().map(AsFd::as_fd)
    }

    pub(super) fn groups(&self) -> Option<GroupsPaths> {
        self.groups.as_ref().map(|groups| groups.paths().clone())
    }

    /// Returns the available control groups; none if the lease uses no control groups.
    pub(super) fn control_groups(&self) -> Option<ControlGroups> {
        let found = self.groups.as_ref()?.describe();
        Some(ControlGroups { found, missing: self.missing.clone() })
    }
}

impl UserRange {
    /// The range that this user namespace has, as users and as groups.
    fn available() -> Result<Self, SandboxError> {
        let [users, groups] = ["/proc/self/uid_map", "/proc/self/gid_map"].map(fs::read_to_string);
        let [users, groups] = [users, groups].map(|map| map.map_err(system("cannot read which users there are")));
        let (users, groups) = (users?, groups?);
        let is_there = |range: &Self| [&users, &groups].iter().all(|map| range.is_in(map));
        let none = || io::Error::other("this user namespace has too few users: it needs those from 0 to 65535");
        [USUAL, SMALL].into_iter().find(is_there).ok_or_else(|| system("cannot claim a user id")(none()))
    }

    /// Whether one line of the map (`user_namespaces(7)`: first inside, first outside, length) has the whole range.
    fn is_in(self, map: &str) -> bool {
        let end = u64::from(self.first) + 2 * u64::from(self.most);
        map.lines().any(|line| {
            let mut numbers = line.split_ascii_whitespace().filter_map(|word| word.parse::<u64>().ok());
            let first = numbers.next();
            let length = numbers.nth(1);
            first.is_some_and(|first| first <= self.first.into())
                && first.zip(length).is_some_and(|(first, length)| first + length >= end)
        })
    }

    fn of(self, number: u32) -> LeasedUsers {
        let programs = self.first + number;
        LeasedUsers { programs, companion: programs + self.most }
    }
}

/// Whether a user may belong to a lease of some grader.
pub(super) fn is_leased(user: u32) -> bool {
    [USUAL, SMALL].into_iter().any(|range| (range.first..range.first + range.most).contains(&user))
}

/// Locks the first number that no other grader holds.
fn lock_a_number(range: UserRange) -> Result<(u32, File), SandboxError> {
    static SWEPT: Once = Once::new();
    let dir = Path::new(LOCKS);
    match fs::DirBuilder::new().mode(0o700).create(dir) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
            return Err(SandboxError::Locks { path: dir.to_owned(), source: error });
        }
        _ => {}
    }
    SWEPT.call_once(|| sweep(dir));
    lock_a_number_in(dir, range)
}

fn lock_a_number_in(dir: &Path, range: UserRange) -> Result<(u32, File), SandboxError> {
    for number in 0..range.most {
        let path = dir.join(number.to_string());
        match lock(&path, true) {
            // A file with a note names groups that could not be removed.
            Ok(Some(file)) => {
                let noted = file.metadata().map_err(system("cannot claim a user id"))?.len();
                if noted == 0 && is_unused(range.of(number)) {
                    return Ok((number, file));
                }
            }
            Ok(None) => {}
            Err(source) => return Err(SandboxError::Locks { path, source }),
        }
    }
    Err(system("cannot claim a user id")(io::Error::other(format!("{} are taken", range.most))))
}

/// Opens and locks the file. None if another process holds the lock.
fn lock(path: &Path, create: bool) -> io::Result<Option<File>> {
    let mut options = File::options();
    options.read(true).write(true).create(create).mode(0o600).custom_flags(libc::O_NOFOLLOW);
    let file = options.open(path)?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(fs::TryLockError::WouldBlock) => Ok(None),
        Err(fs::TryLockError::Error(error)) => Err(error),
    }
}

/// Records the groups of the lease in its lock file.
fn note(lock: &File, groups: &GroupsPaths) -> io::Result<()> {
    lock.set_len(0)?;
    lock.write_all_at(&serde_json::to_vec(groups)?, 0)
}

/// Removes control groups that killed graders left behind.
fn sweep(dir: &Path) {
    let Ok(entries) = fs::read_dir(dir) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        let Ok(Some(mut file)) = lock(&path, false) else { continue };
        let mut text = Vec::new();
        // An unreadable list is treated as a damaged one: the next start tries again.
        let _ = file.read_to_end(&mut text);
        let left = serde_json::from_slice(&text).map(Groups::left_behind);
        if left.map_or(Ok(()), |groups| groups.remove_within(PATIENCE)).is_ok() {
            // If this fails, the next sweep looks at the entry again.
            let _ = file.set_len(0);
        }
    }
}

/// Whether no process runs as one of the users. A killed grader's keeper ends soon, with all its programs, but not
/// instantly.
fn is_unused(users: LeasedUsers) -> bool {
    let Ok(processes) = fs::read_dir("/proc") else { return false };
    let names = processes.flatten().filter(|entry| entry.file_name().as_encoded_bytes()[0].is_ascii_digit());
    names.flat_map(|entry| entry.metadata()).all(|found| ![users.programs, users.companion].contains(&found.uid()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_whose_groups_cannot_be_removed_is_nobody_s() {
        let dir = tempfile::tempdir().unwrap();
        // An ordinary directory with a file in it: not a group, but just as hard to remove.
        let group = dir.path().join("group");
        fs::create_dir(&group).unwrap();
        fs::write(group.join("file"), "").unwrap();
        let locks = dir.path().join("locks");
        fs::create_dir(&locks).unwrap();
        let note = serde_json::json!({ "memory": null, "pids": null, "cpuacct": null, "unified": group });
        for number in 0..3 {
            fs::write(locks.join(number.to_string()), note.to_string()).unwrap();
        }
        sweep(&locks);
        assert!(group.exists());
        assert_eq!(fs::read_to_string(locks.join("0")).unwrap(), note.to_string());
        let (number, _lock) = lock_a_number_in(&locks, USUAL).unwrap();
        assert!(number > 2, "{number}");
        fs::remove_file(group.join("file")).unwrap();
        // A child that another test starts holds a copy of an open lock until it executes: `sweep` passes that number over.
        let is_free = |number: i32| fs::read(locks.join(number.to_string())).unwrap().is_empty();
        for _ in 0..100 {
            sweep(&locks);
            if (0..3).all(is_free) {
                break;
            }
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        assert!(!group.exists() && (0..3).all(is_free));
    }

    #[test]
    fn a_small_container_has_other_users() {
        let map = |text: &str| [USUAL, SMALL].map(|range| range.is_in(text));
        assert_eq!(map("         0          0 4294967295\n"), [true, true]);
        assert_eq!(map("0 100000 65536\n"), [false, true]);
        assert_eq!(map("0 1000 1\n1 100000 65536\n"), [false, true]);
        assert_eq!(map("0 1000 1\n"), [false, false]);
        assert_eq!(map(""), [false, false]);
        let users = SMALL.of(2047);
        assert!(users.companion < 65_534 && is_leased(users.programs) && !is_leased(users.companion));
    }

    #[test]
    fn half_a_note_is_cleared() {
        let locks = tempfile::tempdir().unwrap();
        fs::write(locks.path().join("0"), "{\"memory\":\"/sys/fs").unwrap();
        sweep(locks.path());
        assert_eq!(fs::read(locks.path().join("0")).unwrap(), b"");
    }
}
