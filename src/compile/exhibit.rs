//! A submission as a static validator is shown it (package format 2025-09, "Working directory").

use std::path::{Path, PathBuf};

use super::sources::Sources;
use super::{Artifact, BuildOrder};
use crate::language::Languages;
use crate::sandbox::Workdir;

/// Puts into a directory the files of a program as they were handed in and those that the problem includes, and beside
/// them what the build has made. Returns what stands at the top of the directory then.
///
/// What a build did to the files that it was given is not shown: it could hide what is to be judged.
///
/// # Errors
/// In words, for a program without files and for files that cannot be copied.
pub fn exhibit(
    languages: &Languages,
    order: &BuildOrder<'_>,
    artifact: &Artifact,
    workdir: &Workdir,
) -> Result<Vec<PathBuf>, String> {
    let mut sources = Sources::of(order).ok_or("it has no source files")?;
    if let Some(language) = languages.get(&artifact.language) {
        sources.include(order, languages, language);
    }
    sources.put(workdir, &[])?;
    let names = sources.names();
    let is_own = |made: &Path| {
        let collides = |name: &PathBuf| name.starts_with(made) || made.starts_with(name);
        names.iter().any(collides) || artifact.renamed.iter().any(|name| name == made)
    };
    let mut made = artifact.made().map_err(|error| format!("cannot read what was built: {error}"))?;
    made.retain(|(name, _)| !is_own(name));
    let top = |name: &Path| name.components().next().map(|first| PathBuf::from(first.as_os_str()));
    let mut all: Vec<PathBuf> =
        names.iter().chain(made.iter().map(|(name, _)| name)).filter_map(|name| top(name)).collect();
    all.sort();
    all.dedup();
    workdir.furnish(made).map_err(|error| format!("cannot copy what was built: {error}"))?;
    Ok(all)
}
