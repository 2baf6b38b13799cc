//! The files of an export before they are written, and its losses.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::mem::ManuallyDrop;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use serde::Serialize;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::ExportError;
use super::listing::{are_equal, has_strange_character, is_large, open, read};
use crate::package::cases::{MoveError, Staging, move_all};
use crate::problem::Constants;

/// Something of the problem that the target does not get.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Loss {
    /// The lost part: `multi-pass`, `submissions/mixed/a.py`.
    pub(crate) what: String,
    /// Why, in words that follow a colon.
    pub(crate) why: String,
}

/// The files of a problem or a contest in the format of a target.
#[derive(Debug, Default)]
pub(crate) struct Draft {
    /// The files, by their paths in the export.
    entries: BTreeMap<String, DraftFile>,
    /// Files whose content is part of a text that the export makes.
    said: BTreeSet<PathBuf>,
    /// The first two files that would have the same path.
    clash: Option<(String, PathBuf, PathBuf)>,
    /// The losses that contestants or judges would notice.
    losses: Vec<Loss>,
    /// The omissions that no verdict depends on.
    left_out: Vec<Loss>,
    /// The parts that the target requires and the problem lacks.
    missing: Vec<Loss>,
}

#[derive(Debug)]
enum DraftFile {
    /// A text that the export makes, from this file if it comes from one.
    Text { bytes: Vec<u8>, executable: bool, from: PathBuf },
    /// A copy of a file.
    Copy(PathBuf),
}

/// Why an export cannot be written.
#[derive(Debug, thiserror::Error)]
pub(crate) enum WriteError {
    /// There is something with this name.
    #[error("{} exists already; grader overwrites nothing\n  → name another place with -o, or remove it", .0.display())]
    Exists(PathBuf),
    /// A named pipe, a socket or a device has the name of a file.
    #[error("{} is neither a file nor a directory\n  → remove it", .0.display())]
    NoFile(PathBuf),
    /// A file of the problem cannot be read.
    #[error("cannot read {}: {error}", .path.display())]
    Read { path: PathBuf, error: io::Error },
    /// The export cannot be written.
    #[error("cannot write {}: {error}\n  → {}", .path.display(), remedy(.error))]
    Write { path: PathBuf, error: io::Error },
    /// The new version of a package cannot be written beside it.
    #[error("cannot write the new package beside {}: {error}; nothing was changed\n  → {}", .dir.display(), remedy_beside(.error))]
    Beside { dir: PathBuf, error: io::Error },
    /// The directory cannot get its name.
    #[error(transparent)]
    Move(#[from] MoveError),
}

impl Draft {
    /// Adds a file that the export makes.
    pub(super) fn text(&mut self, path: &str, text: impl Into<Vec<u8>>) {
        self.add(path, DraftFile::Text { bytes: text.into(), executable: false, from: PathBuf::from(path) });
    }

    /// Adds a script that the export makes.
    pub(super) fn script(&mut self, path: &str, text: impl Into<Vec<u8>>) {
        self.add(path, DraftFile::Text { bytes: text.into(), executable: true, from: PathBuf::from(path) });
    }

    /// Adds a copy of a file.
    pub(super) fn copy(&mut self, path: &str, from: &Path) {
        self.add(path, DraftFile::Copy(from.to_owned()));
    }

    /// Adds a copy of a source, with its constants replaced.
    pub(super) fn source(&mut self, path: &str, from: &Path, constants: &Constants) -> Result<(), ExportError> {
        let failed = |error| ExportError::Read { path: from.to_owned(), error };
        // A large file is not a source but, for example, a picture.
        if constants.is_empty() || is_large(from).map_err(failed)? {
            self.copy(path, from);
            return Ok(());
        }
        let text = read(from).map_err(failed)?;
        let replaced =
            constants.replace(&text).map_err(|error| ExportError::TooLarge { path: from.to_owned(), error })?;
        let executable = is_executable(from).map_err(failed)?;
        self.add(path, DraftFile::Text { bytes: replaced.into_owned(), executable, from: from.to_owned() });
        Ok(())
    }

    /// Adds a YAML document.
    pub(super) fn yaml(&mut self, path: &str, value: &impl Serialize) -> Result<(), ExportError> {
        let text = yaml_serde::to_string(value).map_err(|error| ExportError::Yaml { file: path.to_owned(), error })?;
        self.text(path, text);
        Ok(())
    }

    fn add(&mut self, path: &str, entry: DraftFile) {
        match self.entries.get(path) {
            Some(other) if other.from() != entry.from() => {
                self.clash.get_or_insert_with(|| (path.to_owned(), other.from().to_owned(), entry.from().to_owned()));
            }
            Some(_) => {}
            None => drop(self.entries.insert(path.to_owned(), entry)),
        }
    }

    /// Adds the files of another draft below a folder, and its losses with the name of the folder.
    pub(super) fn absorb(&mut self, folder: &str, other: Self) {
        self.absorb_losses(folder, &other);
        for (path, entry) in other.entries {
            self.add(&format!("{folder}/{path}"), entry);
        }
    }

    /// Adds the losses of another draft, with its name.
    pub(crate) fn absorb_losses(&mut self, name: &str, other: &Self) {
        let named = |losses: &[Loss]| {
            let named = |Loss { what, why }: &Loss| Loss { what: format!("{name}: {what}"), why: why.clone() };
            losses.iter().map(named).collect::<Vec<_>>()
        };
        self.losses.extend(named(&other.losses));
        self.left_out.extend(named(&other.left_out));
        self.missing.extend(named(&other.missing));
    }

    /// The file that the content of an entry comes from.
    pub(super) fn origin(&self, path: &str) -> Option<&Path> {
        self.entries.get(path).map(DraftFile::from)
    }

    /// Notes that a text of the export contains the content of this file.
    pub(super) fn say(&mut self, from: &Path) {
        self.said.insert(from.to_owned());
    }

    /// All files whose content the export has.
    pub(super) fn sources(&self) -> BTreeSet<PathBuf> {
        self.entries.values().map(|entry| entry.from().to_owned()).chain(self.said.iter().cloned()).collect()
    }

    /// The text of an entry that the export makes.
    pub(super) fn text_of(&self, path: &str) -> Option<&[u8]> {
        match self.entries.get(path)? {
            DraftFile::Text { bytes, .. } => Some(bytes),
            DraftFile::Copy(_) => None,
        }
    }

    /// Changes the text of an entry that the export makes.
    pub(super) fn replace_text(&mut self, path: &str, text: String) {
        if let Some(DraftFile::Text { bytes, .. }) = self.entries.get_mut(path) {
            *bytes = text.into_bytes();
        }
    }

    /// Whether an entry is the file at a path: a copy of it, or the same text.
    pub(super) fn is_file(&self, path: &str, file: &Path) -> io::Result<bool> {
        match self.entries.get(path) {
            Some(DraftFile::Text { bytes, .. }) => {
                Ok(file.metadata()?.len() == bytes.len() as u64 && fs::read(file)? == *bytes)
            }
            Some(DraftFile::Copy(from)) => Ok(from == file || are_equal(from, file)?),
            None => Ok(false),
        }
    }

    /// Whether a file has this path.
    pub(super) fn has_path(&self, path: &Path) -> bool {
        path.to_str().is_some_and(|path| self.has(path))
    }

    /// Whether a file has this path.
    pub(super) fn has(&self, path: &str) -> bool {
        self.entries.contains_key(path)
    }

    /// The paths of all files.
    pub(super) fn paths(&self) -> impl Iterator<Item = &str> {
        self.entries.keys().map(String::as_str)
    }

    /// Reports a loss that contestants or judges would notice.
    pub(super) fn lose(&mut self, what: impl Into<String>, why: impl Into<String>) {
        put(&mut self.losses, what.into(), why.into());
    }

    /// Reports an omission that no verdict depends on.
    pub(super) fn leave_out(&mut self, what: impl Into<String>, why: impl Into<String>) {
        put(&mut self.left_out, what.into(), why.into());
    }

    /// Reports a part that the target requires and the problem lacks.
    pub(super) fn miss(&mut self, what: impl Into<String>, why: impl Into<String>) {
        put(&mut self.missing, what.into(), why.into());
    }

    /// The losses that contestants or judges would notice.
    pub(crate) fn losses(&self) -> &[Loss] {
        &self.losses
    }

    /// The omissions that no verdict depends on.
    pub(crate) fn left_out(&self) -> &[Loss] {
        &self.left_out
    }

    /// The parts that the target requires and the problem lacks.
    pub(crate) fn missing(&self) -> &[Loss] {
        &self.missing
    }

    /// The number of files.
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Checks that the files have different names on every file system.
    pub(super) fn check_names(&self) -> Result<(), ExportError> {
        if let Some((name, first, second)) = self.clash.clone() {
            return Err(ExportError::SameName { name, first, second });
        }
        let mut folded: BTreeMap<String, &str> = BTreeMap::new();
        for name in self.entries.keys() {
            if has_strange_character(name) {
                return Err(ExportError::StrangeName(name.clone()));
            }
            if let Some(other) = folded.insert(name.to_lowercase(), name) {
                return Err(ExportError::SameLetters(other.to_owned(), name.clone()));
            }
        }
        Ok(())
    }

    /// Writes an archive, whole or not at all. `folder`: the folder in it that holds all files, if there is one.
    ///
    /// # Errors
    /// `to` exists, a file cannot be read, or the archive cannot be written.
    pub(crate) fn write_archive(&self, to: &Path, folder: Option<&str>) -> Result<(), WriteError> {
        let above = to.parent().filter(|above| !above.as_os_str().is_empty()).unwrap_or(Path::new("."));
        if to.symlink_metadata().is_ok() {
            return Err(WriteError::Exists(to.to_owned()));
        }
        let failed = |error: io::Error| WriteError::Write { path: to.to_owned(), error };
        fs::create_dir_all(above).map_err(failed)?;
        let readable = fs::Permissions::from_mode(0o644);
        // The error of the temporary file would show its name.
        let file = tempfile::Builder::new().prefix(".grader-").permissions(readable).tempfile_in(above);
        let mut file = file.map_err(|error| failed(error.kind().into()))?;
        self.pack(file.as_file_mut(), folder, to)?;
        file.persist_noclobber(to).map(drop).map_err(|error| match error.error.kind() {
            io::ErrorKind::AlreadyExists => WriteError::Exists(to.to_owned()),
            _ => failed(error.error),
        })
    }

    /// Writes the archive `to` into `file`.
    fn pack(&self, file: &mut File, folder: Option<&str>, to: &Path) -> Result<(), WriteError> {
        // A writer that is dropped after an error tries again, and prints the second error. It owns only memory.
        let mut zip = ManuallyDrop::new(ZipWriter::new(file));
        self.add_to(&mut zip, folder, to)?;
        let zip = ManuallyDrop::into_inner(zip);
        zip.finish().map(drop).map_err(|error| WriteError::Write { path: to.to_owned(), error: error.into() })
    }

    /// Adds all files to the archive `to`.
    fn add_to(&self, zip: &mut ZipWriter<&mut File>, folder: Option<&str>, to: &Path) -> Result<(), WriteError> {
        let failed = |error: io::Error| WriteError::Write { path: to.to_owned(), error };
        for (name, entry) in &self.entries {
            let name = folder.map_or_else(|| name.clone(), |folder| format!("{folder}/{name}"));
            let (mode, large) = entry.shape()?;
            let options = SimpleFileOptions::default().unix_permissions(mode).large_file(large);
            zip.start_file(name, options).map_err(|error| failed(error.into()))?;
            match entry {
                DraftFile::Text { bytes, .. } => zip.write_all(bytes).map_err(failed)?,
                DraftFile::Copy(path) => {
                    let failed_read = |error| WriteError::Read { path: path.clone(), error };
                    let mut from = open(path).map_err(failed_read)?;
                    io::copy(&mut from, zip).map_err(failed)?;
                }
            }
        }
        Ok(())
    }

    /// Writes a directory, whole or not at all.
    ///
    /// # Errors
    /// `to` exists, a file cannot be read, or the directory cannot be written.
    pub(crate) fn write_directory(&self, to: &Path) -> Result<(), WriteError> {
        write_directories(&[DraftPart { draft: self, below: "", except: None, to: to.to_owned() }])
    }

    /// Writes its files below `parts`, each with its name there.
    fn stage(&self, part: &DraftPart<'_>, near: &Path) -> Result<(), WriteError> {
        for (name, entry) in &self.entries {
            let Some(name) = part.name_of(name) else { continue };
            let path = near.join(name);
            let failed = |error| WriteError::Write { path: part.to.join(name), error };
            fs::create_dir_all(path.parent().unwrap_or(near)).map_err(failed)?;
            match entry {
                DraftFile::Text { bytes, .. } => fs::write(&path, bytes).map_err(failed)?,
                DraftFile::Copy(from) => {
                    let failed_read = |error| WriteError::Read { path: from.clone(), error };
                    let mut from = open(from).map_err(failed_read)?;
                    let mut file = File::create(&path).map_err(failed)?;
                    io::copy(&mut from, &mut file).map_err(failed)?;
                }
            }
            let (mode, _) = entry.shape()?;
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).map_err(failed)?;
        }
        Ok(())
    }
}

/// The files of a draft that go to one directory.
pub(crate) struct DraftPart<'a> {
    /// The draft.
    pub(crate) draft: &'a Draft,
    /// Only files whose path begins so; the rest of it is the path in the directory.
    pub(crate) below: &'a str,
    /// No files whose path begins so.
    pub(crate) except: Option<&'a str>,
    /// The directory. It must not exist.
    pub(crate) to: PathBuf,
}

impl DraftPart<'_> {
    /// Writes the files into a directory that is moved to its place later.
    pub(super) fn write_to(&self, near: &Path) -> Result<(), WriteError> {
        self.draft.stage(self, near)
    }

    fn name_of<'n>(&self, path: &'n str) -> Option<&'n str> {
        let is_other = self.except.is_some_and(|except| path.starts_with(except));
        path.strip_prefix(self.below).filter(|_| !is_other)
    }
}

/// Writes directories: all of them, or none.
///
/// # Errors
/// One of them exists, a file cannot be read, or a directory cannot be written.
pub(crate) fn write_directories(parts: &[DraftPart<'_>]) -> Result<(), WriteError> {
    let mut stagings = Vec::new();
    let mut moves = Vec::new();
    for part in parts {
        if part.to.symlink_metadata().is_ok() {
            return Err(WriteError::Exists(part.to.clone()));
        }
        let staging = Staging::new(part.to.parent().unwrap_or(Path::new(".")))?;
        let near = staging.path("export");
        part.draft.stage(part, &near)?;
        moves.push((near, part.to.clone()));
        stagings.push(staging);
    }
    Ok(move_all(&moves)?)
}

/// The suggested fix if the export cannot be written to its place.
fn remedy(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => "free some space, or name another place with -o",
        _ => "name a place that you can write with -o",
    }
}

/// The suggested fix if the folder around a package cannot be written.
fn remedy_beside(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => "free some space",
        _ => "make the folder around the package writable",
    }
}

/// Adds a loss, unless the list contains it.
fn put(list: &mut Vec<Loss>, what: String, why: String) {
    let loss = Loss { what, why };
    if !list.contains(&loss) {
        list.push(loss);
    }
}

/// The size from which an archive needs longer numbers for a file.
const LARGE: u64 = 0xffff_ffff;

impl DraftFile {
    fn from(&self) -> &Path {
        match self {
            Self::Text { from, .. } | Self::Copy(from) => from,
        }
    }

    /// The permissions, and whether the file is too large for short numbers.
    fn shape(&self) -> Result<(u32, bool), WriteError> {
        let mode = |executable| if executable { 0o755 } else { 0o644 };
        match self {
            Self::Text { executable, .. } => Ok((mode(*executable), false)),
            Self::Copy(path) => {
                let read = |error| WriteError::Read { path: path.clone(), error };
                let metadata = path.metadata().map_err(read)?;
                Ok((mode(metadata.permissions().mode() & 0o111 != 0), metadata.len() >= LARGE))
            }
        }
    }
}

fn is_executable(path: &Path) -> io::Result<bool> {
    Ok(path.metadata()?.permissions().mode() & 0o111 != 0)
}
