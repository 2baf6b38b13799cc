//! Shows a submission to a static validator (package format 2025-09, "Working directory").

use std::io;
use std::path::{Path, PathBuf};

use super::sources::{SourceError, Sources};
use super::{Artifact, BuildOrder};
use crate::language::Languages;
use crate::sandbox::Workdir;

/// Why a submission cannot be shown to a static validator.
#[derive(Debug, thiserror::Error)]
pub enum ExhibitError {
    /// It is not a program with files.
    #[error("it has no source files")]
    NoSources,
    /// One of its files cannot be copied.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// The build directory cannot be read.
    #[error("cannot read what was built: {0}")]
    Unreadable(#[source] io::Error),
    /// A file that was built cannot be copied.
    #[error("cannot copy what was built: {0}")]
    NotCopied(#[source] io::Error),
}

/// Copies into a directory the submitted files of a program, the files that the problem includes, and the files that
/// the build has made. Returns the names at the top of the directory.
///
/// Leaves out changes that the build made to its input files: they could hide the code that the static validator
/// judges.
///
/// # Errors
/// The program has no files, or one that cannot be copied.
pub fn exhibit(
    languages: &Languages,
    order: &BuildOrder<'_>,
    artifact: &Artifact,
    workdir: &Workdir,
) -> Result<Vec<PathBuf>, ExhibitError> {
    let mut sources = Sources::of(order).ok_or(ExhibitError::NoSources)?;
    if let Some(language) = languages.get(&artifact.language) {
        sources.include(order, languages, language);
    }
    sources.put(workdir, &[])?;
    let names = sources.names();
    let is_own = |made: &Path| {
        let collides = |name: &PathBuf| name.starts_with(made) || made.starts_with(name);
        names.iter().any(collides) || artifact.renamed.iter().any(|name| name == made)
    };
    let mut made = artifact.made().map_err(ExhibitError::Unreadable)?;
    made.retain(|(name, _)| !is_own(name));
    let top = |name: &Path| name.components().next().map(|first| PathBuf::from(first.as_os_str()));
    let mut all: Vec<PathBuf> =
        names.iter().chain(made.iter().map(|(name, _)| name)).filter_map(|name| top(name)).collect();
    all.sort();
    all.dedup();
    workdir.furnish(made).map_err(ExhibitError::NotCopied)?;
    Ok(all)
}
