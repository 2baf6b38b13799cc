//! Reads the results of the last runs, for reports that compare.

use std::fs::File;
use std::path::Path;

use super::records::{all, replay};
use crate::limits::Bytes;
use crate::report::html::PastRun;

/// The most runs that are read.
const MOST_RUNS: usize = 10;
/// The most bytes of all records that are read.
const MOST_BYTES: Bytes = Bytes::mib(64);

/// The results of the last runs before the record at `before`, or of the last runs of all. Newest first.
///
/// Records that cannot be read, and runs that did not end, are left out: a report of this run does not need them. So are
/// runs under sanitizers, whose times are not those of the programs.
pub(crate) fn past_runs(store: &Path, before: Option<&Path>) -> Vec<PastRun> {
    let records = all(store).unwrap_or_default();
    let skipped = before.and_then(|path| records.iter().position(|record| record.path == path)).map_or(0, |at| at + 1);
    let mut read = 0;
    let mut past = Vec::new();
    for record in records.iter().skip(skipped).take(MOST_RUNS) {
        let Ok(file) = File::open(&record.path) else { continue };
        read += file.metadata().map_or(0, |meta| meta.len());
        if read > MOST_BYTES.0 {
            break;
        }
        let replayed = replay(file, |_, _| {});
        let is_sanitized = replayed.report.head.as_ref().is_some_and(|head| head.sanitize);
        past.extend(PastRun::of(&replayed.report).filter(|_| replayed.finished && !is_sanitized));
    }
    past
}
