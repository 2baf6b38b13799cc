//! Removes and renames test cases, each with all its files.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};

use super::case_editor::{CaseEditor, CasePlace};

use crate::diagnostic::{Diagnostic, Severity};
use crate::glob::{Glob, GlobError};
use crate::package::cases::{Staging, check_name, files_of, move_all};
use crate::suggest;
use crate::workspace::Workspace;
use crate::workspace::ending::EarlyEnd;

/// The cases that names and globs select. Reports every error to the listener.
pub(crate) fn selected(workspace: &Workspace, editor: &CaseEditor, tests: &[String]) -> Result<Vec<CasePlace>> {
    let mut places: Vec<CasePlace> = Vec::new();
    let mut wrong = false;
    for test in tests {
        let found = if test.contains(['*', '?', '[', '{']) {
            by_glob(editor, test).map_err(anyhow::Error::from)
        } else {
            let found = editor.exactly(test).or_else(|error| orphan(editor, test).ok_or(error));
            found.map(|place| vec![place]).map_err(anyhow::Error::from)
        };
        match found {
            Ok(found) => {
                let new = |place: &CasePlace| places.iter().all(|known| known.id() != place.id());
                let found: Vec<CasePlace> = found.into_iter().filter(new).collect();
                places.extend(found);
            }
            Err(error) => {
                workspace.tell(&Diagnostic::new(Severity::Error, error.to_string()));
                wrong = true;
            }
        }
    }
    if wrong { Err(EarlyEnd::Refused.into()) } else { Ok(places) }
}

/// Files with the name of a case but without an input, such as a leftover answer.
fn orphan(editor: &CaseEditor, test: &str) -> Option<CasePlace> {
    let (group, name) = test.rsplit_once('/').unwrap_or(("", test));
    let place = CasePlace {
        group: group.to_owned(),
        dir: editor.existing_group(group)?.dir,
        name: name.to_owned(),
        naming: None,
    };
    // Only the name says that these files are a case. In a plain folder that is not enough. A directory that cannot be
    // read any more has no case.
    let has_files = !editor.is_plain() && editor.files(&place).is_ok_and(|files| !files.is_empty());
    has_files.then_some(place)
}

/// Errors of a glob that selects no cases.
#[derive(Debug, thiserror::Error)]
enum GlobMiss {
    /// Not a valid glob.
    #[error("`{pattern}` is not a valid glob: {error}")]
    NotAGlob {
        /// The pattern as typed.
        pattern: String,
        /// The error. It is part of the message, so it is not also a `source`.
        error: GlobError,
    },
    /// No case matches it.
    #[error("no test matches `{0}`")]
    NoMatch(String),
}

fn by_glob(editor: &CaseEditor, pattern: &str) -> Result<Vec<CasePlace>, GlobMiss> {
    let glob = Glob::any(pattern).map_err(|error| GlobMiss::NotAGlob { pattern: pattern.to_owned(), error })?;
    let found: Vec<CasePlace> = editor.places().filter(|place| glob.matches(&place.id())).collect();
    if found.is_empty() { Err(GlobMiss::NoMatch(pattern.to_owned())) } else { Ok(found) }
}

/// Removes files of cases: all of them or none.
pub(crate) fn remove(editor: &CaseEditor, files: &[PathBuf]) -> Result<()> {
    // All files first move to a staging directory, all or none. Then that directory is deleted.
    let staging = Staging::new(&editor.data).context("nothing was removed")?;
    let away = |(n, file): (usize, &PathBuf)| (file.clone(), staging.path(&n.to_string()));
    move_all(&files.iter().enumerate().map(away).collect::<Vec<_>>()).context("nothing was removed")
}

/// The place of a case under a new name, which may include another group. Fails if the name does not fit or is taken.
pub(crate) fn renamed(editor: &CaseEditor, old: &CasePlace, new: &str) -> Result<CasePlace> {
    let (group, name) = new.rsplit_once('/').unwrap_or((&old.group, new));
    if name.is_empty() {
        bail!("`{}` names a group but no test\n  → write {}{}", new, new, old.name);
    }
    check_name(name).map_err(|why| anyhow::anyhow!("`{name}`: {why}"))?;
    let Some(known) = editor.existing_group(group) else {
        let groups = editor.group_names();
        bail!(
            "no group is called `{group}`{}\n  there are: {}",
            suggest::hint(group, groups.clone()),
            groups.join(", ")
        );
    };
    let place = CasePlace { group: group.to_owned(), dir: known.dir, name: name.to_owned(), naming: None };
    if place.id() == old.id() {
        bail!("{} has this name already", old.id());
    }
    // As in `add`, errors of the file system are reported when the files are moved.
    if let Some(taken) = files_of(&place.dir, &place.name, false).unwrap_or_default().first() {
        bail!("{} exists already; grader overwrites nothing", taken.display());
    }
    Ok(place)
}

/// Moves the files of a case to a new place: all of them or none.
pub(crate) fn rename(old: &CasePlace, new: &CasePlace, files: &[PathBuf]) -> Result<()> {
    let renamed = |file: &PathBuf| (file.clone(), new.dir.join(format!("{}{}", new.name, ending(old, file))));
    move_all(&files.iter().map(renamed).collect::<Vec<_>>()).context("nothing was renamed")
}

/// The part of a file's name after the name of its case: `.in`, `.ans.statement`.
pub(crate) fn ending(place: &CasePlace, file: &Path) -> String {
    let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    name.strip_prefix(&place.name).unwrap_or(&name).to_owned()
}
