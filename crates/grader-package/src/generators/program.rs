//! Finds generators and solutions, only inside the problem's directory.

use std::path::{Component, Path, PathBuf};

use crate::document::{is_there, stays_in};
use crate::programs::program_at;
use grader_model::problem::Program;
use grader_model::suggest;

/// A generator in source form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GeneratorProgram {
    /// The source.
    pub program: Program,
    /// The file to start, if several are possible.
    pub entry_point: Option<String>,
}

/// Why a program cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ProgramError {
    /// The file or directory does not exist.
    #[error("there is no {path}{hint}")]
    Missing {
        /// The path from the problem's directory.
        path: String,
        /// `; did you mean …?`
        hint: String,
    },
    /// The path leads out of the problem's directory.
    #[error("`{0}` is outside the problem's directory")]
    Outside(String),
    /// A named pipe, a device or a socket. Opening one may wait forever.
    #[error("{0} is neither a file nor a directory")]
    Special(String),
    /// The program cannot be read.
    #[error("cannot read {path}")]
    Io {
        /// The path.
        path: String,
        /// The cause.
        #[source]
        source: std::io::Error,
    },
}

/// Finds a program of `generators/` by its name, or a file directly in the problem's directory, as in a plain folder.
pub(super) fn find(dir: &Path, named: &[(String, Vec<PathBuf>)], name: &str) -> Result<GeneratorProgram, ProgramError> {
    if let Some((_, files)) = named.iter().find(|(key, _)| key == name) {
        return put_together(dir, files);
    }
    match below(dir, Path::new(name)) {
        Ok(program) => Ok(GeneratorProgram { program, entry_point: None }),
        Err(ProgramError::Missing { .. }) => {
            if let Some(Ok(program @ Program::File(_))) = dir.parent().map(|beside| below(beside, Path::new(name))) {
                return Ok(GeneratorProgram { program, entry_point: None });
            }
            let hint = nearest(dir, named, name);
            Err(ProgramError::Missing { path: format!("generator `{name}`"), hint })
        }
        Err(error) => Err(error),
    }
}

/// Creates a program from files of `generators/`. The first file is the one to start.
fn put_together(dir: &Path, files: &[PathBuf]) -> Result<GeneratorProgram, ProgramError> {
    let mut list = Vec::new();
    for file in files {
        match below(dir, file)? {
            Program::Directory { files, .. } => list.extend(files.iter().map(|inner| file.join(inner))),
            _ => list.push(file.clone()),
        }
    }
    let entry_point = list.first().and_then(|first| first.to_str()).map(str::to_owned);
    list.sort();
    list.dedup();
    let program = match &*list {
        [one] => Program::File(dir.join(one)),
        _ => Program::Directory { path: dir.to_owned(), files: list },
    };
    Ok(GeneratorProgram { entry_point: entry_point.filter(|_| files.len() > 1), program })
}

/// The program at a relative path. Links must not lead out of `dir`.
pub(crate) fn below(dir: &Path, path: &Path) -> Result<Program, ProgramError> {
    let shown = || path.display().to_string();
    if !is_inner(path) {
        return Err(ProgramError::Outside(shown()));
    }
    let full = dir.join(path);
    let io = |source| ProgramError::Io { path: shown(), source };
    if !is_there(&full) {
        return Err(ProgramError::Missing { path: shown(), hint: String::new() });
    }
    if !stays_in(dir, &full).map_err(io)? {
        return Err(ProgramError::Outside(shown()));
    }
    let kind = std::fs::metadata(&full).map_err(io)?.file_type();
    if !kind.is_file() && !kind.is_dir() {
        return Err(ProgramError::Special(shown()));
    }
    program_at(&full).map_err(io)
}

/// Whether a path consists of names only.
pub(crate) fn is_inner(path: &Path) -> bool {
    path.components().next().is_some() && path.components().all(|part| matches!(part, Component::Normal(_)))
}

/// A suggestion for a misspelt name: a similar name, or the file with this name and an extension.
fn nearest(dir: &Path, named: &[(String, Vec<PathBuf>)], name: &str) -> String {
    // This only suggests a name, so an unreadable directory does not matter.
    let entries = std::fs::read_dir(dir).into_iter().flatten().flatten();
    let mut known: Vec<String> = entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    known.retain(|file| file != "generators.yaml");
    known.extend(named.iter().map(|(key, _)| key.clone()));
    known.sort();
    let stem = known.iter().find(|file| Path::new(file).file_stem().is_some_and(|stem| stem == name));
    match stem {
        Some(file) => format!("; did you mean `{file}`?"),
        None => suggest::hint(name, known.iter().map(String::as_str)),
    }
}
