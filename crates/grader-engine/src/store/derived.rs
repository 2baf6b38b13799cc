//! Files that grader makes from the files of a person, so that all code can read them by path: the test cases in a
//! document. A directory has the name of its contents, so it never changes and never needs to be made anew.

use std::fs;
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::key::Key;
use super::layout::StorePaths;

/// How long an unused directory is kept.
const KEPT: Duration = Duration::from_secs(30 * 24 * 3600);

/// Whether a directory of derived files has not been used for so long that it can go.
pub(super) fn is_forgotten(dir: &fs::DirEntry) -> bool {
    let used = dir.metadata().and_then(|found| found.modified());
    used.is_ok_and(|used| used.elapsed().is_ok_and(|age| age > KEPT))
}

/// Keeps files in the store in `dir`, as `derived` does.
pub fn deriving(dir: PathBuf) -> impl Fn(&[(String, Vec<u8>)]) -> io::Result<PathBuf> {
    move |files| derived(&dir, files)
}

/// Returns the directory below the store in `dir` that holds these files, each a name and its bytes. Creates it whole or
/// not at all. Files with a first line `#!` are executable.
///
/// # Errors
/// The store cannot be created or written.
fn derived(dir: &Path, files: &[(String, Vec<u8>)]) -> io::Result<PathBuf> {
    let layout = StorePaths::create(dir)
        .map_err(|(path, error)| io::Error::new(error.kind(), format!("{}: {error}", path.display())))?;
    let mut key = Key::of("derived files");
    for (name, bytes) in files {
        key = key.field("name", name).field("bytes", bytes);
    }
    let place = layout.derived.join(key.finish().to_string());
    if place.is_dir() {
        // The new time keeps a used file in the store. After an error, it is removed earlier and made again.
        let _ = fs::File::open(&place).and_then(|dir| dir.set_modified(SystemTime::now()));
        return Ok(place);
    }
    let made = layout.temp_dir()?;
    for (name, bytes) in files {
        let path = made.path().join(name);
        path.parent().map_or(Ok(()), fs::create_dir_all)?;
        let mut file = fs::File::create_new(path)?;
        file.write_all(bytes)?;
        if bytes.starts_with(b"#!") {
            file.set_permissions(fs::Permissions::from_mode(0o755))?;
        }
    }
    match fs::rename(made.keep(), &place) {
        // Another process has made it in the meantime. The copy is swept up with everything in the directory.
        Err(error) if matches!(error.kind(), ErrorKind::DirectoryNotEmpty | ErrorKind::AlreadyExists) => Ok(place),
        made => made.map(|()| place),
    }
}
