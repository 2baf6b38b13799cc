//! Reads `generators/generators.yaml`, which lists the test cases of a problem and how each is made, in the format of
//! BAPCtools (<https://github.com/RagnarGrootKoerkamp/BAPCtools/blob/master/doc/generators.md>). This module runs no
//! program.
//!
//! Names, numbers and seeds match those of `bt generate`, so the same file makes the same data.

mod command;
mod numbers;
mod program;
mod recipes;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use regex::Regex;

use crate::document::{Document, Value, is_there};
use crate::reader::Reader;
use grader_model::diagnostic::{Diagnostic, TextPosition};
use grader_model::problem::{
    AnswerFile, Helper, HelperRole, PackageLayout, Problem, Program, Submission, TestCase, TestGroup,
};

pub use command::Command;
pub(crate) use program::{GeneratorProgram, ProgramError, below, is_inner};

/// The path of the file, below a problem's directory.
pub const FILE: &str = "generators/generators.yaml";

/// How to complete the test cases of a problem that has the file.
pub(crate) fn remedy(reader: &Reader<'_>) -> Option<String> {
    reader.dir.join(FILE).is_file().then(|| format!("generate them: grader gen {}", reader.id))
}

/// The extensions of the files of a case that may be written, copied or generated.
pub const ENDINGS: [&str; 12] = [
    "in",
    "ans",
    "out",
    "in.statement",
    "ans.statement",
    "in.download",
    "ans.download",
    "interaction",
    "yaml",
    "png",
    "jpg",
    "svg",
];

/// The extensions of `ENDINGS` for text files, which are keys of a case. The input comes first.
const TEXTS: &[&str] = ENDINGS.split_at(9).0;

/// The content at the top of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// The groups `sample`, `secret`, …, as in a package.
    Groups,
    /// Cases of a plain folder, in one directory.
    Flat,
}

impl Shape {
    /// The shape of a problem's list: a plain folder with all cases in one directory has no groups.
    pub fn of(problem: &Problem) -> Self {
        let flat = problem.groups.iter().all(|group| group.name.is_empty());
        if problem.layout == PackageLayout::Plain && flat { Self::Flat } else { Self::Groups }
    }
}

/// The content of the file.
#[derive(Debug)]
pub struct Generators {
    /// The problem's directory.
    dir: PathBuf,
    file: PathBuf,
    /// Programs that the file defines: name and files. The first file is the entry point.
    named: Vec<(String, Vec<PathBuf>)>,
    /// The generators beside the solvers of a plain folder, by their names.
    beside: Vec<(String, GeneratorProgram)>,
    /// Group files to write.
    pub groups: Vec<GroupFile>,
    /// Cases in the order of the file.
    pub recipes: Vec<Recipe>,
}

/// A `test_group.yaml` to write.
#[derive(Debug, Clone, PartialEq)]
pub struct GroupFile {
    /// Its path below the data root: `secret/small/test_group.yaml`.
    pub path: PathBuf,
    /// Its content; `Null` means that the file must not exist.
    pub value: Value,
}

/// How one case is made.
#[derive(Debug, Clone)]
pub struct Recipe {
    /// Its path below the data root, without extension: `secret/03-random`.
    pub name: String,
    /// The program that prints the input.
    pub command: Option<Command>,
    /// The files to copy: a path without extension.
    pub copy: Option<PathBuf>,
    /// Whether another group made it first, and this group includes it.
    pub included: bool,
    /// Set if the file only mentions a case: the name of that case, whose files are in the data already.
    pub mentioned: Option<String>,
    /// The files to write, as extension and text.
    pub texts: Vec<(String, String)>,
    /// The patterns that files must match, by extension.
    pub matches: Vec<(String, Regex)>,
    /// The source of the answer.
    pub solution: Solution,
    /// How often a failing generator is tried, each time with the next seed.
    pub retries: u32,
    /// Its place in the file.
    pub place: Option<TextPosition>,
}

/// The source of the answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Solution {
    /// Not stated: the reference of the problem.
    Reference,
    /// `solution:` without a value: the file gives the answers.
    Nothing,
    /// A program, by its path from the problem's directory.
    Program(PathBuf),
}

impl Recipe {
    /// The first part of its name: `sample`, `secret`, `invalid_input`. Empty if there are no groups.
    pub fn root(&self) -> &str {
        self.name.split_once('/').map_or("", |(root, _)| root)
    }

    /// The same recipe in another group.
    fn in_group(&self, group: &str) -> Self {
        let base = self.name.rsplit('/').next().unwrap_or_default();
        Self { name: format!("{group}/{base}"), included: true, ..self.clone() }
    }
}

impl Generators {
    /// Reads the file of the problem in `dir`. Returns none if the file does not exist. The findings are all errors of
    /// the file.
    pub fn read(dir: &Path, shape: Shape) -> Option<(Self, Vec<Diagnostic>)> {
        let file = dir.join(FILE);
        if !is_there(&file) {
            return None;
        }
        Some(recipes::read(dir, shape, &Document::load(&file)))
    }

    /// A problem without the file. Programs are found only by the names of their files.
    pub fn none(dir: &Path) -> Self {
        let (named, beside, groups, recipes) = Default::default();
        Self { dir: dir.to_owned(), file: dir.join(FILE), named, beside, groups, recipes }
    }

    /// The same with the generators among the helpers of a plain folder, each with all of its files.
    #[must_use]
    pub fn with_helpers(self, helpers: &[Helper]) -> Self {
        let generators = helpers.iter().filter(|helper| helper.role == HelperRole::Generator);
        let program = |Helper { program, .. }: &Helper| {
            let Submission { id, program, entry_point, .. } = program.clone();
            (id.to_string(), GeneratorProgram { program, entry_point })
        };
        Self { beside: generators.map(program).collect(), ..self }
    }

    /// The same with the generators that another document of the package names, such as `problem.xml`.
    #[must_use]
    pub fn with_named(mut self, generators: &BTreeMap<String, Program>) -> Self {
        let named = |(name, program): (&String, &Program)| {
            (name.clone(), GeneratorProgram { program: program.clone(), entry_point: None })
        };
        self.beside.extend(generators.iter().map(named));
        self
    }

    /// Reads the file from text.
    #[cfg(test)]
    fn parse(dir: &Path, shape: Shape, text: &str) -> (Self, Vec<Diagnostic>) {
        let syntax = crate::document::Syntax::Yaml;
        recipes::read(dir, shape, &Document::parse(Path::new("generators.yaml"), text.to_owned(), syntax))
    }

    /// The file.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// The listed cases as groups of cases below the data root, in the order of the file.
    pub fn test_groups(&self, data: &Path) -> Vec<TestGroup> {
        let mut groups: Vec<TestGroup> = Vec::new();
        for recipe in &self.recipes {
            let (group, base) = recipe.name.rsplit_once('/').unwrap_or(("", &recipe.name));
            let case = TestCase::new(base, AnswerFile::Missing);
            match groups.iter_mut().find(|known| &*known.name == group) {
                Some(known) => known.cases.push(case),
                None => groups.push(TestGroup { cases: vec![case], ..TestGroup::empty(group, data.join(group)) }),
            }
        }
        groups
    }

    /// The program that a command names: one that the file defines, or else a file or directory in `generators/`.
    pub fn program(&self, name: &str) -> Result<GeneratorProgram, ProgramError> {
        let dir = self.dir.join("generators");
        match self.beside.iter().find(|(known, _)| known == name) {
            Some((_, program)) if !is_there(&dir.join(name)) => Ok(program.clone()),
            _ => program::find(&dir, &self.named, name),
        }
    }

    /// The directory of the problem.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// The program that a `solution:` names.
    pub fn solution(&self, path: &Path) -> Result<Program, ProgramError> {
        program::below(&self.dir, path)
    }

    /// Returns the distinct commands that have a seed: those that can make random inputs.
    pub fn random(&self) -> Vec<Command> {
        let mut commands: Vec<Command> = Vec::new();
        for command in self.recipes.iter().filter_map(|recipe| recipe.command.as_ref()) {
            if command.is_random() && !commands.iter().any(|known| known.text == command.text) {
                commands.push(command.clone());
            }
        }
        commands
    }
}

#[cfg(test)]
mod tests;
