//! Findings about the files and directories that grader reads, worded so that people can fix the problem.
//!
//! Configuration, problems and test data share this one type: place, message and remedy. It knows no terminal.

use std::fmt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use grader_model::problem::ProblemId;

/// The severity of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Worth a look, but nothing is refused.
    Warning,
    /// The grader does not use the thing that the finding is about: it does not judge a problem, or it refuses a
    /// configuration.
    Error,
    /// The same, because a part of the judge failed, such as a validator.
    JudgeError,
}

impl Severity {
    /// The severity in words: `warning`, `error`, `judge error`.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Warning => "warning",
            Self::Error => "error",
            Self::JudgeError => "judge error",
        }
    }
}

/// The kind of a finding, for users who want to suppress findings of that kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Something else.
    #[default]
    Other,
    /// A key or flag that is unknown or not applied.
    UnknownKey,
    /// A name outside the package format.
    StrangeName,
    /// A file or directory that belongs to nothing and is ignored.
    Ignored,
    /// Something that is stated or present, but not used.
    NotUsed,
    /// A check that other judges make and grader does not.
    NotChecked,
    /// A submission without an expectation.
    NothingExpected,
    /// An annotation of a submission that is invalid or appears twice.
    Annotation,
    /// A pattern that matches nothing.
    NoMatch,
    /// Cases outside of the groups in the format.
    StrangeGroup,
    /// A name of an older version of the format.
    Deprecated,
}

/// One finding about one file or directory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
pub struct Diagnostic {
    /// Error or warning.
    pub severity: Severity,
    /// The kind of the finding.
    #[serde(default)]
    pub kind: Kind,
    /// The problem to which it belongs, if any.
    pub problem: Option<ProblemId>,
    /// The file or directory; `environment` for a variable.
    pub path: PathBuf,
    /// The line, from 1.
    pub line: Option<u32>,
    /// The column in characters, from 1.
    pub column: Option<u32>,
    /// The problem in words: in lower case and without the path.
    pub message: String,
    /// The suggested fix.
    pub remedy: Option<String>,
    /// Set if it matters only for judging: the test cases are incomplete, or do not fit their groups. Commands that
    /// change test cases exist to fix this, so they open the problem all the same.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unfinished: bool,
}

impl Diagnostic {
    /// An error about `path`.
    pub fn error(path: impl AsRef<Path>, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, path.as_ref(), message.into())
    }

    /// A warning about `path`.
    pub fn warning(path: impl AsRef<Path>, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, path.as_ref(), message.into())
    }

    /// A finding about `path`.
    pub fn new(severity: Severity, path: &Path, message: String) -> Self {
        let path = path.to_owned();
        Self {
            severity,
            kind: Kind::Other,
            problem: None,
            path,
            line: None,
            column: None,
            message,
            remedy: None,
            unfinished: false,
        }
    }

    /// Returns the finding with this kind.
    #[must_use]
    pub fn kind(mut self, kind: Kind) -> Self {
        self.kind = kind;
        self
    }

    /// Returns the finding with this remedy.
    #[must_use]
    pub fn remedy(mut self, remedy: impl Into<String>) -> Self {
        self.remedy = Some(remedy.into());
        self
    }

    /// Returns the finding with this place in the file.
    #[must_use]
    pub fn at(mut self, place: Option<TextPosition>) -> Self {
        self.line = place.map(|place| place.line);
        self.column = place.map(|place| place.column);
        self
    }

    /// Returns the finding with its problem.
    #[must_use]
    pub fn of(mut self, problem: &ProblemId) -> Self {
        self.problem = Some(problem.clone());
        self
    }

    /// Returns the finding, marked as one that matters only for judging.
    #[must_use]
    pub fn unfinished(mut self) -> Self {
        self.unfinished = true;
        self
    }

    /// Whether something is refused because of it.
    pub fn is_error(&self) -> bool {
        self.severity >= Severity::Error
    }

    /// Whether a part of the judge failed.
    pub fn is_judge_error(&self) -> bool {
        self.severity == Severity::JudgeError
    }
}

impl fmt::Display for Diagnostic {
    /// For example ``grader.toml:3:1: unknown key `job`; did you mean `jobs`?``
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.path.display())?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        if let Some(column) = self.column {
            write!(f, ":{column}")?;
        }
        write!(f, ": {}", self.message)?;
        self.remedy.iter().try_for_each(|remedy| write!(f, "; {remedy}"))
    }
}

/// A place in a text file. Line and column count from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextPosition {
    /// The line.
    pub line: u32,
    /// The column, in characters.
    pub column: u32,
}

impl TextPosition {
    /// The place of a byte offset. An offset past the end or inside a character gives the nearest place before it.
    pub fn of_offset(text: &str, offset: usize) -> Self {
        let before = &text.as_bytes()[..offset.min(text.len())];
        let start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Self {
            line: number(before.split(|byte| *byte == b'\n').count()),
            column: number(String::from_utf8_lossy(&before[start..]).chars().count() + 1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_count_characters() {
        for (text, offset, line, column) in
            [("", 0, 1, 1), ("a\nbc", 3, 2, 2), ("é = 1", 2, 1, 2), ("a\n", 2, 2, 1), ("a", 99, 1, 2)]
        {
            assert_eq!(TextPosition::of_offset(text, offset), TextPosition { line, column }, "{text:?} {offset}");
        }
    }

    #[test]
    fn a_diagnostic_reads_as_one_line() {
        let place = Some(TextPosition { line: 3, column: 1 });
        let found = Diagnostic::error("grader.toml", "unknown key `job`").at(place).remedy("did you mean `jobs`?");
        assert_eq!(found.to_string(), "grader.toml:3:1: unknown key `job`; did you mean `jobs`?");
        assert_eq!(Diagnostic::warning("p", "odd").to_string(), "p: odd");
    }
}
