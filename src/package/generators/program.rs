//! The programs that make and answer: found inside the problem's directory, and nowhere else.

use std::path::{Component, Path, PathBuf};

use crate::package::document::is_there;
use crate::package::programs::program_at;
use crate::problem::Program;
use crate::suggest;

/// A generator in source form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct GeneratorProgram {
    /// The source.
    pub program: Program,
    /// The file that is run, where several could be meant.
    pub entry_point: Option<String>,
}

/// Why there is no such program.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ProgramError {
    /// No such file or directory.
    #[error("there is no {path}{hint}")]
    Missing {
        /// The path, from the problem's directory.
        path: String,
        /// `; did you mean …?`
        hint: String,
    },
    /// It leads out of the problem's directory.
    #[error("`{0}` is outside the problem's directory")]
    Outside(String),
    /// It cannot be read.
    #[error("cannot read {path}")]
    Io {
        /// The path.
        path: String,
        /// The cause.
        #[source]
        source: std::io::Error,
    },
}

/// The program of `generators/` that a name means.
pub(super) fn find(dir: &Path, named: &[(String, Vec<PathBuf>)], name: &str) -> Result<GeneratorProgram, ProgramError> {
    if let Some((_, files)) = named.iter().find(|(key, _)| key == name) {
        return put_together(dir, files);
    }
    match below(dir, Path::new(name)) {
        Ok(program) => Ok(GeneratorProgram { program, entry_point: None }),
        Err(ProgramError::Missing { .. }) => {
            let hint = nearest(dir, named, name);
            Err(ProgramError::Missing { path: format!("generator `{name}`"), hint })
        }
        Err(error) => Err(error),
    }
}

/// A program of files of `generators/`, the first of which is run.
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

/// The program at a relative path; links must not lead out of `dir`.
pub(super) fn below(dir: &Path, path: &Path) -> Result<Program, ProgramError> {
    let shown = || path.display().to_string();
    if !is_inner(path) {
        return Err(ProgramError::Outside(shown()));
    }
    let full = dir.join(path);
    let io = |source| ProgramError::Io { path: shown(), source };
    if !is_there(&full) {
        return Err(ProgramError::Missing { path: shown(), hint: String::new() });
    }
    let (inside, target) = (dir.canonicalize().map_err(io)?, full.canonicalize().map_err(io)?);
    if !target.starts_with(inside) {
        return Err(ProgramError::Outside(shown()));
    }
    program_at(&full).map_err(io)
}

/// Whether a path has only names in it.
pub(super) fn is_inner(path: &Path) -> bool {
    path.components().next().is_some() && path.components().all(|part| matches!(part, Component::Normal(_)))
}

/// A name that may have been meant: one that is spelt nearly so, or the file of this name with its ending.
fn nearest(dir: &Path, named: &[(String, Vec<PathBuf>)], name: &str) -> String {
    // Only to suggest a name: a directory that cannot be read suggests nothing.
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
