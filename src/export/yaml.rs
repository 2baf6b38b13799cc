//! Values that YAML documents of the package formats have in a short and a long form.

use serde::Serialize;

use crate::package::document::Value;

/// One word, or a list of words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub(crate) enum Words {
    One(&'static str),
    Many(Vec<&'static str>),
}

impl From<Vec<&'static str>> for Words {
    fn from(words: Vec<&'static str>) -> Self {
        if let [one] = words[..] { Self::One(one) } else { Self::Many(words) }
    }
}

impl Default for Words {
    fn default() -> Self {
        Self::One("")
    }
}

/// A number that is written without a point if it is whole: keys for points take only whole numbers.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(untagged)]
pub(super) enum Number {
    Whole(i64),
    Other(f64),
}

impl Number {
    /// The number as a value of a document.
    pub(super) fn value(self) -> Value {
        match self {
            Self::Whole(number) => Value::Integer(number),
            Self::Other(number) => Value::Float(number),
        }
    }
}

impl From<f64> for Number {
    fn from(number: f64) -> Self {
        #[expect(clippy::cast_possible_truncation, reason = "whole and small, so it fits")]
        if number.fract() == 0.0 && number.abs() < 9e15 { Self::Whole(number as i64) } else { Self::Other(number) }
    }
}
