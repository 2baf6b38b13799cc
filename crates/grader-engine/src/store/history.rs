//! The records of earlier runs, and the summaries that the index keeps of them. Thanks to the summaries, few records
//! are ever read twice. The caller defines the contents of a record and of its summary.

use std::collections::HashMap;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;

use super::Store;
use super::layout::open_plain;
use crate::limits::Bytes;

/// The record of a run, as a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// The file's name without its ending; ids sort by the time of the run's start.
    pub id: String,
    /// The file.
    pub path: PathBuf,
    /// In bytes.
    pub size: u64,
}

impl Record {
    /// Opens the record if it is a regular file and not a link.
    pub fn open(&self) -> io::Result<File> {
        open_plain(&self.path, OpenOptions::new().read(true))
    }

    /// Whether a running grader is writing the record.
    pub fn is_being_written(&self) -> bool {
        // A record that cannot be opened or locked counts as complete.
        self.open().is_ok_and(|file| flock(&file, FlockOperation::NonBlockingLockShared) == Err(Errno::WOULDBLOCK))
    }
}

/// The records in the store at `dir` (`.grader`), newest first. Empty without a store. The store need not be open.
pub fn records(dir: &Path) -> io::Result<Vec<Record>> {
    let entries = match fs::read_dir(dir.join("runs")) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let mut records = Vec::new();
    for entry in entries {
        let entry = entry?;
        let name = entry.file_name();
        let Some(id) = name.to_str().and_then(|name| name.strip_suffix(".jsonl")).filter(|id| is_id(id)) else {
            continue;
        };
        // `metadata` does not follow links: anything but a regular file is not a record. A file that has disappeared is
        // not a record either.
        let Some(found) = entry.metadata().ok().filter(fs::Metadata::is_file) else { continue };
        records.push(Record { id: id.to_owned(), path: entry.path(), size: found.len() });
    }
    records.sort_unstable_by(|a, b| b.id.cmp(&a.id));
    Ok(records)
}

/// Names are shown and typed, so only characters that the grader itself writes are valid.
fn is_id(id: &str) -> bool {
    !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

/// The data that the index stores about a record.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RunDigest {
    /// The summary, which is returned with the record.
    pub summary: String,
    /// Durations by subject; the caller chooses the names. The newest run counts.
    pub durations: Vec<(String, Duration)>,
}

/// A record with its summary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexedRecord {
    /// The record.
    pub record: Record,
    /// The summary from its digest. None if the record was not read.
    pub summary: Option<String>,
}

impl Store {
    /// Returns every record, newest first, with its summary. `digest` reads records that are new or have grown since,
    /// newest first, until it has read `budget` bytes.
    pub fn take_in_runs(
        &self,
        budget: Bytes,
        mut digest: impl FnMut(File) -> RunDigest,
    ) -> io::Result<Vec<IndexedRecord>> {
        let Some(journal) = self.journal() else { return Ok(Vec::new()) };
        let records = records(&journal.layout.root)?;
        // Without the index, every record is read. A notice reports the failure of the index.
        let known = journal.ask(|index| index.runs()).unwrap_or_default();
        let gone: Vec<String> = {
            let present: std::collections::HashSet<&str> = records.iter().map(|record| &*record.id).collect();
            known.keys().filter(|id| !present.contains(&***id)).cloned().collect()
        };
        if !gone.is_empty() {
            journal.ask(|index| index.forget_runs(&gone));
        }
        let mut left = budget.0;
        let taken = records.into_iter().map(|record| {
            let summary = self.summary_of(&record, &known, &mut left, &mut digest);
            IndexedRecord { record, summary }
        });
        Ok(taken.collect())
    }

    fn summary_of(
        &self,
        record: &Record,
        known: &HashMap<String, (u64, String)>,
        left: &mut u64,
        digest: &mut impl FnMut(File) -> RunDigest,
    ) -> Option<String> {
        if let Some((_, summary)) = known.get(&record.id).filter(|(size, _)| *size == record.size) {
            return Some(summary.clone());
        }
        *left = left.checked_sub(record.size)?;
        // An unreadable record has no summary. Commands that open it again report the error.
        let made = digest(record.open().ok()?);
        // A growing record is read again next time.
        if !record.is_being_written() {
            self.journal()?.ask(|index| index.put_run(&record.id, record.size, &made));
        }
        Some(made.summary)
    }

    /// The last known durations of these subjects, in the same order.
    pub fn durations(&self, subjects: &[String]) -> Vec<Option<Duration>> {
        let known = self.journal().and_then(|journal| journal.ask(|index| index.durations(subjects)));
        known.unwrap_or_else(|| vec![None; subjects.len()])
    }

    /// Removes the oldest records until `keep` are left. Records that are being written stay, and so do those that
    /// cannot be removed.
    pub fn prune_runs(&self, keep: usize) {
        let Some(journal) = self.journal() else { return };
        for record in records(&journal.layout.root).unwrap_or_default().iter().skip(keep) {
            if !record.is_being_written() {
                let _ = fs::remove_file(&record.path);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};

    use super::*;

    const PLENTY: Bytes = Bytes::mib(1);

    fn store() -> (tempfile::TempDir, Store) {
        let temp = tempfile::TempDir::new().unwrap();
        let (store, notices) = Store::open(&temp.path().join(".grader"));
        assert!(notices.is_empty(), "{notices:?}");
        (temp, store)
    }

    fn put(temp: &tempfile::TempDir, id: &str, text: &str) {
        fs::write(temp.path().join(format!(".grader/runs/{id}.jsonl")), text).unwrap();
    }

    fn digest(mut file: File) -> RunDigest {
        let mut summary = String::new();
        file.read_to_string(&mut summary).unwrap();
        let durations = vec![("a".to_owned(), Duration::from_secs(summary.len() as u64))];
        RunDigest { summary, durations }
    }

    fn summaries(store: &Store, read: &mut usize) -> Vec<(String, Option<String>)> {
        let taken = store.take_in_runs(PLENTY, |file| {
            *read += 1;
            digest(file)
        });
        taken.unwrap().into_iter().map(|taken| (taken.record.id, taken.summary)).collect()
    }

    #[test]
    fn records_are_read_once_newest_first() {
        let (temp, store) = store();
        put(&temp, "20200101T000000Z-1", "old");
        put(&temp, "20210101T000000Z-2", "young");
        let mut read = 0;
        let both = [
            ("20210101T000000Z-2".to_owned(), Some("young".into())),
            ("20200101T000000Z-1".into(), Some("old".into())),
        ];
        assert_eq!(summaries(&store, &mut read), both);
        assert_eq!(summaries(&store, &mut read), both);
        assert_eq!(read, 2);
        // The newest run's duration counts, in whatever order the runs are read.
        assert_eq!(store.durations(&["a".into(), "b".into()]), [Some(Duration::from_secs(5)), None]);
        put(&temp, "20200101T000000Z-1", "grown");
        fs::remove_file(temp.path().join(".grader/runs/20210101T000000Z-2.jsonl")).unwrap();
        assert_eq!(summaries(&store, &mut read), [("20200101T000000Z-1".to_owned(), Some("grown".into()))]);
        store.clear().unwrap();
        summaries(&store, &mut read);
        assert_eq!(read, 3, "clearing the cache forgets no run");
    }

    #[test]
    fn the_budget_bounds_what_is_read() {
        let (temp, store) = store();
        put(&temp, "20200101T000000Z-1", "old");
        put(&temp, "20210101T000000Z-2", "young");
        let taken = store.take_in_runs(Bytes(5), digest).unwrap();
        assert_eq!(taken.iter().map(|taken| taken.summary.is_some()).collect::<Vec<_>>(), [true, false]);
    }

    #[test]
    fn what_is_no_record_is_left_alone() {
        let (temp, store) = store();
        put(&temp, "../outside", "x");
        let runs = temp.path().join(".grader/runs");
        fs::write(runs.join("a b.jsonl"), "").unwrap();
        fs::write(runs.join("notes.txt"), "").unwrap();
        std::os::unix::fs::symlink("/etc/passwd", runs.join("link.jsonl")).unwrap();
        fs::create_dir(runs.join("dir.jsonl")).unwrap();
        assert_eq!(summaries(&store, &mut 0), []);
        store.prune_runs(0);
        assert_eq!(fs::read_dir(runs).unwrap().count(), 4);
    }

    #[test]
    fn a_record_that_is_being_written_is_not_pruned() {
        let (temp, store) = store();
        put(&temp, "20200101T000000Z-1", "old");
        let mut record = store.begin_run();
        record.write_all(b"half").unwrap();
        let found = records(&temp.path().join(".grader")).unwrap();
        assert_eq!(found.iter().map(Record::is_being_written).collect::<Vec<_>>(), [true, false]);
        store.prune_runs(0);
        assert!(record.path().exists());
        drop(record);
        assert_eq!(summaries(&store, &mut 0).len(), 1);
        store.prune_runs(1);
        assert_eq!(summaries(&store, &mut 0).len(), 1);
    }
}
