//! Converts a `Value` to the quantity that a key means, with units and ranges, or explains why that is impossible.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use thiserror::Error;

use super::Value;
use grader_model::limits::Bytes;
use grader_model::problem::{Checker, CheckerError};
use grader_model::suggest;
use grader_model::verdict::UnknownVerdict;

/// The result of reading a value.
pub type Read<T> = Result<T, Unfit>;

/// Why a key does not accept a value, worded to follow the name of the key.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Unfit {
    /// The value has another kind, or is out of range.
    #[error("expected {wanted}, found {found}")]
    Expected {
        /// The values that the key accepts.
        wanted: String,
        /// The value found.
        found: String,
    },
    /// The value describes no built-in comparison.
    #[error(transparent)]
    Checker(#[from] CheckerError),
    /// The value is not a verdict.
    #[error(transparent)]
    Verdict(#[from] UnknownVerdict),
    /// The value breaks a rule of this key alone.
    #[error("{0}")]
    Rule(String),
}

impl Unfit {
    /// Creates the error for an unexpected value.
    pub fn expected(wanted: impl Into<String>, found: impl Into<String>) -> Self {
        Self::Expected { wanted: wanted.into(), found: found.into() }
    }

    /// Creates the error for a value of the wrong kind.
    pub fn kind(wanted: impl Into<String>, value: &Value) -> Self {
        match value {
            // A number that is written like text, such as `0512`, is not seen without it.
            Value::Text(text) if text.len() <= SHOWN => Self::expected(wanted, format!("the string `{text}`")),
            other => Self::expected(wanted, other.kind()),
        }
    }

    /// Creates the error for a rule of one key.
    pub fn rule(broken: impl Into<String>) -> Self {
        Self::Rule(broken.into())
    }
}

/// The longest string that a message shows, in bytes.
const SHOWN: usize = 20;

/// Reads `true` or `false`.
pub fn flag(value: &Value) -> Read<bool> {
    match value {
        Value::Bool(flag) => Ok(*flag),
        other => Err(Unfit::kind("true or false", other)),
    }
}

/// Reads a string without NUL.
pub fn text(value: &Value) -> Read<String> {
    match value {
        Value::Text(text) if text.contains('\0') => Err(Unfit::rule("a NUL character is not allowed")),
        Value::Text(text) => Ok(text.clone()),
        other => Err(Unfit::kind("a string", other)),
    }
}

/// Reads a string or a list of strings.
pub fn texts(value: &Value) -> Read<Vec<String>> {
    match value {
        Value::List(items) => items.iter().map(|item| text(&item.value)).collect(),
        other => text(other).map(|text| vec![text]).map_err(|_| Unfit::kind("a string or a list of strings", other)),
    }
}

/// Reads the arguments of a program: a list of words, which may be numbers, or a string of words separated by white
/// space.
pub(crate) fn words(value: &Value) -> Read<Vec<String>> {
    let word = |value: &Value| match value {
        Value::Integer(number) => Ok(number.to_string()),
        Value::Float(number) => Ok(number.to_string()),
        Value::Bool(flag) => Ok(flag.to_string()),
        other => text(other),
    };
    match value {
        Value::List(items) => items.iter().map(|item| word(&item.value)).collect(),
        other => Ok(word(other)?.split_whitespace().map(str::to_owned).collect()),
    }
}

/// Reads a path that is not empty.
pub fn path(value: &Value) -> Read<PathBuf> {
    let text = text(value)?;
    if text.is_empty() { Err(Unfit::rule("a path cannot be empty")) } else { Ok(PathBuf::from(text)) }
}

/// Reads one path, or a list of at least one.
pub fn paths(value: &Value) -> Read<Vec<PathBuf>> {
    match value {
        Value::List(items) if items.is_empty() => Err(Unfit::rule("expected at least one path")),
        Value::List(items) => items.iter().map(|item| path(&item.value)).collect(),
        other => path(other).map(|path| vec![path]),
    }
}

/// Reads a whole number from `least` to a million.
fn whole(value: &Value, least: u32) -> Read<u32> {
    match value {
        Value::Integer(number) => u32::try_from(*number)
            .ok()
            .filter(|number| (least..=1_000_000).contains(number))
            .ok_or_else(|| Unfit::expected(format!("a whole number from {least} to 1000000"), number.to_string())),
        other => Err(Unfit::kind("a whole number", other)),
    }
}

/// Reads a whole number from 1.
pub fn count(value: &Value) -> Read<u32> {
    whole(value, 1)
}

/// Reads a whole number from 0.
pub fn count_or_zero(value: &Value) -> Read<u32> {
    whole(value, 0)
}

fn number(value: &Value) -> Read<f64> {
    match value {
        // Numbers in the accepted ranges need no more than 53 bits. Larger ones are refused by range.
        #[expect(clippy::cast_precision_loss, reason = "every range that is checked next is far below 2^53")]
        Value::Integer(number) => Ok(*number as f64),
        Value::Float(number) => Ok(*number),
        other => Err(Unfit::kind("a number", other)),
    }
}

fn ranged(value: &Value, least: f64, most: f64, what: &str) -> Read<f64> {
    let number = number(value)?;
    // Written so that NaN is refused.
    if number >= least && number <= most {
        Ok(number)
    } else {
        Err(Unfit::expected(format!("{what} from {least} to {most}"), number.to_string()))
    }
}

/// Reads seconds, from a millisecond to a million seconds.
pub fn seconds(value: &Value) -> Read<Duration> {
    ranged(value, 0.001, 1_000_000.0, "seconds").map(Duration::from_secs_f64)
}

/// Reads a finite number, from -10^12 to 10^12.
pub(crate) fn finite(value: &Value) -> Read<f64> {
    ranged(value, -1e12, 1e12, "a number")
}

/// Reads points, which must not be negative.
pub(crate) fn points(value: &Value) -> Read<f64> {
    ranged(value, 0.0, 1e9, "points")
}

/// Reads a table of weights: `{ sum = 2, graph = 0.5 }`.
pub fn weights(value: &Value) -> Read<BTreeMap<String, f64>> {
    let Value::Table(entries) = value else { return Err(Unfit::kind("a table such as { sum = 2 }", value)) };
    entries.iter().map(|entry| Ok((entry.key.clone(), ranged(&entry.value, 0.0, 1e6, "a weight")?))).collect()
}

/// Reads a table of texts: `{ "mean.py" = "stats" }`.
pub fn names(value: &Value) -> Read<BTreeMap<String, String>> {
    let Value::Table(entries) = value else {
        return Err(Unfit::kind("a table such as { \"mean.py\" = \"stats\" }", value));
    };
    entries.iter().map(|entry| Ok((entry.key.clone(), text(&entry.value)?))).collect()
}

/// Reads a factor for a time.
pub fn factor(value: &Value) -> Read<f64> {
    ranged(value, 0.001, 1000.0, "a factor")
}

/// Reads a share from a tenth to all.
pub fn share(value: &Value) -> Read<f64> {
    ranged(value, 0.1, 1.0, "a share")
}

/// Reads a factor of at least 1.
pub fn factor_from_one(value: &Value) -> Read<f64> {
    ranged(value, 1.0, 1000.0, "a factor")
}

/// Reads whole MiB, up to 16 PiB.
pub fn mebibytes(value: &Value) -> Read<Bytes> {
    match value {
        Value::Integer(mebi) if (1..=1 << 34).contains(mebi) => Ok(Bytes::mib(mebi.unsigned_abs())),
        Value::Integer(mebi) => Err(Unfit::expected("a number of MiB from 1", mebi.to_string())),
        other => Err(Unfit::kind("a whole number of MiB", other)),
    }
}

/// Reads a built-in comparison: a string of words, or a list of words.
pub fn checker(value: &Value) -> Read<Checker> {
    Ok(words(value)?.join(" ").parse()?)
}

/// Reads flags of the default output validator: a string of words, or a list of words.
pub fn validator_flags(value: &Value) -> Read<Checker> {
    Ok(Checker::from_flags(&words(value)?.join(" "))?)
}

/// Reads one of a few words.
pub fn word<T: Copy>(value: &Value, words: &[(&str, T)]) -> Read<T> {
    let text = text(value)?;
    let found = words.iter().find(|(word, _)| *word == text).map(|(_, meaning)| *meaning);
    found.ok_or_else(|| {
        let known: Vec<String> = words.iter().map(|(word, _)| format!("`{word}`")).collect();
        let hint = suggest::hint(&text, words.iter().map(|(word, _)| *word));
        Unfit::expected(known.join(" or "), format!("`{text}`{hint}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_have_a_range() {
        for (value, millis) in [
            (Value::Integer(2), Some(2000)),
            (Value::Float(0.25), Some(250)),
            (Value::Integer(1_000_000), Some(1_000_000_000)),
        ] {
            assert_eq!(seconds(&value).ok().map(|time| time.as_millis()), millis, "{value:?}");
        }
        for value in [
            Value::Integer(0),
            Value::Integer(-1),
            Value::Float(f64::NAN),
            Value::Float(f64::INFINITY),
            Value::Float(1e300),
            Value::Integer(i64::MAX),
            Value::Text("2".into()),
            Value::Bool(true),
        ] {
            assert!(seconds(&value).is_err(), "{value:?}");
        }
    }

    #[test]
    fn sizes_cannot_overflow() {
        assert_eq!(mebibytes(&Value::Integer(256)), Ok(Bytes::mib(256)));
        assert_eq!(mebibytes(&Value::Integer(1 << 34)).map(|bytes| bytes.0), Ok(1 << 54));
        for bad in [0, -1, i64::MIN, i64::MAX, (1 << 34) + 1] {
            assert!(mebibytes(&Value::Integer(bad)).is_err(), "{bad}");
        }
        assert!(mebibytes(&Value::Float(0.5)).is_err());
    }

    #[test]
    fn messages_name_what_was_found() {
        let text_value = |text: &str| Value::Text(text.to_owned());
        let words = [("auto", 1), ("always", 2)];
        for (refused, says) in [
            (count(&Value::Integer(0)).unwrap_err(), "expected a whole number from 1 to 1000000, found 0"),
            (flag(&text_value("yes")).unwrap_err(), "expected true or false, found the string `yes`"),
            (text(&text_value("a\0b")).unwrap_err(), "a NUL character is not allowed"),
            (word(&text_value("never"), &words).unwrap_err(), "expected `auto` or `always`, found `never`"),
        ] {
            assert_eq!(refused.to_string(), says);
        }
    }
}
