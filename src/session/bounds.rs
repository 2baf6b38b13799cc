//! Finds the submissions that bound a time limit, and measures their times.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;

use super::{Conducted, Role, Session};
use crate::config::Settings;
use crate::event::{BuildResult, Standing, Verb};
use crate::plan::{Plan, PlannedProblem};
use crate::problem::{Distances, Expectation, Problem, Submission, SubmissionId, Test};
use crate::record::{Report, SubmissionReport, TestSummary};
use crate::score::time_limit::{Bounding, Labelled, Margins, Side, Timed};
use crate::workspace::Workspace;
use crate::workspace::ending::Ended;

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
    fn labelled(&self, side: Side, limit: Duration) -> Labelled {
        let Self { submission, test, time, killed, factor } = self;
        let timed = Timed { test: test.clone(), time: *time, limit: limit.mul_f64(*factor), killed: *killed };
        Labelled { submission: submission.clone(), side, slowest: Some(timed), complete: true }
    }
}

/// The submissions that bound the limit from below, each with the cases that do.
pub(crate) fn bounding_below(problem: &Problem) -> Vec<(Submission, Bounding)> {
    let accepted_only = problem.only_accepted_bound_its_time();
    bounding(problem, |expectation| Bounding::below(expectation, accepted_only))
}

/// The submissions that bound the limit from one side, each with the cases that do.
pub(crate) fn bounding(
    problem: &Problem,
    side: impl Fn(&Expectation) -> Option<Bounding>,
) -> Vec<(Submission, Bounding)> {
    let bounds = |submission: &Submission| Some((submission.clone(), side(&submission.expectation)?));
    problem.submissions.iter().filter_map(bounds).collect()
}

/// Runs both kinds of submissions on the planned tests, with the time limit of the workspace. Returns the report and the names
/// of the tests.
pub(crate) fn measure(
    workspace: Workspace,
    language: Option<String>,
    planned: &PlannedProblem,
    lower: &[Submission],
    upper: &[Submission],
) -> Result<(Report, Vec<String>)> {
    let mut plan = Plan { all_tests: true, ..Plan::default() };
    // Slow submissions may be wrong as well. Only their times matter.
    let expectation = || Expectation::open("measured");
    let open = |submission: &Submission| (Submission { expectation: expectation(), ..submission.clone() }, false);
    let lower = lower.iter().map(|submission| (submission.clone(), false));
    let test_of = |(at, test): (usize, Test<'_>)| planned.names.contains(&test.id()).then_some(at);
    let selected: HashSet<usize> = planned.problem.tests().enumerate().filter_map(test_of).collect();
    plan.add(
        Arc::clone(&planned.problem),
        |position| selected.contains(&position),
        lower.chain(upper.iter().map(open)),
    );
    let names = plan.problems[0].names.iter().map(ToString::to_string).collect();
    let session = Session::new(workspace, Role::Inner(Verb::Run), language, Vec::new(), plan);
    let Conducted { report, signal } = session.conduct(Vec::new())?;
    match signal {
        Some(signal) => Err(Ended::Interrupted(signal).into()),
        None => Ok((report, names)),
    }
}

/// The slowest test among those with which a submission bounds the limit. None if the submission could not run here.
pub(crate) fn bound(settings: &Settings, run: &SubmissionReport, names: &[String], of: &Bounding) -> Option<Bound> {
    let factor = match &run.built {
        Some(BuildResult::Ready { language, .. }) => settings.time_factor_of(language),
        _ => 1.0,
    };
    let covers = |test: &&TestSummary| names.get(test.ordinal as usize).is_some_and(|name| of.covers(name));
    let test = run.tests.iter().filter(covers).max_by_key(|test| test.cpu_us)?;
    let name = names.get(test.ordinal as usize).cloned().unwrap_or_default();
    let submission = run.run.submission.to_string();
    Some(Bound { submission, test: name, time: test.cpu(), killed: test.killed, factor })
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

/// The first submissions of a report with an unexpected result, each with the reason in one line. Their times do not
/// count. `lower` is the number of submissions that bound the limit from below.
pub(crate) fn uncounted(report: &Report, lower: usize) -> Vec<(&SubmissionId, String)> {
    let wrong = report.runs[..lower].iter().filter_map(|run| {
        let why = match &run.standing {
            Some(Standing::Missed { why }) => why.to_string(),
            Some(Standing::JudgeError { message }) => message.clone(),
            _ => return None,
        };
        Some((&run.run.submission, why.lines().next().unwrap_or_default().to_owned()))
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
