//! What is graded: problems, their test cases and the submissions that belong to them. Plain data, no I/O.
//!
//! The words are those of the ICPC problem package format 2025-09 where it has one.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::limits::Bytes;
use crate::verdict::{Verdict, VerdictSet};

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

/// One problem, complete with its cases and submissions.
#[derive(Debug, Clone, PartialEq)]
pub struct Problem {
    /// The directory's name, unique in a run.
    pub id: ProblemId,
    /// The title for people.
    pub title: String,
    /// Where the problem lives.
    pub dir: PathBuf,
    /// Which reader understood it.
    pub layout: Layout,
    /// Pass-fail or interactive.
    pub kind: ProblemKind,
    /// What the problem itself says about its limits.
    pub limits: LimitOptions,
    /// How outputs are compared when there is no output validator.
    pub checker: Option<Checker>,
    /// Programs that accept or reject inputs.
    pub input_validators: Vec<Program>,
    /// The program that judges outputs, or talks to the submission in an interactive problem.
    pub output_validator: Option<Program>,
    /// Groups in the order of judging.
    pub groups: Vec<TestGroup>,
    /// Submissions in the order of showing: accepted first, then by name.
    pub submissions: Vec<Submission>,
    /// Index into `submissions` of the model solution.
    pub reference: Option<usize>,
}

impl Problem {
    /// Every test case with its group, in plan order.
    pub fn tests(&self) -> impl Iterator<Item = (&TestGroup, &TestCase)> {
        self.groups.iter().flat_map(|group| group.cases.iter().map(move |case| (group, case)))
    }

    /// The number of test cases.
    pub fn test_count(&self) -> usize {
        self.groups.iter().map(|group| group.cases.len()).sum()
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

/// Test cases that are judged together: `sample`, `secret`, `secret/small`.
#[derive(Debug, Clone, PartialEq)]
pub struct TestGroup {
    /// The group's path below the data root; empty in a plain folder.
    pub name: Arc<str>,
    /// The directory that holds the files.
    pub dir: PathBuf,
    /// Limits stated for this group alone (`test_group.toml` or `test_group.yaml`).
    pub limits: LimitOptions,
    /// The checker stated for this group alone.
    pub checker: Option<Checker>,
    /// Cases in lexicographic order.
    pub cases: Vec<TestCase>,
}

impl TestGroup {
    /// The full name of a case of this group.
    pub fn id_of(&self, case: &TestCase) -> TestId {
        if self.name.is_empty() {
            TestId::from(&*case.name)
        } else {
            TestId::from(format!("{}/{}", self.name, case.name))
        }
    }

    /// The input file of a case.
    pub fn input_of(&self, case: &TestCase) -> PathBuf {
        self.dir.join(format!("{}.in", case.name))
    }

    /// The answer file of a case, where it has one.
    pub fn answer_of(&self, case: &TestCase) -> Option<PathBuf> {
        let extension = match case.answer {
            AnswerFile::Ans => "ans",
            AnswerFile::Out => "out",
            AnswerFile::Missing => return None,
        };
        Some(self.dir.join(format!("{}.{extension}", case.name)))
    }
}

/// One case: kept small, because there may be a hundred thousand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestCase {
    /// The base name, without group and extension.
    pub name: Box<str>,
    /// Which file holds the answer.
    pub answer: AnswerFile,
}

/// The file that holds a case's answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnswerFile {
    /// `<name>.ans`.
    Ans,
    /// `<name>.out`, as plain folders and `oj` have it.
    Out,
    /// None: the case is run and shown, not judged.
    Missing,
}

/// A program in source form: one file, a directory, or a command.
#[derive(Debug, Clone, PartialEq, Eq)]
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
    /// A shell command line (`-c`), run as it is.
    Command(String),
}

impl Program {
    /// The path of the file or directory; none for a command.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::File(path) | Self::Directory { path, .. } => Some(path),
            Self::Command(_) => None,
        }
    }
}

/// A program that somebody wrote to solve the problem, with what its author expects of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Submission {
    /// Its path below `submissions/`.
    pub id: SubmissionId,
    /// The source.
    pub program: Program,
    /// A language named by `submissions.yaml` or `--lang`; otherwise it is detected.
    pub language: Option<String>,
    /// What should happen.
    pub expectation: Expectation,
}

/// What the author of a submission says about its verdicts. All rules must hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expectation {
    /// Where it comes from, for messages: `accepted/`, `submissions.yaml`, `@EXPECTED_RESULTS@`.
    pub source: String,
    /// The rules; none means that anything is fine.
    pub rules: Vec<Rule>,
}

/// One rule over the verdicts of the cases that it covers (package format 2025-09, "Submissions").
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    /// A group or a glob of cases; none covers every case.
    pub cases: Option<String>,
    /// Every covered case has one of these.
    pub permitted: VerdictSet,
    /// At least one covered case has one of these, unless the set is empty.
    pub required: VerdictSet,
}

impl Expectation {
    /// Every case accepted.
    pub fn accepted(source: &str) -> Self {
        Self::simple(source, &[Verdict::Accepted], &[])
    }

    /// One rule over all cases.
    pub fn simple(source: &str, permitted: &[Verdict], required: &[Verdict]) -> Self {
        let rule = Rule { cases: None, permitted: VerdictSet::of(permitted), required: VerdictSet::of(required) };
        Self { source: source.to_owned(), rules: vec![rule] }
    }

    /// Whether only AC everywhere satisfies it, so that every test is worth running.
    pub fn wants_all_accepted(&self) -> bool {
        let only_ac = VerdictSet::of(&[Verdict::Accepted]);
        self.rules.iter().any(|rule| rule.cases.is_none() && rule.permitted == only_ac)
    }

    /// What is expected in a word or two: `AC`, `WA`, `RTE or TLE`.
    pub fn summary(&self) -> String {
        let mut wanted: Vec<String> = Vec::new();
        for rule in &self.rules {
            let set = if rule.required.is_empty() { rule.permitted } else { rule.required };
            let text = if set == Verdict::ALL.into_iter().collect() { "any".to_owned() } else { set.to_string() };
            if !wanted.contains(&text) {
                wanted.push(text);
            }
        }
        if wanted.is_empty() { "anything".to_owned() } else { wanted.join(" and ") }
    }
}

/// The built-in ways of comparing an output with an answer.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Checker {
    /// The ICPC default output validator (package format 2025-09, "Default output validator").
    Tokens(TokenOptions),
    /// Byte for byte.
    Exact,
}

impl Default for Checker {
    fn default() -> Self {
        Self::Tokens(TokenOptions::default())
    }
}

/// The flags of the default output validator.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct TokenOptions {
    /// Letters must agree in case; otherwise ASCII case is folded.
    pub case_sensitive: bool,
    /// White space must agree byte for byte, at the ends too.
    pub space_change_sensitive: bool,
    /// ε relative to the answer's number.
    pub float_relative: Option<f64>,
    /// ε absolute.
    pub float_absolute: Option<f64>,
}

/// A checker description that cannot be understood.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CheckerError {
    /// An unknown word.
    #[error(
        "unknown checker word `{0}`; known are tokens, exact, float=E, float_tolerance E, float_relative_tolerance E, \
         float_absolute_tolerance E, case_sensitive, space_change_sensitive"
    )]
    UnknownWord(String),
    /// A tolerance that is no non-negative number.
    #[error("`{0}` is no tolerance; write a non-negative number such as 1e-6")]
    BadTolerance(String),
    /// The same flag twice, or `float_tolerance` beside one of its parts.
    #[error("the tolerance is given twice")]
    Twice,
    /// `exact` together with a flag.
    #[error("`exact` compares bytes and takes no further word")]
    ExactWithFlags,
}

impl std::str::FromStr for Checker {
    type Err = CheckerError;

    /// `tokens`, `exact`, `float=1e-6`, or the flags of the default output validator as words, combined freely.
    fn from_str(text: &str) -> Result<Self, CheckerError> {
        let words: Vec<&str> = text.split_ascii_whitespace().flat_map(|word| word.split('=')).collect();
        if words == ["exact"] {
            return Ok(Self::Exact);
        }
        let mut options = TokenOptions::default();
        let mut words = words.into_iter();
        while let Some(word) = words.next() {
            let mut tolerance = || {
                let text = words.next().unwrap_or_default();
                let value = text.parse::<f64>().ok().filter(|e| e.is_finite() && *e >= 0.0);
                value.ok_or_else(|| CheckerError::BadTolerance(text.to_owned()))
            };
            let set = |slot: &mut Option<f64>, value| match slot.replace(value) {
                None => Ok(()),
                Some(_) => Err(CheckerError::Twice),
            };
            match word {
                "tokens" => {}
                "exact" => return Err(CheckerError::ExactWithFlags),
                "case_sensitive" => options.case_sensitive = true,
                "space_change_sensitive" => options.space_change_sensitive = true,
                "float" | "float_tolerance" => {
                    let value = tolerance()?;
                    set(&mut options.float_relative, value)?;
                    set(&mut options.float_absolute, value)?;
                }
                "float_relative_tolerance" => set(&mut options.float_relative, tolerance()?)?,
                "float_absolute_tolerance" => set(&mut options.float_absolute, tolerance()?)?,
                unknown => return Err(CheckerError::UnknownWord(unknown.to_owned())),
            }
        }
        Ok(Self::Tokens(options))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checkers_are_read_from_words() {
        assert_eq!("tokens".parse(), Ok(Checker::default()));
        assert_eq!("exact".parse(), Ok(Checker::Exact));
        let float = TokenOptions { float_relative: Some(1e-6), float_absolute: Some(1e-6), ..TokenOptions::default() };
        assert_eq!("float=1e-6".parse(), Ok(Checker::Tokens(float)));
        assert_eq!("float_tolerance 1e-6".parse(), Ok(Checker::Tokens(float)));
        let strict = TokenOptions { case_sensitive: true, space_change_sensitive: true, ..TokenOptions::default() };
        assert_eq!("case_sensitive space_change_sensitive".parse(), Ok(Checker::Tokens(strict)));
    }

    #[test]
    fn bad_checkers_are_refused() {
        let parse = |text: &str| text.parse::<Checker>();
        assert_eq!(parse("tokenz"), Err(CheckerError::UnknownWord("tokenz".into())));
        assert_eq!(parse("float=nan"), Err(CheckerError::BadTolerance("nan".into())));
        assert_eq!(parse("float"), Err(CheckerError::BadTolerance(String::new())));
        assert_eq!(parse("float_tolerance 1 float_relative_tolerance 1"), Err(CheckerError::Twice));
        assert_eq!(parse("exact case_sensitive"), Err(CheckerError::ExactWithFlags));
    }

    #[test]
    fn expectations_speak() {
        let slow = Expectation::simple(
            "time_limit_exceeded/",
            &[Verdict::Accepted, Verdict::TimeLimit],
            &[Verdict::TimeLimit],
        );
        assert_eq!(slow.summary(), "TLE");
        assert!(!slow.wants_all_accepted());
        assert!(Expectation::accepted("accepted/").wants_all_accepted());
    }
}
