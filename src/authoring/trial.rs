//! Tests one input: validates it, runs the reference and the submissions, and compares their results.

use std::fs::File;
use std::io::{self, Read, Seek as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, Result};
use tempfile::TempDir;

use crate::authoring::programs::{Judges, Solver, SolverAnswer};
use crate::engine::bench::{Bench, Case, JudgedExecution};
use crate::judge::{Fault, Response};
use crate::problem::{CaseInput, Problem, Submission};
use crate::verdict::Verdict;
use crate::verify::validators::{InputValidator, build_input_validators};
use crate::workspace::ending::no_submission;
use crate::workspace::listener::Listener;

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
    pub(crate) judged: JudgedExecution,
    pub(crate) case: Case,
}

/// The programs and settings for testing inputs.
pub(crate) struct Trial {
    problem: Arc<Problem>,
    validators: Vec<InputValidator>,
    reference: Solver,
    submissions: Vec<(Submission, Solver)>,
    judges: Judges,
    group: usize,
    dir: TempDir,
}

impl Trial {
    /// Builds all programs; fails if one cannot be built.
    pub(crate) fn new(
        bench: &mut Bench<'_>,
        problem: &Arc<Problem>,
        reference: &Submission,
        submissions: &[Submission],
        language: Option<&str>,
        listener: &dyn Listener,
    ) -> Result<Self> {
        let validators = build_input_validators(bench, problem, listener)?;
        let reference = Solver::build(bench, problem, reference, None).map_err(no_submission)?;
        let solver = |submission: &Submission| {
            let solver = Solver::build(bench, problem, submission, language).map_err(no_submission)?;
            Ok((submission.clone(), solver))
        };
        let submissions = submissions.iter().map(solver).collect::<Result<_>>()?;
        let judges = Judges::build(bench, problem)?;
        let group = group_of_inputs(problem);
        let dir = tempfile::tempdir().context("cannot create a temporary directory")?;
        Ok(Self { problem: Arc::clone(problem), validators, reference, submissions, judges, group, dir })
    }

    /// Whether every input validator of the problem can run. Only then may inputs be changed.
    pub(crate) fn has_validators(&self) -> bool {
        !self.validators.is_empty() && self.validators.len() == self.problem.input_validators.len()
    }

    fn input(&self) -> PathBuf {
        self.dir.path().join("input")
    }

    /// The submissions under test.
    pub(crate) fn submissions(&self) -> &[(Submission, Solver)] {
        &self.submissions
    }

    /// Tests an input on one submission.
    pub(crate) fn test(&self, bench: &mut Bench<'_>, input: &[u8], submission: usize) -> Result<TrialResult, Fault> {
        match self.prepare(bench, input)? {
            None => self.test_prepared(bench, submission),
            Some(result) => Ok(result),
        }
    }

    /// Makes an input ready for tests: validates it, and computes the answer. Returns a result if no submission can be
    /// tested on it.
    pub(crate) fn prepare(&self, bench: &mut Bench<'_>, input: &[u8]) -> Result<Option<TrialResult>, Fault> {
        fresh(&self.input()).and_then(|mut file| file.write_all(input)).map_err(|error| broken_file(&error))?;
        let group = &self.problem.groups[self.group];
        for validator in &self.validators {
            match validator.check_once(bench, Some(&group.arguments), &self.input())? {
                Response::Accepts => {}
                Response::Rejects(words) => return Ok(Some(TrialResult::Invalid(words))),
            }
        }
        if self.problem.kind.is_led_by_validator() {
            return fresh(&self.answer_file()).map(|_| None).map_err(|error| broken_file(&error));
        }
        self.answer(bench)
    }

    /// Tests the prepared input on one submission.
    pub(crate) fn test_prepared(&self, bench: &mut Bench<'_>, submission: usize) -> Result<TrialResult, Fault> {
        let (_, solver) = &self.submissions[submission];
        if self.problem.kind.is_led_by_validator() {
            return self.talk(bench, solver);
        }
        self.judge(bench, solver)
    }

    /// Tests an input of an interactive or multi-pass problem: the submission first, then the reference if the
    /// submission fails.
    fn talk(&self, bench: &mut Bench<'_>, solver: &Solver) -> Result<TrialResult, Fault> {
        let tested = self.judge(bench, solver)?;
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
    fn answer(&self, bench: &mut Bench<'_>) -> Result<Option<TrialResult>, Fault> {
        let answer = self.answer_file();
        remove(&answer).map_err(|error| broken_file(&error))?;
        Ok(match self.judges.answer(bench, &self.reference, &self.case_input())? {
            SolverAnswer::Output { output, .. } => {
                output.save(&answer).map_err(|error| broken_file(&error))?;
                None
            }
            SolverAnswer::Fails((Verdict::TimeLimit, _)) => Some(TrialResult::ReferenceSlow),
            SolverAnswer::Fails((verdict, reason)) => Some(TrialResult::ReferenceFails(format!("{verdict}, {reason}"))),
        })
    }

    /// Copies the prepared input and its answer to these files.
    pub(crate) fn save(&self, input: &Path, answer: &Path) -> Result<()> {
        for (from, to) in [(self.input(), input), (self.answer_file(), answer)] {
            std::fs::copy(from, to).with_context(|| format!("cannot write {}", to.display()))?;
        }
        Ok(())
    }

    fn answer_file(&self) -> PathBuf {
        self.dir.path().join("answer")
    }

    fn case_input(&self) -> CaseInput<'_> {
        let group = &self.problem.groups[self.group];
        CaseInput { group, setting: group.setting(), path: self.input() }
    }

    fn judge(&self, bench: &mut Bench<'_>, solver: &Solver) -> Result<TrialResult, Fault> {
        let once = |bench: &mut Bench<'_>| self.judges.judge(bench, solver, &self.case_input(), &self.answer_file());
        let (case, mut judged) = once(bench)?;
        let is_slow = |judged: &JudgedExecution| {
            judged.assessment.rejection.as_ref().is_some_and(|(verdict, _)| *verdict == Verdict::TimeLimit)
        };
        if judged.is_doubtful() || judged.time_decides(&case) {
            // Disturbance only adds time, so the faster of two runs counts.
            let (_, again) = once(bench)?;
            if again.outcome.usage.cpu <= judged.outcome.usage.cpu || !is_slow(&again) {
                judged = again;
            }
        }
        let Some((verdict, reason)) = judged.assessment.rejection.clone() else { return Ok(TrialResult::Fine) };
        let detail = if verdict == Verdict::RunTimeError { reason.to_string() } else { String::new() };
        Ok(TrialResult::Fails(Box::new(Failure { kind: (verdict, detail), judged, case })))
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

/// The position of the group whose limits and arguments hold for inputs that are not cases: the first secret one.
pub(crate) fn group_of_inputs(problem: &Problem) -> usize {
    let is_secret = |name: &str| name == "secret" || name.starts_with("secret/");
    problem.groups.iter().position(|group| is_secret(&group.name)).unwrap_or(0)
}

/// Creates an empty file in place of the old one. Truncating and rewriting a file makes some file systems write it to
/// disk each time (ext4, `auto_da_alloc`). A new, short-lived file is never written to disk.
fn fresh(path: &Path) -> io::Result<File> {
    remove(path)?;
    File::create_new(path)
}

/// Removes a file if it exists.
fn remove(path: &Path) -> io::Result<()> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

fn broken_file(error: &io::Error) -> Fault {
    Fault::other(format!("cannot keep an input: {error}"))
}
