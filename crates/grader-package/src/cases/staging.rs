//! Creates staging directories, in which files are created before they get their final names. Also removes staging
//! directories that killed processes have left.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, Mode, OFlags, flock, open};
use rustix::io::Errno;
use tempfile::TempDir;

use super::MoveError;

/// The prefix of staging directories. Readers of cases ignore hidden names.
const PREFIX: &str = ".grader-";
/// The number of random letters and digits after the prefix.
const RANDOM: usize = 6;
/// How many levels to search for old staging directories. A directory is created beside the cases, or above if that
/// place is missing.
const ABOVE: usize = 3;

/// A hidden directory on the file system of the cases, where files are created before they get their final names. It is
/// deleted at the end.
///
/// The directory is locked as long as the process lives. A directory without a lock was left by a killed process, and
/// the next process in the same place removes it.
#[derive(Debug)]
pub struct Staging {
    dir: TempDir,
    // None if the file system has no locks. Then no process removes it, because none can lock it.
    _lock: Option<OwnedFd>,
}

impl Staging {
    /// Creates a directory in `near`, or in the nearest existing one above. Removes directories that killed processes
    /// have left.
    pub fn new(near: &Path) -> Result<Self, MoveError> {
        near.ancestors().take(ABOVE).for_each(remove_stale);
        let mut above = near.ancestors().filter(|dir| dir.is_dir());
        let dir = above.next().unwrap_or(near);
        // The error of the temporary directory would show its name.
        let remedied = |kind: io::ErrorKind| format!("{kind}\n  → make it writable, or choose another place");
        let failed = |error: io::Error| MoveError {
            path: dir.to_owned(),
            error: io::Error::new(error.kind(), remedied(error.kind())),
        };
        loop {
            let made = tempfile::Builder::new().prefix(PREFIX).rand_bytes(RANDOM).tempdir_in(dir).map_err(failed)?;
            let lock = open_dir(made.path()).ok();
            let locked = lock.as_ref().map_or(Err(Errno::NOLCK), |lock| flock(lock, FlockOperation::LockExclusive));
            // Another process may have removed it before the lock.
            if locked.is_err() || made.path().is_dir() {
                return Ok(Self { dir: made, _lock: lock });
            }
        }
    }

    /// The directory.
    pub fn dir(&self) -> &Path {
        self.dir.path()
    }

    /// A path in it.
    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }
}

/// Removes the staging directories in `dir` that no living process holds. Keeps those that cannot be removed.
fn remove_stale(dir: &Path) {
    for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
        if is_staging(&entry.file_name()) {
            let _ = remove_unless_locked(&entry.path());
        }
    }
}

fn is_staging(name: &OsStr) -> bool {
    let random = name.to_str().and_then(|name| name.strip_prefix(PREFIX));
    random.is_some_and(|random| random.len() == RANDOM && random.bytes().all(|byte| byte.is_ascii_alphanumeric()))
}

fn remove_unless_locked(path: &Path) -> io::Result<()> {
    let dir = open_dir(path)?;
    flock(&dir, FlockOperation::NonBlockingLockExclusive)?;
    // Directories of other users are not touched.
    if File::from(dir).metadata()?.uid() == rustix::process::geteuid().as_raw() {
        fs::remove_dir_all(path)?;
    }
    Ok(())
}

fn open_dir(path: &Path) -> io::Result<OwnedFd> {
    Ok(open(path, OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC, Mode::empty())?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_holds_is_removed() {
        let root = tempfile::tempdir().unwrap();
        let cases = root.path().join("cases");
        fs::create_dir(&cases).unwrap();
        let stale = [root.path().join(".grader-abc123"), cases.join(".grader-Xyz789")];
        let others = [cases.join(".grader-abc"), cases.join(".grader"), cases.join(".grader-report-abcdef")];
        for dir in stale.iter().chain(&others) {
            fs::create_dir_all(dir.join("inside")).unwrap();
        }
        let living = Staging::new(&cases).unwrap();
        fs::write(living.path("file"), "").unwrap();
        let second = Staging::new(&cases.join("sum/secret")).unwrap();
        assert!(stale.iter().all(|dir| !dir.exists()) && others.iter().all(|dir| dir.exists()));
        assert!(living.path("file").exists() && second.dir().exists());
        let gone = living.dir().to_owned();
        drop(living);
        assert!(!gone.exists());
    }
}
