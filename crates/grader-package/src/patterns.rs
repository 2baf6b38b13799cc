//! Patterns by which the texts of programs are searched.

use regex::Regex;

/// A constant pattern. None is a mistake in the program, which tests of the pattern find.
pub(crate) fn compiled(pattern: &str) -> Option<Regex> {
    Regex::new(pattern).ok()
}
