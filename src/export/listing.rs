//! Lists and opens the files of a package that an export copies. A package may be hostile: no link leads out of it, nothing
//! waits for a named pipe, and no text fills the memory.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::Path;

use super::ExportError;
use crate::problem::{PackageLayout, Problem, TestGroup};

/// The most bytes of a text that an export changes. People write shorter ones.
const MOST_OF_TEXT: u64 = 16 << 20;

/// All files below a directory of a problem, relative to it and sorted; links are followed. Empty if there is no such
/// directory.
///
/// # Errors
/// It cannot be listed, a link leads out of the problem, something is neither a file nor a directory, or a name is not UTF-8.
pub(super) fn files_below(problem: &Problem, dir: &Path) -> Result<Vec<String>, ExportError> {
    let mut files = Vec::new();
    if !dir.is_dir() {
        return Ok(files);
    }
    refuse_dir_out(problem, dir)?;
    let is_shown = |entry: &walkdir::DirEntry| {
        let name = entry.file_name().as_encoded_bytes();
        entry.depth() == 0 || !name.starts_with(b".") && name != b"__pycache__"
    };
    let walk = walkdir::WalkDir::new(dir).follow_links(true).sort_by_file_name();
    for entry in walk.into_iter().filter_entry(is_shown) {
        let entry = entry.map_err(|error| walk_error(dir, error))?;
        // The walk enters a directory after this.
        if entry.depth() > 0 && entry.path_is_symlink() {
            refuse_link_out(problem, entry.path())?;
        }
        if is_plain(entry.path(), entry.file_type())? {
            let below = entry.path().strip_prefix(dir).unwrap_or(entry.path());
            let name = below.to_str().ok_or_else(|| ExportError::NotUnicode(entry.path().to_owned()))?;
            files.push(name.to_owned());
        }
    }
    Ok(files)
}

/// Checks the test data and the submissions of a package. Its reader skips what is neither a file nor a directory, and names
/// that only some systems have; an export must not lose that.
///
/// # Errors
/// There is such an entry.
pub(super) fn refuse_strange(problem: &Problem, data: &Path) -> Result<(), ExportError> {
    if !matches!(problem.layout, PackageLayout::Native | PackageLayout::Icpc) {
        return Ok(());
    }
    let is_shown = |entry: &walkdir::DirEntry| !entry.file_name().as_encoded_bytes().starts_with(b".");
    for dir in [data, &problem.dir.join("submissions")] {
        let walk = walkdir::WalkDir::new(dir).min_depth(1).sort_by_file_name();
        // Reading the problem reports what cannot be listed, and names that are not UTF-8.
        for entry in walk.into_iter().filter_entry(is_shown).flatten() {
            let name = entry.file_name().to_str().unwrap_or_default();
            if has_strange_character(name) {
                return Err(ExportError::StrangeName(name.to_owned()));
            }
            // Reading the problem reports a link that leads nowhere.
            if let Ok(metadata) = entry.path().metadata() {
                is_plain(entry.path(), metadata.file_type())?;
            }
        }
    }
    Ok(())
}

/// Whether a name has a character that archives and file systems read as something else. On other systems, a backslash
/// leads out of the folder.
pub(super) fn has_strange_character(name: &str) -> bool {
    name.contains(|c: char| c.is_control() || c == '\\')
}

/// Whether a path is a file of the problem. A broken link is not a file.
///
/// # Errors
/// It is a link that leads out of the problem, or neither a file nor a directory.
pub(super) fn is_file_of(problem: &Problem, path: &Path) -> Result<bool, ExportError> {
    let Ok(metadata) = path.metadata() else { return Ok(false) };
    if path.is_symlink() {
        refuse_link_out(problem, path)?;
    }
    is_plain(path, metadata.file_type())
}

/// Opens a file that an export copies.
///
/// # Errors
/// It is not a plain file, or cannot be opened.
pub(super) fn open(path: &Path) -> io::Result<File> {
    // Opening a named pipe would wait for its writer forever.
    if !path.metadata()?.is_file() {
        return Err(io::Error::other("it is not a plain file"));
    }
    File::open(path)
}

/// Whether a file is larger than any text that people write.
///
/// # Errors
/// It cannot be read.
pub(super) fn is_large(path: &Path) -> io::Result<bool> {
    Ok(path.metadata()?.len() > MOST_OF_TEXT)
}

/// The bytes of a text that an export reads or changes.
///
/// # Errors
/// It is not a plain file, is too large, or cannot be read.
pub(super) fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(path)?.take(MOST_OF_TEXT + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST_OF_TEXT {
        return Err(io::Error::other(format!("it is larger than {} MiB", MOST_OF_TEXT >> 20)));
    }
    Ok(bytes)
}

/// A text that an export reads or changes.
///
/// # Errors
/// As for [`read`], or it is not UTF-8.
pub(super) fn read_text(path: &Path) -> Result<String, ExportError> {
    let text = read(path).and_then(|bytes| String::from_utf8(bytes).map_err(io::Error::other));
    text.map_err(|error| read_error(path, error))
}

/// Whether two files have the same bytes.
///
/// # Errors
/// One of them cannot be read.
pub(super) fn are_equal(one: &Path, other: &Path) -> io::Result<bool> {
    let (mut left, mut right) = (open(one)?, open(other)?);
    if left.metadata()?.len() != right.metadata()?.len() {
        return Ok(false);
    }
    let (mut of_left, mut of_right) = (vec![0; 1 << 16], vec![0; 1 << 16]);
    loop {
        let [first, second] = [filled(&mut left, &mut of_left)?, filled(&mut right, &mut of_right)?];
        if of_left[..first] != of_right[..second] {
            return Ok(false);
        }
        if first < of_left.len() {
            return Ok(true);
        }
    }
}

/// Reads until the buffer is full or the file ends. Returns the number of bytes.
fn filled(file: &mut File, buffer: &mut [u8]) -> io::Result<usize> {
    let mut done = 0;
    while done < buffer.len() {
        match file.read(&mut buffer[done..])? {
            0 => break,
            read => done += read,
        }
    }
    Ok(done)
}

/// A path as text, which a name in an export must be.
pub(super) fn unicode(path: &Path) -> Result<&str, ExportError> {
    path.to_str().ok_or_else(|| ExportError::NotUnicode(path.to_owned()))
}

/// Whether an entry is a file, and no directory. Anything else would be left out without a word.
fn is_plain(path: &Path, kind: fs::FileType) -> Result<bool, ExportError> {
    match kind {
        kind if kind.is_file() => Ok(true),
        kind if kind.is_dir() => Ok(false),
        _ => Err(ExportError::NoFile(path.to_owned())),
    }
}

/// Fails if a directory of the problem is elsewhere.
fn refuse_dir_out(problem: &Problem, dir: &Path) -> Result<(), ExportError> {
    if roots(problem).any(|root| dir.starts_with(root)) { refuse_link_out(problem, dir) } else { Ok(()) }
}

/// Fails if a path is not in the problem after all links are followed.
fn refuse_link_out(problem: &Problem, path: &Path) -> Result<(), ExportError> {
    let real = path.canonicalize().map_err(|error| read_error(path, error))?;
    // A directory that is not there holds nothing.
    let is_inside = roots(problem).filter_map(|root| root.canonicalize().ok()).any(|root| real.starts_with(root));
    if is_inside { Ok(()) } else { Err(ExportError::LinkOut(path.to_owned())) }
}

/// The directories that a problem consists of: its own, and that of its test data.
fn roots(problem: &Problem) -> impl Iterator<Item = &Path> {
    std::iter::once(problem.dir.as_path()).chain(problem.groups.iter().map(data_root))
}

/// The directory of the test data that a group belongs to.
fn data_root(group: &TestGroup) -> &Path {
    let levels = group.name.split('/').filter(|part| !part.is_empty()).count();
    let is_named = group.dir.ends_with(&*group.name);
    group.dir.ancestors().nth(if is_named { levels } else { 0 }).unwrap_or(&group.dir)
}

fn walk_error(dir: &Path, error: walkdir::Error) -> ExportError {
    let path = error.path().unwrap_or(dir).to_owned();
    if error.loop_ancestor().is_some() { ExportError::Loop(path) } else { read_error(&path, error.into()) }
}

fn read_error(path: &Path, error: io::Error) -> ExportError {
    ExportError::Read { path: path.to_owned(), error }
}
