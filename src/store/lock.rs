//! The lock of the store: shared by everyone who uses it, exclusive for those who remove or rewrite what others may
//! be using. The kernel drops it with the process, so a crash leaves no stale lock.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;

use super::layout::open_plain;

/// A lock file, open.
#[derive(Debug)]
pub(super) struct Lock(File);

impl Lock {
    /// Opens the lock file without locking it.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        open_plain(path, OpenOptions::new().read(true).write(true).create(true)).map(Self)
    }

    /// Takes the lock for this process alone, if nobody else holds it; gives up what it held before if not.
    pub(super) fn try_exclusive(&self) -> io::Result<bool> {
        self.attempt(FlockOperation::NonBlockingLockExclusive)
    }

    /// Takes the shared lock, giving up an exclusive one. Not atomic: another may be exclusive in between. Waits for
    /// `patience` where another process is exclusive; false if it still is.
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
