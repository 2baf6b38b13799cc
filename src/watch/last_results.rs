//! Remembers the latest result of each submission, so that unexpected ones run first.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::affected::AffectedSubmissions;
use crate::event::{ProblemIndex, Standing, SubmissionIndex, TestIndex};
use crate::plan::Plan;
use crate::problem::{ProblemId, SubmissionId, TestId};
use crate::record::Report;
use crate::verdict::Verdict;

/// The result of a submission in its last run.
pub(crate) struct Last {
    pub(crate) told: String,
    met: bool,
    /// The tests that it failed, with their verdicts.
    failed: BTreeMap<TestId, Verdict>,
}

impl Last {
    /// The failed tests of an unexpected result, with their verdicts. Empty for an expected result.
    pub(crate) fn failed_unexpectedly(&self) -> BTreeMap<TestId, Verdict> {
        if self.met { BTreeMap::new() } else { self.failed.clone() }
    }
}

/// The latest results of all submissions.
#[derive(Default)]
pub(crate) struct LastResults(BTreeMap<(ProblemId, SubmissionId), Last>);

impl LastResults {
    /// The submissions with a result, and the result of each.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&(ProblemId, SubmissionId), &Last)> {
        self.0.iter()
    }

    /// The affected problems and submissions, with earlier unexpected ones first.
    pub(crate) fn part(&self, whole: &Plan, affected: &AffectedSubmissions) -> Plan {
        let is_fine = |submission: &SubmissionIndex| {
            let identity = &whole.submissions[*submission].id;
            self.0.get(&(identity.problem.clone(), identity.submission.clone())).is_none_or(|last| last.met)
        };
        let mut problems: Vec<(ProblemIndex, Vec<SubmissionIndex>)> = affected.submissions(whole);
        for (_, submissions) in &mut problems {
            submissions.sort_by_key(is_fine);
        }
        problems.sort_by_key(|(_, submissions)| submissions.iter().all(is_fine));
        let mut part = Plan { all_tests: whole.all_tests, fail_fast: whole.fail_fast, ..Plan::default() };
        for (problem, submissions) in problems {
            part.add_part(whole, problem, &submissions, |_| true);
        }
        for submission in &mut part.submissions {
            let Some(last) = self.0.get(&(submission.id.problem.clone(), submission.id.submission.clone())) else {
                continue;
            };
            let names = part.problems[submission.problem].names.iter().enumerate();
            let failed = names.filter(|(_, name)| last.failed.contains_key(name));
            submission.first = failed.map(|(at, _)| TestIndex(at)).collect();
        }
        part
    }

    /// Remembers results for the next run. `names` are the names of each submission's tests.
    pub(crate) fn remember(&mut self, report: &Report, names: &[Arc<[TestId]>]) {
        for (submission, names) in report.submissions.iter().zip(names) {
            let Some(told) = submission.told() else { continue };
            let failed = submission.tests.iter().filter_map(|test| {
                let verdict = test.verdict.filter(|verdict| *verdict != Verdict::Accepted)?;
                Some((names.get(test.ordinal as usize)?.clone(), verdict))
            });
            let told = told.to_owned();
            let met = submission.standing() == Some(&Standing::Met);
            let last = Last { told, met, failed: failed.collect() };
            self.0.insert((submission.id.problem.clone(), submission.id.submission.clone()), last);
        }
    }
}
