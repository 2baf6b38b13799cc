//! Answers of a validator, and the reasons why there may be none. Neither is a verdict.

use super::validator::ValidatorError;
use crate::error_chain;
use crate::sandbox::{AttemptError, SandboxError};

/// The answer of a validator about a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Response {
    /// The file is valid.
    Accepts,
    /// The file is invalid; the text is the validator's explanation.
    Rejects(String),
}

impl Response {
    /// Returns the same response with another explanation.
    #[must_use]
    pub fn map_words(self, words: impl FnOnce(String) -> String) -> Self {
        match self {
            Self::Accepts => Self::Accepts,
            Self::Rejects(said) => Self::Rejects(words(said)),
        }
    }

    /// The explanation of a rejection; none if the file is accepted.
    pub fn rejection(self) -> Option<String> {
        match self {
            Self::Accepts => None,
            Self::Rejects(words) => Some(words),
        }
    }
}

impl From<Option<String>> for Response {
    /// Turns an explanation into a rejection; none accepts.
    fn from(rejection: Option<String>) -> Self {
        rejection.map_or(Self::Accepts, Self::Rejects)
    }
}

/// The reason for a missing judgement.
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
    /// The kind of failure.
    pub kind: JudgeErrorKind,
    /// The whole message in one text.
    pub message: String,
}

/// The kind of thing that failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JudgeErrorKind {
    /// A validator broke the protocol, or exceeded a limit other than the time limit.
    Protocol,
    /// The answer does not have the form that the built-in checker reads.
    UnfitAnswer,
    /// A sanitizer ended a validator.
    Sanitized,
    /// A validator exceeded its time limit.
    Overdue,
    /// A validator did not run, because it had exceeded its time limit before.
    GivenUp,
    /// A signal from outside ended a validator.
    Killed,
    /// A process of the sandbox ended that no program may end, where there are walls.
    KeeperLost,
    /// The sandbox, a file, or the set-up of the problem.
    Other,
}

impl JudgeError {
    /// Creates an error that is not a validator's fault.
    pub fn other(message: impl Into<String>) -> Self {
        Self { kind: JudgeErrorKind::Other, message: message.into() }
    }

    /// Creates the error of a validator that broke the protocol.
    pub fn protocol(message: impl Into<String>) -> Self {
        Self { kind: JudgeErrorKind::Protocol, message: message.into() }
    }

    /// Adds the pass to the message. If the validator did not run, it failed in an earlier run and not in this pass.
    #[must_use]
    pub fn in_pass(self, number: u32) -> Self {
        match self.kind {
            JudgeErrorKind::GivenUp => self,
            kind => Self { kind, message: format!("pass {number}: {}", self.message) },
        }
    }
}

impl Fault {
    /// Creates a fault that is not a validator's.
    pub fn other(message: impl Into<String>) -> Self {
        JudgeError::other(message).into()
    }

    /// The kind of failure; none if the run was cancelled.
    pub fn kind(&self) -> Option<JudgeErrorKind> {
        match self {
            Self::Cancelled => None,
            Self::Judge(error) => Some(error.kind),
        }
    }

    /// See [`JudgeError::in_pass`].
    #[must_use]
    pub fn in_pass(self, number: u32) -> Self {
        match self {
            Self::Cancelled => Self::Cancelled,
            Self::Judge(error) => Self::Judge(error.in_pass(number)),
        }
    }
}

impl AttemptError for JudgeError {
    fn is_from_outside(&self) -> bool {
        matches!(self.kind, JudgeErrorKind::Killed | JudgeErrorKind::KeeperLost)
    }
}

impl AttemptError for Fault {
    fn is_from_outside(&self) -> bool {
        matches!(self, Self::Judge(error) if error.is_from_outside())
    }
}

impl From<SandboxError> for JudgeError {
    fn from(error: SandboxError) -> Self {
        Self { kind: JudgeErrorKind::of(&error), message: error_chain(&error) }
    }
}

impl JudgeErrorKind {
    fn of(error: &SandboxError) -> Self {
        if error.is_from_outside() { Self::KeeperLost } else { Self::Other }
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
            ValidatorError::Sanitized { .. } => JudgeErrorKind::Sanitized,
            ValidatorError::Overdue { .. } => JudgeErrorKind::Overdue,
            ValidatorError::GivenUp { .. } => JudgeErrorKind::GivenUp,
            ValidatorError::Killed { .. } => JudgeErrorKind::Killed,
            ValidatorError::Sandbox(ref error) => JudgeErrorKind::of(error),
            ValidatorError::Io { .. } => JudgeErrorKind::Other,
        };
        JudgeError { kind, message: error_chain(&error) }.into()
    }
}
