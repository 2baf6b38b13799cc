//! The built-in checker: compares a program's output with an answer while the program prints it, in constant memory
//! (`uncmp`, `contains`, `regex` and `unordered`: in bounded memory).
//!
//! This module owns the comparison, the first difference and the kept part of the output. It must not know processes,
//! files, verdicts or how a difference is shown. It makes no diff: the cost is one walk over both streams.
//!
//! Source of the rules: package format 2025-09, "Default output validator specification". `standard` has the checkers of
//! testlib, with rules of their own, and `texts` the checkers that keep the answer.

use std::io::{self, Read};

use grader_model::difference::{Difference, Leniency};
use grader_model::problem::Checker;

mod bytes;
mod capture;
mod difference;
#[cfg(any(test, fuzzing))]
pub mod fuzz;
mod json;
mod lines;
mod lockstep;
mod number;
#[cfg(any(test, fuzzing))]
pub(crate) mod oracle;
mod place;
mod rules;
mod standard;
mod stream;
#[cfg(test)]
mod tests;
mod texts;
mod unit;

pub use capture::Capture;
pub use json::{Json, Unreadable};
pub use standard::{AnswerFault, FaultReason, Form, FoundPart, GivenPoints, MeantLine, Mismatch, Rejection};

use lockstep::Lockstep;
use number::{Tolerances, WrittenNumber};
use rules::Rules;
use standard::StandardComparison;

/// Whether a decimal number differs from another by at most an absolute tolerance, or one relative to the other. The
/// difference is exact. False if either is not a decimal number within the range of `f64`.
pub fn within_tolerance(value: &[u8], answer: &[u8], relative: f64, absolute: f64) -> bool {
    let tolerances = Tolerances { relative: Some(relative), absolute: Some(absolute) };
    let exact = || Some([WrittenNumber::Whole(value).measured()?, WrittenNumber::Whole(answer).measured()?]);
    let rounded = number::parse(value).zip(number::parse(answer));
    rounded.is_some_and(|(rounded, expected)| tolerances.permit(rounded, expected, exact))
}

/// A comparison in progress. The caller pushes the output; the comparator pulls the answer.
///
/// ```
/// use grader_compare::Comparator;
/// use grader_model::problem::Checker;
///
/// let mut comparator = Comparator::new(Checker::default(), &b"1 2\nYes\n"[..]);
/// comparator.feed(b"1 2 y")?;
/// comparator.feed(b"es")?;
/// let comparison = comparator.finish()?;
/// assert!(comparison.accepted && comparison.leniency.case && comparison.leniency.lines);
/// # Ok::<(), grader_compare::CompareError>(())
/// ```
pub struct Comparator<'a>(Kind<'a>);

enum Kind<'a> {
    Lockstep(Box<Lockstep<'a>>),
    Standard(Box<StandardComparison<'a>>),
}

/// The result of a comparison.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// Whether the output is accepted.
    pub accepted: bool,
    /// Whether the output is known to equal the answer byte for byte. A checker with rules of its own does not look.
    pub identical: bool,
    /// The first difference that makes the output wrong; none if it is accepted.
    pub difference: Option<Difference>,
    /// The permitted differences of an accepted output; empty if the output is not accepted.
    pub leniency: Leniency,
    /// The opinion of a checker with rules of its own about a rejected output, beside the difference.
    pub rejection: Option<Rejection>,
    /// The points that a checker gives to an accepted output in place of a verdict.
    pub points: Option<GivenPoints>,
    /// The part of the output that was kept.
    pub capture: Capture,
}

/// A comparison did not take place.
#[derive(Debug, thiserror::Error)]
pub enum CompareError {
    /// The answer could not be read.
    #[error(transparent)]
    Unreadable(#[from] io::Error),
    /// The answer does not have the form that the checker reads.
    #[error("{fault}")]
    Answer {
        /// The fault of the answer.
        fault: AnswerFault,
        /// The part of the output that was kept.
        capture: Box<Capture>,
    },
}

impl<'a> Comparator<'a> {
    /// Starts a comparison with `answer`, which is read from its current position, in large blocks and on demand.
    pub fn new(checker: Checker, answer: impl Read + 'a) -> Self {
        Self(match checker {
            Checker::Tokens(options) => Kind::lockstep(Rules::of_tokens(options), answer),
            Checker::Exact => Kind::lockstep(Rules::EXACT, answer),
            Checker::Contains => Kind::Standard(Box::new(texts::contains(answer))),
            Checker::Regex => Kind::Standard(Box::new(texts::regex(answer))),
            Checker::Value(tolerance) => Kind::Standard(Box::new(texts::value(tolerance, answer))),
            Checker::Unordered => Kind::Standard(Box::new(texts::unordered(answer))),
            Checker::Standard(checker) => Kind::Standard(Box::new(StandardComparison::new(checker, answer))),
        })
    }

    /// Takes the next bytes of the output. An error means that the answer could not be read. That is a judge error, and
    /// the comparison cannot be used any more.
    pub fn feed(&mut self, chunk: &[u8]) -> io::Result<()> {
        match &mut self.0 {
            Kind::Lockstep(comparison) => comparison.feed(chunk),
            Kind::Standard(comparison) => comparison.feed(chunk),
        }
    }

    /// Whether the output is already known to be wrong.
    pub fn decided_wrong(&self) -> bool {
        match &self.0 {
            Kind::Lockstep(comparison) => comparison.decided_wrong(),
            Kind::Standard(comparison) => comparison.decided_wrong(),
        }
    }

    /// Ends the comparison of a complete output.
    ///
    /// # Errors
    /// The answer could not be read, or is not what the checker reads. Both are judge errors.
    pub fn finish(self) -> Result<Comparison, CompareError> {
        match self.0 {
            Kind::Lockstep(comparison) => Ok(comparison.finish()?),
            Kind::Standard(comparison) => comparison.finish(),
        }
    }

    /// Ends the comparison of an output that was cut off by a limit or a kill. Reports what is known, never accepts,
    /// and claims nothing about the unseen part.
    pub fn cut_off(self) -> Comparison {
        match self.0 {
            Kind::Lockstep(comparison) => comparison.cut_off(),
            Kind::Standard(comparison) => comparison.cut_off(),
        }
    }
}

impl<'a> Kind<'a> {
    fn lockstep(rules: Rules, answer: impl Read + 'a) -> Self {
        Self::Lockstep(Box::new(Lockstep::new(rules, answer)))
    }
}
