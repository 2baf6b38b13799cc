//! Compares whole lines from the first difference on: are they in another order, missing or extra?
//!
//! This happens after the verdict, and only if the rest of both streams fits a window.

use super::bytes::is_space;
use super::rules::Rules;
use grader_model::difference::DifferenceKind;

/// The lines of a stream, starting with the line of the first difference, as long as they fit.
#[derive(Debug, Clone)]
pub(super) struct Window {
    bytes: Vec<u8>,
    /// The number of tokens on the first line up to and including the differing one.
    tokens_before: usize,
    whole: bool,
}

impl Window {
    /// The most bytes kept of each stream.
    const MAX: usize = 256 * 1024;

    /// Creates a window with the line up to the end of the differing token, and the bytes after it.
    pub(super) fn new(line: &[u8], rest: &[u8]) -> Self {
        let mut window = Self { bytes: line.to_vec(), tokens_before: tokens(line).count(), whole: true };
        window.push(rest);
        window
    }

    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.whole &= self.bytes.len() + bytes.len() <= Self::MAX;
        if self.whole {
            self.bytes.extend_from_slice(bytes);
        } else {
            self.bytes = Vec::new();
        }
    }

    /// Whether everything has fit so far.
    pub(super) fn is_whole(&self) -> bool {
        self.whole
    }

    #[cfg(test)]
    pub(super) fn footprint(&self) -> usize {
        self.bytes.capacity()
    }

    /// Explains the difference by whole lines, if everything before them is equal in both streams.
    pub(super) fn explain(&self, answer: &Self, rules: &Rules) -> Option<DifferenceKind> {
        if self.tokens_before != answer.tokens_before {
            return None;
        }
        let mut output = self.lines(rules)?;
        let mut answer = answer.lines(rules)?;
        while output.last().is_some() && output.last() == answer.last() {
            output.pop();
            answer.pop();
        }
        let count = |lines: &[Vec<u8>]| lines.len() as u64;
        if output.is_empty() {
            return Some(DifferenceKind::MissingLines { count: count(&answer) });
        }
        if answer.is_empty() {
            return Some(DifferenceKind::ExtraLines { count: count(&output) });
        }
        if output.len() != answer.len() {
            return None;
        }
        output.sort_unstable();
        answer.sort_unstable();
        (output == answer).then_some(DifferenceKind::LineOrder)
    }

    /// Splits the window into lines as the rules see them. None if the last line has no line feed and the rules require
    /// one.
    fn lines(&self, rules: &Rules) -> Option<Vec<Vec<u8>>> {
        if rules.space_sensitive {
            let text = self.bytes.strip_suffix(b"\n")?;
            return Some(text.split(|byte| *byte == b'\n').map(|line| fold(line.to_vec(), rules)).collect());
        }
        let lines = self.bytes.split(|byte| *byte == b'\n');
        let joined = lines.map(|line| fold(tokens(line).collect::<Vec<_>>().join(&b' '), rules));
        Some(joined.filter(|line| !line.is_empty()).collect())
    }
}

fn tokens(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(|byte| is_space(*byte)).filter(|token| !token.is_empty())
}

fn fold(mut line: Vec<u8>, rules: &Rules) -> Vec<u8> {
    if !rules.case_sensitive {
        line.make_ascii_lowercase();
    }
    line
}
