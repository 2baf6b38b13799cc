//! Compares the JSON value that a function returned with the expected one.
//!
//! Numbers keep their text until they are compared, so that large integers are compared exactly.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::value::RawValue;

use grader_model::problem::ValueTolerance;

use super::within_tolerance;

/// The deepest nesting that is compared.
const DEEPEST: usize = 256;
/// The most characters of a value in a message.
const SHOWN: usize = 80;

/// A text that cannot be compared.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unreadable {
    /// It is not JSON; the reason.
    #[error("{0}")]
    Syntax(String),
    /// It is nested too deeply.
    #[error("nested more than {DEEPEST} levels deep")]
    TooDeep,
}

/// A value of JSON (RFC 8259). Of a name that an object has twice, the last counts.
#[derive(Debug, Clone, PartialEq)]
pub enum Json {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// The text of a number.
    Number(String),
    /// A string.
    Text(String),
    /// A list.
    List(Vec<Json>),
    /// An object.
    Object(BTreeMap<String, Json>),
}

impl Json {
    /// Reads one value.
    ///
    /// # Errors
    /// The text is not JSON, or is nested too deeply.
    pub fn parse(text: &str) -> Result<Self, Unreadable> {
        let whole: &RawValue = serde_json::from_str(text).map_err(|error| Unreadable::Syntax(error.to_string()))?;
        Self::read(whole, DEEPEST)
    }

    fn read(raw: &RawValue, depth: usize) -> Result<Self, Unreadable> {
        let text = raw.get();
        let depth = depth.checked_sub(1).ok_or(Unreadable::TooDeep)?;
        let syntax = |error: serde_json::Error| Unreadable::Syntax(error.to_string());
        Ok(match text.as_bytes().first() {
            Some(b'n') => Self::Null,
            Some(b't') => Self::Bool(true),
            Some(b'f') => Self::Bool(false),
            Some(b'"') => Self::Text(serde_json::from_str(text).map_err(syntax)?),
            Some(b'[') => {
                let items: Vec<&RawValue> = serde_json::from_str(text).map_err(syntax)?;
                Self::List(items.into_iter().map(|item| Self::read(item, depth)).collect::<Result<_, _>>()?)
            }
            Some(b'{') => {
                let entries: BTreeMap<String, &RawValue> = serde_json::from_str(text).map_err(syntax)?;
                let entries = entries.into_iter().map(|(name, item)| Ok((name, Self::read(item, depth)?)));
                Self::Object(entries.collect::<Result<_, _>>()?)
            }
            _ => Self::Number(text.to_owned()),
        })
    }

    /// Returns how `actual` differs from this expected value, in words; none if they are equal. A returned boolean is
    /// the number 1 or 0, as in Python; an expected one also equals that integer, but no float. Names of objects have any order.
    pub(super) fn difference(&self, actual: &Self, tolerance: ValueTolerance) -> Option<String> {
        let mut place = String::new();
        let words = self.differs(actual, tolerance, &mut place)?;
        Some(if place.is_empty() { words } else { format!("at {place}: {words}") })
    }

    fn differs(&self, actual: &Self, tolerance: ValueTolerance, place: &mut String) -> Option<String> {
        match (self, actual) {
            (Self::List(expected), Self::List(actual)) => {
                let begin = place.len();
                for (at, (expected, actual)) in expected.iter().zip(actual).enumerate() {
                    let _ = write!(place, "[{at}]");
                    if let Some(words) = expected.differs(actual, tolerance, place) {
                        return Some(words);
                    }
                    place.truncate(begin);
                }
                let want = expected.len();
                let got = actual.len();
                (want != got).then(|| format!("expected a list of length {want}, got length {got}"))
            }
            (Self::Object(expected), Self::Object(actual)) => {
                let begin = place.len();
                for (name, expected) in expected {
                    let _ = write!(place, ".{name}");
                    let Some(actual) = actual.get(name) else {
                        return Some(format!("expected {expected}, got nothing"));
                    };
                    if let Some(words) = expected.differs(actual, tolerance, place) {
                        return Some(words);
                    }
                    place.truncate(begin);
                }
                let more = actual.keys().find(|name| !expected.contains_key(*name))?;
                Some(format!("`{more}` is not expected"))
            }
            _ if self.equals(actual, tolerance) => None,
            _ => Some(format!("expected {self}, got {actual}")),
        }
    }

    fn equals(&self, actual: &Self, tolerance: ValueTolerance) -> bool {
        match (self, self.number(), actual.number()) {
            (Self::Bool(_), Some(expected), Some(actual)) => is_integer(actual) && equal_numbers(expected, actual),
            (_, Some(expected), Some(actual)) => {
                let ValueTolerance { relative, absolute, integers } = tolerance;
                let may_differ = integers || !is_integer(expected);
                equal_numbers(expected, actual)
                    || (may_differ && within_tolerance(actual.as_bytes(), expected.as_bytes(), relative, absolute))
            }
            _ => self == actual,
        }
    }

    /// The text of a number, or of the number that a boolean is in Python.
    fn number(&self) -> Option<&str> {
        match self {
            Self::Number(text) => Some(text),
            Self::Bool(true) => Some("1"),
            Self::Bool(false) => Some("0"),
            _ => None,
        }
    }
}

impl std::fmt::Display for Json {
    /// Writes the value, shortened.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let text = match self {
            Self::Null => "null".to_owned(),
            Self::Bool(value) => value.to_string(),
            Self::Number(text) => text.clone(),
            Self::Text(text) => format!("{text:?}"),
            Self::List(items) => format!("a list of length {}", items.len()),
            Self::Object(entries) => format!("an object with {} names", entries.len()),
        };
        match text.char_indices().nth(SHOWN) {
            Some((end, _)) => write!(f, "{}…", &text[..end]),
            None => f.write_str(&text),
        }
    }
}

fn is_integer(number: &str) -> bool {
    number.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-')
}

/// Whether two numbers are equal as in Python: integers have any length, and all others are floats. A float beyond the
/// range of `f64` equals nothing.
fn equal_numbers(expected: &str, actual: &str) -> bool {
    let digits = |number: &str| -> Option<String> {
        let digits = if is_integer(number) { number.to_owned() } else { format!("{:.0}", whole(number)?) };
        Some(if digits == "-0" { "0".to_owned() } else { digits })
    };
    match (digits(expected), digits(actual)) {
        (Some(expected), Some(actual)) => expected == actual,
        (None, None) => float(expected).is_some_and(|expected| float(actual) == Some(expected)),
        _ => false,
    }
}

fn float(number: &str) -> Option<f64> {
    number.parse::<f64>().ok().filter(|value| value.is_finite())
}

/// A float that is an integer.
fn whole(number: &str) -> Option<f64> {
    float(number).filter(|value| value.fract() == 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compare(expected: &str, actual: &str) -> Option<String> {
        let tolerance = ValueTolerance::default();
        Json::parse(expected).unwrap().difference(&Json::parse(actual).unwrap(), tolerance)
    }

    #[test]
    fn equal_values_have_no_difference() {
        for (expected, actual) in [
            ("[1, 2]", " [1,2]\n"),
            ("{\"a\": 1, \"b\": [null]}", "{\"b\":[null],\"a\":1}"),
            ("0.1", "0.10000000000000002"),
            ("1", "1.0"),
            ("true", "1"),
            ("0", "-0"),
            ("\"\\u00e4\"", "\"ä\""),
            ("123456789012345678901234567890", "123456789012345678901234567890"),
            ("1e3", "1000"),
            ("10000000000000000000000", "1e22"),
            ("1e22", "10000000000000000000000"),
            ("1", "true"),
            ("0.5", "0.5000001"),
            ("1.0", "1"),
            ("2.5e-7", "0"),
        ] {
            assert_eq!(compare(expected, actual), None, "{expected} {actual}");
        }
    }

    #[test]
    fn the_first_difference_is_told_with_its_place() {
        for (expected, actual, told) in [
            ("5", "6", "expected 5, got 6"),
            ("[[1, 2], [3]]", "[[1, 2], [4]]", "at [1][0]: expected 3, got 4"),
            ("[1]", "[1, 2]", "expected a list of length 1, got length 2"),
            ("{\"a\": {\"b\": \"x\"}}", "{\"a\": {\"b\": \"y\"}}", "at .a.b: expected \"x\", got \"y\""),
            ("{\"a\": 1}", "{}", "at .a: expected 1, got nothing"),
            ("{}", "{\"a\": 1}", "`a` is not expected"),
            ("null", "0", "expected null, got 0"),
            ("\"1\"", "1", "expected \"1\", got 1"),
            ("[]", "{}", "expected a list of length 0, got an object with 0 names"),
            ("true", "2", "expected true, got 2"),
            // Equal as `f64`.
            ("9007199254740993", "9007199254740992", "expected 9007199254740993, got 9007199254740992"),
            ("1", "1.1", "expected 1, got 1.1"),
            ("1e400", "1e400", "expected 1e400, got 1e400"),
            ("1.5", "1e400", "expected 1.5, got 1e400"),
            ("1000000", "1000000.5", "expected 1000000, got 1000000.5"),
            ("[1000000]", "[1000000.0000001]", "at [0]: expected 1000000, got 1000000.0000001"),
            ("true", "0.9999999", "expected true, got 0.9999999"),
            ("true", "1.0", "expected true, got 1.0"),
            // The float is 99999999999999991611392.
            ("100000000000000000000000", "1e23", "expected 100000000000000000000000, got 1e23"),
            ("0.5", "\"0.5\"", "expected 0.5, got \"0.5\""),
        ] {
            assert_eq!(compare(expected, actual).as_deref(), Some(told), "{expected} {actual}");
        }
    }

    #[test]
    fn a_stated_tolerance_applies_to_integers() {
        let compare = |expected: &str, actual: &str, epsilon| {
            let tolerance = ValueTolerance { relative: epsilon, absolute: epsilon, integers: true };
            Json::parse(expected).unwrap().difference(&Json::parse(actual).unwrap(), tolerance).is_none()
        };
        let huge = format!("1{}", "0".repeat(400));
        for (expected, actual, epsilon, is_equal) in [
            ("1000000", "1000000.5", 1e-6, true),
            ("5", "6", 1.0, true),
            ("5", "6", 1e-6, false),
            ("true", "0.9999999", 1e-6, false),
            ("1234567890123456789", "1234567890123456788", 0.0, false),
            ("1", "1.3", 0.3, true),
            (&huge, &huge, 0.0, true),
        ] {
            assert_eq!(compare(expected, actual, epsilon), is_equal, "{expected} {actual} {epsilon}");
        }
    }

    #[test]
    fn what_is_no_json_or_too_deep_is_refused() {
        for text in ["", "NaN", "1 2", "[1", "Infinity", "'a'", "\"\n\""] {
            assert!(matches!(Json::parse(text), Err(Unreadable::Syntax(_))), "{text}");
        }
        let deep = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert!(Json::parse(&deep(200)).is_ok());
        assert!(Json::parse(&deep(100_000)).is_err());
    }
}
