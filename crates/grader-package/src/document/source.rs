//! Reads small text files safely: refuses devices, pipes, endless files and bytes that are not text.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use grader_model::diagnostic::{Diagnostic, TextPosition};

/// The largest configuration file, in bytes. Files that people write are smaller.
const MOST_BYTES: u64 = 256 * 1024;

/// Reads the text of a configuration file, without a byte-order mark.
pub fn load_text(file: &Path) -> Result<String, Diagnostic> {
    let cannot = |error: std::io::Error| Diagnostic::error(file, format!("cannot read: {error}"));
    // Opening a named pipe would wait for its writer forever.
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
        Diagnostic::error(file, "not UTF-8").at(Some(TextPosition::of_offset(&text, valid)))
    })?;
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}

/// The text of a plain file of at most `largest` bytes, in which other bytes than UTF-8 are replaced. None for anything
/// else, and for a file that cannot be read: the build or the reader that needs the file reports it.
pub fn small_text(file: &Path, largest: u64) -> Option<String> {
    small_bytes(file, largest).map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}

/// The bytes of a plain file of at most `largest` bytes. None for anything else, and for a file that cannot be read.
pub fn small_bytes(file: &Path, largest: u64) -> Option<Vec<u8>> {
    let is_small = file.metadata().is_ok_and(|found| found.is_file() && found.len() <= largest);
    // A file that cannot be read is as good as none here, as the callers say.
    if is_small { std::fs::read(file).ok() } else { None }
}

/// Whether a file is in a directory after all links are followed.
///
/// # Errors
/// One of them does not exist, or cannot be reached.
pub fn stays_in(dir: &Path, file: &Path) -> std::io::Result<bool> {
    Ok(file.canonicalize()?.starts_with(dir.canonicalize()?))
}

/// Whether the path exists. An inaccessible path counts as existing, so that reading it reports the reason.
pub fn is_there(path: &Path) -> bool {
    use std::io::ErrorKind::{NotADirectory, NotFound};
    !path.symlink_metadata().is_err_and(|error| matches!(error.kind(), NotFound | NotADirectory))
}

/// Whether a file of this many bytes is refused.
pub fn too_large(bytes: usize) -> bool {
    bytes as u64 > MOST_BYTES
}
