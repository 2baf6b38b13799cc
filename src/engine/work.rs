//! What one slot does: building, validating, running and judging. Blocking, one thing at a time.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::keep::{self, Kept};
use super::recall::Stamps;
use super::schedule::Role;
use super::sinks::{Compare, Spool};
use super::{Context, recall};
use crate::compile::{Artifact, Build, Compiler};
use crate::error_chain;
use crate::event::{BuildResult, Judgement, Measured, Notice, Severity, TestResult};
use crate::explain::sentence;
use crate::judge::compare::Comparison;
use crate::judge::interact::talk;
use crate::judge::validator::{Checked, Validator, ValidatorError};
use crate::judge::{Decision, Ruling, near_time_limit, rule_on_facts};
use crate::limits::{JudgeLimits, seconds, seconds_short};
use crate::plan::PlannedProblem;
use crate::problem::{Checker, Problem, ProblemKind};
use crate::sandbox::{Kill, Outcome, Place, Request, Sandbox, Side};
use crate::verdict::Verdict;

/// How often a test near its time limit is run at most, the first time included.
const MOST_RUNS: usize = 3;

/// One slot at work.
pub(super) struct Worker<'a> {
    pub(super) context: &'a Context,
    sandbox: Box<dyn Sandbox>,
    /// Where submissions run.
    core: Option<usize>,
}

/// What came of a test that was run beside others.
pub(super) enum Tested {
    /// The result.
    Clear(TestResult),
    /// It is so near the time limit that it is to be run again, alone; what the first run brought.
    Near(Judged),
}

/// Where a result comes from.
pub(super) enum Origin {
    /// It was measured now.
    Run,
    /// It was measured several times; the cpu times in order.
    Runs(Vec<Duration>),
    /// It was known from before.
    Store,
}

/// The verdict inside a result, for scheduling.
pub(super) fn verdict_of(result: &TestResult) -> Option<Verdict> {
    match result {
        TestResult::Judged(judgement) => Some(judgement.verdict),
        _ => None,
    }
}

/// What the build of a submission means for the run, given that of its output validator; none when it was cancelled.
pub(super) fn build_result(context: &Context, run: usize, own: &Build, judge: Option<&Build>) -> Option<BuildResult> {
    let planned = &context.plan.runs[run];
    Some(match (own, judge) {
        (Build::CompileError(message), _) => BuildResult::CompileError { message: message.clone() },
        (Build::NotJudged(reason), _) => BuildResult::NotJudged { reason: reason.clone() },
        (Build::Failed(message), _) => BuildResult::Failed { message: message.clone() },
        (Build::Cancelled, _) | (_, Some(Build::Cancelled)) => return None,
        (Build::Ready(_), Some(Build::NotJudged(reason))) => {
            BuildResult::NotJudged { reason: format!("the output validator cannot be run: {reason}") }
        }
        (Build::Ready(_), Some(Build::CompileError(_))) => {
            BuildResult::Failed { message: "the output validator does not compile".to_owned() }
        }
        (Build::Ready(_), Some(Build::Failed(message))) => {
            BuildResult::Failed { message: format!("the output validator cannot be built: {message}") }
        }
        (Build::Ready(artifact), Some(Build::Ready(_)) | None) => {
            let problem = &context.plan.problems[planned.problem].problem;
            let limits = problem.groups.first().map(|group| context.limits_for(problem, group, &artifact.language));
            BuildResult::Ready {
                language: artifact.language.clone(),
                version: artifact.version.clone(),
                time_limit: limits.map_or(context.settings.time_limit, |limits| limits.time),
            }
        }
    })
}

/// What there is to say about the build of a validator.
pub(super) fn judge_notice(context: &Context, role: Role, build: &Build) -> Option<Notice> {
    let (problem, program) = match role {
        Role::OutputValidator(index) => {
            let problem = &context.plan.problems[index].problem;
            (problem, problem.output_validator.as_ref()?)
        }
        Role::InputValidator(index, n) => {
            let problem = &context.plan.problems[index].problem;
            (problem, problem.input_validators.get(n)?)
        }
        Role::Submission(_) => return None,
    };
    let (severity, message, remedy) = match build {
        Build::Ready(_) | Build::Cancelled => return None,
        Build::CompileError(words) => (Severity::Error, format!("does not compile:\n{words}"), "mend the validator"),
        Build::NotJudged(reason) => (Severity::Warning, format!("cannot be run: {reason}"), ""),
        Build::Failed(message) => (Severity::JudgeError, format!("cannot be built: {message}"), ""),
    };
    Some(Notice {
        severity,
        problem: Some(problem.id.clone()),
        path: program.path().map(Path::to_owned),
        message,
        remedy: remedy.to_owned(),
    })
}

/// The files and limits of one test of one submission.
pub(super) struct Case {
    pub(super) problem: Arc<Problem>,
    pub(super) input: PathBuf,
    pub(super) answer: Option<PathBuf>,
    pub(super) checker: Checker,
    pub(super) limits: JudgeLimits,
}

impl Case {
    /// The case at a position of the plan, with the limits for a language.
    pub(super) fn of(context: &Context, planned: &PlannedProblem, ordinal: usize, artifact: &Artifact) -> Self {
        let (group, case) = planned.case(ordinal);
        let mut limits = context.limits_for(&planned.problem, group, &artifact.language);
        limits.processes = limits.processes.max(artifact.processes);
        Self {
            problem: Arc::clone(&planned.problem),
            input: group.input_of(case),
            answer: group.answer_of(case),
            checker: context.checker_for(&planned.problem, group),
            limits,
        }
    }
}

/// What one execution brought: the facts, what the judge made of them, and what is kept of it.
pub(super) struct Judged {
    pub(super) outcome: Outcome,
    pub(super) ruling: Option<Ruling>,
    pub(super) remarks: Vec<String>,
    pub(super) difference: Option<Box<crate::judge::compare::Difference>>,
    pub(super) feedback: Option<String>,
    pub(super) kept: Kept,
}

impl Judged {
    /// Whether it was run and shown only, as there is nothing to judge it by.
    fn is_unanswered(&self, case: &Case) -> bool {
        let judges = case.answer.is_some() || case.problem.kind == ProblemKind::Interactive;
        !judges && self.ruling.is_none() && self.feedback.is_none()
    }

    /// Whether the verdict hangs on a time near the limit. What is wrong anyhow stays wrong however long it takes.
    fn time_decides(&self, case: &Case) -> bool {
        let by_time = match &self.ruling {
            Some((verdict, _)) => *verdict == Verdict::TimeLimit,
            None => !self.is_unanswered(case),
        };
        by_time && near_time_limit(&self.outcome, &case.limits)
    }
}

impl<'a> Worker<'a> {
    pub(super) fn new(context: &'a Context, sandbox: Box<dyn Sandbox>, slot: usize) -> Self {
        Self { context, sandbox, core: context.cores.get(slot).copied() }
    }

    /// Builds a program of the plan.
    pub(super) fn build(&mut self, role: Role) -> Build {
        let context = self.context;
        let plan = &context.plan;
        let (problem, program, wanted) = match role {
            Role::Submission(run) => {
                let planned = &plan.runs[run];
                let problem = &plan.problems[planned.problem].problem;
                let wanted = context.language.as_deref().or(planned.submission.language.as_deref());
                (problem, Some(&planned.submission.program), wanted)
            }
            Role::OutputValidator(index) => {
                let problem = &plan.problems[index].problem;
                (problem, problem.output_validator.as_ref(), None)
            }
            Role::InputValidator(index, n) => {
                let problem = &plan.problems[index].problem;
                (problem, problem.input_validators.get(n), None)
            }
        };
        let Some(program) = program else { return Build::Failed("no such program".to_owned()) };
        let memory = match role {
            Role::Submission(_) => {
                let language = wanted.unwrap_or_default();
                let limits = problem.groups.first().map(|group| context.limits_for(problem, group, language));
                limits.map_or(context.settings.memory, |limits| limits.memory)
            }
            _ => context.validation_limits().memory,
        };
        let compiler = Compiler {
            languages: &context.languages,
            tools: &context.tools,
            store: &context.store,
            limits: context.settings.compile_limits(),
            fresh: !context.settings.cache,
            memory,
        };
        compiler.build(program, wanted, &mut *self.sandbox)
    }

    /// Checks a case's input with every validator that could be built.
    pub(super) fn validate(&mut self, problem: usize, ordinal: usize, builds: &[Arc<Build>]) -> Vec<Notice> {
        let planned = &self.context.plan.problems[problem];
        let (group, case) = planned.case(ordinal);
        let input = group.input_of(case);
        let mut notices = Vec::new();
        for (build, program) in builds.iter().zip(&planned.problem.input_validators) {
            let Build::Ready(artifact) = &**build else { continue };
            let name = program.path().map(|path| path.display().to_string()).unwrap_or_default();
            let validator = Validator { name: &name, artifact, limits: self.context.validation_limits() };
            let (severity, message) = match recall::validated(self.context, &validator, &input, &mut *self.sandbox) {
                Ok(Ok(())) | Err(ValidatorError::Cancelled) => continue,
                Ok(Err(words)) => (Severity::Error, format!("rejected by {name}: {words}")),
                Err(error) => (Severity::JudgeError, error_chain(&error)),
            };
            notices.push(Notice {
                severity,
                problem: Some(planned.problem.id.clone()),
                path: Some(input.clone()),
                message,
                remedy: "mend the case or the validator".to_owned(),
            });
        }
        notices
    }

    /// Runs and judges one test, as often as the settings want: the first result that is not AC counts, else the slowest.
    pub(super) fn test(&mut self, run: usize, ordinal: usize, own: &Build, judge: Option<&Build>) -> Tested {
        let Build::Ready(artifact) = own else { return Tested::Clear(not_built()) };
        let (case, judge) = (self.case(run, ordinal, artifact), judge.and_then(Build::artifact));
        let mut worst: Option<Judged> = None;
        let (times, mut accepted) = (self.context.settings.repeat.max(1), 0);
        for _ in 0..times {
            let before = Stamps::of(&case);
            let judged = match self.once(&case, artifact, judge) {
                Ok(judged) => judged,
                Err(result) => return Tested::Clear(*result),
            };
            // Who asks for several runs has asked for these.
            if times == 1 && judged.time_decides(&case) {
                return Tested::Near(judged);
            }
            accepted += u32::from(judged.ruling.is_none());
            recall::remember(self.context, &case, artifact, judge, &judged, &before);
            let slower = |old: &Judged| judged.outcome.usage.cpu > old.outcome.usage.cpu;
            if worst.as_ref().is_none_or(|old| old.ruling.is_none() && (judged.ruling.is_some() || slower(old))) {
                worst = Some(judged);
            }
        }
        Tested::Clear(match worst {
            Some(mut judged) if accepted > 0 && accepted < times => {
                judged.remarks.push(format!("flaky: accepted {accepted} of {times} times"));
                finish(self.context, run, ordinal, &case, judged, Origin::Run)
            }
            Some(judged) => finish(self.context, run, ordinal, &case, judged, Origin::Run),
            None => TestResult::JudgeError { message: "the test was not run".to_owned() },
        })
    }

    /// Runs a test again whose first run ended near the time limit, until one is clear; to be called while nothing else
    /// runs. Disturbance only ever adds time, so that the quickest run counts. None is remembered: the next time may
    /// bring another.
    pub(super) fn again(
        &mut self,
        run: usize,
        ordinal: usize,
        own: &Build,
        judge: Option<&Build>,
        first: Judged,
    ) -> TestResult {
        let Build::Ready(artifact) = own else { return not_built() };
        let (case, judge) = (self.case(run, ordinal, artifact), judge.and_then(Build::artifact));
        let mut times = vec![first.outcome.usage.cpu];
        let mut best = first;
        while times.len() < MOST_RUNS {
            let judged = match self.once(&case, artifact, judge) {
                Ok(judged) => judged,
                Err(result) => return *result,
            };
            let clear = !near_time_limit(&judged.outcome, &case.limits);
            times.push(judged.outcome.usage.cpu);
            if judged.outcome.usage.cpu < best.outcome.usage.cpu {
                best = judged;
            }
            if clear {
                break;
            }
        }
        finish(self.context, run, ordinal, &case, best, Origin::Runs(times))
    }

    fn case(&self, run: usize, ordinal: usize, artifact: &Artifact) -> Case {
        let planned = &self.context.plan.problems[self.context.plan.runs[run].problem];
        Case::of(self.context, planned, ordinal, artifact)
    }

    /// One execution with its judgement; an error is the result of the test: a fault of ours, or it was cancelled.
    fn once(&mut self, case: &Case, artifact: &Artifact, judge: Option<&Artifact>) -> Result<Judged, Box<TestResult>> {
        match self.judge(case, artifact, judge) {
            Ok(judged) if judged.outcome.killed == Some(Kill::Cancelled) => Err(Box::new(TestResult::Cancelled)),
            Ok(judged) => Ok(judged),
            Err(message) => Err(Box::new(TestResult::JudgeError { message })),
        }
    }

    fn judge(&mut self, case: &Case, artifact: &Artifact, judge: Option<&Artifact>) -> Result<Judged, String> {
        let request = self.request(case, artifact)?;
        match (case.problem.kind, judge) {
            (ProblemKind::Interactive, Some(judge)) => self.interactive(case, &request, judge),
            (ProblemKind::Interactive, None) => Err("an interactive problem needs an output validator".to_owned()),
            (ProblemKind::PassFail, Some(judge)) => self.validated(case, &request, judge),
            (ProblemKind::PassFail, None) => self.compared(case, &request),
        }
    }

    fn request(&mut self, case: &Case, artifact: &Artifact) -> Result<Request, String> {
        let (place, home) = if artifact.is_command() {
            // A command means the files that its author sees.
            (Place::Host(case.problem.dir.clone()), case.problem.dir.clone())
        } else {
            let workdir = self.sandbox.fresh_box(Side::Submission, &artifact.sight);
            let home = workdir.map_err(|error| error_chain(&error))?.path().to_owned();
            (Place::Box(artifact.sight.clone()), home)
        };
        let mut env = artifact.env.clone();
        env.push(("HOME".into(), home.into()));
        Ok(Request { argv: artifact.argv.clone(), env, place, limits: case.limits.kill_points(), core: self.core })
    }

    /// Compares with the built-in checker while the program runs.
    fn compared(&mut self, case: &Case, request: &Request) -> Result<Judged, String> {
        let stdin = open(&case.input)?;
        let answer: Box<dyn std::io::Read> = match &case.answer {
            Some(path) => Box::new(open(path)?),
            None => Box::new(std::io::empty()),
        };
        let checker = if case.answer.is_some() { case.checker } else { Checker::Exact };
        let mut sink = Compare::new(checker, answer);
        let outcome =
            self.sandbox.run(Side::Submission, request, stdin, &mut sink).map_err(|error| error_chain(&error))?;
        let unreadable =
            |error: std::io::Error| format!("{}: {error}", case.answer.as_deref().unwrap_or(&case.input).display());
        if let Some(error) = sink.error {
            return Err(unreadable(error));
        }
        let comparison = sink.comparator.finish().map_err(unreadable)?;
        Ok(judge_comparison(case, outcome, comparison, sink.stderr))
    }

    /// Keeps the output in a file, then asks the output validator.
    fn validated(&mut self, case: &Case, request: &Request, judge: &Artifact) -> Result<Judged, String> {
        let stdin = open(&case.input)?;
        let mut spool = Spool::new()?;
        let mut outcome =
            self.sandbox.run(Side::Submission, request, stdin, &mut spool).map_err(|error| error_chain(&error))?;
        let (output, stderr) = spool.finish()?;
        let mut ruling = rule_on_facts(&outcome, &case.limits);
        let mut feedback = None;
        if ruling.is_none() && outcome.killed.is_none() {
            let name = case.problem.output_validator.as_ref().and_then(|program| program.path());
            let name = name.map(|path| path.display().to_string()).unwrap_or_default();
            let validator = Validator { name: &name, artifact: judge, limits: self.context.validation_limits() };
            let copy = output.try_clone().map_err(|error| format!("cannot read back an output: {error}"))?;
            let answer = case.answer.as_deref().unwrap_or(Path::new("/dev/null"));
            let checked = validator.check_output(&case.input, answer, copy, &mut *self.sandbox);
            match checked {
                Ok(Checked { decision, message }) => {
                    feedback = message;
                    ruling = (decision == Decision::Reject).then(|| rejected(feedback.as_deref()));
                }
                Err(ValidatorError::Cancelled) => outcome.killed = Some(Kill::Cancelled),
                Err(error) => return Err(error_chain(&error)),
            }
        }
        Ok(Judged {
            outcome,
            ruling,
            remarks: Vec::new(),
            difference: None,
            feedback,
            kept: Kept::File { output, stderr },
        })
    }

    fn interactive(&mut self, case: &Case, request: &Request, judge: &Artifact) -> Result<Judged, String> {
        let name = case.problem.output_validator.as_ref().and_then(|program| program.path());
        let name = name.map(|path| path.display().to_string()).unwrap_or_default();
        let validator = Validator { name: &name, artifact: judge, limits: self.context.validation_limits() };
        let answer = case.answer.as_deref().unwrap_or(Path::new("/dev/null"));
        let judge = validator.prepare(&case.input, answer, &mut *self.sandbox).map_err(|error| error_chain(&error))?;
        let talked = talk(request, &case.limits, &validator, &judge, &mut *self.sandbox);
        let mut talked = talked.map_err(|error| error_chain(&error))?;
        if let (Some((Verdict::WrongAnswer, reason)), Some(message)) = (&mut talked.ruling, &talked.message)
            && let Some(first) = message.lines().next()
        {
            first.clone_into(reason);
        }
        let transcript = talked.transcript.to_bytes();
        Ok(Judged {
            outcome: talked.interaction.submission,
            ruling: talked.ruling,
            remarks: Vec::new(),
            difference: None,
            feedback: talked.message,
            kept: Kept::Talk { transcript, stderr: talked.transcript.stderr },
        })
    }
}

fn not_built() -> TestResult {
    TestResult::JudgeError { message: "not built".to_owned() }
}

/// The ruling of an output validator that rejects, in the first line of its words.
fn rejected(feedback: Option<&str>) -> Ruling {
    let first = feedback.and_then(|text| text.lines().next());
    (Verdict::WrongAnswer, first.unwrap_or("rejected by the output validator").to_owned())
}

/// The ruling on a compared output.
pub(super) fn judge_comparison(case: &Case, outcome: Outcome, comparison: Comparison, stderr: Vec<u8>) -> Judged {
    let mut ruling = rule_on_facts(&outcome, &case.limits);
    let mut remarks = Vec::new();
    let mut difference = None;
    if ruling.is_none() && case.answer.is_some() {
        if comparison.accepted {
            remarks.extend(sentence::leniency(comparison.leniency));
        } else {
            let reason = comparison.difference.as_ref().map(sentence::sentence).unwrap_or_default();
            ruling = Some((Verdict::WrongAnswer, reason));
            difference = comparison.difference.map(Box::new);
        }
    }
    Judged {
        outcome,
        ruling,
        remarks,
        difference,
        feedback: None,
        kept: Kept::Capture { capture: comparison.capture, stderr },
    }
}

/// The result of a test, with its files kept if it failed.
pub(super) fn finish(
    context: &Context,
    run: usize,
    ordinal: usize,
    case: &Case,
    judged: Judged,
    origin: Origin,
) -> TestResult {
    let killed = judged.outcome.killed.is_some();
    let mut measured = Measured::new(judged.outcome.usage, killed, matches!(origin, Origin::Store));
    let failed = judged.ruling.is_some();
    let keep = failed || case.answer.is_none();
    let files = if keep { keep::keep(context, run, ordinal, case, &judged.kept) } else { None };
    if judged.is_unanswered(case) {
        return TestResult::NotJudged { reason: "no answer, not judged".to_owned(), measured, files };
    }
    let (verdict, mut reason) = judged.ruling.unwrap_or((Verdict::Accepted, String::new()));
    if let Some(stable) = without_figures(verdict, judged.outcome.killed, &case.limits) {
        measured.reason = Some(std::mem::replace(&mut reason, stable));
    }
    match origin {
        Origin::Runs(times) => {
            measured.remark = Some(of_several(&times, case.limits.time));
            measured.times = times;
        }
        _ if verdict == Verdict::Accepted && near_time_limit(&judged.outcome, &case.limits) => {
            measured.remark = Some("near the time limit".to_owned());
        }
        _ => {}
    }
    TestResult::Judged(Judgement {
        verdict,
        reason,
        remarks: judged.remarks,
        checker: judged.difference.is_some().then_some(case.checker),
        difference: judged.difference,
        feedback: judged.feedback,
        files,
        measured,
    })
}

/// What there is to say about the cpu times of several runs near a limit.
fn of_several(times: &[Duration], limit: Duration) -> String {
    let over = times.iter().filter(|time| **time > limit).count();
    let list: Vec<String> = times.iter().map(|time| seconds(*time)).collect();
    let figures = format!("{} of {}", list.join(", "), seconds_short(limit));
    if over > 0 && over < times.len() {
        format!("flaky: {figures}")
    } else {
        format!("near the time limit in {} runs: {figures}", times.len())
    }
}

/// The reason of a verdict that is about figures, in words that do not vary from run to run.
fn without_figures(verdict: Verdict, killed: Option<Kill>, limits: &JudgeLimits) -> Option<String> {
    match (verdict, killed) {
        (Verdict::TimeLimit, Some(Kill::Wall)) => Some(format!("over {} of wall time", seconds_short(limits.wall))),
        (Verdict::TimeLimit, _) => Some(format!("over {} of cpu time", seconds_short(limits.time))),
        (Verdict::MemoryLimit, _) => Some(format!("over {} of memory", limits.memory)),
        _ => None,
    }
}

fn open(path: &Path) -> Result<File, String> {
    File::open(path).map_err(|error| format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_on_both_sides_of_the_limit_are_flaky() {
        let said = |times: &[u64]| {
            let times: Vec<Duration> = times.iter().map(|ms| Duration::from_millis(*ms)).collect();
            of_several(&times, Duration::from_secs(1))
        };
        assert_eq!(said(&[1020, 970, 960]), "flaky: 1.020 s, 0.970 s, 0.960 s of 1 s");
        assert_eq!(said(&[970, 1300]), "flaky: 0.970 s, 1.300 s of 1 s");
        assert_eq!(said(&[1020, 1030, 1040]), "near the time limit in 3 runs: 1.020 s, 1.030 s, 1.040 s of 1 s");
        assert_eq!(said(&[1000, 800]), "near the time limit in 2 runs: 1.000 s, 0.800 s of 1 s");
    }
}
