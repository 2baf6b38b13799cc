//! Judges an execution: turns the sandbox's facts and the output into a judgement.
//!
//! The precedence is that of the judges of the field; `ruleset` holds their differences. The facts of the sandbox come
//! before the checker's decision: a program that crashed after a wrong line is RTE, not WA.
//!
//! It knows no store. Its files:
//!
//! - `case`, `judged`, `judgement`: the case to judge, the result of one execution, and its recorded judgement
//! - `runner`, `multi_pass`, `passes`, `two_runs`: judge one pass, and several; what a judge leaves for the next pass
//! - `sinks`: where output goes
//! - `checker`: the built-in comparison on a case
//! - `exit_codes`, `testlib`, `cms`, `dmoj`, `feedback`: the meaning of exits and messages of judging programs, by protocol
//! - `validator`, `interact`: output validators and interactors
//! - `sources`, `grader`, `visualizer`: static validators, graders of groups, visualisers
//! - `other_judges`: the verdicts that other judges would give
//! - `fault`: the reason for a missing verdict
//! - `sanitizer`: the reports of sanitizers

mod case;
pub mod checker;
mod cms;
mod dmoj;

mod exit_codes;
pub mod fault;
pub mod feedback;
mod grader;
mod interact;
pub mod judged;
mod judgement;
mod limits_verdict;
mod multi_pass;
mod other_judges;
mod passes;
mod runner;
mod sanitizer;
mod sinks;
pub mod sources;
mod testlib;
mod two_runs;
pub mod validator;
pub mod visualizer;

pub use case::{Case, Terms};
pub use exit_codes::{Breach, Decision, PrintedStreams, Question, decide};
pub use fault::{Fault, JudgeError, JudgeErrorKind, Response};
pub use judged::{Assessment, JudgedExecution, LastPass};
pub use judgement::{Origin, judge_sources, result_of};
pub use limits_verdict::{as_judged, near_time_limit, rejection_by_facts};
pub use runner::{Execution, Runner};

pub use grader_compare as compare;

use crate::limits::JudgeLimits;
use crate::reason::Reason;
use crate::ruleset::Ruleset;
use crate::sandbox::{Exit, Interaction, Side};
use crate::verdict::Verdict;

/// A verdict other than AC, with its reason.
pub type Rejection = (Verdict, Reason);

/// Returns the rejection of an interactive run with the decision of the interactor; none if the run is accepted. `Err`:
/// the interactor failed.
///
/// The precedence is that of the Kattis and DOMjudge judges. If the interactor ended first, its rejection stands,
/// whatever the submission did afterwards. Otherwise time limit comes first, then run-time error, then the interactor's
/// decision. A submission that died of writing to an interactor that had already decided is not RTE. If the submission
/// failed first and the interactor then breaks the protocol, these judges still blame the interactor. The format does
/// not say.
pub fn rule_on_interaction(
    run: &Interaction,
    decision: Result<Decision, Breach>,
    limits: &JudgeLimits,
    ruleset: Ruleset,
) -> Result<Option<Rejection>, Breach> {
    let submission = &*as_judged(&run.submission, limits);
    let facts = rejection_by_facts(submission, limits, ruleset);
    // If the submission ran on for another judge, its end for this judge is when it exceeded the output limit.
    let earlier = submission.usage.wall < run.submission.usage.wall.min(run.interactor.usage.wall);
    let first = if earlier { Side::Submission } else { run.first };
    let rejected = || Some((Verdict::WrongAnswer, "rejected by the interactor".into()));
    if first == Side::Interactor && decision == Ok(Decision::Reject) {
        return Ok(rejected());
    }
    let broken_pipe = submission.exit == Exit::Signal(libc::SIGPIPE) && submission.killed.is_none();
    match (facts, decision) {
        // The interactor had no chance to end by itself.
        (Some(rejection), _) if run.abandoned => Ok(Some(rejection)),
        (_, Err(breach)) if ruleset.always_blames_interactor() => Err(breach),
        // The interactor lost its partner, so a breach of the protocol says nothing about its health.
        (Some(rejection), _) if first == Side::Submission && !broken_pipe => Ok(Some(rejection)),
        (_, Err(breach)) => Err(breach),
        (_, Ok(Decision::Reject)) => Ok(rejected()),
        (Some(_), Ok(Decision::Accept)) if broken_pipe => Ok(None),
        (facts, Ok(Decision::Accept)) => Ok(facts),
    }
}

#[cfg(test)]
mod tests;
