//! Brings a package in place to the current version of the format: its export takes the place of its files. What nobody
//! reads stays where it is, and comments stay in its YAML files.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use similar::TextDiff;
use walkdir::{DirEntry, WalkDir};

use super::draft::{Draft, DraftPart, WriteError};
use super::icpc::VERSION;
use crate::package::cases::{Staging, move_all};
use crate::package::document::{Document, Value};

/// Files of older versions whose content is now elsewhere.
const REPLACED: [&str; 3] = ["testdata.yaml", "domjudge-problem.ini", ".timelimit"];

/// A change of one file of the package.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum FileChange {
    /// A new file.
    Added(String),
    /// The content changes.
    Rewritten(String),
    /// The file has another path, and possibly another content.
    Moved(String, String),
    /// The file says nothing that another does not say now.
    Removed(String),
}

/// Whether a package states the current version of the format.
pub(crate) fn is_current(dir: &Path) -> bool {
    let version = Document::load(&dir.join("problem.yaml")).value(&["problem_format_version"]).cloned();
    version.is_some_and(|version| version == Value::Text(VERSION.to_owned()))
}

/// The upgrade of a package, before anything is written.
pub(crate) struct Upgrade<'a> {
    dir: &'a Path,
    draft: Draft,
    /// The files that stay as they are and are no part of the draft.
    kept: Vec<PathBuf>,
    /// What changes, in order.
    pub(crate) changes: Vec<FileChange>,
}

impl<'a> Upgrade<'a> {
    /// Compares the package with its export.
    ///
    /// # Errors
    /// The package cannot be read.
    pub(crate) fn new(dir: &'a Path, mut draft: Draft) -> Result<Self, WriteError> {
        let old = files(dir)?;
        keep_comments(dir, &mut draft)?;
        let mut changes = Vec::new();
        let mut moved = BTreeSet::new();
        for path in draft.paths() {
            let from = draft.origin(path).and_then(|from| from.strip_prefix(dir).ok()).map(Path::to_owned);
            if old.contains(Path::new(path)) {
                if !draft.is_file(path, &dir.join(path)).map_err(|error| read(&dir.join(path), error))? {
                    changes.push(FileChange::Rewritten(path.to_owned()));
                }
            } else if let Some(from) = from.filter(|from| old.contains(from) && !draft.has_path(from)) {
                changes.push(FileChange::Moved(from.display().to_string(), path.to_owned()));
                moved.insert(from);
            } else {
                changes.push(FileChange::Added(path.to_owned()));
            }
        }
        let is_other = |path: &&PathBuf| !draft.has_path(path) && !moved.contains(*path);
        let is_known = |path: &Path| REPLACED.iter().any(|name| path.file_name() == Some(OsStr::new(name)));
        // What they say about a case is in its YAML file now.
        let is_of_case = |path: &Path| {
            let is_text = path.extension().is_some_and(|ending| ending == "desc" || ending == "hint");
            is_text && draft.has_path(&path.with_extension("yaml"))
        };
        let is_replaced = |path: &Path| is_known(path) || is_of_case(path);
        let (replaced, kept): (Vec<&PathBuf>, Vec<&PathBuf>) =
            old.iter().filter(is_other).partition(|path| is_replaced(path));
        changes.extend(replaced.into_iter().map(|path| FileChange::Removed(path.display().to_string())));
        changes.sort();
        let kept = kept.into_iter().cloned().collect();
        Ok(Self { dir, draft, kept, changes })
    }

    /// The files that stay although the format does not know them.
    pub(crate) fn kept(&self) -> impl Iterator<Item = &Path> {
        self.kept.iter().map(PathBuf::as_path)
    }

    /// The difference of the YAML files, in the unified format.
    pub(crate) fn differences(&self) -> String {
        let mut text = String::new();
        for change in &self.changes {
            let path = match change {
                FileChange::Added(path) | FileChange::Rewritten(path) => path,
                FileChange::Moved(..) | FileChange::Removed(_) => continue,
            };
            let Some(new) = self.draft.text_of(path).filter(|_| is_yaml(path)) else { continue };
            // A new file has no old text.
            let old = fs::read_to_string(self.dir.join(path)).unwrap_or_default();
            let new = String::from_utf8_lossy(new);
            let diff = TextDiff::from_lines(old.as_str(), &new);
            text += &diff.unified_diff().header(&format!("old/{path}"), &format!("new/{path}")).to_string();
        }
        text
    }

    /// Writes the new package beside the old one, under the name of the old one.
    ///
    /// # Errors
    /// A file cannot be read or written.
    pub(crate) fn stage(self) -> Result<Staged, WriteError> {
        let staging = Staging::new(self.dir.parent().unwrap_or(Path::new(".")))?;
        let name = self.dir.file_name().unwrap_or(OsStr::new("package")).to_owned();
        let new = staging.path("new").join(&name);
        let part = DraftPart { draft: &self.draft, below: "", except: None, to: self.dir.to_owned() };
        part.write_to(&new)?;
        for path in &self.kept {
            let (from, to) = (self.dir.join(path), new.join(path));
            let failed = |error| WriteError::Write { path: to.clone(), error };
            fs::create_dir_all(to.parent().unwrap_or(&new)).map_err(failed)?;
            copy(&from, &to).map_err(failed)?;
        }
        Ok(Staged { dir: self.dir.to_owned(), staging, new })
    }
}

/// An upgraded package beside the old one.
pub(crate) struct Staged {
    dir: PathBuf,
    staging: Staging,
    /// The directory with the new package.
    pub(crate) new: PathBuf,
}

impl Staged {
    /// Puts the new files in the place of the old ones: all of them or none. The directory itself, and hidden entries in
    /// it, stay.
    ///
    /// # Errors
    /// An entry cannot be moved.
    pub(crate) fn replace(self) -> Result<(), WriteError> {
        let old = self.staging.path("old");
        let mut moves = Vec::new();
        let entries = |dir: &Path| -> Result<BTreeSet<PathBuf>, WriteError> {
            let entries = fs::read_dir(dir).and_then(Iterator::collect::<Result<Vec<_>, _>>);
            let entries = entries.map_err(|error| read(dir, error))?;
            Ok(entries.into_iter().map(|entry| PathBuf::from(entry.file_name())).collect())
        };
        for name in entries(&self.dir)?.iter().filter(|name| !is_left_alone(name)) {
            moves.push((self.dir.join(name), old.join(name)));
        }
        for name in entries(&self.new)? {
            moves.push((self.new.join(&name), self.dir.join(&name)));
        }
        Ok(move_all(&moves)?)
    }
}

/// Whether an entry at the top is no part of a package: a hidden one that no version reads.
fn is_left_alone(name: &Path) -> bool {
    name.as_os_str().as_encoded_bytes().starts_with(b".") && !REPLACED.iter().any(|known| name == Path::new(known))
}

/// The paths of all files and links below the package, without those that are left alone.
fn files(dir: &Path) -> Result<BTreeSet<PathBuf>, WriteError> {
    let is_part = |entry: &DirEntry| entry.depth() != 1 || !is_left_alone(Path::new(entry.file_name()));
    let mut files = BTreeSet::new();
    for entry in WalkDir::new(dir).into_iter().filter_entry(is_part) {
        let entry = entry.map_err(|error| read(error.path().unwrap_or(dir), io::Error::other(error.to_string())))?;
        if !entry.file_type().is_dir()
            && let Ok(path) = entry.path().strip_prefix(dir)
        {
            files.insert(path.to_owned());
        }
    }
    Ok(files)
}

fn read(path: &Path, error: io::Error) -> WriteError {
    WriteError::Read { path: path.to_owned(), error }
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    if from.is_symlink() { symlink(fs::read_link(from)?, to) } else { fs::copy(from, to).map(drop) }
}

/// Puts the comments of the old YAML files into the new ones.
fn keep_comments(dir: &Path, draft: &mut Draft) -> Result<(), WriteError> {
    let names: Vec<String> = draft.paths().filter(|path| is_yaml(path)).map(ToOwned::to_owned).collect();
    for name in names {
        let old = [name.clone(), name.replace("test_group.yaml", "testdata.yaml")];
        let Some(old) = old.iter().map(|name| dir.join(name)).find(|path| path.is_file()) else { continue };
        let Some(new) = draft.text_of(&name) else { continue };
        let text = fs::read(&old).map_err(|error| read(&old, error))?;
        let merged = with_comments(&String::from_utf8_lossy(&text), &String::from_utf8_lossy(new));
        draft.replace_text(&name, merged);
    }
    Ok(())
}

fn is_yaml(path: &str) -> bool {
    Path::new(path).extension() == Some(OsStr::new("yaml"))
}

/// The new text with the comments of the old one: each before its top-level key, and at the top if the key is gone.
fn with_comments(old: &str, new: &str) -> String {
    let mut comments: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut pending = Vec::new();
    let mut current = "";
    for line in old.lines() {
        let key = key_of(line);
        let comment = comment_of(line);
        match (key, comment) {
            (Some(key), comment) => {
                // The comment at the top is about the file.
                let of = if current.is_empty() { "" } else { key };
                comments.entry(of).or_default().append(&mut pending);
                current = key;
                let own = comments.entry(key).or_default();
                own.extend(comment);
            }
            (None, Some(comment)) if line.starts_with('#') => pending.push(comment),
            (None, Some(comment)) => comments.entry(current).or_default().push(comment),
            // The comment above an empty line is about the file.
            (None, None) if line.trim().is_empty() => comments.entry("").or_default().append(&mut pending),
            (None, None) => {}
        }
    }
    comments.entry("").or_default().append(&mut pending);
    let keys: BTreeSet<&str> = new.lines().filter_map(key_of).collect();
    let mut lines: Vec<&str> = comments.remove("").unwrap_or_default();
    lines.extend(comments.iter().filter(|(key, _)| !keys.contains(*key)).flat_map(|(_, lines)| lines));
    for line in new.lines() {
        if let Some(own) = key_of(line).and_then(|key| comments.remove(key)) {
            lines.extend(own);
        }
        lines.push(line);
    }
    lines.join("\n") + "\n"
}

/// The top-level key that a line begins.
fn key_of(line: &str) -> Option<&str> {
    let key = line.split_once(':')?.0;
    (!key.is_empty() && !key.starts_with(|first: char| first.is_whitespace() || "#-{[\"'".contains(first)))
        .then_some(key)
}

/// The comment of a line: all of it, or what follows ` #` outside of quotes.
fn comment_of(line: &str) -> Option<&str> {
    let mut quote = None;
    let mut before = ' ';
    for (at, c) in line.char_indices() {
        match (c, quote) {
            ('#', None) if before.is_whitespace() => return Some(line[at..].trim_end()),
            // Within a word, it is an apostrophe.
            ('"' | '\'', None) if before.is_whitespace() || "[{,:".contains(before) => quote = Some(c),
            (c, Some(open)) if c == open => quote = None,
            _ => {}
        }
        before = c;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_stay_with_their_keys() {
        let old = "# The contest of 2014.\n\n# Says who.\nauthor: Ann's  # and Bob\n# Short.\nname: \"a # b\"\nlimits:\n  # MiB\n  memory: 5\n";
        let new = "problem_format_version: 2025-09\nname: 'a # b'\nlimits:\n  memory: 5\n";
        let expect = "# The contest of 2014.\n# Says who.\n# and Bob\nproblem_format_version: 2025-09\n# Short.\nname: 'a # b'\n# MiB\n\
                      limits:\n  memory: 5\n";
        assert_eq!(with_comments(old, new), expect);
    }
}
