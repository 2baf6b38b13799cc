//! The languages: which files are whose, and the commands that compile and run them.
//!
//! Languages are data: the embedded `language/languages.toml`, changed and extended by the `[language]` table of
//! `grader.toml`. This module owns that table, detection and the filling in of command templates. It does no I/O (file
//! texts come through arguments), starts nothing, and must not know sandboxes, verdicts or packages.

mod command;
mod detect;
mod mainclass;
mod manifest;
mod markdown;
mod table;
mod template;

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use regex::bytes::{Regex, RegexBuilder};
use serde::Serialize;

use crate::limits::Bytes;
use crate::suggest;

pub use command::Commands;
pub use detect::{Detection, NoLanguage};
pub use markdown::markdown;

/// The files to build.
pub struct BuildInput<'a> {
    /// The absolute directory where the sources have been copied; compile commands run in it.
    pub dir: &'a Path,
    /// All files, relative to `dir`, sorted.
    pub files: &'a [PathBuf],
    /// Those of them that the problem includes.
    pub included: &'a [PathBuf],
    /// The memory limit of a run.
    pub memory: Bytes,
    /// Whether the limit is that of the heap alone, where the runtime has one.
    pub heap_alone: bool,
    /// The text of a file, by its relative path; asked for the main class and for build files only.
    pub read: &'a dyn Fn(&Path) -> Option<String>,
    /// The file or class that `submissions.yaml` names as entry point.
    pub entry_point: Option<&'a str>,
}

/// The one extension whose case of letters says which language it is: C++, and not C.
const CASE_MATTERS: &str = "C";

/// The languages in force.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Languages {
    /// By descending priority, then by id.
    rows: Vec<Language>,
    /// What `[language] python = "pypy3"` says: files detected as the key (an id) are taken as the value (an id).
    instead: BTreeMap<String, String>,
    /// The rows (ids) that a configuration says anything about.
    stated: BTreeSet<String>,
}

/// One row of the table. The keys are described at the head of `languages.toml`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Language {
    /// The unique name in settings and reports: `cpp`.
    pub id: String,
    /// The name for people: `C++`.
    pub name: String,
    /// What the package format calls it, where that is not the id (its appendix "Languages"): `python3` for PyPy.
    pub code: Option<String>,
    /// Other words that `--lang` and `submissions.yaml` may use, lower case.
    pub aliases: Vec<String>,
    /// Extensions of source files, without dot. Files may have them in any case of letters, except that `C` is C++ and `c`
    /// is C.
    pub extensions: Vec<String>,
    /// Interpreters whose name in a first line `#!…` selects this language.
    pub shebang: Vec<String>,
    /// What the first line of a file of another language with the same extension begins with.
    pub unlike: Vec<String>,
    /// Preferred names of the main file, relative to the submission's directory.
    pub main: Vec<String>,
    /// How the class to start is found; none where a file is started.
    pub main_class: Option<MainClass>,
    /// Decides between languages with equally many files; the higher wins.
    pub priority: i64,
    /// Compile steps as templates; none for a language that needs none.
    pub compile: Vec<Vec<String>>,
    /// A compile step more where no class with `main` is seen in the sources; none where that is left to the run.
    pub without_main: Vec<String>,
    /// Patterns of the lines by which the tools say that a signal ended one of their processes. None: what they say is not
    /// known. Empty: they have no processes but their own.
    pub killed: Option<Vec<String>>,
    /// The run command as template.
    pub run: Vec<String>,
    /// The command that prints the version; it belongs to the key of everything cached.
    pub version: Vec<String>,
    /// How to install it, for people: `apt install g++`.
    pub install: String,
    /// How a program flushes what it has printed, for people: `fflush(stdout)`; empty where no call is needed.
    pub flush: String,
    /// Whether the project's own tests (`tests/real.rs`) have a program in it, and it was seen to work.
    pub tested: bool,
    /// Environment of compile and run, as templates.
    pub env: BTreeMap<String, String>,
    /// The fewest processes and threads a run of it needs, if that may be more than the limit.
    pub processes: Option<u32>,
    /// Whether the sources lie in the working directory of a run too.
    pub siblings: bool,
    /// MiB of the memory limit that `{memlim}` leaves to the runtime.
    pub memory_reserve: u64,
    /// MiB that the runtime gets beside the memory limit, where the judge gives all of that to the heap (`{memlim}`); 0
    /// for a runtime that no judge treats so.
    pub memory_beside: u64,
    /// The row (an id) that the judges of packages take instead.
    pub in_packages: Option<String>,
    /// How a directory with the language's own build file is built.
    pub project: Option<Project>,
}

/// How the name of the class to start is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum MainClass {
    /// The class with a `main` method.
    Java,
    /// The class that Kotlin makes of the file with `fun main`.
    Kotlin,
}

/// A directory that the language's own build tool compiles.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Project {
    /// The file at the top of the directory that makes it one: `Cargo.toml`.
    pub marker: String,
    /// Compile steps as templates.
    pub compile: Vec<Vec<String>>,
    /// The run command as template.
    pub run: Vec<String>,
}

/// A mistake in the `[language]` table of a configuration.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct TableMistake {
    /// The keys that lead to it, below `[language]`, as they are written.
    pub path: Vec<String>,
    /// What is wrong, with the remedy.
    pub message: String,
}

/// What is wrong with a submission's files.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LanguageError {
    /// A file whose name no command line in text can hold.
    #[error("{file}: the file name is not UTF-8; rename it")]
    FileName {
        /// The name, as far as it can be shown.
        file: String,
    },
    /// No source file of the language.
    #[error("no {language} file (.{extensions}) among {seen}")]
    NoSource {
        /// The language's name.
        language: String,
        /// Its extensions.
        extensions: String,
        /// What there is.
        seen: String,
    },
    /// The named entry point does not exist.
    #[error("entry point `{entry}`: no such {language} file; there are {files}")]
    EntryPoint {
        /// What was asked for.
        entry: String,
        /// The language's name.
        language: String,
        /// The files that could be meant.
        files: String,
    },
    /// A build file that does not say what program it builds.
    #[error("{file}: {problem}")]
    Manifest {
        /// The build file.
        file: PathBuf,
        /// What is wrong, with the remedy.
        problem: String,
    },
}

impl LanguageError {
    /// Whether the submission is what is wrong (a compile error to its author) and not the settings or the package.
    pub fn blames_submission(&self) -> bool {
        matches!(self, Self::FileName { .. } | Self::NoSource { .. } | Self::Manifest { .. })
    }
}

/// A pattern of `killed`. Of bytes, because what tools print may be none of Unicode.
///
/// # Errors
/// It is no regular expression.
pub fn pattern(text: &str) -> Result<Regex, regex::Error> {
    RegexBuilder::new(text).unicode(false).build()
}

impl Languages {
    /// The embedded table alone.
    ///
    /// # Panics
    /// When the embedded table is malformed, which the tests exclude.
    pub fn builtin() -> Self {
        let table: toml::Table = include_str!("language/languages.toml").parse().expect("the embedded table is TOML");
        let empty = Self { rows: Vec::new(), instead: BTreeMap::new(), stated: BTreeSet::new() };
        let languages = empty.with_overrides(&table).expect("the embedded table is well-formed");
        Self { stated: BTreeSet::new(), ..languages }
    }

    /// The table with the `[language]` table of a configuration laid over it, key by key.
    ///
    /// `[language.<id or alias>]` changes a row or, with at least `extensions` and `run`, adds one;
    /// `[language] python = "pypy3"` takes what is detected as the one language as the other.
    ///
    /// # Errors
    /// Every mistake in the table; where there is one, nothing of it holds.
    pub fn with_overrides(self, overrides: &toml::Table) -> Result<Self, Vec<TableMistake>> {
        table::overlay(self, overrides)
    }

    /// The language with this id or alias, in any case. An id means exactly that row; an alias (`python`) follows
    /// `[language] python = "pypy3"`.
    pub fn get(&self, id: &str) -> Option<&Language> {
        let id = id.to_ascii_lowercase();
        if let Some(row) = self.row(&id) {
            return Some(row);
        }
        let row = self.rows.iter().find(|row| row.aliases.contains(&id))?;
        Some(self.instead_of(row))
    }

    /// The language that a package names by a code of the format, which follows `[language] python = "pypy3"` like an alias.
    pub fn get_code(&self, code: &str) -> Option<&Language> {
        self.get(code).map(|row| self.instead_of(row))
    }

    /// What the judges of packages run submissions with that are taken for `language`, where that is another row and no
    /// configuration says anything about this one.
    pub fn in_packages(&self, language: &Language) -> Option<&Language> {
        let is_stated = self.stated.contains(&language.id);
        language.in_packages.as_ref().filter(|_| !is_stated).and_then(|id| self.row(id))
    }

    /// The id of the row that `[language.<word>]` means.
    pub fn id_of(&self, word: &str) -> Option<&str> {
        let word = word.to_ascii_lowercase();
        self.rows.iter().find(|row| row.words().any(|known| known == word)).map(|row| row.id.as_str())
    }

    /// Whether files that a package has for the language of this code are for that language: the same one, or another
    /// implementation of it (`pypy3` for `python3`).
    pub fn is_code_of(&self, code: &str, language: &Language) -> bool {
        self.get(code).is_some_and(|meant| meant.id == language.id || meant.extensions == language.extensions)
    }

    /// Every language, by descending priority.
    pub fn iter(&self) -> impl Iterator<Item = &Language> {
        self.rows.iter()
    }

    /// The closest known id or alias to a misspelt one, for "did you mean".
    pub fn suggest(&self, id: &str) -> Option<&str> {
        suggest::closest(&id.to_ascii_lowercase(), self.rows.iter().flat_map(Language::words))
    }

    fn row(&self, id: &str) -> Option<&Language> {
        self.rows.iter().find(|row| row.id == id)
    }

    fn instead_of<'a>(&'a self, row: &'a Language) -> &'a Language {
        self.instead.get(&row.id).and_then(|id| self.row(id)).unwrap_or(row)
    }
}

impl Language {
    /// The commands that compile and run these files.
    pub fn commands(&self, input: &BuildInput) -> Result<Commands, LanguageError> {
        command::commands(self, input)
    }

    /// Whether a file of this name is a source file of it.
    pub fn has_source(&self, file: &Path) -> bool {
        file.extension().and_then(|extension| self.spelling(extension)).is_some()
    }

    /// An extension of this language as the table spells it: files may have it in any case of letters (`Py`), except that
    /// `C` means C++ and `c` means C.
    fn spelling(&self, extension: &OsStr) -> Option<&str> {
        let extension = extension.to_str()?;
        let is_exact = |known: &&String| *known == extension;
        let in_any_case = |known: &&String| {
            known.eq_ignore_ascii_case(extension) && ![known.as_str(), extension].contains(&CASE_MATTERS)
        };
        let known = self.extensions.iter().find(is_exact).or_else(|| self.extensions.iter().find(in_any_case));
        known.map(String::as_str)
    }

    /// What the package format calls it.
    pub fn code(&self) -> &str {
        self.code.as_deref().unwrap_or(&self.id)
    }

    /// The programs that must be found in PATH to compile and run a submission of plain files, without repetition.
    /// What a package of the language's own build tool needs, its [`Commands::tools`] tell.
    pub fn tools(&self) -> Vec<&str> {
        command::first_words(self.compile.iter().chain([&self.run]), |word| !word.contains('{'))
    }

    /// What to tell when one of [`Language::tools`] is not installed.
    pub fn not_found(&self, tool: &str) -> String {
        let install = &self.install;
        if install.is_empty() { format!("no {tool}") } else { format!("no {tool}: {install}") }
    }

    /// The id and the aliases.
    fn words(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.id.as_str()).chain(self.aliases.iter().map(String::as_str))
    }
}

#[cfg(test)]
mod tests;
