//! The table of languages: detects the language of a submission, and builds the commands that compile and run it.
//!
//! Languages are data: the embedded table (`languages.toml` of grader-package, `program_files::LANGUAGES`), changed and
//! extended by the `[language]` table of `grader.toml`. This module owns the detection and the command templates. It does
//! no I/O (file texts come through arguments), starts no program, and must not know sandboxes, verdicts or packages.

mod command;
mod detect;
mod install;
mod mainclass;
mod manifest;
mod markdown;
mod row_reader;
mod template;

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use regex::bytes::{Regex, RegexBuilder};
use serde::Serialize;

use crate::limits::Bytes;
use crate::program_files::{FAMILY_KEYS, LANGUAGES};
use crate::suggest;

pub use command::Commands;
pub use detect::{Detection, NoLanguage};
pub use install::{Installation, PackageManager};
pub use markdown::markdown;

/// The files to build.
pub struct BuildInput<'a> {
    /// The absolute directory where the sources have been copied; compile commands run in it.
    pub dir: &'a Path,
    /// All files, relative to `dir`, sorted.
    pub files: &'a [PathBuf],
    /// The files that the problem includes.
    pub included: &'a [PathBuf],
    /// The memory limit of a run.
    pub memory: Bytes,
    /// Whether the limit is for the heap alone, if the runtime has a heap.
    pub heap_alone: bool,
    /// Returns the text of a file by its relative path. Called for the main class, for build files, and where the names
    /// of several sources do not show which one starts.
    pub read: &'a dyn Fn(&Path) -> Option<String>,
    /// The file or class that `submissions.yaml` names as entry point.
    pub entry_point: Option<&'a str>,
}

/// The only extension whose case selects the language: C++ and not C.
const CASE_MATTERS: &str = "C";

/// All languages, after merging the configuration.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Languages {
    /// By descending priority, then by id.
    rows: Vec<Language>,
    /// The dialects of the rows, which are taken only by name.
    dialects: Vec<Language>,
    /// Replacements from `[language] python = "pypy3"`: files detected as the key (an id) use the value (an id).
    instead: BTreeMap<String, String>,
    /// The rows (ids) that the configuration mentions.
    stated: BTreeSet<String>,
}

/// One row of the table. The head of `languages.toml` describes the keys.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Language {
    /// The unique name in settings and reports: `cpp`.
    pub id: String,
    /// The name for people: `C++`.
    pub name: String,
    /// Its name in the package format, if that differs from the id (appendix "Languages" of the format): `python3` for
    /// PyPy.
    pub code: Option<String>,
    /// Other words that `--lang` and `submissions.yaml` may use, lower case.
    pub aliases: Vec<String>,
    /// Extensions of source files, without dot. The case of letters does not matter, except that `C` is C++ and `c` is
    /// C.
    pub extensions: Vec<String>,
    /// Interpreters whose name in a first line `#!…` selects this language.
    pub shebang: Vec<String>,
    /// Patterns of texts in another language with the same extension.
    pub unlike: Vec<String>,
    /// Preferred names of the main file, relative to the submission's directory.
    pub main: Vec<String>,
    /// Patterns of the names of source files that its tools ignore or read in another way. Such files are built under
    /// other names.
    pub special_names: Vec<String>,
    /// Whether the sources are compiled in the order in which they use each other.
    pub ordered: bool,
    /// How to find the class to start; none if a file is started.
    pub main_class: Option<MainClass>,
    /// Decides between languages with equally many files; the higher priority wins.
    pub priority: i64,
    /// Compile steps as templates; empty if the language has none.
    pub compile: Vec<Vec<String>>,
    /// An additional compile step, used if no class with `main` is found in the sources; empty if the run reports that.
    pub without_main: Vec<String>,
    /// A header that is compiled once, where it is the first thing in the sources that name it.
    pub precompiled: Option<String>,
    /// The name and text of a program: the compiler's classes are archived while it is compiled.
    pub class_archive: Option<[String; 2]>,
    /// The words that each compile step gets for a build with sanitizers; empty if the tools have none.
    pub sanitize: Vec<String>,
    /// How to find the lines that a program executes; none if the tools cannot say it.
    pub coverage: Option<Coverage>,
    /// Patterns of the lines with which the tools report that a signal ended one of their processes. None: the patterns
    /// are unknown. Empty: the tools start no processes.
    pub killed: Option<Vec<String>>,
    /// The run command as template.
    pub run: Vec<String>,
    /// The command that prints the version. The version is part of every cache key.
    pub version: Vec<String>,
    /// How to install it.
    pub install: Installation,
    /// How a program flushes its output, for people: `fflush(stdout)`; empty if no call is needed.
    pub flush: String,
    /// Whether the project's own tests (`tests/real.rs`) run a program in it successfully.
    pub tested: bool,
    /// Environment of compile and run, as templates.
    pub env: BTreeMap<String, String>,
    /// The least number of processes and threads that a run needs, if that may exceed the limit.
    pub processes: Option<u32>,
    /// Whether the sources are also in the working directory of a run.
    pub siblings: bool,
    /// The part of the memory limit, in MiB, that `{memlim}` leaves to the runtime.
    pub memory_reserve: u64,
    /// The MiB that the runtime gets in addition to the memory limit, if the judge gives the whole limit to the heap
    /// (`{memlim}`). 0 for runtimes that no judge treats in this way.
    pub memory_beside: u64,
    /// The row (an id) that the judges of packages use instead.
    pub in_packages: Option<String>,
    /// The rows (ids) that are used if its own tools are not installed, in order.
    pub otherwise: Vec<String>,
    /// How its tools find libraries: an option of each compile step (`-I`), or a variable (`PYTHONPATH`).
    /// Empty if they are unknown.
    pub library: String,
    /// The library folders that `grader.toml` names. Absolute.
    pub include: Vec<PathBuf>,
    /// How a directory with the language's own build file is built.
    pub project: Option<Project>,
    /// How a program is built whose problem has unit tests that run in its process. The problem includes the marker.
    pub tests: Option<Project>,
    /// The words that each compile step gets for a dialect, by its name: `cpp17`.
    pub dialects: BTreeMap<String, Vec<String>>,
    /// The row (an id) of which this is a dialect. Reports and limits name that row.
    pub dialect_of: Option<String>,
}

impl Language {
    /// How to build a program beside which the problem includes these files, if unit tests run in its process.
    pub fn tests_among(&self, included: &[PathBuf]) -> Option<&Project> {
        self.tests.as_ref().filter(|tests| included.contains(&PathBuf::from(&tests.marker)))
    }

    /// The id in reports, settings and limits.
    pub fn reported_id(&self) -> &str {
        self.dialect_of.as_ref().unwrap_or(&self.id)
    }
}

/// How to find the name of the class to start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum MainClass {
    /// The class with a `main` method.
    Java,
    /// The class that Kotlin creates for the file with `fun main`.
    Kotlin,
}

/// A directory that is built by other commands than plain sources.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Project {
    /// The file in the directory that marks it: `Cargo.toml`.
    pub marker: String,
    /// Compile steps as templates.
    pub compile: Vec<Vec<String>>,
    /// The run command as template.
    pub run: Vec<String>,
    /// Files of a library that must be there, unless the directory has a file with the same ending.
    pub needs: Vec<PathBuf>,
    /// The message if they are not, with a remedy.
    pub missing: String,
}

/// A mistake in the `[language]` table of a configuration.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct TableMistake {
    /// The keys that lead to the mistake, below `[language]`, as written.
    pub path: Vec<String>,
    /// The mistake, with a remedy.
    pub message: String,
}

/// An error in the files of a submission.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LanguageError {
    /// A file name is not UTF-8, so it cannot be part of a command line.
    #[error("{file}: the file name is not UTF-8; rename it")]
    FileName {
        /// The name, as far as it can be shown.
        file: String,
    },
    /// None of the files is a source of the language.
    #[error("no {language} file (.{extensions}) among {seen}")]
    NoSource {
        /// The language's name.
        language: String,
        /// Its extensions.
        extensions: String,
        /// The existing files.
        seen: String,
    },
    /// The named entry point does not exist.
    #[error("entry point `{entry}`: no such {language} file; there are {files}")]
    EntryPoint {
        /// The entry point that was named.
        entry: String,
        /// The language's name.
        language: String,
        /// The possible files.
        files: String,
    },
    /// A build file does not say which program it builds.
    #[error("{file}: {problem}")]
    Manifest {
        /// The build file.
        file: PathBuf,
        /// The error, with a remedy.
        problem: String,
    },
}

impl LanguageError {
    /// Whether the submission is at fault (its author gets a compile error), and not the settings or the package.
    pub fn blames_submission(&self) -> bool {
        matches!(self, Self::FileName { .. } | Self::NoSource { .. } | Self::Manifest { .. })
    }
}

/// Compiles a pattern of `killed`. It matches bytes, because tools may print text that is not UTF-8.
///
/// # Errors
/// The text is not a regular expression.
pub fn pattern(text: &str) -> Result<Regex, regex::Error> {
    RegexBuilder::new(text).unicode(false).build()
}

impl Languages {
    /// Returns the embedded table without any configuration.
    ///
    /// # Panics
    /// If the embedded table is malformed, which the tests rule out.
    pub fn builtin() -> Self {
        let mut table = LANGUAGES.clone();
        // A row without `run` only names a family.
        table.retain(|_, row| row.get("run").is_some());
        for row in table.iter_mut().filter_map(|(_, row)| row.as_table_mut()) {
            row.retain(|key, _| !FAMILY_KEYS.contains(&key));
        }
        let empty = Self { rows: Vec::new(), dialects: Vec::new(), instead: BTreeMap::new(), stated: BTreeSet::new() };
        let languages = empty.with_overrides(&table).expect("the embedded table is well-formed");
        Self { stated: BTreeSet::new(), ..languages }
    }

    /// Merges the `[language]` table of a configuration into this table, key by key.
    ///
    /// `[language.<id or alias>]` changes a row or, with at least `extensions` and `run`, adds one. `[language] python
    /// = "pypy3"` runs files detected as one language with the other.
    ///
    /// # Errors
    /// Every mistake in the table. If there is one, no part of the table is used.
    pub fn with_overrides(self, overrides: &toml::Table) -> Result<Self, Vec<TableMistake>> {
        row_reader::overlay(self, overrides)
    }

    /// Finds the language with this id or alias, in any case. An id selects exactly that row; an alias (`python`)
    /// follows `[language] python = "pypy3"`.
    pub fn get(&self, id: &str) -> Option<&Language> {
        let id = id.to_ascii_lowercase();
        if let Some(row) = self.row(&id) {
            return Some(row);
        }
        let row = self.rows.iter().find(|row| row.aliases.contains(&id))?;
        Some(self.instead_of(row))
    }

    /// Finds the language that a package names by a code of the format. It follows `[language] python = "pypy3"`, like
    /// an alias.
    pub fn get_code(&self, code: &str) -> Option<&Language> {
        self.get(code).map(|row| self.instead_of(row))
    }

    /// The language with which the judges of packages run submissions in `language`. None if it is the same row, or if
    /// the configuration mentions this row.
    pub fn in_packages(&self, language: &Language) -> Option<&Language> {
        let is_stated = self.stated.contains(&language.id);
        language.in_packages.as_ref().filter(|_| !is_stated).and_then(|id| self.row(id))
    }

    /// The rows that run programs of a language if its own tools are not installed, in order.
    pub fn otherwise<'l>(&'l self, language: &'l Language) -> impl Iterator<Item = &'l Language> {
        language.otherwise.iter().filter_map(|id| self.row(id))
    }

    /// The id of the row that `[language.<word>]` changes.
    pub fn id_of(&self, word: &str) -> Option<&str> {
        let word = word.to_ascii_lowercase();
        self.rows.iter().find(|row| row.words().any(|known| known == word)).map(|row| row.id.as_str())
    }

    /// Whether files that a package provides for the language of this code suit `language`: the same language, or
    /// another implementation of it (`pypy3` for `python3`).
    pub fn is_code_of(&self, code: &str, language: &Language) -> bool {
        self.get(code).is_some_and(|meant| meant.id == language.id || meant.extensions == language.extensions)
    }

    /// Every language, by descending priority.
    pub fn iter(&self) -> impl Iterator<Item = &Language> {
        self.rows.iter()
    }

    /// The known id or alias closest to a misspelt one, for "did you mean".
    pub fn suggest(&self, id: &str) -> Option<&str> {
        suggest::closest(&id.to_ascii_lowercase(), self.rows.iter().chain(&self.dialects).flat_map(Language::words))
    }

    fn row(&self, id: &str) -> Option<&Language> {
        self.rows.iter().chain(&self.dialects).find(|row| row.id == id)
    }

    fn instead_of<'a>(&'a self, row: &'a Language) -> &'a Language {
        self.instead.get(&row.id).and_then(|id| self.row(id)).unwrap_or(row)
    }
}

/// How to find the lines that a program executes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Coverage {
    /// The tool that reads the data that the program leaves.
    pub tool: CoverageTool,
    /// The words at the end of each compile step; for `trace`, those after the interpreter.
    pub words: Vec<String>,
}

/// The tool that reads the data about executed lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CoverageTool {
    /// GCC's `gcov`: a data file for each source.
    Gcov,
    /// LLVM's `llvm-profdata` and `llvm-cov`: one data file.
    LlvmCov,
    /// Python's module `trace`: a text for each source.
    Trace,
}

impl CoverageTool {
    /// Each tool with its name in the table.
    pub const ALL: [(&str, Self); 3] = [("gcov", Self::Gcov), ("llvm-cov", Self::LlvmCov), ("trace", Self::Trace)];

    /// The variables with which a program leaves its data in the working directory ("Cross-profiling" in GCC's manual;
    /// "Source-based Code Coverage" in that of clang).
    fn environment(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Gcov => &[("GCOV_PREFIX", "."), ("GCOV_PREFIX_STRIP", "99")],
            Self::LlvmCov => &[("LLVM_PROFILE_FILE", "lines.profraw")],
            Self::Trace => &[],
        }
    }
}

impl Language {
    /// Builds the commands that compile and run these files.
    pub fn commands(&self, input: &BuildInput) -> Result<Commands, LanguageError> {
        command::commands(self, input)
    }

    /// The same language with programs that record which of their lines they execute; none if its tools cannot do it.
    pub fn covered(&self) -> Option<Self> {
        let Coverage { tool, words } = self.coverage.as_ref()?;
        let mut row = self.clone();
        match tool {
            CoverageTool::Gcov | CoverageTool::LlvmCov => {
                row.compile.iter_mut().for_each(|step| step.extend(words.iter().cloned()));
            }
            CoverageTool::Trace => {
                let after_interpreter = row.run.len().min(1);
                row.run.splice(after_interpreter..after_interpreter, words.iter().cloned());
            }
        }
        let own = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        row.env.extend(tool.environment().iter().map(own));
        // The header would be compiled once more for these flags, and is used by few programs.
        row.precompiled = None;
        Some(row)
    }

    /// The same language with its programs built with sanitizers, and with these environment variables; none if it has
    /// no sanitizers.
    pub fn sanitized(&self, env: &[(&str, String)]) -> Option<Self> {
        let mut row = self.clone();
        if row.sanitize.is_empty() {
            return None;
        }
        for step in &mut row.compile {
            // No sanitizer works in a static program.
            step.retain(|word| word != "-static");
            step.extend(row.sanitize.iter().cloned());
        }
        row.env.extend(env.iter().map(|(name, value)| ((*name).to_owned(), value.clone())));
        // The header would be compiled once more for these flags, and is used by few programs.
        row.precompiled = None;
        Some(row)
    }

    /// Whether a file with this name is a source file of the language.
    pub fn has_source(&self, file: &Path) -> bool {
        file.extension().and_then(|extension| self.spelling(extension)).is_some()
    }

    /// Returns an extension of this language as spelt in the table. Files may have it in any case (`Py`), except that
    /// `C` is C++ and `c` is C.
    fn spelling(&self, extension: &OsStr) -> Option<&str> {
        let extension = extension.to_str()?;
        let is_exact = |known: &&String| *known == extension;
        let in_any_case = |known: &&String| {
            known.eq_ignore_ascii_case(extension) && ![known.as_str(), extension].contains(&CASE_MATTERS)
        };
        let known = self.extensions.iter().find(is_exact).or_else(|| self.extensions.iter().find(in_any_case));
        known.map(String::as_str)
    }

    /// Its name in the package format.
    pub fn code(&self) -> &str {
        self.code.as_deref().unwrap_or(&self.id)
    }

    /// The programs that must be in PATH to compile and run a submission of plain files, without repetition. For a
    /// project of the language's own build tool, see [`Commands::tools`].
    pub fn tools(&self) -> Vec<&str> {
        command::first_words(self.compile.iter().chain([&self.run]), |word| !word.contains('{'))
    }

    /// The message if one of [`Language::tools`] is not installed on a machine with this package manager.
    pub fn not_found(&self, tool: &str, manager: Option<PackageManager>) -> String {
        match &*self.install.advice(manager) {
            "" => format!("no {tool}"),
            advice => format!("no {tool}: {advice}"),
        }
    }

    /// The id and the aliases.
    fn words(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.id.as_str()).chain(self.aliases.iter().map(String::as_str))
    }
}

#[cfg(test)]
mod tests;
