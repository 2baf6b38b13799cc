//! One problem's block: its head, a row for each submission, the margins of its time limit.

use super::{TerminalOptions, clean, points};
use crate::event::{BuildResult, ProblemHead, Standing, TestFinished, TestResult, UnjudgedReason, Verb};
use crate::limits::{seconds, seconds_short};
use crate::margins;
use crate::record::{SubmissionReport, TestSummary, margins_of};
use crate::text::{Line, Style, count, pad, truncate, width};
use crate::verdict::Verdict;

/// The language column of outputs that were submitted without their program.
const OUTPUTS: &str = "outputs";

/// The displayed name of a problem: its letter in a contest, and its name.
pub(super) fn name(head: &ProblemHead) -> String {
    let letter = head.label.as_ref().map(|label| format!("{label} ")).unwrap_or_default();
    format!("{letter}{}", clean(head.problem.as_str()))
}

/// The lines of one problem; names of problems are padded to `titles` columns.
pub(super) fn block(
    head: &ProblemHead,
    titles: usize,
    submissions: &[SubmissionReport],
    verb: Verb,
    options: &TerminalOptions,
) -> Vec<Line> {
    let not_judged = |submission: &SubmissionReport| matches!(submission.standing(), Some(Standing::NotJudged { .. }));
    let fine = submissions.iter().all(|submission| submission.is_fine(verb) || not_judged(submission));
    if options.verbosity < 0 && fine {
        return Vec::new();
    }
    // A submission without results, such as a compile error, has no cached results either.
    let cached = submissions.iter().any(SubmissionReport::cached)
        && submissions.iter().all(|submission| submission.tests.is_empty() || submission.cached());
    // A submission with points keeps its row, because people want to see the points. In `judge` every submission keeps
    // its row, because people ask for each result.
    let plain = |submission: &SubmissionReport| {
        let is_plain =
            submission.standing() == Some(&Standing::Met) && !submission.head.open && submission.score().is_none();
        is_plain && change(submission, options).is_none() && unjudged(submission, verb).is_none()
    };
    let fold = verb == Verb::Run && cached && options.verbosity < 1 && submissions.iter().all(plain);
    let mut title = Line::new().with(&pad(&name(head), titles), Style::STRONG);
    let limit = seconds_short(head.time_limit);
    let memory = head.memory;
    let limits = if head.outputs { String::new() } else { format!("{limit} · {memory} · ") };
    title.push(&format!("  {limits}{}", count(head.tests, "test")), Style::PLAIN);
    if let Some(max) = head.max_score {
        title.push(&format!(" · {}", points::all(max)), Style::PLAIN);
    }
    if cached && !submissions.iter().all(not_judged) {
        title.push("  (cached)", Style::FAINT);
    }
    let mut lines = vec![title];
    if let Some(from) = &head.time_limit_from {
        lines.push(Line::new().with(&format!("  time limit {limit} {}", clean(from)), Style::FAINT));
    }
    if fold {
        lines.push(folded(submissions));
    } else {
        let names =
            submissions.iter().map(|submission| width(&clean(submission.id.submission.as_str()))).max().unwrap_or(0);
        let names = names.clamp(20, (options.width / 2).max(20));
        let extents = submissions
            .iter()
            .filter_map(|submission| extent(submission, verb))
            .map(|text| width(&text))
            .max()
            .unwrap_or(0);
        // At 80 columns, long names make room for the count of failing tests, which stands behind them.
        let names = names.min(options.width.saturating_sub(FIGURES + extents).max(20));
        let points =
            submissions.iter().map(|submission| width(&points::of(submission, head.max_score))).max().unwrap_or(0);
        let columns = Columns { names, points, max_score: head.max_score, verb };
        for submission in submissions {
            lines.push(row(submission, columns, options));
            if options.verbosity > 0 || points::lacks(submission, head.max_score) {
                lines.extend(points::groups(submission, options.width));
            }
        }
    }
    if verb == Verb::Run {
        lines.extend(margins(head, submissions));
    }
    if let Some(columns) = options.fit {
        lines = lines.iter().map(|line| line.window(0, columns)).collect();
    }
    // These lines are never cut: they show the verdicts of other judges.
    lines.extend(accepted_with_remarks(submissions));
    lines
}

/// Columns of a row besides the name and the count of failing tests: mark, verdict, time, memory and spaces.
const FIGURES: usize = 4 + 2 + 4 + 9 + 2 + 8 + 2 + 2;

/// The most columns of a message in the table.
const MESSAGE: usize = 200;
/// The most submissions that are named for one remark.
const NAMED: usize = 3;

/// Accepted submissions on which another judge, or another run, might decide otherwise: each remark once, with the
/// submissions that it is about.
fn accepted_with_remarks(submissions: &[SubmissionReport]) -> Vec<Line> {
    let mut remarks: Vec<(&str, Vec<String>)> = Vec::new();
    for submission in submissions {
        let lenient = submission.lenient.as_ref().filter(|_| submission.verdict() == Some(Verdict::Accepted));
        let Some((test, remark, n)) = lenient else { continue };
        let more = if *n > 1 { format!(" and {}", count(*n as usize - 1, "more test")) } else { String::new() };
        let place = format!("{} on {test}{more}", submission.id.submission);
        match remarks.iter_mut().find(|(other, _)| *other == remark) {
            Some((_, places)) => places.push(place),
            None => remarks.push((remark, vec![place])),
        }
    }
    let lines = remarks.iter().flat_map(|(remark, places)| {
        let which = if places.len() > 1 { format!("these {} AC", places.len()) } else { "this AC".to_owned() };
        let more = places.len().saturating_sub(NAMED);
        let more = if more > 0 { format!("; and {}", count(more, "more submission")) } else { String::new() };
        let named = places[..places.len().min(NAMED)].join("; ");
        let head = Line::new().with(&clean(&format!("  check {which}: {remark}")), Style::NOTICE);
        [head, Line::new().with(&clean(&format!("    {named}{more}")), Style::FAINT)]
    });
    lines.collect()
}

/// `✓ 4 of 4 as expected so far: 2 AC, 1 WA, 1 TLE   (-v lists them)`.
fn folded(submissions: &[SubmissionReport]) -> Line {
    let counts = Verdict::ALL.iter().filter_map(|verdict| {
        let n = submissions.iter().filter(|submission| submission.verdict() == Some(*verdict)).count();
        (n > 0).then(|| format!("{n} {verdict}"))
    });
    let counts: Vec<String> = counts.collect();
    let so_far = if submissions.iter().any(SubmissionReport::so_far) { " so far" } else { "" };
    Line::from("  ")
        .with("✓", Style::GOOD)
        .with(&format!(" {0} of {0} as expected{so_far}: {1}", submissions.len(), counts.join(", ")), Style::PLAIN)
        .with("  (-v lists them)", Style::FAINT)
}

/// Values that the rows of a problem share.
#[derive(Clone, Copy)]
struct Columns {
    /// Columns of the longest name.
    names: usize,
    /// Columns of the longest points; 0 if the problem has none.
    points: usize,
    /// The maximum score; none if unbounded or unscored.
    max_score: Option<f64>,
    /// The command of the run.
    verb: Verb,
}

impl Columns {
    /// Whether a submission has no verdict because some of its tests could not be judged.
    fn is_incomplete(self, submission: &SubmissionReport) -> bool {
        self.verb == Verb::Judge && submission.is_incomplete(self.max_score.is_some())
    }
}

/// The sign of a result, with its style.
pub(super) fn mark(submission: &SubmissionReport, verb: Verb) -> (&'static str, Style) {
    match submission.standing() {
        Some(Standing::Met) if verb == Verb::Run && submission.head.open => ("–", Style::PLAIN),
        Some(Standing::Met) if !submission.is_fine(verb) => ("✗", Style::BAD),
        Some(Standing::Met) => ("✓", Style::GOOD),
        Some(Standing::Missed { .. }) => ("✗", Style::BAD),
        Some(Standing::JudgeError { .. }) => ("!", Style::BAD),
        Some(Standing::NotJudged { .. } | Standing::Interrupted) | None => ("–", Style::NOTICE),
    }
}

fn row(submission: &SubmissionReport, columns: Columns, options: &TerminalOptions) -> Line {
    let verb = columns.verb;
    let (mark, style) = if columns.is_incomplete(submission) && matches!(submission.standing(), Some(Standing::Met)) {
        ("–", Style::NOTICE)
    } else {
        mark(submission, verb)
    };
    let name = pad(&truncate(&clean(submission.id.submission.as_str()), columns.names), columns.names);
    let mut line = Line::from("  ").with(mark, style).with(&format!(" {name}  "), Style::PLAIN);
    match submission.standing() {
        Some(Standing::NotJudged { .. }) if submission.only_shows() => {
            line.push("no answer", Style::NOTICE);
            if let Some(slowest) =
                submission.tests.iter().max_by_key(|test| test.cpu_us).filter(|_| was_run(submission))
            {
                line.push(&format!("  {}", time(*slowest)), Style::PLAIN);
            }
        }
        Some(Standing::NotJudged { reason }) => line.push(&format!("not judged: {}", clean(reason)), Style::NOTICE),
        Some(Standing::JudgeError { message }) => {
            let first = message.lines().next().unwrap_or_default();
            // The whole message stands below the table.
            line.push(&format!("judge error: {}", truncate(&clean(first), MESSAGE)), Style::BAD);
        }
        _ if columns.is_incomplete(submission) => {
            line.push("incomplete", style.bold());
            line.push(&extent(submission, verb).map(|text| format!("  {text}")).unwrap_or_default(), Style::NOTICE);
        }
        _ => figures(submission, columns, change(submission, options), style, &mut line),
    }
    line.push(&unjudged(submission, verb).map(|text| format!("  {text}")).unwrap_or_default(), Style::NOTICE);
    line
}

/// `2 missing`, if tests were not judged and that says something about the submission. In `run`, tests without an answer
/// have blocks of their own.
fn unjudged(submission: &SubmissionReport, verb: Verb) -> Option<String> {
    let TestResult::NotJudged { reason, .. } = &submission.unanswered.first()?.result else { return None };
    let missing = submission.tests.iter().filter(|test| test.verdict.is_none()).count();
    let is_told = verb == Verb::Judge || *reason == UnjudgedReason::SlowedBySanitizers;
    is_told.then(|| format!("{missing} {}", clean(reason.as_str())))
}

/// `3 of 12 fail`, if the submission should not fail and has several tests.
fn extent(submission: &SubmissionReport, verb: Verb) -> Option<String> {
    let counts = verb == Verb::Judge || matches!(submission.standing(), Some(Standing::Missed { .. }));
    let failing = submission.failing();
    let all = submission.tests.len();
    (counts && failing > 0 && all > 1).then(|| format!("{failing} of {all} fail"))
}

/// `WA → AC`, if the result differs from the earlier one.
fn change(submission: &SubmissionReport, options: &TerminalOptions) -> Option<String> {
    let before = options.previous.get(&(submission.id.problem.clone(), submission.id.submission.clone()))?;
    let now = submission.told()?;
    (before.told != now).then(|| format!("{} → {now}", before.told))
}

/// Appends the verdict, points, time, memory, the relevant test and any remarks.
fn figures(submission: &SubmissionReport, columns: Columns, change: Option<String>, style: Style, line: &mut Line) {
    let verdict = submission.verdict().map_or("", Verdict::code);
    line.push(&pad(verdict, 4), if submission.verdict() == Some(Verdict::Accepted) { style } else { style.bold() });
    if columns.points > 0 {
        line.push(&format!(" {}", pad(&points::of(submission, columns.max_score), columns.points)), style.bold());
    }
    if let Some((name, test)) = shown_test(submission) {
        if was_run(submission) {
            line.push(&format!("{:>9}  {:>8}  ", time(test), memory(submission, test)), Style::PLAIN);
        } else if submission.failures.is_empty() {
            return;
        } else if columns.points > 0 {
            line.push("  ", Style::PLAIN);
        }
        if let Some(extent) = extent(submission, columns.verb) {
            line.push(&extent, Style::NOTICE);
            line.push(if submission.verdict() == Some(Verdict::Accepted) { ", " } else { ": " }, Style::NOTICE);
        }
        let slowest = if submission.verdict() == Some(Verdict::Accepted) { "slowest " } else { "" };
        line.push(&format!("{slowest}{}", clean(&name)), Style::FAINT);
    }
    // The change comes before the remarks, which may be cut at the right.
    if let Some(change) = change {
        line.push(&format!("  {change}"), style.bold());
    }
    for remark in remarks(submission, columns.verb) {
        line.push(&format!("  {}", clean(&remark)), Style::NOTICE);
    }
}

/// Whether the submission was executed: submitted outputs were not.
fn was_run(submission: &SubmissionReport) -> bool {
    !matches!(&submission.built, Some(BuildResult::Ready { language, .. }) if language == OUTPUTS)
}

/// The failing test, or the slowest test if no failure counts.
fn shown_test(submission: &SubmissionReport) -> Option<(String, TestSummary)> {
    let forgiven = |failure: &&TestFinished| {
        submission.verdict() == Some(Verdict::Accepted) && matches!(failure.result, TestResult::Judged(_))
    };
    match submission.failure().filter(|failure| !forgiven(failure)) {
        Some(failure) => submission.test_at(failure.test.ordinal.0).map(|test| (failure.test.test.to_string(), *test)),
        None => submission.slowest.as_ref().map(|(name, test)| (name.to_string(), *test)),
    }
}

/// `0.214 s`, or `>1.500 s` for a test that was killed at its limit.
pub(super) fn time(test: TestSummary) -> String {
    let bound = if test.killed && test.verdict == Some(Verdict::TimeLimit) { ">" } else { "" };
    format!("{bound}{}", seconds(test.cpu()))
}

fn memory(submission: &SubmissionReport, test: TestSummary) -> String {
    let own = crate::limits::Bytes::kib(u64::from(test.memory_kib));
    submission.memory().filter(|_| submission.failures.is_empty()).unwrap_or(own).to_string()
}

fn remarks(submission: &SubmissionReport, verb: Verb) -> Vec<String> {
    let mut remarks = Vec::new();
    match submission.standing() {
        Some(Standing::Missed { why }) => {
            remarks.push(why.to_string());
            if submission.head.reference {
                remarks.push("this is the reference".to_owned());
            }
        }
        Some(Standing::Met) if verb == Verb::Run && submission.head.open => remarks.push("nothing expected".to_owned()),
        Some(Standing::Interrupted) | None => remarks.push("interrupted".to_owned()),
        _ => {}
    }
    if let Some(TestResult::NotJudged { reason, .. }) = submission.failure().map(|failure| &failure.result) {
        remarks.push(reason.as_str().to_owned());
    }
    remarks
}

/// `limit 1 s: slowest AC 0.004 s, fastest TLE >1.500 s, margins safe`.
fn margins(head: &ProblemHead, submissions: &[SubmissionReport]) -> Option<Line> {
    let margins = margins_of(head, submissions)?;
    let slowest = |name: &str| {
        let submission = submissions.iter().find(|submission| submission.id.submission.as_str() == name);
        format!("slowest {}", submission.map_or("", |submission| &submission.head.expected))
    };
    // Nothing was measured; the lines above give the reason.
    if margins.slowest.is_none() && margins.fastest.is_none() {
        return None;
    }
    let figures = clean(&margins::figures(&margins, slowest, false));
    let text = format!("  limit {}: {figures}, ", seconds_short(head.time_limit));
    let style = if margins.are_safe() { Style::FAINT } else { Style::NOTICE };
    Some(Line::new().with(&text, Style::FAINT).with(&clean(&margins::words(&margins)), style))
}
