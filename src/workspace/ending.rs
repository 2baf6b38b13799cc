//! Why work ends early.

use crate::compile::{Unbuilt, UnbuiltCause};
use crate::judge::Fault;

/// Work has ended early. The listener has been told what is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Ended {
    /// By a signal.
    #[error("interrupted by signal {0}")]
    Interrupted(i32),
    /// What was asked for cannot be done.
    #[error("not possible as asked")]
    Refused,
    /// Something is not as it should be.
    #[error("not as expected")]
    Unexpected,
    /// Something of ours failed, such as a validator.
    #[error("a judge error")]
    JudgeError,
}

/// Something of ours failed, such as a validator that does not compile: no statement about a case or a submission.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct OurFault {
    /// What failed, and how.
    pub message: String,
    /// What to do; may be empty.
    pub remedy: &'static str,
}

/// An error that is a fault of ours.
pub(crate) fn fault(message: impl Into<String>) -> anyhow::Error {
    OurFault { message: message.into(), remedy: "" }.into()
}

/// The same with what to do about it.
pub(crate) fn fault_with(message: String, remedy: &'static str) -> anyhow::Error {
    OurFault { message, remedy }.into()
}

/// Why there is no judgement: a judge error, or the work was cancelled.
pub(crate) fn not_judged(why: impl Into<Fault>) -> anyhow::Error {
    match why.into() {
        Fault::Cancelled => Ended::JudgeError.into(),
        Fault::Judge(error) => fault(error.message),
    }
}

/// That a submission cannot be run ends the work: it cannot be done as asked, or there is a judge error if that is the
/// grader's fault.
pub(crate) fn no_submission(why: Unbuilt) -> anyhow::Error {
    match why.cause {
        UnbuiltCause::Cancelled => Ended::JudgeError.into(),
        UnbuiltCause::Grader => fault(why.to_string()),
        UnbuiltCause::Program | UnbuiltCause::Missing => why.into(),
    }
}

/// The same for a validator, which is a judge error too if it does not compile.
pub(crate) fn no_validator(why: Unbuilt) -> anyhow::Error {
    match why.cause {
        UnbuiltCause::Program => fault_with(why.to_string(), "fix the validator"),
        _ => no_submission(why),
    }
}
