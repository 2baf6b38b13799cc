//! The directories that programs work in: emptied whatever a program made of them.

use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// Makes `path` an empty directory of ours.
pub(super) fn renew(path: &Path) -> io::Result<()> {
    // Also when it is empty: a program may have changed its rights, or put a link in its place.
    match fs::remove_dir(path) {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            // A program that removed even more than its own directory spoils nothing for the next one.
            if let Some(parent) = path.parent() {
                fs::create_dir_all(parent)?;
            }
        }
        Err(_) => remove(path)?,
    }
    fs::create_dir(path)
}

/// Removes whatever is at `path`, without following links.
pub(super) fn remove(path: &Path) -> io::Result<()> {
    if !fs::symlink_metadata(path)?.is_dir() {
        return fs::remove_file(path);
    }
    // The usual way fails on what may not be listed and on what is nested deeper than descriptors can be open.
    if fs::remove_dir_all(path).is_ok() {
        return Ok(());
    }
    let mut serial = 0;
    while flatten(path, &mut serial)? {}
    fs::remove_dir(path)
}

/// Removes what is directly in `top` and moves up what is one level deeper, so that depth and length of a path never
/// matter. False when there was nothing.
fn flatten(top: &Path, serial: &mut u64) -> io::Result<bool> {
    open_up(top)?;
    let mut found = false;
    for entry in fs::read_dir(top)? {
        let entry = entry?;
        found = true;
        if !entry.file_type()?.is_dir() {
            fs::remove_file(entry.path())?;
            continue;
        }
        open_up(&entry.path())?;
        for inner in fs::read_dir(entry.path())? {
            let inner = inner?;
            if inner.file_type()?.is_dir() {
                move_up(&inner.path(), top, serial)?;
            } else {
                fs::remove_file(inner.path())?;
            }
        }
        fs::remove_dir(entry.path())?;
    }
    Ok(found)
}

/// Gives a directory a free name in `top`.
fn move_up(dir: &Path, top: &Path, serial: &mut u64) -> io::Result<()> {
    // Moving a directory changes its `..`: that needs the right to write to it.
    open_up(dir)?;
    loop {
        *serial += 1;
        match fs::rename(dir, top.join(serial.to_string())) {
            Err(error) if is_taken(&error) => {}
            other => return other,
        }
    }
}

fn is_taken(error: &io::Error) -> bool {
    use io::ErrorKind::{AlreadyExists, DirectoryNotEmpty, InvalidInput, NotADirectory};
    matches!(error.kind(), AlreadyExists | DirectoryNotEmpty | NotADirectory | InvalidInput)
}

fn open_up(dir: &Path) -> io::Result<()> {
    fs::set_permissions(dir, Permissions::from_mode(0o700))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_tree_is_flattened_until_nothing_is_left() {
        let dir = tempfile::tempdir().unwrap();
        let (top, outside) = (dir.path().join("box"), dir.path().join("outside"));
        fs::create_dir_all(top.join("1/1/2/3")).unwrap();
        fs::create_dir_all(top.join("2/1")).unwrap();
        fs::create_dir(&outside).unwrap();
        fs::write(outside.join("precious"), "").unwrap();
        fs::write(top.join("1/1/2/3/file"), "").unwrap();
        symlink(&outside, top.join("2/link")).unwrap();
        fs::set_permissions(top.join("1/1"), Permissions::from_mode(0o000)).unwrap();
        let mut serial = 0;
        while flatten(&top, &mut serial).unwrap() {}
        assert_eq!(fs::read_dir(&top).unwrap().count(), 0);
        assert!(outside.join("precious").exists());
    }

    #[test]
    fn a_link_in_place_of_the_directory_is_not_followed() {
        let dir = tempfile::tempdir().unwrap();
        let (top, outside) = (dir.path().join("box"), dir.path().join("outside"));
        fs::create_dir(&outside).unwrap();
        symlink(&outside, &top).unwrap();
        renew(&top).unwrap();
        assert!(fs::symlink_metadata(&top).unwrap().is_dir());
        assert!(outside.exists());
    }
}
