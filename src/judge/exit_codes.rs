//! Decides what the exit of a validator or interactor means, and how it breaks the protocol.

use super::limits_verdict::rejection_by_facts;
use crate::limits::JudgeLimits;
use crate::reason::Reason;
use crate::ruleset::Ruleset;
use crate::sandbox::{Exit, Kill, Outcome};
use crate::signal::signal_name;

/// What an output validator or interactor decided.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    /// Exit code 42.
    Accept,
    /// Exit code 43.
    Reject,
}

/// The exit codes with which a validator decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Codes {
    accept: i32,
    reject: i32,
}

impl Codes {
    /// The codes of validators (package format, "Output validators").
    pub const OF_VALIDATORS: Self = Self { accept: 42, reject: 43 };
    /// The codes of checktestdata, which reports an error in the grammar with 2.
    pub const OF_CHECKTESTDATA: Self = Self { accept: 0, reject: 1 };
}

/// A breach of the protocol or the limits by a validator. It is a judge error, never a verdict.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Breach {
    /// It ended with an exit code that is not a decision.
    #[error("exit code {code} instead of {} (accept) or {} (reject)", .codes.accept, .codes.reject)]
    ExitCode {
        /// The exit code.
        code: i32,
        /// The codes that are decisions.
        codes: Codes,
    },
    /// A signal ended it.
    #[error("crashed with {}", signal_name(*.0))]
    Crashed(i32),
    /// It exceeded one of its limits.
    #[error("exceeded its own limits: {reason}{}", remedy(*.kill))]
    Limit {
        /// The exceeded limit, and by how much.
        reason: Reason,
        /// The kill that followed.
        kill: Kill,
    },
    /// It was killed, but not for a limit.
    #[error("was killed")]
    Killed,
}

/// Names the setting of the limit for which a validator was killed, as the package format calls it.
fn remedy(kill: Kill) -> String {
    let key = match kill {
        Kill::Cpu | Kill::Wall => "time",
        Kill::Memory => "memory",
        Kill::Output => "output",
        Kill::Processes | Kill::Cancelled => return String::new(),
    };
    format!("; `limits.validation_{key}` of the problem or `validation` in grader.toml sets that")
}

/// Returns the decision of a validator from its exit. Any other code is a judge error, never a verdict.
pub fn decide(outcome: &Outcome, limits: &JudgeLimits, codes: Codes) -> Result<Decision, Breach> {
    let Codes { accept, reject } = codes;
    match (outcome.killed, outcome.exit) {
        (None, Exit::Code(code)) if code == accept => Ok(Decision::Accept),
        (None, Exit::Code(code)) if code == reject => Ok(Decision::Reject),
        (None, Exit::Code(code)) => Err(Breach::ExitCode { code, codes }),
        (None, Exit::Signal(signal)) => Err(Breach::Crashed(signal)),
        (Some(kill), _) => Err(rejection_by_facts(outcome, limits, Ruleset::default())
            .map_or(Breach::Killed, |(_, reason)| Breach::Limit { reason, kill })),
    }
}
