//! Decides whether two tokens are equal, by the rules of the default output validator. Pure, token by token.
//!
//! Source: package format 2025-09, "Comparing floating-point tokens" and "Comparing string tokens". By the rules of
//! the format, differences are exact. By Kattis' rules they are computed in `f64`, as in its `default_validator`.
//! `DOMjudge` computes in 80 bits: decimal numbers are exact here too, which is nearer to that than `f64`.

use grader_model::difference::DifferenceKind;
use grader_model::problem::TokenOptions;
use grader_model::ruleset::Numbers;

use super::number::{self, Exact, NumberReader, Tolerances, WrittenNumber};

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
    line_sensitive: bool,
    tolerances: Tolerances,
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

/// Where white space is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SpacePlace {
    /// Before the first token.
    Start,
    /// Between two tokens.
    Between,
    /// After the last token.
    End,
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
    /// Byte for byte.
    pub(super) const EXACT: Self = Self {
        case_sensitive: true,
        space_sensitive: true,
        line_sensitive: false,
        tolerances: Tolerances { relative: None, absolute: None },
        numbers: Numbers::Decimal,
    };

    pub(super) fn of_tokens(options: TokenOptions) -> Self {
        Self {
            case_sensitive: options.case_sensitive,
            space_sensitive: options.space_change_sensitive,
            line_sensitive: options.line_sensitive,
            tolerances: Tolerances { relative: options.float_relative, absolute: options.float_absolute },
            numbers: options.numbers,
        }
    }

    /// Whether tokens may be compared as numbers.
    pub(super) fn numeric(&self) -> bool {
        self.tolerances.relative.is_some() || self.tolerances.absolute.is_some()
    }

    /// Compares tokens that differ in some byte. `folded`: whether they are equal except for case.
    pub(super) fn compare(&self, output: Token<'_>, answer: Token<'_>, folded: bool) -> Match {
        let whole = (output, answer, folded);
        let (output, answer, folded) = self.as_read(output, answer, folded);
        if self.numeric()
            && let Some(expected) = self.number(answer)
        {
            return self.compare_numbers(output, answer, expected);
        }
        // `DOMjudge` reads numbers as C strings, and compares words whole.
        let (output, answer, folded) =
            if self.numbers == Numbers::ScannedWithInfinities { whole } else { (output, answer, folded) };
        // Equal up to a NUL.
        if folded && output.long.is_none() && answer.long.is_none() && output.text == answer.text {
            return Match::Same;
        }
        if folded {
            let wrong = Match::Wrong(DifferenceKind::Case, Need::Case);
            return if self.case_sensitive { wrong } else { Match::Folded };
        }
        let bits = overflow(output, answer);
        let kind = bits.map_or(DifferenceKind::Token, |bits| DifferenceKind::Overflow { bits });
        Match::Wrong(kind, self.tolerance_needed(output, answer))
    }

    /// The tokens as the judge reads them. The default validators of Kattis and `DOMjudge` compare C strings.
    fn as_read<'a>(&self, output: Token<'a>, answer: Token<'a>, folded: bool) -> (Token<'a>, Token<'a>, bool) {
        if self.numbers == Numbers::Decimal || !(output.has_nul() || answer.has_nul()) {
            return (output, answer, folded);
        }
        let output = output.c_string();
        let answer = answer.c_string();
        let is_whole = output.long.is_none() && answer.long.is_none();
        (output, answer, is_whole && output.text.eq_ignore_ascii_case(answer.text))
    }

    /// The value of a token, if it is a number.
    fn number(&self, token: Token<'_>) -> Option<f64> {
        match (self.numbers, token.long) {
            (_, Some(reader)) => reader.value(),
            (Numbers::Decimal, None) => number::parse(token.text),
            (Numbers::Scanned, None) => number::scan_as_glibc(token.text).filter(|value| value.is_finite()),
            (Numbers::ScannedWithInfinities, None) => number::scan_as_glibc(token.text),
        }
    }

    /// Judges different white space at a place. `lines`: the line feeds in that of the output and of the answer.
    pub(super) fn compare_space(&self, place: SpacePlace, lines: [u64; 2]) -> Match {
        let breaks_line = self.line_sensitive && place == SpacePlace::Between && (lines[0] == 0) != (lines[1] == 0);
        if self.space_sensitive || breaks_line {
            return Match::Wrong(DifferenceKind::WhiteSpace, Need::Space);
        }
        // The number of empty lines at the end does not matter.
        Match::Spaced(lines[0] != lines[1] && place != SpacePlace::End)
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
        if self.permits(self.tolerances, (output, actual), (answer, expected)) {
            return Match::Close;
        }
        // The whole difference may be lost in rounding.
        let error = match (actual - expected).abs() {
            0.0 => exact(output, answer).as_ref().and_then(number::exact_error).unwrap_or_default(),
            error => error,
        };
        let kind = overflow(output, answer).map_or_else(
            || DifferenceKind::Number {
                absolute: error.min(f64::MAX),
                relative: (expected != 0.0).then(|| (error / expected.abs()).min(f64::MAX)),
            },
            |bits| DifferenceKind::Overflow { bits },
        );
        Match::Wrong(kind, self.tolerance_needed(output, answer))
    }

    fn permits(&self, tolerances: Tolerances, output: (Token<'_>, f64), answer: (Token<'_>, f64)) -> bool {
        match self.numbers {
            Numbers::Scanned => tolerances.permit_rounded(output.1, answer.1),
            Numbers::Decimal | Numbers::ScannedWithInfinities => {
                tolerances.permit(output.1, answer.1, || exact(output.0, answer.0))
            }
        }
    }

    /// Returns the tolerance that would accept two numbers. Returns `Hopeless` for different integers, and for large
    /// tolerances. Returns 0 only for exactly the same number, without rounding: different integers of 19 digits may be
    /// the same `f64`.
    fn tolerance_needed(&self, output: Token<'_>, answer: Token<'_>) -> Need {
        const SENSIBLE: f64 = 1e-2;
        let (Some(actual), Some(expected)) = (self.number(output), self.number(answer)) else { return Need::Hopeless };
        let whole = output.is_integer() && answer.is_integer();
        // The explanation must suffice in the place where the problem states a tolerance; without one, in both.
        let both = Tolerances { relative: Some(f64::INFINITY), absolute: Some(f64::INFINITY) };
        let stated = if self.numeric() { self.tolerances } else { both };
        let epsilon = stated.needed(actual, expected);
        if epsilon == 0.0 && number::same_value(output.written(), answer.written()) {
            return Need::Tolerance(0.0);
        }
        // Numbers that differ by less than `f64` can distinguish still need some tolerance.
        let mut epsilon = if epsilon == 0.0 { f64::EPSILON } else { epsilon };
        let suffices = |epsilon| self.permits(stated.with(epsilon), (output, actual), (answer, expected));
        if !suffices(epsilon) {
            // Numbers with few digits have a difference with few digits, which `f64` only misses.
            epsilon = format!("{epsilon:.9e}").parse().map_or(epsilon, |short: f64| short.max(epsilon));
        }
        let mut growth = f64::EPSILON;
        while epsilon <= SENSIBLE && !suffices(epsilon) {
            epsilon *= 1.0 + growth;
            growth *= 2.0;
        }
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

    fn has_nul(self) -> bool {
        self.text.contains(&0)
    }

    /// The token up to its first NUL, as far as its bytes are kept.
    fn c_string(self) -> Self {
        if self.has_nul() { Self::whole(number::c_string(self.text)) } else { self }
    }

    fn written(self) -> WrittenNumber<'a> {
        self.long.map_or(WrittenNumber::Whole(self.text), WrittenNumber::Long)
    }

    fn is_integer(self) -> bool {
        self.long.map_or_else(|| number::is_integer(self.text), NumberReader::is_integer)
    }
}

/// Both numbers without rounding, if they are decimal.
fn exact(output: Token<'_>, answer: Token<'_>) -> Option<[Exact; 2]> {
    Some([output.written().measured()?, answer.written().measured()?])
}

fn overflow(output: Token<'_>, answer: Token<'_>) -> Option<u8> {
    let whole = output.long.is_none() && answer.long.is_none();
    if whole { number::overflow(output.text, answer.text) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_read_as_the_code_of_each_judge_does() {
        let compare = |numbers, output: &[u8], answer: &[u8]| {
            let options = TokenOptions { float_relative: Some(0.0), numbers, ..TokenOptions::default() };
            let outcome = Rules::of_tokens(options).compare(Token::whole(output), Token::whole(answer), false);
            !matches!(outcome, Match::Wrong(..))
        };
        for (output, answer, accepted) in [
            (&b"1e"[..], &b"1.0"[..], [false, true, true]),
            (b"2\0x", b"2.0", [false, true, true]),
            (b"2\0x", b"3", [false; 3]),
            (b"yes\0x", b"YES", [false, true, false]),
            (b"1234567890123456788", b"1234567890123456789", [false, true, false]),
            (b"0x10", b"16", [false, true, true]),
        ] {
            let judges = [Numbers::Decimal, Numbers::Scanned, Numbers::ScannedWithInfinities];
            let found = judges.map(|numbers| compare(numbers, output, answer));
            assert_eq!(found, accepted, "{:?}", String::from_utf8_lossy(output));
        }
    }
}
