//! How the files of test cases come about that a package leaves to its own programs.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{Program, TestId};

/// The recipes of a problem whose package may lack inputs and answers. Empty for a problem that has all its files.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Recipes {
    /// The document that states them, for messages.
    pub document: PathBuf,
    /// The generators, by the names that commands use.
    pub generators: BTreeMap<String, Program>,
    /// The recipe of each case.
    pub cases: BTreeMap<TestId, Recipe>,
    /// Whether line ends of Windows in inputs and answers become those of this system.
    pub converts_line_ends: bool,
    /// The document that states checksums of inputs and answers, if there is one.
    pub checksums: Option<PathBuf>,
}

/// How the files of one case come about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recipe {
    /// The source of the input.
    pub input: InputRecipe,
    /// The source of the answer.
    pub answer: AnswerRecipe,
    /// The line of the document that states the case.
    pub line: u32,
    /// The checksums that its files must have.
    pub checksums: Checksums,
}

/// The checksums of the files of a case, as far as they are stated.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Checksums {
    /// The checksum of the input.
    pub input: Option<Sha256>,
    /// The checksum of the answer.
    pub answer: Option<Sha256>,
}

/// A checksum by SHA-256 (FIPS 180-4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sha256([u8; 32]);

impl Sha256 {
    /// The checksum in hexadecimal digits; none for other text.
    pub fn parse(text: &str) -> Option<Self> {
        if text.len() != 64 || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        let mut bytes = [0; 32];
        for (at, byte) in bytes.iter_mut().enumerate() {
            *byte = u8::from_str_radix(&text[2 * at..2 * at + 2], 16).ok()?;
        }
        Some(Self(bytes))
    }
}

impl From<[u8; 32]> for Sha256 {
    fn from(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }
}

impl fmt::Display for Sha256 {
    /// 64 hexadecimal digits.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// The source of an input.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum InputRecipe {
    /// The package has the file.
    File,
    /// A generator makes it.
    Command(GeneratorCommand),
}

/// The source of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum AnswerRecipe {
    /// The package has the file.
    File,
    /// The reference prints it.
    Reference,
    /// The generator of the input prints it on standard error.
    StandardError,
}

/// A generator with its arguments.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GeneratorCommand {
    /// The command as written.
    pub text: String,
    /// The name of the generator.
    pub program: String,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// The name of the file that it writes, if it does not print the input. A number also means the same number with
    /// leading zeros.
    pub file: Option<String>,
}

impl Recipes {
    /// Whether every case has its files unchanged, so that nothing must be made.
    pub fn is_empty(&self) -> bool {
        self.cases.is_empty()
    }

    /// The recipes once every file is made: only the generators, which can make other inputs.
    #[must_use]
    pub fn used(self) -> Self {
        Self { cases: BTreeMap::new(), ..self }
    }

    /// The recipes with their files in other places.
    #[must_use]
    pub fn moved(self, to: &dyn Fn(&Path) -> PathBuf) -> Self {
        let generators = self.generators.into_iter().map(|(name, program)| (name, program.moved(to))).collect();
        let checksums = self.checksums.as_deref().map(to);
        Self { document: to(&self.document), generators, checksums, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums_are_64_hexadecimal_digits() {
        let text = "0123456789abcdef".repeat(4);
        assert_eq!(Sha256::parse(&text).unwrap().to_string(), text);
        assert_eq!(Sha256::parse(&text.to_uppercase()).unwrap().to_string(), text);
        for wrong in ["", "00", &"g".repeat(64), &"+1".repeat(32), &"é".repeat(32)] {
            assert_eq!(Sha256::parse(wrong), None, "{wrong}");
        }
    }
}
