//! Tests one input: validates it, runs the reference and the submission, and compares their results.

use std::fs::File;
use std::io::{self, Read, Seek as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, Result};
use tempfile::TempDir;

use crate::authoring::programs::build_judge;
use crate::compile::{Artifact, BuildOrder};
use crate::engine::bench::{Bench, Case, Judged};
use crate::judge::{Fault, Response};
use crate::problem::{CaseInput, Problem, Submission};
use crate::sandbox::Kill;
use crate::verdict::Verdict;
use crate::verify::validators::{InputValidator, build_input_validators};
use crate::workspace::ending::no_submission;
use crate::workspace::listener::Listener;

/// The reason why no more inputs can be tested.
#[derive(Debug)]
pub(crate) enum Stop {
    /// A signal arrived.
    Cancelled,
    /// A validator, a checker or the sandbox failed.
    Broken(String),
}

/// The result of testing an input.
pub(crate) enum TrialResult {
    /// The submission agrees with the reference.
    Fine,
    /// An input validator rejects it, with this message.
    Invalid(String),
    /// The reference exceeds the time limit, so the input shows nothing.
    ReferenceSlow,
    /// The reference fails in another way, described here.
    ReferenceFails(String),
    /// The submission fails.
    Fails(Box<Failure>),
}

/// The failure of a submission.
pub(crate) struct Failure {
    /// The kind of failure, which shrinking must preserve.
    pub(crate) kind: (Verdict, String),
    pub(crate) judged: Judged,
    pub(crate) case: Case,
}

/// The programs and settings for testing inputs.
pub(crate) struct Trial {
    problem: Arc<Problem>,
    validators: Vec<InputValidator>,
    reference: Box<Artifact>,
    submission: Box<Artifact>,
    judges: Vec<Artifact>,
    group: usize,
    dir: TempDir,
}

impl Trial {
    /// Builds all programs; fails if one cannot be built.
    pub(crate) fn new(
        bench: &mut Bench<'_>,
        problem: &Arc<Problem>,
        reference: &Submission,
        submission: &Submission,
        language: Option<&str>,
        listener: &dyn Listener,
    ) -> Result<Self> {
        let validators = build_input_validators(bench, problem, listener)?;
        let own = |bench: &mut Bench<'_>, submission: &Submission, language: Option<&str>| {
            let memory = bench.resources.memory_for(problem, submission, language);
            let order = BuildOrder::submission(problem, submission, memory).in_language(language);
            bench.build(&order).ready(submission.id.as_str()).map_err(no_submission)
        };
        let reference = own(bench, reference, None)?;
        let submission = own(bench, submission, language)?;
        let judges = problem.output_validators.iter();
        let judges = judges.map(|program| build_judge(bench, problem, program).map(|artifact| *artifact));
        let judges = judges.collect::<Result<_>>()?;
        let is_secret = |name: &str| name == "secret" || name.starts_with("secret/");
        let group = problem.groups.iter().position(|group| is_secret(&group.name)).unwrap_or(0);
        let dir = tempfile::tempdir().context("cannot create a temporary directory")?;
        Ok(Self { problem: Arc::clone(problem), validators, reference, submission, judges, group, dir })
    }

    /// Whether every input validator of the problem can run. Only then may inputs be changed.
    pub(crate) fn has_validators(&self) -> bool {
        !self.validators.is_empty() && self.validators.len() == self.problem.input_validators.len()
    }

    fn input(&self) -> PathBuf {
        self.dir.path().join("input")
    }

    /// Tests an input.
    pub(crate) fn test(&self, bench: &mut Bench<'_>, input: &[u8]) -> Result<TrialResult, Stop> {
        fresh(&self.input()).and_then(|mut file| file.write_all(input)).map_err(|error| broken_file(&error))?;
        let group = &self.problem.groups[self.group];
        for validator in &self.validators {
            match validator.check_once(bench, Some(&group.arguments), &self.input()) {
                Ok(Response::Accepts) => {}
                Ok(Response::Rejects(words)) => return Ok(TrialResult::Invalid(words)),
                Err(fault) => return Err(fault.into()),
            }
        }
        if self.problem.kind.is_led_by_validator() {
            return self.talk(bench);
        }
        if let Some(failed) = self.answer(bench)? {
            return Ok(failed);
        }
        self.judge(bench, &self.submission)
    }

    /// Tests an input of an interactive or multi-pass problem: the submission first, then the reference if the
    /// submission fails.
    fn talk(&self, bench: &mut Bench<'_>) -> Result<TrialResult, Stop> {
        fresh(&self.dir.path().join("answer")).map_err(|error| broken_file(&error))?;
        let tested = self.judge(bench, &self.submission)?;
        if !matches!(tested, TrialResult::Fails(_)) {
            return Ok(tested);
        }
        match self.judge(bench, &self.reference)? {
            TrialResult::Fails(failure) if failure.kind.0 == Verdict::TimeLimit => Ok(TrialResult::ReferenceSlow),
            TrialResult::Fails(failure) => Ok(TrialResult::ReferenceFails(failure.words())),
            _ => Ok(tested),
        }
    }

    /// Computes the reference's answer. Returns a result if the reference fails.
    fn answer(&self, bench: &mut Bench<'_>) -> Result<Option<TrialResult>, Stop> {
        let case = self.case(bench, &self.reference);
        let input = File::open(self.input()).map_err(|error| broken_file(&error))?;
        let arguments: Vec<_> = case.arguments.submission.iter().map(Into::into).collect();
        let (files, limits) = (&case.files, &case.limits);
        let printed = bench.execute(&self.reference, &arguments, files, limits, &input).map_err(Fault::from)?;
        if printed.outcome.killed == Some(Kill::Cancelled) {
            return Err(Stop::Cancelled);
        }
        match printed.rejection {
            Some((Verdict::TimeLimit, _)) => return Ok(Some(TrialResult::ReferenceSlow)),
            Some((verdict, reason)) => return Ok(Some(TrialResult::ReferenceFails(format!("{verdict}, {reason}")))),
            None => {}
        }
        let mut output = printed.output;
        let write = || -> io::Result<()> {
            let mut answer = fresh(&self.dir.path().join("answer"))?;
            io::copy(&mut output, &mut answer).map(drop)
        };
        let mut write = write;
        write().map_err(|error| broken_file(&error))?;
        Ok(None)
    }

    fn case(&self, bench: &Bench<'_>, artifact: &Artifact) -> Case {
        let group = &self.problem.groups[self.group];
        let input = CaseInput { group, setting: group.setting(), path: self.input() };
        bench.resources.case(&self.problem, input, Some(self.dir.path().join("answer")), artifact)
    }

    fn judge(&self, bench: &mut Bench<'_>, artifact: &Artifact) -> Result<TrialResult, Stop> {
        let case = self.case(bench, artifact);
        let mut judged = self.once(bench, &case, artifact)?;
        let is_slow = |judged: &Judged| {
            judged.assessment.rejection.as_ref().is_some_and(|(verdict, _)| *verdict == Verdict::TimeLimit)
        };
        if is_slow(&judged) || judged.time_decides(&case) {
            // Disturbance only adds time, so the faster of two runs counts.
            let again = self.once(bench, &case, artifact)?;
            if again.outcome.usage.cpu <= judged.outcome.usage.cpu || !is_slow(&again) {
                judged = again;
            }
        }
        let Some((verdict, reason)) = judged.assessment.rejection.clone() else { return Ok(TrialResult::Fine) };
        let detail = if verdict == Verdict::RunTimeError { reason.to_string() } else { String::new() };
        Ok(TrialResult::Fails(Box::new(Failure { kind: (verdict, detail), judged, case })))
    }

    fn once(&self, bench: &mut Bench<'_>, case: &Case, artifact: &Artifact) -> Result<Judged, Stop> {
        let artifacts: Vec<&Artifact> = self.judges.iter().collect();
        let judged = bench.judge(case, artifact, &artifacts)?;
        if judged.outcome.killed == Some(Kill::Cancelled) { Err(Stop::Cancelled) } else { Ok(judged) }
    }

    /// The input of the last test.
    pub(crate) fn last_input(&self) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let mut file = File::open(self.input())?;
        file.rewind()?;
        file.read_to_end(&mut bytes)?;
        Ok(bytes)
    }
}

impl Failure {
    /// The verdict and the reason in words.
    pub(crate) fn words(&self) -> String {
        let reason =
            self.judged.assessment.rejection.as_ref().map(|(_, reason)| reason.to_string()).unwrap_or_default();
        if reason.is_empty() { self.kind.0.to_string() } else { format!("{}, {reason}", self.kind.0) }
    }
}

impl From<Fault> for Stop {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Cancelled => Self::Cancelled,
            Fault::Judge(error) => Self::Broken(error.message),
        }
    }
}

/// Creates an empty file in place of the old one. Truncating and rewriting a file makes some file systems write it to
/// disk each time (ext4, `auto_da_alloc`). A new, short-lived file is never written to disk.
fn fresh(path: &Path) -> io::Result<File> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => File::create_new(path),
    }
}

fn broken_file(error: &io::Error) -> Stop {
    Stop::Broken(format!("cannot keep an input: {error}"))
}
