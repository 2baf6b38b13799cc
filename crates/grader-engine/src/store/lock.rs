//! The lock of the store. All users share it. A process that removes or rewrites shared files holds it exclusively. The
//! kernel releases it with the process, so a crash leaves no stale lock.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;

use super::layout::open_plain;

/// An open lock file.
#[derive(Debug)]
pub(super) struct Lock(File);

impl Lock {
    /// Opens the lock file without locking it.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        open_plain(path, OpenOptions::new().read(true).write(true).create(true)).map(Self)
    }

    /// Tries to get the exclusive lock. Returns false if another process holds the lock; the lock held before is then
    /// released.
    pub(super) fn try_exclusive(&self) -> io::Result<bool> {
        self.attempt(FlockOperation::NonBlockingLockExclusive)
    }

    /// Gets the shared lock, and releases an exclusive one. Not atomic: another process may get exclusive access in
    /// between. Waits up to `patience` for an exclusive holder. Returns false if it still holds the lock.
    pub(super) fn share(&self, patience: Duration) -> io::Result<bool> {
        let start = Instant::now();
        while !self.attempt(FlockOperation::NonBlockingLockShared)? {
            if start.elapsed() > patience {
                return Ok(false);
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        Ok(true)
    }

    fn attempt(&self, operation: FlockOperation) -> io::Result<bool> {
        loop {
            match flock(&self.0, operation) {
                Ok(()) => return Ok(true),
                Err(Errno::WOULDBLOCK) => return Ok(false),
                Err(Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_share_and_one_excludes() {
        let temp = tempfile::TempDir::new().unwrap();
        let path = temp.path().join("lock");
        let [a, b] = [Lock::open(&path).unwrap(), Lock::open(&path).unwrap()];
        assert!(a.try_exclusive().unwrap());
        assert!(!b.try_exclusive().unwrap());
        assert!(!b.share(Duration::ZERO).unwrap());
        assert!(a.share(Duration::ZERO).unwrap());
        assert!(b.share(Duration::ZERO).unwrap());
        assert!(!a.try_exclusive().unwrap());
        drop(b);
        assert!(a.try_exclusive().unwrap());
    }
}
