//! Creates the temporary directory of a run. A killed grader leaves its directory behind; the next grader removes it.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

use anyhow::Context as _;
use tempfile::TempDir;

use super::hard_limits;
use crate::compile::toolbox;
use crate::interrupt::{self, Handlers};

/// The beginning of the names.
const PREFIX: &str = "grader-run-";
/// A younger directory may be one that its owner has not locked yet.
const YOUNG: Duration = Duration::from_secs(60);
/// How often this process tries to remove its directory, …
const ATTEMPTS: u32 = 40;
/// … and how long it waits after each attempt.
const PAUSE: Duration = Duration::from_millis(50);

/// An empty temporary directory, locked until this is dropped. The lock also ends with the process.
pub(crate) struct Scratch {
    dir: TempDir,
    #[expect(dead_code, reason = "held, not read")]
    lock: File,
}

impl Scratch {
    /// Creates one in the directory for temporary files, for a command that runs programs.
    ///
    /// # Errors
    /// The directory cannot be created, or a hard limit of this process is too low to run anything.
    pub(crate) fn for_programs() -> anyhow::Result<Self> {
        hard_limits::refuse_low(&[toolbox::asking()], 1)?;
        let parent = tempfile::env::temp_dir();
        Self::new(&parent).with_context(|| {
            format!(
                "cannot create a scratch directory in {}\n  → set TMPDIR to a directory that you can write to",
                parent.display()
            )
        })
    }

    /// Creates one in `parent`, after removing the directories of killed graders of the same user.
    fn new(parent: &Path) -> io::Result<Self> {
        remove_stale(parent);
        Handlers::of_this_process()?;
        let dir = tempfile::Builder::new().prefix(PREFIX).tempdir_in(parent)?;
        interrupt::dooms(dir.path());
        let lock = File::open(dir.path())?;
        lock.try_lock()?;
        Ok(Self { dir, lock })
    }

    pub(crate) fn path(&self) -> &Path {
        self.dir.path()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // On a busy machine, a process that was killed may write into it for a moment.
        for _ in 0..ATTEMPTS {
            if !self.dir.path().exists() || crate::sandbox::remove_tree(self.dir.path()).is_ok() {
                break;
            }
            sleep(PAUSE);
        }
        interrupt::spares(self.dir.path());
    }
}

/// Removes the directories of killed graders. A directory that cannot be removed stays and causes no harm.
fn remove_stale(parent: &Path) {
    let Ok(entries) = fs::read_dir(parent) else { return };
    for entry in entries.flatten().filter(|entry| entry.file_name().as_encoded_bytes().starts_with(PREFIX.as_bytes())) {
        if is_stale(&entry.path()) {
            let _ = crate::sandbox::remove_tree(&entry.path());
        }
    }
}

/// Whether this is a directory of this user that no living grader has locked.
fn is_stale(path: &Path) -> bool {
    // A directory that cannot be examined, or whose time is in the future, may still be in use.
    let Ok(found) = fs::symlink_metadata(path) else { return false };
    let age = found.modified().ok().and_then(|time| time.elapsed().ok()).unwrap_or_default();
    let ours = found.is_dir() && found.uid() == rustix::process::geteuid().as_raw() && age > YOUNG;
    ours && File::open(path).is_ok_and(|dir| dir.try_lock().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_nobody_holds_is_removed() {
        let parent = tempfile::tempdir().unwrap();
        let held = Scratch::new(parent.path()).unwrap();
        let make = |name: &str| {
            let path = parent.path().join(name);
            fs::create_dir_all(path.join("slot0/box")).unwrap();
            path
        };
        let stale = make("grader-run-1");
        let young = make("grader-run-2");
        let strange = make("grader-other");
        let old = std::time::SystemTime::now() - 2 * YOUNG;
        for path in [&stale, &strange, &held.path().to_owned()] {
            File::open(path).unwrap().set_modified(old).unwrap();
        }
        let next = Scratch::new(parent.path()).unwrap();
        assert!(!stale.exists());
        assert!(young.exists() && strange.exists() && held.path().exists() && next.path().exists());
        let gone = next.path().to_owned();
        drop(next);
        assert!(!gone.exists());
    }

    #[test]
    fn it_goes_although_somebody_still_writes_into_it() {
        let parent = tempfile::tempdir().unwrap();
        let scratch = Scratch::new(parent.path()).unwrap();
        let path = scratch.path().to_owned();
        let end = std::time::Instant::now() + Duration::from_millis(300);
        let write = |writer: u32| {
            let path = path.clone();
            move || {
                for number in (0..).take_while(|_| std::time::Instant::now() < end) {
                    // Fails once the directory is gone.
                    let _ = fs::write(path.join(format!("{writer}-{number}")), "");
                }
            }
        };
        let writers: Vec<_> = (0..8).map(|writer| std::thread::spawn(write(writer))).collect();
        sleep(Duration::from_millis(50));
        drop(scratch);
        for writer in writers {
            writer.join().unwrap();
        }
        assert!(!path.exists());
    }
}
