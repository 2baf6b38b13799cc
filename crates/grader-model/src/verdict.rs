//! Verdicts: the meaning of a run's facts for the submission. Plain data, no I/O.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The judgement of a submission on one test case, or on all of them.
///
/// Packages know AC, WA, TLE and RTE (problem package format 2025-09, "Submissions"); MLE, OLE and CE are additions of
/// grader. The order by severity is for display only: the verdict of a submission is that of its first failing test in
/// plan order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Verdict {
    /// Accepted.
    #[serde(rename = "AC")]
    Accepted,
    /// Wrong answer.
    #[serde(rename = "WA")]
    WrongAnswer,
    /// Time limit exceeded, in CPU time or elapsed time.
    #[serde(rename = "TLE")]
    TimeLimit,
    /// Memory limit exceeded.
    #[serde(rename = "MLE")]
    MemoryLimit,
    /// Output limit exceeded.
    #[serde(rename = "OLE")]
    OutputLimit,
    /// Run-time error: a signal or a non-zero exit code.
    #[serde(rename = "RTE")]
    RunTimeError,
    /// Compile error.
    #[serde(rename = "CE")]
    CompileError,
}

impl Verdict {
    /// Every verdict, in order of severity.
    pub const ALL: [Self; 7] = [
        Self::Accepted,
        Self::WrongAnswer,
        Self::TimeLimit,
        Self::MemoryLimit,
        Self::OutputLimit,
        Self::RunTimeError,
        Self::CompileError,
    ];

    /// The short code: `AC`, `WA`, …
    pub const fn code(self) -> &'static str {
        match self {
            Self::Accepted => "AC",
            Self::WrongAnswer => "WA",
            Self::TimeLimit => "TLE",
            Self::MemoryLimit => "MLE",
            Self::OutputLimit => "OLE",
            Self::RunTimeError => "RTE",
            Self::CompileError => "CE",
        }
    }

    /// The one-letter form for tables.
    pub const fn letter(self) -> char {
        match self {
            Self::Accepted => 'A',
            Self::WrongAnswer => 'W',
            Self::TimeLimit => 'T',
            Self::MemoryLimit => 'M',
            Self::OutputLimit => 'O',
            Self::RunTimeError => 'R',
            Self::CompileError => 'C',
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.code())
    }
}

/// The error for a word that is not a verdict.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown verdict `{0}`; known are AC, WA, TLE, MLE, OLE, RTE, CE and their long names")]
pub struct UnknownVerdict(pub String);

impl FromStr for Verdict {
    type Err = UnknownVerdict;

    /// Reads short codes and the long names of Kattis, BAPCtools and DOMjudge, in any case, with `_`, `-` or a space.
    fn from_str(text: &str) -> Result<Self, UnknownVerdict> {
        let name = text.trim().to_ascii_uppercase().replace(['-', ' '], "_");
        Ok(match name.as_str() {
            "AC" | "ACCEPTED" | "CORRECT" => Self::Accepted,
            "WA" | "WRONG_ANSWER" | "NO_OUTPUT" | "NO" => Self::WrongAnswer,
            "TLE" | "TIME_LIMIT_EXCEEDED" | "TIMELIMIT" => Self::TimeLimit,
            "MLE" | "MEMORY_LIMIT_EXCEEDED" | "MEMORY_LIMIT" => Self::MemoryLimit,
            "OLE" | "OUTPUT_LIMIT_EXCEEDED" | "OUTPUT_LIMIT" => Self::OutputLimit,
            "RTE" | "RE" | "RUN_TIME_ERROR" | "RUNTIME_ERROR" | "RUN_ERROR" => Self::RunTimeError,
            "CE" | "COMPILE_ERROR" | "COMPILER_ERROR" => Self::CompileError,
            _ => return Err(UnknownVerdict(text.to_owned())),
        })
    }
}

/// A small set of verdicts.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct VerdictSet(u8);

impl VerdictSet {
    /// The set of these verdicts.
    pub const fn of(verdicts: &[Verdict]) -> Self {
        let mut bits = 0;
        let mut i = 0;
        while i < verdicts.len() {
            bits |= 1 << verdicts[i] as u8;
            i += 1;
        }
        Self(bits)
    }

    /// Whether `verdict` is in the set.
    pub const fn contains(self, verdict: Verdict) -> bool {
        self.0 & (1 << verdict as u8) != 0
    }

    /// The members in order of severity.
    pub fn iter(self) -> impl Iterator<Item = Verdict> {
        Verdict::ALL.into_iter().filter(move |v| self.contains(*v))
    }

    /// Returns the set without `verdict`.
    #[must_use]
    pub const fn without(self, verdict: Verdict) -> Self {
        Self(self.0 & !(1 << verdict as u8))
    }

    /// Whether the set has no member.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the verdicts in both sets.
    #[must_use]
    pub const fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl fmt::Debug for VerdictSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

impl fmt::Display for VerdictSet {
    /// For example `AC or TLE`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, verdict) in self.iter().enumerate() {
            if i > 0 {
                f.write_str(" or ")?;
            }
            f.write_str(verdict.code())?;
        }
        Ok(())
    }
}

impl FromIterator<Verdict> for VerdictSet {
    fn from_iter<I: IntoIterator<Item = Verdict>>(verdicts: I) -> Self {
        Self(verdicts.into_iter().fold(0, |bits, v| bits | 1 << v as u8))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_judge_s_name_is_understood() {
        for (text, verdict) in [
            ("correct", Verdict::Accepted),
            ("WRONG-ANSWER", Verdict::WrongAnswer),
            ("NO-OUTPUT", Verdict::WrongAnswer),
            ("timelimit", Verdict::TimeLimit),
            ("Run-Error", Verdict::RunTimeError),
            ("compiler-error", Verdict::CompileError),
        ] {
            assert_eq!(text.parse(), Ok(verdict), "{text}");
        }
        assert!("maybe".parse::<Verdict>().is_err());
    }

    #[test]
    fn sets_hold_what_was_put_in() {
        let set = VerdictSet::of(&[Verdict::TimeLimit, Verdict::Accepted]);
        assert_eq!(set.to_string(), "AC or TLE");
        assert!(!set.contains(Verdict::WrongAnswer));
    }
}
