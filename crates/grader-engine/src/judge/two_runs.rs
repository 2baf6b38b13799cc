//! Decides which programs judge each pass of a submission, and what the next pass reads. In the package format, one
//! validator leads every pass. In a problem of Polygon with two runs, what the judge makes of the first run is the input of
//! the second.
//!
//! Polygon does not document its forms of two runs. docs/polygon.md states them, with their sources.

use super::case::Case;
use super::interact::Transcript;
use super::passes::{NextPass, after};
use super::runner::{FinishedPass, Runner};
use super::validator::{Pass, PreparedValidator, ValidatorError};
use super::{Fault, Rejection};
use crate::compile::Artifact;
use crate::problem::{Problem, SecondRun};

/// The programs that judge the passes of a submission.
#[derive(Clone, Copy)]
pub(super) enum PassJudges<'a> {
    /// The validator or interactor of the package format.
    Validator(&'a Artifact),
    /// The programs of a problem with two runs. Only the first run talks to the interactor if the second one is plain.
    TwoRuns { interactor: Option<&'a Artifact>, checkers: &'a [&'a Artifact], second: SecondRun },
}

impl<'a> PassJudges<'a> {
    /// The judges of a problem, from its built programs; none if their number does not fit.
    pub(super) fn of(problem: &Problem, validators: &'a [&'a Artifact]) -> Option<Self> {
        let (interactor, checkers) = match (problem.second_run, &problem.interactor, validators) {
            (None, _, [judge]) => return Some(Self::Validator(judge)),
            (Some(_), Some(_), [interactor, checkers @ ..]) => (Some(*interactor), checkers),
            (Some(_), None, checkers) => (None, checkers),
            _ => return None,
        };
        let second = problem.second_run.filter(|_| !checkers.is_empty())?;
        Some(Self::TwoRuns { interactor, checkers, second })
    }

    /// The pass after pass `number`; none if that was the last. `asked` judged it, and `rejection` is the result.
    ///
    /// # Errors
    /// The judge broke its protocol, or the input of the next pass cannot be kept.
    pub(super) fn next(
        self,
        case: &Case,
        asked: &PreparedValidator,
        rejection: Option<&Rejection>,
        number: u32,
    ) -> Result<Option<NextPass>, ValidatorError> {
        let (interactor, checkers) = match self {
            Self::Validator(judge) => {
                return after(asked, &case.validator(0, judge), rejection, number, case.problem.passes);
            }
            Self::TwoRuns { interactor, checkers, .. } => (interactor, checkers),
        };
        if number >= case.problem.passes || rejection.is_some() {
            return Ok(None);
        }
        // There always is a checker.
        let Some(writer) = interactor.or(checkers.first().copied()) else { return Ok(None) };
        let made = match interactor {
            Some(_) => asked.tout(case.validator_limits.kill.output.0),
            None => asked.printed(),
        };
        made.and_then(NextPass::with_input).map(Some).map_err(|error| {
            let message = format!("the input of the second run, which it makes, cannot be read: {error}");
            case.validator(0, writer).broken(message, b"")
        })
    }
}

impl Runner<'_> {
    /// Runs one pass of a submission with the programs that judge it.
    pub(super) fn pass_of(
        &mut self,
        programs: PassJudges<'_>,
        number: u32,
        case: &Case,
        pass: &Pass<'_>,
        artifact: &Artifact,
        transcript: Transcript,
    ) -> Result<FinishedPass, Fault> {
        let (interactor, checkers, second) = match programs {
            PassJudges::Validator(judge) => return self.pass(case, pass, artifact, judge, transcript),
            PassJudges::TwoRuns { interactor, checkers, second } => (interactor, checkers, second),
        };
        let is_first = number == 1;
        if let Some(interactor) = interactor.filter(|_| is_first || second == SecondRun::Interactive) {
            let ran = self.conversation(case, pass, artifact, interactor, &transcript)?;
            return if is_first { Ok(ran) } else { self.check_tout(case, pass, ran, checkers) };
        }
        let pass = Pass { keeps_printed: is_first, ..*pass };
        let (judged, validator) = self.validated(case, &pass, artifact, checkers)?;
        Ok(FinishedPass { judged: judged.under_sanitizers(case), validator, transcript, workdir: None })
    }
}
