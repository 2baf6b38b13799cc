//! `uncmp`, which compares without order and so keeps all numbers.

use super::files::{FaultReason, Files, mismatched};
use super::formats::LONG;
use super::{Mismatch, Stop};

/// The most numbers that are kept of each file: 128 MiB.
const MOST: usize = 1 << 24;

/// `uncmp`.
pub(super) async fn integers(files: &mut Files<'_>) -> Result<(), Stop> {
    let mut answer = Vec::new();
    while !files.answer_ended().await? {
        answer.push(files.expected(LONG).await?);
        if answer.len() > MOST {
            return Err(files.fault_of(FaultReason::TooManyNumbers(MOST)));
        }
    }
    let mut output = Vec::new();
    let mut count = 0;
    while !files.output_ended().await? {
        let number = files.found(LONG).await?;
        count += 1;
        // Of a longer output, the length is enough.
        if output.len() < answer.len() {
            output.push(number);
        }
    }
    if count != answer.len() as u64 {
        return Err(mismatched(Mismatch::Count { output: count, answer: answer.len() as u64 }));
    }
    answer.sort_unstable();
    output.sort_unstable();
    first_difference(&output, &answer).map_or(Ok(()), |difference| Err(mismatched(difference)))
}

/// The smallest number that two sorted sequences do not have equally often.
fn first_difference(output: &[i64], answer: &[i64]) -> Option<Mismatch> {
    let (a, b) = output.iter().zip(answer).find(|(a, b)| a != b)?;
    let value = *a.min(b);
    let times = |numbers: &[i64]| {
        let from = numbers.partition_point(|number| *number < value);
        (numbers.partition_point(|number| *number <= value) - from) as u64
    };
    Some(Mismatch::Number { value, output: times(output), answer: times(answer) })
}
