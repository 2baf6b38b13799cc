//! Decides what the exit of a judging program means under its protocol, and how it breaks the protocol.

use super::cms::{self, NoShare};
use super::dmoj::{self, NoFraction};
use super::limits_verdict::rejection_by_facts;
use super::testlib::{self, NoNumber};
use crate::limits::JudgeLimits;
use crate::problem::{DmojType, PointsUnit, Protocol};
use crate::reason::Reason;
use crate::ruleset::Ruleset;
use crate::sandbox::{Exit, Kill, Outcome};
use crate::signal::signal_name;

/// The decision of a judging program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    /// The output or the input is right.
    Accept,
    /// It is not.
    Reject,
}

/// The subject of a decision. testlib's validators reject with the code with which its checkers fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Question {
    /// An output, a conversation, or the sources of a submission.
    Submission,
    /// An input or an answer.
    TestData,
}

/// Returns the decision that an exit code means under a protocol; none if it means no decision.
fn decision_of(protocol: Protocol, question: Question, code: i32) -> Option<Decision> {
    // task-maker: any other exit code of a validator rejects, such as that of a failed assertion.
    if (protocol, question) == (Protocol::Cms, Question::TestData) {
        return Some(if code == 0 { Decision::Accept } else { Decision::Reject });
    }
    let (accept, reject): (&[i32], &[i32]) = match (protocol, question) {
        // Package format 2025-09, "Output validator".
        (Protocol::Icpc, _) => (&[42], &[43]),
        // checktestdata reports an error in the grammar with 2.
        (Protocol::Dmoj(DmojType::Coci), Question::Submission) => (&[0], &[1, 2]),
        (Protocol::Checktestdata | Protocol::Dmoj(_), _) => (&[0], &[1]),
        // testlib.h, `resultExitCode`: wrong answer 1, presentation error 2, dirt 4, unexpected end 8; fail is 3.
        (Protocol::Testlib(_), Question::Submission) => (&[0], &[1, 2, 4, 8]),
        (Protocol::Testlib(_), Question::TestData) => (&[0], &[1, 2, 3, 4, 8]),
        // A checker decides by what it prints.
        (Protocol::Cms, _) => (&[], &[]),
    };
    let decides = |codes: &[i32], decision| codes.contains(&code).then_some(decision);
    decides(accept, Decision::Accept).or_else(|| decides(reject, Decision::Reject))
}

/// The exit codes that are decisions under a protocol, in words.
const fn codes_in_words(protocol: Protocol) -> &'static str {
    match protocol {
        Protocol::Icpc => "42 (accept) or 43 (reject)",
        Protocol::Checktestdata | Protocol::Dmoj(DmojType::Default) => "0 (accept) or 1 (reject)",
        Protocol::Dmoj(DmojType::Coci) => "0 (accept), 1 or 2 (reject) or 7 (a share of the points)",
        Protocol::Testlib(_) => "0 (ok), 1 (wrong answer), 2, 4, 8 (presentation error) or 7 (points)",
        Protocol::Cms => "0",
    }
}

/// A breach of the protocol or the limits by a validator. It is a judge error, never a verdict.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Breach {
    /// It ended with an exit code that is not a decision.
    #[error("exit code {code} instead of {}{}", codes_in_words(*.protocol), other_protocol(*.protocol, *.code))]
    ExitCode {
        /// The exit code.
        code: i32,
        /// The protocol by which it was run.
        protocol: Protocol,
    },
    /// A testlib program said that the input, the answer or the program itself is wrong.
    #[error("exit code 3 (FAIL of testlib): the input, the answer or the program itself is wrong")]
    Fail,
    /// An exception ended it. Its exit code, 1, would be a rejection.
    #[error("ended by an exception that it does not catch")]
    Uncaught,
    /// It gave points without a number.
    #[error(
        "exit code 7 (points of testlib) without a number from 0 in its message `{0}`; quitp(POINTS, …) writes one"
    )]
    NoPoints(String),
    /// A checker of CMS printed no share of the points.
    #[error("no share of the points from 0 to 1 in the first line of its output, `{0}`, as CMS has it")]
    NoShare(String),
    /// A program of DMOJ gave no share of the points.
    #[error("exit code 7 (a share of the points) without a line such as `partial 3/4` on standard error, but `{0}`")]
    NoFraction(String),
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
        Kill::Processes | Kill::Files | Kill::Cancelled => return String::new(),
    };
    format!("; `limits.validation_{key}` of the problem or `validation` in grader.toml sets that")
}

/// How to say that the program follows another protocol, if its exit code is a decision of that one.
fn other_protocol(protocol: Protocol, code: i32) -> String {
    let other = match protocol {
        Protocol::Icpc if [0, 2, 3, 7].contains(&code) => Protocol::Testlib(PointsUnit::Points),
        Protocol::Testlib(_) | Protocol::Cms | Protocol::Dmoj(_) if [42, 43].contains(&code) => Protocol::Icpc,
        Protocol::Testlib(_) | Protocol::Cms | Protocol::Dmoj(_) => {
            let name = if matches!(protocol, Protocol::Testlib(_)) { "testlib" } else { protocol.name() };
            return format!(
                "; {name} is its protocol: `validator_protocol` in the problem's settings or grader.toml sets another"
            );
        }
        Protocol::Icpc | Protocol::Checktestdata => return String::new(),
    };
    format!("; if it follows {other}, set `validator_protocol = \"{other}\"` for the problem or in grader.toml")
}

/// The beginning of each output stream of a judging program.
#[derive(Debug, Clone, Copy, Default)]
pub struct PrintedStreams<'a> {
    /// Its standard output.
    pub stdout: &'a [u8],
    /// Its standard error.
    pub stderr: &'a [u8],
}

/// The points with which a program answers in place of a verdict. Without points, an output is not accepted.
fn points_of(
    protocol: Protocol,
    question: Question,
    code: i32,
    printed: PrintedStreams<'_>,
) -> Option<Result<f64, Breach>> {
    match (protocol, question) {
        (Protocol::Testlib(_), Question::Submission) => {
            let points = testlib::points(code, printed.stderr)?;
            Some(points.map_err(|NoNumber(said)| Breach::NoPoints(said)))
        }
        (Protocol::Cms, Question::Submission) if code == 0 => {
            Some(cms::share(printed.stdout).map_err(|NoShare(line)| Breach::NoShare(line)))
        }
        (Protocol::Dmoj(DmojType::Coci), Question::Submission) if code == dmoj::PART => {
            Some(dmoj::share(printed.stderr).map_err(|NoFraction(line)| Breach::NoFraction(line)))
        }
        _ => None,
    }
}

/// Returns the decision of a judging program from its exit, and from what it printed if that states points. Any other exit is
/// a judge error, never a verdict.
pub fn decide(
    outcome: &Outcome,
    limits: &JudgeLimits,
    protocol: Protocol,
    question: Question,
    printed: PrintedStreams<'_>,
) -> Result<Decision, Breach> {
    // A validator of CMS rejects by a failed assertion.
    let rejects_by_assertion = (protocol, question) == (Protocol::Cms, Question::TestData);
    match (outcome.killed, outcome.exit) {
        (None, Exit::Signal(signal)) if rejects_by_assertion && signal == libc::SIGABRT => Ok(Decision::Reject),
        (None, Exit::Code(_))
            if matches!(protocol, Protocol::Testlib(_) | Protocol::Cms | Protocol::Dmoj(_))
                && !rejects_by_assertion
                && testlib::has_uncaught_exception(printed.stderr) =>
        {
            Err(Breach::Uncaught)
        }
        (None, Exit::Code(code)) => match points_of(protocol, question, code, printed) {
            Some(Ok(points)) if points > 0.0 => Ok(Decision::Accept),
            Some(Ok(_)) => Ok(Decision::Reject),
            Some(Err(breach)) => Err(breach),
            None => decision_of(protocol, question, code).ok_or(match (protocol, code) {
                (Protocol::Testlib(_), 3) => Breach::Fail,
                _ => Breach::ExitCode { code, protocol },
            }),
        },
        (None, Exit::Signal(signal)) => Err(Breach::Crashed(signal)),
        (Some(kill), _) => Err(rejection_by_facts(outcome, limits, Ruleset::default())
            .map_or(Breach::Killed, |(_, reason)| Breach::Limit { reason, kill })),
    }
}
