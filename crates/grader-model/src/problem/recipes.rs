//! How the files of test cases come about that a package leaves to its own programs.

use std::collections::BTreeMap;
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

    /// The recipes with their files in other places.
    #[must_use]
    pub fn moved(self, to: &dyn Fn(&Path) -> PathBuf) -> Self {
        let generators = self.generators.into_iter().map(|(name, program)| (name, program.moved(to))).collect();
        Self { document: to(&self.document), generators, ..self }
    }
}
