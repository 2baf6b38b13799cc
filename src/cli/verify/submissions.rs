//! Every submission on every case: is each what its author says, how far is it from the time limit, and what is each case
//! good for.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Result;

use super::dossier::{Dossier, Kills, Margin, Margins, is_sample};
use super::progress::Progress;
use crate::cli::arguments::Setup;
use crate::cli::exit::{Ended, ExitStatus};
use crate::cli::session::{Conducted, Role, Session};
use crate::event::{BuildResult, Standing, TestResult, Verb};
use crate::limits::{seconds, seconds_short};
use crate::plan::{Plan, PlannedProblem};
use crate::problem::{Problem, ProblemKind, Submission};
use crate::report::text::quote;
use crate::report::{Report, SubmissionReport, TestSummary};
use crate::score::time_limit::Bounding;
use crate::verdict::Verdict;
use crate::verify::kills::uses;
use crate::verify::{Code, Finding};

/// Runs them all, and tells.
pub(super) fn check(setup: &Setup, dossier: &mut Dossier, problem: &Arc<Problem>, progress: &Progress) -> Result<()> {
    if problem.submissions.is_empty() {
        return Ok(());
    }
    // Every input has been asked about.
    let unchecked = Problem { input_validators: Vec::new(), ..Problem::clone(problem) };
    let mut plan = Plan { all_tests: true, ..Plan::default() };
    let submissions = problem.submissions.iter().enumerate();
    plan.add(
        Arc::new(unchecked),
        |_| true,
        submissions.map(|(at, submission)| (submission.clone(), problem.reference == Some(at))),
    );
    progress.step("submissions", plan.executions());
    let planned = plan.problems[0].clone();
    let session = Session::new(setup.clone(), Role::Inner(Verb::Run), None, Vec::new(), plan);
    let Conducted { report, signal } = session.conduct(vec![progress.reporter()])?;
    if let Some(signal) = signal {
        return Err(Ended(ExitStatus::Interrupted(signal)).into());
    }
    let word = dossier.word(setup, true).unwrap_or_default();
    for (submission, run) in problem.submissions.iter().zip(&report.runs) {
        if let Some(finding) = standing(problem, &word, submission, run) {
            dossier.report(finding);
        }
    }
    if problem.kind != ProblemKind::SubmitAnswer {
        margins(setup, dossier, &planned, &problem.submissions, &report);
    }
    kills(dossier, &planned, &problem.submissions, &report);
    Ok(())
}

/// What is wrong with how a submission stands. `word` chooses the problem in a command.
fn standing(problem: &Problem, word: &str, submission: &Submission, run: &SubmissionReport) -> Option<Finding> {
    let (code, why) = match run.standing.as_ref()? {
        Standing::Met | Standing::Interrupted => return None,
        Standing::Missed { why } => {
            // The first failure is told where it is what was not expected.
            let on = run.failure.as_ref().and_then(|failure| match &failure.result {
                TestResult::Judged(judgement) if why.ends_with(judgement.verdict.code()) => {
                    Some(format!(" on {}: {}", failure.test.test, judgement.full_reason()))
                }
                _ => None,
            });
            (Code::SubmissionUnexpected, format!("{why}{}", on.unwrap_or_default()))
        }
        Standing::NotJudged { reason } => (Code::SubmissionNotJudged, format!("not judged: {reason}")),
        Standing::JudgeError { message } => (Code::JudgeError, message.clone()),
    };
    let submission_word = quote(submission.id.as_str());
    let finding = Finding::new(code, why).remedy(format!("look at it: grader run {word} -s {submission_word}"));
    Some(Finding { path: path_of(problem, submission), ..finding })
}

/// Where a submission is; answers that are submitted are not one program.
fn path_of(problem: &Problem, submission: &Submission) -> Option<PathBuf> {
    let answers = || problem.dir.join("submissions").join(submission.id.as_str());
    submission.program.path().map(Into::into).or_else(|| submission.program.is_outputs().then(answers))
}

fn failed(test: &TestSummary) -> bool {
    test.verdict.is_some_and(|verdict| verdict != Verdict::Accepted)
}

/// How far the times of submissions are from the limits of their tests.
fn margins(
    setup: &Setup,
    dossier: &mut Dossier,
    planned: &PlannedProblem,
    submissions: &[Submission],
    report: &Report,
) {
    let timing = planned.problem.timing;
    let distances = timing.map(|timing| timing.distances).unwrap_or_default();
    let nearest = |bounding: &Bounding, run: &SubmissionReport| {
        let Some(BuildResult::Ready { language, .. }) = &run.built else { return None };
        let margin = |test: &TestSummary| {
            let group = planned.test(test.ordinal as usize)?.group();
            let limits = setup.settings.limits_for(&planned.problem, group, language);
            // What was ended by the clock on the wall has taken as long as what is ended by its cpu time.
            let time = if test.killed { test.cpu().max(limits.kill_time) } else { test.cpu() };
            Some(Margin {
                submission: run.run.submission.to_string(),
                test: planned.names[test.ordinal as usize].to_string(),
                time,
                limit: limits.time,
                killed: test.killed,
                safe: true,
            })
        };
        // What an interactor had rejected before it was ended has no time of its own.
        let has_time = |test: &&TestSummary| !test.killed || test.verdict == Some(Verdict::TimeLimit);
        let covered = |test: &&TestSummary| bounding.covers(planned.names[test.ordinal as usize].as_str());
        run.tests
            .iter()
            .filter(has_time)
            .filter(covered)
            .filter_map(margin)
            .max_by(|one, other| one.ratio().total_cmp(&other.ratio()))
    };
    let met = || submissions.iter().zip(&report.runs).filter(|(_, run)| run.standing == Some(Standing::Met));
    let accepted_only = planned.problem.only_accepted_bound_its_time();
    let quick =
        met().filter_map(|(submission, run)| nearest(&Bounding::below(&submission.expectation, accepted_only)?, run));
    let slow = met().filter_map(|(submission, run)| nearest(&Bounding::above(&submission.expectation)?, run));
    let mut slowest = quick.max_by(|one, other| one.ratio().total_cmp(&other.ratio()));
    let mut fastest = slow.min_by(|one, other| one.ratio().total_cmp(&other.ratio()));
    let remedy = match dossier.word(setup, false) {
        Some(word) => format!("measure: grader time-limit {word}"),
        None => "measure: unpack it, then grader time-limit and its folder".to_owned(),
    };
    if let Some(slowest) = &mut slowest {
        slowest.safe = distances.is_above(slowest.limit, slowest.time);
        if !slowest.safe {
            let share = match distances.ac_to_time_limit {
                2.0 => "half".to_owned(),
                other => format!("the limit divided by {other}"),
            };
            let message = format!("{}, which is more than {share}", told(slowest));
            dossier.report(Finding::new(Code::TimeLimitTight, message).remedy(&remedy));
        }
    }
    if let Some(fastest) = &mut fastest {
        fastest.safe = distances.is_below(fastest.limit, fastest.time);
        if !fastest.safe {
            let message =
                format!("{}, which is less than {} times as much", told(fastest), distances.time_limit_to_tle);
            dossier.report(Finding::new(Code::TimeLimitLoose, message).remedy(&remedy));
        }
    }
    if slowest.is_some() || fastest.is_some() {
        dossier.margins = Some(Margins { slowest, fastest });
    }
}

fn told(margin: &Margin) -> String {
    let Margin { submission, test, time, limit, .. } = margin;
    format!("{submission} takes {} on {test} of a limit of {}", seconds(*time), seconds_short(*limit))
}

/// Which submissions each case kills, and whether some of them survive all that is secret.
fn kills(dossier: &mut Dossier, planned: &PlannedProblem, submissions: &[Submission], report: &Report) {
    let counts: Vec<bool> =
        (0..planned.tests.len()).map(|at| planned.test(at).is_some_and(|test| !is_sample(test.group()))).collect();
    let doomed = |(submission, run): &(&Submission, &SubmissionReport)| {
        !submission.expectation.wants_all_accepted() && !run.tests.is_empty()
    };
    let doomed: Vec<(&Submission, &SubmissionReport)> = submissions.iter().zip(&report.runs).filter(doomed).collect();
    let fails = |case: usize, of: usize| doomed[of].1.test_at(case).is_some_and(failed);
    let uses = uses(counts.len(), doomed.len(), fails, |case| counts[case]);
    for (of, (submission, _)) in doomed.iter().enumerate() {
        let killers: Vec<usize> = (0..counts.len()).filter(|case| fails(*case, of)).collect();
        if let Some(first) = killers.first().filter(|_| killers.iter().all(|case| !counts[*case])) {
            let message = format!("fails on samples alone, first on {}", planned.names[*first]);
            let finding = Finding::new(Code::KilledBySampleOnly, message);
            let finding =
                finding.remedy("add a secret case that it fails on: whoever looks at the samples gets past them");
            let path = path_of(&planned.problem, submission);
            dossier.report(Finding { path, ..finding });
        }
    }
    dossier.kills = Some(Kills {
        submissions: doomed.iter().map(|(submission, _)| submission.id.to_string()).collect(),
        cases: planned.names.iter().map(ToString::to_string).collect(),
        uses,
        counts,
    });
}
