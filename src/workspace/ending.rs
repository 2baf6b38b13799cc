//! The reasons why work ends early.

use crate::compile::{BuildFailure, UnbuiltCause};
use crate::judge::Fault;

/// The reason why work has ended early. The listener knows the details.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum EarlyEnd {
    /// A signal came.
    #[error("interrupted by signal {0}")]
    Interrupted(i32),
    /// The requested work cannot be done.
    #[error("not possible as asked")]
    Refused,
    /// A result is not as expected.
    #[error("not as expected")]
    Unexpected,
    /// A part of the judge failed, such as a validator.
    #[error("a judge error")]
    JudgeError,
}

/// A failure of the judge itself, such as a validator that does not compile. It says nothing about a case or a
/// submission.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct OurFault {
    /// The failure and its cause.
    pub message: String,
    /// The remedy; may be empty.
    pub remedy: &'static str,
}

/// Creates an `OurFault` without a remedy.
pub(crate) fn fault(message: impl Into<String>) -> anyhow::Error {
    OurFault { message: message.into(), remedy: "" }.into()
}

/// Creates an `OurFault` with a remedy.
pub(crate) fn fault_with(message: String, remedy: &'static str) -> anyhow::Error {
    OurFault { message, remedy }.into()
}

/// The reason for a missing judgement: a judge error, or the work was cancelled.
pub(crate) fn not_judged(why: impl Into<Fault>) -> anyhow::Error {
    match why.into() {
        Fault::Cancelled => EarlyEnd::JudgeError.into(),
        Fault::Judge(error) => fault(error.message),
    }
}

/// The error for a submission that cannot run. It is a judge error if the grader failed; otherwise the work is not
/// possible as asked.
pub(crate) fn no_submission(why: BuildFailure) -> anyhow::Error {
    match why.cause {
        UnbuiltCause::Cancelled => EarlyEnd::JudgeError.into(),
        UnbuiltCause::Grader => fault(why.to_string()),
        UnbuiltCause::Program | UnbuiltCause::Missing => why.into(),
    }
}

/// The error for a validator that cannot run. If it does not compile, that is a judge error too.
pub(crate) fn no_validator(why: BuildFailure) -> anyhow::Error {
    match why.cause {
        UnbuiltCause::Program => fault_with(why.to_string(), "fix the validator"),
        _ => no_submission(why),
    }
}
