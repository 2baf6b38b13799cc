//! The mark of a test: the part of its result that the verdict and points of the submission depend on.

use crate::event::TestResult;
use crate::verdict::Verdict;

/// What came of a test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Mark {
    /// A verdict, and the points of the test alone.
    Judged(Verdict, Option<f64>),
    /// Something of ours failed.
    Fault,
    /// A validator exceeded its time limit: no test after this one is run.
    Overdue,
    /// Neither: there was nothing to judge it by, or nobody wanted it any more.
    Nothing,
}

impl Mark {
    /// What a result comes to.
    pub(crate) fn of(result: &TestResult) -> Self {
        match result {
            TestResult::Judged(judgement) => Self::Judged(judgement.verdict, judgement.score),
            TestResult::JudgeError { overdue: true, .. } => Self::Overdue,
            TestResult::JudgeError { .. } => Self::Fault,
            TestResult::NotJudged { .. } | TestResult::Cancelled => Self::Nothing,
        }
    }

    /// The verdict, where there is one.
    pub(crate) fn verdict(self) -> Option<Verdict> {
        if let Self::Judged(verdict, _) = self { Some(verdict) } else { None }
    }
}
