//! The heads of a run, of its problems and of their submissions: what is known before anything runs.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use grader_model::course::{Lateness, Missing};
use grader_model::limits::Bytes;
use grader_model::problem::{Label, ProblemId, SubmissionId, TestId};
use serde::{Deserialize, Serialize};

use super::{GradeColumn, GradePolicy, Override, RosterStudent, SubmissionIndex, SubmissionRef, seconds};

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
        known.map_or_else(|| student.to_owned(), |known| known.named_after(student))
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
    /// The most points of each selected test that has points of its own.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub test_points: BTreeMap<TestId, f64>,
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
    /// The time of the submission in ISO 8601, if several submissions of a student are judged and the platform states it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub submitted: Option<String>,
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
