//! Replays the record of an earlier run into reporters, as if it happened now.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use std::time::{Duration, SystemTime};

use anyhow::{Context as _, Result};

use super::kept_files::KeptFiles;
use crate::diagnostic::{Diagnostic, Severity};
use crate::event::Event;
use crate::record::{Recorder, Report, Reporter};
use crate::report::jsonl::Records;
use crate::workspace::Workspace;
use crate::workspace::ending::EarlyEnd;

/// Replays a record into reporters, and returns the report. The store has the files of failures that are still kept.
///
/// # Errors
/// The record cannot be read, or the listener knows which file was not written ([`EarlyEnd`]).
pub(crate) fn replay_into(workspace: &Workspace, path: &Path, reporters: Vec<Box<dyn Reporter>>) -> Result<Report> {
    let in_record = || path.display().to_string();
    // The record is read to its end first, so that a damaged one leaves no partial reports.
    let kept = KeptFiles::new(&workspace.settings.store_dir(), span(path).with_context(in_record)?);
    let mut recorder = Recorder::new(reporters);
    let mut stored = Records::new(BufReader::new(File::open(path).with_context(in_record)?));
    while let Some(event) = stored.next() {
        let mut event = event.with_context(in_record)?;
        if matches!(event, Event::RunFinished(_)) && stored.is_cut() {
            recorder.record(Event::Notice(cut(path)))?;
        }
        if let Event::TestFinished(finished) = &mut event {
            kept.check(&mut finished.result);
        }
        recorder.record(event)?;
    }
    let (report, unwritten) = recorder.finish()?;
    workspace.tell_found(&unwritten);
    if unwritten.is_empty() { Ok(report) } else { Err(EarlyEnd::Refused.into()) }
}

fn cut(path: &Path) -> Diagnostic {
    Diagnostic::new(Severity::Warning, "the record ends early: grader was killed, or is still running")
        .about(path.to_owned())
}

/// The time span of a run: from its start to its end, or to the record's last write.
fn span(path: &Path) -> Result<Option<(SystemTime, SystemTime)>> {
    let file = File::open(path)?;
    let written = file.metadata()?.modified()?;
    let mut started = None;
    let mut ended = written;
    for event in Records::new(BufReader::new(file)) {
        match event? {
            // If the start is unreadable, the span is unknown.
            Event::RunStarted(head) => started = humantime::parse_rfc3339(&head.measured.started).ok(),
            Event::RunFinished(end) if !end.measured.wall.is_zero() => {
                // The start is known only to the second.
                let wall = end.measured.wall + Duration::from_secs(1);
                ended = started.and_then(|started| started.checked_add(wall)).unwrap_or(written).min(written);
            }
            _ => {}
        }
    }
    Ok(started.map(|started| (started, ended)))
}
