//! Why something is not as expected: the input, what was wanted, what came, where they differ, and how to repeat it.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::{TerminalOptions, clean};
use crate::config::DiffStyle;
use crate::event::{BuildResult, Judgement, Standing, TestFinished, TestResult};
use crate::explain::{self, Options, Window, excerpt, sentence};
use crate::judge::compare::Difference;
use crate::report::diff::{self, Layout, View};
use crate::report::text::{Line, Style};
use crate::report::{Report, SubmissionReport};
use crate::verdict::Verdict;

/// Failures explained in full; the rest are one line each, unless more is asked for.
const EXPLAINED: usize = 5;
/// Rows of a diff.
const MAX_ROWS: usize = 40;
/// Bytes read before and behind the first difference.
const WINDOW: u64 = 64 * 1024;
/// Lines of a compiler's, a judge's or a program's own words.
const WORDS: usize = 15;
/// How long the search for a good alignment may take.
const DEADLINE: Duration = Duration::from_millis(300);
/// Columns of the labels at the left.
const LABEL: usize = 9;

/// The blocks of everything that is not as expected.
pub(super) fn blocks(report: &Report, options: &TerminalOptions) -> Vec<Line> {
    let failures = report
        .runs
        .iter()
        .filter(|run| matches!(run.standing, Some(Standing::Missed { .. } | Standing::JudgeError { .. })));
    let mut lines = Vec::new();
    for (n, run) in failures.enumerate() {
        if n == EXPLAINED && options.verbosity < 1 {
            lines.push(Line::new());
            lines.push(Line::new().with("more failures are not explained here (-v explains all)", Style::FAINT));
        }
        if n < EXPLAINED || options.verbosity > 0 {
            lines.push(Line::new());
            lines.extend(block(run, options));
        }
    }
    lines
}

/// What programs printed where there is no answer to compare with.
pub(super) fn unanswered(report: &Report, options: &TerminalOptions) -> Vec<Line> {
    let tests = report.runs.iter().flat_map(|run| run.unanswered.iter().map(move |test| (run, test)));
    let shown = if options.verbosity > 0 { usize::MAX } else { EXPLAINED };
    let mut lines = Vec::new();
    for (run, finished) in tests.take(shown) {
        let TestResult::NotJudged { reason, files, .. } = &finished.result else { continue };
        let [problem, submission, test] =
            [run.run.problem.as_str(), run.run.submission.as_str(), finished.test.test.as_str()].map(clean);
        let head =
            Line::new().with("– ", Style::NOTICE).with(&format!("{problem} · {submission} · {test}"), Style::STRONG);
        let mut block =
            Block { lines: vec![Line::new(), head.with(&format!(": {}", clean(reason)), Style::NOTICE)], options };
        if let Some(stem) = files {
            block.input(stem);
            block.head_of(stem, "out", "output");
            block.stderr(stem);
            block.files(stem);
        }
        lines.append(&mut block.lines);
    }
    lines
}

fn block(run: &SubmissionReport, options: &TerminalOptions) -> Vec<Line> {
    let mut block = Block { lines: Vec::new(), options };
    let name = format!("{} · {}", clean(run.run.problem.as_str()), clean(run.run.submission.as_str()));
    let test = run.failure.as_ref().map(|failure| format!(" · {}", clean(failure.test.test.as_str())));
    let why = match &run.standing {
        Some(Standing::Missed { why }) => clean(why),
        _ => "judge error".to_owned(),
    };
    let mark = if matches!(run.standing, Some(Standing::JudgeError { .. })) { "!" } else { "✗" };
    let head = Line::new().with(&format!("{mark} "), Style::BAD).with(&name, Style::STRONG);
    block.lines.push(head.with(&test.unwrap_or_default(), Style::STRONG).with(&format!(": {why}"), Style::BAD));
    match (&run.built, &run.failure) {
        (Some(BuildResult::CompileError { message } | BuildResult::Failed { message }), _) => block.words(message),
        (_, Some(failure)) => block.test(failure),
        _ => {}
    }
    if let Some(Standing::JudgeError { message }) = &run.standing
        && run.failure.is_none()
    {
        block.words(message);
    }
    block.again(run);
    block.lines
}

/// One block in the making.
struct Block<'a> {
    lines: Vec<Line>,
    options: &'a TerminalOptions,
}

impl Block<'_> {
    fn labelled(&mut self, label: &str, text: &str) {
        let line = Line::from("  ").with(&format!("{label:LABEL$}"), Style::FAINT).with(text, Style::PLAIN);
        self.lines.push(line);
    }

    fn labelled_lines(&mut self, label: &str, lines: Vec<Line>) {
        for (i, line) in lines.into_iter().enumerate() {
            let mut labelled =
                Line::from("  ").with(&format!("{:LABEL$}", if i == 0 { label } else { "" }), Style::FAINT);
            labelled.append(&line);
            self.lines.push(labelled);
        }
    }

    /// A program's own words, some lines of them.
    fn words(&mut self, text: &str) {
        let total = text.trim_end().lines().count();
        let shown = if self.options.verbosity > 0 { total } else { WORDS };
        for line in text.trim_end().lines().take(shown) {
            self.lines.push(Line::from(format!("    {}", clean(line)).as_str()));
        }
        if total > shown {
            self.lines.push(Line::new().with(&format!("    … {} more lines (-v)", total - shown), Style::FAINT));
        }
    }

    fn test(&mut self, failure: &TestFinished) {
        match &failure.result {
            TestResult::Judged(judgement) => self.judged(judgement),
            TestResult::JudgeError { message } => self.words(message),
            TestResult::NotJudged { .. } | TestResult::Cancelled => {}
        }
    }

    fn judged(&mut self, judgement: &Judgement) {
        let mut reason = judgement.full_reason().to_owned();
        if let Some(would) = judgement.difference.as_deref().and_then(sentence::would_accept) {
            reason = format!("{reason}; {would}");
        }
        if let Some(remark) = &judgement.measured.remark {
            reason = format!("{reason}; {remark}");
        }
        if judgement.verdict != Verdict::WrongAnswer {
            reason = format!("{}: {reason}", judgement.verdict);
        }
        self.lines.push(Line::from(format!("  {}", clean(&reason)).as_str()));
        if let Some(feedback) = judgement.feedback.as_deref().filter(|text| text.lines().count() > 1) {
            self.words(feedback);
        }
        let Some(stem) = &judgement.files else { return };
        self.input(stem);
        if with(stem, "interaction").exists() {
            self.talk(stem);
        } else if judgement.verdict == Verdict::WrongAnswer {
            match (&judgement.difference, judgement.checker) {
                (Some(difference), Some(checker)) => self.diff(stem, difference, checker),
                _ => self.head_of(stem, "out", "output"),
            }
        }
        self.stderr(stem);
        self.files(stem);
    }

    fn columns(&self) -> usize {
        self.options.width.saturating_sub(LABEL + 2).max(20)
    }

    fn input(&mut self, stem: &Path) {
        self.head_of(stem, "in", "input");
    }

    /// The beginning and end of a kept file.
    fn head_of(&mut self, stem: &Path, extension: &str, label: &str) {
        let Ok(bytes) = read(&with(stem, extension), 0, WINDOW) else { return };
        let lines = if self.options.verbosity > 0 { 40 } else { 8 };
        let lines = diff::excerpt(&excerpt(&bytes, lines, self.columns()), self.columns());
        self.labelled_lines(label, lines);
    }

    /// The end of the conversation.
    fn talk(&mut self, stem: &Path) {
        let path = with(stem, "interaction");
        let length = std::fs::metadata(&path).map_or(0, |meta| meta.len());
        let Ok(bytes) = read(&path, length.saturating_sub(WINDOW), WINDOW) else { return };
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let all: Vec<&str> = text.lines().collect();
        let shown = if self.options.verbosity > 0 { 60 } else { 12 };
        let skipped = all.len().saturating_sub(shown);
        self.labelled("talk", "seconds, < from the judge, > from the submission");
        if skipped > 0 {
            self.lines.push(Line::new().with(&format!("    … {skipped} lines before"), Style::FAINT));
        }
        for line in &all[skipped..] {
            self.lines.push(Line::from(format!("    {}", clean(line)).as_str()));
        }
    }

    fn diff(&mut self, stem: &Path, difference: &Difference, checker: crate::problem::Checker) {
        let layout = match self.options.diff {
            DiffStyle::Auto => Layout::Auto,
            DiffStyle::Unified => Layout::Unified,
            DiffStyle::SideBySide => Layout::SideBySide,
            DiffStyle::None => return,
        };
        let (expected, actual) = (&difference.expected.at, &difference.actual.at);
        let windows = around(&with(stem, "ans"), expected.offset, expected.line)
            .and_then(|answer| Ok((answer, around(&with(stem, "out"), actual.offset, actual.line)?)));
        let Ok((answer, output)) = windows else { return };
        let columns = self.options.width.saturating_sub(4).max(20);
        let options = Options {
            checker,
            context: self.options.context,
            max_rows: MAX_ROWS,
            columns,
            deadline: Instant::now() + DEADLINE,
        };
        let model = explain::explain(&answer.window(), &output.window(), &options);
        let view = View { layout, ..View::new(columns, self.options.paint) };
        for line in diff::diff(&model, &view) {
            let mut indented = Line::from("    ");
            indented.append(&line);
            self.lines.push(indented);
        }
    }

    fn stderr(&mut self, stem: &Path) {
        let Ok(bytes) = read(&with(stem, "err"), 0, WINDOW) else { return };
        if !bytes.is_empty() {
            self.head_of(stem, "err", "stderr");
        }
    }

    fn files(&mut self, stem: &Path) {
        let kept: Vec<&str> = ["in", "ans", "out", "interaction", "err"]
            .into_iter()
            .filter(|extension| with(stem, extension).exists())
            .collect();
        let shown = stem.strip_prefix(&self.options.here).unwrap_or(stem);
        self.labelled("files", &clean(&format!("{}.{{{}}}", shown.display(), kept.join(","))));
    }

    fn again(&mut self, run: &SubmissionReport) {
        let quote = |text: &str| shlex::try_quote(text).map_or_else(|_| text.to_owned(), std::borrow::Cow::into_owned);
        let mut command = format!("grader run {} {}", quote(run.run.problem.as_str()), run.again);
        if let Some(failure) = &run.failure {
            let _ = write!(command, " -t {}", quote(failure.test.test.as_str()));
        }
        self.labelled("again", &clean(&command));
    }
}

/// `stem.extension`, also where the stem itself has dots.
fn with(stem: &Path, extension: &str) -> PathBuf {
    let mut path = stem.as_os_str().to_owned();
    path.push(".");
    path.push(extension);
    PathBuf::from(path)
}

fn read(path: &Path, from: u64, length: u64) -> io::Result<Vec<u8>> {
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
