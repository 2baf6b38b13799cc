//! Tests of validators: data that they must accept or reject.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{Arguments, Checker};

/// The required result of a test of validators.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Purpose {
    /// The input must be rejected.
    InvalidInput,
    /// The input must be accepted.
    ValidInput,
    /// The answer must be rejected, by an answer validator or the output validator.
    InvalidAnswer,
    /// The output must be rejected.
    InvalidOutput,
    /// The output must be accepted.
    ValidOutput,
    /// The checker must fail on the output, because the input or the answer is wrong.
    CheckerFailure,
}

/// The programs that a test is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TestTarget {
    /// All validators of the problem together. Inputs and answers that the purpose does not call invalid must be valid
    /// (package format 2025-09, "Validation test data").
    All,
    /// The input validator at this path alone.
    InputValidator(PathBuf),
    /// The checker alone. Nothing else is asked about the input and the answer.
    Checker,
}

/// One test of validators. No submission runs on it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ValidationCase {
    /// The required result.
    pub purpose: Purpose,
    /// The programs that it is about.
    pub tested: TestTarget,
    /// The input.
    pub input: PathBuf,
    /// The answer. It need not exist.
    pub answer: PathBuf,
    /// The output. It need not exist.
    pub output: PathBuf,
    /// The arguments of validators.
    pub arguments: Arguments,
    /// The files in the working directory of input validators, as in [`Setting`](super::Setting).
    pub files: Vec<(PathBuf, PathBuf)>,
    /// The checker that it states, for problems without an output validator.
    pub checker: Option<Checker>,
}

impl ValidationCase {
    /// The test with its files in other places.
    #[must_use]
    pub fn moved(self, to: &dyn Fn(&Path) -> PathBuf) -> Self {
        let tested = match self.tested {
            TestTarget::InputValidator(path) => TestTarget::InputValidator(to(&path)),
            other => other,
        };
        Self {
            tested,
            input: to(&self.input),
            answer: to(&self.answer),
            output: to(&self.output),
            files: self.files.into_iter().map(|(name, from)| (name, to(&from))).collect(),
            ..self
        }
    }
}
