//! What a validator answers, and why there may be no answer: never a verdict.

use super::validator::ValidatorError;
use crate::error_chain;
use crate::sandbox::SandboxError;

/// What a validator says of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Response {
    /// The file is valid.
    Accepts,
    /// The file is invalid, in the validator's words.
    Rejects(String),
}

impl Response {
    /// The same response with other words.
    #[must_use]
    pub fn map_words(self, words: impl FnOnce(String) -> String) -> Self {
        match self {
            Self::Accepts => Self::Accepts,
            Self::Rejects(said) => Self::Rejects(words(said)),
        }
    }

    /// The words of a rejection.
    pub fn rejection(self) -> Option<String> {
        match self {
            Self::Accepts => None,
            Self::Rejects(words) => Some(words),
        }
    }
}

impl From<Option<String>> for Response {
    /// The words of a rejection; none accepts.
    fn from(rejection: Option<String>) -> Self {
        rejection.map_or(Self::Accepts, Self::Rejects)
    }
}

/// Why there is no judgement.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// The run was cancelled.
    #[error("cancelled")]
    Cancelled,
    /// A validator or the grader itself failed.
    #[error(transparent)]
    Judge(#[from] JudgeError),
}

/// A failure of a validator or of the grader itself.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct JudgeError {
    /// What failed.
    pub kind: JudgeErrorKind,
    /// The whole story in one text.
    pub message: String,
}

/// What failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JudgeErrorKind {
    /// A validator broke the protocol, or a limit of its own other than that of time.
    Protocol,
    /// A validator exceeded its time limit.
    Overdue,
    /// A validator was not run, because it had exceeded its time limit before.
    GivenUp,
    /// A signal from outside ended a validator.
    Killed,
    /// The sandbox, a file, or the set-up of the problem.
    Other,
}

impl JudgeError {
    /// A failure of no validator.
    pub fn other(message: impl Into<String>) -> Self {
        Self { kind: JudgeErrorKind::Other, message: message.into() }
    }

    /// A validator broke the protocol.
    pub fn protocol(message: impl Into<String>) -> Self {
        Self { kind: JudgeErrorKind::Protocol, message: message.into() }
    }

    /// Says in which pass it happened. A validator that was not run failed in an earlier run, not in this pass.
    #[must_use]
    pub fn in_pass(self, number: u32) -> Self {
        match self.kind {
            JudgeErrorKind::GivenUp => self,
            kind => Self { kind, message: format!("pass {number}: {}", self.message) },
        }
    }
}

impl Fault {
    /// A failure of no validator.
    pub fn other(message: impl Into<String>) -> Self {
        JudgeError::other(message).into()
    }

    /// What failed; none if the run was cancelled.
    pub fn kind(&self) -> Option<JudgeErrorKind> {
        match self {
            Self::Cancelled => None,
            Self::Judge(error) => Some(error.kind),
        }
    }

    /// As [`JudgeError::in_pass`].
    #[must_use]
    pub fn in_pass(self, number: u32) -> Self {
        match self {
            Self::Cancelled => Self::Cancelled,
            Self::Judge(error) => Self::Judge(error.in_pass(number)),
        }
    }
}

impl From<SandboxError> for JudgeError {
    fn from(error: SandboxError) -> Self {
        Self::other(error_chain(&error))
    }
}

impl From<SandboxError> for Fault {
    fn from(error: SandboxError) -> Self {
        JudgeError::from(error).into()
    }
}

impl From<ValidatorError> for Fault {
    fn from(error: ValidatorError) -> Self {
        let kind = match error {
            ValidatorError::Cancelled => return Self::Cancelled,
            ValidatorError::Broken { .. } => JudgeErrorKind::Protocol,
            ValidatorError::Overdue { .. } => JudgeErrorKind::Overdue,
            ValidatorError::GivenUp { .. } => JudgeErrorKind::GivenUp,
            ValidatorError::Killed { .. } => JudgeErrorKind::Killed,
            ValidatorError::Sandbox(_) | ValidatorError::Io { .. } => JudgeErrorKind::Other,
        };
        JudgeError { kind, message: error_chain(&error) }.into()
    }
}
