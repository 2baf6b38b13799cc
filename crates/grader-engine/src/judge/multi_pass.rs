//! Runs one program in several passes on one case: runs and judges it, then runs it again on the input that the output
//! validator wrote.

use std::fs;

use super::case::Case;
use super::feedback::Feedback;
use super::interact::Transcript;
use super::judged::{JudgedExecution, LastPass, PassInput};
use super::other_judges::after_pass;
use super::passes::{NextPass, of_pass};
use super::runner::{FinishedPass, Runner, needs_one};
use super::two_runs::PassJudges;
use super::validator::PreparedValidator;
use super::{Fault, as_judged};
use crate::compile::Artifact;
use crate::event::Opinion;
use crate::limits::Usage;
use crate::sandbox::Kill;
use crate::verdict::Verdict;

/// The largest input of a pass that is remembered with the result, in bytes.
const INPUT_CAP: u64 = 64 * 1024;

impl Runner<'_> {
    /// Runs a program on a case until the output validator requests no further pass, or a pass fails. An error is a
    /// judge error.
    pub(super) fn pass_by_pass(
        &mut self,
        case: &Case,
        artifact: &Artifact,
        validators: &[&Artifact],
    ) -> Result<JudgedExecution, Fault> {
        let judges = PassJudges::of(&case.problem, validators).ok_or_else(|| needs_one(case.problem.kind))?;
        let mut next: Option<NextPass> = None;
        let mut usage = Usage::default();
        let mut feedback = Feedback::default();
        let mut others: Option<Vec<Opinion>> = None;
        let mut transcript = Transcript::default();
        let mut number = 1;
        loop {
            let ran = of_pass(next.as_ref(), &case.input, case.answer(), |pass| {
                self.pass_of(judges, number, case, pass, artifact, std::mem::take(&mut transcript))
            });
            let FinishedPass { mut judged, validator: asked, transcript: said, .. } =
                ran.map_err(|fault| fault.in_pass(number))?;
            transcript = said;
            others = Some(after_pass(others, std::mem::take(&mut judged.assessment.others)));
            // Everything after that point was for other judges, which have given their verdicts.
            judged.outcome = as_judged(&judged.outcome, &case.limits).into_owned();
            usage = slowest(usage, judged.outcome.usage);
            let follows = match &asked {
                Some(asked) if judged.outcome.killed != Some(Kill::Cancelled) => {
                    let rejection = judged.assessment.rejection.as_ref();
                    judges.next(case, asked, rejection, number).map_err(|error| Fault::from(error).in_pass(number))?
                }
                _ => None,
            };
            if follows.is_some() {
                next = follows;
                feedback = judged.assessment.feedback;
                transcript.next_pass();
                number += 1;
                continue;
            }
            judged.outcome.usage = usage;
            // If the submission failed by itself, the validator may have run only for other judges.
            let for_own = case.problem.kind.is_interactive() || !fails_by_itself(&judged);
            complete(&mut judged, &feedback, asked.is_some() && for_own);
            judged.assessment.others = others.unwrap_or_default();
            judged = judged.with_feedback(case, asked.as_ref());
            if let Some(asked) = asked.filter(|_| fails_by_itself(&judged)) {
                self.go_on(case, artifact, judges, (asked, number), &mut judged.assessment.others);
            }
            let pass = LastPass { number, input: next.as_ref().and_then(remembered) };
            judged.assessment.rejection =
                judged.assessment.rejection.map(|(verdict, reason)| (verdict, reason.in_pass(number)));
            judged.assessment.pass = Some(pass);
            judged.streams.stdin = next.map(PassInput::Made);
            return Ok(judged);
        }
    }

    /// Runs further passes for the judges that have accepted every pass so far, although the case's own judge has
    /// stopped at pass `number`. Records their final verdicts.
    fn go_on(
        &mut self,
        case: &Case,
        artifact: &Artifact,
        judges: PassJudges<'_>,
        (mut asked, mut number): (PreparedValidator, u32),
        others: &mut Vec<Opinion>,
    ) {
        while others.iter().any(|other| other.verdict == Some(Verdict::Accepted)) {
            let next = match judges.next(case, &asked, None, number) {
                Ok(Some(next)) => next,
                Ok(None) => return,
                // Only other judges requested this pass. The fault counts for them alone, and the case's own verdict
                // stands.
                Err(_) => return blame_validator(others),
            };
            number += 1;
            let ran = of_pass(Some(&next), &case.input, case.answer(), |pass| {
                self.pass_of(judges, number, case, pass, artifact, Transcript::default())
            });
            // As above: the fault counts for the other judges alone.
            let Ok(FinishedPass { judged, validator: again, .. }) = ran else { return blame_validator(others) };
            *others = after_pass(Some(std::mem::take(others)), judged.assessment.others);
            let Some(again) = again else { return };
            asked = again;
        }
    }
}

/// Whether the run failed in a way other than a rejection by the validator.
fn fails_by_itself(judged: &JudgedExecution) -> bool {
    judged.assessment.rejection.as_ref().is_some_and(|(verdict, _)| *verdict != Verdict::WrongAnswer)
}

/// Clears the verdict of every judge that accepted every pass so far, because the validator gave no answer.
fn blame_validator(others: &mut [Opinion]) {
    for other in others.iter_mut().filter(|other| other.verdict == Some(Verdict::Accepted)) {
        other.verdict = None;
    }
}

/// The limits hold for each pass, so the slowest and the largest pass count.
fn slowest(a: Usage, b: Usage) -> Usage {
    Usage { cpu: a.cpu.max(b.cpu), wall: a.wall.max(b.wall), memory: a.memory.max(b.memory) }
}

/// Adds the feedback of earlier passes. If the validator was not asked in the last pass, that is all the feedback.
/// Points from an accepted earlier pass do not count for a failure, and are not an error of the validator.
fn complete(judged: &mut JudgedExecution, earlier: &Feedback, asked: bool) {
    let assessment = &mut judged.assessment;
    if !asked {
        assessment.feedback = earlier.clone();
    }
    if assessment.rejection.is_some() {
        let now = &mut assessment.feedback;
        now.score.take_if(|score| earlier.score.as_ref() == Some(score));
        now.multiplier.take_if(|multiplier| earlier.multiplier.as_ref() == Some(multiplier));
    }
}

/// The input of a pass as text, if it is text and not too long. Otherwise the result cannot be reused from the store.
fn remembered(next: &NextPass) -> Option<String> {
    let path = next.input();
    let short = fs::metadata(&path).is_ok_and(|found| found.len() <= INPUT_CAP);
    short.then(|| fs::read(&path).ok()).flatten().and_then(|bytes| String::from_utf8(bytes).ok())
}
