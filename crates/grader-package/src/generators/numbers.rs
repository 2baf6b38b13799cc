//! Numbers cases: those in a list, and those of a `count`.

use std::collections::BTreeSet;

use thiserror::Error;

use crate::document::{ListItem, Value};

/// Assigns numbers to the items of a list.
pub(super) struct Numbers {
    pub(super) next: usize,
    width: usize,
}

impl Numbers {
    pub(super) fn new(count: usize) -> Self {
        Self { next: 1, width: count.to_string().len() }
    }

    pub(super) fn name(&mut self, key: &str) -> String {
        let number = format!("{:0width$}", self.next, width = self.width);
        self.next += 1;
        if key.is_empty() { number } else { format!("{number}-{key}") }
    }
}

/// The value of a key, if `value` is a table that has it.
pub(super) fn entry<'a>(value: &'a Value, key: &str) -> Option<&'a Value> {
    let Value::Table(entries) = value else { return None };
    entries.iter().find(|entry| entry.key == key).map(|entry| &entry.value)
}

/// The most cases that one `count` makes.
const MOST: usize = 100;

/// Why a `count` is invalid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub(super) enum CountError {
    /// It has the wrong form, too many numbers, or none.
    #[error("`count` must be a number from 1 to {MOST}, a list of numbers, or a range such as `1..=5`")]
    Malformed,
    /// Two cases would have the same name.
    #[error("`count`: a number appears twice")]
    Twice,
}

/// The indices of `count`; only 1 if there is no `count`.
pub(super) fn counts(value: &Value) -> Result<Vec<i64>, CountError> {
    let counts: Vec<i64> = match entry(value, "count") {
        None | Some(Value::Null) => vec![1],
        Some(Value::Integer(count)) => (1..=*count).take(MOST + 1).collect(),
        Some(Value::List(items)) => {
            let number = |item: &ListItem| if let Value::Integer(number) = item.value { Some(number) } else { None };
            items.iter().map(number).collect::<Option<_>>().ok_or(CountError::Malformed)?
        }
        Some(Value::Text(range)) => {
            let (low, high) = range.split_once("..=").ok_or(CountError::Malformed)?;
            let end = |text: &str| text.parse::<i64>().map_err(|_| CountError::Malformed);
            (end(low)?..=end(high)?).take(MOST + 1).collect()
        }
        Some(_) => return Err(CountError::Malformed),
    };
    let distinct: BTreeSet<i64> = counts.iter().copied().collect();
    if counts.is_empty() || counts.len() > MOST {
        return Err(CountError::Malformed);
    }
    if distinct.len() < counts.len() {
        return Err(CountError::Twice);
    }
    Ok(counts)
}

/// The endings `-1`, `-2`, … of the names of counted cases. They are padded if the numbers are consecutive.
pub(super) fn endings(counts: &[i64]) -> Vec<String> {
    let low = counts.iter().min().copied().unwrap_or(1);
    let high = counts.iter().max().copied().unwrap_or(1);
    let consecutive = usize::try_from(high.abs_diff(low)).is_ok_and(|span| span == counts.len() - 1);
    let width = counts.iter().map(|count| count.to_string().len()).max().filter(|_| consecutive).unwrap_or(0);
    counts.iter().map(|count| format!("-{count:0width$}")).collect()
}
