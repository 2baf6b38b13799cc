//! Reads the results of the last runs, for reports that compare.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use super::records::{all, replay};
use crate::event::Event;
use crate::limits::Bytes;
use crate::report::class::help::{ClassCell, PastGrades};
use crate::report::html::PastRun;
use crate::report::jsonl::Records;
use crate::store::Record;

/// The most runs that are read.
const MOST_RUNS: usize = 10;
/// The most bytes of all records that are read.
const MOST_BYTES: Bytes = Bytes::mib(64);

/// The results of the last runs before the record at `before`, or of the last runs of all. Newest first.
pub(crate) fn past_runs(store: &Path, before: Option<&Path>) -> Vec<PastRun> {
    EarlierRuns::new(store, before).read(|_| true).collect()
}

/// The last runs before another one. Nothing is read until results are asked for.
///
/// Records that cannot be read, and runs that did not end, are left out: a report of this run does not need them. So are
/// runs under sanitizers, whose times are not those of the programs.
pub(crate) struct EarlierRuns {
    /// Newest first.
    records: Vec<Record>,
}

impl EarlierRuns {
    /// The last runs before the record at `before`, or the last runs of all.
    pub(crate) fn new(store: &Path, before: Option<&Path>) -> Self {
        let records = all(store).unwrap_or_default();
        let skipped =
            before.and_then(|path| records.iter().position(|record| record.path == path)).map_or(0, |at| at + 1);
        Self { records: records.into_iter().skip(skipped).take(MOST_RUNS).collect() }
    }

    /// Reads the runs that are wanted, newest first.
    fn read(&self, mut is_wanted: impl FnMut(&Record) -> bool) -> impl Iterator<Item = PastRun> {
        let mut read = 0;
        let wanted = self.records.iter().filter(move |record| is_wanted(record));
        let small = wanted.take_while(move |record| {
            read += record.size;
            read <= MOST_BYTES.0
        });
        small.filter_map(|record| {
            let replayed = replay(File::open(&record.path).ok()?, |_, _| {});
            let is_sanitized = replayed.report.head.as_ref().is_some_and(|head| head.sanitize);
            PastRun::of(&replayed.report).filter(|_| replayed.finished && !is_sanitized)
        })
    }

    /// The last grades of these cells that differ from the given ones, newest first. A record is read only if it has a cell
    /// that has no such grade in a later run.
    pub(crate) fn grades(&self, cells: BTreeMap<ClassCell, f64>) -> Vec<PastGrades> {
        let open = RefCell::new(cells);
        let has_open = |record: &Record| !open.borrow().is_empty() && has_any(record, &open.borrow());
        let grades = self.read(has_open).filter_map(|run| run.grades);
        grades.inspect(|grades| open.borrow_mut().retain(|cell, now| !grades.differs(cell, *now))).collect()
    }
}

/// Whether a run has submissions for any of these cells, by the first event of its record.
fn has_any(record: &Record, cells: &BTreeMap<ClassCell, f64>) -> bool {
    // A record that cannot be read has none.
    let Some(Ok(Event::RunStarted(head))) =
        File::open(&record.path).ok().and_then(|file| Records::new(BufReader::new(file)).next())
    else {
        return false;
    };
    head.problems.iter().any(|problem| {
        let students = problem.submissions.iter().filter_map(|submission| submission.student.as_ref());
        let mut cell = students.map(|student| (problem.problem.to_string(), student.clone()));
        cell.any(|cell| cells.contains_key(&cell))
    })
}
