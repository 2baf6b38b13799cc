//! Runs the references of problems on their own tests before a class is judged. Tests that reject their own reference
//! would take points away from students who are right.

use std::sync::Arc;

use anyhow::Result;

use super::inner_progress::Follower;
use super::{Role, RunEnd, Session};
use crate::config::JudgeChoice;
use crate::diagnostic::Diagnostic;
use crate::event::{Standing, Verb};
use crate::plan::{Plan, PlannedProblem};
use crate::problem::{Problem, Reference};
use crate::record::SubmissionReport;
use crate::verdict::Verdict;
use crate::workspace::Workspace;
use crate::workspace::ending::EarlyEnd;

/// Returns a warning for each of these problems whose reference is rejected, or has a judge error. Results that the store knows are
/// not measured again. A problem without a reference, or whose reference cannot be judged, has no warning here: judging the
/// students shows why.
///
/// # Errors
/// The run cannot start or was interrupted.
pub(crate) fn rejected_references<'p>(
    workspace: &Workspace,
    problems: impl Iterator<Item = &'p PlannedProblem>,
) -> Result<Vec<Diagnostic>> {
    let mut plan = Plan::default();
    for planned in problems {
        let problem = &planned.problem;
        let Some(Reference::Chosen(at)) = problem.reference else { continue };
        // Its expectation may permit a rejection.
        let Some(reference) = problem.submissions.get(at).filter(|own| own.expectation.wants_all_accepted()) else {
            continue;
        };
        plan.add(Arc::clone(problem), |_| true, [(reference.clone(), false)]);
    }
    if plan.submissions.is_empty() {
        return Ok(Vec::new());
    }
    let mut workspace = workspace.clone();
    workspace.settings.judge = JudgeChoice::Auto;
    workspace.settings.sanitize = false;
    let follower = Follower::new(workspace.listener(), |id| format!("the reference of {}", id.problem));
    let session = Session::new(workspace, Role::Inner(Verb::Run), None, Vec::new(), plan);
    let problems = session.plan.problems.clone();
    let RunEnd { report, signal } = session.conduct(vec![Box::new(follower)])?;
    if let Some(signal) = signal {
        return Err(EarlyEnd::Interrupted(signal).into());
    }
    let warning_of = |planned: &PlannedProblem| {
        let own = report.submissions[planned.submissions.clone()].first()?;
        warning(&planned.problem, own)
    };
    Ok(problems.iter().filter_map(warning_of).collect())
}

fn warning(problem: &Problem, own: &SubmissionReport) -> Option<Diagnostic> {
    let place = own.failure().map(|failure| format!(" {}", failure.test.test)).unwrap_or_default();
    // Reports for students show the first line, and must not name a hidden test.
    let what = match (own.standing(), own.verdict()) {
        (Some(Standing::JudgeError { message }), _) => {
            format!("has a judge error, as all submissions may have:\n{message}")
        }
        (_, None | Some(Verdict::Accepted)) => return None,
        (_, Some(verdict)) => format!("gets {}: right submissions may be rejected too", verdict.code()),
    };
    let word = problem.reference_word();
    let message = format!("its {word} {} {what}", own.id.submission);
    let remedy = format!("correct the test{place} or the {word}, then judge again: grader run {}", problem.id);
    Some(Diagnostic::warning(&problem.dir, message).remedy(remedy).of(&problem.id))
}
