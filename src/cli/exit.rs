//! Exit statuses of the process, and the printing of errors.

use std::io::Write;
use std::process::ExitCode;

use crate::cli::is_broken_pipe;
use crate::diagnostic::Severity;
use crate::event::Verb;
use crate::record::Report;
use crate::report::class::has_undecided;
use crate::report::text::{Line, Paint};
use crate::workspace::ending::EarlyEnd;

/// The exit status. Scripts can distinguish a failed submission from a failure of the judge. Worse ones are greater.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ExitStatus {
    /// 0: everything as expected.
    Success,
    /// 1: some result is not as expected.
    Unexpected,
    /// 2: usage, configuration or problem error, or nothing was judged.
    Usage,
    /// 3: the judge failed, for example a checker.
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

impl From<EarlyEnd> for ExitStatus {
    fn from(ended: EarlyEnd) -> Self {
        match ended {
            EarlyEnd::Interrupted(signal) => Self::Interrupted(signal),
            EarlyEnd::Refused => Self::Usage,
            EarlyEnd::Unexpected => Self::Unexpected,
            EarlyEnd::JudgeError => Self::JudgeError,
        }
    }
}

/// The status of a finished run: interrupted > judge error > problem error or nothing judged > unexpected > success.
pub(super) fn status_of(report: &Report, signal: Option<i32>, strict: bool) -> ExitStatus {
    let counts = report.counts();
    if let Some(signal) = signal {
        ExitStatus::Interrupted(signal)
    } else if report.has_judge_errors() {
        ExitStatus::JudgeError
    } else if report.notices_from(Severity::Error) > 0 || counts.met + counts.missed + counts.unanswered == 0 {
        ExitStatus::Usage
    } else if counts.missed > 0 || (strict && (counts.not_judged > 0 || report.notices_from(Severity::Warning) > 0)) {
        ExitStatus::Unexpected
    } else {
        ExitStatus::Success
    }
}

/// The status after judging students' submissions: 2 if any could not be judged and no override decides it; 1 if any is not accepted on every
/// test, or 0 with `zero`.
pub(super) fn status_of_judging(report: &Report, signal: Option<i32>, zero: bool) -> ExitStatus {
    let status = status_of(report, signal, false);
    let fine = report.submissions.iter().all(|submission| submission.is_fine(Verb::Judge));
    if has_undecided(report) && matches!(status, ExitStatus::Success | ExitStatus::Unexpected) {
        ExitStatus::Usage
    } else if status == ExitStatus::Success && !fine && !zero {
        ExitStatus::Unexpected
    } else {
        status
    }
}

/// Does the work for each of some problems and returns the worst status. If there are several, the error of one is
/// printed and the others still get their turn, unless a signal came or the reader closed the pipe.
pub(super) fn for_each<T>(
    problems: Vec<T>,
    mut work: impl FnMut(T) -> anyhow::Result<ExitStatus>,
) -> anyhow::Result<ExitStatus> {
    let is_alone = problems.len() == 1;
    let mut worst = ExitStatus::Success;
    for problem in problems {
        let status = work(problem).or_else(|error| match error.downcast_ref::<EarlyEnd>() {
            _ if is_alone || is_broken_pipe(&error) => Err(error),
            Some(EarlyEnd::Interrupted(_)) => Err(error),
            Some(ended) => Ok((*ended).into()),
            None => {
                print_error(&error);
                Ok(ExitStatus::Usage)
            }
        })?;
        worst = worst.max(status);
    }
    Ok(worst)
}

/// Prints `error:` with the error, then a line `caused by:` for each cause.
pub(super) fn print_error(error: &anyhow::Error) {
    let causes = error.chain().skip(1).map(|cause| format!("caused by: {cause}"));
    let mut err = std::io::stderr().lock();
    for text in std::iter::once(format!("error: {error}")).chain(causes) {
        for line in text.lines() {
            let _ = writeln!(err, "{}", Line::from(line).render(Paint::Plain));
        }
    }
}
