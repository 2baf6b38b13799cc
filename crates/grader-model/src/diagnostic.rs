//! A finding says what is wrong, where, and what to do about it.
//!
//! Configuration, problems, test data, runs and machines share this one type. It knows no terminal.

use std::fmt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize, Serializer};

use crate::problem::{Problem, ProblemId};

/// The severity of a finding, and its weight for the exit status.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Information.
    Info,
    /// Worth a look, but nothing is refused; a failure under `--strict`.
    Warning,
    /// The grader does not use the thing that the finding is about: it does not judge a problem, or it refuses a
    /// configuration.
    Error,
    /// The same, because a part of the judge failed, such as a validator or the sandbox.
    JudgeError,
}

impl Severity {
    /// The severity in a word or two: `note`, `warning`, `error`, `judge error`.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Info => "note",
            Self::Warning => "warning",
            Self::Error => "error",
            Self::JudgeError => "judge error",
        }
    }
}

/// The kind of a finding, for users who want to suppress findings of that kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
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

/// One finding. A record and every document write it without what only the reader of a package needs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
pub struct Diagnostic {
    /// The severity.
    pub severity: Severity,
    /// The problem to which it belongs, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<ProblemId>,
    /// The file or directory, if it is about one; `environment` for a variable.
    #[serde(default, skip_serializing_if = "Option::is_none", serialize_with = "lossy")]
    pub path: Option<PathBuf>,
    /// The finding in words: in lower case and without the path.
    pub message: String,
    /// The suggested fix; empty if there is none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub remedy: String,
    /// The place in the file. [`Self::placed_in_words`] writes it into the message.
    #[serde(skip)]
    pub place: Option<TextPosition>,
    /// The kind of the finding.
    #[serde(skip)]
    pub kind: Kind,
    /// Set if it matters only for judging: the test cases are incomplete, or do not fit their groups. Commands that
    /// change test cases exist to fix this, so they open the problem all the same.
    #[serde(skip)]
    pub unfinished: bool,
}

/// Writes a path as text. A path that is not UTF-8 is converted with losses, so that the document survives.
pub fn lossy<S: Serializer>(path: &Option<PathBuf>, serializer: S) -> Result<S::Ok, S::Error> {
    path.as_ref().map(|path| path.to_string_lossy()).serialize(serializer)
}

impl Diagnostic {
    /// A finding about no file.
    pub fn new(severity: Severity, message: impl Into<String>) -> Self {
        Self {
            severity,
            problem: None,
            path: None,
            message: message.into(),
            remedy: String::new(),
            place: None,
            kind: Kind::Other,
            unfinished: false,
        }
    }

    /// An error about `path`.
    pub fn error(path: impl AsRef<Path>, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, message).about(path.as_ref())
    }

    /// A warning about `path`.
    pub fn warning(path: impl AsRef<Path>, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, message).about(path.as_ref())
    }

    /// Returns the finding with its file or directory.
    #[must_use]
    pub fn about(mut self, path: impl Into<PathBuf>) -> Self {
        self.path = Some(path.into());
        self
    }

    /// Returns the finding with its file or directory, if it has one.
    #[must_use]
    pub fn about_any(mut self, path: Option<impl Into<PathBuf>>) -> Self {
        self.path = path.map(Into::into);
        self
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
        self.remedy = remedy.into();
        self
    }

    /// Returns the finding with this place in the file.
    #[must_use]
    pub fn at(mut self, place: Option<TextPosition>) -> Self {
        self.place = place;
        self
    }

    /// Returns the finding with its problem.
    #[must_use]
    pub fn of(mut self, problem: &ProblemId) -> Self {
        self.problem = Some(problem.clone());
        self
    }

    /// Whether the finding is about a problem, or about the folder of which that is a part.
    pub fn is_about(&self, problem: &Problem) -> bool {
        let id = problem.id.as_str();
        let folder = problem.part.as_ref().and_then(|part| id.strip_suffix(&*part.name)?.strip_suffix('/'));
        self.problem.as_ref().is_some_and(|of| of.as_str() == id || folder == Some(of.as_str()))
    }

    /// Returns the finding, marked as one that matters only for judging.
    #[must_use]
    pub fn unfinished(mut self) -> Self {
        self.unfinished = true;
        self
    }

    /// Returns the finding with its place in the words of its message, as a record states it.
    #[must_use]
    pub fn placed_in_words(mut self) -> Self {
        if let Some(TextPosition { line, column }) = self.place.take() {
            self.message = format!("line {line}, column {column}: {}", self.message);
        }
        self
    }

    /// Whether it is about a file in this directory, or about the directory.
    pub fn is_below(&self, dir: &Path) -> bool {
        self.path.as_ref().is_some_and(|path| path.starts_with(dir))
    }

    /// The order in a file: findings without a place come last.
    pub fn order(&self) -> impl Ord + use<> {
        (self.place.is_none(), self.place)
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
        if let Some(path) = &self.path {
            write!(f, "{}", path.display())?;
            if let Some(TextPosition { line, column }) = self.place {
                write!(f, ":{line}:{column}")?;
            }
            f.write_str(": ")?;
        }
        f.write_str(&self.message)?;
        if self.remedy.is_empty() { Ok(()) } else { write!(f, "; {}", self.remedy) }
    }
}

/// A place in a text file. Line and column count from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
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
