//! Collects the source files of a program: its own files and the included files, with constants replaced.

use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::driver::CALLERS;
use crate::language::{Language, Languages};
use crate::problem::{Constants, DEFAULT_INCLUDE, IncludedFiles, Program, named};
use crate::sandbox::Workdir;
use crate::store::{KeyBuilder, Store};
use crate::unit_tests;

use super::libraries::Libraries;
use super::{Build, BuildOrder};

/// The largest source in which constants are replaced, in bytes.
const LARGEST: u64 = 16 << 20;

/// The files of one program, under their names in the build directory.
pub(super) struct Sources<'a> {
    /// Sorted by name.
    files: Vec<Source<'a>>,
    /// Files of the program that included files replaced.
    pub(super) replaced: Vec<PathBuf>,
    /// Files of others that they use.
    pub(super) libraries: Libraries,
}

/// A file of a program that cannot be read or copied.
#[derive(Debug, thiserror::Error)]
#[error("cannot copy {}: {source}", named(.path))]
pub struct SourceError {
    path: PathBuf,
    source: io::Error,
}

struct Source<'a> {
    name: PathBuf,
    from: PathBuf,
    included: bool,
    /// The constants to replace in it.
    constants: Option<&'a Constants>,
}

/// Why a submission cannot be judged whose function has to be called: its problem has drivers, and none for this language.
/// Without one, the program would run on its own and read arguments that are not meant for it.
pub(super) fn without_driver(order: &BuildOrder<'_>, languages: &Languages, language: &Language) -> Option<Build> {
    let include = &order.additions?.include;
    // Beside the driver of unit tests, there may be files of `include/`.
    let is_made = |of: &IncludedFiles| of.dir.parent().is_none_or(|dir| !dir.ends_with("include"));
    let is_driver = |of: &IncludedFiles, driver: &str| {
        of.files.iter().any(|file| file == Path::new(driver)) && (of.files.len() == 1 || is_made(of))
    };
    let builds_driver = |code: &str, driver: &str| include.get(code).is_some_and(|of| is_driver(of, driver));
    let has_tests = |row: &&Language| include.get(row.code()).is_some_and(|of| row.tests_among(&of.files).is_some());
    let driven = CALLERS.iter().filter(|of| builds_driver(of.code, of.driver)).map(|caller| caller.language);
    let driven: Vec<&str> = driven.chain(languages.iter().filter(has_tests).map(|row| &*row.name)).collect();
    let is_included = include.keys().any(|code| code == DEFAULT_INCLUDE || languages.is_code_of(code, language));
    let none = !driven.is_empty() && !is_included;
    none.then(|| Build::NoDriver {
        reason: format!("no driver calls functions in {}, only in {}", language.name, driven.join(", ")),
        advice: format!(
            "This exercise calls a function, which is not possible in {}. Submit a program in one of these languages: {}.",
            language.name,
            driven.join(", ")
        ),
    })
}

/// Why a program cannot be in the process of the unit tests that its problem includes, for its author.
pub(super) fn refusal(sources: &Sources<'_>, language: &Language) -> Option<String> {
    language.tests_among(&sources.included())?;
    let own = sources.files.iter().filter(|file| !file.included);
    let texts: Vec<_> = own.map(|file| (&*file.name, sources.text(&file.name).unwrap_or_default())).collect();
    let units: Vec<String> = sources.included().iter().filter_map(|name| sources.text(name)).collect();
    unit_tests::refusal(language.code(), &texts, &units)
}

/// Why the library of the unit tests among these files is not there.
pub(super) fn lacks_library(language: &Language, included: &[PathBuf]) -> Option<String> {
    let tests = language.tests_among(included)?;
    let is_there = |need: &PathBuf| need.exists() || included.iter().any(|file| file.extension() == need.extension());
    (!tests.needs.iter().all(is_there)).then(|| tests.missing.clone())
}

impl<'a> Sources<'a> {
    /// The program's own files; none if it has no files.
    pub(super) fn of(order: &BuildOrder<'a>) -> Option<Self> {
        let (dir, names) = match order.program {
            Program::Command(_) | Program::Outputs(_) | Program::PackedOutputs { .. } => return None,
            Program::File(path) | Program::Grammar(path) => (path.parent()?, vec![PathBuf::from(path.file_name()?)]),
            Program::Directory { path, files } | Program::Scripts { path, files } => (path.as_path(), files.clone()),
        };
        let constants = order.constants.filter(|constants| !constants.is_empty());
        let source = |name: PathBuf| Source { from: dir.join(&name), name, included: false, constants };
        Some(Self {
            files: names.into_iter().map(source).collect(),
            replaced: Vec::new(),
            libraries: Libraries::default(),
        })
    }

    /// Files of the user below a directory, for a build of their own program.
    pub(super) fn below(dir: &Path, names: Vec<PathBuf>) -> Self {
        let source = |name: PathBuf| Source { from: dir.join(&name), name, included: false, constants: None };
        Self { files: names.into_iter().map(source).collect(), replaced: Vec::new(), libraries: Libraries::default() }
    }

    /// Adds the files of the problem: those beside every program of the judge, and those that a submission includes for
    /// its language, first those for all languages, then those for this one.
    /// Each replaces a file of the same name (package format 2025-09, "Included files").
    pub(super) fn include(&mut self, order: &BuildOrder<'a>, languages: &Languages, language: &Language) {
        if let Some(beside) = order.beside {
            self.put_over(beside, None);
            self.files.sort_by(|a, b| a.name.cmp(&b.name));
        }
        let Some(additions) = order.additions else { return };
        let constants = Some(&additions.constants).filter(|constants| !constants.is_empty());
        let of_all = additions.include.get(DEFAULT_INCLUDE);
        let of_language = additions.include.iter().filter(|(code, _)| languages.is_code_of(code, language));
        for included in of_all.into_iter().chain(of_language.map(|(_, included)| included)) {
            self.put_over(included, constants);
        }
        self.files.sort_by(|a, b| a.name.cmp(&b.name));
    }

    fn put_over(&mut self, included: &IncludedFiles, constants: Option<&'a Constants>) {
        for (name, from) in included.files() {
            // A file cannot have the same name as a directory either. The folder of unit tests has only files of the problem.
            let is_of_tests = name.starts_with(unit_tests::FOLDER);
            let collides = |file: &Source<'_>| {
                let is_beside_tests = is_of_tests && !file.included && file.name.starts_with(unit_tests::FOLDER);
                file.name.starts_with(name) || name.starts_with(&file.name) || is_beside_tests
            };
            for taken in self.files.extract_if(.., |file| collides(file)).filter(|taken| !taken.included) {
                self.replaced.push(taken.name);
            }
            self.files.push(Source { name: name.to_owned(), from, included: true, constants });
        }
    }

    /// The names of all files, sorted.
    pub(super) fn names(&self) -> Vec<PathBuf> {
        self.files.iter().map(|file| file.name.clone()).collect()
    }

    /// The names of the included files.
    pub(super) fn included(&self) -> Vec<PathBuf> {
        self.files.iter().filter(|file| file.included).map(|file| file.name.clone()).collect()
    }

    /// The path of a file, whose constants are not replaced.
    pub(super) fn place(&self, name: &Path) -> Option<&Path> {
        self.files.iter().find(|file| file.name == name).map(|file| file.from.as_path())
    }

    /// Returns an error for the first file that cannot be read. Without it, the language and the file to start are
    /// unknown. That is not the fault of the submission.
    pub(super) fn check(&self) -> Result<(), SourceError> {
        self.files.iter().try_for_each(|file| fs::File::open(&file.from).map(drop).map_err(|error| file.error(error)))
    }

    /// The text of a file; none if its constants cannot be replaced. Copying the file reports that error.
    pub(super) fn text(&self, name: &Path) -> Option<String> {
        let file = self.files.iter().find(|file| file.name == name)?;
        let bytes = file.bytes().ok()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// Adds everything that a build depends on to a key.
    pub(super) fn key(&self, mut key: KeyBuilder, store: &Store, scripted: bool) -> Result<KeyBuilder, SourceError> {
        for file in &self.files {
            let digest = store.digest_file(&file.from).map_err(|error| file.error(error))?;
            key = key.field("file", file.name.as_os_str().as_encoded_bytes()).field("content", digest.as_bytes());
            if scripted {
                key = key.field("executable", [u8::from(is_executable(&file.from))]);
            }
            for (name, value) in file.constants.into_iter().flat_map(Constants::iter) {
                key = key.field("constant", name).field("value", value);
            }
        }
        let libraries = self.libraries.files();
        for (file, digest) in libraries.iter().zip(store.digest_files(&libraries)) {
            let digest = digest.map_err(|source| SourceError { path: file.clone(), source })?;
            key = key.field("library", file.as_os_str().as_encoded_bytes()).field("content", digest.as_bytes());
        }
        for (name, text) in self.libraries.texts() {
            key = key.field("library", name.as_os_str().as_encoded_bytes()).field("content", text);
        }
        Ok(key)
    }

    /// Copies the files into the build directory, some under other names.
    pub(super) fn put(&self, workdir: &Workdir, rename: &[(PathBuf, PathBuf)]) -> Result<(), SourceError> {
        for file in &self.files {
            let name = rename.iter().find(|(from, _)| *from == file.name).map_or(&file.name, |(_, to)| to);
            let put = match file.constants {
                None => workdir.put(name, &file.from),
                Some(_) => file.bytes().and_then(|bytes| workdir.put_bytes(name, &bytes, is_executable(&file.from))),
            };
            put.map_err(|error| file.error(error))?;
        }
        for (name, from) in self.libraries.copies() {
            workdir.put(&name, from).map_err(|source| SourceError { path: from.to_owned(), source })?;
        }
        for (name, text) in self.libraries.texts() {
            let put = workdir.put_bytes(&name, text.as_bytes(), false);
            put.map_err(|source| SourceError { path: name, source })?;
        }
        Ok(())
    }
}

impl Source<'_> {
    fn bytes(&self) -> io::Result<Vec<u8>> {
        let Some(constants) = self.constants else { return fs::read(&self.from) };
        if fs::metadata(&self.from)?.len() > LARGEST {
            return Err(io::Error::other("too large for constants to be replaced in it"));
        }
        let bytes = fs::read(&self.from)?;
        Ok(constants.replace(&bytes).map_err(io::Error::other)?.into_owned())
    }

    fn error(&self, source: io::Error) -> SourceError {
        SourceError { path: self.from.clone(), source }
    }
}

/// Whether the owner of a file may execute it. A missing file is reported when it is copied.
pub(super) fn is_executable(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o100 != 0)
}
