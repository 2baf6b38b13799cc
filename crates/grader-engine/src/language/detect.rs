//! Detects the language of a submission (package format 2025-09, "Languages"; problemtools' `languages.yaml`).

use std::ffi::OsStr;
use std::fmt;
use std::path::{Path, PathBuf};

use super::{Language, Languages, pattern};

/// The result of detecting the language of some files.
#[derive(Debug, Clone, PartialEq)]
pub enum Detection<'a> {
    /// The files belong to this language.
    One(&'a Language),
    /// No file belongs to a known language.
    None(NoLanguage),
}

/// The reason why no file belongs to a known language.
#[derive(Debug, Clone, PartialEq)]
pub enum NoLanguage {
    /// No file has an extension, or a first line that names an interpreter.
    NoSource,
    /// No known language has any of these extensions (without dot, sorted, each once): `h`, `txt`.
    Extensions(Vec<String>),
    /// The first line of a file names an unknown interpreter, or another version of a known one: `python2`.
    Interpreter {
        /// The file.
        file: PathBuf,
        /// The interpreter in the `#!` line, without directory.
        interpreter: String,
    },
    /// A file has the extension of a language, but its first line means another one, such as `.pl` with Prolog.
    Unlike {
        /// The file.
        file: PathBuf,
        /// The name, for people, of the language with that extension.
        language: String,
    },
}

impl fmt::Display for NoLanguage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSource => f.write_str("there is no source file"),
            Self::Extensions(extensions) => write!(f, "no known language has .{}", extensions.join(", .")),
            Self::Interpreter { file, interpreter } => {
                write!(f, "the first line of {} names `{interpreter}`, which is not a known language", file.display())
            }
            Self::Unlike { file, language } => {
                write!(f, "the beginning of {} does not look like {language}", file.display())
            }
        }
    }
}

impl Languages {
    /// Whether a file is a program in one of the languages, by its name.
    pub fn is_source(&self, path: &Path) -> bool {
        matches!(self.detect(&[path.to_owned()], &|_| None), Detection::One(_))
    }

    /// Returns the language of these files (paths relative to the submission's directory): the one with the most source
    /// files. If several languages have equally many, the one of highest priority wins. Headers do not count as source
    /// files. A language whose build file (`Cargo.toml`) stands at the top beside a source file of it wins outright.
    ///
    /// `beginning` is called for files that have no extension, or one that several languages share. A `#!` line then
    /// decides, or the fact that the text does not look like the language.
    pub fn detect(&self, files: &[PathBuf], beginning: &dyn Fn(&Path) -> Option<String>) -> Detection<'_> {
        let mut counts = vec![0_usize; self.rows.len()];
        for file in files {
            for index in self.claims(file, beginning) {
                counts[index] += 1;
            }
        }
        let is_project = |row: &Language| {
            row.project.as_ref().is_some_and(|project| files.iter().any(|file| file == Path::new(&project.marker)))
        };
        // `max_by_key` takes the last of equal rows. Rows descend in priority, so `rev` puts the highest priority last.
        let best = self.rows.iter().zip(counts).rev().filter(|(_, count)| *count > 0);
        match best.max_by_key(|(row, count)| (is_project(row), *count)) {
            Some((row, _)) => Detection::One(self.instead_of(row)),
            None => Detection::None(self.why_none(files, beginning)),
        }
    }

    /// The reason why no row matches any of these files: the first telling first line, or else the extensions.
    fn why_none(&self, files: &[PathBuf], beginning: &dyn Fn(&Path) -> Option<String>) -> NoLanguage {
        for file in files {
            let extension = file.extension();
            let row = extension.and_then(|extension| self.rows.iter().find(|row| row.has(extension)));
            if extension.is_some() && row.is_none() {
                continue;
            }
            let interpreter = beginning(file).as_deref().and_then(first_line).and_then(interpreter).map(str::to_owned);
            match (interpreter, row) {
                (Some(interpreter), _) => return NoLanguage::Interpreter { file: file.clone(), interpreter },
                (None, Some(row)) => return NoLanguage::Unlike { file: file.clone(), language: row.name.clone() },
                (None, None) => {}
            }
        }
        match extensions(files) {
            none if none.is_empty() => NoLanguage::NoSource,
            some => NoLanguage::Extensions(some),
        }
    }

    /// The indices of the rows for which `file` counts.
    fn claims(&self, file: &Path, beginning: &dyn Fn(&Path) -> Option<String>) -> Vec<usize> {
        let extension = file.extension();
        let by_extension: Vec<usize> = match extension {
            None => (0..self.rows.len()).collect(),
            Some(extension) => (0..self.rows.len()).filter(|index| self.rows[*index].has(extension)).collect(),
        };
        let may_be_another = by_extension.iter().any(|index| !self.rows[*index].unlike.is_empty());
        if by_extension.len() < 2 && !may_be_another {
            return by_extension;
        }
        let text = beginning(file).unwrap_or_default();
        let line = first_line(&text);
        // The table was checked when it was read.
        let fits = |unlike: &String| pattern(unlike).is_ok_and(|unlike| unlike.is_match(text.as_bytes()));
        let is_another = |index: &usize| self.rows[*index].unlike.iter().any(fits);
        let by_extension: Vec<usize> = by_extension.into_iter().filter(|index| !is_another(index)).collect();
        let named = line.and_then(interpreter).and_then(|interpreter| {
            let base = interpreter.split('.').next().unwrap_or(interpreter);
            let names =
                |word: &str| by_extension.iter().copied().find(|i| self.rows[*i].shebang.iter().any(|s| s == word));
            names(interpreter).or_else(|| names(base))
        });
        match (named, extension) {
            (Some(index), _) => vec![index],
            (None, Some(_)) if self.is_other_version(&by_extension, line) => Vec::new(),
            (None, Some(_)) => by_extension,
            (None, None) => Vec::new(),
        }
    }
}

impl Language {
    fn has(&self, extension: &OsStr) -> bool {
        self.spelling(extension).is_some()
    }
}

impl Languages {
    /// Whether a first line names another version of an interpreter of these rows: `python2`.
    fn is_other_version(&self, rows: &[usize], line: Option<&str>) -> bool {
        let Some(interpreter) = line.and_then(interpreter) else { return false };
        let bare = interpreter.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
        bare != interpreter && rows.iter().any(|index| self.rows[*index].shebang.iter().any(|known| known == bare))
    }
}

fn first_line(text: &str) -> Option<&str> {
    text.lines().next()
}

/// The program in a first line `#!…`, without its directory. Skips `env` and its options.
fn interpreter(line: &str) -> Option<&str> {
    let mut words = line.strip_prefix("#!")?.split_ascii_whitespace();
    let first = base_name(words.next()?);
    if first != "env" {
        return Some(first);
    }
    words.find(|word| !word.starts_with('-') && !word.contains('=')).map(base_name)
}

fn base_name(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

fn extensions(files: &[PathBuf]) -> Vec<String> {
    let mut seen: Vec<String> =
        files.iter().filter_map(|file| file.extension()).map(|e| e.to_string_lossy().into_owned()).collect();
    seen.sort();
    seen.dedup();
    seen
}
