//! What a problem adds to programs before they are built: included files and constants.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The directory of included files that are for every language.
pub const DEFAULT_INCLUDE: &str = "default";

/// What a problem adds to its programs (package format 2025-09, "Included files" and "Constants").
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Additions {
    /// Files that are put beside every submission, by the code of the language that they are for.
    pub include: BTreeMap<String, Included>,
    /// What stands for `{{name}}`.
    pub constants: Constants,
}

/// The files of one directory below `include/`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Included {
    /// The directory.
    pub dir: PathBuf,
    /// The files in it and deeper, relative to it, sorted.
    pub files: Vec<PathBuf>,
}

/// Values by `name` and `name.variant`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Constants(BTreeMap<String, String>);

/// A text that grows beyond all measure when its constants are replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("larger than {} MiB with its constants replaced", MOST_BYTES >> 20)]
pub struct TooLarge;

/// No source that a person wrote is larger, with its constants or without.
const MOST_BYTES: usize = 16 << 20;

impl Constants {
    /// Those of these names.
    pub fn new(values: BTreeMap<String, String>) -> Self {
        Self(values)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Names and values, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// The text with every `{{name}}` and `{{name.variant}}` replaced that is a constant; all else stays as it is.
    pub fn replace<'t>(&self, text: &'t [u8]) -> Result<Cow<'t, [u8]>, TooLarge> {
        let mut made: Option<Vec<u8>> = None;
        let (mut done, mut at) = (0, 0);
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
                // `{{{n}}` holds a sequence that begins one brace later.
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

    /// The value of the sequence that the text begins with, and the length of the sequence.
    fn at(&self, text: &[u8]) -> Option<(&str, usize)> {
        let inner = text.strip_prefix(b"{{")?;
        let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte == b'.';
        let length = inner.iter().take_while(|byte| is_part(byte)).count();
        let name = std::str::from_utf8(&inner[..length]).ok()?;
        let value = self.0.get(name).filter(|_| inner[length..].starts_with(b"}}"))?;
        Some((value, length + 4))
    }
}

impl Included {
    /// The files, as they are called beside a submission and where they are.
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
