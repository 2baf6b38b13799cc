//! Directories that programs work in. They can be emptied, whatever a program has put into them.

use std::fs::{self, File, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt, lchown};
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use super::lease::is_leased;
use super::sys::FileIdentity;

/// A directory for one program at a time.
pub(super) struct Workbox {
    path: PathBuf,
    /// The state of the directory when it was made.
    made: Option<DirStamp>,
}

/// Identifies an unchanged directory: no program can set the time of its last change.
#[derive(PartialEq, Eq)]
struct DirStamp {
    place: (u64, u64),
    mode: u32,
    changed: (i64, i64),
}

impl Workbox {
    /// Does not create the directory; `renew` does.
    pub(super) fn new(path: PathBuf) -> Self {
        Self { path, made: None }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Makes the path an empty directory of `owner`, or of the grader's user if there is none. Most programs leave the
    /// directory unchanged, so this first checks for that: making a new directory can take the file system milliseconds.
    pub(super) fn renew(&mut self, owner: Option<u32>) -> io::Result<()> {
        let mark = || {
            let _identity = FileIdentity::assume(owner)?;
            io::Result::Ok(mark_of_empty(&self.path))
        };
        if self.made.is_some() && self.made == mark()? {
            return Ok(());
        }
        match owner {
            Some(owner) => renew_of(&self.path, owner)?,
            None => renew(&self.path)?,
        }
        self.made = mark()?;
        Ok(())
    }
}

/// Makes `path`, which is in a directory that only root writes to, an empty directory of `owner`.
fn renew_of(path: &Path, owner: u32) -> io::Result<()> {
    match empty_as(path, owner) {
        Ok(()) => fs::remove_dir(path)?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    fs::create_dir(path)?;
    open_up(path)?;
    lchown(path, Some(owner), Some(owner))
}

/// Removes everything in a directory of `owner`, as that user: nothing else can be harmed, whatever its programs do.
fn empty_as(path: &Path, owner: u32) -> io::Result<()> {
    fs::symlink_metadata(path)?;
    let _identity = FileIdentity::assume(Some(owner))?;
    open_up(path)?;
    for entry in fs::read_dir(path)? {
        let entry = entry?;
        // Fast, and nearly always enough. The loop below removes what this cannot.
        let _ =
            if entry.file_type()?.is_dir() { fs::remove_dir_all(entry.path()) } else { fs::remove_file(entry.path()) };
    }
    let mut serial = 0;
    while flatten(path, &mut serial)? {}
    Ok(())
}

/// Makes a directory that only root and the group of this number can pass through, in one that everybody can.
pub(super) fn make_passage(path: &Path, group: u32) -> io::Result<()> {
    fs::create_dir_all(path)?;
    lchown(path, None, Some(group))?;
    fs::set_permissions(path, Permissions::from_mode(0o710))?;
    path.parent().map_or(Ok(()), let_pass)
}

/// Lets every user pass through a directory, without seeing what is in it.
///
/// # Errors
/// The directory belongs to another user, or does not exist.
pub fn let_pass(dir: &Path) -> io::Result<()> {
    fs::set_permissions(dir, Permissions::from_mode(0o711))
}

/// The mark of an empty directory; None for anything else.
fn mark_of_empty(path: &Path) -> Option<DirStamp> {
    let flags = libc::O_DIRECTORY | libc::O_NOFOLLOW;
    // A directory that cannot be examined may not be empty, so it is replaced.
    let dir = File::options().read(true).custom_flags(flags).open(path).ok()?;
    let found = dir.metadata().ok()?;
    // The change time may have a coarse resolution, so the contents are checked too.
    let is_dot = |name: &[u8]| name == b"." || name == b"..";
    let mut entries = rustix::fs::Dir::new(dir).ok()?;
    let empty = entries.all(|entry| entry.is_ok_and(|entry| is_dot(entry.file_name().to_bytes())));
    empty.then(|| DirStamp {
        place: (found.dev(), found.ino()),
        mode: found.mode(),
        changed: (found.ctime(), found.ctime_nsec()),
    })
}

/// Makes `path` an empty directory of the grader's user.
fn renew(path: &Path) -> io::Result<()> {
    // Replaced even if it is empty: a program may have changed its rights, or put a link in its place.
    match fs::remove_dir(path) {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            // A program may have removed the parent directory too. The next program is not affected.
            if let Some(parent) = path.parent() {
                fs::create_dir_all(parent)?;
            }
        }
        // Usually the directory is not empty. Otherwise `remove` reports the reason.
        Err(_) => remove(path)?,
    }
    fs::create_dir(path)?;
    open_up(path)
}

/// Removes whatever is at `path`, without following links, however programs have named and nested it.
pub fn remove(path: &Path) -> io::Result<()> {
    if !fs::symlink_metadata(path)?.is_dir() {
        return fs::remove_file(path);
    }
    if rustix::process::geteuid().is_root() {
        remove_leased(path);
    }
    // This fails on unlistable directories, and on directories nested deeper than the limit of open descriptors.
    if fs::remove_dir_all(path).is_ok() {
        return Ok(());
    }
    let mut serial = 0;
    while flatten(path, &mut serial)? {}
    fs::remove_dir(path)
}

/// Removes the boxes below `path` that belong to users of a lease. Root may not be able to empty them itself.
fn remove_leased(path: &Path) {
    /// A run has slots, these have sides, and these have boxes.
    const BOXES: usize = 3;
    // An entry that cannot be read or removed now makes the removal of the whole fail, which reports it.
    for entry in WalkDir::new(path).max_depth(BOXES).into_iter().flatten() {
        let owner = entry.metadata().map_or(0, |found| found.uid());
        if entry.file_type().is_dir() && is_leased(owner) {
            let _ = empty_as(entry.path(), owner).and_then(|()| fs::remove_dir(entry.path()));
        }
    }
}

/// Removes the files in `top` and moves up the directories one level deeper, so that no path gets too deep or too long.
/// Returns false if `top` was empty.
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

/// Moves a directory to a free name in `top`.
fn move_up(dir: &Path, top: &Path, serial: &mut u64) -> io::Result<()> {
    // A move changes the directory's `..`, which requires write access to it.
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
        let top = dir.path().join("box");
        let outside = dir.path().join("outside");
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
    fn only_an_untouched_directory_is_used_again() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("box");
        let mut workbox = Workbox::new(path.clone());
        let mut inode = || {
            workbox.renew(None).unwrap();
            assert_eq!(fs::read_dir(&path).unwrap().count(), 0);
            let found = fs::symlink_metadata(&path).unwrap();
            assert!(found.is_dir() && found.mode() & 0o700 == 0o700, "{found:?}");
            // A new directory may get the inode number of a removed one, so the old one stays open.
            fs::File::open(&path).map(|open| (found.ino(), open)).unwrap()
        };
        let (first, _open) = inode();
        assert_eq!(inode().0, first);
        fs::set_permissions(&path, Permissions::from_mode(0o500)).unwrap();
        let (second, _open) = inode();
        assert_ne!(second, first);
        fs::write(path.join("file"), "").unwrap();
        let (third, _open) = inode();
        assert_ne!(third, second);
        fs::rename(&path, dir.path().join("away")).unwrap();
        fs::create_dir(&path).unwrap();
        assert_ne!(inode().0, third);
    }

    #[test]
    fn a_link_in_place_of_the_directory_is_not_followed() {
        let dir = tempfile::tempdir().unwrap();
        let top = dir.path().join("box");
        let outside = dir.path().join("outside");
        fs::create_dir(&outside).unwrap();
        symlink(&outside, &top).unwrap();
        renew(&top).unwrap();
        assert!(fs::symlink_metadata(&top).unwrap().is_dir());
        assert!(outside.exists());
    }
}
