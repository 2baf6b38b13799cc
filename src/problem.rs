//! What is graded: problems, their test cases and the submissions that belong to them. Plain data, no I/O.
//!
//! The words are those of the ICPC problem package format 2025-09 where it has one.

mod additions;
mod checker;
mod expectation;
pub mod grading;
mod group;
mod scoring;
mod test;

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::limits::Bytes;
use crate::ruleset::Ruleset;

pub use additions::{Additions, Constants, DEFAULT_INCLUDE, Included, TooLarge};
pub use checker::{Checker, CheckerError, TokenOptions};
pub use expectation::{Expectation, Rule, ScoreRange};
pub use group::{AnswerFile, Arguments, CaseInput, OwnSetting, Setting, TestCase, TestGroup};
pub use scoring::{Aggregation, CasePoints, ScoreGroup, ScoreTree, Scoring};
pub use test::{STATIC_VALIDATION, StaticValidation, Test};

macro_rules! name_type {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(Arc<str>);

        impl $name {
            /// The name as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl<T: Into<Arc<str>>> From<T> for $name {
            fn from(name: T) -> Self {
                Self(name.into())
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(&self.0)
            }
        }
    };
}

name_type! {
    /// The name of a problem's directory: `nine`.
    ProblemId
}
name_type! {
    /// A submission's path below `submissions/`: `accepted/reference.rs`.
    SubmissionId
}
name_type! {
    /// A test case's group and base name: `secret/03-edge`; in a plain folder the base name alone.
    TestId
}

/// The letter of a problem in a contest: `A`, `C2`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Label(String);

impl Label {
    /// A few letters and digits; none for anything else.
    pub fn new(text: &str) -> Option<Self> {
        let fits = (1..=8).contains(&text.chars().count()) && text.chars().all(|c| c.is_alphanumeric() || c == '-');
        fits.then(|| Self(text.to_owned()))
    }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// One problem, complete with its cases and submissions.
#[derive(Debug, Clone, PartialEq)]
pub struct Problem {
    /// The directory's name, unique in a run.
    pub id: ProblemId,
    /// The title for people.
    pub title: String,
    /// Its letter, where it belongs to a contest.
    pub label: Option<Label>,
    /// Where the problem lives.
    pub dir: PathBuf,
    /// Which reader understood it.
    pub layout: Layout,
    /// How a submission is run.
    pub kind: ProblemKind,
    /// Whose rules hold; none: nobody says, and the package format's do.
    pub judged_as: Option<Ruleset>,
    /// How often at most a submission is run on one case; 1 unless it is multi-pass.
    pub passes: u32,
    /// What the problem itself says about its limits.
    pub limits: LimitOptions,
    /// What it says about the limits of its output validator, each time that it is run.
    pub validation: LimitOptions,
    /// How it gets a time limit; none where it states one, or where the configured one holds.
    pub timing: Option<Timing>,
    /// How far its time limit should be from its submissions, stated or not.
    pub distances: Distances,
    /// How outputs are compared when there is no output validator.
    pub checker: Option<Checker>,
    /// Programs that accept or reject inputs.
    pub input_validators: Vec<Program>,
    /// The programs that judge outputs, all of which must accept, or the one that talks to the submission in an interactive
    /// problem; none: the built-in comparison.
    pub output_validators: Vec<Program>,
    /// The program that judges the sources of submissions, where a group asks for that.
    pub static_validator: Option<Program>,
    /// What the problem itself says that its output validators are called with (legacy `validator_flags`).
    pub validator_flags: Vec<String>,
    /// Groups in the order of judging.
    pub groups: Vec<TestGroup>,
    /// Submissions in the order of showing: accepted first, then by name.
    pub submissions: Vec<Submission>,
    /// Index into `submissions` of the model solution.
    pub reference: Option<usize>,
    /// How the results of cases become that of a submission; none where every case must be accepted and there are no
    /// points.
    pub scoring: Option<Scoring>,
    /// What is added to programs before they are built.
    pub additions: Additions,
}

/// How a package that states no time limit gets one from its submissions (package format 2025-09, "Problem timing";
/// legacy, "Limits").
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Timing {
    /// The limit, once it is known.
    pub derived: Option<Duration>,
}

/// How a time limit keeps its distance (2025-09: `limits.time_multipliers` and `limits.time_resolution`; legacy:
/// `limits.time_multiplier` and `limits.time_safety_margin`).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Distances {
    /// The limit is at least this many times the slowest accepted test; at least 1.
    pub ac_to_time_limit: f64,
    /// The fastest test that is over time takes at least this many times the limit; at least 1.
    pub time_limit_to_tle: f64,
    /// The limit is a multiple of this.
    pub resolution: Duration,
    /// Whether accepted submissions alone bound the limit from below, as in the legacy format.
    pub accepted_only: bool,
}

impl Default for Distances {
    /// Those of the package format 2025-09.
    fn default() -> Self {
        Self { ac_to_time_limit: 2.0, time_limit_to_tle: 1.5, resolution: Duration::from_secs(1), accepted_only: false }
    }
}

impl Problem {
    /// The name of its folder, which is its id unless another problem has the same: what test cases, contests and students
    /// call it.
    pub fn slug(&self) -> &str {
        self.dir.file_name().and_then(|name| name.to_str()).unwrap_or(self.id.as_str())
    }

    /// Whether accepted submissions alone bound its time limit from below: by the legacy format; and where an output
    /// validator leads, because how long another goes on after it was rejected says nothing.
    pub fn only_accepted_bound_its_time(&self) -> bool {
        self.distances.accepted_only || self.kind.is_led_by_validator()
    }

    /// Whose rules hold.
    pub fn ruleset(&self) -> Ruleset {
        self.judged_as.unwrap_or_default()
    }

    /// The time limit of a package that states none, by the rules of this judge, as far as it is known.
    pub fn unstated_time(&self, ruleset: Ruleset) -> Option<Duration> {
        self.timing.and_then(|timing| ruleset.time_limit().or(timing.derived))
    }

    /// Every test case with its group, in plan order.
    pub fn cases(&self) -> impl Iterator<Item = (&TestGroup, &TestCase)> {
        self.groups.iter().flat_map(|group| group.cases.iter().map(move |case| (group, case)))
    }

    /// What programs find on the case that has this input; for another input in the directory of a group, what the group
    /// states; none elsewhere.
    pub fn setting_for(&self, input: &Path) -> Option<Setting<'_>> {
        let group = self.groups.iter().find(|group| input.parent() == Some(&group.dir))?;
        let case = group.cases.iter().find(|case| input.file_stem().is_some_and(|stem| stem == &*case.name));
        Some(case.map_or_else(|| group.setting(), |case| group.setting_of(case)))
    }

    /// What points a case of this group of tests can get.
    pub fn points_of(&self, group: &TestGroup) -> CasePoints {
        match &self.scoring {
            None => CasePoints::Ignored,
            Some(Scoring::Points(tree)) => tree.points_of(&group.name),
            Some(Scoring::Graded(grading)) => grading.points_of(&group.name),
        }
    }

    /// What points the static validation of this group of tests can get.
    pub fn static_points_of(&self, group: &TestGroup) -> CasePoints {
        match &self.scoring {
            Some(Scoring::Points(tree)) => tree.static_points_of(&group.name),
            // The legacy format has no static validation.
            None | Some(Scoring::Graded(_)) => CasePoints::Ignored,
        }
    }

    /// The package's own grader, where something is graded by it.
    pub fn grader(&self) -> Option<&Program> {
        match &self.scoring {
            Some(Scoring::Graded(grading)) => grading.program.as_ref(),
            _ => None,
        }
    }
}

/// The layouts of problem directories.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Layout {
    /// `problems/<slug>/` with `testcases/<slug>/`.
    Native,
    /// A folder with a solver and `.in` files.
    Plain,
    /// An ICPC/Kattis problem package of any version, with its test data in `data/`.
    Icpc,
}

/// How a submission is run against a case.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ProblemKind {
    /// Input on standard input, output compared.
    #[default]
    PassFail,
    /// The output validator talks to the submission.
    Interactive,
    /// The submission is run again on the input that the output validator makes of its output, as long as it makes one.
    MultiPass,
    /// The output validator talks to the submission, and asks for another run with another input.
    InteractiveMultiPass,
    /// A submission is the answers to the cases; nothing is run.
    SubmitAnswer,
}

impl ProblemKind {
    /// Whether the output validator talks to the submission.
    pub fn is_interactive(self) -> bool {
        matches!(self, Self::Interactive | Self::InteractiveMultiPass)
    }

    /// Whether a submission may be run several times on one case.
    pub fn is_multi_pass(self) -> bool {
        matches!(self, Self::MultiPass | Self::InteractiveMultiPass)
    }

    /// Whether the output validator decides what a submission is given: there must be one, cases need no answers, and an
    /// output alone cannot be judged.
    pub fn is_led_by_validator(self) -> bool {
        self.is_interactive() || self.is_multi_pass()
    }

    /// In the words of the package format, without `scoring`: `interactive multi-pass`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::PassFail => "pass-fail",
            Self::Interactive => "interactive",
            Self::MultiPass => "multi-pass",
            Self::InteractiveMultiPass => "interactive multi-pass",
            Self::SubmitAnswer => "submit-answer",
        }
    }
}

/// Limits as stated somewhere; what is not stated is left to the next layer.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LimitOptions {
    /// Cpu time limit.
    pub time: Option<Duration>,
    /// Wall time guard.
    pub wall: Option<Duration>,
    /// Memory of the process tree.
    pub memory: Option<Bytes>,
    /// Standard output plus standard error.
    pub output: Option<Bytes>,
    /// Processes and threads alive at once.
    pub processes: Option<u32>,
}

impl LimitOptions {
    /// What `self` states, and `below` where it is silent.
    #[must_use]
    pub fn or(self, below: &Self) -> Self {
        Self {
            time: self.time.or(below.time),
            wall: self.wall.or(below.wall),
            memory: self.memory.or(below.memory),
            output: self.output.or(below.output),
            processes: self.processes.or(below.processes),
        }
    }
}

/// A program in source form: one file, a directory, or a command; or what some program printed elsewhere.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub enum Program {
    /// A single source file.
    File(PathBuf),
    /// A directory and the files directly or deeper in it, relative to it, sorted.
    Directory {
        /// The directory.
        path: PathBuf,
        /// Files relative to `path`.
        files: Vec<PathBuf>,
    },
    /// A directory with scripts of its own: `build` makes what `run` starts (package format 2025-09, "Other programs").
    Scripts {
        /// The directory.
        path: PathBuf,
        /// Files relative to `path`.
        files: Vec<PathBuf>,
    },
    /// A grammar of checktestdata, by which its interpreter validates inputs or answers; never a submission.
    Grammar(PathBuf),
    /// A shell command line (`-c`), run as it is.
    Command(String),
    /// No program: the files that it printed, by test. Nothing is run, the files are judged.
    Outputs(BTreeMap<TestId, PathBuf>),
    /// The same in an archive, to be taken out before they are judged.
    PackedOutputs {
        /// The archive.
        archive: PathBuf,
        /// The names of its entries, by test.
        files: BTreeMap<TestId, PathBuf>,
    },
}

impl Program {
    /// The path of the file, directory or archive; none for a command and for outputs.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::PackedOutputs { archive, .. } => Some(archive),
            Self::File(path) | Self::Grammar(path) | Self::Directory { path, .. } | Self::Scripts { path, .. } => {
                Some(path)
            }
            Self::Command(_) | Self::Outputs(_) => None,
        }
    }

    /// Whether it is outputs, so that nothing is run.
    pub fn is_outputs(&self) -> bool {
        matches!(self, Self::Outputs(_) | Self::PackedOutputs { .. })
    }
}

/// A program that somebody wrote to solve the problem, with what its author expects of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Submission {
    /// Its path below `submissions/`.
    pub id: SubmissionId,
    /// The source.
    pub program: Program,
    /// The language that `submissions.yaml` names, in the words of the format; otherwise it is detected.
    pub language: Option<String>,
    /// The file or class that it is run at, where `submissions.yaml` names one.
    pub entry_point: Option<String>,
    /// What should happen.
    pub expectation: Expectation,
}
