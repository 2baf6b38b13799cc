//! Compares what a function returned with what it should return, both as JSON.

use grader_model::problem::ValueTolerance;

use super::super::json::Json;
use super::super::place::Cursor;
use super::super::standard::{FaultReason, Mismatch, Printed, Stop, fault_at, mismatched};

/// The most bytes of an answer, and of an output.
pub(super) const MOST: usize = 1 << 20;

pub(super) async fn compare(tolerance: ValueTolerance, answer: &[u8], printed: &Printed) -> Result<(), Stop> {
    let expected = parse(answer).map_err(|reason| fault_at(FaultReason::Value(reason), Cursor::new().place()))?;
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
    expected.difference(&actual, tolerance).map_or(Ok(()), |reason| Err(wrong(reason)))
}

fn parse(text: &[u8]) -> Result<Json, String> {
    let text = str::from_utf8(text).map_err(|_| "UTF-8".to_owned())?;
    Json::parse(text).map_err(|error| format!("JSON: {error}"))
}

fn wrong(reason: String) -> Stop {
    mismatched(Mismatch::Value { reason })
}
