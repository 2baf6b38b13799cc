//! Explains unexpected results: the input, the expected output, the actual output, where they differ, and how to repeat
//! the test.

use super::{TerminalOptions, clean};
use crate::event::{Standing, TestFinished, TestResult, Verb};
use crate::failure::{Block, again};
use crate::record::{Report, SubmissionReport};
use crate::text::{Line, Style, count};
use crate::verdict::Verdict;

/// Failures explained in full; the rest are one line each, unless more is asked for.
const EXPLAINED: usize = 5;

/// Returns one block for each unexpected result. With `-v`, each failing test of a submission has a block.
pub(super) fn blocks(report: &Report, options: &TerminalOptions) -> Vec<Line> {
    let verb = report.verb();
    let failures = report.submissions.iter().filter(|submission| match submission.standing() {
        Some(Standing::Missed { .. } | Standing::JudgeError { .. }) => true,
        Some(Standing::Met) => !submission.is_fine(verb) && submission.verdict() != Some(Verdict::Accepted),
        _ => false,
    });
    let mut lines = Vec::new();
    for (n, submission) in failures.enumerate() {
        if n == EXPLAINED && options.verbosity < 1 {
            lines.push(Line::new());
            lines.push(Line::new().with("more failures are not explained here (-v explains all)", Style::FAINT));
        }
        if n < EXPLAINED || options.verbosity > 0 {
            lines.push(Line::new());
            lines.extend(of_submission(submission, verb, options));
        }
    }
    lines
}

/// Shows the output of programs on tests that have no answer to compare with.
pub(super) fn unanswered(report: &Report, options: &TerminalOptions) -> Vec<Line> {
    let mut lines: Vec<Line> = report.submissions.iter().filter_map(missing).flatten().collect();
    let was_run = |test: &&TestFinished| matches!(test.result, TestResult::NotJudged { files: Some(_), .. });
    let tests = report
        .submissions
        .iter()
        .flat_map(|summary| summary.unanswered.iter().filter(was_run).map(move |test| (summary, test)));
    let shown = if options.verbosity > 0 { usize::MAX } else { EXPLAINED };
    for (summary, finished) in tests.take(shown) {
        let TestResult::NotJudged { reason, files, .. } = &finished.result else { continue };
        let [problem, submission, test] =
            [summary.id.problem.as_str(), summary.id.submission.as_str(), finished.test.test.as_str()].map(clean);
        let head =
            Line::new().with("– ", Style::NOTICE).with(&format!("{problem} · {submission} · {test}"), Style::STRONG);
        let look = options.look();
        let mut block = Block::new(&look);
        block.lines.extend([Line::new(), head.with(&format!(": {}", clean(reason.as_str())), Style::NOTICE)]);
        if let Some(stem) = files {
            block.input(stem);
            block.head_of(stem, "out", "output");
            block.stderr(stem);
            block.files(stem, None, &options.here);
        }
        lines.append(&mut block.lines);
    }
    lines
}

/// The tests without a submitted output, in one line.
fn missing(submission: &SubmissionReport) -> Option<[Line; 2]> {
    let is_missing = |test: &&TestFinished| test.result.is_missing();
    let tests: Vec<String> =
        submission.unanswered.iter().filter(is_missing).map(|test| clean(test.test.test.as_str())).collect();
    let all = submission.tests.iter().filter(|test| test.verdict.is_none()).count();
    if tests.is_empty() {
        return None;
    }
    let more = if all > tests.len() { format!(" and {} more", all - tests.len()) } else { String::new() };
    let name = format!("{} · {}", clean(submission.id.problem.as_str()), clean(submission.id.submission.as_str()));
    let line = Line::new().with("– ", Style::NOTICE).with(&name, Style::STRONG);
    Some([Line::new(), line.with(&format!(": missing: {}{more}", tests.join(", ")), Style::NOTICE)])
}

/// Explains one submission: its first failing test, or what else is wrong with it. The other failing tests are named,
/// and with `-v` explained.
fn of_submission(submission: &SubmissionReport, verb: Verb, options: &TerminalOptions) -> Vec<Line> {
    let look = options.look();
    let mut block = Block::new(&look);
    let why = match submission.standing() {
        Some(Standing::Missed { why }) => clean(&why.to_string()),
        Some(Standing::Met) => submission.verdict().map_or("", Verdict::code).to_owned(),
        _ => "judge error".to_owned(),
    };
    let is_ours = matches!(submission.standing(), Some(Standing::JudgeError { .. }));
    block.lines.push(head(submission, submission.failure(), is_ours, &why));
    block.submission(submission);
    end(&mut block, submission, submission.failure(), verb, options);
    let others: Vec<&TestFinished> = submission.failures.iter().skip(1).filter(|other| word(other).is_some()).collect();
    let judged = submission.failures.iter().filter(|failure| matches!(failure.result, TestResult::Judged(_))).count();
    let more = submission.failing().saturating_sub(judged);
    if options.verbosity < 1 {
        if !others.is_empty() {
            block.labelled_list("also", &names(&others, more));
        }
        return block.lines;
    }
    for other in others {
        let is_ours = matches!(other.result, TestResult::JudgeError { .. });
        block.lines.extend([Line::new(), head(submission, Some(other), is_ours, word(other).unwrap_or_default())]);
        block.test(other);
        end(&mut block, submission, Some(other), verb, options);
    }
    if more > 0 {
        let text = format!("  {} of {} fail too", count(more, "more test"), submission.id.submission);
        block.lines.extend([Line::new(), Line::new().with(&clean(&text), Style::FAINT)]);
    }
    block.lines
}

/// `✗ problem · submission · test: why`.
fn head(submission: &SubmissionReport, failure: Option<&TestFinished>, is_ours: bool, why: &str) -> Line {
    let name = format!("{} · {}", clean(submission.id.problem.as_str()), clean(submission.id.submission.as_str()));
    let test = failure.map(|failure| format!(" · {}", clean(failure.test.test.as_str())));
    let mark = if is_ours { "! " } else { "✗ " };
    let head = Line::new().with(mark, Style::BAD).with(&name, Style::STRONG);
    head.with(&test.unwrap_or_default(), Style::STRONG).with(&format!(": {why}"), Style::BAD)
}

/// Adds the kept files of a test, and the command that repeats it.
fn end(
    block: &mut Block<'_>,
    submission: &SubmissionReport,
    failure: Option<&TestFinished>,
    verb: Verb,
    options: &TerminalOptions,
) {
    if let Some(TestResult::Judged(judgement)) = failure.map(|failure| &failure.result)
        && let Some(stem) = &judgement.files
    {
        block.files(stem, judgement.difference.as_deref(), &options.here);
    }
    if !submission.head.again.is_empty() {
        block.labelled("again", &clean(&again(submission, failure, verb)));
    }
}

/// The other failing tests with their results: `secret/02 WA,` `secret/03 TLE` `and 7 more`, and how to see more of them.
fn names(others: &[&TestFinished], more: usize) -> Vec<String> {
    let name = |(at, other): (usize, &&TestFinished)| {
        let comma = if at + 1 < others.len() { "," } else { "" };
        clean(&format!("{} {}{comma}", other.test.test, word(other).unwrap_or_default()))
    };
    let hint = format!("(-v explains up to {})", SubmissionReport::MOST_FAILURES);
    let names = others.iter().enumerate().map(name);
    names.chain((more > 0).then(|| format!("and {more} more"))).chain([hint]).collect()
}

/// The result of a failing test in a word; none if the run ended before it.
fn word(failure: &TestFinished) -> Option<&'static str> {
    match &failure.result {
        TestResult::Judged(judgement) => Some(judgement.verdict.code()),
        TestResult::JudgeError { .. } => Some("judge error"),
        TestResult::NotJudged { .. } | TestResult::Cancelled => None,
    }
}
