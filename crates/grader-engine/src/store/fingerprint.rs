//! Computes digests of files, and avoids reading unchanged files again. A file whose stamp (device, inode, size, times)
//! is recorded has the recorded digest.
//!
//! **When a digest is recorded.** The clock of a file system has a coarse resolution (a few milliseconds on Linux, 2 s
//! on FAT). A file can therefore change twice within one tick and keep its stamp. A digest is recorded only under two
//! conditions. When the reading begins, the file's mtime and ctime are at least [`SETTLED`] in the past by the system's
//! clock. After the reading, the stamp is unchanged. Any later change gives the file a later ctime, which no program
//! can set, so the record stays correct forever. A file that has just changed, or that has a date in the future, is
//! read each time. (Git records such entries and checks them at their use. This is the same rule, applied earlier.)
//!
//! The rule misses three cases. A program keeps writing through a memory map. The system clock is set back by more than
//! 2 s. The clock of a network file system is behind by more than that.

use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::key::{Digest, short};

/// The minimum time since the last change of a file before its digest is recorded: above the 2 s tick of FAT.
const SETTLED: Duration = Duration::from_millis(2500);

/// The metadata that identify one state of a file. Times are in nanoseconds since 1970.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stamp {
    pub(super) dev: i64,
    pub(super) inode: i64,
    pub(super) size: i64,
    pub(super) mtime: i64,
    pub(super) ctime: i64,
}

/// A file's stamp and digest, ready to be recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Fingerprint {
    pub(super) stamp: Stamp,
    pub(super) digest: Digest,
}

impl Stamp {
    /// The stamp of a file. None if a time does not fit into 64 bits.
    pub(super) fn of(metadata: &Metadata) -> Option<Self> {
        let nanos = |seconds: i64, nanos: i64| seconds.checked_mul(1_000_000_000)?.checked_add(nanos);
        Some(Self {
            dev: metadata.dev().cast_signed(),
            inode: metadata.ino().cast_signed(),
            size: metadata.len().cast_signed(),
            mtime: nanos(metadata.mtime(), metadata.mtime_nsec())?,
            ctime: nanos(metadata.ctime(), metadata.ctime_nsec())?,
        })
    }

    /// A checksum over this stamp and a digest, so that a damaged index cannot return a wrong digest.
    pub(super) fn seal(&self, digest: &Digest) -> i64 {
        let mut bytes = [0; 72];
        for (i, field) in [self.dev, self.inode, self.size, self.mtime, self.ctime].into_iter().enumerate() {
            bytes[i * 8..][..8].copy_from_slice(&field.to_le_bytes());
        }
        bytes[40..].copy_from_slice(digest.as_bytes());
        let hash = blake3::keyed_hash(b"grader fingerprint seal format 1", &bytes);
        short(hash.as_bytes())
    }

    /// Whether the file has been unchanged for long enough at this time.
    fn settled_at(&self, now: SystemTime) -> bool {
        // A clock before 1970 means that no file has settled, so every file is read again.
        let now = now.duration_since(UNIX_EPOCH).unwrap_or_default();
        let changed = Duration::from_nanos(u64::try_from(self.mtime.max(self.ctime)).unwrap_or(0));
        now.checked_sub(changed).is_some_and(|age| age >= SETTLED)
    }
}

/// Returns the metadata of a regular file; fails for anything else.
pub(super) fn regular(metadata: Metadata) -> io::Result<Metadata> {
    if metadata.is_file() {
        Ok(metadata)
    } else {
        Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"))
    }
}

/// Reads a file and returns its digest. Also returns its stamp if the two may be recorded. A file that changes during
/// the reading is read again. After the third attempt this fails.
pub(super) fn read(path: &Path) -> io::Result<(Digest, Option<Stamp>)> {
    read_with(path, SystemTime::now, hash)
}

fn read_with(
    path: &Path,
    clock: impl Fn() -> SystemTime,
    hash: impl Fn(&mut File, &mut [u8]) -> io::Result<Digest>,
) -> io::Result<(Digest, Option<Stamp>)> {
    // Without this flag, opening a pipe would wait for a writer.
    let mut file = File::options().read(true).custom_flags(libc::O_NONBLOCK).open(path)?;
    // One byte larger than the file, so that one read finds its end.
    let size = usize::try_from(file.metadata()?.len()).unwrap_or(usize::MAX);
    let mut buffer = vec![0; size.saturating_add(1).min(128 << 10)];
    for _ in 0..3 {
        let now = clock();
        let before = regular(file.metadata()?)?;
        let digest = hash(&mut file, &mut buffer)?;
        let after = file.metadata()?;
        let stamp = Stamp::of(&before);
        if stamp == Stamp::of(&after) && before.len() == after.len() {
            return Ok((digest, stamp.filter(|stamp| stamp.settled_at(now))));
        }
        io::Seek::rewind(&mut file)?;
    }
    Err(io::Error::other("another program is writing it"))
}

fn hash(file: &mut File, buffer: &mut [u8]) -> io::Result<Digest> {
    let mut hasher = blake3::Hasher::new();
    loop {
        match file.read(buffer) {
            Ok(0) => return Ok(Digest::from_bytes(hasher.finalize().into())),
            Ok(n) => hasher.update(&buffer[..n]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::fs;

    use tempfile::TempDir;

    use super::*;

    #[test]
    fn only_a_settled_file_is_recorded() {
        let temp = TempDir::new().unwrap();
        let path = temp.path().join("f");
        fs::write(&path, "content").unwrap();
        let check = |ahead: f64, recorded: bool| {
            let (digest, stamp) =
                read_with(&path, || SystemTime::now() + Duration::from_secs_f64(ahead), hash).unwrap();
            assert_eq!(digest, Digest::of_bytes(b"content"));
            assert_eq!(stamp.is_some(), recorded, "{ahead} s after the change");
        };
        check(0.0, false);
        check(2.0, false);
        check(2.6, true);
        let set_mtime = |ahead| {
            let time = SystemTime::now() + Duration::from_secs(ahead);
            File::options().write(true).open(&path).unwrap().set_modified(time).unwrap();
        };
        set_mtime(1000);
        check(2.6, false);
        check(1003.0, true);
        File::options().write(true).open(&path).unwrap().set_modified(UNIX_EPOCH).unwrap();
        check(0.0, false);
    }

    #[test]
    fn what_is_no_file_is_an_error_and_never_a_wait() {
        let temp = TempDir::new().unwrap();
        let pipe = temp.path().join("pipe");
        rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, 0o600.into(), 0).unwrap();
        for path in [&pipe, Path::new("/dev/zero"), temp.path(), &temp.path().join("missing")] {
            assert!(read(path).is_err(), "{path:?}");
        }
    }

    #[test]
    fn a_file_that_keeps_changing_is_an_error() {
        let temp = TempDir::new().unwrap();
        let path = temp.path().join("f");
        fs::write(&path, "").unwrap();
        let check = |changes: usize, fine: bool| {
            let left = Cell::new(changes);
            let reading = read_with(&path, SystemTime::now, |file, buffer| {
                let digest = hash(file, buffer);
                if left.get() > 0 {
                    left.set(left.get() - 1);
                    fs::write(&path, "x".repeat(left.get() + 1)).unwrap();
                }
                digest
            });
            assert_eq!(reading.is_ok(), fine, "{changes} changes");
        };
        check(0, true);
        check(2, true);
        check(3, false);
    }

    #[test]
    fn a_seal_depends_on_everything() {
        let stamp = Stamp { dev: 1, inode: 2, size: 3, mtime: 4, ctime: 5 };
        let digest = Digest::of_bytes(b"");
        let others = [
            Stamp { dev: 9, ..stamp },
            Stamp { inode: 9, ..stamp },
            Stamp { size: 9, ..stamp },
            Stamp { mtime: 9, ..stamp },
            Stamp { ctime: 9, ..stamp },
        ];
        for other in others {
            assert_ne!(stamp.seal(&digest), other.seal(&digest));
        }
        assert_ne!(stamp.seal(&digest), stamp.seal(&Digest::of_bytes(b"x")));
    }
}
