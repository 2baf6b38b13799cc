//! The problems: their test cases, their submissions and their rules. Plain data, no I/O.
//!
//! Terms follow the ICPC problem package format 2025-09, if it has one.

mod additions;
mod checker;
mod distances;
mod expectation;
pub mod grading;
mod group;
mod helper;
mod judging;
mod naming;
mod places;
mod recipes;
mod reference;
mod scoring;
mod standard;
mod test;
mod validation;
mod visualizers;

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::limits::Bytes;
use crate::ruleset::Ruleset;

pub use additions::{Additions, Constants, DEFAULT_INCLUDE, IncludedFiles, TooLarge};
pub use checker::{Checker, CheckerError, OwnChecker, TokenOptions, ValueTolerance};
pub use distances::{Distances, TooClose};
pub use expectation::{Expectation, Rule, ScoreRange};
pub use group::{AnswerFile, Arguments, CaseInput, HeldIn, OwnSetting, Setting, TestCase, TestGroup, WorkFiles};
pub use helper::{Helper, HelperRole};
pub use judging::{DmojType, JudgingProgram, OwnProtocol, PointsUnit, Protocol};
pub use naming::{CaseNaming, FilePattern};
pub use places::named;
pub use recipes::{AnswerRecipe, Checksums, GeneratorCommand, InputRecipe, Recipe, Recipes, Sha256};
pub use reference::Reference;
pub use scoring::{Aggregation, CasePoints, ScoreGroup, ScoreTree, Scoring};
pub use standard::{StandardChecker, Tolerance};
pub use test::{STATIC_VALIDATION, StaticValidation, Test};
pub use validation::{Purpose, TestTarget, ValidationCase};
pub use visualizers::{VisualizerKind, Visualizers};

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
    /// The path of a submission below `submissions/`: `accepted/reference.rs`.
    SubmissionId
}
name_type! {
    /// The group and base name of a test case: `secret/03-edge`. In a plain folder, the base name alone.
    TestId
}

/// The letter of a problem in a contest: `A`, `C2`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Label(String);

impl Label {
    /// Creates a label of a few letters and digits; none for other text.
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

/// One problem with all of its cases and submissions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Problem {
    /// The directory's name, unique in a run.
    pub id: ProblemId,
    /// The title for people.
    pub title: String,
    /// Its letter, if it belongs to a contest.
    pub label: Option<Label>,
    /// Its part of its directory, if the directory holds several problems.
    pub part: Option<ProblemPart>,
    /// The directory of the problem.
    pub dir: PathBuf,
    /// The layout of the directory.
    pub layout: PackageLayout,
    /// How a submission runs.
    pub kind: ProblemKind,
    /// The judge whose rules apply. None: nothing selects one, so the rules of the package format apply.
    pub judged_as: Option<Ruleset>,
    /// The most runs of a submission on one case; 1 unless the problem is multi-pass.
    pub passes: u32,
    /// How its second run begins, if a submission runs twice on each case as in Polygon. `kind` is then multi-pass.
    #[serde(default)]
    pub second_run: Option<SecondRun>,
    /// The limits that the problem itself states.
    pub limits: LimitOptions,
    /// The limits that it states for each execution of its output validator.
    pub validation: LimitOptions,
    /// How its time limit follows from submissions. None if it states a limit, or if the configured limit applies.
    pub timing: Option<Timing>,
    /// The required distances between its time limit and its submissions, stated or not.
    pub distances: Distances,
    /// The built-in comparison, for problems without an output validator.
    pub checker: OwnChecker,
    /// Programs that accept or reject inputs.
    pub input_validators: Vec<JudgingProgram>,
    /// The programs that judge outputs, all of which must accept. In an interactive problem without `interactor`, the
    /// one program that talks to the submission. If empty, the built-in comparison judges.
    pub output_validators: Vec<JudgingProgram>,
    /// The program that talks to the submission, if the output validators then judge the file that it writes (testlib's
    /// `tout`).
    pub interactor: Option<JudgingProgram>,
    /// The program that judges the sources of submissions, if a group requests that.
    pub static_validator: Option<Program>,
    /// The programs that draw.
    pub visualizers: Visualizers,
    /// The command of a generator that makes a random input, with `{seed}`, if the problem names one.
    pub random_input: Option<String>,
    /// The arguments that the problem itself states for its output validators (legacy `validator_flags`).
    pub validator_flags: Vec<String>,
    /// Groups in the order of judging.
    pub groups: Vec<TestGroup>,
    /// Submissions in the order in which they are shown: accepted first, then by name.
    pub submissions: Vec<Submission>,
    /// Programs of its folder that are not submissions: they make inputs and answers.
    pub helpers: Vec<Helper>,
    /// The program whose output is the answer of new cases.
    pub reference: Option<Reference>,
    /// How results of cases become the result of a submission. None if every case must be accepted and there are no
    /// points.
    pub scoring: Option<Scoring>,
    /// The files and constants that are added to programs before they are built.
    pub additions: Additions,
    /// How the files come about that the package does not have.
    pub recipes: Recipes,
    /// The statements (HTML, PDF) and attachments that the package names, for listings.
    pub documents: Vec<PathBuf>,
    /// The tests of validators that its description lists. Those in directories of the test data are read only to verify
    /// the problem.
    #[serde(default)]
    pub validation_cases: Vec<ValidationCase>,
    /// The names of its lists of tests, the judged one first. Empty unless the layout has several lists.
    #[serde(default)]
    pub testsets: Vec<String>,
}

/// How a package without a time limit gets one from its submissions (package format 2025-09, "Problem timing"; legacy,
/// "Limits").
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Timing {
    /// The limit, once it is known.
    pub derived: Option<Duration>,
}

/// One of several problems in a directory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProblemPart {
    /// Its name there: `part1`, or the `A` of `A.cpp`.
    pub name: Box<str>,
    /// How it got its tests.
    pub pairing: Pairing,
}

/// How some of the programs of a directory got their tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pairing {
    /// The tests have the name of the program.
    Names,
    /// The programs solve the same part of a puzzle.
    Puzzle,
}

impl Pairing {
    /// The reason in words, after "its tests:".
    pub fn reason(self) -> &'static str {
        match self {
            Self::Names => "those with its name, and those that have the name of no program here",
            Self::Puzzle => "the inputs of the puzzle, with the answers of this part",
        }
    }
}

impl Problem {
    /// A pass-fail problem of this name in this directory, without programs, cases, limits and rules.
    pub fn empty(id: ProblemId, dir: PathBuf, layout: PackageLayout) -> Self {
        Self {
            title: id.to_string(),
            id,
            label: None,
            part: None,
            dir,
            layout,
            kind: ProblemKind::PassFail,
            judged_as: None,
            passes: 1,
            second_run: None,
            limits: LimitOptions::default(),
            validation: LimitOptions::default(),
            timing: None,
            distances: Distances::default(),
            checker: OwnChecker::default(),
            input_validators: Vec::new(),
            output_validators: Vec::new(),
            interactor: None,
            static_validator: None,
            visualizers: Visualizers::default(),
            random_input: None,
            validator_flags: Vec::new(),
            groups: Vec::new(),
            submissions: Vec::new(),
            helpers: Vec::new(),
            reference: None,
            scoring: None,
            additions: Additions::default(),
            recipes: Recipes::default(),
            documents: Vec::new(),
            validation_cases: Vec::new(),
            testsets: Vec::new(),
        }
    }

    /// Adds the tests of another problem that it does not have, with their answers there.
    pub fn borrow_tests(&mut self, other: &Self) {
        let known: std::collections::BTreeSet<TestId> = self.tests().map(Test::id).collect();
        for group in &other.groups {
            let is_new = |case: &&TestCase| !known.contains(&group.id_of(case));
            let cases: Vec<TestCase> = group.cases.iter().filter(is_new).cloned().collect();
            if !cases.is_empty() {
                self.groups.push(TestGroup { cases, ..group.clone() });
            }
        }
    }

    /// The name of its folder, which test cases, contests and students use. It equals the id, unless another problem
    /// has the same folder name.
    pub fn slug(&self) -> &str {
        self.dir.file_name().and_then(|name| name.to_str()).unwrap_or(self.id.as_str())
    }

    /// The name by which students call it: that of its folder, or that of its part if the folder holds several problems.
    pub fn own_name(&self) -> &str {
        self.part.as_ref().map_or_else(|| self.slug(), |part| &part.name)
    }

    /// The path that names it: its directory, and its name in it if the directory holds several.
    pub fn place(&self) -> PathBuf {
        self.part.as_ref().map_or_else(|| self.dir.clone(), |part| self.dir.join(&*part.name))
    }

    /// The name of a judging program in messages: its path in the problem's folder. Empty for a command.
    pub fn name_of(&self, program: &Program) -> String {
        // Of a program with headers of the problem's folder, the source.
        if let Program::Directory { path, files } = program
            && *path == self.dir
            && let Some(source) = files.iter().find(|file| !is_header(file))
        {
            return source.display().to_string();
        }
        // Of the program that grader makes from unit tests, their file.
        let tests = self.unit_tests().filter(|_| self.output_judges().any(|judge| judge.program == *program));
        // Of a program that grader calls in its own way, the file of the author.
        if tests.is_none()
            && let Program::Directory { path, files } = program
            && !path.starts_with(&self.dir)
            && let [_, source] = &files[..]
        {
            return source.display().to_string();
        }
        let path = tests.or(program.path()).unwrap_or(Path::new(""));
        path.strip_prefix(&self.dir).unwrap_or(path).display().to_string()
    }

    /// The word for its reference in messages. The authors of a plain folder know solvers and no reference.
    pub fn reference_word(&self) -> &'static str {
        if self.layout == PackageLayout::Plain { "solver" } else { "reference" }
    }

    /// Whether only accepted submissions bound its time limit from below. This holds in the legacy format. It also
    /// holds if an output validator leads, because the time of a submission after its rejection means nothing.
    pub fn only_accepted_bound_its_time(&self) -> bool {
        self.distances.accepted_only || self.kind.is_led_by_validator()
    }

    /// The judge whose rules apply.
    pub fn ruleset(&self) -> Ruleset {
        self.judged_as.unwrap_or_default()
    }

    /// The time limit of a package that states none, by the rules of this judge, if it is known.
    pub fn unstated_time(&self, ruleset: Ruleset) -> Option<Duration> {
        self.timing.and_then(|timing| ruleset.time_limit().or(timing.derived))
    }

    /// Every test case with its group, in plan order.
    pub fn cases(&self) -> impl Iterator<Item = (&TestGroup, &TestCase)> {
        self.groups.iter().flat_map(|group| group.cases.iter().map(move |case| (group, case)))
    }

    /// The setting of the case with this input. For another input in the directory of a group, the setting of the
    /// group; otherwise none.
    pub fn setting_for(&self, input: &Path) -> Option<Setting<'_>> {
        let group = self.groups.iter().find(|group| input.parent() == Some(&group.dir))?;
        let stem = input.file_stem();
        let is_it = |case: &&TestCase| match group.naming {
            Some(_) => group.input_of(case) == input,
            None => stem.is_some_and(|stem| stem == &*case.name),
        };
        let case = group.cases.iter().find(is_it);
        Some(case.map_or_else(|| group.setting(), |case| group.setting_of(case)))
    }

    /// The file of unit tests that are its cases. grader makes the program that judges them.
    pub fn unit_tests(&self) -> Option<&Path> {
        self.groups.iter().find_map(|group| match &group.document {
            Some(HeldIn::UnitTests(file)) => Some(&**file),
            Some(HeldIn::Cases(_) | HeldIn::Answers(_)) | None => None,
        })
    }

    /// A name that no other problem of its folder has: the name of its folder, with its own if the folder holds several.
    pub fn whole_name(&self) -> String {
        self.part.as_ref().map_or_else(|| self.slug().to_owned(), |part| format!("{}-{}", self.slug(), part.name))
    }

    /// The points that a case of this test group can get.
    pub fn points_of(&self, group: &TestGroup) -> CasePoints {
        match &self.scoring {
            None => CasePoints::Ignored,
            Some(Scoring::Points(tree)) => tree.points_of(&group.name),
            Some(Scoring::Graded(grading)) => grading.points_of(&group.name),
        }
    }

    /// The points that a case can get: its own if it states some, otherwise those of its group.
    pub fn points_of_case(&self, group: &TestGroup, points: Option<f64>) -> CasePoints {
        match (self.points_of(group), points) {
            (CasePoints::Bounded(_), Some(points)) => CasePoints::Bounded(points),
            // Where one test states the points of the group, the others state none.
            (CasePoints::OfGroup(_), Some(points)) if points > 0.0 => CasePoints::OfGroup(points),
            (of_group, _) => of_group,
        }
    }

    /// The most points of a test that states points of its own and adds them to those of its group; none for other tests.
    pub fn own_points_of(&self, test: Test<'_>) -> Option<f64> {
        let (Test::Case(group, case), Some(Scoring::Points(tree))) = (test, &self.scoring) else { return None };
        let adds = tree.group_of(&group.name).is_some_and(|at| tree.groups[at].aggregation == Aggregation::Sum);
        let points = group.setting_of(case).points.filter(|_| adds)?;
        match self.points_of_case(group, Some(points)) {
            CasePoints::Bounded(most) => Some(most),
            _ => None,
        }
    }

    /// The points that the static validation of this test group can get.
    pub fn static_points_of(&self, group: &TestGroup) -> CasePoints {
        match &self.scoring {
            Some(Scoring::Points(tree)) => tree.static_points_of(&group.name),
            // The legacy format has no static validation.
            None | Some(Scoring::Graded(_)) => CasePoints::Ignored,
        }
    }

    /// The programs that judge submissions: the interactor, if there is one of its own, and then the output validators.
    pub fn output_judges(&self) -> impl Iterator<Item = &JudgingProgram> {
        self.interactor.iter().chain(&self.output_validators)
    }

    /// The grader from the package, if one grades a group.
    pub fn grader(&self) -> Option<&Program> {
        match &self.scoring {
            Some(Scoring::Graded(grading)) => grading.program.as_ref(),
            _ => None,
        }
    }
}

/// Whether a file has the name of a header in C or C++.
pub fn is_header(file: &Path) -> bool {
    file.extension().is_some_and(|ending| ["h", "hpp", "hh", "hxx"].iter().any(|header| ending == *header))
}

/// The layouts of problem directories.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PackageLayout {
    /// `problems/<slug>/` with `testcases/<slug>/`.
    Native,
    /// A folder with a solver and `.in` files.
    Plain,
    /// An ICPC/Kattis problem package of any version, with its test data in `data/`.
    Icpc,
    /// A package of Polygon: `problem.xml` with `tests/`, `files/` and `solutions/`.
    Polygon,
    /// A problem of Library Checker: `info.toml` with `gen/` and `sol/`.
    LibraryChecker,
    /// A problem of Hydro: `problem.yaml` with `testdata/`.
    Hydro,
    /// A problem of DMOJ: `init.yml` with test data.
    Dmoj,
    /// A task of CMS and task-maker: `task.yaml` with `gen/` and `sol/`.
    ItalyYaml,
}

impl PackageLayout {
    /// The protocol of every program that judges, if the family has only one.
    pub const fn protocol(self) -> Option<Protocol> {
        match self {
            Self::Polygon | Self::LibraryChecker => Some(Protocol::TESTLIB),
            Self::ItalyYaml => Some(Protocol::Cms),
            Self::Native | Self::Plain | Self::Icpc | Self::Hydro | Self::Dmoj => None,
        }
    }
}

/// How a submission runs on a case.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ProblemKind {
    /// Reads the input from standard input; its output is compared.
    #[default]
    PassFail,
    /// The output validator talks to the submission.
    Interactive,
    /// The submission runs again on the input that the output validator creates, as long as it creates one.
    MultiPass,
    /// The output validator talks to the submission, and requests another run with another input.
    InteractiveMultiPass,
    /// A submission consists of the outputs for the cases; no program runs.
    SubmitAnswer,
}

/// The second run of a submission in a problem of Polygon with two runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SecondRun {
    /// It reads the text that the interactor wrote in the first run, or without an interactor, the checker's output.
    Plain,
    /// The interactor talks to it too, and reads what it wrote in the first run.
    Interactive,
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

    /// Whether the output validator decides the input of the submission. Then there must be a validator, cases need no
    /// answers, and an output alone cannot be judged.
    pub fn is_led_by_validator(self) -> bool {
        self.is_interactive() || self.is_multi_pass()
    }

    /// The name in the package format, without `scoring`: `interactive multi-pass`.
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

/// Stated limits. The next layer decides each limit that is not stated.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct LimitOptions {
    /// The limit on CPU time.
    pub time: Option<Duration>,
    /// The limit on elapsed time.
    pub wall: Option<Duration>,
    /// Memory of the process tree.
    pub memory: Option<Bytes>,
    /// Standard output plus standard error.
    pub output: Option<Bytes>,
    /// The number of processes and threads alive at once.
    pub processes: Option<u32>,
}

impl LimitOptions {
    /// Returns these limits, completed by those of `below`.
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

/// A program in source form (a file, a directory or a command), or outputs that a program printed elsewhere.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Program {
    /// A single source file.
    File(PathBuf),
    /// A directory, with the files at any depth in it, relative to it and sorted.
    Directory {
        /// The directory.
        path: PathBuf,
        /// Files relative to `path`.
        files: Vec<PathBuf>,
    },
    /// A directory with its own scripts: `build` creates what `run` starts (package format 2025-09, "Other programs").
    Scripts {
        /// The directory.
        path: PathBuf,
        /// Files relative to `path`.
        files: Vec<PathBuf>,
    },
    /// A checktestdata grammar, which an interpreter uses to validate inputs or answers. Never a submission.
    Grammar(PathBuf),
    /// A shell command line (`-c`), run unchanged.
    Command(String),
    /// Outputs without their program: the files by test. They are judged, and no program runs.
    Outputs(BTreeMap<TestId, PathBuf>),
    /// Outputs in an archive, which must be unpacked before they are judged.
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

    /// Its directory, and its source files relative to that; none for what has no sources to read.
    pub fn parts(&self) -> Option<(PathBuf, Vec<PathBuf>)> {
        match self {
            Self::File(path) => Some((path.parent()?.to_owned(), vec![path.file_name()?.into()])),
            Self::Directory { path, files } | Self::Scripts { path, files } => Some((path.clone(), files.clone())),
            Self::Grammar(_) | Self::Command(_) | Self::Outputs(_) | Self::PackedOutputs { .. } => None,
        }
    }

    /// Whether it consists of outputs, so that no program runs.
    pub fn is_outputs(&self) -> bool {
        matches!(self, Self::Outputs(_) | Self::PackedOutputs { .. })
    }
}

/// A program that claims to solve the problem, with the expectation of its author.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Submission {
    /// Its path below `submissions/`.
    pub id: SubmissionId,
    /// The source.
    pub program: Program,
    /// The language that `submissions.yaml` names, by its code in the format; if none, it is detected.
    pub language: Option<String>,
    /// The file or class to start, if `submissions.yaml` names one.
    pub entry_point: Option<String>,
    /// The expected result.
    pub expectation: Expectation,
}

impl Submission {
    /// The path of its file or directory; of a program of several files in a folder, that of the file that starts.
    pub fn source(&self) -> Option<PathBuf> {
        if let (Program::Directory { path, files }, Some(entry)) = (&self.program, &self.entry_point)
            && files.iter().any(|file| file == Path::new(entry))
        {
            return Some(path.join(entry));
        }
        self.program.path().map(Path::to_owned)
    }

    /// Whether this is its file or directory.
    pub fn is_at(&self, path: &Path) -> bool {
        self.program.path() == Some(path) || self.source().is_some_and(|source| source == path)
    }
}
