//! Counts the findings of all problems, and decides whether the verification fails.

use std::fmt;

use super::problem_findings::ProblemFindings;
use crate::report::text::count;
use crate::verify::Severity;

/// The numbers of problems and findings. Displayed as `2 problems: 0 errors, 1 warning`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Totals {
    /// The number of problems.
    pub(crate) problems: usize,
    /// The number of errors, including judge errors.
    pub(crate) errors: usize,
    /// The number of warnings.
    pub(crate) warnings: usize,
    /// The number of notes, which never fail.
    pub(crate) notes: usize,
    /// The number of findings that are allowed, which count as nothing else.
    pub(crate) allowed: usize,
}

impl Totals {
    /// Counts the findings of all problems.
    pub(crate) fn of(all_results: &[ProblemFindings]) -> Self {
        let count = |severity| all_results.iter().map(|results| results.count(severity)).sum::<usize>();
        Self {
            problems: all_results.iter().filter(|results| !results.name.is_empty()).count(),
            errors: count(Severity::Error) + count(Severity::JudgeError),
            warnings: count(Severity::Warning),
            notes: count(Severity::Info),
            allowed: all_results.iter().map(|results| results.allowed).sum(),
        }
    }

    /// Whether the verification fails. With `strict`, a warning is enough.
    pub(crate) fn fail(&self, strict: bool) -> bool {
        self.errors > 0 || (strict && self.warnings > 0)
    }

    /// `FAIL` or `ok`.
    pub(crate) fn word(&self, strict: bool) -> &'static str {
        if self.fail(strict) { "FAIL" } else { "ok" }
    }
}

impl fmt::Display for Totals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { problems, errors, warnings, notes, allowed } = *self;
        write!(f, "{}: {}, {}", count(problems, "problem"), count(errors, "error"), count(warnings, "warning"))?;
        if notes > 0 {
            write!(f, ", {}", count(notes, "note"))?;
        }
        if allowed > 0 { write!(f, ", {allowed} allowed") } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_warning_fails_only_if_strict() {
        let fine = Totals { problems: 2, errors: 0, warnings: 1, notes: 0, allowed: 0 };
        assert_eq!((fine.word(false), fine.word(true)), ("ok", "FAIL"));
        assert_eq!(fine.to_string(), "2 problems: 0 errors, 1 warning");
        let broken = Totals { problems: 1, errors: 1, warnings: 0, notes: 2, allowed: 3 };
        assert_eq!((broken.word(false), broken.word(true)), ("FAIL", "FAIL"));
        assert_eq!(broken.to_string(), "1 problem: 1 error, 0 warnings, 2 notes, 3 allowed");
    }
}
