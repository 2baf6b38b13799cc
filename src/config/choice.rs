//! The settings that are one of a few words.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::package::document::Value;
use crate::package::document::read::{self, Read, Unfit};
use crate::ruleset::Ruleset;

/// How many programs run at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Jobs {
    /// As many as the machine can run without falsifying times.
    Auto,
    /// This many.
    Count(u32),
}

impl Jobs {
    /// `auto` or a number.
    pub fn read(value: &Value) -> Read<Self> {
        match value {
            Value::Text(_) => read::word(value, &[("auto", Self::Auto)]).map_err(|unfit| match unfit {
                Unfit::Expected { wanted, found } => Unfit::expected(format!("a number or {wanted}"), found),
                other => other,
            }),
            other => read::count(other).map(Self::Count),
        }
    }
}

/// What stands between programs and the host.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IsolationChoice {
    /// The strongest layer that works.
    Auto,
    /// Namespaces, as root.
    Root,
    /// Namespaces, as an ordinary user.
    User,
    /// No namespaces: Landlock and a filter of system calls.
    Weak,
    /// No walls.
    None,
}

impl IsolationChoice {
    /// The words for it.
    pub const WORDS: &[(&str, Self)] =
        &[("auto", Self::Auto), ("root", Self::Root), ("user", Self::User), ("weak", Self::Weak), ("none", Self::None)];
}

/// Whose rules problems are judged by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum JudgeChoice {
    /// Those of the judge that a package was written for.
    Auto,
    /// Those of this one.
    As(Ruleset),
    /// Like `Auto`, but also asks for the verdicts of the other judges.
    All,
}

impl JudgeChoice {
    /// The words for it.
    pub const WORDS: &[(&str, Self)] = &[
        ("auto", Self::Auto),
        ("icpc", Self::As(Ruleset::Icpc)),
        ("kattis", Self::As(Ruleset::Kattis)),
        ("domjudge", Self::As(Ruleset::Domjudge)),
        ("all", Self::All),
    ];
}

/// When to colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ColorChoice {
    /// On a terminal that can.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

impl ColorChoice {
    /// The words for it.
    pub const WORDS: &[(&str, Self)] = &[("auto", Self::Auto), ("always", Self::Always), ("never", Self::Never)];
}

/// How a wrong output is set against the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DiffStyle {
    /// Side by side where the terminal is wide enough.
    Auto,
    /// One below the other.
    Unified,
    /// Two columns.
    SideBySide,
    /// No diff.
    None,
}

impl DiffStyle {
    /// The words for it.
    pub const WORDS: &[(&str, Self)] =
        &[("auto", Self::Auto), ("unified", Self::Unified), ("side-by-side", Self::SideBySide), ("none", Self::None)];
}

/// The guard on elapsed time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WallLimit {
    /// Twice the cpu time and a second.
    Auto,
    /// This long.
    Fixed(Duration),
}

impl WallLimit {
    /// `auto` or seconds.
    pub fn read(value: &Value) -> Read<Self> {
        match value {
            Value::Text(_) => read::word(value, &[("auto", Self::Auto)]),
            other => read::seconds(other).map(Self::Fixed),
        }
    }

    /// The limit for a program that may use `cpu`.
    pub fn for_cpu(self, cpu: Duration) -> Duration {
        match self {
            Self::Auto => cpu * 2 + Duration::from_secs(1),
            Self::Fixed(wall) => wall,
        }
    }
}

/// The word for a value in a table of words.
pub(super) fn word_of<T: PartialEq>(words: &[(&'static str, T)], value: &T) -> &'static str {
    words.iter().find(|(_, meaning)| meaning == value).map_or("", |(word, _)| word)
}
