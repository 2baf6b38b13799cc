//! Collects the test results of one submission in a problem with groups or points, by the rules of either package
//! format. Pure.

use thiserror::Error;

use super::grading::{self, GroupFault, Question};
use super::mark::Mark;
use super::points::{self, Excess, Points};
use crate::event::{GraderFault, TestIndex};
use crate::problem::grading::Grade;
use crate::problem::{Scoring, TestId};

/// Results that the rules of the package forbid. This is a judge error.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum BoardError {
    /// Too many points by the rules of 2025-09.
    #[error(transparent)]
    Points(#[from] Excess),
    /// A fault in grading by the legacy format.
    #[error(transparent)]
    Graded(#[from] GroupFault),
}

/// The results of one submission.
#[derive(Debug, Clone)]
pub(crate) enum Board {
    /// By the rules of 2025-09.
    Points(points::Board),
    /// By the graders of the legacy format.
    Graded(grading::Board),
}

impl Board {
    /// Creates an empty board. `early`: skip tests that can no longer earn points.
    pub(crate) fn new(scoring: &Scoring, tests: &[TestId], early: bool) -> Self {
        match scoring {
            Scoring::Points(tree) => Self::Points(points::Board::new(tree, tests, early)),
            Scoring::Graded(grading) => Self::Graded(grading::Board::new(grading, tests)),
        }
    }

    /// Adds the result of a test, once and in any order. Returns whether other tests may have become unnecessary.
    pub(crate) fn add(&mut self, test: TestIndex, mark: Mark) -> bool {
        match self {
            Self::Points(board) => match mark {
                Mark::Judged(verdict, score) => board.add(test, verdict, score),
                Mark::Nothing => {
                    board.not_judged(test);
                    false
                }
                Mark::Fault | Mark::Overdue => false,
            },
            Self::Graded(board) => board.add(test, mark),
        }
    }

    /// Forgets every test. Answers of graders from the package stay.
    pub(crate) fn clear(&mut self) {
        match self {
            Self::Points(board) => board.clear(),
            Self::Graded(board) => board.clear(),
        }
    }

    /// Returns the failing test that makes this one unnecessary.
    pub(crate) fn needless(&self, test: TestIndex) -> Option<TestIndex> {
        match self {
            Self::Points(board) => board.needless(test),
            Self::Graded(board) => board.needless(test),
        }
    }

    /// Whether this test is not needed only because every test need not run.
    pub(crate) fn is_left_out(&self, test: TestIndex) -> bool {
        if let Self::Points(board) = self { board.is_left_out(test) } else { false }
    }

    /// Whether a grader from the package must answer before it is known if a test is needed.
    pub(crate) fn is_waiting(&self, test: TestIndex) -> bool {
        if let Self::Graded(board) = self { board.is_waiting(test) } else { false }
    }

    /// The questions that graders from the package must answer now.
    pub(crate) fn questions(&self) -> Vec<Question> {
        if let Self::Graded(board) = self { board.questions().collect() } else { Vec::new() }
    }

    /// Adds the answer of such a grader. Returns whether tests may have become unnecessary.
    pub(crate) fn graded(&mut self, group: usize, said: Result<Grade, GraderFault>) -> bool {
        if let Self::Graded(board) = self { board.graded(group, said) } else { false }
    }

    /// The results, once every needed test has been added.
    ///
    /// # Errors
    /// A group has too many points, or a grader failed.
    pub(crate) fn points(&self) -> Result<Points, BoardError> {
        Ok(match self {
            Self::Points(board) => board.points()?,
            Self::Graded(board) => board.points()?,
        })
    }

    /// The results of a submission that could not run at all.
    pub(crate) fn nothing(&mut self) -> Points {
        match self {
            Self::Points(board) => board.nothing(),
            Self::Graded(board) => board.nothing(),
        }
    }
}
