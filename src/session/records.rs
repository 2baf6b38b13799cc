//! Finds the records of earlier runs by name, and reads them again.

use std::fs::{self, File};
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::{Context as _, Result, bail};

use crate::event::Event;
use crate::record::Report;
use crate::report::jsonl::{ReadError, Records};
use crate::report::text::{Whitespace, escape};
use crate::store::{Record, records};

/// The records of the store at `dir`, newest first.
pub(crate) fn all(dir: &Path) -> Result<Vec<Record>> {
    records(dir).with_context(|| format!("cannot read {}", dir.join("runs").display()))
}

/// The file of the record that a word means: `last`, `prev` (the one before it), an id, the unique beginning of an id,
/// or the path of a file.
pub(crate) fn find(dir: &Path, word: &str) -> Result<PathBuf> {
    let records = all(dir)?;
    let nth = |n: usize, what: &str| match records.get(n) {
        Some(record) => Ok(record.path.clone()),
        None if records.is_empty() => {
            bail!("there is no record of a run in {}\n  → create one: grader run, or grader judge", dir.display())
        }
        None => bail!("there is no run before the last one, so {what} refers to nothing yet"),
    };
    match word {
        "last" => return nth(0, "`last`"),
        "prev" => return nth(1, "`prev`"),
        _ => {}
    }
    let id = word.strip_suffix(".jsonl").unwrap_or(word);
    let begin: Vec<&Record> = records.iter().filter(|record| record.id.starts_with(id)).collect();
    let exact = begin.iter().find(|record| record.id == id).copied();
    // People often type only the random part at the end of the id.
    let by_end = || records.iter().filter(|record| record.id.rsplit('-').next().is_some_and(|end| end == id)).collect();
    let meant: Vec<&Record> = exact.map(|record| vec![record]).unwrap_or(begin);
    let meant = if meant.is_empty() { by_end() } else { meant };
    match *meant {
        [record] => Ok(record.path.clone()),
        [] if Path::new(word).is_file() => Ok(PathBuf::from(word)),
        [] => bail!(
            "no run is called `{}`\n  → list the runs: grader history",
            escape(word.as_bytes(), Whitespace::Quiet)
        ),
        ref several => {
            let ids: Vec<&str> = several.iter().take(5).map(|record| &*record.id).collect();
            let more = if several.len() > ids.len() { ", …" } else { "" };
            bail!(
                "{1} runs begin with `{0}` ({2}{more})\n  → write more of the id",
                escape(word.as_bytes(), Whitespace::Quiet),
                several.len(),
                ids.join(", ")
            )
        }
    }
}

/// Whether grader keeps this file in its directory of records, however the path is written.
pub(crate) fn is_kept(dir: &Path, path: &Path) -> bool {
    // A path that cannot be resolved is nowhere.
    let real = |path: &Path| fs::canonicalize(path).ok();
    real(path).zip(real(&dir.join("runs"))).is_some_and(|(path, runs)| path.starts_with(runs))
}

/// The result of reading a record again.
#[derive(Debug, Default)]
pub(crate) struct ReplayedRecord {
    /// The report of its events.
    pub(crate) report: Report,
    /// Whether it has its last event. If not, the run was killed or is still running.
    pub(crate) finished: bool,
    /// The error that prevented reading to the end. Nothing after it was read.
    pub(crate) damage: Option<ReadError>,
}

impl ReplayedRecord {
    /// The error for a file from which nothing could be read, with what to do instead.
    fn nothing_in(self, path: &Path) -> anyhow::Error {
        let why = self.damage.unwrap_or(ReadError::Empty);
        let remedy = if why.has_remedy() { "" } else { "\n  → name another run: grader history lists them" };
        anyhow::anyhow!("{} is not a record of a run: {why}{remedy}", path.display())
    }
}

/// Reads the record in a file, like [`replay`]. Fails if nothing can be read from it, so the report has a head.
pub(crate) fn replay_file(path: &Path, each: impl FnMut(&Event, &Report)) -> Result<ReplayedRecord> {
    let file = File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
    let replayed = replay(file, each);
    if replayed.report.head.is_none() { Err(replayed.nothing_in(path)) } else { Ok(replayed) }
}

/// Reads a record. Calls `each` with every event, and with the report up to that event.
pub(crate) fn replay(file: impl Read, mut each: impl FnMut(&Event, &Report)) -> ReplayedRecord {
    let mut stored = Records::new(BufReader::new(file));
    let mut replayed = ReplayedRecord::default();
    for event in stored.by_ref() {
        match event {
            Ok(event) => {
                replayed.report.apply(&event);
                each(&event, &replayed.report);
            }
            // The run was killed before its first event, so the record is not damaged.
            Err(ReadError::Empty) => return replayed,
            Err(error) => replayed.damage = Some(error),
        }
    }
    replayed.finished = replayed.damage.is_none() && !stored.is_cut();
    replayed
}

/// `3 min ago` for a time in RFC 3339. Empty if the text is not a time, or the time is in the future.
pub(crate) fn age(started: &str, now: SystemTime) -> String {
    let Some(age) = humantime::parse_rfc3339(started).ok().and_then(|then| now.duration_since(then).ok()) else {
        return String::new();
    };
    match age.as_secs() {
        seconds @ 0..60 => format!("{seconds} s ago"),
        seconds @ 60..3600 => format!("{} min ago", seconds / 60),
        seconds @ 3600..172_800 => format!("{} h ago", seconds / 3600),
        seconds => format!("{} d ago", seconds / 86_400),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages() {
        let now = humantime::parse_rfc3339("2026-11-21T12:00:00Z").unwrap();
        assert_eq!(age("2026-11-21T11:59:57Z", now), "3 s ago");
        assert_eq!(age("2026-11-21T10:30:00Z", now), "1 h ago");
        assert_eq!(age("2026-11-11T10:30:00Z", now), "10 d ago");
        assert_eq!(age("not a time", now), "");
    }
}
