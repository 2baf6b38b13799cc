//! Small text files from a disk that may be hostile: devices, pipes, endless files and bytes that are no text.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use crate::package::diagnostic::{Diagnostic, Place};

/// No configuration file that a person wrote is larger.
const MOST_BYTES: u64 = 256 * 1024;

/// The text of a configuration file, without a byte-order mark.
pub(crate) fn load_text(file: &Path) -> Result<String, Diagnostic> {
    let cannot = |error: std::io::Error| Diagnostic::error(file, format!("cannot read: {error}"));
    // Opening a named pipe would wait for its writer for ever.
    if !std::fs::metadata(file).map_err(cannot)?.is_file() {
        return Err(Diagnostic::error(file, "not a regular file"));
    }
    let mut bytes = Vec::new();
    File::open(file).and_then(|open| open.take(MOST_BYTES + 1).read_to_end(&mut bytes)).map_err(cannot)?;
    if too_large(bytes.len()) {
        return Err(Diagnostic::error(file, format!("larger than {} KiB", MOST_BYTES / 1024)));
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let text = String::from_utf8_lossy(&error.as_bytes()[..valid]).into_owned();
        Diagnostic::error(file, "not UTF-8").at(Some(Place::of_offset(&text, valid)))
    })?;
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}

/// Whether anything has this name. What cannot be looked at counts as there, so that reading it says why it cannot be read.
pub(crate) fn is_there(path: &Path) -> bool {
    use std::io::ErrorKind::{NotADirectory, NotFound};
    !path.symlink_metadata().is_err_and(|error| matches!(error.kind(), NotFound | NotADirectory))
}

/// Whether a file of this many bytes is refused.
pub(crate) fn too_large(bytes: usize) -> bool {
    bytes as u64 > MOST_BYTES
}
