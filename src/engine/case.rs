//! A case as it is judged, and what is found.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::keep::Printed as Output;
use super::keep::{self, Kept};
use crate::compile::Artifact;
use crate::difference::Difference;
use crate::event::{NO_ANSWER, Opinion, TestResult};
use crate::judge::validator::{Feedback, Validator};
use crate::judge::{Fault, JudgeError, JudgeErrorKind, Ruling, near_time_limit};
use crate::limits::{Bytes, JudgeLimits, Usage};
use crate::problem::{Arguments, CasePoints, Checker, Problem, Program, SubmissionId, TestId};
use crate::ruleset::Ruleset;
use crate::sandbox::{Exit, MemoryScope, Outcome, Printed as Wrote};
use crate::score::points;
use crate::store::LastRun;
use crate::verdict::Verdict;

/// The files and limits of one test of one submission.
pub struct Case {
    /// The problem.
    pub problem: Arc<Problem>,
    /// The input.
    pub input: PathBuf,
    /// The answer, where there is one.
    pub answer: Option<PathBuf>,
    /// How an output is compared where there is no output validator.
    pub checker: Checker,
    /// What points the submission can get.
    pub points: CasePoints,
    /// The limits of the submission.
    pub limits: JudgeLimits,
    /// The limits of the output validator.
    pub validator_limits: JudgeLimits,
    /// The time limit of the problem's first group, which most tests have.
    pub usual_time: Duration,
    /// Whose rules hold.
    pub ruleset: Ruleset,
    /// By what other judges would judge, where that is asked.
    pub others: Vec<Terms>,
    /// What the submission and the output validator are called with.
    pub arguments: Arguments,
    /// Files that the submission finds in its working directory: their names there, and where they are.
    pub files: Vec<(PathBuf, PathBuf)>,
    /// What of the memory limit is for the program's runtime, beside the limit that is stated.
    pub memory_beside: Bytes,
    /// What judges would run the program with, in words, where that is not installed.
    pub missing: Option<String>,
    /// How a program in the language of the submission flushes its output; empty if it needs no call.
    pub flush: String,
}

/// By what a judge judges one test.
#[derive(Debug, Clone)]
pub struct Terms {
    /// Whose rules.
    pub ruleset: Ruleset,
    /// The limits of the submission.
    pub limits: JudgeLimits,
    /// How an output is compared where there is no output validator.
    pub checker: Checker,
}

impl Case {
    /// The output validator of this number as it is run on this case.
    pub(super) fn validator<'a>(&'a self, number: usize, artifact: &'a Artifact) -> Validator<'a> {
        let path = self.problem.output_validators.get(number).and_then(|program| program.path());
        let name = path.map_or("the output validator".into(), Path::to_string_lossy);
        let arguments = &self.arguments.output_validator;
        Validator { name, artifact, arguments, files: &[], limits: self.validator_limits }
    }

    /// The names of the output validators, for messages.
    fn validator_names(&self) -> impl Iterator<Item = String> {
        let name = |program: &Program| program.path().map(|path| path.display().to_string()).unwrap_or_default();
        self.problem.output_validators.iter().map(name)
    }

    /// What there is to say about a verdict that follows from how programs are run here.
    pub(super) fn remark(&self, verdict: Verdict) -> Option<String> {
        match verdict {
            Verdict::TimeLimit => self.missing.clone(),
            Verdict::MemoryLimit if self.memory_beside > Bytes(0) => Some(format!(
                "{} for the heap and {} beside it",
                Bytes(self.limits.memory.0.saturating_sub(self.memory_beside.0)),
                self.memory_beside
            )),
            _ => None,
        }
    }

    /// The answer, or an empty file where there is none.
    pub(super) fn answer(&self) -> &Path {
        self.answer.as_deref().unwrap_or(Path::new("/dev/null"))
    }

    /// The points of an execution; none where only its group has some. An error is a fault of the output validator.
    pub fn points_for(&self, findings: &Findings) -> Result<Option<f64>, JudgeError> {
        let verdict = findings.ruling.as_ref().map_or(Verdict::Accepted, |ruling| ruling.0);
        points_of(self.points, verdict, &findings.feedback).map_err(|error| {
            let names: Vec<String> = self.validator_names().collect();
            if names.is_empty() { error } else { JudgeError::protocol(format!("{}: {error}", names.join(", "))) }
        })
    }
}

/// The result of the test that a fault kept from a judgement.
impl From<Fault> for TestResult {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Cancelled => Self::Cancelled,
            Fault::Judge(JudgeError { kind, message }) => {
                let overdue = matches!(kind, JudgeErrorKind::Overdue | JudgeErrorKind::GivenUp);
                Self::JudgeError { message, overdue }
            }
        }
    }
}

/// The points that a validator gives by what it left behind. An error is its fault.
pub(super) fn points_of(worth: CasePoints, verdict: Verdict, feedback: &Feedback) -> Result<Option<f64>, JudgeError> {
    match &feedback.unreadable {
        Some(fault) if worth != CasePoints::Ignored => Err(JudgeError::protocol(fault)),
        _ => points::of_case(worth, verdict, feedback.score.as_deref(), feedback.multiplier.as_deref())
            .map_err(|error| JudgeError::protocol(error.to_string())),
    }
}

/// What the judge made of an output.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Findings {
    /// What is wrong; none: accepted.
    pub ruling: Option<Ruling>,
    /// In a conversation that came to a standstill: why.
    #[serde(default)]
    pub standstill: Option<String>,
    /// Remarks on an accepted output.
    pub remarks: Vec<String>,
    /// The first difference that the built-in checker found.
    pub difference: Option<Box<Difference>>,
    /// What the output validator or interactor said.
    pub feedback: Feedback,
    /// The last pass, in a multi-pass problem.
    pub pass: Option<LastPass>,
    /// What other judges would say, where that is asked.
    #[serde(skip)]
    pub others: Vec<Opinion>,
}

/// The pass that decided.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct LastPass {
    /// From 1.
    pub number: u32,
    /// What it was given, where that is not the input of the case; none also where that is too much to be remembered.
    pub input: Option<String>,
}

impl Findings {
    /// Whether it is about the input of a later pass that is not known any more.
    pub(super) fn lacks_input(&self) -> bool {
        self.pass.as_ref().is_some_and(|pass| pass.number > 1 && pass.input.is_none())
    }

    /// Something that is wrong.
    pub fn ruled(ruling: Ruling) -> Self {
        Self { ruling: Some(ruling), ..Self::default() }
    }
}

/// What one execution brought: the facts, what the judge made of them, and what is kept of it.
pub struct Judged {
    /// The facts.
    pub outcome: Outcome,
    /// What the judge says.
    pub findings: Findings,
    /// What it printed.
    pub(super) kept: Kept,
}

impl Judged {
    /// The result if the submission is an output and there is none.
    pub(super) fn unanswered() -> Self {
        let findings = Findings::ruled((Verdict::WrongAnswer, NO_ANSWER.into()));
        Self { outcome: not_run(0), findings, kept: Kept::new(Output::Bytes(Vec::new()), Vec::new()) }
    }

    /// Keeps the input, the answer and what was printed in `.grader/last/`; the common stem, or none where that cannot
    /// be.
    pub fn keep(&self, last: &LastRun, case: &Case, submission: &SubmissionId, test: &TestId) -> Option<PathBuf> {
        keep::write(last, (&case.problem.id, submission, test), case, self).ok()
    }

    /// Whether it was run and shown only, as there is nothing to judge it by.
    pub(super) fn is_unanswered(&self, case: &Case) -> bool {
        let validators = case.answer.is_some() || case.problem.kind.is_led_by_validator();
        !validators && self.findings.ruling.is_none() && self.findings.feedback == Feedback::default()
    }

    /// Whether it is judged by its time.
    pub(super) fn is_over_time(&self) -> bool {
        matches!(&self.findings.ruling, Some((Verdict::TimeLimit, _)))
    }

    /// The cpu time, and whether it was ended.
    pub(super) fn time(&self) -> (Duration, bool) {
        (self.outcome.usage.cpu, self.outcome.killed.is_some())
    }

    /// Whether it was less disturbed than another run: within the limit where that was not, else with less cpu time.
    pub(super) fn is_quicker(&self, other: &Self) -> bool {
        let rank = |judged: &Self| (judged.is_over_time(), judged.outcome.usage.cpu);
        rank(self) < rank(other)
    }

    /// Whether the verdict hangs on a time near the limit. What is wrong anyhow stays wrong however long it takes.
    pub fn time_decides(&self, case: &Case) -> bool {
        let by_time = match &self.findings.ruling {
            Some((verdict, _)) => *verdict == Verdict::TimeLimit,
            None => !self.is_unanswered(case),
        };
        by_time && near_time_limit(&self.outcome, &case.limits)
    }
}

/// The facts of an output of so many bytes without a program.
pub(super) fn not_run(size: u64) -> Outcome {
    let (exit, usage) = (Exit::Code(0), Usage::default());
    let (printed, crossed) = (Wrote { stdout: size, stderr: 0 }, None);
    Outcome { exit, killed: None, usage, memory_scope: MemoryScope::Tree, survivors: 0, printed, crossed }
}
