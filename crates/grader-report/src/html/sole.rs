//! A run of one program: its page is about that program and says in its title what happened.

use super::super::failure::clean;
use super::super::grade::number;
use super::super::student::name_of;
use crate::event::{Standing, TestFinished, TestResult, Verb};
use crate::record::{Report, SubmissionReport};
use crate::verdict::Verdict;

/// The only program of a run that is not about a class; none if there are more.
pub(super) fn of(report: &Report) -> Option<&SubmissionReport> {
    let [submission] = &report.submissions[..] else { return None };
    let others = report.left_out().len() + report.without_submission().len();
    (submission.head.student.is_none() && others == 0).then_some(submission)
}

/// `Wrong answer on sample 2`.
pub(super) fn headline(submission: &SubmissionReport, report: &Report) -> String {
    let verb = report.verb();
    let max_score = submission.problem.max_score;
    let what = match (submission.standing(), submission.verdict()) {
        (Some(Standing::JudgeError { .. }), _) => "judge error",
        (Some(Standing::NotJudged { .. }), _) if !submission.unanswered.is_empty() => "no answer to compare with",
        (Some(Standing::NotJudged { .. }), _) => "not judged",
        (Some(Standing::Interrupted) | None, _) => "not finished",
        _ if verb == Verb::Judge && submission.is_incomplete(max_score.is_some()) => "not all tests were judged",
        (_, Some(verdict)) => name_of(verdict),
        (_, None) => "no verdict",
    };
    let is_of_test =
        what == "judge error" || submission.verdict().is_some_and(|verdict| verdict != Verdict::CompileError);
    let on = decisive(submission)
        .filter(|_| is_of_test)
        .map(|failure| format!(" on {}", test_in_words(failure)))
        .unwrap_or_default();
    let points =
        max_score.zip(submission.score()).map(|(max, score)| format!("{} of {} points: ", number(score), number(max)));
    let fails_as_labelled =
        verb == Verb::Run && submission.verdict().is_some_and(|verdict| verdict != Verdict::Accepted);
    let expected = match submission.standing() {
        Some(Standing::Met) if fails_as_labelled => ", as expected".to_owned(),
        // Of a program without a label, the reader expects nothing else.
        Some(Standing::Missed { why }) if !why.to_string().starts_with("expected AC, ") => format!(": {why}"),
        _ => String::new(),
    };
    clean(&capitalised(&format!("{}{what}{on}{expected}", points.unwrap_or_default())))
}

/// The failure that the headline names. The reader has seen the samples.
pub(super) fn decisive(submission: &SubmissionReport) -> Option<&TestFinished> {
    let mut decisive = submission.failures.iter().filter(|failure| verdict_of(failure) == submission.verdict());
    let sample = decisive.clone().find(|failure| sample_of(failure.test.test.as_str()).is_some());
    sample.or_else(|| decisive.next()).or(submission.failure())
}

fn verdict_of(failure: &TestFinished) -> Option<Verdict> {
    match &failure.result {
        TestResult::Judged(judgement) => Some(judgement.verdict),
        _ => None,
    }
}

/// `sample 2`, `test secret/07`.
fn test_in_words(failure: &TestFinished) -> String {
    let name = failure.test.test.as_str();
    sample_of(name).map_or_else(|| format!("test {name}"), |rest| format!("sample {rest}"))
}

/// The name of a sample without the word: `2` of `sample/2` and of `sample-2`.
fn sample_of(test: &str) -> Option<&str> {
    let rest = test.strip_prefix("sample")?;
    let is_number = |rest: &&str| rest.starts_with(|first: char| first.is_ascii_digit());
    rest.strip_prefix('/').or_else(|| Some(rest.trim_start_matches(['-', '_'])).filter(is_number))
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
