//! Measures the time limits of packages that state none. It runs the package's own submissions before anything is
//! judged.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;

use super::bounds::{Bound, UP_TO, bound, bounding_below};
use super::completion::{CompletedPlan, completed};
use super::inner_progress::Follower;
use super::{Role, RunEnd, Session};
use crate::config::{JudgeChoice, Settings};
use crate::diagnostic::{Diagnostic, Severity};
use crate::event::{Standing, Verb};
use crate::limits::{seconds, seconds_short};
use crate::making::MadeTests;

use crate::plan::{Plan, PlannedProblem};
use crate::problem::{Distances, Problem, ProblemId, Timing};
use crate::record::{Report, SubmissionReport};
use crate::report::text::count;
use crate::ruleset::Ruleset;
use crate::score::time_limit::Side;
use crate::workspace::Workspace;
use crate::workspace::ending::EarlyEnd;

/// For each problem without a stated time limit, the source of its limit, in words.
pub(crate) type LimitsFrom = BTreeMap<ProblemId, String>;

/// A plan whose every problem has a time limit.
pub(crate) struct DerivedLimits {
    /// The plan, without the problems that got no time limit.
    pub(crate) plan: Plan,
    /// The source of each derived time limit.
    pub(crate) from: LimitsFrom,
    /// Diagnostics about time limits, and about tests without files.
    pub(crate) found: Vec<Diagnostic>,
    /// The directories of made tests; valid as long as this lives.
    pub(crate) made: Vec<MadeTests>,
}

/// Gives each problem of the plan the files of its tests and its time limit. If the limit depends on submissions of the package, each of them runs
/// on every test, whatever was selected. Times that the store knows are not measured again.
pub(crate) fn time_limits(workspace: &Workspace, plan: Plan) -> Result<DerivedLimits> {
    let CompletedPlan { plan, found, made } = completed(workspace, plan)?;
    let is_open = |at: &usize| follows(workspace, &plan.problems[*at].problem);
    let open: Vec<usize> = (0..plan.problems.len()).filter(is_open).collect();
    let mut derived = DerivedLimits { plan, from: LimitsFrom::new(), found, made };
    let mut problems: Vec<Arc<Problem>> = Vec::new();
    let every_judge = workspace.settings.judge == JudgeChoice::All;
    for at in &open {
        let planned = &mut derived.plan.problems[*at];
        if let Some((time, from)) = workspace.unstated_limits.known.get(&planned.problem.id) {
            planned.problem = with_limit(&planned.problem, *time);
            derived.from.insert(planned.problem.id.clone(), from.clone());
        }
        let problem = &planned.problem;
        if problem.ruleset().time_limit().is_some() {
            let from = format!("is the default of {} if a problem states none", problem.ruleset());
            derived.from.insert(problem.id.clone(), from);
        }
        let unknown = |ruleset: &Ruleset| problem.unstated_time(*ruleset).is_none();
        let own = problem.ruleset();
        let asked = Ruleset::OF_PACKAGES.into_iter().filter(|judge| every_judge && *judge != own);
        let judges = asked.chain([own]);
        if judges.clone().any(|judge| unknown(&judge)) && !problems.iter().any(|other| other.dir == problem.dir) {
            problems.push(Arc::clone(problem));
        }
    }
    if problems.is_empty() {
        return Ok(derived);
    }
    if workspace.unstated_limits.never_measured {
        let found = |problem: &Arc<Problem>| {
            let message = "states no time limit, and each part of the run would measure its own";
            let remedy = "fix it for all parts with `grader plan --out plan.json`, and add `--plan plan.json`; or give \
                          a limit: --time-limit";
            Diagnostic::error(problem.dir.join("problem.yaml"), message).remedy(remedy).of(&problem.id)
        };
        workspace.tell_found(&problems.iter().map(found).collect::<Vec<_>>());
        return Err(EarlyEnd::Refused.into());
    }
    let mut gone = BTreeSet::new();
    for (problem, limit) in problems.iter().zip(measure(workspace, &problems)?) {
        let of_it = |planned: &PlannedProblem| planned.problem.dir == problem.dir;
        match limit {
            Ok(Limit { time, from, found }) => {
                derived.from.entry(problem.id.clone()).or_insert(from);
                derived.found.extend(found);
                for planned in derived.plan.problems.iter_mut().filter(|planned| of_it(planned)) {
                    planned.problem = with_limit(&planned.problem, time);
                }
            }
            Err(error) => {
                let at = derived.plan.problems.iter().enumerate().filter(|(_, planned)| of_it(planned));
                gone.extend(at.map(|(at, _)| at));
                derived.found.push(*error);
            }
        }
    }
    if !gone.is_empty() {
        derived.plan = without(&derived.plan, &gone);
    }
    Ok(derived)
}

/// Returns the problem with its time limit, for commands that run its programs by hand. The limit is that of `grader
/// run`. If none can be derived yet, for example without cases, a program may take as long as a measured test.
pub(crate) fn time_limit_of(workspace: &Workspace, problem: &Arc<Problem>) -> Result<Arc<Problem>> {
    let mut plan = Plan::default();
    plan.add(Arc::clone(problem), |_| true, []);
    let above = workspace.settings.origins.time_limit.outranks_problem();
    let derived = if problem.groups.is_empty() && problem.timing.is_some() && !above {
        let file = problem.dir.join("problem.yaml");
        let found = Diagnostic::error(file, "states no time limit, and there are no cases to derive one from");
        DerivedLimits {
            plan: Plan::default(),
            from: LimitsFrom::new(),
            found: vec![found.of(&problem.id)],
            made: Vec::new(),
        }
    } else {
        time_limits(workspace, plan)?
    };
    let DerivedLimits { plan, from, found, .. } = derived;
    let Some(planned) = plan.problems.into_iter().next() else {
        let most = seconds_short(UP_TO);
        let mut found = found;
        if found.iter().any(Diagnostic::is_judge_error) {
            workspace.tell_found(&found);
            return Err(EarlyEnd::JudgeError.into());
        }
        for found in &mut found {
            found.severity = Severity::Warning;
            found.message = format!("{}; until then a program may take {most}", found.message);
        }
        workspace.tell_found(&found);
        return Ok(Arc::new(Problem { timing: Some(Timing { derived: Some(UP_TO) }), ..Problem::clone(problem) }));
    };
    workspace.tell_found(&found);
    if let (Some(from), Some(group)) = (from.get(&problem.id), planned.problem.groups.first()) {
        let limit = seconds_short(workspace.settings.limits_for(&planned.problem, group, "").time);
        let message = format!("time limit {limit} {from}");
        workspace.tell(&Diagnostic::new(Severity::Info, message).of(&problem.id));
    }
    Ok(planned.problem)
}

/// Whether the time limit of a problem depends on its submissions, and is not known yet.
pub(crate) fn lacks_time_limit(workspace: &Workspace, problem: &Problem) -> bool {
    follows(workspace, problem) && problem.unstated_time(problem.ruleset()).is_none()
}

/// Whether a problem has no effective time limit yet.
fn follows(workspace: &Workspace, problem: &Problem) -> bool {
    let above = workspace.settings.origins.time_limit.outranks_problem();
    problem.timing.is_some() && !above && problem.groups.iter().any(|group| group.limits.time.is_none())
}

fn with_limit(problem: &Problem, time: Duration) -> Arc<Problem> {
    Arc::new(Problem { timing: Some(Timing { derived: Some(time) }), ..problem.clone() })
}

fn without(plan: &Plan, gone: &BTreeSet<usize>) -> Plan {
    let mut left = Plan { problems: Vec::new(), submissions: Vec::new(), ..*plan };
    for (at, planned) in plan.each_problem().filter(|(at, _)| !gone.contains(&at.0)) {
        left.add_part(plan, at, &planned.submissions().collect::<Vec<_>>(), |_| true);
    }
    left
}

/// A time limit that follows from submissions.
struct Limit {
    time: Duration,
    from: String,
    found: Vec<Diagnostic>,
}

/// Runs the submissions that bound the limits from below. Returns the limit of each problem, or why it has none.
fn measure(workspace: &Workspace, problems: &[Arc<Problem>]) -> Result<Vec<Result<Limit, Box<Diagnostic>>>> {
    let mut plan = Plan { all_tests: true, ..Plan::default() };
    for problem in problems {
        let mut generous = (**problem).clone();
        generous.limits.time = Some(UP_TO);
        generous.timing = None;
        generous.distances = Distances::default();
        plan.add(
            Arc::new(generous),
            |_| true,
            bounding_below(problem).into_iter().map(|submission| (submission, false)),
        );
    }
    let of = if problems.len() == 1 { "1 problem states" } else { &format!("{} problems state", problems.len()) };
    let submissions = count(plan.submissions.len(), "submission");
    let most = seconds_short(UP_TO);
    let message = format!("{of} no time limit: measuring {submissions} first, up to {most} a test");
    workspace.tell(&Diagnostic::new(Severity::Info, message));
    let ids: Vec<ProblemId> = problems.iter().map(|problem| problem.id.clone()).collect();
    let follower = Follower::new(workspace.listener(), move |id| {
        let at = ids.iter().position(|known| *known == id.problem).unwrap_or(0) + 1;
        format!("time limits, problem {at} of {} · {}/{}", ids.len(), id.problem, id.submission)
    });
    let planned = plan.problems.clone();
    // `--lang` does not apply to the package's own submissions.
    let mut workspace = workspace.clone();
    workspace.settings.judge = JudgeChoice::Auto;
    workspace.settings.sanitize = false;
    workspace.settings.measure_up_to(UP_TO);
    let settings = workspace.settings.clone();
    let session = Session::new(workspace, Role::Inner(Verb::Run), None, Vec::new(), plan);
    let RunEnd { report, signal } = session.conduct(vec![Box::new(follower)])?;
    if let Some(signal) = signal {
        return Err(EarlyEnd::Interrupted(signal).into());
    }
    let limit = |(problem, planned): (&Arc<Problem>, &PlannedProblem)| {
        let reports = &report.submissions[planned.submissions.clone()];
        if let Some(found) = judge_error(problem, &report, reports) {
            return Err(Box::new(found));
        }
        limit_of(&settings, problem, reports).map_err(|(message, remedy)| {
            let path = problem.dir.join("problem.yaml");
            Box::new(Diagnostic::error(path, message).remedy(remedy).of(&problem.id))
        })
    };
    Ok(problems.iter().zip(&planned).map(limit).collect())
}

/// The judge error that keeps a problem from having a time limit: the notice with its cause, such as the compiler's words
/// about a validator, else the message of the first submission that met it.
fn judge_error(problem: &Problem, report: &Report, submissions: &[SubmissionReport]) -> Option<Diagnostic> {
    let (submission, message) = submissions.iter().find_map(|summary| match summary.standing() {
        Some(Standing::JudgeError { message }) => Some((&summary.id.submission, message)),
        _ => None,
    })?;
    let is_cause =
        |notice: &&Diagnostic| notice.severity == Severity::JudgeError && notice.problem.as_ref() == Some(&problem.id);
    let found = if let Some(cause) = report.notices.iter().find(is_cause) {
        Diagnostic { path: cause.path.clone().or_else(|| Some(problem.dir.clone())), ..cause.clone() }
    } else {
        let message = format!("its time limit cannot be derived: {submission}: {message}");
        Diagnostic::new(Severity::JudgeError, message).about(problem.dir.join("problem.yaml"))
    };
    Some(found.of(&problem.id))
}

/// Derives the limit from the measured times. The error has the message and the remedy.
fn limit_of(
    settings: &Settings,
    problem: &Problem,
    submissions: &[SubmissionReport],
) -> Result<Limit, (String, &'static str)> {
    const STATE_ONE: &str = "state limits.time_limit, or give one: --time-limit";
    let mut slowest: Option<Bound> = None;
    let mut found = Vec::new();
    for submission in submissions {
        let name = &submission.id.submission;
        if let Some(Standing::NotJudged { reason }) = submission.standing() {
            let message = format!("its time limit is derived without {name}, which may be slower: {reason}");
            found.push(Diagnostic::warning(&problem.dir, message).of(&problem.id));
        }
        let Some(bound) = bound(settings, submission, Side::Within) else { continue };
        // The factors of language and machine will be applied to the limit again, so the time must be without them.
        let time = bound.unstretched();
        if bound.killed || time > UP_TO {
            let message = format!("its time limit cannot be derived: {name} takes more than {}", seconds_short(UP_TO));
            return Err((message, STATE_ONE));
        }
        if slowest.as_ref().is_none_or(|other| other.unstretched() < time) {
            slowest = Some(bound);
        }
    }
    let Some(bound) = slowest else {
        let message = "states no time limit, and there is no accepted submission to derive one from";
        return Err((message.to_owned(), "add one to submissions/accepted, or give a limit: --time-limit"));
    };
    let distances = problem.distances;
    let factor = bound.factor;
    let limit = distances.limit(bound.unstretched(), None);
    let time = limit.map_err(|error| (error.to_string(), STATE_ONE))?;
    let stretched = if (factor - 1.0).abs() < 1e-9 { String::new() } else { format!(" / {factor}") };
    let from = format!(
        "derived: slowest accepted {} {}{stretched} × {}",
        bound.submission,
        seconds(bound.time),
        distances.ac_to_time_limit
    );
    Ok(Limit { time, from, found })
}
