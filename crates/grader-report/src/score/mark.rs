//! The mark of a test: the part of its result that the verdict and points of the submission depend on.

use crate::event::TestResult;
use crate::verdict::Verdict;

/// The result of a test, reduced to what its submission's result depends on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Mark {
    /// A verdict, and the points of the test alone.
    Judged(Verdict, Option<f64>),
    /// A judge error.
    Fault,
    /// A validator exceeded its time limit: no test after this one is run.
    Overdue,
    /// No result: the test had no answer or output, or it was cancelled.
    Nothing,
}

impl Mark {
    /// Reduces the result of a test to its mark.
    pub fn of(result: &TestResult) -> Self {
        match result {
            TestResult::Judged(judgement) => Self::Judged(judgement.verdict, judgement.score),
            TestResult::JudgeError { overdue: true, .. } => Self::Overdue,
            TestResult::JudgeError { .. } => Self::Fault,
            TestResult::NotJudged { .. } | TestResult::Cancelled => Self::Nothing,
        }
    }

    /// The verdict, if there is one.
    pub fn verdict(self) -> Option<Verdict> {
        if let Self::Judged(verdict, _) = self { Some(verdict) } else { None }
    }
}
