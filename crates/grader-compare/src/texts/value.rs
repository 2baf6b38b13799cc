//! Compares the result of a function with the expected one, both as JSON.

use grader_model::problem::ValueTolerance;

use super::super::json::{Json, Unreadable};
use super::super::place::Cursor;
use super::super::standard::{FaultReason, Mismatch, OutputFeed, Stop, fault_at, mismatched};

/// The most bytes of an answer, and of an output.
pub(super) const MOST: usize = 1 << 20;

pub(super) async fn compare(tolerance: ValueTolerance, answer: &[u8], printed: &OutputFeed) -> Result<(), Stop> {
    let expected =
        parse(answer).map_err(|reason| fault_at(FaultReason::Value(reason.to_string()), Cursor::new().place()))?;
    let mut output = Vec::new();
    let mut block = Vec::new();
    while printed.take(&mut block).await {
        output.extend_from_slice(&block);
        if output.len() > MOST {
            return Err(wrong(format!("a value of more than {} MiB", MOST >> 20)));
        }
    }
    if output.trim_ascii().is_empty() {
        return Err(wrong("the program ended before the function returned".to_owned()));
    }
    let actual = parse(&output).map_err(|reason| wrong(format!("the returned value is not {reason}")))?;
    // Beginners print a value in place of returning it.
    let is_nothing = actual == Json::Null;
    let remark = if is_nothing { " (the function returned nothing; printing a value does not return it)" } else { "" };
    expected.difference(&actual, tolerance).map_or(Ok(()), |reason| Err(wrong(reason + remark)))
}

/// The reason why a text is not a value.
#[derive(Debug, thiserror::Error)]
enum NotAValue {
    #[error("UTF-8")]
    Utf8(#[from] std::str::Utf8Error),
    #[error("JSON: {0}")]
    Json(#[from] Unreadable),
}

fn parse(text: &[u8]) -> Result<Json, NotAValue> {
    Ok(Json::parse(str::from_utf8(text)?)?)
}

fn wrong(reason: String) -> Stop {
    mismatched(Mismatch::Value { reason })
}
