//! What a keeper behind walls has for itself and nobody else: a user id, and control groups of its own name.
//!
//! As root a claim is a number, held by a lock on a file for as long as the grader lives, however it ends. The file says
//! which control groups there are. A file that says so and is not locked is that of a killed grader, of which the next
//! one removes what is left.

use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::fs::{DirBuilderExt, FileExt, MetadataExt, OpenOptionsExt};
use std::path::Path;
use std::sync::Once;
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

/// What there is of control groups for one side of a slot.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ControlGroups {
    /// In words: `cgroup v1 (memory, pids, cpuacct), v2 (kill, cpu)`.
    pub found: String,
    /// What they should count or limit and do not, each with its reason: `memory: it is not delegated to …`.
    pub missing: Vec<String>,
}

/// User and groups of one side of a slot.
pub(super) struct Claim {
    user: Option<u32>,
    groups: Option<Groups>,
    /// Why a control group lacks something, in words.
    missing: Vec<String>,
    lock: Option<File>,
}

impl Drop for Claim {
    fn drop(&mut self) {
        self.groups = None;
        if let Some(lock) = &self.lock {
            let _ = lock.set_len(0);
        }
    }
}

impl Claim {
    /// What `isolation` needs.
    pub(super) fn new(isolation: Isolation) -> Result<Self, SandboxError> {
        match isolation {
            Isolation::Root => {
                let (number, lock) = lock_a_number().map_err(system("cannot claim a user id"))?;
                let (groups, missing) = Groups::create(&format!("grader-{number}"));
                note(&lock, groups.paths()).map_err(system("cannot claim a user id"))?;
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

    /// What there is of control groups; none where none are used.
    pub(super) fn control_groups(&self) -> Option<ControlGroups> {
        let found = self.groups.as_ref()?.describe();
        Some(ControlGroups { found, missing: self.missing.clone() })
    }
}

/// The first number that nobody holds.
fn lock_a_number() -> io::Result<(u32, File)> {
    static SWEPT: Once = Once::new();
    let named = |path: &Path, error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", path.display()));
    let dir = Path::new(LOCKS);
    match fs::DirBuilder::new().mode(0o700).create(dir) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(named(dir, error)),
        _ => {}
    }
    SWEPT.call_once(|| sweep(dir));
    for number in 0..MOST {
        let path = dir.join(number.to_string());
        match lock(&path, true) {
            Ok(Some(file)) if is_unused(number) => return Ok((number, file)),
            Ok(_) => {}
            Err(error) => return Err(named(&path, error)),
        }
    }
    Err(io::Error::other(format!("{MOST} are taken")))
}

/// The file, locked; none when somebody else holds it.
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

/// Writes down whose groups these are.
fn note(lock: &File, groups: &GroupsPaths) -> io::Result<()> {
    lock.set_len(0)?;
    lock.write_all_at(&serde_json::to_vec(groups)?, 0)
}

/// Removes what killed graders have left.
fn sweep(dir: &Path) {
    let Ok(entries) = fs::read_dir(dir) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        let Ok(Some(mut file)) = lock(&path, false) else { continue };
        let mut text = Vec::new();
        let _ = file.read_to_end(&mut text);
        if let Ok(paths) = serde_json::from_slice(&text) {
            drop(Groups::left_behind(paths));
        }
        let _ = file.set_len(0);
    }
}

/// Whether no process has the number's user. A killed grader's keeper ends at once, with all it runs, but not in no time.
fn is_unused(number: u32) -> bool {
    let Ok(processes) = fs::read_dir("/proc") else { return false };
    let names = processes.flatten().filter(|entry| entry.file_name().as_encoded_bytes()[0].is_ascii_digit());
    names.flat_map(|entry| entry.metadata()).all(|found| found.uid() != FIRST_USER + number)
}
