//! Files and constants that a problem adds to programs before they are built.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// The directory of included files for every language.
pub const DEFAULT_INCLUDE: &str = "default";

/// The additions of a problem to its programs (package format 2025-09, "Included files" and "Constants").
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Additions {
    /// Files that are copied beside every submission, by the code of their language.
    pub include: BTreeMap<String, IncludedFiles>,
    /// The values for `{{name}}`.
    pub constants: Constants,
    /// Files that are copied beside every program of the judge: headers of a Polygon package.
    pub judges: Option<IncludedFiles>,
    /// Folders in which compilers search for headers (`-I`) when they build the problem's own programs. Library Checker
    /// has one for all its problems.
    pub headers: Vec<IncludedFiles>,
    /// The macros that are defined when submissions in C and C++ are compiled, and nothing else: `EVAL`.
    #[serde(default)]
    pub macros: Vec<String>,
    /// The languages that the package states for its own programs, by their path: `cpp17`.
    pub languages: BTreeMap<PathBuf, String>,
}

/// The files of one directory below `include/`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct IncludedFiles {
    /// The directory.
    pub dir: PathBuf,
    /// The files in it and deeper, relative to it, sorted.
    pub files: Vec<PathBuf>,
}

/// The values of constants, by `name` and `name.variant`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Constants(BTreeMap<String, String>);

/// A text becomes too large when its constants are replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("larger than {} MiB with its constants replaced", MOST_BYTES >> 20)]
pub struct TooLarge;

/// The largest source with its constants replaced, in bytes. Larger ones are not written by people.
const MOST_BYTES: usize = 16 << 20;

impl Constants {
    /// Creates constants from names and values.
    pub fn new(values: BTreeMap<String, String>) -> Self {
        Self(values)
    }

    /// Whether there are no constants.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Names and values, sorted by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Replaces every `{{name}}` and `{{name.variant}}` that is a constant, and leaves all other text unchanged.
    pub fn replace<'t>(&self, text: &'t [u8]) -> Result<Cow<'t, [u8]>, TooLarge> {
        let mut made: Option<Vec<u8>> = None;
        let mut done = 0;
        let mut at = 0;
        while let Some(found) = text[at..].windows(2).position(|pair| pair == b"{{") {
            at += found;
            match self.at(&text[at..]) {
                Some((value, length)) => {
                    let made = made.get_or_insert_default();
                    made.extend_from_slice(&text[done..at]);
                    made.extend_from_slice(value.as_bytes());
                    if made.len() > MOST_BYTES {
                        return Err(TooLarge);
                    }
                    at += length;
                    done = at;
                }
                // In `{{{n}}`, the sequence begins one brace later.
                None => at += 1,
            }
        }
        match made {
            None => Ok(Cow::Borrowed(text)),
            Some(mut made) => {
                made.extend_from_slice(&text[done..]);
                if made.len() > MOST_BYTES { Err(TooLarge) } else { Ok(Cow::Owned(made)) }
            }
        }
    }

    /// The value of the sequence at the start of the text, and the length of the sequence.
    fn at(&self, text: &[u8]) -> Option<(&str, usize)> {
        let inner = text.strip_prefix(b"{{")?;
        let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte == b'.';
        let length = inner.iter().take_while(|byte| is_part(byte)).count();
        let name = std::str::from_utf8(&inner[..length]).ok()?;
        let value = self.0.get(name).filter(|_| inner[length..].starts_with(b"}}"))?;
        Some((value, length + 4))
    }
}

impl IncludedFiles {
    /// The files: the name of each beside a submission, and its path.
    pub fn files(&self) -> impl Iterator<Item = (&Path, PathBuf)> {
        self.files.iter().map(|file| (file.as_path(), self.dir.join(file)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn constants(values: &[(&str, &str)]) -> Constants {
        Constants::new(values.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect())
    }

    #[test]
    fn only_known_sequences_are_replaced() {
        let constants = constants(&[("n", "5"), ("n.value", "5"), ("n.tex", "5{,}0"), ("_m", "{{n}}")]);
        for (text, expect) in [
            ("x = {{n}};", "x = 5;"),
            ("{{n}}{{n.value}}", "55"),
            ("{{n.tex}}", "5{,}0"),
            ("{{_m}}", "{{n}}"),
            ("{{other}} {{n.other}} {{ n }} {n} {{n} {{n", "{{other}} {{n.other}} {{ n }} {n} {{n} {{n"),
            ("{{{n}}}", "{5}"),
            ("{{{{n}}", "{{5"),
            ("", ""),
        ] {
            assert_eq!(&*constants.replace(text.as_bytes()).unwrap(), expect.as_bytes(), "{text}");
        }
        assert_eq!(&*constants.replace(b"\xff{{n}}\xff").unwrap(), b"\xff5\xff");
    }

    #[test]
    fn a_text_cannot_grow_without_end() {
        let large = "x".repeat(100_000);
        assert_eq!(constants(&[("n", &large)]).replace("{{n}}".repeat(1000).as_bytes()), Err(TooLarge));
    }
}
