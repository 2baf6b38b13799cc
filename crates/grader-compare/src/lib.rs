//! The built-in checker: compares a program's output with an answer while the program prints it, in constant memory.
//!
//! This module owns the comparison, the first difference and the kept part of the output. It must not know processes,
//! files, verdicts or how a difference is shown. It makes no diff: the cost is one walk over both streams.
//!
//! Source of the rules: package format 2025-09, "Default output validator specification".

use std::io::{self, Read};

use grader_model::difference::{Difference, DifferenceKind, Leniency, RelaxedRule};
use grader_model::problem::Checker;

mod bytes;
mod capture;
mod difference;
#[cfg(any(test, fuzzing))]
pub mod fuzz;
mod lines;
mod lockstep;
mod number;
#[cfg(any(test, fuzzing))]
pub(crate) mod oracle;
mod place;
mod rules;
mod stream;
#[cfg(test)]
mod tests;
mod unit;

pub use capture::Capture;

use bytes::{Class, is_space};
use difference::Differences;
use lockstep::State;
use number::{Tolerances, WrittenNumber};
use rules::Rules;
use stream::{Answer, Stream};

/// Whether a decimal number differs from another by at most an absolute tolerance, or one relative to the other. The
/// difference is exact. False for what is not a decimal number within the range of `f64`.
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
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Comparator<'a> {
    rules: Rules,
    answer: Answer<'a>,
    /// Follows the answer's stream while the bytes are equal; walks on its own afterwards.
    output: Stream,
    state: State,
    /// The class of the next unit before its first byte is seen.
    next: Class,
    identical: bool,
    /// What the output has so far: nothing, white space, or a token.
    printed: Option<Class>,
    differences: Differences,
    capture: Capture,
}

/// The result of a comparison.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// Whether the output is accepted.
    pub accepted: bool,
    /// Whether the output equals the answer byte for byte.
    pub identical: bool,
    /// The first difference that makes the output wrong; none if it is accepted.
    pub difference: Option<Difference>,
    /// The permitted differences of an accepted output; empty if the output is not accepted.
    pub leniency: Leniency,
    /// The part of the output that was kept.
    pub capture: Capture,
}

impl<'a> Comparator<'a> {
    /// Starts a comparison with `answer`, which is read from its current position, in large blocks and on demand.
    pub fn new(checker: Checker, answer: impl Read + 'a) -> Self {
        Self {
            rules: Rules::of(checker),
            answer: Answer::new(answer),
            output: Stream::new(),
            state: State::Aligned,
            next: Class::Space,
            identical: true,
            printed: None,
            differences: Differences::default(),
            capture: Capture::default(),
        }
    }

    /// Takes the next bytes of the output. An error means that the answer could not be read. That is a judge error, and
    /// the comparison cannot be used any more.
    pub fn feed(&mut self, chunk: &[u8]) -> io::Result<()> {
        if self.printed != Some(Class::Token) && !chunk.is_empty() {
            let has_token = chunk.iter().any(|byte| !is_space(*byte));
            self.printed = Some(if has_token { Class::Token } else { Class::Space });
        }
        if let Some(window) = &mut self.output.window {
            window.push(chunk);
        }
        if !self.identical {
            self.capture.keep(chunk);
        }
        self.walk(chunk)?;
        if self.identical {
            self.capture.share(chunk.len());
            self.output.pos = 0;
        } else if !matches!(self.state, State::Settled) {
            self.output.leave(chunk);
        }
        if !self.identical {
            self.capture.follow(chunk, self.focus(), self.decided_wrong());
        }
        Ok(())
    }

    /// The offset in the output of the first difference, or of the open unit that may become it.
    fn focus(&self) -> Option<u64> {
        match (&self.differences.difference, self.state) {
            (Some(difference), _) => Some(difference.actual.focus().offset),
            (None, State::Token { .. } | State::Space { .. }) => self.output.focus(),
            (None, State::Aligned | State::Settled) => None,
        }
    }

    /// Whether the output is already known to be wrong.
    pub fn decided_wrong(&self) -> bool {
        self.differences.difference.is_some()
    }

    /// Ends the comparison of a complete output. Fails like [`Self::feed`].
    pub fn finish(mut self) -> io::Result<Comparison> {
        self.output.pos = 0;
        self.output.last = true;
        self.walk(&[])?;
        self.capture.follow(&[], self.focus(), self.decided_wrong());
        let lines = self.explain_lines()?;
        let would_accept = self.differences.would_accept();
        if let Some(difference) = &mut self.differences.difference {
            difference.would_accept = would_accept;
            if let Some(kind) = lines {
                difference.kind = kind;
                difference.would_accept.extend((kind == DifferenceKind::LineOrder).then_some(RelaxedRule::SortLines));
            }
        }
        Ok(self.into_comparison(true))
    }

    /// Ends the comparison of an output that was cut off by a limit or a kill. Reports what is known, never accepts,
    /// and claims nothing about the unseen part.
    pub fn cut_off(self) -> Comparison {
        self.into_comparison(false)
    }

    /// Returns how whole lines explain a difference that no leniency would accept, if they do.
    fn explain_lines(&mut self) -> io::Result<Option<DifferenceKind>> {
        if !self.differences.is_hopeless() {
            return Ok(None);
        }
        let Some(output) = self.output.window.take().filter(lines::Window::is_whole) else { return Ok(None) };
        let answer = self.answer.rest_of_window()?;
        Ok(answer.and_then(|answer| output.explain(answer, &self.rules)))
    }

    fn into_comparison(self, complete: bool) -> Comparison {
        let accepted = complete && self.differences.difference.is_none();
        Comparison {
            accepted,
            identical: accepted && self.identical,
            difference: self.differences.difference,
            // For a wrong output, the leniency would depend on how far the comparison happened to go.
            leniency: if accepted { self.differences.leniency } else { Leniency::default() },
            capture: self.capture,
        }
    }
}
