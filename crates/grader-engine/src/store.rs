//! `.grader/`: the cache of compiled programs and outcomes, the records of runs, and the failures of the last run.
//!
//! ```text
//! .gitignore                        `*`
//! runs/<time>-<id>.jsonl            the record of each run
//! last/<problem>/<submission>/…     what failed in the last run
//! cache/artifacts/<key>/            compiled programs
//! cache/derived/<key>/              files made from a person's files, such as the test cases in a document
//! cache/outcomes/<segment>.jsonl    cached outcomes: the truth
//! pseudonyms.key                    the secret from which pseudonyms of students are computed
//! index.sqlite                      where they are, and the digests of files: made anew when it is lost
//! ```
//!
//! Two rules hold everywhere. *The store never fails a run*: if the store has a problem, it turns caching off and
//! reports a [`Notice`]. *The store never makes a result wrong*: checksums verify that every value read back is whole
//! and belongs to the key that was asked for. Any other value counts as missing. Any number of graders may use a store
//! at once, and each may be killed at any moment. A killed grader loses only what it had not written yet: about a
//! second's worth.
//!
//! The store knows nothing of problems, verdicts or the meaning of the cached values. It does trust the owner of its
//! directory: a user who can write `.grader/` can forge a result in it.

mod artifact;
mod derived;
mod fingerprint;
mod history;
mod index;
mod journal;
mod key;
mod last;
mod layout;
mod lock;
mod notice;
mod record;
mod secret;
mod segment;
mod upkeep;

use std::fs;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::limits::Bytes;

use self::fingerprint::{Fingerprint, Stamp};
use self::index::{Index, IndexError, LinePosition};
use self::journal::Journal;
use self::layout::{StorePaths, tree_size};
use self::lock::Lock;

pub use self::artifact::{Artifact, ArtifactBuilder};
pub use self::derived::deriving;
pub use self::history::{IndexedRecord, Record, RunDigest, records};
pub use self::key::{Digest, Key, KeyBuilder};
pub use self::last::LastRun;
pub use self::last::MOST_COPIED;
pub use self::notice::Notice;
pub use self::record::RunRecord;
pub use self::secret::secret;
pub use self::segment::CacheEntry;

/// The default limit on the size of the cache: 2 GiB.
pub const DEFAULT_CAP: Bytes = Bytes::mib(2048);

/// How long to wait for another process that rebuilds or cleans up the store.
const PATIENCE: Duration = Duration::from_secs(10);

/// An open store, or a disabled one. A disabled store finds and saves nothing; everything else works. Safe to use from
/// any number of threads.
pub struct Store {
    // Dropped before the lock: the index must be closed while the lock is held.
    journal: Option<Arc<Journal>>,
    lock: Option<Lock>,
    writer: Option<JoinHandle<()>>,
}

/// Why the cache was not cleared.
#[derive(Debug, thiserror::Error)]
pub enum ClearError {
    /// Another grader has the store open.
    #[error("{0}: another grader is using it; wait until it ends")]
    InUse(PathBuf),
    /// A file or directory could not be removed.
    #[error("cannot clear {path}")]
    Io {
        /// The directory of the store.
        path: PathBuf,
        /// The cause.
        #[source]
        source: io::Error,
    },
}

/// The sizes of the parts of a store, in bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Size {
    /// Compiled programs.
    pub artifacts: Bytes,
    /// Outcomes.
    pub outcomes: Bytes,
    /// The index and its log.
    pub index: Bytes,
    /// The records of runs; not part of the cache.
    pub runs: Bytes,
    /// The files of failures in the last run; not part of the cache.
    pub last: Bytes,
}

impl Store {
    /// Opens the store in `dir` (`.grader`, whose parent must exist), and creates it if it does not exist. Problems
    /// with the store are repaired or reported as notices. If the store cannot be used at all, this returns one that is
    /// switched off.
    pub fn open(dir: &Path) -> (Self, Vec<Notice>) {
        Self::open_with_cap(dir, DEFAULT_CAP)
    }

    /// Like [`Self::open`], with another bound for the size of `cache/` and the index together. The bound is enforced
    /// when a store is opened that no other process has open: the least recently used artifacts are removed first.
    pub fn open_with_cap(dir: &Path, cap: Bytes) -> (Self, Vec<Notice>) {
        match Self::try_open(dir, cap.0) {
            Ok(opened) => opened,
            Err(notice) => (Self::disabled(), vec![notice]),
        }
    }

    /// Returns a disabled store, which finds and saves nothing.
    pub const fn disabled() -> Self {
        Self { journal: None, lock: None, writer: None }
    }

    /// Whether the store finds and saves anything.
    pub const fn is_enabled(&self) -> bool {
        self.journal.is_some()
    }

    fn try_open(dir: &Path, cap: u64) -> Result<(Self, Vec<Notice>), Notice> {
        let layout = StorePaths::create(dir).map_err(|(path, error)| Notice::disabled(&path, &error))?;
        let lock = Lock::open(&layout.lock).map_err(|error| Notice::disabled(&layout.lock, &error))?;
        let mut notices = Vec::new();
        // If the file system has no locks, no process ever gets exclusive access. Everything works, but nothing is
        // cleaned up.
        if lock.try_exclusive().unwrap_or(false) {
            let mended = upkeep::mend_and_tidy(&layout, cap);
            notices.extend(mended.map_err(|error| Notice::disabled(&layout.root, &error))?);
        }
        if !lock.share(PATIENCE).unwrap_or(true) {
            return Err(Notice::disabled(&layout.lock, &"another grader has been rebuilding the cache for 10 s"));
        }
        let index = open_index(&layout, &mut notices).map_err(|error| Notice::disabled(&layout.index, &error))?;
        let root = layout.root.clone();
        let journal = Arc::new(Journal::new(layout, index));
        let writer = std::thread::Builder::new().name("store".into()).spawn({
            let journal = journal.clone();
            move || journal.write_until_stopped()
        });
        let writer = writer.map_err(|error| Notice::disabled(&root, &error))?;
        Ok((Self { journal: Some(journal), lock: Some(lock), writer: Some(writer) }, notices))
    }

    fn journal(&self) -> Option<&Journal> {
        self.journal.as_deref()
    }

    /// Returns the notices since the store was opened or since the last call. Call this after [`Self::flush`] at the
    /// end of a run.
    pub fn take_notices(&self) -> Vec<Notice> {
        self.journal().map(Journal::take_notices).unwrap_or_default()
    }

    /// Returns the digest of a file's content. Does not read the file if it is known to be unchanged: see the rule at
    /// the head of `fingerprint`. Follows links. Anything but a regular file is an error.
    pub fn digest_file(&self, path: &Path) -> io::Result<Digest> {
        self.digest_files(&[path]).pop().unwrap_or_else(|| Err(io::Error::other("no answer")))
    }

    /// Returns the digests of many files, in the same order. This is much faster than one call for each file.
    pub fn digest_files<P: AsRef<Path>>(&self, paths: &[P]) -> Vec<io::Result<Digest>> {
        let found: Vec<_> =
            paths.iter().map(|path| fs::metadata(path.as_ref()).and_then(fingerprint::regular)).collect();
        // A file without metadata gets its own error as its result below.
        let stamps: Vec<_> = found.iter().map(|found| found.as_ref().ok().and_then(Stamp::of)).collect();
        let known = self.journal().and_then(|journal| journal.ask(|index| index.digests(&stamps)));
        let known = known.unwrap_or_else(|| vec![None; paths.len()]);
        let mut fresh = Vec::new();
        let digests = paths.iter().zip(found).zip(known).map(|((path, found), known)| {
            found?;
            if let Some(digest) = known {
                return Ok(digest);
            }
            let (digest, stamp) = fingerprint::read(path.as_ref())?;
            fresh.extend(stamp.map(|stamp| Fingerprint { stamp, digest }));
            Ok(digest)
        });
        let digests = digests.collect();
        if let Some(journal) = self.journal() {
            journal.put_files(fresh);
        }
        digests
    }

    /// Returns the compiled program for this key. None if it does not exist, if its files are damaged, or if its meta
    /// is not an `M`.
    pub fn artifact<M: DeserializeOwned>(&self, key: &Key) -> Option<Artifact<M>> {
        artifact::find(self, key)
    }

    /// Begins to build the artifact for this key. Works without a cache too. Fails if no temporary directory can be
    /// created anywhere.
    pub fn build_artifact(&self, key: Key) -> io::Result<ArtifactBuilder<'_>> {
        ArtifactBuilder::new(self, key)
    }

    /// Returns the cached outcome for this key. None if it does not exist, is damaged, or is not a `T`.
    pub fn outcome<T: DeserializeOwned>(&self, key: &Key) -> Option<CacheEntry<T>> {
        self.outcomes(std::slice::from_ref(key)).pop().flatten()
    }

    /// Returns the cached outcomes for many keys, in the same order. This is much faster than one call for each key.
    pub fn outcomes<T: DeserializeOwned>(&self, keys: &[Key]) -> Vec<Option<CacheEntry<T>>> {
        let Some(journal) = self.journal() else { return keys.iter().map(|_| None).collect() };
        let waiting = journal.waiting(keys);
        // Without the index, all keys are misses.
        let places = journal.ask(|index| index.places(keys)).unwrap_or_default();
        let mut places = places.into_iter();
        let mut line = Vec::new();
        let each = keys.iter().zip(waiting).map(|(key, waiting)| {
            let place = places.next().flatten();
            match waiting {
                Some(waiting) => segment::decode(&waiting, key),
                None => segment::decode(read_line(&place?, &mut line)?, key),
            }
        });
        each.collect()
    }

    /// Caches an outcome, together with some bytes (a small output, say). Takes microseconds: a background thread
    /// writes the outcome later, but look-ups find it at once. The last outcome put under a key counts. A value that
    /// cannot be written as JSON, or is larger than 16 MiB, is not cached. Floats may come back changed in the last
    /// digit.
    pub fn put_outcome<T: Serialize>(&self, key: Key, value: &T, blob: Option<&[u8]>) {
        if let Some(journal) = self.journal()
            && let Some(line) = segment::encode(&key, value, blob)
        {
            journal.put_line(key, line);
        }
    }

    /// Writes everything that is still queued. A process killed afterwards loses nothing of that; a power cut may still
    /// lose it.
    pub fn flush(&self) {
        if let Some(journal) = self.journal() {
            journal.flush();
        }
    }

    /// Returns the directory of the last run's failures. None without a store, or if the directory cannot be opened. No
    /// failures are saved then.
    pub fn last_run(&self) -> Option<LastRun> {
        self.journal().and_then(|journal| LastRun::open(&journal.layout).ok())
    }

    /// Begins the record of a run. Without a store, the record is not saved.
    pub fn begin_run(&self) -> RunRecord {
        self.journal().map_or_else(RunRecord::none, |journal| RunRecord::create(&journal.layout.runs))
    }

    /// Returns the size of the store. Reads the metadata of all its files.
    pub fn size(&self) -> Size {
        let Some(layout) = self.journal().map(|journal| &journal.layout) else { return Size::default() };
        let tree = |path: &Path| Bytes(tree_size(path).1);
        let log = layout.index.with_extension("sqlite-wal");
        Size {
            artifacts: tree(&layout.artifacts),
            outcomes: tree(&layout.outcomes),
            index: Bytes(tree(&layout.index).0 + tree(&log).0),
            runs: tree(&layout.runs),
            last: tree(&layout.last),
        }
    }

    /// Removes all artifacts, outcomes and fingerprints, including those of this process, so never call it during a
    /// run. Keeps the records and the last run's failures.
    pub fn clear(&self) -> Result<(), ClearError> {
        let (Some(journal), Some(lock)) = (self.journal(), &self.lock) else { return Ok(()) };
        let root = &journal.layout.root;
        let failed = |source| ClearError::Io { path: root.clone(), source };
        let _paused = journal.pause();
        let alone = lock.try_exclusive().map_err(failed)?;
        let cleared = if alone { clear(journal) } else { Ok(()) };
        lock.share(PATIENCE).map_err(failed)?;
        if alone { cleared.map_err(failed) } else { Err(ClearError::InUse(root.clone())) }
    }
}

impl Drop for Store {
    /// Writes all queued entries.
    fn drop(&mut self) {
        if let (Some(journal), Some(writer)) = (&self.journal, self.writer.take()) {
            journal.stop();
            let _ = writer.join();
        }
    }
}

impl std::fmt::Debug for Store {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Store").field("root", &self.journal().map(|journal| &journal.layout.root)).finish()
    }
}

/// Opens the index on disk. If that index is unusable and cannot be replaced now because other processes use it,
/// returns an index in memory.
fn open_index(layout: &StorePaths, notices: &mut Vec<Notice>) -> Result<Index, IndexError> {
    match upkeep::open_caught_up(layout) {
        Err(IndexError::Unusable(cause)) => {
            let mut index = Index::in_memory(&layout.outcomes)?;
            index.catch_up()?;
            let cause = format!("{cause}; in memory only, because another grader is using it");
            notices.push(Notice::IndexRebuilt { path: layout.index.clone(), cause });
            Ok(index)
        }
        opened => opened,
    }
}

fn read_line<'a>(place: &LinePosition, line: &'a mut Vec<u8>) -> Option<&'a [u8]> {
    // A line that cannot be read is a miss.
    line.resize(usize::try_from(place.length).ok()?, 0);
    place.file.read_exact_at(line, place.offset).ok()?;
    Some(line)
}

fn clear(journal: &Journal) -> io::Result<()> {
    let layout = &journal.layout;
    for dir in [&layout.artifacts, &layout.derived, &layout.outcomes, &layout.temp] {
        upkeep::empty(dir)?;
    }
    // If clearing the index fails, its entries point to nothing. The next `catch_up` removes them.
    let _ = journal.ask(Index::clear);
    Ok(())
}

fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
