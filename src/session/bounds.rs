//! Finds the submissions that bound a time limit, and measures their times.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;

use super::{Role, RunEnd, Session};
use crate::config::Settings;
use crate::event::{BuildResult, Standing, Verb};
use crate::plan::{Plan, PlannedProblem};
use crate::problem::{Distances, Expectation, Problem, Submission, SubmissionId, Test};
use crate::record::{Report, SubmissionReport};
use crate::score::time_limit::{Bounding, LabelledSubmission, Margins, Side, TestTime};
use crate::workspace::Workspace;
use crate::workspace::ending::EarlyEnd;

/// The time limit of a test while the problem has none.
pub(crate) const UP_TO: Duration = Duration::from_secs(60);

/// The slowest test of a submission that bounds the limit from one side.
pub(crate) struct Bound {
    pub(crate) submission: String,
    pub(crate) test: String,
    pub(crate) time: Duration,
    /// Whether the program was killed. The time is then a lower bound.
    pub(crate) killed: bool,
    /// The time limit factor of its language on this machine.
    pub(crate) factor: f64,
}

impl Bound {
    /// The time without the factor, comparable with a limit before any factor.
    pub(crate) fn unstretched(&self) -> Duration {
        self.time.div_f64(self.factor)
    }

    /// Compares this time with a limit before any factor, on the given side of the limit.
    fn labelled(&self, side: Side, limit: Duration) -> LabelledSubmission {
        let Self { submission, test, time, killed, factor } = self;
        let timed = TestTime { test: test.clone(), time: *time, limit: limit.mul_f64(*factor), killed: *killed };
        LabelledSubmission { submission: submission.clone(), side, slowest: Some(timed), stopped: None, complete: true }
    }
}

/// The submissions that bound the limit from below.
pub(crate) fn bounding_below(problem: &Problem) -> Vec<Submission> {
    let accepted_only = problem.only_accepted_bound_its_time();
    bounding(problem, |expectation| Bounding::below(expectation, accepted_only))
}

/// The submissions that bound the limit from above.
pub(crate) fn bounding_above(problem: &Problem) -> Vec<Submission> {
    bounding(problem, Bounding::above)
}

fn bounding(problem: &Problem, side: impl Fn(&Expectation) -> Option<Bounding>) -> Vec<Submission> {
    problem.submissions.iter().filter(|submission| side(&submission.expectation).is_some()).cloned().collect()
}

/// Runs both kinds of submissions on the planned tests, with the time limit of the workspace, at which every test ends.
pub(crate) fn measure(
    mut workspace: Workspace,
    language: Option<String>,
    planned: &PlannedProblem,
    lower: Vec<Submission>,
    upper: Vec<Submission>,
) -> Result<Report> {
    let mut plan = Plan { all_tests: true, ..Plan::default() };
    let test_of = |(at, test): (usize, Test<'_>)| planned.names.contains(&test.id()).then_some(at);
    let selected: HashSet<usize> = planned.problem.tests().enumerate().filter_map(test_of).collect();
    plan.add(
        Arc::clone(&planned.problem),
        |position| selected.contains(&position),
        lower.into_iter().chain(upper).map(|submission| (submission, false)),
    );
    let up_to = workspace.settings.time_limit;
    workspace.settings.measure_up_to(up_to);
    let session = Session::new(workspace, Role::Inner(Verb::Run), language, Vec::new(), plan);
    let RunEnd { report, signal } = session.conduct(Vec::new())?;
    match signal {
        Some(signal) => Err(EarlyEnd::Interrupted(signal).into()),
        None => Ok(report),
    }
}

/// The slowest test with which a submission bounds the limit from one side, as the margins of a run count it. None if the
/// submission was not judged, or no test has a time.
pub(crate) fn bound(settings: &Settings, report: &SubmissionReport, side: Side) -> Option<Bound> {
    let factor = match &report.built {
        Some(BuildResult::Ready { language, .. }) => settings.time_factor_of(language),
        _ => 1.0,
    };
    let LabelledSubmission { submission, slowest, .. } = report.labelled(side)?;
    let TestTime { test, time, killed, .. } = slowest?;
    Some(Bound { submission, test, time, killed, factor })
}

/// The time limit that settings or the problem state, before any factor. None if the limit in force is derived from the
/// submissions.
pub(crate) fn stated_limit(settings: &Settings, problem: &Problem) -> Option<Duration> {
    let Some(group) = problem.groups.first() else { return Some(settings.time_limit) };
    let limit = || settings.limits_for(problem, group, "").time.div_f64(settings.time_factor);
    settings.knows_time_limit(problem, group).then(limit)
}

/// Whether a limit before any factor is far enough from both sides.
pub(crate) fn is_safe(limit: Duration, slowest: &Bound, fastest: Option<&Bound>, distances: Distances) -> bool {
    let slowest = slowest.labelled(Side::Within, limit);
    let labelled = fastest.map(|bound| bound.labelled(Side::Over, limit)).into_iter().chain([slowest]);
    Margins::of(labelled, distances).is_some_and(|margins| margins.are_safe())
}

/// The submissions of a report whose times do not count, each with the reason in one line: those with a judge error, and
/// those among the first `lower`, which bound the limit from below, with an unexpected result.
pub(crate) fn uncounted(report: &Report, lower: usize) -> Vec<(&SubmissionId, String)> {
    let wrong = report.submissions.iter().enumerate().filter_map(|(at, submission)| {
        let why = match submission.standing() {
            Some(Standing::Missed { why }) if at < lower => why.to_string(),
            Some(Standing::JudgeError { message }) => message.clone(),
            _ => return None,
        };
        Some((&submission.id.submission, why.lines().next().unwrap_or_default().to_owned()))
    });
    wrong.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_is_safe_if_it_keeps_both_distances() {
        let bound = |time: u64, killed: bool, factor: f64| Bound {
            submission: "a".to_owned(),
            test: "secret/1".to_owned(),
            time: Duration::from_millis(time),
            killed,
            factor,
        };
        let distances = Distances { ac_to_time_limit: 2.0, time_limit_to_tle: 1.5, ..Distances::default() };
        let limit = Duration::from_secs(1);
        let safe = |slowest: &Bound, fastest: Option<&Bound>| is_safe(limit, slowest, fastest, distances);
        assert!(safe(&bound(400, false, 1.0), None));
        assert!(!safe(&bound(600, false, 1.0), None));
        // On a machine or in a language that is allowed twice the time, 600 ms count as 300 ms.
        assert!(safe(&bound(600, false, 2.0), None));
        assert!(safe(&bound(400, false, 1.0), Some(&bound(1600, true, 1.0))));
        assert!(!safe(&bound(400, false, 1.0), Some(&bound(1400, false, 1.0))));
    }
}
