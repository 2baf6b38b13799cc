//! Writes a summary in Markdown (`CommonMark` with GitHub's tables), for a pull request, a job summary or a course
//! page.
//!
//! Names, outputs and compiler messages are untrusted. They appear only in code spans and fences that they cannot
//! close, or escaped in HTML. Sites also make no links and send no notifications from code.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};

use super::class::{best_in, cell_of, rows_of};
use super::document::Document;
use super::failure::{self, Look, below, clean};
use super::grade::number;
use super::student::{self, FeedbackLevel, Sight};
use super::text::{Line, Paint};
use crate::diagnostic::{Diagnostic, Severity};
use crate::event::{BuildResult, LeftOut, Standing, SubmissionIndex, TestFinished, TestResult, Verb};
use crate::limits::seconds;
use crate::problem::TestId;
use crate::record::FinishedSubmission;
use crate::record::{Counts, Report, SubmissionReport};
use crate::verdict::Verdict;

/// The most explanations in one document. GitHub accepts 65,536 characters in a comment, 1 MiB in a job summary.
const EXPLAINED: usize = 20;
/// The most lines of one explanation.
const MAX_LINES: usize = 60;

/// The Markdown document under construction.
#[derive(Debug)]
pub struct Markdown {
    look: Look,
    /// Paths are shown relative to this directory.
    here: PathBuf,
    feedback: FeedbackLevel,
    rows: Vec<Row>,
    details: Vec<String>,
    /// The number of results without an explanation, because there are too many.
    unexplained: usize,
}

/// One submission in the table.
#[derive(Debug)]
struct Row {
    /// The submission; none if there is none, or if it could not be judged.
    submission: Option<SubmissionIndex>,
    student: Option<String>,
    cells: Vec<String>,
    points: Option<String>,
}

impl Markdown {
    /// `look` sets the style of explanations. In `judge` they are written for students, at the level of `feedback`.
    /// Paths are shown relative to `here`.
    pub fn new(look: Look, feedback: FeedbackLevel, here: PathBuf) -> Self {
        let look = Look { paint: Paint::Plain, ..look };
        Self { look, here, feedback, rows: Vec::new(), details: Vec::new(), unexplained: 0 }
    }
}

impl Document for Markdown {
    fn submission(&mut self, of: &FinishedSubmission<'_>) {
        self.rows.push(row(of));
        if !deserves_a_look(of) {
        } else if self.details.len() < EXPLAINED {
            self.details.extend(self.detail(of));
        } else {
            self.unexplained += 1;
        }
    }

    fn text(&mut self, report: &Report) -> io::Result<Vec<u8>> {
        let verb = report.head.as_ref().map(|head| head.verb).unwrap_or_default();
        let mut text = format!("## grader: {}\n\n", headline(report, verb));
        if let Some(head) = &report.head {
            let _ = writeln!(text, "Isolation: {}\n", head.isolation_with_caveat());
        }
        if let Some(policy) = super::grade::policy(report).filter(|_| verb == Verb::Judge) {
            let _ = writeln!(text, "Grades: {policy}\n");
        }
        if let Some(disturbance) = report.disturbance() {
            let _ = writeln!(text, "Note: {disturbance}\n");
        }
        self.rows.extend(report.left_out().iter().map(left_out));
        let (_, rows) = rows_of(report);
        let excused: BTreeSet<&str> =
            rows.iter().filter(|row| row.is_excused()).map(|row| row.student.as_str()).collect();
        self.rows.extend(report.without_submission().into_iter().map(|student| {
            let result = if excused.contains(&*student.student) { "➖ excused" } else { "➖ not submitted" };
            let cells = vec![code(""), code(""), result.to_owned(), String::new(), String::new()];
            Row { submission: None, student: Some(student.student.clone()), cells, points: None }
        }));
        if verb == Verb::Judge {
            self.grades(report);
        }
        self.table(verb, &mut text);
        if verb == Verb::Judge {
            text.push_str(&overrides(report));
        }
        for detail in &self.details {
            text.push_str(detail);
        }
        if self.unexplained > 0 {
            let _ = writeln!(text, "{} more are not explained here.\n", self.unexplained);
        }
        for notice in report.notices.iter().filter(|notice| notice.severity > Severity::Info) {
            text.push_str(&of_notice(notice, &self.here));
        }
        Ok(text.into_bytes())
    }
}

/// Counts of submissions by result.
pub(super) fn headline(report: &Report, verb: Verb) -> String {
    let counts = report.counts();
    let Counts { met, missed, not_judged, judge_errors, interrupted, .. } = counts;
    let accepted = report.submissions.iter().filter(|submission| submission.is_fine(Verb::Judge)).count();
    let (good, bad) = match verb {
        Verb::Run => (counts.fine(), (missed, "unexpected")),
        Verb::Judge => {
            (vec![format!("{accepted} accepted")], ((met + missed).saturating_sub(accepted), "not accepted"))
        }
    };
    let not_judged = not_judged + report.left_out().len();
    let others = [(not_judged, "not judged"), (judge_errors, "with judge errors"), (interrupted, "not finished")];
    let others = std::iter::once(bad).chain(others).filter(|(n, _)| *n > 0);
    good.into_iter().chain(others.map(|(n, what)| format!("{n} {what}"))).collect::<Vec<_>>().join(", ")
}

fn row(of: &FinishedSubmission<'_>) -> Row {
    let submission = of.submission;
    let result = match (submission.standing(), submission.verdict()) {
        (Some(Standing::JudgeError { .. }), _) => "⚠️ judge error".to_owned(),
        (Some(Standing::NotJudged { .. }), _) => "➖ not judged".to_owned(),
        (Some(Standing::Interrupted) | None, _) => "➖ interrupted".to_owned(),
        _ if of.head.verb == Verb::Judge && submission.is_incomplete(of.problem.max_score.is_some()) => {
            "➖ incomplete".to_owned()
        }
        (Some(_), verdict) => {
            let mark = if deserves_a_look(of) { "❌" } else { "✅" };
            format!("{mark} {}", verdict.map_or("", Verdict::code))
        }
    };
    let time = submission.slowest.as_ref().map(|(_, test)| {
        let bound = if test.killed && test.verdict == Some(Verdict::TimeLimit) { "&gt;" } else { "" };
        format!("{bound}{}", seconds(test.cpu()))
    });
    let mut cells = vec![code(submission.id.problem.as_str()), code(submission.id.submission.as_str())];
    if of.head.verb == Verb::Run {
        cells.push(clean(&submission.head.expected));
    }
    cells.extend([
        result,
        time.unwrap_or_default(),
        submission.memory().map(|memory| memory.to_string()).unwrap_or_default(),
    ]);
    let points = of.problem.max_score.map(|max| match submission.score() {
        Some(score) => format!("{} of {}", number(score), number(max)),
        None => format!("– of {}", number(max)),
    });
    Row { submission: Some(submission.id.index), student: submission.head.student.clone(), cells, points }
}

/// The grades that people decided, as in the table of a class; empty if there are none.
fn overrides(report: &Report) -> String {
    let (problems, rows) = rows_of(report);
    let mut lines = String::new();
    for row in &rows {
        for remark in row.remarks(&problems) {
            let _ = writeln!(lines, "- {}: {}", code(&row.student), code(&remark));
        }
    }
    if lines.is_empty() { lines } else { format!("Changed grades:\n\n{lines}\n") }
}

/// The row of a submission that could not be judged; only `judge` has such rows.
fn left_out(out: &LeftOut) -> Row {
    let problem = out.problem.as_ref().map_or("", |problem| problem.as_str());
    let result = format!("➖ {}", clean(&out.why));
    let cells = vec![code(problem), code(""), result, String::new(), String::new()];
    Row { submission: None, student: Some(out.student.clone()), cells, points: None }
}

/// Returns whether a submission needs attention: in `run` an unexpected result, in `judge` one that is not accepted.
fn deserves_a_look(of: &FinishedSubmission<'_>) -> bool {
    match of.submission.standing() {
        Some(Standing::Missed { .. } | Standing::JudgeError { .. }) => true,
        Some(Standing::Met) => !of.submission.is_fine(of.head.verb),
        _ => false,
    }
}

impl Markdown {
    /// Replaces the points of submissions by their grades, which are those of the table of a class.
    fn grades(&mut self, report: &Report) {
        let table = rows_of(report);
        let grades: BTreeMap<SubmissionIndex, String> = report
            .submissions
            .iter()
            .map(|submission| {
                let of = best_in(&submission.id.problem, report).map(|best| format!(" of {}", number(best)));
                let text = cell_of(&table, submission).map_or("another attempt counts".to_owned(), |cell| {
                    let late = cell.late.filter(|_| cell.is_late()).map(|late| format!(", {late}"));
                    let grade = cell.grade.map_or("–".to_owned(), number);
                    format!("{grade}{}{}", of.unwrap_or_default(), late.unwrap_or_default())
                });
                (submission.id.index, text)
            })
            .collect();
        for row in &mut self.rows {
            row.points = row.submission.and_then(|submission| grades.get(&submission).cloned());
        }
    }

    fn table(&self, verb: Verb, text: &mut String) {
        if self.rows.is_empty() {
            return;
        }
        let students = self.rows.iter().any(|row| row.student.is_some());
        let points = self.rows.iter().any(|row| row.points.is_some());
        let mut head = Vec::from_iter(students.then_some("student"));
        head.extend(["problem", "submission"]);
        head.extend((verb == Verb::Run).then_some("expected"));
        head.extend(["result", "slowest", "memory"]);
        head.extend(points.then_some("points"));
        let _ = writeln!(text, "| {} |\n|{}", head.join(" | "), "---|".repeat(head.len()));
        for row in &self.rows {
            let mut cells = Vec::new();
            cells.extend(students.then(|| row.student.as_deref().map(code).unwrap_or_default()));
            cells.extend(row.cells.iter().cloned());
            cells.extend(points.then(|| row.points.clone().unwrap_or_default()));
            let _ = writeln!(text, "| {} |", cells.join(" | "));
        }
        text.push('\n');
    }

    /// One explanation, folded; none if the table already shows everything.
    fn detail(&self, of: &FinishedSubmission<'_>) -> Option<String> {
        let submission = of.submission;
        // Students learn the failing test only if they may see it.
        let is_told =
            |test: &TestId| of.head.verb == Verb::Run || self.feedback.sight(of.problem, test) > Sight::Hidden;
        let unanswered = || submission.unanswered.first().filter(|_| of.head.verb == Verb::Judge);
        let failed = submission.failure().or_else(unanswered);
        let test = failed.map(|failed| &failed.test.test).filter(|test| is_told(test));
        let test = test.map(TestId::as_str);
        let names = [Some(submission.id.problem.as_str()), Some(submission.id.submission.as_str()), test];
        let names: Vec<String> =
            names.into_iter().flatten().map(|name| format!("<code>{}</code>", html(&clean(name)))).collect();
        let why = match submission.standing() {
            Some(Standing::Missed { why }) => &why.to_string(),
            Some(Standing::JudgeError { .. }) => "judge error",
            _ if submission.failures.is_empty() && !submission.unanswered.is_empty() => "incomplete",
            _ => submission.verdict().map_or("", student::name_of),
        };
        let lines = if of.head.verb == Verb::Judge {
            for_students(submission, self.feedback, &self.look)
        } else {
            failure::of_submission(submission, &self.look)
        };
        let summary = format!("{}: {}", names.join(" · "), html(&clean(why)));
        let detail = || format!("<details>\n<summary>{summary}</summary>\n\n{}\n</details>\n\n", fence(&lines));
        (!lines.is_empty()).then(detail)
    }
}

/// The compiler's message, or the first failing test as far as students may see it.
fn for_students(submission: &SubmissionReport, feedback: FeedbackLevel, look: &Look) -> Vec<Line> {
    let lines =
        |test: &TestFinished| student::of_test(test, feedback.sight(&submission.problem, &test.test.test), look);
    match (&submission.built, submission.failure()) {
        (Some(BuildResult::CompileError { .. }), _) => failure::of_submission(submission, look),
        (_, Some(failure)) if !matches!(failure.result, TestResult::JudgeError { .. }) => lines(failure),
        (_, None) if !submission.unanswered.is_empty() => lines(&submission.unanswered[0]),
        _ => vec![Line::from(student::unjudged(submission).as_str())],
    }
}

fn of_notice(notice: &Diagnostic, here: &Path) -> String {
    let word = notice.severity.word();
    let problem = notice.problem.as_ref().map(|problem| code(problem.as_str()));
    let path = notice.path.as_ref().map(|path| code(&below(path, here).display().to_string()));
    let first = notice.message.lines().next().unwrap_or_default();
    let parts = [Some(format!("**{word}**")), problem, path, Some(code(first))];
    format!("- {}\n", parts.into_iter().flatten().collect::<Vec<_>>().join(": "))
}

/// A code span that also works in a table: characters that could end it are replaced by similar ones.
fn code(text: &str) -> String {
    let text = clean(text).replace('`', "'").replace('|', "¦");
    if text.trim().is_empty() { "–".to_owned() } else { format!("`{text}`") }
}

/// Escapes text for HTML.
fn html(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;").replace('\'', "&#39;")
}

/// A fenced block with a fence longer than any run of backticks in the text.
fn fence(lines: &[Line]) -> String {
    let mut text: Vec<String> = lines.iter().take(MAX_LINES).map(|line| line.plain().trim_end().to_owned()).collect();
    if lines.len() > MAX_LINES {
        text.push(format!("… {} more lines", lines.len() - MAX_LINES));
    }
    let text = text.join("\n");
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat((longest + 1).max(3));
    format!("{fence}text\n{text}\n{fence}\n")
}

#[cfg(test)]
mod tests {
    use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

    use super::*;

    const HOSTILE: [&str; 9] = [
        "a`b``c",
        "x|y\\|z\\\\|",
        "</code></summary></details><script>alert(1)</script>",
        "![x](http://e.example/x.png) @everyone #1",
        "\n\n# head\n",
        "```\n~~~\n````",
        "&lt;&#x3c;script>",
        "  - item\n  1. item",
        "| a | b |\n|---|---|",
    ];

    fn parse(text: &str) -> Vec<Event<'_>> {
        Parser::new_ext(text, Options::ENABLE_TABLES).collect()
    }

    #[test]
    fn a_name_stays_inside_its_cell() {
        for name in HOSTILE {
            let text = format!("| a | b |\n|---|---|\n| {} | x |\n", code(name));
            let events = parse(&text);
            let cells = events.iter().filter(|event| matches!(event, Event::End(TagEnd::TableCell))).count();
            assert_eq!(cells, 4, "{name:?}: {events:?}");
            let inside = |event: &Event<'_>| match event {
                Event::Text(text) => ["a", "b", "x"].contains(&&**text),
                Event::Start(tag) => {
                    matches!(tag, Tag::Table(_) | Tag::TableHead | Tag::TableRow | Tag::TableCell)
                }
                Event::Code(_) | Event::End(_) => true,
                _ => false,
            };
            assert!(events.iter().all(inside), "{name:?}: {events:?}");
            assert_eq!(events.iter().filter(|event| matches!(event, Event::Code(_))).count(), 1, "{events:?}");
        }
    }

    #[test]
    fn a_text_stays_inside_its_fence() {
        for text in HOSTILE {
            let lines: Vec<Line> = text.lines().map(|line| Line::from(clean(line).as_str())).collect();
            let text = fence(&lines);
            let events = parse(&text);
            assert!(matches!(events.first(), Some(Event::Start(Tag::CodeBlock(_)))), "{events:?}");
            assert!(matches!(events.last(), Some(Event::End(TagEnd::CodeBlock))), "{events:?}");
            assert!(events[1..events.len() - 1].iter().all(|event| matches!(event, Event::Text(_))), "{events:?}");
        }
    }

    #[test]
    fn a_summary_has_no_tags_but_ours() {
        for name in HOSTILE {
            let text = html(&clean(name));
            assert!(!text.contains(['<', '>', '"', '\'', '\n']), "{text}");
        }
    }
}
