//! A mutant: the change of the original, and the mistake that it stands for.

use std::ops::Range;

/// One changed copy of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mutant {
    /// The name of the operator that made it, such as `boundary`.
    pub operator: &'static str,
    /// One sentence: the mistake that it stands for.
    pub explanation: &'static str,
    /// The bytes of the original that are replaced.
    pub span: Range<usize>,
    /// The text that replaces them.
    pub replacement: String,
    /// The line of the original where `span` begins, from 1.
    pub line: usize,
    /// Whether it is meant to be slower than the original, and to print the same.
    pub slow: bool,
}

impl Mutant {
    /// The program with the change.
    ///
    /// # Panics
    ///
    /// If `source` is not the source that the mutant was made of, and shorter.
    pub fn apply(&self, source: &str) -> String {
        let length = source.len() - self.span.len() + self.replacement.len();
        let mut text = String::with_capacity(length);
        text.push_str(&source[..self.span.start]);
        text.push_str(&self.replacement);
        text.push_str(&source[self.span.end..]);
        text
    }
}
