//! The directory that a program works in, as the grader uses it: the grader puts files in before a run and takes files
//! out after it.
//!
//! After a run, every name in the directory is the program's own work: links, pipes, odd names. This module opens
//! nothing by a path that could lead out of the directory, follows no link, and reads only plain files.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read, Seek as _, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Component, Path, PathBuf};
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use rustix::fs::{
    AtFlags, Dir, FileType, Gid, Mode, OFlags, ResolveFlags, Uid, fchmod, fchown, fstat, mkdirat, openat, openat2,
    statat,
};

use super::sys::FileIdentity;

/// The maximum depth of collected directories; builds never nest deeper.
const MAX_DEPTH: usize = 64;

/// Linux does not execute a file that any process has open for writing (`ETXTBSY`, execve(2)). A new process has copies
/// of all the grader's descriptors until it executes its own program. So no process may start while a program is being
/// written.
static WRITING: RwLock<()> = RwLock::new(());

/// Hold this while an executable file is open for writing.
fn writing() -> RwLockReadGuard<'static, ()> {
    WRITING.read().unwrap_or_else(PoisonError::into_inner)
}

/// Hold this while a process starts. Waits until no program is being written.
pub(super) fn nothing_written() -> RwLockWriteGuard<'static, ()> {
    WRITING.write().unwrap_or_else(PoisonError::into_inner)
}

/// A directory for one program at a time, empty at first.
#[derive(Debug)]
pub struct Workdir {
    path: PathBuf,
    temp: PathBuf,
    dir: OwnedFd,
    owner: Owner,
}

/// The owner of the files in a directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Owner {
    /// The grader's.
    Grader,
    /// This user, who owns the files that the grader puts in. The grader may do everything there.
    Receiver(u32),
    /// This user alone: the grader puts in, reads and removes everything as this user.
    Programs(u32),
}

impl Owner {
    /// Acts as the owner, until the result is dropped, if only the owner may enter the directory.
    fn identity(self) -> io::Result<FileIdentity> {
        FileIdentity::assume(if let Self::Programs(user) = self { Some(user) } else { None })
    }
}

impl Workdir {
    pub(super) fn new(path: PathBuf, temp: PathBuf, dir: OwnedFd, owner: Owner) -> Self {
        Self { path, temp, dir, owner }
    }

    /// A directory of the host, for an own implementation of [`Sandbox`](crate::Sandbox).
    ///
    /// # Errors
    /// It cannot be opened.
    pub fn at(dir: &Path) -> io::Result<Self> {
        Ok(Self::new(dir.to_owned(), dir.to_owned(), File::open(dir)?.into(), Owner::Grader))
    }

    /// The absolute path of the directory, as its program sees it.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The path of a separate directory for temporary files, as the program sees it.
    pub fn temp(&self) -> &Path {
        &self.temp
    }

    /// Copies a file to `name`, a relative path; creates its directories. Call this before a program runs here.
    pub fn put(&self, name: &Path, from: &Path) -> io::Result<()> {
        let mut from = File::open(from)?;
        let executable = from.metadata()?.permissions().mode() & 0o100 != 0;
        let _writing = writing();
        io::copy(&mut from, &mut self.create(name, executable)?)?;
        Ok(())
    }

    /// Like `put`, for an open file, which is copied from its beginning.
    pub fn put_from(&self, name: &Path, mut from: File) -> io::Result<()> {
        from.rewind()?;
        let _writing = writing();
        io::copy(&mut from, &mut self.create(name, false)?)?;
        Ok(())
    }

    /// Like `put`, for contents in memory.
    pub fn put_bytes(&self, name: &Path, bytes: &[u8], executable: bool) -> io::Result<()> {
        let _writing = writing();
        self.create(name, executable)?.write_all(bytes)
    }

    /// Copies files to their names, as `put` does. An error names the file.
    pub fn furnish(&self, files: impl IntoIterator<Item = (PathBuf, PathBuf)>) -> io::Result<()> {
        let said = |name: &Path, error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", name.display()));
        files.into_iter().try_for_each(|(name, from)| self.put(&name, &from).map_err(|error| said(&name, error)))
    }

    fn create(&self, name: &Path, executable: bool) -> io::Result<File> {
        let _identity = self.owner.identity()?;
        let mode = if executable { 0o755 } else { 0o644 };
        let parent = self.make_dirs(name.parent().unwrap_or(Path::new("")))?;
        let last = name.file_name().ok_or_else(|| outside(name))?;
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let mode = Mode::from_raw_mode(mode);
        let file = File::from(openat(&parent, last, flags, mode)?);
        self.give_away(file.as_fd(), mode)?;
        Ok(file)
    }

    /// Creates the directory `name` and its parents. Call this before a program runs here.
    pub fn make_dir(&self, name: &Path) -> io::Result<()> {
        let _identity = self.owner.identity()?;
        self.make_dirs(name).map(drop)
    }

    fn make_dirs(&self, name: &Path) -> io::Result<OwnedFd> {
        let mut dir = self.dir.try_clone()?;
        for part in name.components() {
            let Component::Normal(part) = part else { return Err(outside(name)) };
            let rights = Mode::from_raw_mode(0o755);
            let is_new = mkdirat(&dir, part, rights).is_ok();
            dir = open_dir(dir.as_fd(), part)?;
            if is_new {
                self.give_away(dir.as_fd(), rights)?;
            }
        }
        Ok(dir)
    }

    /// Sets the owner and the rights. Only for entries that were just created, because no program has touched them. The
    /// rights are set again, because the caller's umask has restricted them.
    fn give_away(&self, made: BorrowedFd<'_>, rights: Mode) -> io::Result<()> {
        fchmod(made, rights)?;
        let Owner::Receiver(id) = self.owner else { return Ok(()) };
        Ok(fchown(made, Some(Uid::from_raw(id)), Some(Gid::from_raw(id)))?)
    }

    /// The first `cap` bytes of the plain file with this name. None if the name does not exist.
    ///
    /// # Errors
    /// As for [`Self::open`].
    pub fn read(&self, name: &Path, cap: u64) -> io::Result<Option<Vec<u8>>> {
        let Some(file) = self.open(name)? else { return Ok(None) };
        let mut bytes = Vec::new();
        file.take(cap).read_to_end(&mut bytes)?;
        Ok(Some(bytes))
    }

    /// Opens the plain file with this name. None if the name does not exist. Fails if the name belongs to anything but
    /// a plain file.
    pub fn open(&self, name: &Path) -> io::Result<Option<File>> {
        let _identity = self.owner.identity()?;
        match open_plain(self.dir.as_fd(), name.as_os_str()) {
            Ok(Some(file)) => Ok(Some(file)),
            Ok(None) => Err(io::Error::other("it is not a plain file")),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) if error.raw_os_error() == Some(libc::ELOOP) => {
                Err(io::Error::other("it is a symbolic link, which grader does not follow"))
            }
            Err(error) => Err(error),
        }
    }

    /// Like `collect`, for the subdirectory `name` alone.
    pub fn collect_below(&self, name: &Path, to: &Path, cap: u64) -> io::Result<()> {
        let mut left = cap;
        let dir = {
            let _identity = self.owner.identity()?;
            open_dir(self.dir.as_fd(), name.as_os_str())?
        };
        collect(&dir, self.owner, to, &mut left, MAX_DEPTH)
    }

    /// Copies every plain file into the empty directory `to`, at most `cap` bytes in all. Leaves out anything that is
    /// neither a file nor a directory. Also leaves out anything nested deeper than any build nests, with too long a
    /// path, or closed to the grader by its maker.
    pub fn collect(&self, to: &Path, cap: u64) -> io::Result<()> {
        let mut left = cap;
        collect(&self.dir, self.owner, to, &mut left, MAX_DEPTH)
    }
}

fn outside(name: &Path) -> io::Error {
    io::Error::other(format!("{} is not a path inside the directory", name.display()))
}

fn open_dir(parent: BorrowedFd<'_>, name: &OsStr) -> io::Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    Ok(openat(parent, name, flags, Mode::empty())?)
}

/// Opens a plain file for reading; None for anything else with that name.
fn open_plain(parent: BorrowedFd<'_>, name: &OsStr) -> io::Result<Option<File>> {
    // A pipe without a writer would block, and a link could lead anywhere.
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
    let file = openat2(parent, name, flags, Mode::empty(), resolve)?;
    let is_plain = FileType::from_raw_mode(fstat(&file)?.st_mode) == FileType::RegularFile;
    Ok(is_plain.then(|| File::from(file)))
}

fn collect(dir: &OwnedFd, owner: Owner, to: &Path, left: &mut u64, depth: usize) -> io::Result<()> {
    // The entries are read as their owner, and the copies are the grader's own.
    let find = |name: &OsStr| {
        let _identity = owner.identity()?;
        find(dir, name, depth)
    };
    let entries = {
        let _identity = owner.identity()?;
        Dir::read_from(dir)?
    };
    for entry in entries {
        let entry = entry?;
        let name = OsStr::from_bytes(entry.file_name().to_bytes());
        if matches!(name.as_bytes(), b"." | b"..") {
            continue;
        }
        let target = to.join(name);
        // Only the build can have made too long paths or removed access rights, so these entries are skipped.
        let found = match find(name) {
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => continue,
            other => other?,
        };
        match found {
            DirectoryEntry::Directory(inner) => {
                match fs::create_dir(&target) {
                    Err(error) if error.kind() == io::ErrorKind::InvalidFilename => continue,
                    other => other?,
                }
                fs::set_permissions(&target, fs::Permissions::from_mode(0o755))?;
                collect(&inner, owner, &target, left, depth - 1)?;
            }
            DirectoryEntry::File(mut file) => match copy_plain(&mut file, &target, left) {
                Err(error) if error.kind() == io::ErrorKind::InvalidFilename => {}
                other => other?,
            },
            DirectoryEntry::Other => {}
        }
    }
    Ok(())
}

/// An entry of a directory.
enum DirectoryEntry {
    Directory(OwnedFd),
    File(File),
    /// Neither, or a directory that is too deep.
    Other,
}

fn find(dir: &OwnedFd, name: &OsStr, depth: usize) -> io::Result<DirectoryEntry> {
    match FileType::from_raw_mode(statat(dir, name, AtFlags::SYMLINK_NOFOLLOW)?.st_mode) {
        FileType::Directory if depth > 0 => open_dir(dir.as_fd(), name).map(DirectoryEntry::Directory),
        FileType::RegularFile => Ok(open_plain(dir.as_fd(), name)?.map_or(DirectoryEntry::Other, DirectoryEntry::File)),
        _ => Ok(DirectoryEntry::Other),
    }
}

fn copy_plain(file: &mut File, target: &Path, left: &mut u64) -> io::Result<()> {
    let found = file.metadata()?;
    // A sparse file occupies little space here, but its full length in the copy.
    *left = left.checked_sub(found.len()).ok_or_else(|| io::Error::from(io::ErrorKind::FileTooLarge))?;
    let _writing = writing();
    let mut copy = File::create_new(target)?;
    io::copy(&mut file.take(found.len()), &mut copy)?;
    let mode = if found.permissions().mode() & 0o100 == 0 { 0o644 } else { 0o755 };
    copy.set_permissions(fs::Permissions::from_mode(mode))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    fn workdir(dir: &Path) -> Workdir {
        let open = File::open(dir).unwrap();
        Workdir::new(dir.to_owned(), dir.to_owned(), open.into(), Owner::Grader)
    }

    #[test]
    fn what_is_put_in_can_be_read() {
        let dir = tempfile::tempdir().unwrap();
        let from = tempfile::NamedTempFile::new().unwrap();
        fs::write(from.path(), "text").unwrap();
        let workdir = workdir(dir.path());
        workdir.put(Path::new("a/b/c.txt"), from.path()).unwrap();
        assert_eq!(workdir.read(Path::new("a/b/c.txt"), 3).unwrap().unwrap(), b"tex");
        workdir.make_dir(Path::new("a/d")).unwrap();
        assert!(dir.path().join("a/d").is_dir());
        for name in ["../x", "/x", "a/../../x", ""] {
            assert!(workdir.put(Path::new(name), from.path()).is_err(), "{name}");
        }
    }

    #[test]
    fn links_pipes_and_what_is_too_large_are_not_taken_out() {
        let (dir, to) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        fs::create_dir_all(dir.path().join("sub/sub")).unwrap();
        fs::write(dir.path().join("sub/sub/file"), "12345").unwrap();
        fs::write(dir.path().join("program"), "#!").unwrap();
        fs::set_permissions(dir.path().join("program"), PermissionsExt::from_mode(0o4777)).unwrap();
        symlink("/etc/passwd", dir.path().join("link")).unwrap();
        symlink("/etc", dir.path().join("sub/etc")).unwrap();
        rustix::fs::mknodat(rustix::fs::CWD, dir.path().join("pipe"), FileType::Fifo, Mode::RWXU, 0).unwrap();
        let workdir = workdir(dir.path());
        for name in ["link", "pipe", "sub", "sub/etc/passwd", "../x", "absent"] {
            assert_eq!(workdir.read(Path::new(name), 9).is_ok_and(|read| read.is_none()), name == "absent", "{name}");
            assert_eq!(workdir.open(Path::new(name)).is_ok_and(|file| file.is_none()), name == "absent", "{name}");
        }
        let below = tempfile::tempdir().unwrap();
        workdir.collect_below(Path::new("sub"), below.path(), 5).unwrap();
        assert_eq!(fs::read(below.path().join("sub/file")).unwrap(), b"12345");
        assert!(workdir.collect_below(Path::new("sub/etc"), below.path(), 5).is_err());
        workdir.collect(to.path(), 100).unwrap();
        let mut names: Vec<_> = walkdir::WalkDir::new(to.path()).min_depth(1).into_iter().map(|e| e.unwrap()).collect();
        names.sort_by_key(|entry| entry.path().to_owned());
        let names: Vec<_> = names.iter().map(|e| e.path().strip_prefix(to.path()).unwrap().to_str().unwrap()).collect();
        assert_eq!(names, ["program", "sub", "sub/sub", "sub/sub/file"]);
        let mode = fs::metadata(to.path().join("program")).unwrap().permissions().mode();
        assert_eq!(mode & 0o7777, 0o755);
        File::create(dir.path().join("sparse")).unwrap().set_len(1 << 40).unwrap();
        let other = tempfile::tempdir().unwrap();
        assert!(workdir.collect(other.path(), 1 << 20).is_err());
    }
}
