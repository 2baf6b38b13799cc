//! The grade of a student in a problem. Every report that shows grades takes them from here, so all show the same.

use crate::event::{GradePolicy, ProblemHead, Standing};
use crate::record::{Report, SubmissionReport};
use crate::verdict::Verdict;

/// Returns the grade of a submission: its points times the weight of the problem, less what lateness costs. A problem
/// without points is worth one point: for AC, or for each accepted test a share if the policy is `partial`.
///
/// # Errors
/// The submission could not be judged; says why in one or two words.
pub(crate) fn grade(head: &ProblemHead, submission: &SubmissionReport) -> Result<f64, &'static str> {
    match submission.standing() {
        Some(Standing::Met | Standing::Missed { .. }) => {}
        Some(Standing::NotJudged { .. }) => return Err("not judged"),
        Some(Standing::JudgeError { .. }) => return Err("judge error"),
        Some(Standing::Interrupted) | None => return Err("interrupted"),
    }
    if submission.is_incomplete(head.max_score.is_some()) {
        return Err("incomplete");
    }
    let verdict = submission.verdict().ok_or("not judged")?;
    let GradePolicy { partial, weight, late } = head.grading;
    let points = match submission.score() {
        Some(score) => score,
        None if verdict == Verdict::Accepted => 1.0,
        None if partial && verdict != Verdict::CompileError => share(submission.accepted(), head.tests),
        None => 0.0,
    };
    let left = late.zip(submission.head.late).map_or(1.0, |(penalty, late)| penalty.left(late));
    Ok(points * weight * left)
}

/// Returns the best grade in a problem; none if its points have no bound.
pub(crate) fn best(head: &ProblemHead, is_scored: bool) -> Option<f64> {
    let points = if is_scored { head.max_score } else { Some(1.0) };
    points.map(|points| points * head.grading.weight)
}

/// Says how problems without points are graded: `all or nothing`, or `by accepted tests`. None if all have points.
pub(crate) fn policy(report: &Report) -> Option<&'static str> {
    let heads = report.head.iter().flat_map(|head| &head.problems);
    let unscored = heads.into_iter().find(|head| !report.is_scored(head))?;
    Some(if unscored.grading.partial { "by accepted tests" } else { "all or nothing" })
}

fn share(accepted: usize, tests: usize) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "far fewer than 2^53 tests")]
    let share = accepted as f64 / tests.max(1) as f64;
    // Points of three decimals read better than of sixteen. Rounded down: only AC is the whole point.
    (share * 1000.0).floor() / 1000.0
}
