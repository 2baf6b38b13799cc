//! The result of one execution: the facts, the judge's assessment, and the output of the program.

use std::fs::File;
use std::io;
use std::io::{Read as _, Seek as _};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tempfile::TempDir;

use super::case::{Case, points_of};
use super::compare::Capture;
use super::feedback::{Feedback, TwoScores};
use super::passes::NextPass;
use super::validator::ValidatorAnswer;
use super::{Decision, Fault, JudgeError, Rejection, near_time_limit};
use crate::difference::Difference;
use crate::event::Opinion;
use crate::limits::Usage;
use crate::problem::{Checker, PackageLayout};
use crate::reason::Reason;
use crate::sandbox::{Exit, Kill, MemoryScope, Outcome, WrittenBytes};
use crate::verdict::Verdict;

/// The judge's assessment of an output.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Assessment {
    /// Why the output is rejected; none if it is accepted.
    #[serde(rename = "ruling")]
    pub rejection: Option<Rejection>,
    /// Why a conversation came to a standstill, if it did.
    #[serde(default)]
    pub standstill: Option<String>,
    /// Remarks on an accepted output.
    pub remarks: Vec<String>,
    /// The first difference that the built-in checker found.
    pub difference: Option<Box<Difference>>,
    /// The messages and points of the output validator or interactor.
    pub feedback: Feedback,
    /// The last pass, in a multi-pass problem.
    pub pass: Option<LastPass>,
    /// The verdicts of other judges, if the run asks for them.
    #[serde(skip)]
    pub others: Vec<Opinion>,
}

/// The pass that decided the result.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct LastPass {
    /// Its number, from 1.
    pub number: u32,
    /// The input of this pass, if it differs from the input of the case. None if it is too large to remember.
    pub input: Option<String>,
}

impl Assessment {
    /// Whether the result comes from a later pass whose input is no longer known.
    pub(crate) fn lacks_input(&self) -> bool {
        self.pass.as_ref().is_some_and(|pass| pass.number > 1 && pass.input.is_none())
    }

    /// Adds the answer of one of several output validators. The first rejection gives the reason.
    pub(super) fn add(
        &mut self,
        ValidatorAnswer { decision, feedback, reason }: ValidatorAnswer,
    ) -> Result<(), TwoScores> {
        if decision == Decision::Reject {
            let reason = reason.unwrap_or_else(|| "rejected by the output validator".to_owned());
            self.rejection.get_or_insert((Verdict::WrongAnswer, reason.into()));
        }
        self.feedback.add(feedback)
    }

    /// The assessment of an output that is rejected.
    pub fn rejected(rejection: Rejection) -> Self {
        Self { rejection: Some(rejection), ..Self::default() }
    }
}

impl Case {
    /// The points of an execution; none if only its group has points. An error is a fault of the output validator.
    pub fn points_for(&self, assessment: &Assessment) -> Result<Option<f64>, JudgeError> {
        let verdict = assessment.rejection.as_ref().map_or(Verdict::Accepted, |rejection| rejection.0);
        let mut names: Vec<String> = self.validator_names().collect();
        if let (true, Checker::Standard(checker)) = (names.is_empty(), self.checker) {
            names.push(checker.name().to_owned());
        }
        if assessment.feedback.gives_points && self.problem.scoring.is_none() {
            let stated = points_remedy(self.problem.layout);
            let message = "gives points, but the problem has none";
            let names = names.join(", ");
            return Err(JudgeError::protocol(format!("{names}: {message}; {stated}let it end with _ok or _wa")));
        }
        points_of(self.points, verdict, &assessment.feedback).map_err(|error| {
            if names.is_empty() { error } else { JudgeError::protocol(format!("{}: {error}", names.join(", "))) }
        })
    }
}

/// The first of two ways to give a problem of this layout points. Library Checker has no points.
fn points_remedy(layout: PackageLayout) -> &'static str {
    match layout {
        PackageLayout::Native | PackageLayout::Plain => "set `type = \"scoring\"` in problem.toml, or ",
        PackageLayout::Icpc => "set `type: scoring` in problem.yaml, or ",
        PackageLayout::Polygon => "give its tests points on Polygon (without a scorer) and download it again, or ",
        PackageLayout::Hydro => "give the problem several subtasks in testdata/config.yaml, or ",
        PackageLayout::Dmoj => "give the problem several batches or cases with points in init.yml, or ",
        // Its tasks always have points.
        PackageLayout::LibraryChecker | PackageLayout::ItalyYaml => "",
    }
}

/// The result of one execution: the facts, the judge's assessment, and the kept streams.
pub struct JudgedExecution {
    /// The facts.
    pub outcome: Outcome,
    /// The judge's assessment.
    pub assessment: Assessment,
    /// The input and the output, as far as they are kept.
    pub streams: Streams,
}

impl JudgedExecution {
    /// Returns the result unless the execution was cancelled: then there is nothing to judge.
    pub fn unless_cancelled(self) -> Result<Self, Fault> {
        if self.outcome.killed == Some(Kill::Cancelled) { Err(Fault::Cancelled) } else { Ok(self) }
    }

    /// The result if the submission consists of outputs and has none for this case.
    pub fn unanswered() -> Self {
        let assessment = Assessment::rejected((Verdict::WrongAnswer, Reason::NoAnswer));
        Self { outcome: not_run(0), assessment, streams: Streams::new(Stdout::Bytes(Vec::new()), Vec::new()) }
    }

    /// Returns the output, if all of it is known and it has at most `cap` bytes.
    pub fn output(&self, case: &Case, cap: u64) -> Option<Vec<u8>> {
        match &self.streams.stdout {
            Stdout::Capture(capture) => {
                let fits = !capture.truncated() && capture.total() <= cap;
                let mut bytes = Vec::new();
                let read = || -> io::Result<()> { capture.write_to(&mut case.open_answer()?, &mut bytes) };
                // An output that cannot be read back is not remembered, so the case runs again next time.
                let whole = fits.then(read).is_some_and(|read| read.is_ok());
                whole.then_some(bytes)
            }
            Stdout::File(output) => {
                let read = || -> io::Result<Option<Vec<u8>>> {
                    let mut file = output.try_clone()?;
                    if file.metadata()?.len() > cap {
                        return Ok(None);
                    }
                    let mut bytes = Vec::new();
                    file.rewind()?;
                    file.read_to_end(&mut bytes)?;
                    Ok(Some(bytes))
                };
                // As above.
                read().ok().flatten()
            }
            Stdout::Bytes(output) => Some(output.clone()),
            Stdout::Transcript(transcript) => (transcript.len() as u64 <= cap).then(|| transcript.clone()),
        }
    }

    /// Returns the beginning of the output, at most `most` bytes.
    pub fn beginning(&self, case: &Case, most: usize) -> io::Result<Vec<u8>> {
        match &self.streams.stdout {
            Stdout::Capture(capture) => {
                let mut head = Head { bytes: Vec::new(), most };
                capture.write_to(&mut case.open_answer()?, &mut head)?;
                Ok(head.bytes)
            }
            Stdout::File(output) => {
                let mut file = output.try_clone()?;
                let mut bytes = Vec::new();
                file.rewind()?;
                file.take(most as u64).read_to_end(&mut bytes)?;
                Ok(bytes)
            }
            Stdout::Bytes(bytes) | Stdout::Transcript(bytes) => Ok(bytes[..bytes.len().min(most)].to_vec()),
        }
    }

    /// Whether there was nothing to judge the output by: the program ran only to show its output.
    pub(crate) fn is_unanswered(&self, case: &Case) -> bool {
        let validators = case.answer.is_some() || case.problem.kind.is_led_by_validator();
        !validators && self.assessment.rejection.is_none() && self.assessment.feedback == Feedback::default()
    }

    /// Whether the verdict is TLE.
    pub(crate) fn is_over_time(&self) -> bool {
        matches!(&self.assessment.rejection, Some((Verdict::TimeLimit, _)))
    }

    /// Whether the verdict is TLE, and may be due to other programs on the machine. A flood is not, and neither are two
    /// sides that were seen waiting for each other.
    pub fn is_doubtful(&self) -> bool {
        let reason = self.assessment.rejection.as_ref().map(|(_, reason)| reason);
        let is_other = |reason: &Reason| matches!(reason, Reason::Flood { .. }) || reason.is_slowed_by_sanitizers();
        self.is_over_time() && self.assessment.standstill.is_none() && !reason.is_some_and(is_other)
    }

    /// The CPU time, and whether the program was stopped.
    pub fn time(&self) -> (Duration, bool) {
        (self.outcome.usage.cpu, self.outcome.killed.is_some())
    }

    /// Returns whether this run was less disturbed than another one. A run within the limit beats one over it;
    /// otherwise the run with less CPU time wins.
    pub fn is_quicker(&self, other: &Self) -> bool {
        let rank = |judged: &Self| (judged.is_over_time(), judged.outcome.usage.cpu);
        rank(self) < rank(other)
    }

    /// Returns whether the verdict depends on a time near the limit. An output that is wrong stays wrong, whatever the
    /// time.
    pub fn time_decides(&self, case: &Case) -> bool {
        let by_time = match &self.assessment.rejection {
            Some((verdict, _)) => *verdict == Verdict::TimeLimit,
            None => !self.is_unanswered(case),
        };
        let is_measured = case.sanitized.is_none() && self.assessment.standstill.is_none();
        by_time && is_measured && near_time_limit(&self.outcome, &case.limits)
    }
}

/// Keeps the first bytes that are written, and takes the others without keeping them.
struct Head {
    bytes: Vec<u8>,
    most: usize,
}

impl io::Write for Head {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let room = (self.most - self.bytes.len()).min(bytes.len());
        self.bytes.extend_from_slice(&bytes[..room]);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The input and output of a program, as far as they are kept.
pub struct Streams {
    /// Standard output.
    pub stdout: Stdout,
    /// Standard error, bounded.
    pub stderr: Vec<u8>,
    /// Standard input, if it is the input of a later pass and not that of the case.
    pub stdin: Option<PassInput>,
    /// The feedback directory as the output validator left it, if the case keeps it and a validator was asked.
    pub feedback: Option<io::Result<TempDir>>,
}

/// Standard output.
pub enum Stdout {
    /// The part that the comparator kept.
    Capture(Capture),
    /// All of it, in an anonymous file.
    File(File),
    /// All of it, or the transcript of a conversation, from an earlier run.
    Bytes(Vec<u8>),
    /// The transcript of a conversation.
    Transcript(Vec<u8>),
}

/// The input of a later pass.
pub enum PassInput {
    /// The input that the output validator wrote.
    Made(NextPass),
    /// From an earlier run.
    Bytes(Vec<u8>),
}

impl Streams {
    /// Creates the streams of a run on the input of its case.
    pub(crate) fn new(stdout: Stdout, stderr: Vec<u8>) -> Self {
        Self { stdin: None, stdout, stderr, feedback: None }
    }
}

/// The facts of a submitted output of `size` bytes, for which no program ran.
pub fn not_run(size: u64) -> Outcome {
    let exit = Exit::Code(0);
    let usage = Usage::default();
    let printed = WrittenBytes { stdout: size, stderr: 0 };
    let crossed = None;
    let waited = Duration::ZERO;
    Outcome { exit, killed: None, usage, memory_scope: MemoryScope::Tree, survivors: 0, printed, crossed, waited }
}
