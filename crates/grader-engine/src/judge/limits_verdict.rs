//! Rules on the facts of an execution before its output is checked: RTE, OLE, MLE and TLE.

use std::borrow::Cow;

use super::Rejection;
use crate::limits::{Bytes, JudgeLimits, Overflow};
use crate::reason::Reason;
use crate::ruleset::{Cause, Ruleset};
use crate::sandbox::{BOX_BYTES, BOX_FILES, Exit, Kill, MemoryScope, Outcome, WrittenBytes};
use crate::verdict::Verdict;

/// The verdict that the facts alone decide; none if the output must be checked.
///
/// If several things are wrong, the judge's precedence picks one.
pub fn rejection_by_facts(outcome: &Outcome, limits: &JudgeLimits, ruleset: Ruleset) -> Option<Rejection> {
    let outcome = &*as_judged(outcome, limits);
    ruleset.precedence().into_iter().find_map(|cause| match cause {
        Cause::Denied => denied(outcome, limits),
        Cause::Output => over_output(outcome, limits),
        Cause::Memory => over_memory(outcome, limits),
        Cause::Time => over_time(outcome, limits),
        Cause::Crash => crashed(outcome, limits),
    })
}

/// The facts as a judge knows them. If too much output kills a program, nothing after that point is known.
pub fn as_judged<'a>(outcome: &'a Outcome, limits: &JudgeLimits) -> Cow<'a, Outcome> {
    match (limits.kill.overflow, outcome.crossed, outcome.killed) {
        (_, None, _) | (Overflow::Cut | Overflow::Pass, ..) | (.., Some(Kill::Cancelled)) => Cow::Borrowed(outcome),
        (Overflow::Kill, Some(usage), _) => {
            let exit = Exit::Signal(libc::SIGKILL);
            let killed = Some(Kill::Output);
            Cow::Owned(Outcome { exit, killed, usage, crossed: None, ..outcome.clone() })
        }
    }
}

fn denied(outcome: &Outcome, limits: &JudgeLimits) -> Option<Rejection> {
    let reason = match (outcome.killed, outcome.exit) {
        (_, Exit::Signal(libc::SIGSYS)) => Reason::DeniedCall,
        (Some(Kill::Processes), _) => Reason::Processes { limit: limits.kill.processes },
        _ => return None,
    };
    Some((Verdict::RunTimeError, reason))
}

/// If a program may continue beyond the limit, only its standard output counts, and a file that grows too large is a
/// crash.
fn over_output(outcome: &Outcome, limits: &JudgeLimits) -> Option<Rejection> {
    let (WrittenBytes { stdout, stderr }, most) = (outcome.printed, limits.kill.output);
    let rejection = |reason| Some((Verdict::OutputLimit, reason));
    if outcome.killed == Some(Kill::Files) {
        return rejection(Reason::Files { limit: BOX_BYTES, files: BOX_FILES });
    }
    match limits.kill.overflow {
        Overflow::Kill
            if outcome.killed == Some(Kill::Output)
                || outcome.exit == Exit::Signal(libc::SIGXFSZ)
                || stdout + stderr > most.0 =>
        {
            rejection(Reason::Output { limit: most, is_error_output: stderr > stdout })
        }
        Overflow::Cut if stdout > most.0 => rejection(Reason::StandardOutput { limit: most }),
        Overflow::Kill | Overflow::Cut | Overflow::Pass => None,
    }
}

fn over_memory(outcome: &Outcome, limits: &JudgeLimits) -> Option<Rejection> {
    let peak = outcome.usage.memory;
    if outcome.killed != Some(Kill::Memory) && peak <= limits.kill.memory {
        return None;
    }
    let limit = limits.kill.memory;
    if peak <= limit {
        // If the kernel enforces the limit, no measured peak is ever above it.
        return Some((Verdict::MemoryLimit, Reason::MemoryByKernel { limit }));
    }
    let sampled = outcome.memory_scope == MemoryScope::LargestProcess;
    Some((Verdict::MemoryLimit, Reason::Memory { peak, limit, sampled }))
}

fn over_time(outcome: &Outcome, limits: &JudgeLimits) -> Option<Rejection> {
    let cpu = outcome.usage.cpu;
    let limit = limits.time;
    let reason = if outcome.killed == Some(Kill::Cpu) {
        Reason::Killed { after: limits.kill.cpu, limit }
    } else if cpu > limit {
        Reason::Time { cpu, limit }
    } else if outcome.killed == Some(Kill::Wall) {
        match Bytes(outcome.printed.stdout) {
            printed if limits.kill.overflow == Overflow::Pass && printed > limits.kill.output => {
                Reason::Flood { cpu, wall: limits.kill.wall, printed }
            }
            _ => Reason::Slept { cpu, wall: limits.kill.wall },
        }
    } else {
        return None;
    };
    Some((Verdict::TimeLimit, reason))
}

/// Whether the CPU time is within a tenth of the time limit on either side, so that another run may end differently.
pub fn near_time_limit(outcome: &Outcome, limits: &JudgeLimits) -> bool {
    let outcome = &*as_judged(outcome, limits);
    let tenth = limits.time / 10;
    match outcome.killed {
        None | Some(Kill::Wall) => outcome.usage.cpu.abs_diff(limits.time) < tenth,
        // The full time is unknown. Only the time at which the program was stopped counts.
        Some(Kill::Cpu) => limits.kill.cpu.abs_diff(limits.time) < tenth,
        Some(_) => false,
    }
}

fn crashed(outcome: &Outcome, limits: &JudgeLimits) -> Option<Rejection> {
    let reason = match (outcome.killed, outcome.exit) {
        // The grader stopped it for too much output or too many files, which has its own verdict.
        _ if limits.kill.overflow == Overflow::Kill && over_output(outcome, limits).is_some() => return None,
        (Some(Kill::Files), _) | (_, Exit::Code(0)) => return None,
        (_, Exit::Code(code)) => Reason::ExitCode(code),
        (_, Exit::Signal(signal)) => Reason::Signal(signal),
    };
    Some((Verdict::RunTimeError, reason))
}
