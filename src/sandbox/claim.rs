//! What a keeper behind walls has for itself and nobody else: a user id, and control groups of its own name.
//!
//! As root a claim is a number, held by a lock on a file for as long as the grader lives, however it ends. Whoever holds
//! the lock owns what bears the number: processes and groups that a killed grader left are the next holder's to remove.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

use super::cgroup::{Groups, GroupsPaths};
use super::slot::system;
use super::{Isolation, SandboxError};

/// Where the locks are. Only root comes here.
const LOCKS: &str = "/run/grader";
/// Above all users of a system and below those that systemd gives away (`systemd.io/UIDS-GIDS`).
const FIRST_USER: u32 = 300_000;
/// More than any machine has slots for.
const MOST: u32 = 4096;

/// User and groups of one side of a slot.
pub(super) struct Claim {
    user: Option<u32>,
    groups: Option<Groups>,
    /// Why a control group lacks something, in words.
    pub(super) missing: Vec<String>,
    #[expect(dead_code, reason = "held, not read")]
    lock: Option<File>,
}

impl Claim {
    /// What `isolation` needs.
    pub(super) fn new(isolation: Isolation) -> Result<Self, SandboxError> {
        match isolation {
            Isolation::Root => {
                let (number, lock) = lock_a_number().map_err(system("cannot claim a user id"))?;
                let (groups, missing) = Groups::create(&format!("grader-{number}"));
                Ok(Self { user: Some(FIRST_USER + number), groups: Some(groups), missing, lock: Some(lock) })
            }
            Isolation::User => {
                // Without locks that are safe from other users, the own process id tells whose groups they are.
                static NEXT: AtomicU32 = AtomicU32::new(0);
                let number = NEXT.fetch_add(1, Ordering::Relaxed);
                let (groups, missing) = Groups::create(&format!("grader-{}-{number}", std::process::id()));
                Ok(Self { user: None, groups: Some(groups), missing, lock: None })
            }
            Isolation::Weak | Isolation::None => Ok(Self { user: None, groups: None, missing: Vec::new(), lock: None }),
        }
    }

    /// The user that programs run as, where it is not the grader's own.
    pub(super) fn user(&self) -> Option<u32> {
        self.user
    }

    pub(super) fn groups(&self) -> Option<GroupsPaths> {
        self.groups.as_ref().map(|groups| groups.paths().clone())
    }
}

/// The first number that nobody holds.
fn lock_a_number() -> io::Result<(u32, File)> {
    let named = |path: &Path, error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", path.display()));
    let dir = Path::new(LOCKS);
    match fs::DirBuilder::new().mode(0o700).create(dir) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(named(dir, error)),
        _ => {}
    }
    for number in 0..MOST {
        let path = dir.join(number.to_string());
        let mut options = File::options();
        options.write(true).create(true).truncate(false).mode(0o600).custom_flags(libc::O_NOFOLLOW);
        let file = options.open(&path).map_err(|error| named(&path, error))?;
        match file.try_lock() {
            Ok(()) if is_unused(number) => return Ok((number, file)),
            Ok(()) | Err(fs::TryLockError::WouldBlock) => {}
            Err(fs::TryLockError::Error(error)) => return Err(named(&path, error)),
        }
    }
    Err(io::Error::other(format!("{MOST} are taken")))
}

/// Whether no process has the number's user. A killed grader's keeper ends at once, with all it runs, but not in no time.
fn is_unused(number: u32) -> bool {
    let Ok(processes) = fs::read_dir("/proc") else { return false };
    let names = processes.flatten().filter(|entry| entry.file_name().as_encoded_bytes()[0].is_ascii_digit());
    names.flat_map(|entry| entry.metadata()).all(|found| found.uid() != FIRST_USER + number)
}
