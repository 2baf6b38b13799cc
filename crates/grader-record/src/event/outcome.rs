//! The result of a submission: its verdict, its points, and whether it is as expected.

use std::fmt;

use grader_model::verdict::Verdict;
use serde::{Deserialize, Serialize};

/// The result of a submission. The ledger finds it once; the record, the report and every reporter read this one value.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SubmissionResult {
    /// The verdict: that of the first failing test in plan order; none if the submission could not be judged. Points do
    /// not change it: AC means that every test is accepted, even if an output validator gives some tests less than all
    /// points. In a package with graders (legacy format), the graders decide the verdict.
    pub verdict: Option<Verdict>,
    /// The result compared with the expectation.
    pub standing: Standing,
    /// Whether an expected result holds so far only. Tests were skipped that could still break the expectation, or the
    /// tests that were not selected could still meet it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub so_far: bool,
    /// Its points; none in a pass-fail problem, or if it could not be judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
    /// The points of each group in plan order; empty in a pass-fail problem.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<GroupScore>,
}

/// The points of one group of tests.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GroupScore {
    /// The group's path below the data root.
    pub group: String,
    /// The group's points.
    pub score: f64,
    /// The maximum; none if the group is unbounded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_score: Option<f64>,
}

/// The reason why a result is unexpected. A record stores it as text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub enum UnexpectedReason {
    /// An unexpected verdict.
    Verdict {
        /// The expected result in words.
        expected: String,
        /// The actual verdict.
        got: Verdict,
    },
    /// Its points, the message of its validator, or the text from a record.
    Other(String),
}

impl UnexpectedReason {
    /// The unexpected verdict; none if the result is unexpected for another reason.
    pub fn got(&self) -> Option<Verdict> {
        match self {
            Self::Verdict { got, .. } => Some(*got),
            Self::Other(_) => None,
        }
    }
}

impl fmt::Display for UnexpectedReason {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Verdict { expected, got } => write!(to, "expected {expected}, got {got}"),
            Self::Other(words) => to.write_str(words),
        }
    }
}

impl From<String> for UnexpectedReason {
    fn from(words: String) -> Self {
        Self::Other(words)
    }
}

impl From<UnexpectedReason> for String {
    fn from(missed: UnexpectedReason) -> Self {
        missed.to_string()
    }
}

/// The result of a submission compared with its expectation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "standing", rename_all = "snake_case")]
pub enum Standing {
    /// As expected.
    Met,
    /// Not as expected.
    Missed {
        /// The reason, such as `expected AC, got WA`.
        why: UnexpectedReason,
    },
    /// It could not be judged here (no compiler), or none of its tests was judged.
    NotJudged {
        /// The reason.
        reason: String,
    },
    /// The judge failed.
    JudgeError {
        /// The error message.
        message: String,
    },
    /// The run was interrupted before the result was known.
    Interrupted,
}
