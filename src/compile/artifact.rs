//! The result of a build: something that can be run.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::limits::Bytes;
use crate::sandbox::Sight;
use crate::store::Key;

use super::{COMMAND, Kept, OUTPUTS};

/// Something that can be run.
#[derive(Debug, Clone)]
pub struct Artifact {
    /// The command; the first word is absolute.
    pub argv: Vec<OsString>,
    /// What the environment must hold.
    pub env: Vec<(OsString, OsString)>,
    /// Whether it is a grammar with its interpreter, which accepts with 0 and rejects with 1.
    pub is_grammar: bool,
    /// The language's id; `command` for `-c`.
    pub language: String,
    /// What the compiler or interpreter calls itself.
    pub version: String,
    /// The path of the compiler or interpreter, if it is known.
    pub place: Option<PathBuf>,
    /// Memory that its runtime may use in addition to the memory limit.
    pub memory_beside: Bytes,
    /// A description of the compiler or interpreter that judges of packages would use, if it is not installed here.
    pub missing: Option<String>,
    /// The run-time system needs at least this many processes and threads.
    pub processes: u32,
    /// Stands for the program in every cache key.
    pub key: Key,
    /// What it has to see when it runs.
    pub sight: Sight,
    /// Files, other than its sources, that it finds in its working directory: included ones and data of its own.
    pub companions: Vec<PathBuf>,
    /// The file or class to start.
    pub entry_point: String,
    /// Names that the build gave to files of the program instead of their own.
    pub renamed: Vec<PathBuf>,
    /// Files of the program that files of the problem have replaced.
    pub replaced: Vec<PathBuf>,
    /// The directory of the build, which may be a temporary one that lives no longer than this; none for a command.
    pub(super) home: Option<crate::store::Artifact<Kept>>,
}

impl Artifact {
    /// Whether this is no program, but a set of outputs to judge.
    pub fn is_outputs(&self) -> bool {
        self.language == OUTPUTS
    }

    /// Returns the companions that still exist after the build (which may remove files): their names in the working
    /// directory, and their paths.
    pub fn companions(&self) -> impl Iterator<Item = (PathBuf, PathBuf)> {
        let home = self.home.as_ref().filter(|_| !self.companions.is_empty());
        let all =
            home.into_iter().flat_map(|home| self.companions.iter().map(|name| (name.clone(), home.dir.join(name))));
        all.filter(|(_, from)| from.is_file())
    }

    /// Every file in the directory of the build, by its name there and where it is: sources and what was made of them.
    ///
    /// # Errors
    /// The directory cannot be read.
    pub fn made(&self) -> std::io::Result<Vec<(PathBuf, PathBuf)>> {
        let Some(home) = &self.home else { return Ok(Vec::new()) };
        let mut made = Vec::new();
        for entry in walkdir::WalkDir::new(&home.dir) {
            let entry = entry?;
            if entry.file_type().is_file() {
                let name = entry.path().strip_prefix(&home.dir).map_err(std::io::Error::other)?;
                made.push((name.to_owned(), entry.path().to_owned()));
            }
        }
        Ok(made)
    }

    /// Whether it is a shell command. Nobody knows which files a shell command reads, so nothing of it is ever cached.
    pub fn is_command(&self) -> bool {
        self.language == COMMAND
    }
}

impl Artifact {
    /// A program that is not built, or none at all.
    pub(super) fn without_files(language: &str, argv: Vec<OsString>, env: Vec<(OsString, OsString)>, key: Key) -> Self {
        Self {
            argv,
            env,
            is_grammar: false,
            language: language.to_owned(),
            version: String::new(),
            place: None,
            memory_beside: Bytes(0),
            missing: None,
            processes: 0,
            key,
            sight: Sight::default(),
            companions: Vec::new(),
            entry_point: String::new(),
            renamed: Vec::new(),
            replaced: Vec::new(),
            home: None,
        }
    }
}

#[cfg(test)]
impl Artifact {
    /// Something that could be run, for tests that run nothing.
    pub(crate) fn for_tests() -> Self {
        Self::without_files("", Vec::new(), Vec::new(), Key::of("test").finish())
    }
}
