//! One test case ready for judging: its files, its limits and the rules of the judge.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::JudgeError;
use super::feedback::Feedback;
use super::validator::Validator;
use crate::compile::Artifact;
use crate::limits::{Bytes, JudgeLimits};
use crate::problem::{Arguments, CasePoints, Checker, PackageLayout, Problem, WorkFiles};
use crate::ruleset::Ruleset;
use crate::score::points::{self, ScoreFile};
use crate::verdict::Verdict;

/// The files and limits of one test of one submission.
#[derive(Clone)]
pub struct Case {
    /// The problem.
    pub problem: Arc<Problem>,
    /// The input.
    pub input: PathBuf,
    /// The answer, if there is one.
    pub answer: Option<PathBuf>,
    /// The built-in comparison, for problems without an output validator.
    pub checker: Checker,
    /// The points that the submission can get.
    pub points: CasePoints,
    /// The limits of the submission.
    pub limits: JudgeLimits,
    /// The limits of the output validator.
    pub validator_limits: JudgeLimits,
    /// The time limit of the problem's first group, which most tests have.
    pub usual_time: Duration,
    /// The judge whose rules apply.
    pub ruleset: Ruleset,
    /// The terms of other judges, if the run asks for their verdicts.
    pub others: Vec<Terms>,
    /// The extra arguments of the submission and of the output validator.
    pub arguments: Arguments,
    /// The files that the submission finds and leaves in its working directory.
    pub work: WorkFiles,
    /// The part of the memory limit that the language runtime gets on top of the stated limit.
    pub memory_beside: Bytes,
    /// The interpreter or runtime that judges would use, in words, if it is not installed here.
    pub missing: Option<String>,
    /// Which of several classes the program starts, if the choice is a guess.
    pub class_choice: Option<String>,
    /// The folder with the files of the program, as the program sees it. None for a command.
    pub folder: Option<PathBuf>,
    /// The names of the program's files, if it was built with sanitizers.
    pub sanitized: Option<Arc<[PathBuf]>>,
    /// How a program in the language of the submission flushes its output; empty if it needs no call.
    pub flush: String,
    /// Whether what the output validator leaves in its feedback directory is kept, for a visualiser.
    pub keeps_feedback: bool,
}

/// The rules and limits by which a judge judges one test.
#[derive(Debug, Clone)]
pub struct Terms {
    /// The judge whose rules apply.
    pub ruleset: Ruleset,
    /// The limits of the submission.
    pub limits: JudgeLimits,
    /// The built-in comparison, for problems without an output validator.
    pub checker: Checker,
}

impl Case {
    /// The same case for an author with extra time.
    #[must_use]
    pub fn with_time_factor(mut self, factor: f64) -> Self {
        self.limits = self.limits.with_time_factor(factor);
        self.usual_time = self.usual_time.mul_f64(factor);
        for terms in &mut self.others {
            terms.limits = terms.limits.with_time_factor(factor);
        }
        self
    }

    /// The output validator with this number, ready to run on this case.
    pub(super) fn validator<'a>(&'a self, number: usize, artifact: &'a Artifact) -> Validator<'a> {
        let name = self.validator_names().nth(number).unwrap_or_else(|| "the output validator".to_owned()).into();
        let arguments = &self.arguments.output_validator;
        // grader's own runner of unit tests prints a sentence.
        let says_why = self.problem.unit_tests().is_some();
        Validator { name, artifact, arguments, files: &[], limits: self.validator_limits, says_why }
    }

    /// The names of the output validators, for messages.
    pub(super) fn validator_names(&self) -> impl Iterator<Item = String> {
        self.problem.output_judges().map(|judge| self.problem.name_of(&judge.program))
    }

    /// Whether the output is only shown: in a plain folder, nothing can judge an output without the answer.
    pub(super) fn is_only_shown(&self) -> bool {
        self.answer.is_none() && self.problem.layout == PackageLayout::Plain
    }

    /// Returns a remark on a verdict that may follow from how programs run here, or from where the answer is.
    pub fn remark(&self, verdict: Verdict) -> Option<String> {
        match verdict {
            Verdict::WrongAnswer | Verdict::RunTimeError | Verdict::TimeLimit if self.class_choice.is_some() => {
                self.class_choice.clone()
            }
            Verdict::TimeLimit => self.missing.clone(),
            Verdict::WrongAnswer => self.problem.document_of_answer(self.answer.as_deref()?).map(|document| {
                let name = document.file_name().unwrap_or(document.as_os_str());
                format!("{} states this answer", name.display())
            }),
            Verdict::MemoryLimit if self.memory_beside > Bytes(0) => Some(format!(
                "{} for the heap and {} beside it",
                Bytes(self.limits.kill.memory.0.saturating_sub(self.memory_beside.0)),
                self.memory_beside
            )),
            _ => None,
        }
    }

    /// The path of the answer; `/dev/null` if the case has no answer.
    pub(super) fn answer(&self) -> &Path {
        self.answer.as_deref().unwrap_or(Path::new("/dev/null"))
    }

    /// Opens the answer for a comparison. A missing answer reads as empty.
    pub fn open_answer(&self) -> io::Result<Box<dyn Read>> {
        Ok(match &self.answer {
            Some(path) => Box::new(File::open(path)?),
            None => Box::new(io::empty()),
        })
    }
}

/// Returns the points that a validator gave in its feedback files. An error is the validator's fault.
pub(crate) fn points_of(worth: CasePoints, verdict: Verdict, feedback: &Feedback) -> Result<Option<f64>, JudgeError> {
    match &feedback.unreadable {
        Some(fault) if worth != CasePoints::Ignored => Err(JudgeError::protocol(fault)),
        _ => {
            let by = if feedback.gives_points { ScoreFile::Quitp } else { ScoreFile::Score };
            let share_by = if feedback.gives_points { ScoreFile::Percent } else { ScoreFile::Multiplier };
            let score = feedback.score.as_deref().map(|text| (by, text));
            let multiplier = feedback.multiplier.as_deref().map(|text| (share_by, text));
            points::of_case(worth, verdict, score, multiplier).map_err(|error| JudgeError::protocol(error.to_string()))
        }
    }
}
