//! The checkers that keep the answer, whose size is bounded: it is a part of the output (`contains`), a regular
//! expression (`regex`), has the lines of the output in another order (`unordered`), or is a value as JSON.
//!
//! As GitHub Classroom does, a search ignores white space at both ends of the answer and of the output, and a carriage
//! return before a line feed.

use std::io::Read;

use grader_model::difference::{Excerpt, Later, Position};
use grader_model::problem::ValueTolerance;

use super::place::Cursor;
use super::standard::{FaultReason, StandardComparison, Stop, fault_at};

mod contains;
mod lines;
mod pattern;
#[cfg(test)]
mod tests;
mod value;

/// `contains`.
pub(super) fn contains<'a>(answer: impl Read + 'a) -> StandardComparison<'a> {
    StandardComparison::of(
        |printed| async move { contains::search(&Needle::read(answer, contains::MOST)?, &printed).await },
    )
}

/// `regex`.
pub(super) fn regex<'a>(answer: impl Read + 'a) -> StandardComparison<'a> {
    StandardComparison::of(
        |printed| async move { pattern::search(&Needle::read(answer, pattern::MOST)?, &printed).await },
    )
}

/// `unordered`.
pub(super) fn unordered<'a>(answer: impl Read + 'a) -> StandardComparison<'a> {
    StandardComparison::of(|printed| async move { lines::compare(&whole(answer, lines::MOST)?, &printed).await })
}

/// Values as JSON.
pub(super) fn value<'a>(tolerance: ValueTolerance, answer: impl Read + 'a) -> StandardComparison<'a> {
    StandardComparison::of(move |printed| async move {
        value::compare(tolerance, &whole(answer, value::MOST)?, &printed).await
    })
}

/// The byte order mark of UTF-8, which is not part of a text.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// The answer of a search, without white space at its ends.
struct Needle {
    /// Where it begins in the answer.
    at: Position,
    text: Vec<u8>,
}

impl Needle {
    fn read(answer: impl Read, most: usize) -> Result<Self, Stop> {
        let answer = whole(answer, most)?;
        let marked = answer.strip_prefix(MARK).unwrap_or(&answer);
        let before = answer.len() - marked.trim_ascii_start().len();
        let at = place_after(&Cursor::new(), &answer[..before]);
        let text = without_returns(marked.trim_ascii());
        if text.is_empty() { Err(fault_at(FaultReason::Blank, at)) } else { Ok(Self { at, text }) }
    }

    /// The place in the answer of an offset in the text.
    fn place(&self, offset: usize) -> Position {
        let inside = place_after(&Cursor::new(), &self.text[..offset]);
        let column = if inside.line == 1 { self.at.column - 1 + inside.column } else { inside.column };
        Position {
            line: self.at.line - 1 + inside.line,
            column,
            in_bytes: inside.in_bytes,
            offset: self.at.offset + inside.offset,
        }
    }
}

/// Reads an answer that is kept as a whole.
fn whole(answer: impl Read, most: usize) -> Result<Vec<u8>, Stop> {
    let mut bytes = Vec::new();
    answer.take(most as u64 + 1).read_to_end(&mut bytes).map_err(Stop::Unreadable)?;
    if bytes.len() > most {
        return Err(fault_at(FaultReason::TooLarge(most), place_after(&Cursor::new(), &bytes[..most])));
    }
    Ok(bytes)
}

/// The text with plain line feeds at the ends of lines.
fn without_returns(text: &[u8]) -> Vec<u8> {
    let is_kept = |at: usize| text[at] != b'\r' || text.get(at + 1) != Some(&b'\n');
    (0..text.len()).filter(|at| is_kept(*at)).map(|at| text[at]).collect()
}

fn place_after(cursor: &Cursor, bytes: &[u8]) -> Position {
    let mut cursor = cursor.clone();
    cursor.advance(bytes);
    cursor.place()
}

/// The first bytes of a text.
fn excerpt(text: &[u8]) -> Excerpt {
    Excerpt { bytes: text[..text.len().min(Excerpt::MAX)].to_vec(), length: text.len() as u64, later: None }
}

/// The last bytes of a text.
fn end_of(text: &[u8]) -> Excerpt {
    let offset = text.len() - text.len().min(Later::BEFORE);
    let later = (offset > 0).then(|| Later { offset: offset as u64, bytes: text[offset..].to_vec() });
    Excerpt { later, ..excerpt(text) }
}
