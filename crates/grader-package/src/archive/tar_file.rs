//! Reads the entries of a tar archive, which may be compressed with gzip, one after the other.

use std::cell::Cell;
use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read};
use std::path::Path;
use std::rc::Rc;

use flate2::bufread::MultiGzDecoder;
use tar::{Entry, EntryType};

use super::ArchiveError;

/// The first bytes of a file that is compressed with gzip.
const GZIP: &[u8] = &[0x1f, 0x8b];
/// The most bytes of headers before an entry, which are read into memory.
const HEADERS: u64 = 1 << 20;
/// The size of a block. Entries are filled up to whole blocks.
const BLOCK: u64 = 512;

/// A reader that fails after more bytes than the known entries account for.
pub(super) struct Meter {
    from: Box<dyn Read>,
    left: Rc<Cell<u64>>,
}

impl Read for Meter {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = self.left.get();
        if left == 0 {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "its headers are too large"));
        }
        let most = usize::try_from(left).unwrap_or(usize::MAX).min(buffer.len());
        let count = self.from.read(&mut buffer[..most])?;
        self.left.set(left - count as u64);
        Ok(count)
    }
}

/// Calls `each` with every entry and its position. Its content may be read, and is skipped otherwise.
pub(super) fn visit(
    path: &Path,
    mut each: impl FnMut(usize, &mut Entry<'_, Meter>) -> Result<(), ArchiveError>,
) -> Result<(), ArchiveError> {
    let mut file = BufReader::new(File::open(path)?);
    // Browsers unpack the outer layer and keep the name.
    let is_compressed = file.fill_buf()?.starts_with(GZIP);
    let from: Box<dyn Read> = if is_compressed { Box::new(MultiGzDecoder::new(file)) } else { Box::new(file) };
    let left = Rc::new(Cell::new(HEADERS));
    let mut archive = tar::Archive::new(Meter { from, left: Rc::clone(&left) });
    let damaged = |error: io::Error| ArchiveError::Format(error.to_string());
    for (index, entry) in archive.entries().map_err(damaged)?.enumerate() {
        let mut entry = entry.map_err(damaged)?;
        left.set(entry.size().saturating_add(HEADERS + BLOCK));
        each(index, &mut entry)?;
    }
    Ok(())
}

/// Returns why an entry of this kind cannot be extracted. `Ok(false)`: it is not a file or directory, but information
/// about other entries.
pub(super) fn is_content(kind: EntryType) -> Result<bool, &'static str> {
    match kind {
        EntryType::Regular | EntryType::Continuous | EntryType::Directory => Ok(true),
        EntryType::XGlobalHeader => Ok(false),
        EntryType::Symlink => Err("is a symbolic link"),
        EntryType::Link => Err("is a link to another file"),
        _ => Err("is neither a file nor a directory"),
    }
}
