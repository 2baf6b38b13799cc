//! Upgrades a package in place to the current version of the format: its export replaces its files. Files that the format
//! does not know stay in place, and YAML files keep their comments.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use similar::TextDiff;
use walkdir::{DirEntry, WalkDir};

use super::draft::{Draft, DraftPart, WriteError};
use super::icpc::{GROUP_FILE, VERSION};
use crate::package::cases::{Staging, move_all};
use crate::package::document::{Document, Value};

/// Files of older versions whose content is now elsewhere.
const REPLACED: [&str; 3] = ["testdata.yaml", "domjudge-problem.ini", ".timelimit"];

/// The programs that grade a legacy package. Newer versions forbid them; the points of groups replace them as far as
/// possible.
const GRADERS: &str = "graders";

/// A change of one file of the package.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum FileChange {
    /// A new file.
    Added(String),
    /// The content changes.
    Rewritten(String),
    /// The file has another path, and possibly another content.
    Moved(String, String),
    /// The file is removed: other files now hold its content.
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
    /// The files outside the draft, which stay unchanged.
    kept: Vec<PathBuf>,
    /// The changes, sorted.
    pub(crate) changes: Vec<FileChange>,
    /// The comments of removed files, each with its file.
    pub(crate) lost_comments: Vec<(String, String)>,
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
        // The YAML file of a case now holds the content of its `.desc` and `.hint` files.
        let is_of_case = |path: &Path| {
            let is_text = path.extension().is_some_and(|ending| ending == "desc" || ending == "hint");
            is_text && draft.has_path(&path.with_extension("yaml"))
        };
        let is_replaced = |path: &Path| is_known(path) || is_of_case(path) || path.starts_with(GRADERS);
        let (replaced, kept): (Vec<&PathBuf>, Vec<&PathBuf>) =
            old.iter().filter(is_other).partition(|path| is_replaced(path));
        let lost_comments = lost_comments(dir, &draft, &replaced)?;
        changes.extend(replaced.into_iter().map(|path| FileChange::Removed(path.display().to_string())));
        changes.sort();
        let kept = kept.into_iter().cloned().collect();
        Ok(Self { dir, draft, kept, changes, lost_comments })
    }

    /// The new package.
    pub(crate) fn draft(&self) -> &Draft {
        &self.draft
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
    pub(crate) fn stage(self) -> Result<StagedPackage, WriteError> {
        let staging = Staging::new(self.dir.parent().unwrap_or(Path::new(".")))?;
        let name = self.dir.file_name().unwrap_or(OsStr::new("package")).to_owned();
        let new = staging.path("new").join(&name);
        let part = DraftPart { draft: &self.draft, below: "", except: None, to: self.dir.to_owned() };
        let beside = |error| WriteError::Beside { dir: self.dir.to_owned(), error };
        part.write_to(&new).map_err(|error| match error {
            WriteError::Write { error, .. } => beside(error),
            other => other,
        })?;
        for path in &self.kept {
            let (from, to) = (self.dir.join(path), new.join(path));
            fs::create_dir_all(to.parent().unwrap_or(&new)).map_err(beside)?;
            copy(&from, &to).map_err(beside)?;
        }
        Ok(StagedPackage { dir: self.dir.to_owned(), staging, new })
    }
}

/// An upgraded package beside the old one.
pub(crate) struct StagedPackage {
    dir: PathBuf,
    staging: Staging,
    /// The directory with the new package.
    pub(crate) new: PathBuf,
}

impl StagedPackage {
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

/// Whether a top-level entry does not belong to a package: a hidden one that no version reads.
fn is_left_alone(name: &Path) -> bool {
    name.as_os_str().as_encoded_bytes().starts_with(b".") && !REPLACED.iter().any(|known| name == Path::new(known))
}

/// The paths of all files and links below the package, without those that are left alone.
fn files(dir: &Path) -> Result<BTreeSet<PathBuf>, WriteError> {
    let is_part = |entry: &DirEntry| entry.depth() != 1 || !is_left_alone(Path::new(entry.file_name()));
    let mut files = BTreeSet::new();
    for entry in WalkDir::new(dir).into_iter().filter_entry(is_part) {
        let entry = entry.map_err(|error| read(error.path().unwrap_or(dir), io::Error::other(error.to_string())))?;
        let kind = entry.file_type();
        // Copying a named pipe would wait forever.
        if !kind.is_dir() && !kind.is_file() && !kind.is_symlink() {
            return Err(WriteError::NoFile(entry.into_path()));
        }
        if !kind.is_dir()
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
        let old = [name.clone(), name.replace(GROUP_FILE, "testdata.yaml")];
        let Some(old) = old.iter().map(|name| dir.join(name)).find(|path| path.is_file()) else { continue };
        let Some(new) = draft.text_of(&name) else { continue };
        let text = fs::read(&old).map_err(|error| read(&old, error))?;
        let merged = with_comments(&String::from_utf8_lossy(&text), &String::from_utf8_lossy(new));
        draft.replace_text(&name, merged);
    }
    Ok(())
}

/// The comments of removed files that no file of the draft continues.
fn lost_comments(dir: &Path, draft: &Draft, removed: &[&PathBuf]) -> Result<Vec<(String, String)>, WriteError> {
    let mut lost = Vec::new();
    for path in removed.iter().filter(|path| !draft.has_path(&path.with_file_name(GROUP_FILE))) {
        let name = path.display().to_string();
        // Other removed files are texts without comments.
        if path.extension().is_some_and(|ending| ending == "yaml" || ending == "ini") {
            let text = fs::read(dir.join(path)).map_err(|error| read(&dir.join(path), error))?;
            let text = String::from_utf8_lossy(&text);
            // In the other notation, `;` begins a comment too.
            let lines = lines_of(&text).into_iter();
            let comments =
                lines.filter_map(|line| if line.text.starts_with(';') { Some(line.text) } else { line.comment });
            lost.extend(comments.map(|comment| (name.clone(), comment.to_owned())));
        }
    }
    Ok(lost)
}

fn is_yaml(path: &str) -> bool {
    Path::new(path).extension() == Some(OsStr::new("yaml"))
}

/// A line of a YAML file.
struct YamlLine<'t> {
    text: &'t str,
    /// The path of the key that it begins: `limits.memory`.
    key: Option<String>,
    comment: Option<&'t str>,
}

/// The lines of a YAML file. Keys in lists and in flow mappings belong to the key above them.
fn lines_of(text: &str) -> Vec<YamlLine<'_>> {
    let mut above: Vec<(usize, &str)> = Vec::new();
    // The depth of the key of a text of several lines, in which nothing is a key or a comment.
    let mut within: Option<usize> = None;
    let mut lines = Vec::new();
    for text in text.lines() {
        let depth = text.len() - text.trim_start().len();
        within = within.filter(|of| text.trim().is_empty() || depth > *of);
        let key = key_of(text.trim_start()).filter(|_| within.is_none());
        let comment = if within.is_none() { comment_of(text) } else { None };
        let path = key.map(|key| {
            above.retain(|(outer, _)| *outer < depth);
            above.push((depth, key));
            above.iter().map(|(_, key)| *key).collect::<Vec<_>>().join(".")
        });
        let value = key.and_then(|key| text.trim_start()[key.len()..].strip_prefix(':')).unwrap_or_default();
        if value.trim_start().starts_with(['|', '>']) {
            within = Some(depth);
        }
        lines.push(YamlLine { text, key: path, comment });
    }
    lines
}

/// The new text with the comments of the old one: each before its key, before the key above it if that is gone, or else at
/// the top.
fn with_comments(old: &str, new: &str) -> String {
    let mut comments: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    let mut pending = Vec::new();
    let mut current = String::new();
    for YamlLine { text, key, comment } in lines_of(old) {
        match (key, comment) {
            (Some(key), comment) => {
                // The comment at the top is about the file.
                let of = if current.is_empty() { current } else { key.clone() };
                comments.entry(of).or_default().append(&mut pending);
                comments.entry(key.clone()).or_default().extend(comment);
                current = key;
            }
            (None, Some(comment)) if text.trim_start().starts_with('#') => pending.push(comment),
            (None, Some(comment)) => comments.entry(current.clone()).or_default().push(comment),
            (None, None) => {}
        }
    }
    comments.entry(String::new()).or_default().append(&mut pending);
    let new = lines_of(new);
    let keys: BTreeSet<&str> = new.iter().filter_map(|line| line.key.as_deref()).collect();
    let mut kept: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (key, lines) in &comments {
        let mut place = key.as_str();
        while !place.is_empty() && !keys.contains(place) {
            place = place.rsplit_once('.').map_or("", |(above, _)| above);
        }
        kept.entry(place).or_default().extend(lines);
    }
    let mut lines: Vec<String> = kept.remove("").unwrap_or_default().into_iter().map(str::to_owned).collect();
    for YamlLine { text, key, .. } in &new {
        let indent = &text[..text.len() - text.trim_start().len()];
        let own = key.as_deref().and_then(|key| kept.remove(key)).unwrap_or_default();
        lines.extend(own.into_iter().map(|comment| format!("{indent}{comment}")));
        lines.push((*text).to_owned());
    }
    lines.join("\n") + "\n"
}

/// The key that a line without its indentation begins.
fn key_of(line: &str) -> Option<&str> {
    let key = line.split_once(':')?.0;
    (!key.is_empty() && !key.starts_with(|first: char| "#-{[\"'".contains(first))).then_some(key)
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
        let expect = "# The contest of 2014.\n# Says who.\n# and Bob\nproblem_format_version: 2025-09\n# Short.\nname: 'a # b'\n\
                      limits:\n  # MiB\n  memory: 5\n";
        assert_eq!(with_comments(old, new), expect);
        let old = "a: 1\nlimits:\n  # Short.\n  time: 2  # s\n  text: |\n    b: 3 # none\n# Last.\n";
        assert_eq!(with_comments(old, "limits:\n  memory: 5\n"), "# Last.\n# Short.\n# s\nlimits:\n  memory: 5\n");
    }
}
