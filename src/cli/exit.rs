//! How the process ends.

use std::io::Write;
use std::process::ExitCode;

use crate::compile::{Unbuilt, UnbuiltCause};
use crate::event::{Severity, Verb};
use crate::judge;
use crate::record::Report;

/// The exit status; scripts can tell the submission's fault from ours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExitStatus {
    /// 0: everything as expected.
    Success,
    /// 1: some result is not as expected.
    Unexpected,
    /// 2: usage, configuration or problem error, or nothing was judged.
    Usage,
    /// 3: something of ours failed, such as a checker.
    JudgeError,
    /// 128 + n: signal n ended the run early.
    Interrupted(i32),
}

impl From<ExitStatus> for ExitCode {
    fn from(status: ExitStatus) -> Self {
        Self::from(match status {
            ExitStatus::Success => 0,
            ExitStatus::Unexpected => 1,
            ExitStatus::Usage => 2,
            ExitStatus::JudgeError => 3,
            ExitStatus::Interrupted(signal) => u8::try_from(128 + signal).unwrap_or(130),
        })
    }
}

/// The status of a finished run: interrupted > judge error > problem error or nothing judged > unexpected > success.
pub(super) fn status_of(report: &Report, signal: Option<i32>, strict: bool) -> ExitStatus {
    let counts = report.counts();
    if let Some(signal) = signal {
        ExitStatus::Interrupted(signal)
    } else if report.has_judge_errors() {
        ExitStatus::JudgeError
    } else if report.notices_from(Severity::Error) > 0 || counts.met + counts.missed == 0 {
        ExitStatus::Usage
    } else if counts.missed > 0 || (strict && (counts.not_judged > 0 || report.notices_from(Severity::Warning) > 0)) {
        ExitStatus::Unexpected
    } else {
        ExitStatus::Success
    }
}

/// The same for submissions of others: 2 if any could not be judged, 1 if any is not accepted on every test, unless
/// that is `zero`.
pub(super) fn status_of_judging(report: &Report, signal: Option<i32>, zero: bool) -> ExitStatus {
    let status = status_of(report, signal, false);
    let fine = report.runs.iter().all(|run| run.is_fine(Verb::Judge));
    let unknown = report.counts().not_judged > 0 || !report.left_out().is_empty();
    if unknown && matches!(status, ExitStatus::Success | ExitStatus::Unexpected) {
        ExitStatus::Usage
    } else if status == ExitStatus::Success && !fine && !zero {
        ExitStatus::Unexpected
    } else {
        status
    }
}

/// The process ends like this and says nothing more: everything that is wrong has been shown.
#[derive(Debug, thiserror::Error)]
#[error("already told")]
pub(super) struct Ended(pub(super) ExitStatus);

/// Something of ours failed, such as a validator that does not compile: no statement about a case or a submission.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub(super) struct Fault {
    /// What failed, and how.
    pub(super) message: String,
    /// What to do; may be empty.
    pub(super) remedy: &'static str,
}

/// An error that is a fault of ours.
pub(super) fn fault(message: impl Into<String>) -> anyhow::Error {
    Fault { message: message.into(), remedy: "" }.into()
}

/// Why there is no judgement: a judge error, or the command was cancelled.
pub(super) fn not_judged(why: impl Into<judge::Fault>) -> anyhow::Error {
    match why.into() {
        judge::Fault::Cancelled => Ended(ExitStatus::JudgeError).into(),
        judge::Fault::Judge(error) => fault(error.message),
    }
}

/// That a submission cannot be run ends the command: a usage error, or a judge error if it is the grader's fault.
pub(super) fn no_submission(why: Unbuilt) -> anyhow::Error {
    match why.cause {
        UnbuiltCause::Cancelled => Ended(ExitStatus::JudgeError).into(),
        UnbuiltCause::Grader => fault(why.to_string()),
        UnbuiltCause::Program | UnbuiltCause::Missing => why.into(),
    }
}

/// The same for a validator, which is a judge error too if it does not compile.
pub(super) fn no_validator(why: Unbuilt) -> anyhow::Error {
    match why.cause {
        UnbuiltCause::Program => fault_with(why.to_string(), "fix the validator"),
        _ => no_submission(why),
    }
}

/// The same with what to do about it.
pub(super) fn fault_with(message: String, remedy: &'static str) -> anyhow::Error {
    Fault { message, remedy }.into()
}

/// `error:` and one `caused by:` for each cause.
pub(super) fn print_error(error: &anyhow::Error) {
    let mut err = std::io::stderr().lock();
    let _ = writeln!(err, "error: {error}");
    for cause in error.chain().skip(1) {
        let _ = writeln!(err, "caused by: {cause}");
    }
}
