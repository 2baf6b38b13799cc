//! Decides whether two tokens are equal, by the rules of the default output validator. Pure, token by token.
//!
//! Source: package format 2025-09, "Comparing floating-point tokens" and "Comparing string tokens". Errors are computed
//! in `f64`, as in Kattis' `default_validator`, so that the edges of tolerances are the same as on Kattis.

use crate::difference::DifferenceKind;
use crate::problem::{Checker, TokenOptions};
use crate::ruleset::Numbers;

use super::number::{self, NumberReader, Written};

/// The leniency that would accept one difference.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Need {
    Case,
    Space,
    Tolerance(f64),
    Hopeless,
}

/// The settings of the checker. `Exact` is the strictest comparison of tokens: if tokens and white space are equal byte
/// for byte, so are the files.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rules {
    pub(super) case_sensitive: bool,
    pub(super) space_sensitive: bool,
    relative: Option<f64>,
    absolute: Option<f64>,
    numbers: Numbers,
}

/// A whole token, possibly represented by its first bytes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Token<'a> {
    /// The token, or its first bytes.
    text: &'a [u8],
    /// The reader of a token longer than `text`.
    long: Option<&'a NumberReader>,
}

/// The result of comparing two tokens or two runs of white space.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Match {
    /// Equal byte for byte.
    Same,
    /// Equal except for the case of letters, which does not matter.
    Folded,
    /// Numbers within the tolerance.
    Close,
    /// Different white space, which does not matter. The flag says whether the tokens are on other lines because of it.
    Spaced(bool),
    /// Different, with the leniency that would accept it.
    Wrong(DifferenceKind, Need),
}

impl Rules {
    pub(super) fn of(checker: Checker) -> Self {
        let options = match checker {
            Checker::Tokens(options) => options,
            Checker::Exact => {
                TokenOptions { case_sensitive: true, space_change_sensitive: true, ..TokenOptions::default() }
            }
        };
        Self {
            case_sensitive: options.case_sensitive,
            space_sensitive: options.space_change_sensitive,
            relative: options.float_relative,
            absolute: options.float_absolute,
            numbers: options.numbers,
        }
    }

    /// Whether tokens may be compared as numbers.
    pub(super) fn numeric(&self) -> bool {
        self.relative.is_some() || self.absolute.is_some()
    }

    /// Compares tokens that differ in some byte. `folded`: whether they are equal except for case.
    pub(super) fn compare(&self, output: Token<'_>, answer: Token<'_>, folded: bool) -> Match {
        if self.numeric()
            && let Some(expected) = self.number(answer)
        {
            return self.compare_numbers(output, answer, expected);
        }
        if folded {
            let wrong = Match::Wrong(DifferenceKind::Case, Need::Case);
            return if self.case_sensitive { wrong } else { Match::Folded };
        }
        let bits = overflow(output, answer);
        let kind = bits.map_or(DifferenceKind::Token, |bits| DifferenceKind::Overflow { bits });
        Match::Wrong(kind, self.tolerance_needed(output, answer))
    }

    /// The value of a token, if it is a number.
    fn number(&self, token: Token<'_>) -> Option<f64> {
        match (self.numbers, token.long) {
            (_, Some(reader)) => reader.value(),
            (Numbers::Decimal, None) => number::parse(token.text),
            (Numbers::Scanned, None) => number::scan(token.text).filter(|value| value.is_finite()),
            (Numbers::ScannedWithInfinities, None) => number::scan(token.text),
        }
    }

    /// Judges different white space. `lines`: whether the tokens are on other lines because of it.
    pub(super) fn compare_space(&self, lines: bool) -> Match {
        if self.space_sensitive { Match::Wrong(DifferenceKind::WhiteSpace, Need::Space) } else { Match::Spaced(lines) }
    }

    fn compare_numbers(&self, output: Token<'_>, answer: Token<'_>, expected: f64) -> Match {
        let Some(actual) = self.number(output) else {
            return Match::Wrong(DifferenceKind::NotANumber, Need::Hopeless);
        };
        if !(expected.is_finite() && actual.is_finite()) {
            // No tolerance accepts these, since `inf - inf` is NaN.
            let same = (expected.is_nan() && actual.is_nan()) || expected.total_cmp(&actual).is_eq();
            return if same { Match::Close } else { Match::Wrong(DifferenceKind::Token, Need::Hopeless) };
        }
        let error = (actual - expected).abs();
        let within = self.absolute.is_some_and(|epsilon| error <= epsilon)
            || self.relative.is_some_and(|epsilon| error <= epsilon * expected.abs());
        if within {
            return Match::Close;
        }
        let kind = overflow(output, answer).map_or_else(
            || DifferenceKind::Number {
                absolute: error.min(f64::MAX),
                relative: (expected != 0.0).then(|| (error / expected.abs()).min(f64::MAX)),
            },
            |bits| DifferenceKind::Overflow { bits },
        );
        Match::Wrong(kind, self.tolerance_needed(output, answer))
    }

    /// Returns the tolerance that would accept two numbers. Returns `Hopeless` for different integers, and for large
    /// tolerances. Returns 0 only for exactly the same number, without rounding: different integers of 19 digits may be
    /// the same `f64`.
    fn tolerance_needed(&self, output: Token<'_>, answer: Token<'_>) -> Need {
        const SENSIBLE: f64 = 1e-2;
        let (Some(actual), Some(expected)) = (self.number(output), self.number(answer)) else { return Need::Hopeless };
        let whole = output.is_integer() && answer.is_integer();
        let epsilon = number::needed_tolerance(actual, expected);
        if epsilon == 0.0 && number::same_value(output.written(), answer.written()) {
            return Need::Tolerance(0.0);
        }
        // Numbers that differ by less than `f64` can distinguish still need some tolerance.
        let epsilon = if epsilon == 0.0 { f64::EPSILON } else { epsilon };
        if epsilon <= SENSIBLE && !whole { Need::Tolerance(epsilon) } else { Need::Hopeless }
    }
}

impl<'a> Token<'a> {
    /// Creates a token from all of its bytes.
    pub(super) fn whole(text: &'a [u8]) -> Self {
        Self { text, long: None }
    }

    /// Creates a token that begins with `head` and was read by `reader`.
    pub(super) fn long(head: &'a [u8], reader: &'a NumberReader) -> Self {
        Self { text: head, long: Some(reader) }
    }

    fn written(self) -> Written<'a> {
        self.long.map_or(Written::Whole(self.text), Written::Long)
    }

    fn is_integer(self) -> bool {
        self.long.map_or_else(|| number::is_integer(self.text), NumberReader::is_integer)
    }
}

fn overflow(output: Token<'_>, answer: Token<'_>) -> Option<u8> {
    let whole = output.long.is_none() && answer.long.is_none();
    if whole { number::overflow(output.text, answer.text) } else { None }
}
