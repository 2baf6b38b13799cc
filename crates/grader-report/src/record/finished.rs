//! A finished submission as reporters get it: whole, with its tests in plan order.

use super::{Report, SubmissionReport};
use crate::event::{ProblemHead, RunStarted, TestFinished, TestSkipped};
use crate::problem::TestId;

/// A finished submission with all of its tests.
#[derive(Debug, Clone, Copy)]
pub struct FinishedSubmission<'a> {
    /// The head of the run.
    pub head: &'a RunStarted,
    /// The submission's problem.
    pub problem: &'a ProblemHead,
    /// The submission's results.
    pub submission: &'a SubmissionReport,
    /// Its finished and skipped tests, in plan order.
    pub tests: &'a [TestRow],
}

/// The result of one planned test.
#[derive(Debug, Clone)]
pub enum TestRow {
    /// The test was run, or its result was cached.
    Finished(TestFinished),
    /// The test was not needed.
    Skipped(TestSkipped),
}

impl TestRow {
    /// The test.
    pub(crate) fn id(&self) -> &TestId {
        match self {
            Self::Finished(finished) => &finished.test.test,
            Self::Skipped(skipped) => &skipped.test.test,
        }
    }

    /// The name of the test.
    pub(crate) fn name(&self) -> &str {
        self.id().as_str()
    }
}

impl<'a> FinishedSubmission<'a> {
    /// The submission at position `index` with its tests; none before the run has started.
    pub fn new(report: &'a Report, index: usize, tests: &'a [TestRow]) -> Option<Self> {
        let head = report.head.as_ref()?;
        let submission = &report.submissions[index];
        Some(Self { head, problem: &submission.problem, submission, tests })
    }

    /// Its finished tests, in plan order.
    pub fn finished_tests(self) -> impl Iterator<Item = &'a TestFinished> {
        self.tests.iter().filter_map(|row| match row {
            TestRow::Finished(finished) => Some(finished),
            TestRow::Skipped(_) => None,
        })
    }
}
