//! The forms of values: how testlib reads integers and numbers, and how it compares numbers.

use std::fmt;

use grader_model::problem::StandardChecker;

/// The form that a checker expects at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Any token.
    Token,
    /// An integer of 32 or 64 bits, without leading zeros and without a plus sign.
    Integer {
        /// 32 or 64.
        bits: u8,
    },
    /// An integer of any length, without leading zeros and without a plus sign.
    HugeInteger,
    /// A decimal number, possibly with an exponent.
    Number,
    /// `YES` or `NO`, in any case.
    YesOrNo,
    /// The word `Case`.
    Case,
    /// The number of a case and a colon: `3:`.
    CaseNumber(u64),
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Token => f.write_str("a token"),
            Self::Integer { bits } => write!(f, "an integer of {bits} bits"),
            Self::HugeInteger => f.write_str("an integer"),
            Self::Number => f.write_str("a number"),
            Self::YesOrNo => f.write_str("`YES` or `NO`"),
            Self::Case => f.write_str("`Case`"),
            Self::CaseNumber(number) => write!(f, "`{number}:`"),
        }
    }
}

/// A form with the function that reads it.
pub(super) struct Format<T> {
    pub(super) form: Form,
    pub(super) read: fn(&[u8]) -> Option<T>,
}

// Deriving these would demand them of `T` too.
impl<T> Copy for Format<T> {}
impl<T> Clone for Format<T> {
    fn clone(&self) -> Self {
        *self
    }
}

pub(super) const TOKEN: Format<()> = Format { form: Form::Token, read: |_| Some(()) };
pub(super) const INT: Format<i64> = Format { form: Form::Integer { bits: 32 }, read: int };
pub(super) const LONG: Format<i64> = Format { form: Form::Integer { bits: 64 }, read: long };
pub(super) const NUMBER: Format<f64> = Format { form: Form::Number, read: number };

/// Reads an integer of 32 bits (`readInteger`).
fn int(token: &[u8]) -> Option<i64> {
    long(token).filter(|value| i32::try_from(*value).is_ok())
}

/// Reads an integer of 64 bits (`stringToLongLong`): the one way to write it, without `+`, leading zeros and `-0`.
pub(super) fn long(token: &[u8]) -> Option<i64> {
    if !is_huge_integer(token) {
        return None;
    }
    str::from_utf8(token).ok()?.parse().ok()
}

/// Whether a token is an integer of any length (`hcmp`).
pub(super) fn is_huge_integer(token: &[u8]) -> bool {
    match token.strip_prefix(b"-").unwrap_or(token) {
        [b'0'] => token.len() == 1,
        [b'1'..=b'9', rest @ ..] => rest.iter().all(u8::is_ascii_digit),
        _ => false,
    }
}

/// Reads a number (`stringToDouble`): digits with an optional point, sign and exponent. glibc, which testlib asks, also
/// accepts an exponent without digits. A number beyond the range is infinite.
pub(super) fn number(token: &[u8]) -> Option<f64> {
    let unsigned = token.strip_prefix(b"-").or_else(|| token.strip_prefix(b"+")).unwrap_or(token);
    let mark = unsigned.iter().position(|byte| matches!(byte, b'e' | b'E')).unwrap_or(unsigned.len());
    let (significand, exponent) = unsigned.split_at(mark);
    let mut points = 0;
    let is_digit = |byte: &u8| byte.is_ascii_digit() || (*byte == b'.' && std::mem::replace(&mut points, 1) == 0);
    if !significand.iter().any(u8::is_ascii_digit) || !significand.iter().all(is_digit) {
        return None;
    }
    let digits = exponent.get(1..).unwrap_or_default();
    let digits = digits.strip_prefix(b"-").or_else(|| digits.strip_prefix(b"+")).unwrap_or(digits);
    if !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let end = if digits.is_empty() { token.len() - exponent.len() } else { token.len() };
    str::from_utf8(&token[..end]).ok()?.parse().ok()
}

/// Reads `yes` or `no` in any case; true for `yes`.
pub(super) fn yes_or_no(token: &[u8]) -> Option<bool> {
    let is = |word: &str| token.eq_ignore_ascii_case(word.as_bytes());
    if is("YES") { Some(true) } else { is("NO").then_some(false) }
}

/// Whether a number of the answer and one of the output are close enough.
#[derive(Debug, Clone, Copy)]
pub(super) struct Closeness {
    bound: f64,
    is_relative_too: bool,
}

/// The closeness that a checker demands.
pub(super) fn closeness(checker: StandardChecker) -> Closeness {
    // testlib adds this to every tolerance.
    const SLACK: f64 = 1e-15;
    // A checker without a tolerance compares no numbers.
    let tolerance = checker.tolerance();
    let (epsilon, is_relative_too) = tolerance.map_or((0.0, false), |own| (own.epsilon, own.is_relative_too));
    Closeness { bound: epsilon + SLACK, is_relative_too }
}

impl Closeness {
    /// In `f64`, as the originals compute it.
    pub(super) fn permits(self, expected: f64, found: f64) -> bool {
        if self.is_relative_too {
            return self.permits_relative(expected, found);
        }
        let error = (expected - found).abs();
        // The originals reject what exceeds the bound, and the difference of infinite numbers does not.
        error.is_nan() || error <= self.bound
    }

    /// `doubleCompare`.
    fn permits_relative(self, expected: f64, found: f64) -> bool {
        let is_infinite = |value: f64| value.abs() > 1e300;
        if is_infinite(expected) {
            return is_infinite(found) && (expected > 0.0) == (found > 0.0);
        }
        if is_infinite(found) {
            return false;
        }
        if (found - expected).abs() <= self.bound {
            return true;
        }
        let ends = [expected * (1.0 - self.bound), expected * (1.0 + self.bound)];
        found >= ends[0].min(ends[1]) && found <= ends[0].max(ends[1])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_have_one_spelling() {
        for (token, value) in [
            ("0", Some(0)),
            ("-1", Some(-1)),
            ("9223372036854775807", Some(i64::MAX)),
            ("-9223372036854775808", Some(i64::MIN)),
            ("9223372036854775808", None),
            ("-9223372036854775809", None),
            ("99999999999999999999", None),
            ("-0", None),
            ("00", None),
            ("07", None),
            ("+7", None),
            ("-", None),
            ("--1", None),
            ("1.0", None),
            ("1e5", None),
            ("1\0", None),
            ("", None),
        ] {
            assert_eq!(long(token.as_bytes()), value, "{token}");
        }
        assert_eq!((int(b"2147483647"), int(b"2147483648")), (Some(2_147_483_647), None));
        assert_eq!((int(b"-2147483648"), int(b"-2147483649")), (Some(-2_147_483_648), None));
    }

    #[test]
    fn numbers_are_those_of_testlib() {
        for (token, value) in [
            ("1e5", Some(1e5)),
            ("1E+5", Some(1e5)),
            ("1e", Some(1.0)),
            ("1e-", Some(1.0)),
            (".5", Some(0.5)),
            ("-5.", Some(-5.0)),
            ("+5", Some(5.0)),
            ("007", Some(7.0)),
            ("1e999", Some(f64::INFINITY)),
            ("1e-999", Some(0.0)),
            ("inf", None),
            ("nan", None),
            ("0x10", None),
            (".", None),
            ("e5", None),
            (".e5", None),
            ("1.2.3", None),
            ("1e5e5", None),
            ("1e5.0", None),
            ("--1", None),
            ("1+", None),
            ("1,5", None),
            ("1\0", None),
            ("", None),
        ] {
            assert_eq!(number(token.as_bytes()), value, "{token}");
        }
    }
}
