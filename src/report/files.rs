//! The difference of two files, around a place that is known: bounded windows are read, whatever the files' sizes.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::time::{Duration, Instant};

use super::diff::{self, Layout, View};
use super::text::{Line, Paint};
use crate::config::DiffStyle;
use crate::explain::{self, Options, Window};
use crate::judge::compare::Difference;
use crate::problem::Checker;

/// Rows of a diff.
const MAX_ROWS: usize = 40;
/// Bytes read before and behind the first difference.
const WINDOW: u64 = 64 * 1024;
/// How long the search for a good alignment may take.
const DEADLINE: Duration = Duration::from_millis(300);

/// How an answer and an output in files are shown side by side, around their first difference.
#[derive(Debug, Clone, Copy)]
pub struct FileDiff<'a> {
    /// What the answer is called.
    pub answer: &'a str,
    /// What the output is called.
    pub output: &'a str,
    /// What counts as a difference.
    pub checker: Checker,
    /// The arrangement.
    pub style: DiffStyle,
    /// Lines around a difference.
    pub context: usize,
    /// Columns to fill at most.
    pub columns: usize,
    /// Whether to colour.
    pub paint: Paint,
}

impl FileDiff<'_> {
    /// The lines; none where they are not wanted, or a file cannot be read.
    pub fn lines(&self, answer: &Path, output: &Path, difference: &Difference) -> Vec<Line> {
        let layout = match self.style {
            DiffStyle::Auto => Layout::Auto,
            DiffStyle::Unified => Layout::Unified,
            DiffStyle::SideBySide => Layout::SideBySide,
            DiffStyle::None => return Vec::new(),
        };
        let (expected, actual) = (&difference.expected.at, &difference.actual.at);
        let windows = around(answer, expected.offset, expected.line)
            .and_then(|answer| Ok((answer, around(output, actual.offset, actual.line)?)));
        let Ok((answer, output)) = windows else { return Vec::new() };
        let options = Options {
            checker: self.checker,
            context: self.context,
            max_rows: MAX_ROWS,
            columns: self.columns,
            deadline: Instant::now() + DEADLINE,
        };
        let model = explain::explain(&answer.window(), &output.window(), &options);
        let Self { columns, paint, answer, output, .. } = *self;
        diff::diff(&model, &View { layout, columns, paint, answer, output })
    }
}

/// A stretch of a file; shorter where the file ends.
pub(super) fn read(path: &Path, from: u64, length: u64) -> io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(from))?;
    let mut bytes = Vec::new();
    file.take(length).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// A stretch of a file around a place.
struct Stretch {
    bytes: Vec<u8>,
    first_line: usize,
    cut_before: bool,
    cut_after: bool,
}

impl Stretch {
    fn window(&self) -> Window<'_> {
        let Self { first_line, cut_before, cut_after, .. } = *self;
        Window { bytes: &self.bytes, first_line, cut_before, cut_after }
    }
}

/// Reads around an offset whose line number is known.
fn around(path: &Path, offset: u64, line: u64) -> io::Result<Stretch> {
    let length = std::fs::metadata(path)?.len();
    let start = offset.saturating_sub(WINDOW);
    let bytes = read(path, start, 2 * WINDOW)?;
    let before = usize::try_from(offset - start).unwrap_or(usize::MAX).min(bytes.len());
    let lines = bytes[..before].split(|byte| *byte == b'\n').count() - 1;
    let first_line = usize::try_from(line).unwrap_or(usize::MAX).saturating_sub(lines).max(1);
    let cut_before = start > 0 && !starts_line(path, start)?;
    Ok(Stretch { cut_before, cut_after: start + (bytes.len() as u64) < length, bytes, first_line })
}

fn starts_line(path: &Path, start: u64) -> io::Result<bool> {
    Ok(read(path, start - 1, 1)? == b"\n")
}
