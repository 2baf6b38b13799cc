//! Explains why a test failed, as styled lines: the input, the expected output, the actual output, and where they
//! differ. The terminal and every explaining report use the same text.

use std::fs::File;
use std::io::{self, Read};
use std::ops::Range;
use std::path::Path;

use super::diff;
use super::file_diff::{FileDiff, Source, read, with};
use super::text::{Line, Paint, Style, Whitespace, count, escape, quote, quote_option, width};
use crate::diff::DiffStyle;
use crate::difference::{Difference, SideText};
use crate::event::{BuildResult, Judgement, Standing, TestFinished, TestResult, Verb, part_extension};
use crate::explain::{Excerpt, Piece, excerpt, excerpt_of_ends, excerpt_with_long_lines, sentence};
use crate::record::SubmissionReport;
use crate::verdict::Verdict;
use grader_compare::Capture;

/// The most bytes read from a kept file.
const WINDOW: u64 = 64 * 1024;
/// The most lines shown of a message from a compiler, a judge or a program, without `-v`.
const WORDS: usize = 15;
/// The most characters shown of a line of standard error, or of a message.
const LONG_LINE: usize = 400;
/// Columns of the labels on the left.
const LABEL: usize = 9;

impl Default for Look {
    /// Plain text for a file, not for a terminal.
    fn default() -> Self {
        Self { paint: Paint::Plain, width: 100, verbosity: -1, diff: DiffStyle::Auto, context: 3 }
    }
}

/// How to show an explanation.
#[derive(Debug, Clone, Copy)]
pub struct Look {
    /// Whether to colour. Without colour, carets in the line below point at changed words.
    pub paint: Paint,
    /// The width in columns.
    pub width: usize,
    /// Above 0, longer excerpts are shown. At 0, a hint mentions `-v`. Below 0, for reports in files, no hint is shown.
    pub verbosity: i8,
    /// How differences are shown.
    pub diff: DiffStyle,
    /// Lines around a difference.
    pub context: usize,
}

/// Explains a failed submission to the judges: the compiler's message, the judge error, or its first failing test.
pub fn of_submission(submission: &SubmissionReport, look: &Look) -> Vec<Line> {
    let mut block = Block::new(look);
    block.submission(submission);
    block.lines
}

/// Explains to the judges why one test failed.
pub(crate) fn of_test(failure: &TestFinished, look: &Look) -> Vec<Line> {
    let mut block = Block::new(look);
    block.test(failure);
    block.lines
}

/// Explains to the judges why a test got its judgement.
pub fn of_judgement(judgement: &Judgement, look: &Look) -> Vec<Line> {
    let mut block = Block::new(look);
    block.judged(judgement);
    block.lines
}

/// The beginning and end of a text behind a label, formatted like the input of a failed test.
pub fn excerpt_of(label: &str, bytes: &[u8], look: &Look) -> Vec<Line> {
    let mut block = Block::new(look);
    block.excerpt(label, bytes);
    block.lines
}

/// Returns a path that a reader on another machine understands: relative to `root` if it lies below. The root itself
/// stays whole.
pub(super) fn below<'a>(path: &'a Path, root: &Path) -> &'a Path {
    path.strip_prefix(root).ok().filter(|rest| !rest.as_os_str().is_empty()).unwrap_or(path)
}

/// Chooses at most `most` lines of a message: its first and last ones, because compilers begin with the error and
/// interpreters end with it. If neither part names an error, the lines from the first error on come between them.
fn telling(lines: &[&str], most: usize) -> Vec<Range<usize>> {
    if lines.len() <= most {
        return std::iter::once(0..lines.len()).collect();
    }
    let names_error = |line: &str| {
        let line = line.to_ascii_lowercase();
        ["error", "exception", "panicked"].iter().any(|word| line.contains(word))
    };
    let third = most / 3;
    let head = most - third;
    let tail = lines.len() - third;
    let first = lines.iter().position(|line| names_error(line));
    match first.filter(|at| (head..tail).contains(at)) {
        Some(at) if !lines[tail..].iter().any(|line| names_error(line)) => {
            let from = at.saturating_sub(1).clamp(third, tail - third);
            vec![0..third, from..from + third, tail..lines.len()]
        }
        _ => vec![0..head, tail..lines.len()],
    }
}

/// Breaks a list into lines of at most so many columns. A longer item has a line of its own.
fn wrapped(items: &[String], columns: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for item in items {
        match lines.last_mut() {
            Some(line) if width(line) + 1 + width(item) <= columns => {
                line.push(' ');
                line.push_str(item);
            }
            _ => lines.push(item.clone()),
        }
    }
    lines
}

/// The command that repeats what is reported of this submission: only on this failing test, if it alone decides.
pub(super) fn again(submission: &SubmissionReport, failure: Option<&TestFinished>, verb: Verb) -> String {
    let verb = if verb == Verb::Judge { "judge" } else { "run" };
    let mut words = vec![submission.head.again.clone()];
    words.extend(
        failure
            .filter(|_| !is_about_the_whole(submission))
            .map(|failure| quote_option("-t", failure.test.test.as_str())),
    );
    // A submission name that looks like an option goes behind all options and `--`.
    let at = if submission.chosen_by().starts_with('-') { words.len() } else { 0 };
    let dashes = if at > 0 { "-- " } else { "" };
    words.insert(at, format!("{dashes}{}", quote(submission.chosen_by())));
    format!("grader {verb} {}", words.join(" "))
}

/// Whether a result is unexpected for another reason than a verdict, such as points, which one test alone does not show.
fn is_about_the_whole(submission: &SubmissionReport) -> bool {
    matches!(submission.standing(), Some(Standing::Missed { why }) if why.got().is_none())
        && !submission.failure().is_some_and(|failure| failure.unexpected)
}

/// Makes untrusted text or file names safe to print.
pub(super) fn clean(text: &str) -> String {
    escape(text.as_bytes(), Whitespace::Quiet)
}

/// The end of an interactive conversation.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Talk {
    /// The number of lines before the first turn.
    pub(super) before: usize,
    pub(super) turns: Vec<Turn>,
}

/// A line of a conversation, made safe to show.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Turn {
    /// The seconds since the start as the transcript states them, and whether the judge speaks. None for other lines, such
    /// as the start of a pass.
    pub(super) said: Option<(String, bool)>,
    /// The text; the whole line if `said` is none.
    pub(super) text: String,
}

impl Talk {
    /// Reads the last `most` lines of a kept conversation, of each at most `chars` characters. None if it was not kept.
    pub(super) fn kept(stem: &Path, most: usize, chars: usize) -> Option<Self> {
        let path = with(stem, "interaction");
        let length = std::fs::metadata(&path).ok()?.len();
        // The file was not kept, or was removed since.
        let bytes = read(&path, length.saturating_sub(WINDOW), WINDOW).ok()?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let all: Vec<&str> = text.lines().collect();
        let before = all.len().saturating_sub(most);
        Some(Self { before, turns: all[before..].iter().map(|line| Turn::read(line, chars)).collect() })
    }
}

/// The mark in a conversation behind a line that was not finished.
const OPEN_LINE: &str = "⏎\u{338}";

impl Turn {
    /// Reads `0.007448 < first`: the judge says `first`.
    fn read(line: &str, chars: usize) -> Self {
        let said = line.trim_start().split_once(' ').and_then(|(time, rest)| {
            let by_judge = rest.starts_with('<');
            let text = rest.strip_prefix(['<', '>'])?;
            time.parse::<f64>().ok()?;
            Some((time, by_judge, text.strip_prefix(' ').unwrap_or(text)))
        });
        match said {
            Some((time, by_judge, text)) => Self { said: Some((time.to_owned(), by_judge)), text: cut(text, chars) },
            None => Self { said: None, text: cut(line, chars) },
        }
    }

    fn line(&self) -> Line {
        // The mark behind an unfinished line is ours.
        let (text, mark) = self.text.strip_suffix(OPEN_LINE).map_or((&*self.text, ""), |text| (text, OPEN_LINE));
        let head = match &self.said {
            Some((time, by_judge)) => format!("    {time:>9} {} ", if *by_judge { '<' } else { '>' }),
            None => "    ".to_owned(),
        };
        Line::from(head.as_str()).with(text, Style::PLAIN.verbatim()).with(mark, Style::PLAIN)
    }
}

/// The first characters of an untrusted line, made safe to show.
fn cut(line: &str, chars: usize) -> String {
    match line.char_indices().nth(chars) {
        None => clean(line),
        Some((end, _)) => format!("{}…", clean(&line[..end])),
    }
}

/// The extension of the kept input on which a test failed. A test with several passes failed on that of its last pass.
pub(super) fn input_of(stem: &Path) -> &'static str {
    if with(stem, "pass.in").exists() { "pass.in" } else { "in" }
}

/// A kept file: its beginning, its end, and how much lies between them.
#[derive(Debug)]
pub(super) struct Text {
    head: Vec<u8>,
    /// The end from the start of a line on; none if `head` is the whole text.
    tail: Option<Vec<u8>>,
    /// The number of lines of the whole text.
    pub(super) lines: usize,
}

impl Text {
    /// Reads a file that a run has kept.
    pub(super) fn kept(stem: &Path, extension: &str) -> io::Result<Self> {
        let path = with(stem, extension);
        let head = read(&path, 0, WINDOW)?;
        let size = std::fs::metadata(&path)?.len();
        if size <= WINDOW {
            let lines = count_lines(&mut &*head)?;
            return Ok(Self { head, tail: None, lines });
        }
        let lines = count_lines(&mut File::open(&path)?)?;
        // Lines that are in both parts are shown once.
        let mut tail = read(&path, WINDOW.max(size.saturating_sub(WINDOW)), WINDOW)?;
        let from = tail.iter().position(|byte| *byte == b'\n').map_or(tail.len(), |at| at + 1);
        Ok(Self { head, tail: Some(tail.split_off(from)), lines })
    }

    /// Shortens the text to some of its first and last lines.
    pub(super) fn excerpt(&self, max_lines: usize, max_chars: usize) -> Excerpt {
        match &self.tail {
            None => excerpt(&self.head, max_lines, max_chars),
            Some(tail) => excerpt_of_ends(&self.head, tail, self.lines, max_lines, max_chars),
        }
    }

    /// The excerpt for a page, and what it shows of the text; the second is empty if it shows everything.
    pub(super) fn shown(&self, look: &Look) -> (Vec<Line>, String) {
        let columns = look.width;
        let excerpt = self.excerpt(Block::new(look).excerpt_lines(), columns);
        let numbers = |pieces: &[Piece]| -> Vec<usize> {
            let number = |piece: &Piece| if let Piece::Line { number, .. } = piece { Some(*number) } else { None };
            pieces.iter().filter_map(number).collect()
        };
        let extent = match &excerpt {
            Excerpt::Lines(pieces) => match pieces.iter().position(|piece| matches!(piece, Piece::Elided { .. })) {
                Some(at) => {
                    let parts = [numbers(&pieces[..at]), numbers(&pieces[at..])];
                    let parts = parts.iter().filter_map(|part| Some(format!("{}–{}", part.first()?, part.last()?)));
                    format!("lines {} of {}", parts.collect::<Vec<_>>().join(" and "), self.lines)
                }
                None if pieces.iter().any(|piece| matches!(piece, Piece::Line { cut: 1.., .. })) => {
                    "the ends of long lines are missing".to_owned()
                }
                None => String::new(),
            },
            Excerpt::OneLine(_) => String::new(),
        };
        (diff::excerpt(&excerpt, columns), extent)
    }

    /// The known beginning, line by line, made safe to show; and which part of the text it is.
    pub(super) fn whole(&self) -> (String, String) {
        let is_cut = self.tail.is_some();
        let end =
            self.head.iter().rposition(|byte| *byte == b'\n').filter(|_| is_cut).map_or(self.head.len(), |at| at + 1);
        let lines: Vec<String> = String::from_utf8_lossy(&self.head[..end]).lines().map(clean).collect();
        let extent = match lines.len() {
            shown if is_cut => format!("lines 1–{shown} of {}", self.lines),
            shown => count(shown, "line"),
        };
        (lines.join("\n"), extent)
    }
}

/// The number of lines of a text; the last one needs no newline.
#[expect(clippy::naive_bytecount, reason = "reading takes longer")]
fn count_lines(text: &mut dyn Read) -> io::Result<usize> {
    let mut block = vec![0; 1 << 16];
    let mut lines = 0;
    let mut last = b'\n';
    loop {
        match text.read(&mut block)? {
            0 => return Ok(lines + usize::from(last != b'\n')),
            n => {
                lines += block[..n].iter().filter(|byte| **byte == b'\n').count();
                last = block[n - 1];
            }
        }
    }
}

/// Lines of an explanation under construction.
pub(super) struct Block<'a> {
    pub(super) lines: Vec<Line>,
    look: &'a Look,
    /// Whether the reader gets the files and the conversation in another form.
    is_for_page: bool,
}

impl<'a> Block<'a> {
    pub(super) fn new(look: &'a Look) -> Self {
        Self { lines: Vec::new(), look, is_for_page: false }
    }

    /// A block without the input and the output, which the reader can unfold, and without the conversation of an interactive run,
    /// which the reader sees as a dialogue.
    pub(super) fn for_page(look: &'a Look) -> Self {
        Self { is_for_page: true, ..Self::new(look) }
    }

    pub(super) fn submission(&mut self, submission: &SubmissionReport) {
        match (&submission.built, submission.failure()) {
            (Some(BuildResult::CompileError { message }), _) => self.words(message),
            (_, Some(failure)) => self.test(failure),
            _ => {}
        }
        if let Some(Standing::JudgeError { message }) = submission.standing()
            && !matches!(submission.failure(), Some(TestFinished { result: TestResult::JudgeError { .. }, .. }))
        {
            self.words(message);
        }
    }

    pub(super) fn labelled(&mut self, label: &str, text: &str) {
        let line = Line::from("  ").with(&format!("{label:LABEL$}"), Style::FAINT).with(text, Style::PLAIN);
        self.lines.push(line.whole());
    }

    /// Adds a list behind a label, broken into lines that fit between its items.
    pub(super) fn labelled_list(&mut self, label: &str, items: &[String]) {
        let columns = self.columns();
        let lines = wrapped(items, columns).iter().map(|line| Line::from(line.as_str())).collect();
        self.labelled_lines(label, lines);
    }

    fn labelled_lines(&mut self, label: &str, lines: Vec<Line>) {
        for (i, line) in lines.into_iter().enumerate() {
            let mut labelled =
                Line::from("  ").with(&format!("{:LABEL$}", if i == 0 { label } else { "" }), Style::FAINT);
            labelled.append(&line);
            self.lines.push(labelled);
        }
    }

    /// Adds a message of a compiler, judge or program; without `-v` only the lines that say most.
    pub(super) fn words(&mut self, text: &str) {
        let lines: Vec<&str> = text.trim_end().lines().collect();
        let most = if self.look.verbosity > 0 { lines.len() } else { WORDS };
        let mut next = 0;
        for part in telling(&lines, most) {
            self.left_out(part.start - next, "");
            next = part.end;
            let chars = if self.look.verbosity > 0 { usize::MAX } else { LONG_LINE };
            let shown = |line: &&str| Line::from(format!("    {}", cut(line, chars)).as_str()).whole();
            self.lines.extend(lines[part].iter().map(shown));
        }
        let hint = if self.look.verbosity == 0 { " (-v)" } else { "" };
        self.left_out(lines.len() - next, hint);
    }

    fn left_out(&mut self, lines: usize, hint: &str) {
        if lines > 0 {
            let text = format!("    … {}{hint}", count(lines, "more line"));
            self.lines.push(Line::new().with(&text, Style::FAINT));
        }
    }

    pub(super) fn test(&mut self, failure: &TestFinished) {
        match &failure.result {
            TestResult::Judged(judgement) => self.judged(judgement),
            TestResult::JudgeError { message, .. } => self.words(message),
            TestResult::NotJudged { .. } | TestResult::Cancelled => {}
        }
    }

    fn judged(&mut self, judgement: &Judgement) {
        self.lines.push(Line::from(format!("  {}", clean(&reason(judgement))).as_str()));
        if let Some(feedback) = judgement.feedback.as_deref().filter(|text| text.lines().count() > 1) {
            self.words(feedback);
        }
        self.shown(judgement);
    }

    /// Adds the input, the output compared with the answer, and standard error, if these files were kept.
    pub(super) fn shown(&mut self, judgement: &Judgement) {
        let Some(stem) = &judgement.files else { return };
        if !self.is_for_page {
            self.input(stem);
        }
        if with(stem, "interaction").exists() {
            self.talk(stem);
        } else if judgement.verdict == Verdict::WrongAnswer {
            match (&judgement.difference, judgement.checker) {
                (Some(difference), Some(checker)) => self.diff(stem, difference, checker),
                _ if !self.is_for_page => self.head_of(stem, "out", "output"),
                _ => {}
            }
        }
        self.stderr(stem);
    }

    fn columns(&self) -> usize {
        self.look.width.saturating_sub(LABEL + 2).max(20)
    }

    pub(super) fn input(&mut self, stem: &Path) {
        self.head_of(stem, input_of(stem), "input");
    }

    /// Adds the beginning and end of a kept file; nothing if it was not kept.
    pub(super) fn head_of(&mut self, stem: &Path, extension: &str, label: &str) {
        let Ok(text) = Text::kept(stem, extension) else { return };
        let lines = diff::excerpt(&text.excerpt(self.excerpt_lines(), self.columns()), self.columns());
        self.labelled_lines(label, lines);
    }

    fn excerpt(&mut self, label: &str, bytes: &[u8]) {
        let lines = diff::excerpt(&excerpt(bytes, self.excerpt_lines(), self.columns()), self.columns());
        self.labelled_lines(label, lines);
    }

    fn excerpt_lines(&self) -> usize {
        if self.look.verbosity > 0 { 40 } else { 8 }
    }

    /// Adds the end of the interaction; nothing if it was not kept.
    fn talk(&mut self, stem: &Path) {
        let shown = if self.look.verbosity > 0 { 60 } else { 12 };
        // In front of a line stand its time and its side.
        let chars = self.look.width.saturating_sub(18).max(20);
        let Some(talk) = Talk::kept(stem, shown, chars).filter(|_| !self.is_for_page) else { return };
        self.labelled("talk", "seconds, < from the judge, > from the submission");
        if talk.before > 0 {
            self.lines.push(Line::new().with(&format!("    … {} lines before", talk.before), Style::FAINT));
        }
        self.lines.extend(talk.turns.iter().map(Turn::line));
    }

    fn diff(&mut self, stem: &Path, difference: &Difference, checker: crate::problem::Checker) {
        let Look { diff: style, context, paint, .. } = *self.look;
        let columns = self.look.width.saturating_sub(4).max(20);
        let answer = "answer";
        let output = "your output";
        let view = FileDiff { answer, output, checker, style, context, columns, paint };
        for line in view.lines(&Source::kept(stem, "ans"), &Source::kept(stem, "out"), difference) {
            let mut indented = Line::from("    ");
            indented.append(&line);
            self.lines.push(indented);
        }
    }

    pub(super) fn stderr(&mut self, stem: &Path) {
        // The file was not kept.
        let Ok(bytes) = read(&with(stem, "err"), 0, WINDOW) else { return };
        if bytes.is_empty() {
            return;
        }
        // The last words of a line often say what went wrong, so long lines are broken and not cut.
        let columns = self.columns();
        let text = excerpt_with_long_lines(&bytes, self.excerpt_lines(), columns, LONG_LINE);
        let lines = diff::excerpt(&text, usize::MAX).iter().flat_map(|line| line.folded(columns)).collect();
        self.labelled_lines("stderr", lines);
    }

    /// Adds the paths of the kept files, relative to `here`.
    pub(super) fn files(&mut self, stem: &Path, difference: Option<&Difference>, here: &Path) {
        let part = |found: &SideText, ending| part_extension(Capture::near_start(found.focus().offset), ending);
        let part_of_answer = difference.map(|difference| part(&difference.expected, "ans"));
        let part_of_output = difference.map(|difference| part(&difference.actual, "out"));
        let answer = ["ans".to_owned()].into_iter().chain(part_of_answer);
        let output = ["out".to_owned()].into_iter().chain(part_of_output);
        let [input, pass, talk, errors] = ["in", "pass.in", "interaction", "err"].map(str::to_owned);
        let all = [input, pass].into_iter().chain(answer).chain(output).chain([talk, errors]);
        let kept: Vec<String> = all.filter(|extension| with(stem, extension).exists()).collect();
        if !kept.is_empty() {
            let shown = below(stem, here).display();
            self.labelled("files", &clean(&format!("{shown}.{{{}}}", kept.join(","))));
        }
    }
}

/// The reason of a judgement in one line: its figures, what would have been accepted, and remarks.
pub fn reason(judgement: &Judgement) -> String {
    let mut reason = judgement.full_reason();
    if let Some(would) = judgement.difference.as_deref().and_then(|it| sentence::would_accept(&it.would_accept)) {
        reason = format!("{reason}; {would}");
    }
    for remark in judgement.all_remarks() {
        reason = format!("{reason}; {remark}");
    }
    if judgement.verdict != Verdict::WrongAnswer {
        reason = format!("{}: {reason}", judgement.verdict);
    }
    reason
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_message_is_cut_around_its_error() {
        let told = |error: Option<usize>| {
            let line = |n| if Some(n) == error { "x.cpp:3: error: no".to_owned() } else { format!("note {n}") };
            let lines: Vec<String> = (0..40).map(line).collect();
            telling(&lines.iter().map(String::as_str).collect::<Vec<_>>(), 15)
        };
        assert_eq!(told(None), [0..10, 35..40]);
        // It is shown anyway.
        assert_eq!(told(Some(2)), [0..10, 35..40]);
        assert_eq!(told(Some(39)), [0..10, 35..40]);
        assert_eq!(told(Some(20)), [0..5, 19..24, 35..40]);
        assert_eq!(told(Some(10)), [0..5, 9..14, 35..40]);
        assert_eq!(told(Some(34)), [0..5, 30..35, 35..40]);
        assert_eq!(telling(&["error"; 15], 15).into_iter().flatten().count(), 15);
    }
}
