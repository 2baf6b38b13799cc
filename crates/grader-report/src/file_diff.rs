//! Shows the difference of two files around a known place. It reads only bounded windows, whatever the files' sizes.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::diff::{self, DiffLayout, View};
use super::text::{Line, Paint, Style, Whitespace, escape};
use crate::diff::DiffStyle;
use crate::difference::{Difference, SideText};
use crate::event::part_extension;
use crate::explain::{self, Before, Options, Window, begin_together, labels};
use crate::problem::Checker;
use grader_compare::Capture;

/// The most rows of a diff.
const MAX_ROWS: usize = 40;
/// Time limit for the search for a good alignment.
const DEADLINE: Duration = Duration::from_millis(300);

/// Settings for a diff of an answer file and an output file around their first difference.
#[derive(Debug, Clone, Copy)]
pub struct FileDiff<'a> {
    /// The heading of the answer.
    pub answer: &'a str,
    /// The heading of the output.
    pub output: &'a str,
    /// The checker, which decides what counts as a difference.
    pub checker: Checker,
    /// The arrangement of the two sides.
    pub style: DiffStyle,
    /// Lines of context around a difference.
    pub context: usize,
    /// The most columns to fill.
    pub columns: usize,
    /// Whether to colour.
    pub paint: Paint,
}

impl FileDiff<'_> {
    /// The diff as lines; empty if the style is `None` or a file cannot be read.
    pub fn lines(&self, answer: &Source, output: &Source, difference: &Difference) -> Vec<Line> {
        let layout = match self.style {
            DiffStyle::Auto => DiffLayout::Auto,
            DiffStyle::Unified => DiffLayout::Unified,
            DiffStyle::SideBySide => DiffLayout::SideBySide,
            DiffStyle::None => return Vec::new(),
        };
        let stretches = Stretch::around(answer, &difference.expected)
            .and_then(|answer| Ok((answer, Stretch::around(output, &difference.actual)?)));
        // The run kept no files, or they were deleted: then only the sentence above the diff is shown.
        let Ok((answer, output)) = stretches else { return Vec::new() };
        let (left, right) = begin_together(&answer.before(), &output.before());
        let options = Options {
            checker: self.checker,
            context: self.context,
            max_rows: MAX_ROWS,
            columns: self.columns,
            deadline: Instant::now() + DEADLINE,
        };
        let left = answer.window(left);
        let right = output.window(right);
        let model = explain::explain(&left, &right, &options);
        let Self { columns, paint, answer, output, .. } = *self;
        let mut lines = diff::diff(&model, &View { layout, columns, paint, answer, output });
        let prompt = labels::prompt(&left, &right).map(|prompt| escape(prompt, Whitespace::Inline));
        let note = match (prompt, labels::are_the_difference(&left, &right)) {
            (Some(prompt), true) => format!("right except for words such as `{prompt}`: print the answer alone"),
            (None, true) => "right except for the words before it: print the answer alone".to_owned(),
            (Some(prompt), false) => format!("the program prints `{prompt}`: print the answer alone"),
            (None, false) => return lines,
        };
        lines.push(Line::new().with(&note, Style::NOTICE));
        lines
    }
}

/// The files from which parts of a text are read.
#[derive(Debug, Clone)]
pub struct Source {
    /// A file with the whole text or its beginning.
    file: PathBuf,
    /// The common stem and the extension of files that hold a part of the text.
    parts: Option<(PathBuf, &'static str)>,
}

impl Source {
    /// A file with the whole text.
    pub fn file(path: &Path) -> Self {
        Self { file: path.to_owned(), parts: None }
    }

    /// Files that a run has kept: `stem.ending`, and a second file with the part around the first difference if the
    /// first is too short.
    pub(super) fn kept(stem: &Path, ending: &'static str) -> Self {
        Self { file: with(stem, ending), parts: Some((stem.to_owned(), ending)) }
    }

    /// The file with the part that begins at offset `start` of the text, if it exists.
    fn part(&self, start: u64) -> Option<PathBuf> {
        let (stem, ending) = self.parts.as_ref()?;
        Some(with(stem, &part_extension(start, ending))).filter(|path| path.exists())
    }
}

/// Returns `stem.extension`, even if the stem itself contains dots.
pub(super) fn with(stem: &Path, extension: &str) -> PathBuf {
    let mut path = stem.as_os_str().to_owned();
    path.push(".");
    path.push(extension);
    PathBuf::from(path)
}

/// Reads `length` bytes of a file from an offset; fewer if the file ends earlier.
pub(super) fn read(path: &Path, from: u64, length: u64) -> io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(from))?;
    let mut bytes = Vec::new();
    file.take(length).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// A stretch of a text around a focus.
struct Stretch {
    bytes: Vec<u8>,
    /// The line number of `bytes[focus]`.
    line: u64,
    focus: usize,
    /// How many bytes before the focus belong to the token with the difference.
    inside: usize,
    at_line_start: bool,
    cut_after: bool,
}

impl Stretch {
    /// Reads the stretch around one side of a difference.
    fn around(source: &Source, found: &SideText) -> io::Result<Self> {
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

    /// The part from offset `from` on. `from` must not be after the focus.
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
