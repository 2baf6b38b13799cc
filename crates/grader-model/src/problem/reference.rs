//! The program whose output is the answer of new cases.

use serde::{Deserialize, Serialize};

use super::{Problem, Submission};

/// The reference of a problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reference {
    /// The index in `submissions` of the one that the author of the problem chose, or that its layout determines.
    Chosen(usize),
    /// The index in `submissions` of the only program of a plain folder, which may be wrong.
    Guess(usize),
    /// The index in `helpers` of a brute force.
    BruteForce(usize),
}

impl Problem {
    /// Its reference, if it has one.
    pub fn reference(&self) -> Option<&Submission> {
        match self.reference? {
            Reference::Chosen(at) | Reference::Guess(at) => self.submissions.get(at),
            Reference::BruteForce(at) => self.helpers.get(at).map(|helper| &helper.program),
        }
    }

    /// Whether the submission at an index of `submissions` is its reference.
    pub fn is_reference(&self, at: usize) -> bool {
        matches!(self.reference, Some(Reference::Chosen(own) | Reference::Guess(own)) if own == at)
    }

    /// Whether its reference is a guess, because none is stated.
    pub fn is_reference_guessed(&self) -> bool {
        matches!(self.reference, Some(Reference::Guess(_)))
    }
}
