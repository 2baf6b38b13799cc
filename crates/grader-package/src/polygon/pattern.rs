//! The paths of numbered files: `tests/%02d`, as `printf` writes them.

use std::path::{Component, Path, PathBuf};
use std::str::FromStr;

/// A path that contains the number of a test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PathPattern {
    before: String,
    /// The least number of digits.
    digits: usize,
    after: String,
}

/// Why a text is not a pattern of paths.
#[derive(Debug, thiserror::Error)]
pub(super) enum PatternError {
    /// It does not contain the number of a test once.
    #[error("expected `%d` or `%02d` in its file name, once")]
    Number,
    /// The files are outside of the package.
    #[error("leads out of the package")]
    Outside,
}

impl PathPattern {
    /// The pattern with a number of at least two digits between two parts of a path, which must stay in the package.
    pub(super) fn of_parts(before: &str, after: &str) -> Self {
        Self { before: before.to_owned(), digits: 2, after: after.to_owned() }
    }

    /// The number of a test in a file name.
    pub(super) fn number(&self, number: usize) -> String {
        format!("{number:0digits$}", digits = self.digits)
    }

    /// The path of the file of a test.
    pub(super) fn of(&self, number: usize) -> PathBuf {
        PathBuf::from(format!("{}{}{}", self.before, self.number(number), self.after))
    }

    /// The directory of the files.
    pub(super) fn dir(&self) -> &Path {
        self.before.rsplit_once('/').map_or(Path::new(""), |(dir, _)| Path::new(dir))
    }

    /// The path relative to an ancestor of the files, with `*` for the number.
    pub(super) fn below(&self, dir: &Path) -> Option<String> {
        let path = format!("{}*{}", self.before, self.after);
        Some(Path::new(&path).strip_prefix(dir).ok()?.to_str()?.to_owned())
    }

    /// Whether two patterns write numbers alike.
    pub(super) fn has_digits_of(&self, other: &Self) -> bool {
        self.digits == other.digits
    }
}

impl FromStr for PathPattern {
    type Err = PatternError;

    fn from_str(text: &str) -> Result<Self, PatternError> {
        let text = text.replace('\\', "/");
        let (before, rest) = text.split_once('%').ok_or(PatternError::Number)?;
        let (digits, after) = rest.split_once('d').ok_or(PatternError::Number)?;
        let digits = if digits.is_empty() { Some(1) } else { digits.parse().ok().filter(|n| (1..=9).contains(n)) };
        let digits = digits.ok_or(PatternError::Number)?;
        if after.contains(['%', '/']) || text.contains('*') {
            return Err(PatternError::Number);
        }
        let pattern = Self { before: before.to_owned(), digits, after: after.to_owned() };
        // Its own form is that of the components, without `.` and `//`.
        let path = inner_path(&pattern.of(1).to_string_lossy()).ok_or(PatternError::Outside)?;
        if path.as_os_str() == pattern.of(1).as_os_str() { Ok(pattern) } else { Err(PatternError::Outside) }
    }
}

/// A relative path that stays where it begins. Packages for Windows may write `\`.
pub(super) fn inner_path(text: &str) -> Option<PathBuf> {
    let text = text.replace('\\', "/");
    let is_drive = text.get(1..2) == Some(":");
    let path = Path::new(&text);
    let is_inner = path.components().next().is_some()
        && path.components().all(|part| matches!(part, Component::Normal(_)))
        && !text.contains(char::is_control);
    (is_inner && !is_drive).then(|| path.components().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_like_printf() {
        for (text, number, path) in [
            ("tests/%02d", 7, "tests/07"),
            ("tests/%02d.a", 123, "tests/123.a"),
            ("t%d.in", 5, "t5.in"),
            (r"tests\%03d", 5, "tests/005"),
        ] {
            assert_eq!(text.parse::<PathPattern>().unwrap().of(number), Path::new(path), "{text}");
        }
    }

    #[test]
    fn other_texts_are_refused() {
        for text in ["tests/01", "tests/%s", "tests/%02d%d", "/tests/%02d", "../%02d", "%d/in", "a*%d", "%99d", ""] {
            assert!(text.parse::<PathPattern>().is_err(), "{text}");
        }
    }
}
