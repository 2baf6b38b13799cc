//! The result of a test: a verdict with its reason and measurements, or why there is none.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use grader_model::difference::Difference;
use grader_model::limits::{Bytes, Usage};
use grader_model::problem::Checker;
use grader_model::ruleset::Ruleset;
use grader_model::verdict::Verdict;
use serde::{Deserialize, Serialize};

use super::seconds;
use crate::reason::Reason;

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

impl Measurements {
    /// Rounds the measurements to the precision of the record, so that later readers see the same values.
    pub fn new(usage: Usage, killed: bool, cached: bool) -> Self {
        let Usage { cpu, wall, memory } = usage;
        let [cpu, wall] = [cpu, wall].map(seconds::to_micros);
        Self { cpu, wall, memory, killed, cached, ..Self::default() }
    }
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
