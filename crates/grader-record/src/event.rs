//! The words of a run: its updates, in the order in which they happen, and its events, the lines of its record in plan
//! order. Both own their data; events can be serialised.
//!
//! The engine sends updates, the record turns them into events, the report is folded from the events, and every reporter
//! shows them. Values that vary from run to run are in an object called `measured`.

mod class;
mod head;
mod index;
mod judgement;
mod outcome;
mod seconds;
#[cfg(test)]
mod tests;

use std::path::PathBuf;
use std::time::Duration;

use grader_model::diagnostic::Diagnostic;
/// The names by which programs that use the library know them.
pub use grader_model::diagnostic::{Diagnostic as Notice, Severity};
use grader_model::problem::grading::Grade;
use grader_model::problem::{ProblemId, SubmissionId, TestId};
use serde::{Deserialize, Serialize};

pub use class::{Amount, GradeColumn, GradePolicy, Override, RosterStudent};
pub use head::{Command, HostFacts, HostShare, LeftOut, MarginFactors, ProblemHead, RunStarted, SubmissionHead, Verb};
pub use index::{BuildIndex, ProblemIndex, SubmissionIndex, TestIndex};
pub use judgement::{Judgement, Measurements, Opinion, TestResult, UnjudgedReason, part_extension};
pub use outcome::{GroupScore, Standing, SubmissionResult, UnexpectedReason};

/// The version of the event schema. Raise it when a reader of the old schema would misunderstand the new one.
pub const SCHEMA: u32 = 1;

/// A line of the record: an event of a run, in plan order.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// The run begins; always first.
    RunStarted(RunStarted),
    /// A warning, an error or information outside of any verdict.
    Notice(Diagnostic),
    /// The build of a submission has finished.
    Built(BuildFinished),
    /// A test has finished.
    TestFinished(TestFinished),
    /// A test was not needed.
    TestSkipped(TestSkipped),
    /// A submission has finished.
    SubmissionFinished(SubmissionFinished),
    /// The run has finished; always last.
    RunFinished(RunFinished),
}

impl Event {
    /// Reads a line of a record.
    ///
    /// # Errors
    /// The line is not JSON, or has not the keys of an event.
    pub fn from_line(line: &[u8]) -> serde_json::Result<Self> {
        serde_json::from_slice(line)
    }

    /// The event as a line of a record, with its end.
    ///
    /// # Errors
    /// None occurs: every value can be written as JSON.
    pub fn to_line(&self) -> serde_json::Result<Vec<u8>> {
        let mut line = serde_json::to_vec(self)?;
        line.push(b'\n');
        Ok(line)
    }

    /// The submission that it is about; none if it is about the run.
    pub fn of(&self) -> Option<&SubmissionRef> {
        match self {
            Self::Built(built) => Some(&built.of),
            Self::TestFinished(finished) => Some(&finished.test.of),
            Self::TestSkipped(skipped) => Some(&skipped.test.of),
            Self::SubmissionFinished(finished) => Some(&finished.of),
            Self::RunStarted(_) | Self::Notice(_) | Self::RunFinished(_) => None,
        }
    }

    /// The same event about another submission. Events about the run stay unchanged.
    #[must_use]
    pub fn about(mut self, submission: SubmissionRef) -> Self {
        match &mut self {
            Self::Built(built) => built.of = submission,
            Self::TestFinished(finished) => finished.test.of = submission,
            Self::TestSkipped(skipped) => skipped.test.of = submission,
            Self::SubmissionFinished(finished) => finished.of = submission,
            Self::RunStarted(_) | Self::Notice(_) | Self::RunFinished(_) => {}
        }
        self
    }
}

/// A change while programs run, in the order in which changes happen. The record follows from updates and never holds them.
#[derive(Debug, Clone)]
pub enum Update {
    /// A warning, an error or information outside of any verdict.
    Notice(Diagnostic),
    /// The build of a submission has finished.
    Built(BuildFinished),
    /// A test has started.
    TestStarted(TestRef),
    /// A test has finished.
    TestFinished {
        /// The test.
        test: TestRef,
        /// The result of the test.
        result: TestResult,
    },
    /// A grader from the package has returned a result.
    Graded(GroupGraded),
}

impl Update {
    /// The submission that it is about; none if it is about the run.
    pub fn of(&self) -> Option<&SubmissionRef> {
        match self {
            Self::Built(built) => Some(&built.of),
            Self::TestStarted(test) | Self::TestFinished { test, .. } => Some(&test.of),
            Self::Graded(graded) => Some(&graded.of),
            Self::Notice(_) => None,
        }
    }

    /// The same update about another submission. A notice stays unchanged.
    #[must_use]
    pub fn about(mut self, submission: SubmissionRef) -> Self {
        match &mut self {
            Self::Built(built) => built.of = submission,
            Self::TestStarted(test) | Self::TestFinished { test, .. } => test.of = submission,
            Self::Graded(graded) => graded.of = submission,
            Self::Notice(_) => {}
        }
        self
    }
}

/// A message to the recorder while programs run.
#[derive(Debug, Clone)]
pub enum Message {
    /// Something has happened.
    Update(Update),
    /// Something is known for good: the next event of a submission, in plan order.
    Event(Event),
}

impl Message {
    /// The submission that it is about; none if it is about the run.
    pub fn of(&self) -> Option<&SubmissionRef> {
        match self {
            Self::Update(update) => update.of(),
            Self::Event(event) => event.of(),
        }
    }

    /// The same message about another submission. A message about the run stays unchanged.
    #[must_use]
    pub fn about(self, submission: SubmissionRef) -> Self {
        match self {
            Self::Update(update) => Self::Update(update.about(submission)),
            Self::Event(event) => Self::Event(event.about(submission)),
        }
    }
}

/// Identifies a submission of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SubmissionRef {
    /// Position among all planned submissions; the identity inside one run.
    #[serde(rename = "run")]
    pub index: SubmissionIndex,
    /// The problem.
    pub problem: ProblemId,
    /// The submission.
    pub submission: SubmissionId,
}

/// Identifies a test of a submission.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestRef {
    /// The submission.
    pub of: SubmissionRef,
    /// Position in plan order.
    pub ordinal: TestIndex,
    /// The test.
    pub test: TestId,
}

/// The end of a build.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct BuildFinished {
    /// The submission.
    pub of: SubmissionRef,
    /// The result of the build.
    pub result: BuildResult,
}

/// The result of a build.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(tag = "build", rename_all = "snake_case")]
pub enum BuildResult {
    /// The submission can run.
    Ready {
        /// The language's id.
        language: String,
        /// The version text that the compiler or interpreter prints.
        version: String,
        /// The time limit for this language, seconds.
        #[serde(with = "seconds")]
        time_limit: Duration,
        /// Facts that vary between machines.
        #[serde(default)]
        measured: ToolFacts,
    },
    /// The compiler rejected the submission. The message has a bounded length.
    CompileError {
        /// The output of the compiler, at most 64 KiB.
        message: String,
    },
    /// The submission cannot be judged here.
    NotJudged {
        /// The reason, such as `no javac: apt install default-jdk-headless`.
        reason: String,
        /// The remedy for its author; empty if only the staff can help.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        advice: String,
    },
    /// The judge failed to build it.
    Failed {
        /// The error message.
        message: String,
    },
}

/// Facts about a compiler or interpreter on one machine.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolFacts {
    /// Its path.
    #[serde(default, skip_serializing_if = "Option::is_none", serialize_with = "grader_model::diagnostic::lossy")]
    pub place: Option<PathBuf>,
}

/// Why a grader from the package gave no result, in words. The module that runs programs knows the typed cause.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(transparent)]
#[error("{0}")]
pub struct GraderFault(pub String);

/// The result that a grader from the package gave for a group of tests.
#[derive(Debug, Clone)]
pub struct GroupGraded {
    /// The submission.
    pub of: SubmissionRef,
    /// Position of the group.
    pub group: usize,
    /// The result of the group, or the fault of its grader.
    pub grade: Result<Grade, GraderFault>,
}

/// The end of a test.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct TestFinished {
    /// The test.
    #[serde(flatten)]
    pub test: TestRef,
    /// The result of the test.
    pub result: TestResult,
    /// Whether the expectation does not permit this verdict on this test.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unexpected: bool,
}

/// A test that was not needed.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct TestSkipped {
    /// The test.
    #[serde(flatten)]
    pub test: TestRef,
    /// The test whose result made this one unnecessary.
    pub after: TestId,
}

/// The end of a submission.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct SubmissionFinished {
    /// The submission.
    #[serde(flatten)]
    pub of: SubmissionRef,
    /// Its result.
    #[serde(flatten)]
    pub result: SubmissionResult,
}

impl SubmissionFinished {
    /// The end of a submission whose run was interrupted before its result was known.
    pub fn interrupted(of: SubmissionRef) -> Self {
        let standing = Standing::Interrupted;
        let result = SubmissionResult { verdict: None, standing, so_far: false, score: None, groups: Vec::new() };
        Self { of, result }
    }
}

/// The end of a run.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct RunFinished {
    /// Whether a signal ended the run early.
    pub interrupted: bool,
    /// Facts that vary between runs.
    pub measured: RunFacts,
}

/// Measurements of a whole run.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct RunFacts {
    /// Elapsed time; recorded in seconds.
    #[serde(with = "seconds")]
    pub wall: Duration,
    /// The share of the machine that other programs used meanwhile, 0 to 1; none if unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub others: Option<f64>,
    /// Whether the kernel limited the memory of programs; otherwise it was sampled. None if control groups play no part.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limits_memory: Option<bool>,
}

impl RunFacts {
    /// Rounds the measurements to the precision of the record.
    pub fn new(wall: Duration, others: Option<f64>) -> Self {
        let others = others.map(|share| (share * 1000.0).round() / 1000.0);
        Self { wall: seconds::to_micros(wall), others, limits_memory: None }
    }
}

/// If other programs use more than this share of the machine, they disturb the measured times.
pub const DISTURBING: f64 = 0.1;
