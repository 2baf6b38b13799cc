//! Completes the problems of a plan before it runs: makes the inputs and answers that their packages lack.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use anyhow::Result;

use super::slot::by_hand;
use crate::diagnostic::{Diagnostic, Severity, TextPosition};
use crate::making::MadeTests;
use crate::making::program::Fault;
use crate::making::{CompletedProblem, Counts, FailedTest, complete, is_needed};
use crate::plan::{Plan, PlannedProblem};
use crate::problem::{Problem, TestId};
use crate::report::text::count;
use crate::workspace::Workspace;
use crate::workspace::ending::{EarlyEnd, fault};
use crate::workspace::listener::Progress;

/// A plan whose every test has its files.
pub(crate) struct CompletedPlan {
    /// The plan, without the tests that have no files.
    pub(crate) plan: Plan,
    /// Diagnostics about tests that have no files.
    pub(crate) found: Vec<Diagnostic>,
    /// The directories of the files; valid as long as this lives.
    pub(crate) made: Vec<MadeTests>,
}

/// Problems whose every test has its files.
pub(crate) struct CompletedProblems {
    /// The problems.
    pub(crate) problems: Vec<Arc<Problem>>,
    /// Diagnostics about tests that have no files.
    pub(crate) found: Vec<Diagnostic>,
    /// The directories of the files; valid as long as this lives.
    pub(crate) made: Vec<MadeTests>,
}

/// Completes the problems of a plan. Only the tests of the plan get their files.
///
/// # Errors
/// The sandbox does not work, or a signal came.
pub(crate) fn completed(workspace: &Workspace, plan: Plan) -> Result<CompletedPlan> {
    let mut completed = CompletedPlan { plan, found: Vec::new(), made: Vec::new() };
    for at in 0..completed.plan.problems.len() {
        let planned = &completed.plan.problems[at];
        if planned.problem.recipes.is_empty() {
            continue;
        }
        let names = Arc::clone(&planned.names);
        let tests: BTreeSet<&TestId> = names.iter().collect();
        let problem = Arc::clone(&planned.problem);
        let made = one(workspace, &problem, &tests)?;
        tell(workspace, &problem, made.counts);
        completed.found.extend(findings(&problem, &made.failed));
        completed.made.extend(made.made);
        let failed: BTreeSet<&TestId> = made.failed.iter().map(|failed| &failed.id).collect();
        completed.plan = with_problem(&completed.plan, at, made.problem, &failed);
    }
    Ok(completed)
}

/// Completes problems for a command that reads the files of all their tests itself. Their other tests are left out.
///
/// # Errors
/// As for [`completed`].
pub(crate) fn completed_problems(workspace: &Workspace, problems: Vec<Arc<Problem>>) -> Result<CompletedProblems> {
    let mut plan = Plan::default();
    for problem in problems {
        plan.add(problem, |_| true, []);
    }
    let CompletedPlan { plan, found, made } = completed(workspace, plan)?;
    let with_files = |planned: &PlannedProblem| {
        let names: BTreeSet<&TestId> = planned.names.iter().collect();
        if names.len() == planned.problem.test_count() {
            return Arc::clone(&planned.problem);
        }
        let mut problem = Problem::clone(&planned.problem);
        for at in 0..problem.groups.len() {
            let group = problem.groups[at].clone();
            problem.groups[at].cases.retain(|case| names.contains(&group.id_of(case)));
        }
        Arc::new(problem)
    };
    Ok(CompletedProblems { problems: plan.problems.iter().map(with_files).collect(), found, made })
}

/// Completes one problem.
fn one(workspace: &Workspace, problem: &Arc<Problem>, tests: &BTreeSet<&TestId>) -> Result<CompletedProblem> {
    if !is_needed(problem, tests) {
        let problem = Arc::new(Problem { recipes: problem.recipes.clone().used(), ..Problem::clone(problem) });
        return Ok(CompletedProblem { problem, counts: Counts::default(), failed: Vec::new(), made: None });
    }
    let listener = workspace.listener();
    // The output of sanitizers must not become part of a test.
    let mut plain = workspace.clone();
    plain.settings.sanitize = false;
    listener.progress(Progress::Begins(Some(tests.len())));
    let mut begun = false;
    let made = by_hand(&plain, [&*problem.dir], |bench| {
        let made = complete(bench, problem, tests, |test| {
            if begun {
                listener.progress(Progress::Done);
            }
            begun = true;
            listener.progress(Progress::Doing(&format!("making tests · {}/{test}", problem.id)));
        });
        made.map_err(|failed| match failed {
            Fault::Cancelled => EarlyEnd::JudgeError.into(),
            Fault::Package { message, .. } | Fault::Broken(message) => fault(message),
        })
    });
    listener.progress(Progress::Ends);
    made
}

/// Says how many files were made or changed, if any.
fn tell(workspace: &Workspace, problem: &Problem, counts: Counts) {
    let Counts { inputs, answers, converted } = counts;
    let note = |message: String| workspace.tell(&Diagnostic::new(Severity::Info, message).of(&problem.id));
    let made: Vec<String> = [(inputs, "input"), (answers, "answer")]
        .into_iter()
        .filter(|(n, _)| *n > 0)
        .map(|(n, what)| count(n, what))
        .collect();
    if !made.is_empty() {
        note(format!("made {} by its own programs", made.join(" and ")));
    }
    if converted > 0 {
        note(format!("{} with line ends of Windows, judged with those of Linux", count(converted, "file")));
    }
}

/// The findings about tests without files: one for each reason.
fn findings(problem: &Problem, failed: &[FailedTest]) -> Vec<Diagnostic> {
    let mut by_reason: BTreeMap<(bool, &str, &str), Vec<&FailedTest>> = BTreeMap::new();
    for test in failed {
        let reason = match &test.fault {
            Fault::Package { message, remedy } => (false, message.as_str(), remedy.as_str()),
            Fault::Broken(message) => (true, message.as_str(), ""),
            Fault::Cancelled => continue,
        };
        by_reason.entry(reason).or_default().push(test);
    }
    let finding = |((is_ours, message, remedy), tests): ((bool, &str, &str), Vec<&FailedTest>)| {
        let first = tests[0];
        let command = first.command.as_ref().map(|command| format!(" (`{command}`)")).unwrap_or_default();
        let more = if tests.len() > 1 { format!(", and {} more like this", tests.len() - 1) } else { String::new() };
        let severity = if is_ours { Severity::JudgeError } else { Severity::Error };
        let message = format!("test {}{command}{more} is not judged: {message}", first.id);
        let place = (first.line > 0).then_some(TextPosition { line: first.line, column: 1 });
        let found = Diagnostic::new(severity, message).about(&problem.recipes.document).at(place).of(&problem.id);
        found.remedy(remedy)
    };
    by_reason.into_iter().map(finding).collect()
}

/// The plan with another problem in a place, without some of its tests.
fn with_problem(plan: &Plan, place: usize, problem: Arc<Problem>, without: &BTreeSet<&TestId>) -> Plan {
    let mut changed = Plan { problems: Vec::new(), submissions: Vec::new(), ..*plan };
    for (at, planned) in plan.each_problem() {
        let is_it = at.0 == place;
        let has_test = |test: &TestId| !is_it || !without.contains(test);
        changed.add_part(plan, at, &planned.submissions().collect::<Vec<_>>(), has_test);
    }
    changed.problems[place].problem = problem;
    changed
}
