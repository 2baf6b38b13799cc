//! Runs generators and accepted submissions under sanitizers. Validators run under them in all other checks.

use std::collections::BTreeSet;
use std::fs::File;
use std::sync::Arc;

use anyhow::{Context as _, Result};

use crate::compile::{Build, BuildOrder};
use crate::diagnostic::{Diagnostic, Severity};
use crate::engine::bench::Bench;
use crate::event::{Standing, TestFinished, TestResult, UnjudgedReason, Verb};
use crate::judge::Fault;
use crate::package::generators::{Command, Generators, Shape};
use crate::plan::Plan;
use crate::problem::{Problem, WorkFiles};
use crate::record::SubmissionReport;
use crate::report::text::{quote, quote_option};
use crate::session::derived_limits::{DerivedLimits, time_limits};
use crate::session::inner_progress::Follower;
use crate::session::sanitize::Sanitizable;
use crate::session::{Role, RunEnd, Session};
use crate::verify::problem_findings::ProblemFindings;
use crate::verify::steps::Steps;
use crate::verify::{Code, Finding};
use crate::workspace::Workspace;
use crate::workspace::ending::EarlyEnd;

/// Runs every command of the list of generators once.
pub(crate) fn generators(
    bench: &mut Bench<'_>,
    results: &mut ProblemFindings,
    problem: &Problem,
    steps: &Steps,
) -> Result<()> {
    // `grader gen` reports errors of the list.
    let Some((generators, _)) = Generators::read(&problem.dir, Shape::of(problem)) else { return Ok(()) };
    let mut seen = BTreeSet::new();
    let commands = generators.recipes.iter().filter_map(|recipe| recipe.command.as_ref());
    let commands: Vec<&Command> = commands.filter(|command| seen.insert(command.shown(command.seed))).collect();
    steps.step("generators", commands.len());
    let mut failed = BTreeSet::new();
    for command in commands {
        // One report of a program is enough.
        if !failed.contains(&command.program)
            && let Some(finding) = generator(bench, &generators, command)?
        {
            failed.insert(command.program.clone());
            results.report(finding);
        }
        steps.done();
    }
    Ok(())
}

/// Runs a generator. Returns the finding if a sanitizer ends it, or if it cannot be run; `grader gen` reports all other
/// failures.
fn generator(bench: &mut Bench<'_>, generators: &Generators, command: &Command) -> Result<Option<Finding>> {
    let Ok(found) = generators.program(&command.program) else { return Ok(None) };
    let limits = bench.resources.validation_limits();
    let entry_point = found.entry_point.as_deref();
    let problem = Some(generators.dir());
    let order = BuildOrder { entry_point, problem, ..BuildOrder::new(&found.program, limits.kill.memory) };
    let built = bench.build(&order);
    if let Build::NotJudged(reason) = &built {
        let finding = Finding::new(Code::NotChecked, format!("not run under sanitizers: {reason}"));
        return Ok(Some(finding.at_any(found.program.path())));
    }
    let Some(artifact) = built.artifact().filter(|artifact| artifact.sanitized.is_some()) else { return Ok(None) };
    let null = File::open("/dev/null").context("cannot open /dev/null")?;
    let arguments: Vec<_> = command.arguments(command.seed).iter().map(Into::into).collect();
    let ran = bench.runner(None).execute(artifact, &arguments, &WorkFiles::default(), &limits, &null);
    let ran = match ran.map_err(Fault::from) {
        Ok(execution) => execution.unless_cancelled(),
        Err(fault) => Err(fault),
    };
    Ok(match ran {
        Ok(ran) => ran.rejection.filter(|(_, reason)| reason.is_of_sanitizer()).map(|(_, reason)| {
            let message = format!("{}: {reason}", command.shown(command.seed));
            let finding = Finding::new(Code::SanitizerReport, message).remedy("fix the generator");
            finding.at_any(found.program.path())
        }),
        Err(Fault::Cancelled) => return Err(EarlyEnd::JudgeError.into()),
        Err(Fault::Judge(error)) => Some(Finding::new(Code::JudgeError, error.to_string())),
    })
}

/// Runs the accepted submissions in languages with sanitizers on every case.
pub(crate) fn submissions(workspace: &Workspace, results: &mut ProblemFindings, problem: &Arc<Problem>) -> Result<()> {
    // Plainly built input validators are done with the inputs, and so are those with sanitizers.
    let unchecked = Problem { input_validators: Vec::new(), ..Problem::clone(problem) };
    let mut plan = Plan { all_tests: true, ..Plan::default() };
    plan.add(Arc::new(unchecked), |_| true, problem.submissions.iter().map(|submission| (submission.clone(), false)));
    let narrowed = Sanitizable::of(workspace, &plan, false, None);
    if let Some(remark) = narrowed.remark() {
        workspace.tell(&Diagnostic::new(Severity::Info, format!("sanitizers: {remark}")).of(&problem.id));
    }
    // The check of all submissions has reported what is wrong with a time limit.
    let DerivedLimits { plan, .. } = time_limits(workspace, narrowed.plan)?;
    if plan.submissions.is_empty() {
        return Ok(());
    }
    let submissions = plan.submissions.clone();
    let mut workspace = workspace.clone();
    workspace.settings.sanitize = true;
    let name = problem.id.to_string();
    let follower = Follower::new(workspace.listener(), move |_| format!("{name}: submissions under sanitizers"));
    let session = Session::new(workspace.clone(), Role::Inner(Verb::Run), None, Vec::new(), plan);
    let RunEnd { report, signal } = session.conduct(vec![Box::new(follower)])?;
    if let Some(signal) = signal {
        return Err(EarlyEnd::Interrupted(signal).into());
    }
    let word = results.word(&workspace, true).unwrap_or_default();
    for (planned, summary) in submissions.iter().zip(&report.submissions) {
        if let Some(finding) = finding_about(summary, &word) {
            results.report(finding.at_any(planned.submission.program.path()));
        }
    }
    Ok(())
}

fn is_slowed(test: &TestFinished) -> bool {
    matches!(test.result, TestResult::NotJudged { reason: UnjudgedReason::SlowedBySanitizers, .. })
}

/// The finding about a submission that fails under sanitizers. `word` selects its problem in a command.
fn finding_about(submission: &SubmissionReport, word: &str) -> Option<Finding> {
    let name = quote(submission.id.submission.as_str());
    let again = |test: &str| format!("see the details: grader run {word} --sanitize -s {name}{test}");
    let standing = submission.standing()?;
    if let (Standing::Met | Standing::NotJudged { .. }, Some(test)) =
        (standing, submission.unanswered.first().filter(|test| is_slowed(test)))
    {
        let message =
            format!("under sanitizers: {} is {}", test.test.test, UnjudgedReason::SlowedBySanitizers.as_str());
        return Some(Finding::new(Code::SubmissionNotJudged, message));
    }
    match standing {
        Standing::Met | Standing::Interrupted => None,
        Standing::NotJudged { reason } => {
            Some(Finding::new(Code::SubmissionNotJudged, format!("under sanitizers: not judged: {reason}")))
        }
        Standing::JudgeError { message } => {
            Some(Finding::new(Code::JudgeError, format!("under sanitizers: {message}")).remedy(again("")))
        }
        Standing::Missed { why } => {
            let failure = submission.failure()?;
            let test = failure.test.test.as_str();
            let (code, message) = match &failure.result {
                TestResult::Judged(judgement) if judgement.reason.is_of_sanitizer() => {
                    (Code::SanitizerReport, format!("on {test}: {}", judgement.full_reason()))
                }
                _ => (Code::SubmissionUnexpected, format!("under sanitizers: {why} on {test}")),
            };
            Some(Finding::new(code, message).remedy(again(&format!(" {}", quote_option("-t", test)))))
        }
    }
}
