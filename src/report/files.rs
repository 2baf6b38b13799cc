//! The difference of two files, around a place that is known: bounded windows are read, whatever the files' sizes.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::diff::{self, Layout, View};
use super::text::{Line, Paint};
use crate::config::DiffStyle;
use crate::difference::{Difference, Found};
use crate::event::part_extension;
use crate::explain::{self, Before, Options, Window, begin_together};
use crate::judge::compare::Capture;
use crate::problem::Checker;

/// Rows of a diff.
const MAX_ROWS: usize = 40;
/// How long the search for a good alignment may take.
const DEADLINE: Duration = Duration::from_millis(300);

/// How an answer and an output in files are shown side by side, around their first difference.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FileDiff<'a> {
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
    pub(crate) fn lines(&self, answer: &Source, output: &Source, difference: &Difference) -> Vec<Line> {
        let layout = match self.style {
            DiffStyle::Auto => Layout::Auto,
            DiffStyle::Unified => Layout::Unified,
            DiffStyle::SideBySide => Layout::SideBySide,
            DiffStyle::None => return Vec::new(),
        };
        let stretches = Stretch::around(answer, &difference.expected)
            .and_then(|answer| Ok((answer, Stretch::around(output, &difference.actual)?)));
        // The run kept no files, or they are gone: the sentence above the diff stands alone.
        let Ok((answer, output)) = stretches else { return Vec::new() };
        let (left, right) = begin_together(&answer.before(), &output.before());
        let options = Options {
            checker: self.checker,
            context: self.context,
            max_rows: MAX_ROWS,
            columns: self.columns,
            deadline: Instant::now() + DEADLINE,
        };
        let model = explain::explain(&answer.window(left), &output.window(right), &options);
        let Self { columns, paint, answer, output, .. } = *self;
        diff::diff(&model, &View { layout, columns, paint, answer, output })
    }
}

/// Where a text is read of which a part is shown.
#[derive(Debug, Clone)]
pub(crate) struct Source {
    /// A file with all of the text, or its beginning.
    file: PathBuf,
    /// The common stem and the ending of files with a part of it.
    parts: Option<(PathBuf, &'static str)>,
}

impl Source {
    /// A file with all of it.
    pub(crate) fn file(path: &Path) -> Self {
        Self { file: path.to_owned(), parts: None }
    }

    /// What a run has kept: `stem.ending`, and the part around the first difference where that does not reach so far.
    pub(super) fn kept(stem: &Path, ending: &'static str) -> Self {
        Self { file: with(stem, ending), parts: Some((stem.to_owned(), ending)) }
    }

    /// The file with the part around a place, and the offset of its first byte in the text.
    fn part(&self, start: u64) -> Option<PathBuf> {
        let (stem, ending) = self.parts.as_ref()?;
        Some(with(stem, &part_extension(start, ending))).filter(|path| path.exists())
    }
}

/// `stem.extension`, also where the stem itself has dots.
pub(super) fn with(stem: &Path, extension: &str) -> PathBuf {
    let mut path = stem.as_os_str().to_owned();
    path.push(".");
    path.push(extension);
    PathBuf::from(path)
}

/// A stretch of a file; shorter where the file ends.
pub(super) fn read(path: &Path, from: u64, length: u64) -> io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(from))?;
    let mut bytes = Vec::new();
    file.take(length).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// A stretch of a text around a place.
struct Stretch {
    bytes: Vec<u8>,
    /// The line that `bytes[focus]` is in.
    line: u64,
    focus: usize,
    /// How many bytes before it belong to the token with the difference.
    inside: usize,
    at_line_start: bool,
    cut_after: bool,
}

impl Stretch {
    /// Reads around what was found.
    fn around(source: &Source, found: &Found) -> io::Result<Self> {
        const LENGTH: u64 = (Capture::BEFORE + Capture::AFTER) as u64;
        let place = found.focus();
        let start = Capture::near_start(place.offset);
        let usize_of = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        let (bytes, at_line_start, cut_after) = if let Some(part) = source.part(start) {
            let bytes = read(&part, 0, LENGTH)?;
            let cut_after = bytes.len() as u64 == LENGTH;
            (bytes, false, cut_after)
        } else {
            let bytes = read(&source.file, start, place.offset - start + Capture::AFTER as u64)?;
            let cut_after = start + (bytes.len() as u64) < std::fs::metadata(&source.file)?.len();
            let at_line_start = start == 0 || read(&source.file, start - 1, 1)? == b"\n";
            (bytes, at_line_start, cut_after)
        };
        let focus = usize_of(place.offset - start);
        if focus > bytes.len() {
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the text ends before the difference"));
        }
        let inside = usize_of(place.offset - found.at.offset);
        Ok(Self { bytes, line: place.line, focus, inside, at_line_start, cut_after })
    }

    fn before(&self) -> Before<'_> {
        let Self { inside, at_line_start, .. } = *self;
        Before { bytes: &self.bytes[..self.focus], at_line_start, inside }
    }

    /// The stretch from an offset on, which is not behind the place.
    fn window(&self, from: usize) -> Window<'_> {
        let lines = self.bytes[from..self.focus].split(|byte| *byte == b'\n').count() - 1;
        let line = usize::try_from(self.line).unwrap_or(usize::MAX);
        let cut_before = if from == 0 { !self.at_line_start } else { self.bytes[from - 1] != b'\n' };
        Window {
            bytes: &self.bytes[from..],
            first_line: line.saturating_sub(lines).max(1),
            cut_before,
            cut_after: self.cut_after,
            focus: self.focus - from,
        }
    }
}
