//! Checks whether problems are sound: their data, validators, submissions and time limits.
//!
//! [`verify`] runs every validator on every case, on corrupted cases and on junk, and every submission on every case.
//! Each defect becomes a [`Finding`] with a [`Code`]. `code`, `guesses`, `corrupt`, `junk`, `partner` and `byte_check` are
//! pure.
//!
//! Its files:
//!
//! - `data`, `cases`: the files of a problem
//! - `validation`, `bad_data`, `validators`: validators, and the data that they must reject
//! - `reach`: the bounds that validators declare and no case reaches
//! - `answers`, `guesses`: answers that a program could guess
//! - `bad_partners`: interactors with partners that misbehave
//! - `submissions`: submissions against their labels
//! - `coverage`: the lines of accepted submissions that no case executes
//! - `sanitizers`: the reports of sanitizers about generators and submissions
//! - `judges`: the validators that are asked
//! - `totals`, `document`, `page`: the summary, the JSON and the page of all findings

mod answers;
mod bad_data;
mod bad_partners;
pub(crate) mod byte_check;
mod cases;
pub(crate) mod code;
pub(crate) mod corrupt;
mod coverage;
mod data;
pub(crate) mod document;
mod guesses;
pub(crate) mod judges;
pub(crate) mod junk;
mod mutants;
pub(crate) mod page;
pub(crate) mod partner;
pub(crate) mod problem_findings;
pub(crate) mod reach;
mod sanitizers;
mod steps;
mod submissions;
pub(crate) mod totals;
mod validation;
pub(crate) mod validators;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Result, bail};

use crate::diagnostic::Diagnostic;
use crate::engine::bench::Bench;

pub(crate) use crate::diagnostic::Severity;
use crate::problem::Problem;
use crate::report::text::count;
use crate::session::archives::UnpackedArchives;
use crate::session::completion::{CompletedProblems, completed_problems};
use crate::session::select::{Choice, ChosenPlan, Programs, choose};
use crate::session::slot::by_hand;
use crate::workspace::Workspace;
use crate::workspace::ending::EarlyEnd;
use bad_data::{Pace, Trials};
pub(crate) use code::{Code, CodeError, Finding};
use problem_findings::ProblemFindings;
use steps::Steps;

/// Which problems to verify, and how thoroughly.
#[derive(Debug, Clone)]
pub(crate) struct Scope<'a> {
    /// Problems, globs, paths or archives; an empty list selects all.
    pub selection: &'a [String],
    /// Findings with these codes are counted but not reported.
    pub allow: &'a [Code],
    /// Time limit for each kind of robustness test: corrupted cases, junk, hostile partners.
    pub try_time: Duration,
    /// Whether to skip the submissions.
    pub data_only: bool,
    /// Whether to build validators, generators and accepted submissions with sanitizers.
    pub sanitize: bool,
    /// Whether to look for lines of accepted submissions that no case executes.
    pub coverage: bool,
}

/// Verifies problems one after the other, and calls `each` with every result as soon as it is known.
///
/// # Errors
/// No problem is selected ([`EarlyEnd::Refused`]; the listener has the reasons), the sandbox does not work, a signal
/// arrived, or `each` fails.
pub(crate) fn verify(
    workspace: &Workspace,
    scope: &Scope<'_>,
    mut each: impl FnMut(&ProblemFindings) -> Result<()>,
) -> Result<Vec<ProblemFindings>> {
    // The temporary directories must last as long as the verification.
    let mut unpacked = UnpackedArchives::new(&workspace.start, scope.selection)?;
    let (problems, found) = find(workspace, &unpacked.words)?;
    let CompletedProblems { problems, found: missing, made } = completed_problems(workspace, problems)?;
    unpacked.archives.know(&made);
    let found = [found, missing].concat();
    if problems.is_empty() && found.is_empty() {
        bail!("no problem was found\n  → go to a folder with a solver and `.in` files, or below a grader.toml");
    }
    if problems.is_empty() && found.iter().all(|found| found.problem.is_none()) {
        workspace.tell_found(&found);
        return Err(EarlyEnd::Refused.into());
    }
    let dirs: Vec<PathBuf> = problems.iter().map(|problem| problem.dir.clone()).collect();
    let mut all_results = problem_findings::open(workspace, &unpacked.archives, problems, &found, scope.allow);
    if dirs.is_empty() {
        all_results.iter().try_for_each(each)?;
        return Ok(all_results);
    }
    let mut done = 0;
    let mut built = workspace.clone();
    built.settings.sanitize = scope.sanitize;
    let ended = by_hand(&built, dirs.iter().map(PathBuf::as_path), |bench| {
        all_results.iter_mut().try_for_each(|results| {
            examine(workspace, bench, results, scope)?;
            done += 1;
            each(results)
        })
    });
    if let Err(error) = &ended
        && let Some(EarlyEnd::Interrupted(_)) = error.downcast_ref::<EarlyEnd>()
    {
        tell_interrupted(workspace, &all_results, done);
    }
    ended.map(|()| all_results)
}

/// Says how far the verification came before a signal ended it.
fn tell_interrupted(workspace: &Workspace, all_results: &[ProblemFindings], done: usize) {
    let unfinished =
        all_results.get(done).map(|results| format!(", {} is unfinished", results.name)).unwrap_or_default();
    let message = format!("{done} of {} verified{unfinished}", count(all_results.len(), "problem"));
    workspace.tell(&Diagnostic::new(Severity::Warning, message));
}

/// The selected problems, and the diagnostics from reading them. Each word is selected separately, so that an
/// unreadable problem does not prevent checks of the others.
fn find(workspace: &Workspace, selection: &[String]) -> Result<(Vec<Arc<Problem>>, Vec<Diagnostic>)> {
    let mut problems = Vec::<Arc<Problem>>::new();
    let mut all = Vec::new();
    let words: Vec<&[String]> = if selection.is_empty() { vec![selection] } else { selection.chunks(1).collect() };
    for selection in words {
        let choice = Choice::problems(workspace, selection, Programs::Refused);
        let ChosenPlan { plan, found } = choose(workspace, &choice)?;
        for planned in plan.problems {
            if !problems.iter().any(|known| known.dir == planned.problem.dir) {
                problems.push(planned.problem);
            }
        }
        let new: Vec<Diagnostic> = found.into_iter().filter(|found| !all.contains(found)).collect();
        all.extend(new);
    }
    Ok((problems, all))
}

/// Runs all checks of one problem.
fn examine(
    workspace: &Workspace,
    bench: &mut Bench<'_>,
    results: &mut ProblemFindings,
    scope: &Scope<'_>,
) -> Result<()> {
    let Some(problem) = results.problem.clone() else { return Ok(()) };
    let steps = Steps::new(workspace.listener(), problem.id.as_str());
    data::check(results, &problem, bench.resources);
    answers::check(results, &problem, bench.resources);
    let judges = judges::Judges::build(bench, results, &problem, &workspace.languages)?;
    let sound = cases::check(bench, results, &problem, &judges, &steps);
    validation::check(bench, results, &problem, &judges, &workspace.languages, &steps);
    reach::check(bench, results, &problem, &judges, &sound, &steps)?;
    let pace = Pace { steps: &steps, time: scope.try_time };
    let mut trials = Trials { bench, results, problem: &problem, judges: &judges, sound: &sound, pace };
    bad_data::inputs(&mut trials)?;
    bad_data::outputs(&mut trials)?;
    bad_partners::check(&mut trials)?;
    if scope.sanitize {
        sanitizers::generators(bench, results, &problem, &steps)?;
    }
    mutants::check(workspace, &bench.resources.store, results, &problem)?;
    if !scope.data_only && !judges.lacks_output_validator() {
        // The submissions use the builds in the store, so the store must be flushed first.
        bench.resources.store.flush();
        submissions::check(workspace, results, &problem)?;
        if scope.sanitize {
            sanitizers::submissions(workspace, results, &problem)?;
        }
        if scope.coverage {
            coverage::check(bench, results, &problem, &judges, &sound, &steps)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
