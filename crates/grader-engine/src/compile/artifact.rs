//! The result of a build: a program that can run.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;

use crate::language::CoverageTool;
use crate::limits::Bytes;
use crate::problem::Protocol;
use crate::sandbox::Sight;
use crate::store::Key;

use super::{COMMAND, KeptBuild, OUTPUTS};

/// A program that can run.
#[derive(Debug, Clone)]
pub struct Artifact {
    /// The command; the first word is absolute.
    pub argv: Vec<OsString>,
    /// The environment variables that it needs.
    pub env: Vec<(OsString, OsString)>,
    /// The protocol by which it judges, if it is a judging program.
    pub protocol: Protocol,
    /// The language's id; `command` for `-c`.
    pub language: String,
    /// The version line of the compiler or interpreter.
    pub version: String,
    /// The path of the compiler or interpreter, if it is known.
    pub place: Option<PathBuf>,
    /// Memory that its runtime may use in addition to the memory limit.
    pub memory_beside: Bytes,
    /// A description of the compiler or interpreter that judges of packages would use, if it is not installed here.
    pub missing: Option<String>,
    /// Which of several classes it starts, if the choice is a guess.
    pub class_choice: Option<String>,
    /// The least number of processes and threads that the runtime needs.
    pub processes: u32,
    /// The key of the program in all caches.
    pub key: Key,
    /// The files that it must be able to see when it runs.
    pub sight: Sight,
    /// The directory of the host in which it runs with the user's own rights; none if it runs in a box.
    pub desk: Option<PathBuf>,
    /// Files other than sources that it finds in its working directory: included files and its own data.
    pub companions: Vec<PathBuf>,
    /// The file or class to start.
    pub entry_point: String,
    /// New names that the build gave to files of the program.
    pub renamed: Vec<PathBuf>,
    /// Files of the program that were replaced by files of the problem.
    pub replaced: Vec<PathBuf>,
    /// The names of the program's files, if it was built with sanitizers.
    pub sanitized: Option<Arc<[PathBuf]>>,
    /// The tool that reads the lines that it executes, if it was built for that.
    pub coverage: Option<CoverageTool>,
    /// The folder with the files of the program, as the program sees it. None for a command.
    pub folder: Option<PathBuf>,
    /// The directory of the build, which may be temporary and then lives as long as this value. None for a command.
    pub(super) home: Option<crate::store::Artifact<KeptBuild>>,
}

impl Artifact {
    /// The program under a protocol. Its answers are cached under that protocol.
    pub(super) fn under(self, protocol: Protocol) -> Self {
        let key = match protocol {
            Protocol::Icpc | Protocol::Checktestdata => self.key,
            Protocol::Testlib(_) | Protocol::Cms | Protocol::Dmoj(_) => {
                Key::of("protocol v1").field("program", self.key.as_bytes()).field("name", protocol.name()).finish()
            }
        };
        Self { protocol, key, ..self }
    }

    /// Whether this is a set of outputs and not a program.
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

    /// Returns every file in the build directory, sources and results, with its name there and its path.
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

    /// Whether it is a shell command. The files that it reads are unknown, so its results are never cached.
    pub fn is_command(&self) -> bool {
        self.language == COMMAND
    }
}

impl Artifact {
    /// Creates an artifact that needs no build, or that stands for no program.
    pub(super) fn without_files(language: &str, argv: Vec<OsString>, env: Vec<(OsString, OsString)>, key: Key) -> Self {
        Self {
            argv,
            env,
            protocol: Protocol::default(),
            language: language.to_owned(),
            version: String::new(),
            place: None,
            memory_beside: Bytes(0),
            missing: None,
            class_choice: None,
            processes: 0,
            key,
            sight: Sight::default(),
            desk: None,
            companions: Vec::new(),
            entry_point: String::new(),
            renamed: Vec::new(),
            replaced: Vec::new(),
            sanitized: None,
            coverage: None,
            folder: None,
            home: None,
        }
    }
}

#[cfg(test)]
impl Artifact {
    /// Creates an artifact for tests that run nothing.
    pub(crate) fn for_tests() -> Self {
        Self::without_files("", Vec::new(), Vec::new(), Key::of("test").finish())
    }
}
