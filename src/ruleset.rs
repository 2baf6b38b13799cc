//! The rulesets of the known judges, for the points on which they differ. One value selects how a problem is judged.
//! Plain data, no I/O. Each method is used in one place; docs/judges.md has the table with its sources.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::limits::{Bytes, Overflow};
use crate::verdict::Verdict;

/// Whose rules hold.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ruleset {
    /// The text of the package format 2025-09, and our own rules where it says nothing.
    #[default]
    Icpc,
    /// Kattis, as problemtools has it.
    Kattis,
    /// `DOMjudge`.
    Domjudge,
}

/// What tokens are numbers where a tolerance is set.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Numbers {
    /// Decimal numbers by the grammar of the package format.
    #[default]
    Decimal,
    /// Numbers that `scanf` reads, including hexadecimal ones. Infinities and NaN count as words.
    Scanned,
    /// What `scanf` reads: NaN is the same as NaN, and an infinity the same as one of its sign.
    ScannedWithInfinities,
}

impl Numbers {
    /// Whether it is the grammar of the format.
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde calls it")]
    pub fn is_decimal(&self) -> bool {
        *self == Self::Decimal
    }
}

/// What is wrong with an execution by its facts alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// A system call that is not allowed.
    Denied,
    /// Too much output.
    Output,
    /// Too much memory.
    Memory,
    /// Too slow.
    Time,
    /// It crashed, or said that it failed.
    Crash,
}

impl Ruleset {
    /// All of them, in the order of showing.
    pub const ALL: [Self; 3] = [Self::Icpc, Self::Kattis, Self::Domjudge];

    /// The word for it: `icpc`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Icpc => "icpc",
            Self::Kattis => "kattis",
            Self::Domjudge => "domjudge",
        }
    }

    /// The memory limit of a submission if nothing states one (2025-09 "Limits"; problemtools `config/problem.yaml`;
    /// `DOMjudge` `memory_limit`).
    pub const fn memory(self) -> Bytes {
        match self {
            Self::Icpc | Self::Domjudge => Bytes::mib(2048),
            Self::Kattis => Bytes::mib(1024),
        }
    }

    /// The time limit of a package that states none; none where it follows from the package's submissions (`DOMjudge`:
    /// `ImportProblemService`).
    pub const fn time_limit(self) -> Option<Duration> {
        match self {
            Self::Icpc | Self::Kattis => None,
            Self::Domjudge => Some(Duration::from_secs(10)),
        }
    }

    /// Whether the memory limit is that of a virtual machine's heap alone (problemtools `languages.yaml`, and
    /// `should_skip_memory_rlimit` in `run/source.py`; BAPCtools `command_supports_memory_limit`), or of all that it needs
    /// (`DOMjudge`: `java_javac_detect/run`, `kt/run`).
    pub const fn limits_heap_alone(self) -> bool {
        match self {
            Self::Icpc | Self::Kattis => true,
            Self::Domjudge => false,
        }
    }

    /// What tokens are numbers for the default output validator.
    pub const fn numbers(self) -> Numbers {
        match self {
            Self::Icpc => Numbers::Decimal,
            Self::Kattis => Numbers::Scanned,
            Self::Domjudge => Numbers::ScannedWithInfinities,
        }
    }

    /// Returns which cause decides first if several things are wrong with an execution. Kattis and `DOMjudge` look at
    /// the time before anything else, and see too little memory by how the program ends.
    pub const fn precedence(self) -> [Cause; 5] {
        match self {
            Self::Icpc => [Cause::Denied, Cause::Output, Cause::Memory, Cause::Time, Cause::Crash],
            Self::Kattis | Self::Domjudge => [Cause::Time, Cause::Denied, Cause::Memory, Cause::Crash, Cause::Output],
        }
    }

    /// What becomes of a program that prints more than it may (`DOMjudge`: `runguard.cc`, `pump_pipes`; problemtools
    /// `validate.py`, `_validate_output`).
    pub const fn overflow(self) -> Overflow {
        match self {
            Self::Icpc => Overflow::Kill,
            Self::Kattis | Self::Domjudge => Overflow::Cut,
        }
    }

    /// Whether an interactor that breaks the protocol is a judge error also where the submission had failed before.
    pub const fn always_blames_interactor(self) -> bool {
        match self {
            Self::Icpc => false,
            Self::Kattis | Self::Domjudge => true,
        }
    }

    /// Converts a verdict to one that this judge knows. A verdict that it does not know becomes a run-time error.
    #[must_use]
    pub const fn calls(self, verdict: Verdict) -> Verdict {
        match (self, verdict) {
            (Self::Domjudge, Verdict::OutputLimit) => Verdict::OutputLimit,
            (_, Verdict::MemoryLimit | Verdict::OutputLimit) => Verdict::RunTimeError,
            (_, other) => other,
        }
    }
}

impl fmt::Display for Ruleset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_judge_looks_at_every_cause_once() {
        for ruleset in Ruleset::ALL {
            for cause in [Cause::Denied, Cause::Output, Cause::Memory, Cause::Time, Cause::Crash] {
                let times = ruleset.precedence().iter().filter(|other| **other == cause).count();
                assert_eq!(times, 1, "{ruleset} {cause:?}");
            }
        }
    }
}
