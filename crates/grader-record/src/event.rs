//! The words of a run: its updates, in the order in which they happen, and its events, the lines of its record in plan
//! order. Both own their data; events can be serialised.
//!
//! The engine sends updates, the record turns them into events, the report is folded from the events, and every reporter
//! shows them. Values that vary from run to run are in an object called `measured`.

mod class;
mod index;

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::reason::Reason;
use grader_model::course::{Lateness, Missing};
use grader_model::diagnostic::Diagnostic;
/// The names by which programs that use the library know them.
pub use grader_model::diagnostic::{Diagnostic as Notice, Severity};
use grader_model::difference::Difference;
use grader_model::limits::{Bytes, Usage};
use grader_model::problem::grading::Grade;
use grader_model::problem::{Checker, Label, ProblemId, SubmissionId, TestId};
use grader_model::ruleset::Ruleset;
use grader_model::verdict::Verdict;

pub use class::{Amount, GradeColumn, GradePolicy, Override, RosterStudent};
pub use index::{BuildIndex, ProblemIndex, SubmissionIndex, TestIndex};

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

/// The head of a run.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct RunStarted {
    /// `SCHEMA`.
    pub schema: u32,
    /// The grader's version.
    pub version: String,
    /// The purpose of the run.
    #[serde(default)]
    pub verb: Verb,
    /// The command that started the run; `run` in records of versions that did not state it.
    #[serde(default)]
    pub command: Command,
    /// The isolation layer of the run.
    pub isolation: String,
    /// A warning about the accuracy of the figures; empty if they are exact.
    pub caveat: String,
    /// Whether programs were built with sanitizers: times and memory are not those of the programs.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub sanitize: bool,
    /// The problems in plan order, shared with the submissions in the report.
    pub problems: Vec<Arc<ProblemHead>>,
    /// Submissions that are not planned. They are listed here so that reports name every author.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<LeftOut>,
    /// The students whose id or name is known: those of the roster, and those of a platform's export. Those without a
    /// submission submitted nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub roster: Vec<RosterStudent>,
    /// The grades that people changed by hand.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub overrides: Vec<Override>,
    /// The columns of grades in the list of a platform that is the roster.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub grade_columns: Vec<GradeColumn>,
    /// The grade of a student who submitted nothing for a problem.
    #[serde(default, skip_serializing_if = "Missing::is_default")]
    pub missing: Missing,
    /// Facts about the machine, which vary between runs.
    pub measured: HostFacts,
}

impl RunStarted {
    /// The submissions of the run, in plan order.
    pub fn submissions(&self) -> Vec<SubmissionRef> {
        let planned = self.problems.iter().flat_map(|problem| problem.submissions.iter().map(move |s| (problem, s)));
        let of = |(index, (problem, submission)): (usize, (&Arc<ProblemHead>, &Arc<SubmissionHead>))| SubmissionRef {
            index: SubmissionIndex(index),
            problem: problem.problem.clone(),
            submission: submission.submission.clone(),
        };
        planned.enumerate().map(of).collect()
    }

    /// Whether the submissions are those of known students.
    pub fn is_of_class(&self) -> bool {
        let mut submissions = self.problems.iter().flat_map(|problem| &problem.submissions);
        !self.roster.is_empty() || submissions.any(|submission| submission.student.is_some())
    }

    /// The name of a student in reports: the id, with the name if that says more: `331 (Bo Fox)`.
    pub fn called(&self, student: &str) -> String {
        let known = self.roster.iter().find(|known| known.student == student);
        match known.map(|known| &*known.name).filter(|name| !student.contains(name)) {
            Some(name) => format!("{student} ({name})"),
            None => student.to_owned(),
        }
    }

    /// Returns the isolation in force and the warning about the figures, in one line.
    pub fn isolation_with_caveat(&self) -> String {
        if self.caveat.is_empty() { self.isolation.clone() } else { format!("{} ({})", self.isolation, self.caveat) }
    }
}

/// A submission that cannot be judged; a notice says why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOut {
    /// The student who submitted it.
    pub student: String,
    /// The problem; none if the submission belongs to no problem.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<ProblemId>,
    /// The reason in one or two words: `no program`, `ambiguous`.
    pub why: String,
    /// The text for the student: the received files, and a remedy. Empty in records of older versions.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// Whether only the staff can fix it, because the problem or this machine is at fault.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub staff: bool,
}

/// The purpose of a run: check submissions against expectations, or find their verdicts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verb {
    /// `grader run`: each submission should have the result that its label expects.
    #[default]
    Run,
    /// `grader judge`: find the verdict of each submission.
    Judge,
}

/// The command that started a run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Command {
    /// `grader judge`.
    Judge,
    /// `grader check`.
    Check,
    /// `grader watch`: one run each time that a file is saved.
    Watch,
    /// `grader rerun`.
    Rerun,
    /// `grader run`. Also stands for commands of newer versions.
    #[default]
    #[serde(other)]
    Run,
}

impl Command {
    /// The name of the subcommand.
    pub fn name(self) -> &'static str {
        match self {
            Self::Run => "run",
            Self::Judge => "judge",
            Self::Check => "check",
            Self::Watch => "watch",
            Self::Rerun => "rerun",
        }
    }

    /// The purpose of its runs.
    pub fn verb(self) -> Verb {
        match self {
            Self::Judge | Self::Check => Verb::Judge,
            Self::Run | Self::Watch | Self::Rerun => Verb::Run,
        }
    }
}

/// Facts about the machines that run the programs.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct HostFacts {
    /// The start of the run in RFC 3339, UTC.
    pub started: String,
    /// The number of programs that run at once.
    pub slots: usize,
    /// The number of cores that grader may use.
    pub cores: usize,
    /// The processor's name. Times are compared only between equal processors.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub machine: String,
    /// The pool of the workers; empty if the run needs no workers.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub pool: String,
    /// The machines: this one, those of the parts of the run, or the workers of the pool.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hosts: Vec<HostShare>,
}

impl HostFacts {
    /// The pool and the names of the machines in words; empty if this machine alone runs everything.
    pub fn hosts_in_words(&self) -> String {
        const SHOWN: usize = 8;
        let mut names: Vec<&str> = self.hosts.iter().take(SHOWN).map(|host| &*host.name).collect();
        let more = self.hosts.len().saturating_sub(SHOWN);
        let more = (more > 0).then(|| format!("{more} more"));
        names.extend(more.as_deref());
        match (&*self.pool, self.hosts.len()) {
            ("", 0 | 1) => String::new(),
            ("", _) => format!("on {}", names.join(", ")),
            (pool, _) => format!("pool {pool}: {}", names.join(", ")),
        }
    }
}

/// One machine of a run, or one worker.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HostShare {
    /// The name of the machine or of the worker.
    pub name: String,
    /// The number of programs that it runs at once.
    pub slots: usize,
    /// The number of cores that grader may use there.
    pub cores: usize,
}

/// The plan for one problem.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ProblemHead {
    /// The problem's name.
    pub problem: ProblemId,
    /// The problem's title.
    pub title: String,
    /// The command-line argument that selects the problem if its name does not: its path, or the path of its archive.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chosen_by: Option<String>,
    /// The problem's letter, if it belongs to a contest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<Label>,
    /// The cpu time limit before any language factor, seconds.
    #[serde(with = "seconds")]
    pub time_limit: Duration,
    /// How the limit was derived, if the problem states none: `derived: slowest accepted accepted/slow.py 0.830 s × 2`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_limit_from: Option<String>,
    /// How far the time limit should be from the submissions; none in plain folders and in
    /// records of older versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub margins: Option<MarginFactors>,
    /// The memory limit.
    pub memory: Bytes,
    /// Whether submissions are outputs. Then no program runs, and the limits of programs do not apply.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub outputs: bool,
    /// The number of selected tests.
    pub tests: usize,
    /// The selected samples that are not in the group `sample`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub samples: Vec<TestId>,
    /// The most points that a submission can get; none in a pass-fail problem.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_score: Option<f64>,
    /// How a verdict becomes the grade of a student.
    #[serde(default, skip_serializing_if = "GradePolicy::is_default")]
    pub grading: GradePolicy,
    /// The submissions in plan order, shared with their entries in the report.
    pub submissions: Vec<Arc<SubmissionHead>>,
}

impl ProblemHead {
    /// Whether a test is a sample, which its author may see. A test without a group is secret.
    pub fn is_sample(&self, test: &TestId) -> bool {
        test.as_str().starts_with("sample/") || self.samples.contains(test)
    }

    /// A program is killed at this many times the time limit.
    pub fn killed_at(&self) -> f64 {
        self.margins.map_or(1.0, |margins| margins.killed_at)
    }
}

/// The required distances of a time limit from the submissions, and the time at which tests are killed.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct MarginFactors {
    /// The limit should be at least this many times the slowest test that must be within it.
    pub ac_to_time_limit: f64,
    /// Submissions that must be over the limit should take at least this many times the limit.
    pub time_limit_to_tle: f64,
    /// A test is killed at this many times the limit.
    pub killed_at: f64,
}

/// The plan for one submission.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct SubmissionHead {
    /// The submission's name.
    pub submission: SubmissionId,
    /// The expected result in words.
    pub expected: String,
    /// Whether nothing is expected of it: every result is right.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub open: bool,
    /// The tests that must be within the time limit by the submission's label, which bound the limit from below:
    /// groups, names or globs; null for every test.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub within_limit: Vec<Option<String>>,
    /// The tests whose slowest must be over the limit by the submission's label; same notation.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub over_limit: Vec<Option<String>>,
    /// Whether it is the model solution.
    pub reference: bool,
    /// The arguments of `grader run` that select it: `-s reference.rs`.
    pub again: String,
    /// The student who submitted it, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub student: Option<String>,
    /// All students for whom this submission counts, if there are several: a team, a group of a platform. Each of them has
    /// an entry of their own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub authors: Vec<String>,
    /// Which of several submissions of the student for the problem it is, from 1; none if there is only one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attempt: Option<u32>,
    /// The time from the deadline to the submission, seconds; zero if it was in time. None if one of them is unknown.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "seconds::optional")]
    pub late: Option<Duration>,
    /// Whether its platform calls it late and nothing says by how much.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub called_late: bool,
    /// Remarks for its author about how it was read: the file that was run, or dropped lines of a notebook.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<String>,
    /// Its file or directory on this machine; none for a command.
    #[serde(default, skip_serializing_if = "Option::is_none", serialize_with = "grader_model::diagnostic::lossy")]
    pub source: Option<PathBuf>,
    /// The mean elapsed time of its tests in their last measurement, for estimating how long this run takes. Never
    /// recorded.
    #[serde(skip)]
    pub last_wall: Option<Duration>,
}

impl SubmissionHead {
    /// Whether it stands for the submission where that counts for several students: it is the entry of the first of them.
    pub fn is_of_first_author(&self) -> bool {
        self.authors.first().is_none_or(|first| self.student.as_ref() == Some(first))
    }

    /// Everybody for whom the submission counts.
    pub fn all_authors(&self) -> Vec<&str> {
        let alone = || self.student.as_deref().unwrap_or(self.submission.as_str());
        if self.authors.is_empty() { vec![alone()] } else { self.authors.iter().map(String::as_str).collect() }
    }

    /// How late it is, if anything says so.
    pub fn lateness(&self) -> Option<Lateness> {
        self.late.map(Lateness::By).or(self.called_late.then_some(Lateness::Unknown))
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

/// The reason why a test has no verdict although nothing failed. A record stores it as text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub enum UnjudgedReason {
    /// No output was submitted for the test.
    Missing,
    /// The case has no answer, so the program was run but its output was not compared.
    NoAnswer,
    /// The program with its sanitizers exceeded even the larger limits.
    SlowedBySanitizers,
    /// The text from the record of another version.
    Other(String),
}

impl UnjudgedReason {
    /// The reason as text.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Missing => "missing",
            Self::NoAnswer => "no answer, not judged",
            Self::SlowedBySanitizers => "not judged: too slow or too large under sanitizers",
            Self::Other(words) => words,
        }
    }
}

impl From<String> for UnjudgedReason {
    fn from(words: String) -> Self {
        let all = [Self::Missing, Self::NoAnswer, Self::SlowedBySanitizers];
        let known = all.into_iter().find(|known| known.as_str() == words);
        known.unwrap_or(Self::Other(words))
    }
}

impl From<UnjudgedReason> for String {
    fn from(reason: UnjudgedReason) -> Self {
        reason.as_str().to_owned()
    }
}

/// The result of a test.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(tag = "result", rename_all = "snake_case")]
pub enum TestResult {
    /// The test has a verdict. Shared: progress and record hold the same judgement.
    Judged(Arc<Judgement>),
    /// There was no output to judge, or no answer to compare it with.
    NotJudged {
        /// The reason.
        reason: UnjudgedReason,
        /// The measurements.
        measured: Measurements,
        /// The common path of the kept files, without extension.
        #[serde(default, serialize_with = "grader_model::diagnostic::lossy")]
        files: Option<PathBuf>,
    },
    /// The judge failed; this says nothing about the submission.
    JudgeError {
        /// The error message.
        message: String,
        /// Whether a validator exceeded its time limit. Then the tests after this one are not run.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        overdue: bool,
    },
    /// The run was interrupted, or the result was no longer needed.
    Cancelled,
}

impl TestResult {
    /// A judge error with this message.
    pub fn fault(message: String) -> Self {
        Self::JudgeError { message, overdue: false }
    }

    /// The result of a test without a submitted output.
    pub fn missing() -> Self {
        Self::NotJudged { reason: UnjudgedReason::Missing, measured: Measurements::default(), files: None }
    }

    /// Whether no output was submitted for the test.
    pub fn is_missing(&self) -> bool {
        matches!(self, Self::NotJudged { reason: UnjudgedReason::Missing, .. })
    }
}

/// A verdict with its reason and measurements.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Judgement {
    /// The verdict.
    pub verdict: Verdict,
    /// The reason in one line: `SIGSEGV`, `over 256 MiB of memory`, `line 2, column 11: …`. A record stores its words
    /// here, without figures that vary between runs; those are in `Measurements::reason`.
    #[serde(with = "reason_in_words")]
    pub reason: Reason,
    /// Remarks on an accepted or otherwise clear result: `only case differs; …`. A remark that depends on figures is in
    /// `Measurements::remark`. `Judgement::all_remarks` returns both kinds.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<String>,
    /// The first difference, for a wrong answer by the built-in checker.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub difference: Option<Box<Difference>>,
    /// The built-in checker that rejected the output; none if a program did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checker: Option<Checker>,
    /// The message of the output validator or interactor to the judges (`judgemessage.txt`), bounded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub feedback: Option<String>,
    /// The message of the same validator to the author of the submission (`teammessage.txt`), bounded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub team_message: Option<String>,
    /// The points of this test alone; none in a pass-fail problem, or if only the test's group has points.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
    /// The verdicts of other judges, if the run asked for them and at least one differs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<Opinion>,
    /// The path without extension that the kept files share: `.in`, `.ans`, `.out`, `.err`, `.interaction`, and the
    /// extensions that [`part_extension`] returns.
    #[serde(default, skip_serializing_if = "Option::is_none", serialize_with = "grader_model::diagnostic::lossy")]
    pub files: Option<PathBuf>,
    /// The measurements.
    pub measured: Measurements,
}

/// The verdict of another judge on the same execution.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Opinion {
    /// The judge.
    pub judge: Ruleset,
    /// Its verdict; none for a judge error, or if it is unknown.
    pub verdict: Option<Verdict>,
    /// Whether its verdict is unknown, because its execution would have continued differently.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_unknown: bool,
}

impl Opinion {
    /// The opinion of a judge; none for a judge error.
    pub fn new(judge: Ruleset, verdict: Option<Verdict>) -> Self {
        Self { judge, verdict, is_unknown: false }
    }

    /// Returns the verdict by the name that the judge uses: `RTE` if the judge has no name for this verdict, `JE` for a
    /// judge error, `?` if it is unknown.
    pub fn word(&self) -> &'static str {
        let missing = if self.is_unknown { "?" } else { "JE" };
        self.verdict.map_or(missing, |verdict| self.judge.word(verdict))
    }
}

/// Returns the extension of the file that holds the text around the first difference, from the byte `start` on. Such a
/// file exists if `stem.ending` does not reach that far. Example: `at-73400320.out`.
pub fn part_extension(start: u64, ending: &str) -> String {
    format!("at-{start}.{ending}")
}

impl Judgement {
    /// Whether the submission consists of outputs and lacks this one.
    pub fn lacks_answer(&self) -> bool {
        self.verdict == Verdict::WrongAnswer && self.reason == Reason::NoAnswer
    }

    /// The reason with its figures, as text.
    pub fn full_reason(&self) -> String {
        self.measured.reason.as_ref().unwrap_or(&self.reason).to_string()
    }

    /// All remarks, including the one about the measurements.
    pub fn all_remarks(&self) -> impl Iterator<Item = &str> {
        self.remarks.iter().chain(&self.measured.remark).map(String::as_str)
    }
}

/// The measurements of one execution.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Measurements {
    /// User + system time of the process tree; recorded in seconds.
    #[serde(with = "seconds")]
    pub cpu: Duration,
    /// Elapsed time by the monotonic clock; recorded in seconds.
    #[serde(with = "seconds")]
    pub wall: Duration,
    /// Peak memory in bytes.
    pub memory: Bytes,
    /// Whether the sandbox killed the program, so that the time is a lower bound.
    pub killed: bool,
    /// Whether the result comes from the store and was not measured in this run.
    pub cached: bool,
    /// The time limit of this test, seconds, if it differs from that of the first group.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "seconds::optional")]
    pub time_limit: Option<Duration>,
    /// The reason with its figures, if it has any: `peak 258 MiB > 256 MiB`.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "reason_in_words::with_figures")]
    pub reason: Option<Reason>,
    /// A remark about the measurements: `near the time limit`, `flaky: 1.020 s, 0.970 s, 0.960 s of 1 s`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remark: Option<String>,
    /// The cpu time of each execution in order, seconds, if the test was executed more than once. `cpu` is the least of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty", with = "seconds::list")]
    pub times: Vec<Duration>,
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

/// The result of a submission. The ledger finds it once; the record, the report and every reporter read this one value.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SubmissionResult {
    /// The verdict: that of the first failing test in plan order; none if the submission could not be judged. Points do
    /// not change it: AC means that every test is accepted, even if an output validator gives some tests less than all
    /// points. In a package with graders (legacy format), the graders decide the verdict.
    pub verdict: Option<Verdict>,
    /// The result compared with the expectation.
    pub standing: Standing,
    /// Whether an expected result holds so far only. Tests were skipped that could still break the expectation, or the
    /// tests that were not selected could still meet it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub so_far: bool,
    /// Its points; none in a pass-fail problem, or if it could not be judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
    /// The points of each group in plan order; empty in a pass-fail problem.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<GroupScore>,
}

/// The points of one group of tests.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GroupScore {
    /// The group's path below the data root.
    pub group: String,
    /// The group's points.
    pub score: f64,
    /// The maximum; none if the group is unbounded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_score: Option<f64>,
}

/// The reason why a result is unexpected. A record stores it as text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub enum UnexpectedReason {
    /// An unexpected verdict.
    Verdict {
        /// The expected result in words.
        expected: String,
        /// The actual verdict.
        got: Verdict,
    },
    /// Its points, the message of its validator, or the text from a record.
    Other(String),
}

impl UnexpectedReason {
    /// The unexpected verdict; none if the result is unexpected for another reason.
    pub fn got(&self) -> Option<Verdict> {
        match self {
            Self::Verdict { got, .. } => Some(*got),
            Self::Other(_) => None,
        }
    }
}

impl fmt::Display for UnexpectedReason {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Verdict { expected, got } => write!(to, "expected {expected}, got {got}"),
            Self::Other(words) => to.write_str(words),
        }
    }
}

impl From<String> for UnexpectedReason {
    fn from(words: String) -> Self {
        Self::Other(words)
    }
}

impl From<UnexpectedReason> for String {
    fn from(missed: UnexpectedReason) -> Self {
        missed.to_string()
    }
}

/// The result of a submission compared with its expectation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "standing", rename_all = "snake_case")]
pub enum Standing {
    /// As expected.
    Met,
    /// Not as expected.
    Missed {
        /// The reason, such as `expected AC, got WA`.
        why: UnexpectedReason,
    },
    /// It could not be judged here (no compiler), or none of its tests was judged.
    NotJudged {
        /// The reason.
        reason: String,
    },
    /// The judge failed.
    JudgeError {
        /// The error message.
        message: String,
    },
    /// The run was interrupted before the result was known.
    Interrupted,
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
        Self { wall: to_micros(wall), others, limits_memory: None }
    }
}

/// If other programs use more than this share of the machine, they disturb the measured times.
pub const DISTURBING: f64 = 0.1;

fn to_micros(time: Duration) -> Duration {
    Duration::new(time.as_secs(), time.subsec_micros() * 1000)
}

/// Stores reasons as text in a record.
mod reason_in_words {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use crate::reason::Reason;

    pub(super) fn serialize<S: Serializer>(reason: &Reason, serializer: S) -> Result<S::Ok, S::Error> {
        reason.without_figures().serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Reason, D::Error> {
        String::deserialize(deserializer).map(Reason::from_record)
    }

    /// Stores an optional reason, with all figures.
    pub(super) mod with_figures {
        use super::{Deserialize, Deserializer, Reason, Serialize, Serializer};

        #[expect(clippy::ref_option, reason = "serde hands out a reference to the field")]
        pub(in super::super) fn serialize<S: Serializer>(
            reason: &Option<Reason>,
            serializer: S,
        ) -> Result<S::Ok, S::Error> {
            reason.as_ref().map(ToString::to_string).serialize(serializer)
        }

        pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(
            deserializer: D,
        ) -> Result<Option<Reason>, D::Error> {
            Ok(Option::<String>::deserialize(deserializer)?.map(Reason::from_record))
        }
    }
}

/// Stores durations as seconds, to the microsecond.
mod seconds {
    use std::time::Duration;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
        let micros = time.as_micros();
        #[expect(clippy::cast_precision_loss, reason = "exact for three hundred years")]
        (micros as f64 / 1e6).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
        Duration::try_from_secs_f64(f64::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    }

    /// Stores an optional duration.
    pub(super) mod optional {
        use super::{Deserialize, Deserializer, Duration, Serialize, Serializer};

        #[derive(Serialize, Deserialize)]
        struct Seconds(#[serde(with = "super")] Duration);

        #[expect(clippy::ref_option, reason = "serde hands out a reference to the field")]
        pub(in super::super) fn serialize<S: Serializer>(
            time: &Option<Duration>,
            serializer: S,
        ) -> Result<S::Ok, S::Error> {
            time.map(Seconds).serialize(serializer)
        }

        pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(
            deserializer: D,
        ) -> Result<Option<Duration>, D::Error> {
            Ok(Option::<Seconds>::deserialize(deserializer)?.map(|Seconds(time)| time))
        }
    }

    /// Stores several durations.
    pub(super) mod list {
        use super::{Deserialize, Deserializer, Duration, Serialize, Serializer};

        #[derive(Serialize, Deserialize)]
        struct Seconds(#[serde(with = "super")] Duration);

        pub(in super::super) fn serialize<S: Serializer>(times: &[Duration], serializer: S) -> Result<S::Ok, S::Error> {
            serializer.collect_seq(times.iter().map(|time| Seconds(*time)))
        }

        pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(
            deserializer: D,
        ) -> Result<Vec<Duration>, D::Error> {
            let times = Vec::<Seconds>::deserialize(deserializer)?;
            Ok(times.into_iter().map(|Seconds(time)| time).collect())
        }
    }
}

impl Measurements {
    /// Rounds the measurements to the precision of the record, so that later readers see the same values.
    pub fn new(usage: Usage, killed: bool, cached: bool) -> Self {
        let Usage { cpu, wall, memory } = usage;
        let [cpu, wall] = [cpu, wall].map(to_micros);
        Self { cpu, wall, memory, killed, cached, ..Self::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Records of all versions contain these texts, and readers show unknown texts unchanged.
    #[test]
    fn a_record_holds_the_words_of_what_is_not_judged() {
        for (reason, words) in [
            (UnjudgedReason::Missing, "missing"),
            (UnjudgedReason::NoAnswer, "no answer, not judged"),
            (UnjudgedReason::Other("for another reason".to_owned()), "for another reason"),
        ] {
            let result =
                TestResult::NotJudged { reason: reason.clone(), measured: Measurements::default(), files: None };
            let text = serde_json::to_string(&result).unwrap();
            assert!(text.starts_with(&format!("{{\"result\":\"not_judged\",\"reason\":\"{words}\",")), "{text}");
            let read: TestResult = serde_json::from_str(&text).unwrap();
            assert!(matches!(&read, TestResult::NotJudged { reason: known, .. } if *known == reason), "{text}");
            assert_eq!(read.is_missing(), reason == UnjudgedReason::Missing);
        }
    }

    fn judgement(verdict: Verdict, reason: Reason) -> Judgement {
        let with_figures = Some(reason.clone()).filter(|reason| reason.to_string() != reason.without_figures());
        Judgement {
            verdict,
            reason,
            remarks: Vec::new(),
            difference: None,
            checker: None,
            feedback: None,
            team_message: None,
            score: None,
            others: Vec::new(),
            files: None,
            measured: Measurements { reason: with_figures, ..Measurements::default() },
        }
    }

    /// The bytes are the same in all versions. A typed reason is read back as equal text.
    #[test]
    fn a_record_holds_the_words_of_a_reason() {
        let slow = Reason::Time { cpu: Duration::from_millis(2125), limit: Duration::from_secs(2) };
        let (plain, full) = ("over 2 s of cpu time", "2.125 s > 2 s");
        for (verdict, reason, plain, full) in [
            (Verdict::Accepted, Reason::Nothing, "", None),
            (Verdict::WrongAnswer, Reason::NoAnswer, "no answer was handed in", None),
            (Verdict::TimeLimit, slow.clone(), plain, Some(full)),
            (Verdict::TimeLimit, slow.in_pass(2), "pass 2: over 2 s of cpu time", Some("pass 2: 2.125 s > 2 s")),
        ] {
            let written = judgement(verdict, reason);
            let text = serde_json::to_string(&written).unwrap();
            assert!(text.starts_with(&format!("{{\"verdict\":\"{verdict}\",\"reason\":\"{plain}\",")), "{text}");
            let figures = full.map(|full| format!("\"reason\":\"{full}\"}}}}"));
            assert!(figures.is_none_or(|figures| text.ends_with(&figures)), "{text}");
            let read: Judgement = serde_json::from_str(&text).unwrap();
            assert_eq!(read.full_reason(), written.full_reason());
            assert_eq!(read.lacks_answer(), written.lacks_answer());
            assert_eq!(serde_json::to_string(&read).unwrap(), text);
        }
    }

    #[test]
    fn a_record_holds_the_words_of_what_is_missed() {
        let missed = |why| Standing::Missed { why };
        let got = missed(UnexpectedReason::Verdict { expected: "AC".to_owned(), got: Verdict::WrongAnswer });
        let text = serde_json::to_string(&got).unwrap();
        assert_eq!(text, "{\"standing\":\"missed\",\"why\":\"expected AC, got WA\"}");
        let read: Standing = serde_json::from_str(&text).unwrap();
        assert_eq!(read, missed(UnexpectedReason::Other("expected AC, got WA".to_owned())));
    }

    #[test]
    fn what_graders_say_is_written_as_words() {
        let said: Result<Grade, GraderFault> = Err(GraderFault("it crashed".to_owned()));
        assert_eq!(serde_json::to_string(&said).unwrap(), "{\"Err\":\"it crashed\"}");
    }
}
