//! Reads and writes one file of a control group in place.

use std::fmt::Display;
use std::fs;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::Path;

use rustix::fs::{Mode, OFlags, open};
use rustix::io::{pread, pwrite, retry_on_intr};

/// Larger than the part of any file that the grader reads.
const READ_SIZE: usize = 512;

/// An open file of a control group. The kernel makes its text anew for each read from offset 0.
pub(super) struct ControlFile(OwnedFd);

impl ControlFile {
    /// Opens a file that must exist.
    pub(super) fn open(group: &Path, name: &str, access: OFlags) -> io::Result<Self> {
        let path = group.join(name);
        let fd = open(&path, access | OFlags::CLOEXEC, Mode::empty()).map_err(|error| named(&path, &error.into()))?;
        Ok(Self(fd))
    }

    /// Opens a file that some kernels do not have. None if it does not exist.
    pub(super) fn open_if_there(group: &Path, name: &str, access: OFlags) -> io::Result<Option<Self>> {
        match Self::open(group, name, access) {
            Ok(file) => Ok(Some(file)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Replaces the value.
    pub(super) fn write(&self, value: impl Display + Copy) -> io::Result<()> {
        let text = format!("{value}\n");
        retry_on_intr(|| pwrite(&self.0, text.as_bytes(), 0))?;
        Ok(())
    }

    /// The value of a file that holds one number.
    pub(super) fn number(&self) -> io::Result<u64> {
        self.look(|text| text.lines().next()?.trim().parse().ok())
    }

    /// Returns the value in the line that begins with `key`.
    pub(super) fn entry(&self, key: &str) -> io::Result<u64> {
        self.look(|text| text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(' ')?.trim().parse().ok()))
    }

    /// Returns what `find` finds in the file's text. Fails if `find` finds nothing, or if the content is not text.
    fn look<T>(&self, find: impl FnOnce(&str) -> Option<T>) -> io::Result<T> {
        let mut buffer = [0; READ_SIZE];
        let length = retry_on_intr(|| pread(&self.0, &mut buffer, 0))?;
        let text = std::str::from_utf8(&buffer[..length]).ok();
        text.and_then(find).ok_or_else(|| io::Error::other("a control group's file has unexpected content"))
    }
}

impl AsFd for ControlFile {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

/// Writes to an existing file of a group.
pub(super) fn write_at(group: &Path, name: &str, value: impl Display + Copy) -> io::Result<()> {
    ControlFile::open(group, name, OFlags::WRONLY)?.write(value)
}

/// The words in a file of a group; empty if the file cannot be read.
pub(super) fn words_at(group: &Path, name: &str) -> Vec<String> {
    let text = fs::read_to_string(group.join(name)).unwrap_or_default();
    text.split_ascii_whitespace().map(str::to_owned).collect()
}

/// Returns the same error with the path added.
pub(super) fn named(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

/// Whether the operation failed because something is in use.
pub(super) fn is_busy(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::ResourceBusy
}
