//! Facts plus output become a judgement.
//!
//! The precedence is that of the judges of the field (`ruleset` says where they differ): what the sandbox saw comes before
//! what the checker says, so that a program that crashed after a wrong line is RTE, not WA.

mod case;
pub(crate) mod checker;
pub mod compare;
pub mod fault;
mod grader;
mod interact;
pub(crate) mod judged;
mod judgement;
mod multi_pass;
mod other_judges;
mod passes;
mod runner;
mod sinks;
pub mod sources;
pub mod validator;

use std::borrow::Cow;

pub use case::{Case, Terms};
pub use fault::{Fault, JudgeError, JudgeErrorKind, Response};
pub use judged::{Findings, Judged, LastPass};
pub use judgement::{Origin, judge_sources, result_of};
pub use runner::{Execution, Runner};

use crate::limits::{JudgeLimits, Overflow};
use crate::reason::Reason;
use crate::ruleset::{Cause, Ruleset};
use crate::sandbox::{Exit, Interaction, Kill, MemoryScope, Outcome, Printed, Side};
use crate::signal::signal_name;
use crate::verdict::Verdict;

/// A verdict and its reason.
pub type Ruling = (Verdict, Reason);

/// The verdict that the facts alone decide; none means that the output is to be checked.
///
/// Where several things are wrong, the judge's precedence says which is told.
pub fn rule_on_facts(outcome: &Outcome, limits: &JudgeLimits, ruleset: Ruleset) -> Option<Ruling> {
    let outcome = &*as_judged(outcome, limits);
    ruleset.precedence().into_iter().find_map(|cause| match cause {
        Cause::Denied => denied(outcome),
        Cause::Output => over_output(outcome, limits),
        Cause::Memory => over_memory(outcome, limits),
        Cause::Time => over_time(outcome, limits),
        Cause::Crash => crashed(outcome, limits),
    })
}

/// The facts as a judge has them: where too much output ends a program, nothing that it did later is known.
pub fn as_judged<'a>(outcome: &'a Outcome, limits: &JudgeLimits) -> Cow<'a, Outcome> {
    match (limits.overflow, outcome.crossed, outcome.killed) {
        (_, None, _) | (Overflow::Cut, ..) | (.., Some(Kill::Cancelled)) => Cow::Borrowed(outcome),
        (Overflow::Kill, Some(usage), _) => {
            let (exit, killed) = (Exit::Signal(libc::SIGKILL), Some(Kill::Output));
            Cow::Owned(Outcome { exit, killed, usage, crossed: None, ..outcome.clone() })
        }
    }
}

fn denied(outcome: &Outcome) -> Option<Ruling> {
    let denied = outcome.exit == Exit::Signal(libc::SIGSYS);
    denied.then_some((Verdict::RunTimeError, Reason::DeniedCall))
}

/// Where a program goes on beyond the limit, only its standard output is judged, and a file that is too large is a
/// crash.
fn over_output(outcome: &Outcome, limits: &JudgeLimits) -> Option<Ruling> {
    let (Printed { stdout, stderr }, most) = (outcome.printed, limits.output);
    let ruling = |reason| Some((Verdict::OutputLimit, reason));
    match limits.overflow {
        Overflow::Kill
            if outcome.killed == Some(Kill::Output)
                || outcome.exit == Exit::Signal(libc::SIGXFSZ)
                || stdout + stderr > most.0 =>
        {
            ruling(Reason::Output { limit: most })
        }
        Overflow::Cut if stdout > most.0 => ruling(Reason::StandardOutput { limit: most }),
        Overflow::Kill | Overflow::Cut => None,
    }
}

fn over_memory(outcome: &Outcome, limits: &JudgeLimits) -> Option<Ruling> {
    let peak = outcome.usage.memory;
    if outcome.killed != Some(Kill::Memory) && peak <= limits.memory {
        return None;
    }
    let limit = limits.memory;
    if peak <= limit {
        // Where the kernel holds the limit no peak is ever above it.
        return Some((Verdict::MemoryLimit, Reason::MemoryByKernel { limit }));
    }
    let sampled = outcome.memory_scope == MemoryScope::LargestProcess;
    Some((Verdict::MemoryLimit, Reason::Memory { peak, limit, sampled }))
}

fn over_time(outcome: &Outcome, limits: &JudgeLimits) -> Option<Ruling> {
    let (cpu, limit) = (outcome.usage.cpu, limits.time);
    let reason = if outcome.killed == Some(Kill::Cpu) {
        Reason::Killed { after: limits.kill_time, limit }
    } else if cpu > limit {
        Reason::Time { cpu, limit }
    } else if outcome.killed == Some(Kill::Wall) {
        Reason::Slept { cpu, wall: limits.wall }
    } else {
        return None;
    };
    Some((Verdict::TimeLimit, reason))
}

/// Whether the cpu time is within a tenth of the time limit, either side: another run may end otherwise.
pub fn near_time_limit(outcome: &Outcome, limits: &JudgeLimits) -> bool {
    let (outcome, tenth) = (&*as_judged(outcome, limits), limits.time / 10);
    match outcome.killed {
        None | Some(Kill::Wall) => outcome.usage.cpu.abs_diff(limits.time) < tenth,
        // How long it would have taken is not known: it counts whether it was stopped that early.
        Some(Kill::Cpu) => limits.kill_time.abs_diff(limits.time) < tenth,
        Some(_) => false,
    }
}

fn crashed(outcome: &Outcome, limits: &JudgeLimits) -> Option<Ruling> {
    let reason = match (outcome.killed, outcome.exit) {
        // It was ended by us, for what is told by itself.
        _ if limits.overflow == Overflow::Kill && over_output(outcome, limits).is_some() => return None,
        (Some(Kill::Processes), _) => Reason::Processes { limit: limits.processes },
        (_, Exit::Code(0)) => return None,
        (_, Exit::Code(code)) => Reason::ExitCode(code),
        (_, Exit::Signal(signal)) => Reason::Signal(signal),
    };
    Some((Verdict::RunTimeError, reason))
}

/// What an output validator or interactor decided.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    /// Exit code 42.
    Accept,
    /// Exit code 43.
    Reject,
}

/// The exit codes by which a validator decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Codes {
    accept: i32,
    reject: i32,
}

impl Codes {
    /// Those of validators (package format, "Output validators").
    pub const OF_VALIDATORS: Self = Self { accept: 42, reject: 43 };
    /// Those of checktestdata; its 2 is a mistake in the grammar.
    pub const OF_CHECKTESTDATA: Self = Self { accept: 0, reject: 1 };
}

/// How a validator broke the protocol or its limits. Our failure, never a verdict.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Breach {
    /// It ended with an exit code that decides nothing.
    #[error("exit code {code} instead of {} (accept) or {} (reject)", .codes.accept, .codes.reject)]
    ExitCode {
        /// The exit code.
        code: i32,
        /// Those that decide.
        codes: Codes,
    },
    /// A signal ended it.
    #[error("crashed with {}", signal_name(*.0))]
    Crashed(i32),
    /// It exceeded one of its limits.
    #[error("exceeded its own limits: {reason}{}", remedy(*.kill))]
    Limit {
        /// Which limit, and by how much.
        reason: Reason,
        /// How it was ended for that.
        kill: Kill,
    },
    /// It was killed for no limit.
    #[error("was killed")]
    Killed,
}

/// What sets the limit of a validator that a kill is about, as the package format calls it.
fn remedy(kill: Kill) -> String {
    let key = match kill {
        Kill::Cpu | Kill::Wall => "time",
        Kill::Memory => "memory",
        Kill::Output => "output",
        Kill::Processes | Kill::Cancelled => return String::new(),
    };
    format!("; `limits.validation_{key}` of the problem or `validation` in grader.toml sets that")
}

/// The decision of a validator's exit. Anything but its two codes is our failure, never a verdict.
pub fn decide(outcome: &Outcome, limits: &JudgeLimits, codes: Codes) -> Result<Decision, Breach> {
    let Codes { accept, reject } = codes;
    match (outcome.killed, outcome.exit) {
        (None, Exit::Code(code)) if code == accept => Ok(Decision::Accept),
        (None, Exit::Code(code)) if code == reject => Ok(Decision::Reject),
        (None, Exit::Code(code)) => Err(Breach::ExitCode { code, codes }),
        (None, Exit::Signal(signal)) => Err(Breach::Crashed(signal)),
        (Some(kill), _) => Err(rule_on_facts(outcome, limits, Ruleset::default())
            .map_or(Breach::Killed, |(_, reason)| Breach::Limit { reason, kill })),
    }
}

/// The ruling on an interactive run. `Err`: the interactor failed.
///
/// Precedence as in the Kattis and DOMjudge judges: when the interactor ended first, its rejection stands whatever the
/// submission did afterwards; otherwise time limit, then run-time error, then the interactor's decision. A submission
/// that died of writing to an interactor that had already decided is not RTE. Where the submission failed first, these
/// judges blame an interactor nevertheless that then breaks the protocol; the format does not say.
pub fn rule_on_interaction(
    run: &Interaction,
    limits: &JudgeLimits,
    interactor_limits: &JudgeLimits,
    ruleset: Ruleset,
) -> Result<Option<Ruling>, Breach> {
    let decision = decide(&run.interactor, interactor_limits, Codes::OF_VALIDATORS);
    let submission = &*as_judged(&run.submission, limits);
    let facts = rule_on_facts(submission, limits, ruleset);
    // Where it went on for the sake of another judge, its end was when it had printed too much.
    let earlier = submission.usage.wall < run.submission.usage.wall.min(run.interactor.usage.wall);
    let first = if earlier { Side::Submission } else { run.first };
    let rejected = || Some((Verdict::WrongAnswer, "rejected by the interactor".into()));
    if first == Side::Interactor && decision == Ok(Decision::Reject) {
        return Ok(rejected());
    }
    let broken_pipe = submission.exit == Exit::Signal(libc::SIGPIPE) && submission.killed.is_none();
    match (facts, decision) {
        (_, Err(breach)) if ruleset.always_blames_interactor() => Err(breach),
        // The interactor was left without a partner: what it makes of that says nothing about its health.
        (Some(ruling), _) if first == Side::Submission && !broken_pipe => Ok(Some(ruling)),
        (_, Err(breach)) => Err(breach),
        (_, Ok(Decision::Reject)) => Ok(rejected()),
        (Some(_), Ok(Decision::Accept)) if broken_pipe => Ok(None),
        (facts, Ok(Decision::Accept)) => Ok(facts),
    }
}

#[cfg(test)]
mod tests;
