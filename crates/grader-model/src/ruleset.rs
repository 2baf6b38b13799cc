//! The rulesets of the known judges. They hold every difference between the judges: one value selects how a problem is
//! judged. Plain data, no I/O. Each method is used in one place; docs/judges.md has the table with its sources.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::limits::{Bytes, Overflow};
use crate::verdict::Verdict;

/// The judge whose rules apply.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ruleset {
    /// The text of the package format 2025-09, with grader's own rules if it says nothing.
    #[default]
    Icpc,
    /// Kattis, as in problemtools.
    Kattis,
    /// `DOMjudge`.
    Domjudge,
    /// Codeforces and Polygon. docs/judges.md names the sources, of which there are few.
    Codeforces,
}

/// Which tokens are numbers if a tolerance is set.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Numbers {
    /// Decimal numbers by the grammar of the package format.
    #[default]
    Decimal,
    /// Numbers that `scanf` reads, including hexadecimal ones. Infinities and NaN count as words.
    Scanned,
    /// Numbers that `scanf` reads. NaN equals NaN, and an infinity equals one of the same sign.
    ScannedWithInfinities,
}

impl Numbers {
    /// Whether numbers follow the grammar of the format.
    pub fn is_decimal(&self) -> bool {
        *self == Self::Decimal
    }
}

/// A failure that follows from the facts of an execution alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// A denied system call, or too many processes and threads.
    Denied,
    /// Too much output.
    Output,
    /// Too much memory.
    Memory,
    /// Too slow.
    Time,
    /// A crash, or an exit code other than 0.
    Crash,
}

impl Ruleset {
    /// All rulesets, in the order in which they are shown.
    pub const ALL: [Self; 4] = [Self::Icpc, Self::Kattis, Self::Domjudge, Self::Codeforces];

    /// The judges that run packages of the ICPC format. They are asked for their opinion; Codeforces runs only its own.
    pub const OF_PACKAGES: [Self; 3] = [Self::Icpc, Self::Kattis, Self::Domjudge];

    /// Its word in settings: `icpc`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Icpc => "icpc",
            Self::Kattis => "kattis",
            Self::Domjudge => "domjudge",
            Self::Codeforces => "codeforces",
        }
    }

    /// The memory limit of a submission if nothing states one (2025-09 "Limits"; problemtools `config/problem.yaml`;
    /// `DOMjudge` `memory_limit`; Polygon states this for a new problem).
    pub const fn memory(self) -> Bytes {
        match self {
            Self::Codeforces => Bytes::mib(256),
            Self::Icpc | Self::Domjudge => Bytes::mib(2048),
            Self::Kattis => Bytes::mib(1024),
        }
    }

    /// The time limit of a package that states none. None if the limit follows from the package's submissions
    /// (`DOMjudge`: `ImportProblemService`; Polygon states this for a new problem).
    pub const fn time_limit(self) -> Option<Duration> {
        match self {
            Self::Codeforces => Some(Duration::from_secs(1)),
            Self::Icpc | Self::Kattis => None,
            Self::Domjudge => Some(Duration::from_secs(10)),
        }
    }

    /// Whether the memory limit is for a virtual machine's heap alone (problemtools `languages.yaml`, and
    /// `should_skip_memory_rlimit` in `run/source.py`; BAPCtools `command_supports_memory_limit`). Otherwise it is for
    /// the whole process (`DOMjudge`: `java_javac_detect/run`, `kt/run`).
    pub const fn limits_heap_alone(self) -> bool {
        match self {
            Self::Icpc | Self::Kattis | Self::Codeforces => true,
            Self::Domjudge => false,
        }
    }

    /// Which tokens are numbers for the default output validator.
    pub const fn numbers(self) -> Numbers {
        match self {
            Self::Icpc | Self::Codeforces => Numbers::Decimal,
            Self::Kattis => Numbers::Scanned,
            Self::Domjudge => Numbers::ScannedWithInfinities,
        }
    }

    /// Returns which cause decides first if an execution has several failures. Kattis and `DOMjudge` check the time
    /// before anything else, and notice a lack of memory only by how the program ends. Codeforces: `runexe`,
    /// `InvocationResult.cpp`.
    pub const fn precedence(self) -> [Cause; 5] {
        match self {
            Self::Icpc => [Cause::Denied, Cause::Output, Cause::Memory, Cause::Time, Cause::Crash],
            Self::Kattis | Self::Domjudge | Self::Codeforces => {
                [Cause::Time, Cause::Denied, Cause::Memory, Cause::Crash, Cause::Output]
            }
        }
    }

    /// The action on a program that exceeds the output limit (`DOMjudge`: `runguard.cc`, `pump_pipes`; problemtools
    /// `validate.py`, `_validate_output`).
    pub const fn overflow(self) -> Overflow {
        match self {
            Self::Icpc => Overflow::Kill,
            Self::Kattis | Self::Domjudge | Self::Codeforces => Overflow::Cut,
        }
    }

    /// The action on a program that exceeds the output limit in a conversation. A stated limit ends the
    /// program. If none is stated, problemtools has no limit for output to an interactor; `DOMjudge` still
    /// runs the submission in `runguard` with `--streamsize` (`testcase_run.sh`), which discards the rest.
    pub const fn overflow_in_conversation(self, is_stated: bool) -> Overflow {
        match self {
            _ if is_stated => Overflow::Kill,
            Self::Icpc | Self::Kattis | Self::Codeforces => Overflow::Pass,
            Self::Domjudge => Overflow::Cut,
        }
    }

    /// Whether an interactor's breach of the protocol is a judge error even if the submission failed first.
    pub const fn always_blames_interactor(self) -> bool {
        match self {
            Self::Icpc | Self::Codeforces => false,
            Self::Kattis | Self::Domjudge => true,
        }
    }

    /// Converts a verdict to one that this judge knows. A verdict that it does not know becomes a run-time error.
    #[must_use]
    pub const fn calls(self, verdict: Verdict) -> Verdict {
        match (self, verdict) {
            (Self::Domjudge, Verdict::OutputLimit) => Verdict::OutputLimit,
            (Self::Codeforces, Verdict::MemoryLimit) => Verdict::MemoryLimit,
            (_, Verdict::MemoryLimit | Verdict::OutputLimit) => Verdict::RunTimeError,
            (_, other) => other,
        }
    }

    /// The judge's own word for a verdict. Codeforces has words of its own (its API, `Submission.verdict`, shortened as
    /// Polygon shows them).
    pub const fn word(self, verdict: Verdict) -> &'static str {
        let verdict = self.calls(verdict);
        match (self, verdict) {
            (Self::Codeforces, Verdict::Accepted) => "OK",
            (Self::Codeforces, Verdict::TimeLimit) => "TL",
            (Self::Codeforces, Verdict::MemoryLimit) => "ML",
            (Self::Codeforces, Verdict::RunTimeError) => "RE",
            _ => verdict.code(),
        }
    }

    /// Whether two judges decide the same, each by its own names. A name that only Codeforces has does not count.
    pub fn agrees(self, verdict: Verdict, other: Self, others: Verdict) -> bool {
        let is_named_apart = self == Self::Codeforces || other == Self::Codeforces;
        self.calls(verdict) == other.calls(others) || (is_named_apart && verdict == others)
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
