//! Writes the record of a run as it happens, one JSON object a line, in plan order. Also reads records back.

use std::io::{self, BufRead, Read, Write};
use std::time::Duration;

use serde_json::Value;

use crate::event::{Event, RunFacts, RunFinished, SCHEMA, SubmissionFinished, SubmissionRef};
use crate::record::{Report, Reporter};

/// Writes recorded events as JSON lines.
pub struct Jsonl<W: Write> {
    out: W,
}

impl<W: Write> Jsonl<W> {
    /// Writes to `out`, which should be buffered.
    pub fn new(out: W) -> Self {
        Self { out }
    }
}

impl<W: Write> Reporter for Jsonl<W> {
    fn recorded(&mut self, event: &Event, _: &Report) -> io::Result<()> {
        self.out.write_all(&event.to_line()?)?;
        // Flush here: if grader is killed, it loses only the submission in progress.
        if matches!(event, Event::RunStarted(_) | Event::SubmissionFinished(_)) { self.out.flush() } else { Ok(()) }
    }

    fn finish(&mut self, _: &Report) -> io::Result<()> {
        self.out.flush()
    }
}

/// The length limit of a line in bytes: the largest text in an event has 64 KiB.
const LONGEST_LINE: u64 = 16 << 20;

impl ReadError {
    /// Whether the message says what to do.
    pub fn has_remedy(&self) -> bool {
        matches!(self, Self::Newer { .. } | Self::Damaged { .. })
    }
}

/// Why a record cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// No complete line.
    #[error("it contains no complete line: the run was killed before grader recorded anything")]
    Empty,
    /// The first line is not the head of a record.
    #[error("line 1: not the record of a run, which must begin with a `run_started` event")]
    NoRecord,
    /// A later version wrote it.
    #[error(
        "grader {version} wrote it in schema {schema} of events; this grader reads up to {SCHEMA}\n  → update grader \
         to at least that version"
    )]
    Newer {
        /// The schema of the record.
        schema: u64,
        /// The version of grader that wrote it.
        version: String,
    },
    /// A line cannot be read or contradicts the lines before it.
    #[error(
        "line {line}: damaged: {cause}\n  → delete this line and the rest: grader then reads the file as an \
         interrupted run"
    )]
    Damaged {
        /// The line's number, counted from 1.
        line: usize,
        /// The error.
        cause: String,
    },
    /// An input/output error.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Reads a record event by event. If the record ends early because grader was killed, the reader completes it:
/// unfinished submissions become interrupted.
pub struct Records<R> {
    input: R,
    /// Lines read.
    line: usize,
    /// Planned submissions that have not finished; none before the head is read.
    open: Option<Vec<Option<SubmissionRef>>>,
    /// Whether the event that ends the run was returned.
    over: bool,
    /// Whether the record ended before the run did.
    cut: bool,
    /// Whether an error was returned; nothing follows one.
    failed: bool,
}

impl<R: BufRead> Records<R> {
    /// Reads from `input`.
    pub fn new(input: R) -> Self {
        Self { input, line: 0, open: None, over: false, cut: false, failed: false }
    }

    /// Whether the record ended before the run did; known after the last event.
    pub fn is_cut(&self) -> bool {
        self.cut
    }

    fn read(&mut self) -> Result<Option<Event>, ReadError> {
        let mut line = Vec::new();
        if !self.cut {
            self.line += 1;
            Read::take(&mut self.input, LONGEST_LINE).read_until(b'\n', &mut line)?;
            if line.len() as u64 == LONGEST_LINE {
                return Err(self.damaged("the line is too long"));
            }
            // A line without a line break was cut off while it was written.
            self.cut = line.pop_if(|last| *last == b'\n').is_none() && !(line.is_empty() && self.over);
        }
        match &mut self.open {
            _ if self.over && line.is_empty() => Ok(None),
            _ if self.over => Err(self.damaged("it comes after the end of the run")),
            Some(open) if self.cut => Ok(Some(interrupted(open, &mut self.over))),
            Some(_) => self.next_event(&line).map(Some),
            None => self.head(&line).map(Some),
        }
    }

    fn head(&mut self, line: &[u8]) -> Result<Event, ReadError> {
        let nothing = |_| if self.cut { ReadError::Empty } else { ReadError::NoRecord };
        let value: Value = serde_json::from_slice(line).map_err(nothing)?;
        if value["event"] != "run_started" {
            return Err(ReadError::NoRecord);
        }
        if let Some(schema) = value["schema"].as_u64().filter(|schema| *schema > u64::from(SCHEMA)) {
            return Err(ReadError::Newer { schema, version: value["version"].as_str().unwrap_or("?").to_owned() });
        }
        let event = self.parse(line)?;
        if let Event::RunStarted(head) = &event {
            self.open = Some(head.submissions().into_iter().map(Some).collect());
        }
        Ok(event)
    }

    fn next_event(&mut self, line: &[u8]) -> Result<Event, ReadError> {
        let event = self.parse(line)?;
        match &event {
            Event::RunStarted(_) => return Err(self.damaged("a second `run_started`")),
            Event::RunFinished(_) => self.over = true,
            _ => {}
        }
        let open = self.open.as_deref_mut().unwrap_or_default();
        if let Some(of) = event.of() {
            match open.get_mut(of.index.0) {
                Some(submission) if submission.as_ref() == Some(of) => {
                    if matches!(event, Event::SubmissionFinished(_)) {
                        *submission = None;
                    }
                }
                _ => return Err(self.damaged("it belongs to a submission that is not planned or has finished")),
            }
        }
        Ok(event)
    }

    fn parse(&self, line: &[u8]) -> Result<Event, ReadError> {
        Event::from_line(line).map_err(|error| self.damaged(&error.to_string()))
    }

    fn damaged(&self, cause: &str) -> ReadError {
        ReadError::Damaged { line: self.line, cause: cause.to_owned() }
    }
}

impl<R: BufRead> Iterator for Records<R> {
    type Item = Result<Event, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let next = self.read().transpose();
        self.failed = matches!(next, Some(Err(_)));
        next
    }
}

/// Returns the next event that grader would have recorded if it had been interrupted instead of killed.
fn interrupted(open: &mut [Option<SubmissionRef>], over: &mut bool) -> Event {
    if let Some(submission) = open.iter_mut().find_map(Option::take) {
        Event::SubmissionFinished(SubmissionFinished::interrupted(submission))
    } else {
        *over = true;
        Event::RunFinished(RunFinished { interrupted: true, measured: RunFacts::new(Duration::ZERO, None) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = r#"{"event":"run_started","schema":1,"version":"0","isolation":"none","caveat":"","problems":[{"problem":"p","title":"","time_limit":1,"memory":1,"tests":1,"submissions":[{"submission":"a","expected":"AC","reference":false,"again":""},{"submission":"b","expected":"AC","reference":false,"again":""}]}],"measured":{"started":"2026-01-01T00:00:00Z","slots":1,"cores":1}}"#;
    const FIRST: &str = r#"{"event":"submission_finished","run":0,"problem":"p","submission":"a","verdict":"AC","standing":{"standing":"met"}}"#;
    const END: &str = r#"{"event":"run_finished","interrupted":false,"measured":{"wall":1.5}}"#;

    fn read(text: &str) -> (Vec<Event>, Option<String>, bool) {
        let mut records = Records::new(text.as_bytes());
        let mut events = Vec::new();
        for event in records.by_ref() {
            match event {
                Ok(event) => events.push(event),
                Err(error) => return (events, Some(error.to_string()), false),
            }
        }
        (events, None, records.is_cut())
    }

    #[test]
    fn a_whole_record_is_read_as_it_is() {
        let (events, error, cut) = read(&format!("{HEAD}\n{FIRST}\n{END}\n"));
        assert_eq!((events.len(), error, cut), (3, None, false));
    }

    #[test]
    fn a_record_that_ends_early_is_an_interrupted_run() {
        let whole = format!("{HEAD}\n{FIRST}\n{END}\n");
        for length in HEAD.len() + 1..whole.len() {
            let (events, error, cut) = read(&whole[..length]);
            assert_eq!((error, cut), (None, true), "{length}");
            let Some(Event::RunFinished(end)) = events.last() else { panic!("{length}") };
            assert!(end.interrupted);
            let ends = events.iter().filter(|event| matches!(event, Event::SubmissionFinished(_))).count();
            assert_eq!(ends, 2, "{length}");
        }
    }

    #[test]
    fn what_is_no_record_is_refused() {
        let newer = HEAD.replace("\"schema\":1", "\"schema\":7");
        for (text, says) in [
            (String::new(), "it contains no complete line"),
            ("hello\n".to_owned(), "line 1: not the record"),
            (format!("{FIRST}\n"), "line 1: not the record"),
            (format!("{newer}\n"), "schema 7"),
            (format!("{HEAD}\n{{}}\n{END}\n"), "line 2: damaged"),
            (format!("{HEAD}\n\n{END}\n"), "line 2: damaged"),
            (format!("{HEAD}\n{HEAD}\n"), "line 2: damaged: a second"),
            (format!("{HEAD}\n{FIRST}\n{FIRST}\n"), "line 3: damaged: it belongs to a submission"),
            (format!("{HEAD}\n{}\n", FIRST.replace("\"run\":0", "\"run\":9")), "line 2: damaged: it belongs to"),
            (format!("{HEAD}\n{END}\n{FIRST}\n"), "line 3: damaged: it comes after the end of the run"),
        ] {
            let (_, error, _) = read(&text);
            assert!(error.as_ref().is_some_and(|error| error.contains(says)), "{text}: {error:?}");
        }
    }
}
