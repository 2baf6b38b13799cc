//! The grade of a student in a problem. Every report that shows grades takes them from here, so all show the same.

use crate::event::{GradePolicy, ProblemHead, Standing};
use crate::record::{Report, SubmissionReport};
use crate::verdict::Verdict;

/// Why a submission has no grade that its platform calls late without a time.
const LATE_BY_UNKNOWN: &str = "late: time unknown";

/// Returns the grade of a submission: the points that it earned, less the penalty for lateness.
///
/// # Errors
/// The submission could not be judged, or lateness costs an unknown share; says why in one or two words.
pub fn grade(head: &ProblemHead, submission: &SubmissionReport) -> Result<f64, &'static str> {
    let earned = earned(head, submission)?;
    let left =
        head.grading.late.zip(submission.head.lateness()).map_or(Some(1.0), |(penalty, late)| penalty.left(late));
    Ok(earned * left.ok_or(LATE_BY_UNKNOWN)?)
}

/// Returns the points that a submission earned: its points times the weight of the problem. A problem without points is worth
/// one point: for AC, or for each accepted test a share if the policy is `partial`.
///
/// # Errors
/// The submission could not be judged; says why in one or two words.
pub fn earned(head: &ProblemHead, submission: &SubmissionReport) -> Result<f64, &'static str> {
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
    let GradePolicy { partial, weight, .. } = head.grading;
    let points = match submission.score() {
        Some(score) => score,
        None if verdict == Verdict::Accepted => 1.0,
        None if partial && verdict != Verdict::CompileError => share(submission.accepted(), head.tests),
        None => 0.0,
    };
    Ok(points * weight)
}

/// Returns the best grade in a problem; none if its points have no bound.
pub fn best(head: &ProblemHead, is_scored: bool) -> Option<f64> {
    let points = if is_scored { head.max_score } else { Some(1.0) };
    points.map(|points| points * head.grading.weight)
}

/// Points as every report shows them, with at most two decimals. They are rounded to the nearest, halves away from zero, but never up to a whole
/// number, so that an incomplete score never looks complete.
pub fn rounded(points: f64) -> f64 {
    let hundredths = points * 100.0;
    // Halves are those of the decimal number: 2.675 is less than its half in binary.
    let nearest = (hundredths + 1e-7_f64.copysign(hundredths)).round();
    // Three thirds are not quite one.
    let is_incomplete = points > 0.0 && nearest % 100.0 == 0.0 && nearest - hundredths > 1e-4;
    // Adding zero turns `-0` into `0`.
    (if is_incomplete { nearest - 1.0 } else { nearest }) / 100.0 + 0.0
}

/// [`rounded`] points without needless decimals: `3`, `2.5`, `33.33`.
pub fn number(points: f64) -> String {
    rounded(points).to_string()
}

/// Says how problems without points are graded: `all or nothing`, or `by accepted tests`. None if all have points.
pub fn policy(report: &Report) -> Option<&'static str> {
    let heads = report.head.iter().flat_map(|head| &head.problems);
    let unscored = heads.into_iter().find(|head| !report.is_scored(head))?;
    Some(if unscored.grading.partial { "by accepted tests" } else { "all or nothing" })
}

/// The file for a platform has a column of this grade with another maximum: that of the platform, and ours.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scale {
    /// The most points.
    pub most: f64,
    /// None if the points have no bound, so that they are not scaled.
    pub best: Option<f64>,
}

impl Scale {
    /// The scale of points whose maximum is `most` at the platform and `best` here. None if both are equal.
    pub fn of(most: f64, best: Option<f64>) -> Option<Self> {
        let is_same = best.is_some_and(|best| (best - most).abs() < 1e-9);
        (!is_same).then_some(Self { most, best: best.filter(|best| *best > 0.0) })
    }

    pub(crate) fn apply(self, points: f64) -> f64 {
        self.best.map_or(points, |best| points * self.most / best)
    }
}

#[expect(clippy::cast_precision_loss, reason = "far fewer than 2^53 tests")]
fn share(accepted: usize, tests: usize) -> f64 {
    accepted as f64 / tests.max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_all_does_not_look_like_it() {
        for (points, shown) in [
            (0.0, "0"),
            (-0.0, "0"),
            (100.0, "100"),
            (33.333_333, "33.33"),
            (14.0 / 3.0, "4.67"),
            (99.999_9, "99.99"),
            (0.29, "0.29"),
            (2.5, "2.5"),
            (-2.5, "-2.5"),
            (0.1 + 0.2, "0.3"),
            (5.600_000_000_000_000_5, "5.6"),
            (2.999_999_999_999, "3"),
            (2.675, "2.68"),
            (1.005, "1.01"),
            (-2.675, "-2.68"),
        ] {
            assert_eq!(number(points), shown);
        }
    }
}
