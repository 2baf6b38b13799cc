//! Builds the recorded result of one test from the assessment of its execution.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::case::{Case, points_of};
use super::feedback::Feedback;
use super::judged::{Assessment, JudgedExecution};
use super::validator::ValidatorAnswer;
use super::{Decision, Fault, JudgeError, JudgeErrorKind, as_judged, near_time_limit};
use crate::event::{Judgement, Measurements, Opinion, TestResult, UnjudgedReason};
use crate::limits::{seconds, seconds_short};
use crate::problem::{CasePoints, Expectation};
use crate::reason::Reason;
use crate::verdict::Verdict;

/// The origin of a result.
pub enum Origin {
    /// It was measured in this run.
    Executed,
    /// It was measured several times: the CPU times in order, and whether the program was stopped each time.
    Repeated(Vec<(Duration, bool)>),
    /// It was measured in an earlier run.
    Earlier,
}

/// The result of a test for which a fault prevented a judgement.
impl From<Fault> for TestResult {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Cancelled => Self::Cancelled,
            Fault::Judge(JudgeError { kind, message }) => {
                let overdue = matches!(kind, JudgeErrorKind::Overdue | JudgeErrorKind::GivenUp);
                Self::JudgeError { message, overdue }
            }
        }
    }
}

/// Builds the result of a test for a submission with this expectation. `files` is the directory with its kept files.
pub fn result_of(
    case: &Case,
    judged: JudgedExecution,
    origin: Origin,
    expectation: &Expectation,
    files: Option<PathBuf>,
) -> TestResult {
    let outcome = as_judged(&judged.outcome, &case.limits);
    let killed = outcome.killed.is_some();
    let mut measured = Measurements::new(outcome.usage, killed, matches!(origin, Origin::Earlier));
    measured.time_limit = Some(case.limits.time).filter(|limit| *limit != case.usual_time);
    if judged.is_unanswered(case) {
        return TestResult::NotJudged { reason: UnjudgedReason::NoAnswer, measured, files };
    }
    if judged.is_slowed_by_sanitizers() {
        return TestResult::NotJudged { reason: UnjudgedReason::SlowedBySanitizers, measured, files: None };
    }
    let score = match case.points_for(&judged.assessment) {
        Ok(score) => score,
        Err(error) => return TestResult::fault(error.message),
    };
    let Assessment { rejection, standstill, mut remarks, difference, feedback, others, pass: _ } = judged.assessment;
    let (verdict, reason) = rejection.unwrap_or((Verdict::Accepted, Reason::Nothing));
    let reason = match standstill {
        Some(why) => reason.at_standstill(why),
        None => reason,
    };
    measured.reason = Some(reason.clone()).filter(|reason| reason.to_string() != reason.without_figures());
    if !expectation.permits(verdict) {
        remarks.extend(case.remark(verdict));
    }
    let agrees =
        |other: &Opinion| other.verdict.is_some_and(|theirs| case.ruleset.agrees(verdict, other.judge, theirs));
    let others = if others.iter().all(agrees) { Vec::new() } else { others };
    match origin {
        Origin::Repeated(times) => {
            let near = near_time_limit(&outcome, &case.limits);
            measured.remark = Some(of_several(&times, case.limits.time, verdict, near));
            measured.times = times.into_iter().map(|(time, _)| time).collect();
        }
        _ if verdict == Verdict::Accepted && near_time_limit(&outcome, &case.limits) => {
            measured.remark = Some("near the time limit".to_owned());
        }
        _ => {}
    }
    let is_compared = verdict == Verdict::WrongAnswer && case.problem.output_judges().next().is_none();
    TestResult::Judged(Arc::new(Judgement {
        verdict,
        reason,
        remarks,
        checker: is_compared.then_some(case.checker),
        difference,
        feedback: feedback.message,
        team_message: feedback.team_message,
        score,
        others,
        files,
        measured,
    }))
}

/// The remark on the CPU times of several executions near or over a limit. `near`: whether the one that counts is near it.
fn of_several(times: &[(Duration, bool)], limit: Duration, verdict: Verdict, near: bool) -> String {
    let over = times.iter().filter(|(time, killed)| *time > limit || *killed).count();
    let figure = |(time, killed): &(Duration, bool)| format!("{}{}", if *killed { ">" } else { "" }, seconds(*time));
    let list: Vec<String> = times.iter().map(figure).collect();
    let figures = format!("{} of {}", list.join(", "), seconds_short(limit));
    let runs = times.len();
    if over > 0 && (over < runs || verdict != Verdict::TimeLimit) {
        format!("flaky: {figures}")
    } else if near || over == 0 {
        format!("near the time limit in {runs} runs: {figures}")
    } else {
        format!("over time in {runs} runs: {figures}")
    }
}

/// Builds the result of a static validator with this name on the sources of a submission, for a test with these points.
pub fn judge_sources(checked: ValidatorAnswer, worth: CasePoints, name: &str) -> TestResult {
    let ValidatorAnswer { decision, feedback, reason } = checked;
    let (verdict, reason) = match decision {
        Decision::Accept => (Verdict::Accepted, Reason::Nothing),
        Decision::Reject => {
            let reason = reason.unwrap_or_else(|| "rejected by the static validator".to_owned());
            (Verdict::WrongAnswer, reason.into())
        }
    };
    let score = match points_of(worth, verdict, &feedback) {
        Ok(score) => score,
        Err(error) => return TestResult::fault(format!("{name}: {error}")),
    };
    let Feedback { message: feedback, team_message, .. } = feedback;
    TestResult::Judged(Arc::new(Judgement {
        verdict,
        reason,
        remarks: Vec::new(),
        difference: None,
        checker: None,
        feedback,
        team_message,
        score,
        others: Vec::new(),
        files: None,
        measured: Measurements::default(),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_on_both_sides_of_the_limit_are_flaky() {
        // Stopped runs end at 1500 ms.
        let said = |times: &[u64]| {
            let quickest = times.iter().min().copied().unwrap();
            let verdict = if quickest > 1000 { Verdict::TimeLimit } else { Verdict::Accepted };
            let times: Vec<_> = times.iter().map(|ms| (Duration::from_millis(*ms), *ms >= 1500)).collect();
            of_several(&times, Duration::from_secs(1), verdict, quickest > 900 && quickest < 1100)
        };
        assert_eq!(said(&[1500, 400]), "flaky: >1.500 s, 0.400 s of 1 s");
        assert_eq!(said(&[1500, 1300, 1500]), "over time in 3 runs: >1.500 s, 1.300 s, >1.500 s of 1 s");
        assert_eq!(said(&[1020, 970, 960]), "flaky: 1.020 s, 0.970 s, 0.960 s of 1 s");
        assert_eq!(said(&[970, 1300]), "flaky: 0.970 s, 1.300 s of 1 s");
        assert_eq!(said(&[1020, 1030, 1040]), "near the time limit in 3 runs: 1.020 s, 1.030 s, 1.040 s of 1 s");
        assert_eq!(said(&[1000, 800]), "near the time limit in 2 runs: 1.000 s, 0.800 s of 1 s");
    }
}
