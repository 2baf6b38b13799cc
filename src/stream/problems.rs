//! Provides the problems of requests: those of the workspace, which it reads once, and those that requests carry.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::request::{Call, ProblemWanted};
use super::result::{Failure, FailureKind};
use crate::compile::{Artifact, Build, BuildOrder};
use crate::driver::{self, EVALUATOR};
use crate::engine::bench::Bench;
use crate::intake::{Problems, find_problems};
use crate::plan::PlannedProblem;
use crate::problem::{
    AnswerFile, Checker, JudgingProgram, LimitOptions, PackageLayout, Problem, ProblemId, ProblemKind, Program,
    Protocol, TestCase, TestGroup,
};
use crate::session::derived_limits::lacks_time_limit;
use crate::workspace::Workspace;

/// The name of a problem that a request carries.
const CARRIED: &str = "request";

/// A problem that requests are about, with its output validators.
pub(crate) struct StreamProblem {
    /// The problem with its tests; without tests if each request brings its own.
    pub(super) planned: PlannedProblem,
    /// Whether its time limit is not known yet.
    lacks_time_limit: bool,
    /// The built output validators, or the reason why one of them cannot be used.
    validators: OnceLock<Result<Vec<Artifact>, Failure>>,
    /// Keeps an unpacked archive for the lifetime of the problem.
    _unpacked: Option<Problems>,
}

impl StreamProblem {
    fn new(planned: PlannedProblem, lacks_time_limit: bool, unpacked: Option<Problems>) -> Self {
        Self { planned, lacks_time_limit, validators: OnceLock::new(), _unpacked: unpacked }
    }

    /// A problem that has its time limit, unless requests bring theirs.
    pub(crate) fn ready(planned: PlannedProblem) -> Self {
        Self::new(planned, false, None)
    }

    /// The problem of all requests that carry their tests, without these.
    pub(super) fn of_carried() -> Self {
        let dir = Path::new("/request");
        Self::ready(PlannedProblem::of(problem(dir, None, LimitOptions::default(), Vec::new()), Vec::new()))
    }

    /// Its output validators, built the first time.
    pub(super) fn validators(&self, bench: &mut Bench<'_>) -> Result<Vec<&Artifact>, Failure> {
        let built = self.validators.get_or_init(|| {
            let memory = bench.resources.output_validation_limits(&self.planned.problem).kill.memory;
            let programs = self.planned.problem.output_judges();
            let build =
                |judge: &JudgingProgram| match bench.build(&BuildOrder::judge(&self.planned.problem, judge, memory)) {
                    Build::NotJudged(why) => Err(Failure {
                        kind: FailureKind::Machine,
                        message: format!("grader cannot run the output validator: {why}"),
                    }),
                    build => build
                        .ready(self.planned.problem.name_of(&judge.program))
                        .map(|artifact| *artifact)
                        .map_err(|unbuilt| Failure { kind: FailureKind::Judge, message: unbuilt.to_string() }),
                };
            programs.map(build).collect()
        });
        built.as_ref().map(|built| built.iter().collect()).map_err(Failure::clone)
    }

    /// The problem with the limits of a request. Fails if it has no time limit then.
    pub(super) fn with_limits(&self, limits: &LimitOptions) -> Result<Arc<Problem>, Failure> {
        if self.lacks_time_limit && limits.time.is_none() {
            return Err(wrong(format!(
                "problem `{0}` states no time limit; state one (grader time-limit {0} --write), or send \
                 `limits.time_limit`",
                self.planned.problem.id
            )));
        }
        if *limits == LimitOptions::default() {
            return Ok(Arc::clone(&self.planned.problem));
        }
        let mut problem = Problem::clone(&self.planned.problem);
        problem.limits = limits.clone().or(&problem.limits);
        for group in &mut problem.groups {
            group.limits = limits.clone().or(&group.limits);
        }
        Ok(Arc::new(problem))
    }
}

/// Where the problems that requests name come from.
pub(super) enum Source<'a> {
    /// The workspace.
    Here(&'a Workspace, KnownProblems),
    /// A client, who has sent it along.
    #[cfg_attr(not(feature = "nats"), allow(dead_code, reason = "workers alone use it"))]
    Sent(&'a Arc<StreamProblem>),
}

impl Source<'_> {
    pub(super) fn get(&self, name: &str) -> Result<Arc<StreamProblem>, Failure> {
        match self {
            Self::Here(workspace, known) => known.get(workspace, name),
            Self::Sent(problem) => Ok(Arc::clone(problem)),
        }
    }
}

/// The problems of the workspace that requests have named so far.
#[derive(Default)]
pub(super) struct KnownProblems(Mutex<HashMap<String, Slot>>);

/// The place of one problem: read by the first request that names it, while others wait.
type Slot = Arc<OnceLock<Result<Arc<StreamProblem>, Failure>>>;

impl KnownProblems {
    /// Returns the problem of this name. A failure is not remembered: a client could send any number of wrong names.
    pub(super) fn get(&self, workspace: &Workspace, name: &str) -> Result<Arc<StreamProblem>, Failure> {
        let locked = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let slot = Arc::clone(locked().entry(name.to_owned()).or_default());
        let read = slot.get_or_init(|| read(workspace, name).map(Arc::new)).clone();
        if read.is_err() {
            locked().remove(name);
        }
        read
    }
}

fn read(workspace: &Workspace, name: &str) -> Result<StreamProblem, Failure> {
    let mut found =
        find_problems(workspace, Some(name), &[], None).map_err(|error| wrong(one_line(&format!("{error:#}"))))?;
    let planned = match &found.plan.problems[..] {
        [planned] => planned.clone(),
        [] => {
            let errors = found.found.iter().filter(|found| found.is_error()).map(ToString::to_string);
            let errors: Vec<String> = errors.collect();
            let why = if errors.is_empty() { "no such problem".to_owned() } else { errors.join("; ") };
            return Err(wrong(format!("problem `{name}`: {why}")));
        }
        several => return Err(wrong(format!("`{name}` means {} problems; name one", several.len()))),
    };
    let problem = &planned.problem;
    if problem.kind == ProblemKind::SubmitAnswer {
        return Err(wrong(format!("submissions of problem `{name}` are outputs; a stream judges programs")));
    }
    if problem.groups.iter().any(|group| group.static_validation.is_some()) {
        return Err(wrong(format!("problem `{name}` has a static validator, which a stream does not ask")));
    }
    if problem.cases().next().is_none() {
        return Err(wrong(format!("problem `{name}` has no test cases")));
    }
    let lacks = lacks_time_limit(workspace, problem);
    if !problem.recipes.is_empty() {
        found = completed(workspace, name, found)?;
    }
    let planned = found.plan.problems.first().cloned().unwrap_or(planned);
    Ok(StreamProblem::new(planned, lacks, Some(found)))
}

/// The problem with the files that its package lacks. A stream judges by all tests, so a missing one is an error.
fn completed(workspace: &Workspace, name: &str, problems: Problems) -> Result<Problems, Failure> {
    let known = problems.found.len();
    let made = problems.with_files(workspace).map_err(|error| wrong(one_line(&format!("{error:#}"))))?;
    match made.found.get(known) {
        Some(missing) => Err(wrong(format!("problem `{name}`: {}", one_line(&missing.to_string())))),
        None => Ok(made),
    }
}

/// Joins a message and its remedy, which stands in a line of its own, into one line.
fn one_line(message: &str) -> String {
    message.split('\n').map(str::trim).collect::<Vec<_>>().join(" ")
}

fn wrong(message: String) -> Failure {
    Failure { kind: FailureKind::Request, message }
}

/// Writes the tests of a request into `dir`, an empty directory, and returns their problem.
pub(super) fn carried(wanted: &ProblemWanted, dir: &Path) -> io::Result<StreamProblem> {
    let problem = match wanted {
        ProblemWanted::Named(_) => problem(dir, None, LimitOptions::default(), Vec::new()),
        ProblemWanted::Tests { tests, checker, limits } => {
            let cases = tests.iter().map(|(input, output)| (input.as_str(), Some(output.as_str())));
            problem(dir, *checker, limits.clone(), write(dir, cases)?)
        }
        ProblemWanted::Function { tests, checker, limits, .. } => {
            let cases = tests.iter().map(|Call { arguments, expected }| (arguments.as_str(), Some(expected.as_str())));
            problem(dir, Some(*checker), limits.clone(), write(dir, cases)?)
        }
        ProblemWanted::Assertions { tests, limits } => {
            let cases = write(dir, tests.iter().map(|code| (code.as_str(), None)))?;
            let evaluator = dir.join(EVALUATOR);
            fs::write(&evaluator, driver::evaluator())?;
            Problem {
                kind: ProblemKind::Interactive,
                output_validators: vec![JudgingProgram::stated(Program::File(evaluator), Protocol::Icpc)],
                ..problem(dir, None, limits.clone(), cases)
            }
        }
    };
    Ok(StreamProblem::ready(PlannedProblem::of(problem, Vec::new())))
}

fn write<'a>(dir: &Path, tests: impl Iterator<Item = (&'a str, Option<&'a str>)>) -> io::Result<Vec<TestCase>> {
    let mut cases = Vec::new();
    for (number, (input, answer)) in (1..).zip(tests) {
        fs::write(dir.join(format!("{number}.in")), input)?;
        if let Some(answer) = answer {
            fs::write(dir.join(format!("{number}.ans")), answer)?;
        }
        let answer = answer.map_or(AnswerFile::Missing, |_| AnswerFile::Ans);
        cases.push(TestCase::new(number.to_string(), answer));
    }
    Ok(cases)
}

fn problem(dir: &Path, checker: Option<Checker>, limits: LimitOptions, cases: Vec<TestCase>) -> Problem {
    let group = TestGroup { cases, ..TestGroup::empty("", dir.to_owned()) };
    Problem {
        limits,
        checker: checker.into(),
        groups: vec![group],
        ..Problem::empty(ProblemId::from(CARRIED), PathBuf::from(dir), PackageLayout::Plain)
    }
}
