//! Writes the record of a run, `runs/<time>-<id>.jsonl`. This module does not interpret the bytes.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rustix::fs::{FlockOperation, flock};

use super::layout::open_plain;
use super::notice::Notice;
use super::segment;

/// The record of a run in progress. Writing never fails: [`finish`](Self::finish) reports any earlier error. If the
/// record is dropped without `finish`, everything written so far stays.
#[derive(Debug)]
pub struct RunRecord {
    state: Result<File, Option<io::Error>>,
    path: PathBuf,
}

impl RunRecord {
    pub(super) fn create(runs: &Path) -> Self {
        // A clock before 1970 leads to a strange name, but not to a wrong record.
        let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        // The id begins with the milliseconds, so that names also sort by time within a second.
        let time = utc(since_1970);
        let millis = since_1970.subsec_millis();
        let random = segment::random() & 0xf_ffff;
        let path = runs.join(format!("{time}-{millis:03x}{random:05x}.jsonl"));
        let file = open_plain(&path, OpenOptions::new().append(true).create_new(true));
        // Locked until the file is closed, even by a crash. Readers can detect that the record is being written.
        let file = file.inspect(|file| {
            // If the file system has no locks, a run in progress looks unfinished.
            let _ = flock(file, FlockOperation::NonBlockingLockExclusive);
        });
        Self { state: file.map_err(Some), path }
    }

    /// A record that is not saved.
    pub(super) fn none() -> Self {
        Self { state: Err(None), path: PathBuf::new() }
    }

    /// The path of the record; empty without a store.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Syncs the record to disk and returns its path; None without a store. Returns a notice if writing failed.
    pub fn finish(self) -> Result<Option<PathBuf>, Notice> {
        let synced = match self.state {
            Ok(file) => file.sync_all(),
            Err(None) => return Ok(None),
            Err(Some(error)) => Err(error),
        };
        match synced {
            Ok(()) => Ok(Some(self.path)),
            Err(error) => Err(Notice::RecordIncomplete { path: self.path, cause: error.to_string() }),
        }
    }
}

impl Write for RunRecord {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_all(bytes).map(|()| bytes.len())
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        // Only the first error is kept. The run continues without a record, and `finish` reports the error.
        if let Ok(file) = &mut self.state
            && let Err(error) = file.write_all(bytes)
        {
            self.state = Err(Some(error));
        }
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Formats a time as `20261121T004446Z`. Uses Howard Hinnant's `civil_from_days`, because no dependency does this.
fn utc(since_1970: Duration) -> String {
    let days = since_1970.as_secs() / 86_400;
    let second = since_1970.as_secs() % 86_400;
    let days = days + 719_468;
    let era = days / 146_097;
    let day_of_era = days % 146_097;
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    let hour = second / 3600;
    let minute = second / 60 % 60;
    format!("{year:04}{month:02}{day:02}T{hour:02}{minute:02}{:02}Z", second % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates() {
        // Expected values from `date -u -d @N`.
        for (seconds, text) in [
            (0, "19700101T000000Z"),
            (951_782_399, "20000228T235959Z"),
            (951_782_400, "20000229T000000Z"),
            (1_709_251_199, "20240229T235959Z"),
            (1_709_251_200, "20240301T000000Z"),
            (1_795_221_886, "20261121T004446Z"),
            (4_107_542_400, "21000301T000000Z"),
        ] {
            assert_eq!(utc(Duration::from_secs(seconds)), text, "{seconds}");
        }
    }

    #[test]
    fn a_record_holds_the_bytes_it_was_given() {
        let temp = tempfile::TempDir::new().unwrap();
        let [mut a, b] = [RunRecord::create(temp.path()), RunRecord::create(temp.path())];
        assert_ne!(a.path(), b.path());
        a.write_all(b"{}\n\xff").unwrap();
        writeln!(a, "x").unwrap();
        let path = a.finish().unwrap().unwrap();
        assert_eq!(std::fs::read(path).unwrap(), b"{}\n\xffx\n");
    }

    #[test]
    fn failing_to_write_is_told_at_the_end_only() {
        let mut record = RunRecord::create(Path::new("/nonexistent"));
        record.write_all(b"x").unwrap();
        assert!(record.finish().unwrap_err().to_string().contains("/nonexistent/"));
        let full = File::options().write(true).open("/dev/full").unwrap();
        let mut record = RunRecord { state: Ok(full), path: PathBuf::new() };
        record.write_all(b"x").unwrap();
        record.write_all(b"y").unwrap();
        assert!(record.finish().unwrap_err().to_string().contains("No space left"));
        let mut record = RunRecord::none();
        record.write_all(b"x").unwrap();
        assert_eq!(record.finish().unwrap(), None);
    }
}
