//! Queues entries and writes them in one background thread: first to this process's segment, then to the index. A
//! worker that stores an outcome never waits for a disk.

use std::collections::HashMap;
use std::fs::File;
use std::io::Write;
use std::mem;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::fingerprint::Fingerprint;
use super::index::{Index, IndexError};
use super::key::Key;
use super::layout::{StorePaths, open_plain};
use super::notice::Notice;
use super::{held, segment};

/// A batch is written when it has this many outcomes.
const BATCH_LINES: usize = 200;
/// A batch is also written when its outcomes have this many bytes.
const BATCH_BYTES: usize = 4 << 20;
/// A batch is also written when its first entry is this old.
const BATCH_AGE: Duration = Duration::from_secs(1);
/// If the queued outcomes exceed this size, because the disk is too slow, further outcomes are not cached.
const QUEUE_BYTES: usize = 64 << 20;

type Lines = HashMap<Key, Arc<[u8]>>;

/// The queued entries, and the batch that is being written.
#[derive(Default)]
struct Queue {
    lines: Lines,
    bytes: usize,
    files: Vec<Fingerprint>,
    artifacts: Vec<(Key, u64)>,
    since: Option<Instant>,
    /// The batch that the writer is writing. Look-ups still find it.
    in_hand: Arc<Lines>,
    stop: bool,
}

impl Queue {
    fn is_full(&self) -> bool {
        self.lines.len() >= BATCH_LINES || self.bytes >= BATCH_BYTES
    }

    fn is_empty(&self) -> bool {
        self.lines.is_empty() && self.files.is_empty() && self.artifacts.is_empty()
    }
}

/// This process's segment, once it has been created.
type Segment = Option<(File, String)>;

/// The state that all threads share.
pub(super) struct Journal {
    pub(super) layout: StorePaths,
    pub(super) index: Mutex<Index>,
    queue: Mutex<Queue>,
    wake: Condvar,
    /// Locked while a batch is being written.
    segment: Mutex<Segment>,
    /// Set when writing has failed: nothing more is written.
    stopped: AtomicBool,
    /// Set when the index is damaged: it is no longer used.
    damaged: AtomicBool,
    /// Set when a notice about an artifact that could not be stored exists.
    told_of_artifacts: AtomicBool,
    notices: Mutex<Vec<Notice>>,
}

impl Journal {
    pub(super) fn new(layout: StorePaths, index: Index) -> Self {
        Self {
            layout,
            index: Mutex::new(index),
            queue: Mutex::default(),
            wake: Condvar::new(),
            segment: Mutex::default(),
            stopped: AtomicBool::new(false),
            damaged: AtomicBool::new(false),
            told_of_artifacts: AtomicBool::new(false),
            notices: Mutex::default(),
        }
    }

    /// Queues a line for the segment.
    pub(super) fn put_line(&self, key: Key, line: Vec<u8>) {
        self.put(|queue| {
            if queue.bytes + line.len() <= QUEUE_BYTES {
                queue.bytes += line.len();
                queue.lines.insert(key, line.into());
            }
        });
    }

    /// Queues fingerprints for the index.
    pub(super) fn put_files(&self, files: Vec<Fingerprint>) {
        if !files.is_empty() {
            self.put(|queue| queue.files.extend(files));
        }
    }

    /// Queues the size of an artifact for the index.
    pub(super) fn put_artifact(&self, key: Key, bytes: u64) {
        self.put(|queue| queue.artifacts.push((key, bytes)));
    }

    fn put(&self, add: impl FnOnce(&mut Queue)) {
        if self.stopped.load(Ordering::Relaxed) {
            return;
        }
        let mut queue = held(&self.queue);
        let was = (queue.is_empty(), queue.is_full());
        add(&mut queue);
        // Wakes the writer for the first entry and for a full batch, not for each entry.
        if was != (queue.is_empty(), queue.is_full()) {
            queue.since.get_or_insert_with(Instant::now);
            self.wake.notify_one();
        }
    }

    /// The queued lines of these keys, in the same order. None for keys that are not queued.
    pub(super) fn waiting(&self, keys: &[Key]) -> Vec<Option<Arc<[u8]>>> {
        let queue = held(&self.queue);
        keys.iter().map(|key| queue.lines.get(key).or_else(|| queue.in_hand.get(key)).cloned()).collect()
    }

    /// The work of the writer thread until [`Self::stop`].
    pub(super) fn write_until_stopped(&self) {
        while self.wait_for_batch() {
            self.flush();
        }
        self.flush();
    }

    /// Waits for a batch. False if the store is closing.
    fn wait_for_batch(&self) -> bool {
        let mut queue = held(&self.queue);
        loop {
            let age = queue.since.map(|since| since.elapsed());
            match age {
                _ if queue.stop => return false,
                None => queue = self.wake.wait(queue).unwrap_or_else(PoisonError::into_inner),
                Some(age) if age >= BATCH_AGE || queue.is_full() => return true,
                Some(age) => {
                    let woken = self.wake.wait_timeout(queue, BATCH_AGE.saturating_sub(age));
                    queue = woken.unwrap_or_else(PoisonError::into_inner).0;
                }
            }
        }
    }

    /// Asks the writer thread to write the rest and end.
    pub(super) fn stop(&self) {
        held(&self.queue).stop = true;
        self.wake.notify_all();
    }

    /// Writes everything queued so far. Also waits for entries that another thread is writing.
    pub(super) fn flush(&self) {
        let mut segment = held(&self.segment);
        let (lines, files, artifacts) = {
            let mut queue = held(&self.queue);
            queue.bytes = 0;
            queue.since = None;
            queue.in_hand = Arc::new(mem::take(&mut queue.lines));
            (queue.in_hand.clone(), mem::take(&mut queue.files), mem::take(&mut queue.artifacts))
        };
        let nothing = lines.is_empty() && files.is_empty() && artifacts.is_empty();
        if !nothing && !self.stopped.load(Ordering::Relaxed) {
            self.write(&mut segment, &lines, &files, &artifacts);
        }
        held(&self.queue).in_hand = Arc::default();
    }

    fn write(&self, segment: &mut Segment, lines: &Lines, files: &[Fingerprint], artifacts: &[(Key, u64)]) {
        if !lines.is_empty()
            && let Err(error) = self.append(segment, lines)
        {
            return self.stop_writing(&self.layout.outcomes, &error);
        }
        if self.damaged.load(Ordering::Relaxed) {
            return;
        }
        let name = segment.as_ref().map(|(_, name)| &**name).filter(|_| !lines.is_empty());
        let recorded = held(&self.index).record(name, files, artifacts);
        match recorded {
            Ok(()) => {}
            // The next batch, or the next process that opens the store, indexes these entries.
            Err(IndexError::Database(error)) if is_busy(&error) => {}
            Err(error @ IndexError::Unusable(_)) => self.index_failed(&error),
            Err(IndexError::Database(error)) => self.stop_writing(&self.layout.index, &error),
            Err(IndexError::Segment(error)) => self.stop_writing(&self.layout.outcomes, &error),
        }
    }

    fn append(&self, segment: &mut Segment, lines: &Lines) -> std::io::Result<()> {
        let (file, _) = match segment {
            Some(open) => open,
            None => segment.insert(segment::create(&self.layout.outcomes)?),
        };
        let batch = lines.values().fold(Vec::new(), |mut batch, line| {
            batch.extend_from_slice(line);
            batch
        });
        let length = file.metadata()?.len();
        file.write_all(&batch).inspect_err(|_| {
            // An incomplete line is harmless, but only wastes space on a full disk.
            let _ = file.set_len(length);
        })
    }

    /// Drops the segment and the queue, because the files are about to be removed. Nothing is written before the
    /// returned guard is dropped.
    pub(super) fn pause(&self) -> impl Drop + '_ {
        let mut segment = held(&self.segment);
        *segment = None;
        let mut queue = held(&self.queue);
        let stop = queue.stop;
        *queue = Queue { stop, ..Queue::default() };
        segment
    }

    /// Runs a query on the index. None if the index cannot be used.
    pub(super) fn ask<T>(&self, query: impl FnOnce(&mut Index) -> Result<T, IndexError>) -> Option<T> {
        if self.damaged.load(Ordering::Relaxed) {
            return None;
        }
        let answer = query(&mut held(&self.index));
        answer.inspect_err(|error| self.index_failed(error)).ok()
    }

    fn index_failed(&self, error: &IndexError) {
        if matches!(error, IndexError::Unusable(_)) && !self.damaged.swap(true, Ordering::Relaxed) {
            // If this mark cannot be written, the next process that finds the damage rebuilds the index.
            let _ = open_plain(&self.layout.index_damaged, File::options().write(true).create(true));
            let path = self.layout.index.clone();
            let cause = error.to_string();
            held(&self.notices).push(Notice::IndexDamaged { path, cause });
        }
    }

    /// Stops all writing. Creates one notice, however often it is called.
    fn stop_writing(&self, path: &Path, cause: &impl ToString) {
        if !self.stopped.swap(true, Ordering::Relaxed) {
            let path = path.to_owned();
            let cause = cause.to_string();
            held(&self.notices).push(Notice::WritingStopped { path, cause });
        }
    }

    /// Reports that an artifact could not be stored and is used from elsewhere. Creates one notice, however often it is
    /// called. Later, smaller artifacts may still fit.
    pub(super) fn artifact_not_kept(&self, cause: &std::io::Error) {
        if !self.told_of_artifacts.swap(true, Ordering::Relaxed) {
            let path = self.layout.artifacts.clone();
            let cause = cause.to_string();
            held(&self.notices).push(Notice::BuildNotKept { path, cause });
        }
    }

    pub(super) fn take_notices(&self) -> Vec<Notice> {
        mem::take(&mut held(&self.notices))
    }
}

fn is_busy(error: &rusqlite::Error) -> bool {
    use rusqlite::ErrorCode::{DatabaseBusy, DatabaseLocked};
    matches!(error.sqlite_error_code(), Some(DatabaseBusy | DatabaseLocked))
}
