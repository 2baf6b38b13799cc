//! Reads numbers as the package format defines them, computes their errors, and detects integer overflow.
//!
//! Package format 2025-09, "General requirements": `[+-]? (d*.d+ | d+. | d+) ([eE][+-]?d+)?`. This excludes `inf`,
//! `nan` and hexadecimal numbers. Values are the nearest `f64`, for any number of digits. As in Kattis'
//! `default_validator`, a value beyond the range of `f64` is not a number. `f64` decides whether a difference is within a
//! tolerance if it can. Where its rounding could change the answer, integers of any length decide.

use num_bigint::BigInt;

/// The value of a token, if it is a number.
pub(super) fn parse(token: &[u8]) -> Option<f64> {
    let decimal = Decimal::read(token)?;
    // The grammar admits ASCII only, and `f64` reads all of it with correct rounding.
    let value = decimal.exact().or_else(|| str::from_utf8(token).ok()?.parse().ok())?;
    value.is_finite().then_some(value)
}

/// The value of a token that C's `scanf` with `%lf` reads as a number to its end: decimal and hexadecimal numbers,
/// infinities and NaN (C17 7.21.6.2, 7.22.1.3). None for a decimal number beyond the range of `f64`.
pub(super) fn scan(token: &[u8]) -> Option<f64> {
    let (negative, size) = split_sign(token);
    let is = |words: &[&str]| words.iter().any(|word| size.eq_ignore_ascii_case(word.as_bytes()));
    let size = match size {
        [b'0', b'x' | b'X', digits @ ..] => scan_hexadecimal(digits)?,
        _ if is(&["inf", "infinity"]) => f64::INFINITY,
        _ if is(&["nan"]) => f64::NAN,
        _ => return parse(token),
    };
    Some(if negative { -size } else { size })
}

/// The value of a token as glibc's `sscanf` with `%lf` reads it, which accepts an exponent without digits (`1e`, `1e+`).
/// Both default validators read tokens in this way. They take them from C strings, which end at a NUL ([`c_string`]).
pub(super) fn scan_as_glibc(token: &[u8]) -> Option<f64> {
    let unsigned = token.strip_suffix(b"+").or_else(|| token.strip_suffix(b"-")).unwrap_or(token);
    let is_hexadecimal = matches!(split_sign(token).1, [b'0', b'x' | b'X', ..]);
    let mark = if is_hexadecimal { b'p' } else { b'e' };
    match unsigned.split_last() {
        Some((last, number)) if last.eq_ignore_ascii_case(&mark) => {
            let has_exponent = number.iter().any(|byte| byte.eq_ignore_ascii_case(&mark));
            scan(number).filter(|value| value.is_finite() && !has_exponent)
        }
        _ => scan(token),
    }
}

/// The bytes before the first NUL.
pub(super) fn c_string(token: &[u8]) -> &[u8] {
    token.split(|byte| *byte == 0).next().unwrap_or(token)
}

/// Reads hexadecimal digits with an optional point, and an optional binary exponent in decimal.
fn scan_hexadecimal(text: &[u8]) -> Option<f64> {
    let mark = text.iter().position(|byte| matches!(byte, b'p' | b'P'));
    let (digits, exponent) = match mark {
        Some(mark) => (&text[..mark], read_exponent(&text[mark + 1..])?),
        None => (text, 0),
    };
    let mut significand = 0_u64;
    let mut power = exponent;
    let mut after_point = false;
    let mut any = false;
    for byte in digits {
        if *byte == b'.' && !after_point {
            after_point = true;
            continue;
        }
        let digit = u64::from(char::from(*byte).to_digit(16)?);
        any = true;
        if significand >> 60 == 0 {
            significand = significand << 4 | digit;
            power -= if after_point { 4 } else { 0 };
        } else {
            // The last bit stands for all omitted digits. It matters only for rounding a value exactly half way.
            significand |= u64::from(digit != 0);
            power += if after_point { 0 } else { 4 };
        }
    }
    #[expect(clippy::cast_precision_loss, reason = "rounded to the nearest, as the number is")]
    let significand = significand as f64;
    any.then(|| scale(significand, power))
}

/// `number` × 2^`power`.
fn scale(mut number: f64, power: i64) -> f64 {
    const STEP: i64 = 1000;
    // Beyond this range the result is zero or infinite anyway.
    let mut power = power.clamp(-4 * STEP, 4 * STEP);
    while power != 0 {
        let step = power.clamp(-STEP, STEP);
        number *= f64::powi(2.0, i32::try_from(step).unwrap_or_default());
        power -= step;
    }
    number
}

/// A decimal number: its digits as an integer, times a power of ten.
struct Decimal {
    negative: bool,
    /// Not valid if there are more than 19 digits.
    integer: u64,
    digits: usize,
    power: i64,
}

impl Decimal {
    /// Reads a whole token by the grammar above.
    fn read(token: &[u8]) -> Option<Self> {
        let (negative, token) = split_sign(token);
        let (integer, after) = read_digits(0, token);
        let whole = token.len() - after.len();
        let (integer, fraction, after) = match after.split_first() {
            Some((b'.', fraction)) => {
                let (integer, after) = read_digits(integer, fraction);
                (integer, fraction.len() - after.len(), after)
            }
            _ => (integer, 0, after),
        };
        let digits = whole + fraction;
        let exponent = match after.split_first() {
            None => Some(0),
            Some((b'e' | b'E', exponent)) => read_exponent(exponent),
            Some(_) => None,
        };
        let power = exponent?.saturating_sub_unsigned(fraction as u64);
        (digits > 0).then_some(Self { negative, integer, digits, power })
    }

    /// The value, if a single operation on two exact numbers gives it. That operation rounds correctly.
    fn exact(&self) -> Option<f64> {
        const POWERS: [f64; 23] = [
            1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
            1e19, 1e20, 1e21, 1e22,
        ];
        let power = POWERS.get(usize::try_from(self.power.unsigned_abs()).ok()?)?;
        if self.digits > 19 || self.integer > 1 << f64::MANTISSA_DIGITS {
            return None;
        }
        #[expect(clippy::cast_precision_loss, reason = "at most 2^53")]
        let integer = self.integer as f64;
        let size = if self.power < 0 { integer / power } else { integer * power };
        Some(if self.negative { -size } else { size })
    }
}

fn split_sign(token: &[u8]) -> (bool, &[u8]) {
    match token.split_first() {
        Some((sign @ (b'+' | b'-'), rest)) => (*sign == b'-', rest),
        _ => (false, token),
    }
}

/// Appends the leading digits of `text` to `integer`. Returns the rest of `text` too.
fn read_digits(mut integer: u64, mut text: &[u8]) -> (u64, &[u8]) {
    while let Some((byte @ b'0'..=b'9', rest)) = text.split_first() {
        integer = integer.wrapping_mul(10).wrapping_add(u64::from(byte - b'0'));
        text = rest;
    }
    (integer, text)
}

fn read_exponent(text: &[u8]) -> Option<i64> {
    let (negative, digits) = split_sign(text);
    if digits.is_empty() {
        return None;
    }
    let size = digits.iter().try_fold(0_i64, |size, byte| {
        byte.is_ascii_digit().then(|| (size * 10 + i64::from(byte - b'0')).min(EXPONENT_MAX))
    })?;
    Some(if negative { -size } else { size })
}

/// Larger than any exponent that matters, and small enough that sums do not overflow.
const EXPONENT_MAX: i64 = 1 << 40;

/// Whether a token is written as an integer.
pub(super) fn is_integer(token: &[u8]) -> bool {
    let digits = token.strip_prefix(b"-").or_else(|| token.strip_prefix(b"+")).unwrap_or(token);
    !digits.is_empty() && digits.iter().all(u8::is_ascii_digit)
}

/// The permitted differences from an answer. One that holds is enough.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tolerances {
    pub(super) relative: Option<f64>,
    pub(super) absolute: Option<f64>,
}

impl Tolerances {
    /// The same kinds of tolerance, each of this size.
    pub(super) fn with(self, epsilon: f64) -> Self {
        Self { relative: self.relative.map(|_| epsilon), absolute: self.absolute.map(|_| epsilon) }
    }

    /// The smallest ε with which these kinds of tolerance accept `value` against `answer`; infinite or NaN if none does.
    pub(super) fn needed(self, value: f64, answer: f64) -> f64 {
        let error = (value - answer).abs();
        let mut relative = error / answer.abs();
        // The quotient is rounded, but the product must satisfy the tolerance.
        while relative.is_finite() && error > relative * answer.abs() {
            relative = relative.next_up();
        }
        // 0 / 0 is NaN, which `min` ignores.
        match (self.absolute, self.relative) {
            (Some(_), None) => error,
            (None, Some(_)) => relative,
            _ => error.min(relative),
        }
    }

    /// Whether two finite numbers differ by a permitted amount, in `f64`.
    pub(super) fn permit_rounded(self, value: f64, answer: f64) -> bool {
        let error = (value - answer).abs();
        self.bounds(answer).into_iter().flatten().any(|bound| error <= bound)
    }

    /// Whether two numbers differ by a permitted amount. `value` and `answer` are the nearest `f64`; `exact` has the
    /// numbers themselves, none if a token is not decimal.
    pub(super) fn permit(self, value: f64, answer: f64, exact: impl FnOnce() -> Option<[Exact; 2]>) -> bool {
        let bounds = self.bounds(answer);
        let sure = bounds.map(|bound| bound.map_or(Some(false), |bound| surely(value, answer, bound)));
        if sure.contains(&Some(true)) {
            return true;
        }
        if sure == [Some(false); 2] {
            return false;
        }
        exact().map_or_else(|| self.permit_rounded(value, answer), |numbers| self.permit_exactly(&numbers))
    }

    /// The permitted differences: absolute, and relative to this answer.
    fn bounds(self, answer: f64) -> [Option<f64>; 2] {
        [self.absolute, self.relative.map(|epsilon| epsilon * answer.abs())]
    }

    fn permit_exactly(self, [value, answer]: &[Exact; 2]) -> bool {
        let error = value.minus(answer);
        let at_most = |bound: ScaledInteger| ScaledInteger::is_at_most(&error, &bound);
        // A tolerance is the number as written: 0.1, not the nearest `f64`.
        let written = |epsilon: f64| WrittenNumber::Whole(format!("{epsilon:e}").as_bytes()).measured();
        self.absolute.and_then(written).is_some_and(|epsilon| at_most(epsilon.scaled()))
            || self.relative.and_then(written).is_some_and(|epsilon| at_most(epsilon.scaled().times(&answer.scaled())))
    }
}

/// Whether the numbers with these nearest `f64` differ by at most `bound`; none if rounding could change that.
fn surely(value: f64, answer: f64, bound: f64) -> Option<bool> {
    // Each number is rounded by at most half a unit in its last place, the difference and the bound a few times.
    let error = (value - answer).abs();
    let slack = 0.51 * f64::EPSILON * (value.abs() + answer.abs()) + f64::MIN_POSITIVE;
    if !error.is_finite() {
        None
    } else if (error + slack) * (1.0 + 4.0 * f64::EPSILON) <= bound {
        Some(true)
    } else if error - slack > bound * (1.0 + 4.0 * f64::EPSILON) {
        Some(false)
    } else {
        None
    }
}

/// The difference of two numbers, rounded once.
pub(super) fn exact_error([value, answer]: &[Exact; 2]) -> Option<f64> {
    let ScaledInteger { integer, power } = value.minus(answer);
    format!("{}e{power}", integer.magnitude()).parse().ok()
}

/// `integer` × 10^`power`.
struct ScaledInteger {
    integer: BigInt,
    power: i64,
}

impl ScaledInteger {
    /// Its integer at a power that is not larger.
    fn at(&self, power: i64) -> BigInt {
        let zeros = u32::try_from(self.power - power).unwrap_or_default();
        &self.integer * BigInt::from(10).pow(zeros)
    }

    fn times(&self, other: &Self) -> Self {
        Self { integer: &self.integer * &other.integer, power: self.power + other.power }
    }

    /// Compares sizes without signs.
    fn is_at_most(&self, other: &Self) -> bool {
        let power = self.power.min(other.power);
        self.at(power).magnitude() <= other.at(power).magnitude()
    }
}

/// Whether two tokens are exactly the same number, written differently. Nothing is rounded, for integers and decimals
/// of any length. False if a token is not a number, or has more digits than are kept.
pub(super) fn same_value(a: WrittenNumber<'_>, b: WrittenNumber<'_>) -> bool {
    a.exact().is_some_and(|a| b.exact() == Some(a))
}

/// A token that may be a number.
#[derive(Debug, Clone, Copy)]
pub(super) enum WrittenNumber<'a> {
    /// The whole token.
    Whole(&'a [u8]),
    /// The reader of a token that is too long to keep.
    Long(&'a NumberReader),
}

impl WrittenNumber<'_> {
    fn exact(self) -> Option<Exact> {
        self.read(NumberReader::exact)
    }

    /// The number, for differences; none if the token is not a decimal number. A number with more digits than are kept
    /// ends with a mark, and of numbers beyond all tolerances only the sign is kept, so its size is bounded.
    pub(super) fn measured(self) -> Option<Exact> {
        self.read(NumberReader::measured)
    }

    fn read(self, read: impl FnOnce(&NumberReader) -> Option<Exact>) -> Option<Exact> {
        match self {
            Self::Long(reader) => read(reader),
            Self::Whole(token) => {
                let mut reader = NumberReader::new();
                reader.feed(token);
                read(&reader)
            }
        }
    }
}

/// A number without rounding: ±0.digits × 10^power. Neither the first nor the last digit is 0; zero has no digits.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Exact {
    negative: bool,
    digits: Vec<u8>,
    power: i64,
}

impl Exact {
    fn new(negative: bool, mut digits: Vec<u8>, power: i64) -> Self {
        let kept = digits.iter().rposition(|digit| *digit != b'0').map_or(0, |last| last + 1);
        digits.truncate(kept);
        if kept == 0 { Self { negative: false, digits, power: 0 } } else { Self { negative, digits, power } }
    }

    fn scaled(&self) -> ScaledInteger {
        let size = BigInt::parse_bytes(&self.digits, 10).unwrap_or_default();
        let integer = if self.negative { -size } else { size };
        ScaledInteger { integer, power: self.power.saturating_sub_unsigned(self.digits.len() as u64) }
    }

    fn minus(&self, other: &Self) -> ScaledInteger {
        let one = self.scaled();
        let other = other.scaled();
        let power = one.power.min(other.power);
        ScaledInteger { integer: one.at(power) - other.at(power), power }
    }
}

/// The width in bits (32 or 64) of a signed or unsigned machine integer whose overflow would turn `answer` into
/// `value`.
pub(super) fn overflow(value: &[u8], answer: &[u8]) -> Option<u8> {
    if !is_integer(value) || !is_integer(answer) {
        return None;
    }
    let shown: i128 = str::from_utf8(value).ok()?.parse().ok()?;
    let same = str::from_utf8(answer).ok()?.parse() == Ok(shown);
    let fits = |bits: u32| shown >= -(1_i128 << (bits - 1)) && shown < 1_i128 << bits;
    let apart = shown.rem_euclid(1 << 64) ^ i128::from(modulo(answer));
    if same {
        None
    } else if fits(32) && apart.trailing_zeros() >= 32 {
        Some(32)
    } else if fits(64) && apart == 0 {
        Some(64)
    } else {
        None
    }
}

/// An integer of any length modulo 2^64.
fn modulo(integer: &[u8]) -> u64 {
    let digits = integer.iter().filter(|byte| byte.is_ascii_digit());
    let size = digits.fold(0_u64, |sum, byte| sum.wrapping_mul(10).wrapping_add(u64::from(byte - b'0')));
    if integer.first() == Some(&b'-') { size.wrapping_neg() } else { size }
}

/// Reads a number that arrives in pieces, in constant memory. The number may have a hundred million digits.
#[derive(Debug, Clone)]
pub(super) struct NumberReader {
    part: Part,
    negative: bool,
    /// The first significant digits, in ASCII.
    digits: Vec<u8>,
    /// Whether a digit other than 0 was dropped.
    inexact: bool,
    /// The value is 0.digits × 10^(point + exponent).
    point: i64,
    exponent: i64,
    exponent_negative: bool,
}

/// The part of the grammar that the last byte belonged to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Start,
    Sign,
    Integer,
    /// The point, without a digit before it.
    BarePoint,
    Fraction,
    ExponentMark,
    ExponentSign,
    Exponent,
    Bad,
}

impl NumberReader {
    /// At most 767 digits decide how a decimal rounds. Of the digits after those, it only matters whether all are zero.
    const DIGITS_KEPT: usize = 800;

    pub(super) fn new() -> Self {
        Self {
            part: Part::Start,
            negative: false,
            digits: Vec::new(),
            inexact: false,
            point: 0,
            exponent: 0,
            exponent_negative: false,
        }
    }

    /// Reads the next bytes of the token.
    pub(super) fn feed(&mut self, bytes: &[u8]) {
        for byte in bytes {
            if self.part == Part::Bad {
                return;
            }
            self.part = self.step(*byte);
        }
    }

    fn step(&mut self, byte: u8) -> Part {
        match (self.part, byte) {
            (Part::Start, b'+' | b'-') => {
                self.negative = byte == b'-';
                Part::Sign
            }
            (Part::Start | Part::Sign | Part::Integer, b'0'..=b'9') => {
                self.significant(byte, true);
                Part::Integer
            }
            (Part::Start | Part::Sign, b'.') => Part::BarePoint,
            (Part::Integer, b'.') => Part::Fraction,
            (Part::BarePoint | Part::Fraction, b'0'..=b'9') => {
                self.significant(byte, false);
                Part::Fraction
            }
            (Part::Integer | Part::Fraction, b'e' | b'E') => Part::ExponentMark,
            (Part::ExponentMark, b'+' | b'-') => {
                self.exponent_negative = byte == b'-';
                Part::ExponentSign
            }
            (Part::ExponentMark | Part::ExponentSign | Part::Exponent, b'0'..=b'9') => {
                let digit = i64::from(byte - b'0');
                self.exponent = (self.exponent * 10 + digit).min(EXPONENT_MAX);
                Part::Exponent
            }
            _ => Part::Bad,
        }
    }

    fn significant(&mut self, digit: u8, before_point: bool) {
        let leading_zero = digit == b'0' && self.digits.is_empty();
        if before_point && !leading_zero {
            self.point += 1;
        } else if !before_point && leading_zero {
            self.point -= 1;
        }
        if leading_zero {
        } else if self.digits.len() < Self::DIGITS_KEPT {
            self.digits.push(digit);
        } else {
            self.inexact |= digit != b'0';
        }
    }

    #[cfg(test)]
    pub(super) fn footprint(&self) -> usize {
        self.digits.capacity()
    }

    /// Whether the bytes read so far form an integer.
    pub(super) fn is_integer(&self) -> bool {
        self.part == Part::Integer
    }

    fn is_number(&self) -> bool {
        matches!(self.part, Part::Integer | Part::Fraction | Part::Exponent)
    }

    /// The number without rounding, if the bytes form a number and all of its digits were kept.
    fn exact(&self) -> Option<Exact> {
        // An exponent that reached the cap is not known exactly.
        if !self.is_number() || self.inexact || self.exponent == EXPONENT_MAX {
            return None;
        }
        Some(Exact::new(self.negative, self.digits.clone(), self.power()))
    }

    fn measured(&self) -> Option<Exact> {
        /// Below the smallest `f64` times itself, with all digits.
        const SMALLEST: i64 = -2000;
        if !self.is_number() {
            return None;
        }
        let mut digits = self.digits.clone();
        digits.extend(self.inexact.then_some(b'1'));
        if self.power() < SMALLEST && !digits.is_empty() {
            digits = vec![b'1'];
        }
        Some(Exact::new(self.negative, digits, self.power().max(SMALLEST)))
    }

    /// The value is 0.digits × 10^power.
    fn power(&self) -> i64 {
        self.point + if self.exponent_negative { -self.exponent } else { self.exponent }
    }

    /// The value, if the bytes form a number.
    pub(super) fn value(&self) -> Option<f64> {
        if !self.is_number() {
            return None;
        }
        let sign = if self.negative { "-" } else { "" };
        let digits = str::from_utf8(&self.digits).ok()?;
        let sticky = if self.inexact { "1" } else { "" };
        let exponent = self.power();
        parse(format!("{sign}0.{digits}{sticky}0e{exponent}").as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn in_pieces(token: &[u8], size: usize) -> Option<f64> {
        let mut reader = NumberReader::new();
        token.chunks(size.max(1)).for_each(|piece| reader.feed(piece));
        reader.value()
    }

    #[test]
    fn the_grammar_is_that_of_the_format() {
        for (token, value) in [
            ("0", 0.0),
            ("-0", -0.0),
            ("+7", 7.0),
            (".5", 0.5),
            ("-.5", -0.5),
            ("5.", 5.0),
            ("5.e1", 50.0),
            ("1e5", 1e5),
            ("1E+5", 1e5),
            ("12.25e-2", 0.1225),
            ("0e99999999999999999999", 0.0),
            ("1e-99999999999999999999", 0.0),
            ("0.1", 0.1),
            (
                "123456789012345678901234567890.123456789012345678901234567890",
                123_456_789_012_345_680_000_000_000_000.0,
            ),
        ] {
            assert_eq!(parse(token.as_bytes()), Some(value), "{token}");
            assert_eq!(in_pieces(token.as_bytes(), 1), Some(value), "{token} in pieces");
        }
        for token in [
            "", ".", "+", "-", "-.", "e5", ".e5", "1e", "1e+", "1e5.", "1.5.", "--1", "1-", "0x10", "inf", "-inf",
            "nan", "NaN", "infinity", "1_000", "1,5", "1\0", "١", "1e999", "-1e999", "1f", "1 ",
        ] {
            assert_eq!(parse(token.as_bytes()), None, "{token}");
            assert_eq!(in_pieces(token.as_bytes(), 1), None, "{token} in pieces");
        }
    }

    #[test]
    fn numbers_are_scanned_as_in_c() {
        for (token, value) in [
            ("1.5", 1.5),
            ("0x10", 16.0),
            ("-0X1.8p3", -12.0),
            ("0x.8", 0.5),
            ("0x1p-1", 0.5),
            ("0x123456789abcdef01", 20_988_295_479_420_645_000.0),
            ("inf", f64::INFINITY),
            ("-Infinity", f64::NEG_INFINITY),
        ] {
            assert_eq!(scan(token.as_bytes()), Some(value), "{token}");
        }
        assert!(scan(b"nan").is_some_and(f64::is_nan) && scan(b"-NaN").is_some_and(f64::is_nan));
        for token in ["0x", "0x.", "0x1p", "0xg", "0x1.1.1", "infinit", "nan(1)", "1e999", "--1", "x10", ""] {
            assert_eq!(scan(token.as_bytes()), None, "{token}");
        }
    }

    #[test]
    fn glibc_reads_an_exponent_without_digits() {
        // As `sscanf(token, "%lf%10s", …)` of glibc 2.36 answers.
        for (token, value) in
            [("1e", 1.0), ("1e+", 1.0), ("1E-", 1.0), ("1.e", 1.0), ("0x1p", 1.0), ("0x1p+", 1.0), ("+.5e", 0.5)]
        {
            assert_eq!(scan_as_glibc(token.as_bytes()), Some(value), "{token}");
        }
        for token in ["0x", "-0x", ".e", "e", "1e5e", "1_", "1p3", "0xg", "infe", "+", "1++", ""] {
            assert_eq!(scan_as_glibc(token.as_bytes()), None, "{token}");
        }
        assert_eq!((c_string(b"2\0x"), c_string(b"2"), c_string(b"\0")), (&b"2"[..], &b"2"[..], &b""[..]));
    }

    #[test]
    fn differences_are_exact() {
        let permit = |value: &str, answer: &str, epsilon| {
            super::super::within_tolerance(value.as_bytes(), answer.as_bytes(), 0.0, epsilon)
        };
        let zeros = "0".repeat(900);
        for (value, answer, epsilon, is_within) in [
            ("1234567890123456788", "1234567890123456789", 0.0, false),
            ("1234567890123456788", "1234567890123456789", 1.0, true),
            ("1234567890123456788", "1234567890123456789", 0.999, false),
            ("1.3", "1", 0.3, true),
            ("1.1", "1", 0.1, true),
            ("-1e-99999999", "1e-99999999", 0.0, false),
            ("1e-99999999999999999", "0", 1e-300, true),
            ("1e308", "-1e308", 1.0, false),
            ("1e308", "-1e308", 1.7e308, false),
            (&format!("1.{zeros}1"), "1", 0.0, false),
            (&format!("1.{zeros}"), "1", 0.0, true),
            ("1e", "1", 1.0, false),
        ] {
            assert_eq!(permit(value, answer, epsilon), is_within, "{value} {answer} {epsilon}");
        }
    }

    #[test]
    fn long_numbers_round_correctly() {
        // A value half way between 1 and the next `f64`, with a deciding digit far to the right.
        let half = "1.00000000000000011102230246251565404236316680908203125";
        let zeros = "0".repeat(5000);
        let token = |end: &str| format!("{zeros}{half}{zeros}{end}");
        for (token, value) in [
            (token(""), 1.0),
            (token("0"), 1.0),
            (token("1"), 1.0_f64.next_up()),
            (format!("0.{zeros}25e5002"), 25.0),
            (format!("25{zeros}e-5000"), 25.0),
            (format!("{}.5", "9".repeat(300)), 1e300),
        ] {
            assert_eq!(parse(token.as_bytes()), Some(value));
            for size in [1, 7, 4096] {
                assert_eq!(in_pieces(token.as_bytes(), size), Some(value), "in pieces of {size}");
            }
        }
    }

    #[test]
    fn overflown_integers_are_recognised() {
        for (value, answer, bits) in [
            ("-1", "4294967295", Some(32)),
            ("1410065408", "10000000000", Some(32)),
            ("4294967295", "-1", Some(32)),
            ("-2147483648", "2147483648", Some(32)),
            ("7766279631452241920", "100000000000000000000", Some(64)),
            ("-8446744073709551616", "10000000000000000000", Some(64)),
            ("18446744073709551615", "-1", Some(64)),
            ("7", "007", None),
            ("8", "7", None),
            ("4294967297", "1", None),
            ("-1", "4294967295.0", None),
            ("", "1", None),
        ] {
            assert_eq!(overflow(value.as_bytes(), answer.as_bytes()), bits, "{value} for {answer}");
        }
    }

    #[test]
    fn the_needed_tolerance_suffices() {
        for (value, answer) in [(1.1, 1.0), (0.3, 0.1), (1e-9, 0.0), (0.0, 0.0), (3.0, 7e11), (1e300, -1e300)] {
            let error: f64 = value - answer;
            let both = Tolerances { relative: Some(0.0), absolute: Some(0.0) };
            let tolerance = both.needed(value, answer);
            assert!(
                error.abs() <= tolerance || error.abs() <= tolerance * answer.abs(),
                "{value} {answer} {tolerance}"
            );
        }
    }
}
