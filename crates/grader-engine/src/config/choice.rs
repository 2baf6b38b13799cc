//! Settings whose value is one of a few words.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::package::document::Value;
use crate::package::document::read::{self, Read, Unfit};
use crate::problem::{DmojType, PointsUnit, Protocol};
use crate::ruleset::Ruleset;

/// How many programs run at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Jobs {
    /// As many as the machine can run without distorting times.
    Auto,
    /// Exactly this many.
    Count(u32),
}

impl Jobs {
    /// Reads `auto` or a number.
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

/// The isolation layer between programs and the host.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IsolationChoice {
    /// The strongest layer that works.
    Auto,
    /// Namespaces, as root.
    Root,
    /// Namespaces, as an ordinary user.
    User,
    /// Separate users and Landlock, as root without namespaces.
    Users,
    /// No namespaces and no users: Landlock and a system call filter.
    Weak,
    /// No isolation.
    None,
}

impl IsolationChoice {
    /// The word for each value.
    pub const WORDS: &[(&str, Self)] = &[
        ("auto", Self::Auto),
        ("root", Self::Root),
        ("user", Self::User),
        ("users", Self::Users),
        ("weak", Self::Weak),
        ("none", Self::None),
    ];

    /// Whether it is a certain layer with walls. Then even the user's own commands (`-c`) run behind them.
    pub fn names_walls(self) -> bool {
        matches!(self, Self::Root | Self::User | Self::Users | Self::Weak)
    }
}

/// The judge whose rules apply to problems.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum JudgeChoice {
    /// The judge that the package was written for.
    Auto,
    /// This judge.
    As(Ruleset),
    /// Like `Auto`, but also asks for the verdicts of the other judges.
    All,
}

impl JudgeChoice {
    /// The word for each value.
    pub const WORDS: &[(&str, Self)] = &[
        ("auto", Self::Auto),
        ("icpc", Self::As(Ruleset::Icpc)),
        ("kattis", Self::As(Ruleset::Kattis)),
        ("domjudge", Self::As(Ruleset::Domjudge)),
        ("codeforces", Self::As(Ruleset::Codeforces)),
        ("all", Self::All),
    ];
}

/// The protocol by which programs judge that do not judge by the built-in comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProtocolChoice {
    /// The one that the problem states, or that the source of the program suggests.
    Auto,
    /// This protocol.
    Always(Protocol),
}

impl ProtocolChoice {
    /// The word for each value.
    pub const WORDS: &[(&str, Self)] = &[
        ("auto", Self::Auto),
        ("icpc", Self::Always(Protocol::Icpc)),
        ("testlib", Self::Always(Protocol::TESTLIB)),
        ("testlib-percent", Self::Always(Protocol::Testlib(PointsUnit::Percent))),
        ("cms", Self::Always(Protocol::Cms)),
        ("dmoj", Self::Always(Protocol::Dmoj(DmojType::Default))),
        ("dmoj-coci", Self::Always(Protocol::Dmoj(DmojType::Coci))),
    ];
}

/// When to colour the output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ColorChoice {
    /// On a terminal that supports colour.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

impl ColorChoice {
    /// The word for each value.
    pub const WORDS: &[(&str, Self)] = &[("auto", Self::Auto), ("always", Self::Always), ("never", Self::Never)];
}

/// The limit on elapsed time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WallLimit {
    /// Twice the CPU time plus one second.
    Auto,
    /// Exactly this long.
    Fixed(Duration),
}

impl WallLimit {
    /// Reads `auto` or a number of seconds.
    pub fn read(value: &Value) -> Read<Self> {
        match value {
            Value::Text(_) => read::word(value, &[("auto", Self::Auto)]),
            other => read::seconds(other).map(Self::Fixed),
        }
    }

    /// The elapsed-time limit for a program with the CPU limit `cpu`.
    pub fn for_cpu(self, cpu: Duration) -> Duration {
        match self {
            Self::Auto => cpu * 2 + Duration::from_secs(1),
            Self::Fixed(wall) => wall,
        }
    }
}

/// Returns the word for a value in a table of words.
pub(super) fn word_of<T: PartialEq>(words: &[(&'static str, T)], value: &T) -> &'static str {
    words.iter().find(|(_, meaning)| meaning == value).map_or("", |(word, _)| word)
}
