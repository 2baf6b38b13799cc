//! Executes the work of one slot: builds, validates, runs and judges, one job at a time (blocking).

use std::collections::BTreeMap;
use std::fs::File;
use std::path::PathBuf;
use std::sync::Arc;

use super::bench::Bench;
use super::recall::{Memory, Stamps};
use super::result::finish;
use super::schedule::Role;
use super::{Context, failure_files, recall};
use crate::compile::{Artifact, Build, BuildOrder};
use crate::diagnostic::{Diagnostic, Severity};
use crate::error_chain;
use crate::event::{BuildResult, GraderFault, ProblemIndex, SubmissionIndex, TestIndex, TestResult, ToolFacts};
use crate::judge::validator::ValidatorError;
use crate::judge::{Case, Fault, JudgedExecution, Origin, Response, near_time_limit};
use crate::problem::grading::{Grade, Grader};
use crate::problem::{CaseInput, JudgingProgram, Problem, ProblemKind, Program, Scoring, Test, TestId, named};
use crate::sandbox::{ControlGroups, Kill, Sandbox};
use crate::score::grading::Question;
use crate::store::Key;

/// The most executions of a test near its time limit, including the first.
const MOST_EXECUTIONS: usize = 3;

/// The executor of one slot.
pub(super) struct Executor<'a> {
    pub(super) context: &'a Context,
    pub(super) bench: Bench<'a>,
}

/// The result of a test that ran beside others.
pub(super) enum FirstLook {
    /// The result.
    Clear(TestResult),
    /// The time is so near the limit that the test must run again, alone. Holds the result of the first execution.
    Near(Box<JudgedExecution>),
    /// The test is clearly over time, unless other programs disturbed it. The second value is stored if the result
    /// stands.
    Over(Box<TestResult>, Option<Box<Memory>>),
}

/// The build order of a submission.
pub(super) fn order_of(context: &Context, submission: SubmissionIndex) -> BuildOrder<'_> {
    let planned = &context.plan.submissions[submission];
    let problem = &context.plan.problems[planned.problem].problem;
    let wanted = context.language.as_deref();
    let memory = context.resources.memory_for(problem, &planned.submission, wanted);
    BuildOrder::submission(problem, &planned.submission, memory).in_language(wanted)
}

/// The finished builds of a submission and of the programs that judge it.
pub(super) struct Programs {
    pub(super) own: Arc<Build>,
    pub(super) output_validators: Vec<Arc<Build>>,
    pub(super) static_validator: Option<Arc<Build>>,
}

/// The name of a validator or grader in messages.
fn title(role: Role, problem: &Problem) -> &'static str {
    match role {
        Role::OutputValidator(..) if problem.unit_tests().is_some() => "the file of unit tests",
        Role::Grader(_) => "the grader",
        Role::StaticValidator(_) => "the static validator",
        _ => "the output validator",
    }
}

/// Returns the result of a submission's build, given the builds of its judges; none if the run was cancelled.
pub(super) fn build_result(
    context: &Context,
    submission: SubmissionIndex,
    own: &Build,
    judges: &[(Role, Arc<Build>)],
) -> Option<BuildResult> {
    let planned = &context.plan.submissions[submission];
    // A broken validator is reported before one that this machine cannot run.
    let rank = |build: &Build| match build {
        Build::Cancelled => 0,
        Build::CompileError(_) | Build::Failed(_) => 1,
        Build::NotJudged(_) | Build::NoDriver { .. } => 2,
        Build::Ready(_) => 3,
    };
    let worst = judges.iter().min_by_key(|(_, build)| rank(build));
    let problem = &context.plan.problems[planned.problem].problem;
    let who = worst.map(|(role, _)| title(*role, problem)).unwrap_or_default();
    Some(match (own, worst.map(|(_, build)| &**build)) {
        (Build::CompileError(message), _) => BuildResult::CompileError { message: message.clone() },
        (Build::NotJudged(reason), _) => BuildResult::NotJudged { reason: reason.clone(), advice: String::new() },
        (Build::NoDriver { reason, advice }, _) => {
            BuildResult::NotJudged { reason: reason.clone(), advice: advice.clone() }
        }
        (Build::Failed(message), _) => BuildResult::Failed { message: message.clone() },
        (Build::Cancelled, _) | (_, Some(Build::Cancelled)) => return None,
        (Build::Ready(_), Some(Build::NotJudged(reason) | Build::NoDriver { reason, .. })) => {
            BuildResult::NotJudged { reason: format!("grader cannot run {who}: {reason}"), advice: String::new() }
        }
        (Build::Ready(_), Some(Build::CompileError(_))) => {
            BuildResult::Failed { message: format!("{who} does not compile") }
        }
        (Build::Ready(_), Some(Build::Failed(message))) => {
            BuildResult::Failed { message: format!("grader cannot build {who}: {message}") }
        }
        (Build::Ready(artifact), Some(Build::Ready(_)) | None) => {
            let resources = &context.resources;
            let limits = problem.groups.first().map(|group| resources.limits_for(problem, group, &artifact.language));
            let limits = limits.map(|limits| limits.with_time_factor(planned.time_factor));
            BuildResult::Ready {
                language: artifact.language.clone(),
                version: artifact.version.clone(),
                time_limit: limits.map_or(resources.settings.time_limit, |limits| limits.time),
                measured: ToolFacts { place: artifact.place.clone() },
            }
        }
    })
}

/// Returns the notice about the build of a program, if there is one.
pub(super) fn build_notice(context: &Context, role: Role, build: &Build) -> Option<Diagnostic> {
    match (role, build) {
        (Role::Submission(submission), Build::Ready(artifact)) => replaced_notice(context, submission, artifact),
        (Role::Submission(_), _) => None,
        _ => judge_notice(context, role, build),
    }
}

/// Returns a notice if files of the problem replace files of a submission.
fn replaced_notice(context: &Context, submission: SubmissionIndex, artifact: &Artifact) -> Option<Diagnostic> {
    let planned = &context.plan.submissions[submission];
    let problem = &context.plan.problems[planned.problem].problem;
    // Files that grader itself puts beside a solution, such as a `go.mod` for unit tests, are not in the problem's folder.
    let folder = |code: &str| problem.dir.join("include").join(code);
    let own = problem.additions.include.iter().flat_map(|(code, included)| {
        let is_own = included.dir.starts_with(&problem.dir);
        included.files.iter().filter(move |file| is_own || folder(code).join(file).is_file())
    });
    let own: Vec<&PathBuf> = own.collect();
    let is_own = |name: &&PathBuf| own.iter().any(|own| own.starts_with(name) || name.starts_with(own));
    let replaced: Vec<&PathBuf> = artifact.replaced.iter().filter(is_own).collect();
    let [first, more @ ..] = &replaced[..] else { return None };
    let more = if more.is_empty() { String::new() } else { format!(" and {} more", more.len()) };
    let message = format!("{}{more}: replaced by the file of this name in include/", first.display());
    let notice = Diagnostic::new(Severity::Warning, message).about_any(planned.submission.program.path());
    Some(notice.of(&problem.id))
}

/// Returns the notice about the build of a validator, if there is one.
fn judge_notice(context: &Context, role: Role, build: &Build) -> Option<Diagnostic> {
    let (problem, program) = match role {
        Role::OutputValidator(index, n) => {
            let problem = &context.plan.problems[index].problem;
            (problem, &problem.output_judges().nth(n)?.program)
        }
        Role::StaticValidator(index) => {
            let problem = &context.plan.problems[index].problem;
            (problem, problem.static_validator.as_ref()?)
        }
        Role::Grader(index) => {
            let problem = &context.plan.problems[index].problem;
            (problem, problem.grader()?)
        }
        Role::InputValidator(index, n) => {
            let problem = &context.plan.problems[index].problem;
            (problem, &problem.input_validators.get(n)?.program)
        }
        Role::Submission(_) => return None,
    };
    let (severity, message, remedy) = match build {
        Build::Ready(_) | Build::Cancelled => return None,
        Build::CompileError(words) => (
            Severity::JudgeError,
            format!("does not compile:\n{words}"),
            match role {
                Role::Grader(_) => "fix the grader",
                Role::OutputValidator(..) if problem.unit_tests().is_some() => "fix the tests",
                _ => "fix the validator",
            },
        ),
        Build::NotJudged(reason) | Build::NoDriver { reason, .. } => match role {
            Role::InputValidator(..) => {
                (Severity::Warning, format!("cannot be run, so grader does not check inputs with it: {reason}"), "")
            }
            _ => (Severity::Warning, format!("cannot be run: {reason}"), ""),
        },
        Build::Failed(message) => (Severity::JudgeError, format!("cannot be built: {message}"), ""),
    };
    let place = match role {
        Role::OutputValidator(..) => problem.unit_tests().or(program.path()),
        _ => program.path(),
    };
    Some(Diagnostic::new(severity, message).about_any(place).of(&problem.id).remedy(remedy))
}

impl<'a> Executor<'a> {
    pub(super) fn new(context: &'a Context, sandbox: Box<dyn Sandbox + 'a>, slot: usize) -> Self {
        let core = context.cores.get(slot).copied();
        Self { context, bench: Bench::new(&context.resources, sandbox, core) }
    }

    /// Returns the control groups of the slot, and what they lack.
    pub(super) fn control_groups(&self) -> Vec<ControlGroups> {
        self.bench.control_groups()
    }

    /// Builds a program of the plan.
    pub(super) fn build(&mut self, role: Role) -> Build {
        let context = self.context;
        let resources = &context.resources;
        let plan = &context.plan;
        let order = match role {
            Role::Submission(submission) => Some(order_of(context, submission)),
            Role::StaticValidator(index) => {
                let problem = &plan.problems[index].problem;
                let memory = resources.output_validation_limits(problem).kill.memory;
                problem.static_validator.as_ref().map(|program| BuildOrder::validator(problem, program, memory))
            }
            Role::OutputValidator(index, n) => {
                let problem = &plan.problems[index].problem;
                let memory = resources.output_validation_limits(problem).kill.memory;
                problem.output_judges().nth(n).map(|judge| BuildOrder::judge(problem, judge, memory))
            }
            Role::Grader(index) => {
                let problem = &plan.problems[index].problem;
                let memory = resources.validation_limits().kill.memory;
                problem.grader().map(|program| BuildOrder::validator(problem, program, memory))
            }
            Role::InputValidator(index, n) => {
                let problem = &plan.problems[index].problem;
                let memory = resources.validation_limits().kill.memory;
                problem.input_validators.get(n).map(|judge| BuildOrder::judge(problem, judge, memory))
            }
        };
        order.map_or_else(|| Build::Failed("no such program".to_owned()), |order| self.bench.build(&order))
    }

    /// Checks a case's input with every validator that could be built.
    pub(super) fn validate(
        &mut self,
        problem: ProblemIndex,
        ordinal: TestIndex,
        builds: &[Arc<Build>],
    ) -> Vec<Diagnostic> {
        let planned = &self.context.plan.problems[problem];
        let Some(Test::Case(group, case)) = planned.test(ordinal) else { return Vec::new() };
        let CaseInput { setting, path: input, .. } = group.case_input(case);
        let mut notices = Vec::new();
        for (build, JudgingProgram { program, .. }) in builds.iter().zip(&planned.problem.input_validators) {
            let Build::Ready(artifact) = &**build else { continue };
            let name = planned.problem.name_of(program);
            let arguments = setting.arguments.of_validator(program);
            let validator = self.context.resources.data_validator(&name, artifact, &arguments, &setting.work.files);
            let (severity, message) = match self.bench.check_input(&validator, &input) {
                // The overrun that made grader give up the validator was reported when it happened.
                Ok(Response::Accepts) | Err(ValidatorError::Cancelled | ValidatorError::GivenUp { .. }) => continue,
                Ok(Response::Rejects(words)) if words.is_empty() => {
                    (Severity::Error, format!("rejected by {name}, which prints no message"))
                }
                Ok(Response::Rejects(words)) => (Severity::Error, format!("rejected by {name}: {words}")),
                Err(error @ ValidatorError::Overdue { .. }) => (
                    Severity::JudgeError,
                    format!("{}; grader does not run it on the other inputs", error_chain(&error)),
                ),
                Err(error) => (Severity::JudgeError, error_chain(&error)),
            };
            let notice = Diagnostic::new(severity, message).about(&input).of(&planned.problem.id);
            notices.push(notice.remedy("fix the case or the validator"));
        }
        notices
    }

    /// Runs and validates one test, as often as the settings say. The first result that is not AC counts, else the
    /// slowest.
    pub(super) fn test(&mut self, submission: SubmissionIndex, ordinal: TestIndex, programs: &Programs) -> FirstLook {
        let Build::Ready(artifact) = &*programs.own else { return FirstLook::Clear(not_built()) };
        let planned = &self.context.plan.problems[self.context.plan.submissions[submission].problem];
        if let Some(Test::Static(group, stated)) = planned.test(ordinal) {
            let judge = programs.static_validator.as_deref().and_then(Build::artifact);
            return FirstLook::Clear(self.statically(submission, group, stated, artifact, judge));
        }
        let Some(case) = self.context.case(submission, ordinal, artifact) else { return FirstLook::Clear(not_built()) };
        let validators = artifacts(&programs.output_validators);
        if let Program::Outputs(files) = &self.context.plan.submissions[submission].submission.program {
            return FirstLook::Clear(self.handed_in(submission, ordinal, &case, files, &validators));
        }
        let mut worst: Option<JudgedExecution> = None;
        let settings = &self.context.resources.settings;
        let times = settings.repeat.max(1);
        let measures = settings.measures;
        let mut accepted = 0;
        for _ in 0..times {
            let before = Stamps::of(&case);
            let judged = match self.once(&case, artifact, &validators) {
                Ok(judged) => judged,
                Err(result) => return FirstLook::Clear(*result),
            };
            // If the settings ask for several executions, no further ones are added.
            if times == 1 && !measures && judged.time_decides(&case) {
                return FirstLook::Near(Box::new(judged));
            }
            if let Err(error) = case.points_for(&judged.assessment) {
                return FirstLook::Clear(TestResult::fault(error.message));
            }
            accepted += u32::from(judged.assessment.rejection.is_none());
            let memory = recall::memory(&self.context.resources, &case, artifact, &validators, &judged, &before);
            if times == 1 && judged.is_doubtful() {
                let result = finish(self.context, submission, ordinal, &case, judged, Origin::Executed);
                return FirstLook::Over(Box::new(result), memory.map(Box::new));
            }
            if let Some(memory) = memory {
                memory.keep(&self.context.resources);
            }
            let slower = |old: &JudgedExecution| judged.outcome.usage.cpu > old.outcome.usage.cpu;
            if worst.as_ref().is_none_or(|old| {
                old.assessment.rejection.is_none() && (judged.assessment.rejection.is_some() || slower(old))
            }) {
                worst = Some(judged);
            }
        }
        FirstLook::Clear(match worst {
            Some(mut judged) if accepted > 0 && accepted < times => {
                judged.assessment.remarks.push(format!("flaky: accepted {accepted} of {times} times"));
                finish(self.context, submission, ordinal, &case, judged, Origin::Executed)
            }
            Some(judged) => finish(self.context, submission, ordinal, &case, judged, Origin::Executed),
            None => TestResult::fault("grader did not run the test".to_owned()),
        })
    }

    /// Runs a test again whose first execution ended near the time limit, until one is clearly off the limit. Call it
    /// while nothing else runs. The quickest execution counts, because disturbance can only add time. None is stored,
    /// because the next one may differ.
    pub(super) fn again(
        &mut self,
        submission: SubmissionIndex,
        ordinal: TestIndex,
        programs: &Programs,
        first: JudgedExecution,
    ) -> TestResult {
        let Build::Ready(artifact) = &*programs.own else { return not_built() };
        let Some(case) = self.context.case(submission, ordinal, artifact) else { return not_built() };
        let validators = artifacts(&programs.output_validators);
        let mut times = vec![first.time()];
        let mut best = first;
        while times.len() < MOST_EXECUTIONS {
            let judged = match self.once(&case, artifact, &validators) {
                Ok(judged) => judged,
                Err(result) => return *result,
            };
            let clear = !near_time_limit(&judged.outcome, &case.limits);
            times.push(judged.time());
            if judged.is_quicker(&best) {
                best = judged;
            }
            if clear {
                break;
            }
        }
        finish(self.context, submission, ordinal, &case, best, Origin::Repeated(times))
    }

    /// Runs a test again that was over time and must be accepted, until it is within the limit. Call it while nothing
    /// else runs. The quickest execution counts. One within the limit is not stored, because the test is flaky.
    pub(super) fn look(
        &mut self,
        submission: SubmissionIndex,
        ordinal: TestIndex,
        programs: &Programs,
        first: TestResult,
    ) -> TestResult {
        let (Build::Ready(artifact), TestResult::Judged(judgement)) = (&*programs.own, &first) else { return first };
        let Some(case) = self.context.case(submission, ordinal, artifact) else { return first };
        let validators = artifacts(&programs.output_validators);
        let mut times = vec![(judgement.measured.cpu, judgement.measured.killed)];
        let mut best: Option<(JudgedExecution, Stamps)> = None;
        while times.len() < MOST_EXECUTIONS {
            let before = Stamps::of(&case);
            let judged = match self.once(&case, artifact, &validators) {
                Ok(judged) => judged,
                Err(result) => return *result,
            };
            times.push(judged.time());
            let is_over = judged.is_over_time();
            if best.as_ref().is_none_or(|(best, _)| judged.is_quicker(best)) {
                best = Some((judged, before));
            }
            if !is_over {
                break;
            }
        }
        let Some((best, before)) = best else { return first };
        if best.is_over_time() {
            let resources = &self.context.resources;
            let memory = recall::memory(resources, &case, artifact, &validators, &best, &before);
            if let Some(memory) = memory {
                memory.confirmed().keep(resources);
            }
        } else {
            failure_files::clear_test(self.context, submission, ordinal);
        }
        finish(self.context, submission, ordinal, &case, best, Origin::Repeated(times))
    }

    /// Judges the submitted output of a test. A missing output is not judged, except in problems whose submissions are
    /// outputs.
    fn handed_in(
        &mut self,
        index: SubmissionIndex,
        ordinal: TestIndex,
        case: &Case,
        files: &BTreeMap<TestId, PathBuf>,
        validators: &[&Artifact],
    ) -> TestResult {
        let planned = &self.context.plan.problems[self.context.plan.submissions[index].problem];
        let Some(file) = files.get(&planned.names[ordinal]) else {
            if case.problem.kind != ProblemKind::SubmitAnswer {
                return TestResult::missing();
            }
            // In such a problem the file is the submission. Without a file, nothing was submitted for this test.
            let judged = JudgedExecution::unanswered();
            return finish(self.context, index, ordinal, case, judged, Origin::Executed);
        };
        let submission = Key::of("outputs").field("run", index.to_string()).finish();
        let output = File::open(file).map_err(|error| Fault::other(format!("{}: {error}", named(file))));
        match output.and_then(|output| self.bench.runner(Some(submission)).judge_output(case, output, validators)) {
            Ok(judged) if judged.outcome.killed == Some(Kill::Cancelled) => TestResult::Cancelled,
            Ok(judged) => finish(self.context, index, ordinal, case, judged, Origin::Executed),
            Err(fault) => fault.into(),
        }
    }

    /// Asks the grader from the package about a group; none if that was cancelled.
    pub(super) fn grade(
        &mut self,
        submission: SubmissionIndex,
        question: &Question,
        grader: Option<&Build>,
    ) -> Option<Result<Grade, GraderFault>> {
        let problem = &self.context.plan.problems[self.context.plan.submissions[submission].problem].problem;
        let (Some(Scoring::Graded(grading)), Some(program), Some(artifact)) =
            (&problem.scoring, problem.grader(), grader.and_then(Build::artifact))
        else {
            return Some(Err(GraderFault("not built".to_owned())));
        };
        let arguments = match &grading.groups[question.group].grader {
            Grader::Own(arguments) => &arguments[..],
            Grader::Default(_) => &[],
        };
        let name = problem.name_of(program);
        let grader = self.context.resources.data_validator(&name, artifact, arguments, &[]);
        match self.bench.grade(&grader, &question.results) {
            Err(ValidatorError::Cancelled) => None,
            said => Some(said.map_err(|error| GraderFault(error_chain(&error)))),
        }
    }

    /// Runs a program once and judges it. An error is the result of the test: an internal fault, or the run was
    /// cancelled.
    fn once(
        &mut self,
        case: &Case,
        artifact: &Artifact,
        validators: &[&Artifact],
    ) -> Result<JudgedExecution, Box<TestResult>> {
        match self.bench.runner(Some(artifact.key)).judge(case, artifact, validators) {
            Ok(judged) if judged.outcome.killed == Some(Kill::Cancelled) => Err(Box::new(TestResult::Cancelled)),
            Ok(judged) => Ok(judged),
            Err(fault) => Err(Box::new(fault.into())),
        }
    }
}

/// Returns the runnable programs of some builds. Tests are handed out only if every build is runnable.
fn artifacts(builds: &[Arc<Build>]) -> Vec<&Artifact> {
    builds.iter().filter_map(|build| build.artifact()).collect()
}

pub(super) fn not_built() -> TestResult {
    TestResult::fault("not built".to_owned())
}
