//! Creates the temporary directory of a run. A killed grader leaves its directory behind; the next grader removes it.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
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
}
