//! Writes reports that are one whole file. They get every submission during the run, and are written when it is over.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::record::{FinishedSubmission, Report, Reporter};

/// A format that is written when the run is over. It computes nothing: verdicts and standings arrive in the events.
pub trait Document {
    /// Called for each finished submission, in plan order.
    fn submission(&mut self, of: &FinishedSubmission<'_>);

    /// Completes the report when the run is over, and writes its further files beside its file, if it has one. Most
    /// reports have nothing to do.
    fn complete(&mut self, file: Option<&Path>, report: &Report) -> io::Result<()> {
        let _ = (file, report);
        Ok(())
    }

    /// Returns the whole text of the complete report.
    fn text(&mut self, report: &Report) -> io::Result<Vec<u8>>;

    /// Writes the whole text. A large report does so piece by piece.
    fn write(&mut self, report: &Report, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(&self.text(report)?)
    }
}

/// Gives a document every submission, and writes it at the end.
pub(crate) struct DocumentReporter<D> {
    document: D,
    target: Option<Target>,
}

impl<D: Document> DocumentReporter<D> {
    /// Writes `document` to `target` when the run is over.
    pub(crate) fn new(document: D, target: Target) -> Self {
        Self { document, target: Some(target) }
    }
}

impl<D: Document> Reporter for DocumentReporter<D> {
    fn wants_tests(&self) -> bool {
        true
    }

    fn submission(&mut self, of: &FinishedSubmission<'_>) -> io::Result<()> {
        self.document.submission(of);
        Ok(())
    }

    fn finish(&mut self, report: &Report) -> io::Result<()> {
        let Some(target) = self.target.take() else { return Ok(()) };
        let file = if let Target::File { path, .. } = &target { Some(&**path) } else { None };
        self.document.complete(file, report)?;
        target.write(|out| self.document.write(report, out))
    }
}

/// The folder of a file.
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Writes one of many files, completely or not at all; an error names it. Creates its folder if that does not exist. Does
/// not wait for the disk, which would take most of the time.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_with_mode(path, bytes, 0o644)
}

/// Writes a file like [`write_whole`] that only its owner can read.
pub(super) fn write_private(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_with_mode(path, bytes, 0o600)
}

fn write_with_mode(path: &Path, bytes: &[u8], mode: u32) -> io::Result<()> {
    let write = || {
        fs::create_dir_all(folder_of(path))?;
        let mut file = temporary(folder_of(path), mode)?;
        file.write_all(bytes)?;
        file.persist(path)?;
        Ok(())
    };
    let told = |error: io::Error| io::Error::new(error.kind(), format!("cannot write {}: {error}", path.display()));
    write().map_err(told)
}

/// A temporary file. The umask applies to its permissions, as to those of any new file.
fn temporary(folder: &Path, mode: u32) -> io::Result<NamedTempFile> {
    let permissions = Permissions::from_mode(mode);
    tempfile::Builder::new().prefix(".grader-report-").permissions(permissions).tempfile_in(folder)
}

/// The destination of a report.
#[derive(Debug)]
pub enum Target {
    /// Standard output.
    Stdout,
    /// A regular file, which appears complete or not at all. Until then the text goes to a temporary file in the same
    /// directory.
    File {
        /// The temporary file, removed if the report is never written.
        temp: NamedTempFile,
        /// The final path.
        path: PathBuf,
    },
    /// A pipe or a device, which cannot be replaced.
    Stream(File),
}

impl Target {
    /// Prepares a file that is written at the end. Fails now if that would not be possible. A symbolic link is followed
    /// and stays.
    pub fn file(path: &Path) -> io::Result<Self> {
        // A file that does not exist yet has no canonical path.
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        match fs::metadata(&path) {
            Ok(found) if found.is_dir() => return Err(io::Error::from(io::ErrorKind::IsADirectory)),
            Ok(found) if !found.is_file() => return Ok(Self::Stream(OpenOptions::new().write(true).open(path)?)),
            _ => {}
        }
        let parent = folder_of(&path);
        // An error about the directory is clearer than one about a temporary file in it.
        fs::metadata(parent)?;
        Ok(Self::File { temp: temporary(parent, 0o666)?, path })
    }

    /// Writes the text, and waits until the disk has it.
    pub fn put(self, bytes: &[u8]) -> io::Result<()> {
        self.write(|out| out.write_all(bytes))
    }

    /// Writes what `text` writes, and waits until the disk has it.
    fn write(self, text: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
        let whole = |to: &mut dyn Write| {
            let mut out = BufWriter::new(to);
            text(&mut out)?;
            out.flush()
        };
        match self {
            Self::Stdout => whole(&mut io::stdout().lock()).map_err(|error| unwritten("to standard output", error)),
            Self::Stream(mut file) => whole(&mut file),
            Self::File { mut temp, path } => {
                let place = path.display().to_string();
                let at = |error| unwritten(&place, error);
                whole(&mut temp).map_err(at)?;
                temp.as_file().sync_all().map_err(at)?;
                temp.persist(&path).map(drop).map_err(|error| at(error.error))
            }
        }
    }
}

/// An error with the report that it is about.
fn unwritten(place: &str, error: io::Error) -> io::Error {
    match error.kind() {
        // The run is unsuitable for this report, wherever it is written.
        io::ErrorKind::InvalidInput => error,
        kind => io::Error::new(kind, format!("cannot write the report {place}: {error}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_appears_whole_or_not_at_all() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("report");
        drop(Target::file(&path).unwrap());
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
        fs::write(&path, "old").unwrap();
        let target = Target::file(&path).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        target.put(b"new").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_link_stays_and_its_file_is_replaced() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("file");
        let link = dir.path().join("link");
        fs::write(&file, "old").unwrap();
        std::os::unix::fs::symlink("file", &link).unwrap();
        Target::file(&link).unwrap().put(b"new").unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "new");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    }

    #[test]
    fn what_cannot_be_written_is_told_at_once() {
        let dir = tempfile::tempdir().unwrap();
        assert!(Target::file(dir.path()).is_err());
        assert!(Target::file(&dir.path().join("missing/report")).is_err());
        assert!(matches!(Target::file(Path::new("/dev/null")), Ok(Target::Stream(_))));
    }
}
