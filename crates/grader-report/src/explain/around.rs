//! Finds where two windows must begin to show the same text, even if the white space between words differs.
//!
//! Before the first difference, both sides have the same words in the same order. So words are counted backwards from
//! there.

use super::words::is_space;

/// The most lines before the first difference; more are never shown.
const LINES: usize = 64;

/// The most bytes before the first difference if no line begins with the same word on both sides.
const NEAR: usize = 200;

/// The part of one side that was read before its first difference.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Before<'a> {
    /// The bytes up to the first difference.
    pub bytes: &'a [u8],
    /// Whether the bytes begin at the start of a line.
    pub at_line_start: bool,
    /// How many of the last bytes belong to the token with the first difference.
    pub inside: usize,
}

/// The number of bytes to drop at the start of each side.
pub(crate) fn begin_together(answer: &Before, output: &Before) -> (usize, usize) {
    let inside = |side: &Before| side.inside.min(side.bytes.len());
    let left_inside = inside(answer);
    let right_inside = inside(output);
    // A token that began before the windows has equal bytes on both sides up to its first difference.
    if left_inside < answer.inside || right_inside < output.inside {
        let kept = left_inside.min(right_inside);
        return (answer.bytes.len() - kept, output.bytes.len() - kept);
    }
    let mut left = Back::new(answer, left_inside);
    let mut right = Back::new(output, right_inside);
    let mut nearest = (left.at, right.at);
    let mut lines = None;
    let mut count = 0;
    loop {
        if let (Some(a), Some(b)) = (left.line_start(), right.line_start()) {
            lines = Some((a, b));
            count += 1;
        }
        if answer.bytes.len() - left.at <= NEAR && output.bytes.len() - right.at <= NEAR {
            nearest = (left.at, right.at);
        }
        if count == LINES || !left.step() || !right.step() {
            return lines.unwrap_or(nearest);
        }
    }
}

/// A walk backwards from word to word.
struct Back<'a> {
    bytes: &'a [u8],
    at_line_start: bool,
    /// The start of the current word.
    at: usize,
}

impl<'a> Back<'a> {
    fn new(before: &Before<'a>, inside: usize) -> Self {
        let Before { bytes, at_line_start, .. } = *before;
        Self { bytes, at_line_start, at: bytes.len() - inside }
    }

    /// The start of the line, if the current word is its first.
    fn line_start(&self) -> Option<usize> {
        let blank = self.bytes[..self.at].iter().rev().take_while(|byte| is_space(**byte) && **byte != b'\n').count();
        let start = self.at - blank;
        let begins = if start == 0 { self.at_line_start } else { self.bytes[start - 1] == b'\n' };
        begins.then_some(start)
    }

    /// Moves to the word before. Returns false if the window does not contain all of it.
    fn step(&mut self) -> bool {
        let before = &self.bytes[..self.at];
        let end = before.iter().rposition(|byte| !is_space(*byte)).map_or(0, |last| last + 1);
        let start = before[..end].iter().rposition(|byte| is_space(*byte)).map_or(0, |space| space + 1);
        let whole = start > 0 || self.at_line_start;
        let found = end > 0 && whole;
        if found {
            self.at = start;
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(answer: &str, output: &str, inside: usize, wanted: (&str, &str)) {
        let before = |text: &'static str| Before { bytes: text.as_bytes(), at_line_start: false, inside };
        let (answer, output): (&'static str, &'static str) = (answer.to_owned().leak(), output.to_owned().leak());
        let (left, right) = begin_together(&before(answer), &before(output));
        assert_eq!((&answer[left..], &output[right..]), wanted);
    }

    #[test]
    fn both_begin_with_the_same_word() {
        check("x\n1 2\n3 ", "2\n3 ", 0, ("3 ", "3 "));
        check("x\n1 2\n3 ", "y\r\n1  2\r\n3 ", 0, ("1 2\n3 ", "1  2\r\n3 "));
        check("x\n1 2\n3 ", "0 x 1 2 3 ", 0, ("1 2\n3 ", "1 2 3 "));
        check("x\n1\n2\nab", "7\n7\n7\nx\n 1 2\nab", 2, ("1\n2\nab", " 1 2\nab"));
        check("xyz", "zzxyz", 10, ("xyz", "xyz"));
    }

    #[test]
    fn the_end_of_an_output_is_a_place_as_well() {
        check("x\n1 2\n", "x\n1 2", 0, ("1 2\n", "1 2"));
    }
}
