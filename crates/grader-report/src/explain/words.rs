//! Splits text into lines and words, and decides which differences count for the checker.

use std::borrow::Cow;
use std::ops::Range;

use super::Window;
use crate::problem::{Checker, StandardChecker, Tolerance};

/// White space by the default output validator (package format 2025-09): 20 0c 0a 0d 09 0b.
pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | 0x09..=0x0d)
}

/// One line of a window, without its newline.
#[derive(Debug, Clone, Copy)]
pub(super) struct TextLine<'a> {
    /// The line's number, from 1.
    pub(super) number: usize,
    pub(super) body: &'a [u8],
    /// Whether a newline follows.
    pub(super) newline: bool,
    /// Whether the window cut the line's beginning off.
    pub(super) cut_before: bool,
    /// Whether the window cut the line's end off.
    pub(super) cut_after: bool,
}

/// Returns the lines of a window. If the window cuts its last line, that line is left out, unless the first difference
/// is in it. In that case only its last word is left out, if the word lies behind the difference.
pub(super) fn lines<'a>(window: &Window<'a>) -> Vec<TextLine<'a>> {
    let mut bytes = window.bytes;
    if window.cut_after && !bytes.is_empty() {
        let behind = |at: &usize| *at >= window.focus;
        let line = bytes.iter().rposition(|b| *b == b'\n').filter(behind);
        let whole = line.or_else(|| bytes.iter().rposition(|b| is_space(*b)).filter(behind));
        bytes = whole.map_or(bytes, |at| &bytes[..=at]);
    }
    let mut lines: Vec<TextLine> = bytes
        .split_inclusive(|b| *b == b'\n')
        .enumerate()
        .map(|(i, line)| {
            let newline = line.ends_with(b"\n");
            let body = &line[..line.len() - usize::from(newline)];
            let cut_before = i == 0 && window.cut_before;
            TextLine { number: window.first_line + i, body, newline, cut_before, cut_after: false }
        })
        .collect();
    if let Some(last) = lines.last_mut() {
        last.cut_after = window.cut_after && !last.newline;
    }
    lines
}

/// A word or a gap with its place in a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Word<'a> {
    pub(super) bytes: &'a [u8],
    /// Offset in the line.
    pub(super) at: usize,
}

impl Word<'_> {
    pub(super) fn range(&self) -> Range<usize> {
        self.at..self.at + self.bytes.len()
    }

    pub(super) fn is_gap(&self) -> bool {
        self.bytes.first().is_some_and(|b| is_space(*b))
    }
}

/// Alternating runs of white space and of other bytes.
fn runs(body: &[u8]) -> impl Iterator<Item = Word<'_>> {
    let mut at = 0;
    body.chunk_by(|a, b| is_space(*a) == is_space(*b)).map(move |bytes| {
        let word = Word { bytes, at };
        at += bytes.len();
        word
    })
}

/// The differences that count for a checker.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rules {
    fold_case: bool,
    /// Whether gaps and line ends count.
    pub(super) spacing: bool,
    /// Relative and absolute ε, if numbers are compared by value.
    float: Option<(f64, f64)>,
}

impl Rules {
    pub(super) fn of(checker: &Checker) -> Self {
        match checker {
            Checker::Exact => Self { fold_case: false, spacing: true, float: None },
            Checker::Tokens(options) => {
                let stated = options.float_relative.is_some() || options.float_absolute.is_some();
                let float = (options.float_relative.unwrap_or(0.0), options.float_absolute.unwrap_or(0.0));
                Self {
                    fold_case: !options.case_sensitive,
                    spacing: options.space_change_sensitive,
                    float: stated.then_some(float),
                }
            }
            // Their differences have no place in a diff.
            Checker::Contains | Checker::Regex | Checker::Unordered | Checker::Value(_) => {
                Self { fold_case: false, spacing: false, float: None }
            }
            Checker::Standard(standard) => Self::of_standard(*standard),
        }
    }

    /// The rules of a checker of testlib, near enough for a diff: it decides nothing.
    fn of_standard(checker: StandardChecker) -> Self {
        let float = checker
            .tolerance()
            .map(|Tolerance { epsilon, is_relative_too }| (if is_relative_too { epsilon } else { 0.0 }, epsilon));
        Self { fold_case: checker.ignores_case(), spacing: checker == StandardChecker::Fcmp, float }
    }

    /// The rules for parts of words: a number inside a word is not compared by value.
    pub(super) fn inside_words(self) -> Self {
        Self { float: None, ..self }
    }

    /// The parts of a line that count: words, and also gaps if spacing counts.
    pub(super) fn words(self, body: &[u8]) -> impl Iterator<Item = Word<'_>> {
        runs(body).filter(move |word| self.spacing || !word.is_gap())
    }

    /// Whether the checker accepts a word (or gap) of the output for that of the answer.
    pub(super) fn same_word(self, answer: &[u8], output: &[u8]) -> bool {
        if answer == output {
            return true;
        }
        if let Some((relative, absolute)) = self.float
            && let Some(wanted) = number(answer)
        {
            return number(output).is_some_and(|got| {
                let error = (got - wanted).abs();
                error <= absolute || error <= relative * wanted.abs()
            });
        }
        self.fold_case && answer.eq_ignore_ascii_case(output)
    }

    /// Whether two lines have no difference that counts.
    pub(super) fn same_line(self, answer: &TextLine, output: &TextLine) -> bool {
        self.same_end(answer, output) && self.first_difference(answer.body, output.body).is_none()
    }

    /// Whether both lines end in the same way, as far as that counts and is known.
    pub(super) fn same_end(self, answer: &TextLine, output: &TextLine) -> bool {
        !self.spacing || answer.newline == output.newline || answer.cut_after || output.cut_after
    }

    /// Offsets in both lines of the first difference that counts; none without one.
    pub(super) fn first_difference(self, answer: &[u8], output: &[u8]) -> Option<(usize, usize)> {
        if answer == output {
            return None;
        }
        let mut left = self.words(answer);
        let mut right = self.words(output);
        loop {
            match (left.next(), right.next()) {
                (None, None) => return None,
                (Some(a), Some(b)) if self.same_word(a.bytes, b.bytes) => {}
                (a, b) => return Some((a.map_or(answer.len(), |w| w.at), b.map_or(output.len(), |w| w.at))),
            }
        }
    }

    /// Returns a key that equal words share. With a tolerance, they nearly always share it.
    pub(super) fn word_key(self, word: &[u8]) -> Cow<'_, [u8]> {
        if let Some(tolerance) = self.float
            && let Some(value) = number(word)
        {
            return Cow::Owned(coarse(value, tolerance).into_bytes());
        }
        if self.fold_case && word.iter().any(u8::is_ascii_uppercase) {
            return Cow::Owned(word.to_ascii_lowercase());
        }
        Cow::Borrowed(word)
    }

    /// Returns a key that equal lines share. With a tolerance, they nearly always share it.
    pub(super) fn line_key(self, line: &TextLine) -> Vec<u8> {
        let mut key = Vec::with_capacity(line.body.len() + 1);
        for word in self.words(line.body) {
            key.extend_from_slice(&self.word_key(word.bytes));
            if !self.spacing {
                key.push(b' ');
            }
        }
        if self.spacing && line.newline {
            key.push(b'\n');
        }
        key
    }
}

/// The value of a token that the default output validator reads as a number (no hex, inf or nan).
fn number(word: &[u8]) -> Option<f64> {
    let numeric = |b: &u8| b.is_ascii_digit() || matches!(b, b'+' | b'-' | b'.' | b'e' | b'E');
    if word.len() > 1000 || !word.iter().all(numeric) {
        return None;
    }
    std::str::from_utf8(word).ok()?.parse().ok()
}

/// A value rounded a hundred times more coarsely than the tolerance, so that close values mostly get the same key.
fn coarse(value: f64, (relative, absolute): (f64, f64)) -> String {
    if absolute > 0.0 && value.abs() * relative <= absolute {
        return format!("#{}", (value / (absolute * 100.0)).round());
    }
    // Between 0 and 15 by construction.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to 0..=15")]
    let digits = if relative > 0.0 { (-relative.log10() - 2.0).clamp(0.0, 15.0) as usize } else { 15 };
    format!("#{value:.digits$e}")
}

/// The pieces of a word that are marked as one: numbers and ASCII words as a whole, all else by character.
pub(super) fn pieces(word: Word<'_>) -> Vec<Word<'_>> {
    let bytes = word.bytes;
    let mut pieces = Vec::new();
    let mut from = 0;
    while from < bytes.len() {
        let length = piece_length(&bytes[from..], from == 0 || !bytes[from - 1].is_ascii_alphanumeric());
        pieces.push(Word { bytes: &bytes[from..from + length], at: word.at + from });
        from += length;
    }
    pieces
}

/// The length of the first piece. A sign belongs to a number only if `sign_allowed`.
fn piece_length(bytes: &[u8], sign_allowed: bool) -> usize {
    let first = bytes[0];
    let signed = sign_allowed && matches!(first, b'+' | b'-');
    let digits = &bytes[usize::from(signed)..];
    if digits.first().is_some_and(u8::is_ascii_digit) {
        let inside = |i: usize| match digits.get(i) {
            Some(b'.') => digits.get(i + 1).is_some_and(u8::is_ascii_digit),
            Some(b) => b.is_ascii_alphanumeric(),
            None => false,
        };
        return usize::from(signed) + (0..digits.len()).take_while(|i| inside(*i)).count();
    }
    if first.is_ascii_alphanumeric() {
        return bytes.iter().position(|b| !b.is_ascii_alphanumeric()).unwrap_or(bytes.len());
    }
    let chunk = bytes[..bytes.len().min(4)].utf8_chunks().next();
    chunk.and_then(|chunk| chunk.valid().chars().next()).map_or(1, char::len_utf8)
}
