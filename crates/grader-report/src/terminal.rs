//! Shows a run to a user at a terminal: results on standard output as each problem finishes, then explanations of
//! failures.
//!
//! This module computes nothing about verdicts. All text from submissions passes through `text::escape` before it is
//! printed.

mod canvas;
pub mod class;
mod days;
mod failure;
mod judges;
mod points;
mod problem;
pub mod progress;
mod table;

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::failure::{Look, below, clean};
use super::text::{Line, Paint, Style, count, width};
use crate::diagnostic::{Diagnostic, Severity};
use crate::diff::DiffStyle;
use crate::event::{Event, RunStarted, TestFinished, TestRef, TestResult, TestSkipped, Verb};
use crate::problem::{ProblemId, SubmissionId, TestId};
use crate::record::{Counts, Report, Reporter, SubmissionReport};
use crate::verdict::Verdict;
use progress::{Bar, Progress};

/// Settings of the terminal report.
#[derive(Debug, Clone)]
#[expect(clippy::struct_excessive_bools, reason = "each is a choice of its own")]
pub struct TerminalOptions {
    /// Colours on standard output.
    pub paint: Paint,
    /// The width in columns.
    pub width: usize,
    /// The width to which rows are cut on a terminal; none in a log.
    pub fit: Option<usize>,
    /// 0 is normal, negative is quiet, positive shows more.
    pub verbosity: i8,
    /// How differences are shown.
    pub diff: DiffStyle,
    /// Lines around a difference.
    pub context: usize,
    /// Whether to show the matrix of cases and submissions.
    pub table: bool,
    /// Whether to report where judges disagree, or that they agree.
    pub every_judge: bool,
    /// There are many submissions, and another report shows each result. Show single submissions and failures only with
    /// `-v`.
    pub class: bool,
    /// Whether to show a progress bar on standard error.
    pub progress: bool,
    /// Whether a submission that could not be judged counts as a failure.
    pub strict: bool,
    /// Paths are shown relative to this directory.
    pub here: PathBuf,
    /// Earlier results of the submissions, shown beside the new ones.
    pub previous: BTreeMap<(ProblemId, SubmissionId), Before>,
}

/// The earlier result of a submission.
#[derive(Debug, Clone)]
pub struct Before {
    /// The result in a word or two.
    pub told: String,
    /// The verdicts of tests that failed unexpectedly. Their new results are shown as soon as they are known.
    pub failed: BTreeMap<TestId, Verdict>,
}

/// The most repeated tests that are reported as soon as they end.
const AWAITED: usize = 10;

impl TerminalOptions {
    /// The settings for explanations of failures.
    pub fn look(&self) -> Look {
        let Self { paint, width, verbosity, diff, context, .. } = *self;
        Look { paint, width, verbosity, diff, context }
    }
}

/// The reporter for users at a terminal.
pub struct Terminal<W: Write> {
    out: W,
    options: TerminalOptions,
    progress: Progress,
    /// The number of problems shown so far.
    shown: usize,
    /// The number of finished submissions.
    finished: usize,
    /// Names of the tests of the problem in progress, for the table.
    names: Vec<String>,
    /// How many tests were reported as soon as they ended.
    told: usize,
}

impl<W: Write> Terminal<W> {
    /// Shows results on `out`; progress and notices go to standard error.
    pub fn new(out: W, options: TerminalOptions) -> Self {
        let progress = Progress::new(options.progress);
        Self { out, options, progress, shown: 0, finished: 0, names: Vec::new(), told: 0 }
    }

    fn print(&mut self, lines: &[Line]) -> io::Result<()> {
        let out = &mut self.out;
        let paint = self.options.paint;
        Bar::suspend(|| {
            for line in lines {
                writeln!(out, "{}", line.render(paint))?;
            }
            out.flush()
        })
    }

    fn head(&mut self, head: &RunStarted) -> io::Result<()> {
        let submissions: usize = head.problems.iter().map(|problem| problem.submissions.len()).sum();
        if self.options.verbosity < 0 {
            return Ok(());
        }
        if submissions == 0 && !head.left_out.is_empty() {
            return self.print(&[Line::from("none of the submissions can be judged"), Line::new()]);
        }
        let hosts = head.measured.hosts_in_words();
        let text = format!(
            "{}, {} · isolation: {} · {} of {}{}{}",
            count(head.problems.len(), "problem"),
            count(submissions, "submission"),
            head.isolation,
            count(head.measured.slots, "slot"),
            count(head.measured.cores, "core"),
            if hosts.is_empty() { "" } else { " · " },
            // Administrators of other machines choose the names.
            clean(&hosts),
        );
        let mut lines = vec![Line::from(text.as_str())];
        if !head.caveat.is_empty() {
            lines.push(Line::new().with(&head.caveat, Style::FAINT));
        }
        lines.push(Line::new());
        self.print(&lines)
    }

    /// Shows the result of a test that failed in the earlier run, as soon as the test ends.
    fn awaited(&mut self, test: &TestRef, result: &TestResult) -> io::Result<()> {
        let submission = &test.of;
        let before = self.options.previous.get(&(submission.problem.clone(), submission.submission.clone()));
        let before = before.and_then(|before| before.failed.get(&test.test));
        let (Some(before), TestResult::Judged(judgement)) = (before, result) else { return Ok(()) };
        if self.told >= AWAITED || self.options.verbosity < 0 {
            return Ok(());
        }
        self.told += 1;
        let now = judgement.verdict;
        let (mark, style) = if now == Verdict::Accepted { ("✓", Style::GOOD) } else { ("✗", Style::BAD) };
        let name = format!(" {} · {} · {}  ", submission.problem, submission.submission, test.test);
        let change = if *before == now { format!("still {now}") } else { format!("{before} → {now}") };
        let line = Line::from("  ").with(mark, style).with(&clean(&name), Style::PLAIN).with(&change, style.bold());
        self.print(&[line])
    }

    fn show_notice(&mut self, notice: &Diagnostic) -> io::Result<()> {
        // Show a line for a notice on which the user can act.
        let least = i8::from(notice.remedy.is_empty());
        if notice.severity == Severity::Info && self.options.verbosity < least {
            return Ok(());
        }
        let lines = notice_lines(notice, &self.options.here);
        let paint = self.options.paint;
        Bar::suspend(|| {
            let mut err = io::stderr().lock();
            lines.iter().try_for_each(|line| writeln!(err, "{}", line.render(paint)))
        })
    }

    /// Shows every problem whose submissions have all finished.
    fn show_finished_problems(&mut self, report: &Report) -> io::Result<()> {
        let Some(head) = &report.head else { return Ok(()) };
        while let Some(problem) = head.problems.get(self.shown) {
            let before: usize = head.problems[..self.shown].iter().map(|p| p.submissions.len()).sum();
            let submissions = before..before + problem.submissions.len();
            if self.finished < submissions.end {
                return Ok(());
            }
            let submissions = &report.submissions[submissions];
            let titles = head.problems.iter().map(|problem| width(&problem::name(problem))).max().unwrap_or(0).min(28);
            let mut lines = problem::block(problem, titles, submissions, head.verb, &self.options);
            if self.options.table {
                lines.extend(table::lines(submissions, &std::mem::take(&mut self.names), self.options.width));
            }
            self.shown += 1;
            if self.options.class && self.options.verbosity < 1 {
                continue;
            }
            self.print(&lines)?;
        }
        Ok(())
    }

    fn summary(&self, report: &Report) -> Vec<Line> {
        let counts = report.counts();
        let (results, cached) = report.results();
        let judged = report.verb() == Verb::Judge;
        let failed = match report.verb() {
            Verb::Run => failed(report, &counts, self.options.strict),
            Verb::Judge => !report.submissions.iter().all(|submission| submission.is_fine(Verb::Judge)),
        };
        let style = if failed { Style::BAD.bold() } else { Style::GOOD.bold() };
        let mut line = match (report.interrupted, failed) {
            (true, _) => Line::new().with("INTERRUPTED", Style::NOTICE.bold()),
            _ if judged => Line::new().with("JUDGED", style),
            (false, true) => Line::new().with("FAIL", style),
            (false, false) if counts.met == 0 => Line::new().with("RAN", Style::NOTICE.bold()),
            (false, false) => Line::new().with("PASS", style),
        };
        line.push("  ", Style::PLAIN);
        line.push(&tell_counts(report, &counts), Style::PLAIN);
        let cached = if cached > 0 { format!(" ({cached} cached)") } else { String::new() };
        line.push(
            &format!(" · {}{cached} · {:.1} s", count(results, "result"), report.wall.as_secs_f64()),
            Style::PLAIN,
        );
        let mut lines = vec![Line::new()];
        if self.options.verbosity >= 0 {
            lines.extend(report.disturbance().map(|text| Line::new().with(&text, Style::NOTICE)));
        }
        let languages = report.languages();
        if self.options.verbosity >= 0 && !languages.is_empty() {
            let text: Vec<String> =
                languages.iter().map(|(id, (version, place))| tell_tool(id, version, *place)).collect();
            lines.push(Line::new().with(&text.join(" · "), Style::FAINT));
        }
        lines.push(line);
        lines
    }
}

/// Whether the summary should say FAIL.
fn failed(report: &Report, counts: &Counts, strict: bool) -> bool {
    let floor = if strict { Severity::Warning } else { Severity::Error };
    counts.missed + counts.judge_errors > 0
        || report.notices_from(floor) > 0
        || (strict && counts.not_judged > 0)
        || counts.met + counts.unanswered == 0
}

/// A language with its compiler or interpreter. The tool's path is shown only outside `/usr` and `/bin`.
fn tell_tool(language: &str, version: &str, place: Option<&Path>) -> String {
    let is_of_system = |place: &Path| ["/usr", "/bin"].iter().any(|dir| place.starts_with(dir));
    let place = place.filter(|place| !is_of_system(place)).map(|place| format!(" ({})", place.display()));
    clean(&format!("{language}: {version}{}", place.unwrap_or_default()))
}

fn tell_counts(report: &Report, counts: &Counts) -> String {
    let mut parts = match report.verb() {
        Verb::Run if counts.met + counts.missed == 0 && counts.unanswered > 0 => Vec::new(),
        Verb::Run => counts.fine(),
        Verb::Judge => verdict_counts(report),
    };
    let incomplete = report.submissions.iter().filter(|submission| is_incomplete(report, submission)).count();
    let mut tell = |n: usize, what: &str| {
        if n > 0 {
            parts.push(format!("{n} {what}"));
        }
    };
    tell(incomplete, "incomplete");
    tell(counts.missed, "unexpected");
    tell(counts.unanswered, "without answers");
    tell(counts.not_judged - counts.unanswered, "not judged");
    tell(counts.judge_errors, "with judge errors");
    tell(counts.interrupted, "not finished");
    let errors = report.notices_from(Severity::Error);
    let warnings = report.notices_from(Severity::Warning) - errors;
    tell(errors, if errors == 1 { "error" } else { "errors" });
    tell(warnings, if warnings == 1 { "warning" } else { "warnings" });
    parts.join(", ")
}

/// Whether a submission has no verdict because some tests could not be judged.
fn is_incomplete(report: &Report, submission: &SubmissionReport) -> bool {
    let head = report.head.iter().flat_map(|head| &head.problems).find(|head| head.problem == submission.id.problem);
    report.verb() == Verb::Judge && submission.is_incomplete(head.is_some_and(|head| head.max_score.is_some()))
}

/// `3 AC`, `1 WA`, in order of severity.
fn verdict_counts(report: &Report) -> Vec<String> {
    let submissions: Vec<&SubmissionReport> =
        report.submissions.iter().filter(|submission| !is_incomplete(report, submission)).collect();
    // One with a judge error has no verdict, whatever its other tests say.
    let has = |submission: &&&SubmissionReport, verdict: &Verdict| submission.told() == Some(verdict.code());
    let count =
        |verdict: &Verdict| (submissions.iter().filter(|submission| has(submission, verdict)).count(), *verdict);
    let counts = Verdict::ALL.iter().map(count).filter(|(n, _)| *n > 0);
    counts.map(|(n, verdict)| format!("{n} {verdict}")).collect()
}

/// A notice as lines: `error: nine: secret/03.in: rejected by …`, then the rest and the remedy, indented. Paths below
/// `here` are relative to it.
pub fn notice_lines(notice: &Diagnostic, here: &Path) -> Vec<Line> {
    let style = match notice.severity {
        Severity::Info => Style::FAINT,
        Severity::Warning => Style::NOTICE,
        Severity::Error | Severity::JudgeError => Style::BAD,
    };
    let mut head = Line::new().with(&format!("{}: ", notice.severity.word()), style.bold());
    if let Some(problem) = &notice.problem {
        head.push(&format!("{}: ", clean(problem.as_str())), Style::STRONG);
    }
    if let Some(path) = &notice.path {
        head.push(&format!("{}: ", clean(&below(path, here).display().to_string())), Style::PLAIN);
    }
    let message = without_prefix(&notice.message, here);
    let remedy = without_prefix(&notice.remedy, here);
    let mut message = message.lines();
    head.push(&clean(message.next().unwrap_or_default()), Style::PLAIN);
    let mut lines = vec![head];
    lines.extend(message.take(20).map(|line| Line::from(format!("  {}", clean(line)).as_str())));
    if !remedy.is_empty() {
        lines.push(Line::new().with(&format!("  → {}", clean(&remedy)), Style::FAINT));
    }
    lines
}

/// A message whose paths below a directory are relative to it.
fn without_prefix(message: &str, dir: &Path) -> String {
    let prefix = format!("{}/", dir.display());
    let mut shown = String::new();
    for (at, part) in message.split(&prefix).enumerate() {
        // The middle of a longer path is not a beginning.
        let begins = shown.chars().next_back().is_none_or(|last| last.is_whitespace() || "`'\"(:,".contains(last));
        if at > 0 && !begins {
            shown.push_str(&prefix);
        }
        shown.push_str(part);
    }
    shown
}

impl<W: Write> Reporter for Terminal<W> {
    fn notice(&mut self, notice: &Diagnostic) -> io::Result<()> {
        self.show_notice(notice)
    }

    fn test_started(&mut self, test: &TestRef) -> io::Result<()> {
        self.progress.test_started(test)
    }

    fn test_finished(&mut self, test: &TestRef, result: &TestResult) -> io::Result<()> {
        self.progress.test_finished(test, result)?;
        self.awaited(test, result)
    }

    fn recorded(&mut self, event: &Event, report: &Report) -> io::Result<()> {
        self.progress.recorded(event, report)?;
        match event {
            Event::RunStarted(head) => self.head(head),
            Event::SubmissionFinished(_) => {
                self.finished += 1;
                self.show_finished_problems(report)
            }
            Event::TestFinished(TestFinished { test, .. }) | Event::TestSkipped(TestSkipped { test, .. })
                if self.options.table && test.ordinal.0 == self.names.len() =>
            {
                self.names.push(test.test.to_string());
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn finish(&mut self, report: &Report) -> io::Result<()> {
        self.progress.finish(report)?;
        if self.options.class && self.options.verbosity < 1 {
            return Ok(());
        }
        let mut lines = Vec::new();
        if self.options.verbosity >= 0 {
            lines.extend(failure::unanswered(report, &self.options));
        }
        lines.extend(failure::blocks(report, &self.options));
        lines.extend(judges::lines(report, &self.options));
        if self.options.verbosity >= 0 {
            lines.extend(days::lines(report));
        }
        lines.extend(self.summary(report));
        self.print(&lines)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_in_messages_are_relative() {
        let shown = |message: &str| without_prefix(message, Path::new("/a/b"));
        assert_eq!(shown("/a/b/c.yaml states 1, `/a/b/d` states 2"), "c.yaml states 1, `d` states 2");
        assert_eq!(shown("see /x/a/b/c and /a/bc"), "see /x/a/b/c and /a/bc");
    }
}
