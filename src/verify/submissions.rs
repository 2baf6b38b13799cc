//! Runs every submission on every case: checks expectations and time limit margins, and finds which submissions each
//! case kills.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;

use crate::event::{Standing, TestResult, Verb};
use crate::limits::{seconds, seconds_short};
use crate::plan::{Plan, PlannedProblem};
use crate::problem::{Problem, ProblemKind, Submission};
use crate::record::{Report, SubmissionReport, TestSummary, margins_of};
use crate::report::margins;
use crate::report::text::{quote, quote_option};
use crate::score::kills::uses;
use crate::score::time_limit::{Gap, TestTime};
use crate::session::derived_limits::{DerivedLimits, time_limits};
use crate::session::inner_progress::Follower;
use crate::session::{Role, RunEnd, Session};
use crate::verdict::Verdict;
use crate::verify::problem_findings::{Kills, ProblemFindings, finding_of};
use crate::verify::{Code, Finding};
use crate::workspace::Workspace;
use crate::workspace::ending::EarlyEnd;

/// Runs all submissions and reports the findings.
pub(crate) fn check(workspace: &Workspace, results: &mut ProblemFindings, problem: &Arc<Problem>) -> Result<()> {
    if problem.submissions.is_empty() {
        return Ok(());
    }
    // The inputs are already validated.
    let unchecked = Problem { input_validators: Vec::new(), ..Problem::clone(problem) };
    let mut plan = Plan { all_tests: true, ..Plan::default() };
    let submissions = problem.submissions.iter().enumerate();
    plan.add(
        Arc::new(unchecked),
        |_| true,
        submissions.map(|(at, submission)| (submission.clone(), problem.is_reference(at))),
    );
    // Use the same time limit as all other judging.
    let DerivedLimits { plan, from, found, made: _made } = time_limits(workspace, plan)?;
    for found in &found {
        results.report(finding_of(found));
    }
    let Some(planned) = plan.problems.first().cloned() else { return Ok(()) };
    let mut workspace = workspace.clone();
    // Let slow submissions run long enough to show that they are far above the limit.
    let far = planned.problem.distances.time_limit_to_tle;
    workspace.settings.time_limit_to_tle = workspace.settings.kill_factor(problem).max(far);
    let name = problem.id.to_string();
    let follower = Follower::new(workspace.listener(), move |_| format!("{name}: submissions"));
    let session = Session {
        limits_from: from,
        ..Session::new(workspace.clone(), Role::Inner(Verb::Run), None, Vec::new(), plan)
    };
    let RunEnd { report, signal } = session.conduct(vec![Box::new(follower)])?;
    if let Some(signal) = signal {
        return Err(EarlyEnd::Interrupted(signal).into());
    }
    results.disturbance = report.disturbance();
    let head = report.head.as_ref().and_then(|head| head.problems.first());
    results.limit_from = head.and_then(|head| {
        let from = head.time_limit_from.as_ref()?;
        Some(format!("{} {from}", seconds_short(head.time_limit)))
    });
    let word = results.word(&workspace, true).unwrap_or_default();
    for (submission, summary) in problem.submissions.iter().zip(&report.submissions) {
        if let Some(finding) = standing(problem, &word, submission, summary) {
            results.report(finding);
        }
    }
    if problem.kind != ProblemKind::SubmitAnswer {
        margins(&workspace, results, &report);
    }
    kills(results, &planned, &problem.submissions, &report);
    Ok(())
}

/// The finding about an unexpected or unjudged submission. `word` selects the problem in a command.
fn standing(problem: &Problem, word: &str, submission: &Submission, report: &SubmissionReport) -> Option<Finding> {
    // The test whose verdict is unexpected, which a run stops before if an earlier one fails.
    let on = report.failure().filter(|failure| failure.unexpected).map(|failure| &failure.test.test);
    let (code, why) = match report.standing()? {
        Standing::Met | Standing::Interrupted => return None,
        Standing::Missed { why } => {
            // Name the first failure only if it has the unexpected verdict.
            let on = report.failure().and_then(|failure| match &failure.result {
                TestResult::Judged(judgement) if why.got() == Some(judgement.verdict) => {
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
    // Without one, only a run of every test shows the same.
    let on = on.map_or_else(|| "-a".to_owned(), |test| quote_option("-t", test.as_str()));
    let finding =
        Finding::new(code, why).remedy(format!("see the details: grader run {word} -s {submission_word} {on}"));
    Some(finding.at_any(path_of(problem, submission)))
}

/// The path of a submission. Submitted answers have the path of their directory.
fn path_of(problem: &Problem, submission: &Submission) -> Option<PathBuf> {
    let answers = || problem.dir.join("submissions").join(submission.id.as_str());
    submission.program.path().map(Into::into).or_else(|| submission.program.is_outputs().then(answers))
}

fn failed(test: &TestSummary) -> bool {
    test.verdict.is_some_and(|verdict| verdict != Verdict::Accepted)
}

/// Reports submissions whose times are too close to the limits of their tests.
fn margins(workspace: &Workspace, results: &mut ProblemFindings, report: &Report) {
    let head = report.head.as_ref().and_then(|head| head.problems.first());
    let Some(margins) = head.and_then(|head| margins_of(head, &report.submissions)) else { return };
    let remedy = match results.word(workspace, false) {
        Some(word) => format!("measure: grader time-limit {word}"),
        None => "measure: unpack it, then grader time-limit and its folder".to_owned(),
    };
    let met = |name: &str| {
        let mut met = report.submissions.iter().filter(|submission| submission.standing() == Some(&Standing::Met));
        met.any(|submission| submission.id.submission.as_str() == name)
    };
    for (labelled, gap) in &margins.gaps {
        // Unexpected results have their own findings.
        let Some(TestTime { test, time, limit, .. }) = labelled.slowest.as_ref().filter(|_| met(&labelled.submission))
        else {
            continue;
        };
        let told = format!(
            "{} takes {} on {test} of a limit of {}",
            labelled.submission,
            seconds(*time),
            seconds_short(*limit)
        );
        let (code, message) = match gap {
            Gap::TooSlow => {
                let share = margins::share(margins.distances.ac_to_time_limit);
                (Code::TimeLimitTight, format!("{told}, which is more than {share}"))
            }
            Gap::TooFast | Gap::Passes | Gap::Unknown => {
                let times = margins.distances.time_limit_to_tle;
                (Code::TimeLimitLoose, format!("{told}, which is less than {times} × the limit"))
            }
            Gap::NotRun | Gap::Stopped(_) => continue,
        };
        results.report(Finding::new(code, message).remedy(&remedy));
    }
    results.margins = Some(margins);
}

/// Finds the submissions that each case kills, and reports those that survive all secret cases.
fn kills(results: &mut ProblemFindings, planned: &PlannedProblem, submissions: &[Submission], report: &Report) {
    let counts: Vec<bool> =
        planned.each_test().map(|at| planned.test(at).is_some_and(|test| !test.is_sample())).collect();
    let doomed = |(submission, summary): &(&Submission, &SubmissionReport)| {
        !submission.expectation.wants_all_accepted() && !summary.tests.is_empty()
    };
    let doomed: Vec<(&Submission, &SubmissionReport)> =
        submissions.iter().zip(&report.submissions).filter(doomed).collect();
    let fails = |case: usize, of: usize| doomed[of].1.test_at(case).is_some_and(failed);
    let uses = uses(counts.len(), doomed.len(), fails, |case| counts[case]);
    for (of, (submission, _)) in doomed.iter().enumerate() {
        let killers: Vec<usize> = (0..counts.len()).filter(|case| fails(*case, of)).collect();
        if let Some(first) = killers.first().filter(|_| killers.iter().all(|case| !counts[*case])) {
            let message = format!("fails only on samples, first on {}", planned.names[*first]);
            let finding = Finding::new(Code::KilledBySampleOnly, message);
            let finding = finding.remedy("add a secret case that it fails on: samples are public");
            let path = path_of(&planned.problem, submission);
            results.report(finding.at_any(path));
        }
    }
    results.kills = Some(Kills {
        submissions: doomed.iter().map(|(submission, _)| submission.id.to_string()).collect(),
        cases: planned.names.iter().map(ToString::to_string).collect(),
        times: times(counts.len(), report),
        uses,
        counts,
    });
}

/// The time of all submissions together on each case.
fn times(cases: usize, report: &Report) -> Vec<Duration> {
    let time = |case: usize| report.submissions.iter().filter_map(|of| of.test_at(case)).map(|test| test.cpu()).sum();
    (0..cases).map(time).collect()
}
