//! Measures what a run has written to a box on a disk: the kernel limits each file there, but neither their sum nor their
//! number.
//!
//! Everything happens as the user of the programs. They may rename, replace and close everything while it is looked at: that
//! can make a figure wrong once, but it leads to nothing that these programs could not reach themselves.

use std::collections::HashSet;
use std::ffi::CString;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::path::PathBuf;
use std::time::Instant;

use rustix::fs::{AtFlags, CWD, Dir, FileType, Mode, OFlags, Stat, chmodat, fchmod, fstat, fstatfs, openat, statat};
use rustix::io::Errno;

use super::places::{BOX_BYTES, BOX_FILES};
use super::tree::{self, Processes};

/// So many directories below each other are held open while they are measured.
const LEVELS: usize = 64;
/// How often in a row a measurement of deeper directories may fail because programs move them meanwhile.
const PATIENCE: u32 = 10;
/// Looks take at most this part of the time: one in so many.
const SHARE: u32 = 10;
/// So many files make this process larger while it measures them.
const MANY: u64 = 1000;
/// The size of a block in `stat(2)`.
const BLOCK: u64 = 512;
/// The file system in memory (`linux/magic.h`).
const TMPFS_MAGIC: i64 = 0x0102_1994;

/// The files of a box.
pub(super) struct BoxUse {
    roots: [PathBuf; 2],
    total: Total,
    /// The device of the boxes, if their files are in memory.
    in_memory: Option<u64>,
    next: Instant,
    /// How often in a row a measurement was not complete.
    failures: u32,
}

/// Files and their size on the disk.
#[derive(Default)]
struct Total {
    bytes: u64,
    files: u64,
    /// Files with several names, or without a name, which count once.
    seen: HashSet<(u64, u64)>,
    is_over: bool,
    is_incomplete: bool,
}

impl BoxUse {
    pub(super) fn new(roots: &[PathBuf; 2]) -> Self {
        Self { roots: roots.clone(), total: Total::default(), in_memory: None, next: Instant::now(), failures: 0 }
    }

    /// Begins a run.
    pub(super) fn begin(&mut self) {
        if self.total.files > MANY {
            // The largest size of this process would be the least one of the next program. If it fails, that one looks larger.
            let _ = std::fs::write("/proc/self/clear_refs", "5");
        }
        (self.total, self.in_memory, self.next, self.failures) = (Total::default(), None, Instant::now(), 0);
    }

    /// Measures, unless the last time was a moment ago. Returns whether the files are too large or too many.
    pub(super) fn look(&mut self, processes: &Processes) -> bool {
        if Instant::now() >= self.next { self.measure(processes) } else { self.total.is_over }
    }

    /// Measures now. Returns whether the files are too large or too many.
    pub(super) fn measure(&mut self, processes: &Processes) -> bool {
        let begun = Instant::now();
        let mut total = Total::default();
        // Entries that cannot be read now are read the next time.
        let _ = self.walk(&mut total);
        total.add_nameless(processes);
        self.failures = if total.is_incomplete { self.failures + 1 } else { 0 };
        total.is_over |= self.failures > PATIENCE;
        self.total = total;
        self.next = begun + begun.elapsed() * SHARE;
        self.total.is_over
    }

    /// The size of files that are in memory.
    pub(super) fn memory(&self) -> u64 {
        if self.in_memory.is_some() { self.total.bytes } else { 0 }
    }

    /// The device of these files.
    pub(super) fn memory_device(&self) -> Option<u64> {
        self.in_memory
    }

    fn walk(&mut self, total: &mut Total) -> io::Result<()> {
        for root in &self.roots {
            let Some(dir) = open_dir(CWD, root.as_os_str())? else { continue };
            if fstatfs(&dir.fd)?.f_type == TMPFS_MAGIC {
                self.in_memory = Some(fstat(&dir.fd)?.st_dev);
            }
            total.add_dir(&dir, LEVELS);
        }
        Ok(())
    }
}

impl Total {
    /// Adds everything in a directory. What disappears meanwhile does not count.
    fn add_dir(&mut self, dir: &OpenDir, levels: usize) {
        let below = self.add_entries(&dir.fd);
        let Some(levels) = levels.checked_sub(1) else {
            return self.add_deep(&dir.fd, below);
        };
        for name in below {
            if let (false, Ok(Some(dir))) = (self.is_over, open_dir(dir.fd.as_fd(), &*name)) {
                self.add_dir(&dir, levels);
            }
        }
    }

    /// Adds everything below the directories `below` of `top` with one descriptor. The way back is the parent that each
    /// directory has then. If that is not the one from which it was entered, the rest is left out.
    fn add_deep(&mut self, top: &OwnedFd, below: Vec<CString>) {
        let step = |total: &mut Self| -> io::Result<()> {
            let mut here = top.try_clone()?;
            let mut above = vec![(id(&here)?, below)];
            while let Some((_, names)) = above.last_mut() {
                if total.is_over {
                    break;
                }
                if let Some(name) = names.pop() {
                    let Some(dir) = open_dir(here.as_fd(), &*name)? else { continue };
                    here = dir.fd.try_clone()?;
                    above.push((id(&here)?, total.add_entries(&here)));
                    continue;
                }
                above.pop();
                if let Some((parent, _)) = above.last() {
                    here = openat(&here, "..", DIRECTORY, Mode::empty())?;
                    if id(&here)? != *parent {
                        return Err(io::Error::other("a directory was moved"));
                    }
                }
            }
            Ok(())
        };
        self.is_incomplete |= step(self).is_err();
    }

    /// Adds the entries of one directory. Returns the directories among them.
    fn add_entries(&mut self, dir: &OwnedFd) -> Vec<CString> {
        let mut below = Vec::new();
        let Ok(entries) = Dir::read_from(dir) else { return below };
        for entry in entries.flatten() {
            let name = entry.file_name();
            if self.is_over || [c".", c".."].contains(&name) {
                continue;
            }
            let Ok(found) = statat(dir, name, AtFlags::SYMLINK_NOFOLLOW) else { continue };
            self.add(&found);
            if FileType::from_raw_mode(found.st_mode) == FileType::Directory {
                below.push(name.to_owned());
            }
        }
        below
    }

    /// Adds plain files that have no name any more and that a process still has open.
    fn add_nameless(&mut self, processes: &Processes) {
        for pid in processes.descendants(tree::me()) {
            for found in processes.open_files(pid) {
                if found.st_nlink == 0 && FileType::from_raw_mode(found.st_mode) == FileType::RegularFile {
                    self.add(&found);
                }
            }
        }
    }

    fn add(&mut self, found: &Stat) {
        let is_dir = FileType::from_raw_mode(found.st_mode) == FileType::Directory;
        if (found.st_nlink == 1 || is_dir) || self.seen.insert((found.st_dev, found.st_ino)) {
            self.bytes += u64::try_from(found.st_blocks).unwrap_or(0) * BLOCK;
        }
        // A name takes space too, so each counts.
        self.files += 1;
        self.is_over |= self.bytes > BOX_BYTES.0 || self.files > BOX_FILES;
    }
}

const DIRECTORY: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

fn id(dir: &OwnedFd) -> io::Result<(u64, u64)> {
    let found = fstat(dir)?;
    Ok((found.st_dev, found.st_ino))
}

/// A directory while it is measured.
struct OpenDir {
    fd: OwnedFd,
    /// Its rights, if its owner has closed it: programs could hide files in it. It is open until this is dropped.
    closed: Option<Mode>,
}

impl Drop for OpenDir {
    fn drop(&mut self) {
        if let Some(closed) = self.closed {
            // If this fails, the program has one directory more that it may read.
            let _ = fchmod(&self.fd, closed);
        }
    }
}

/// Opens a directory. None if the entry is not a directory.
fn open_dir(parent: impl AsFd + Copy, name: impl rustix::path::Arg + Copy) -> io::Result<Option<OpenDir>> {
    let before = match statat(parent, name, AtFlags::SYMLINK_NOFOLLOW) {
        Err(Errno::NOENT) => return Ok(None),
        found => Mode::from_raw_mode(found?.st_mode),
    };
    let closed = (!before.contains(Mode::RUSR | Mode::XUSR)).then_some(before);
    if closed.is_some() {
        chmodat(parent, name, before | Mode::RWXU, AtFlags::empty())?;
    }
    match openat(parent, name, DIRECTORY, Mode::empty()) {
        Ok(fd) => Ok(Some(OpenDir { fd, closed })),
        Err(Errno::NOTDIR | Errno::LOOP | Errno::NOENT) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    fn total(root: &std::path::Path) -> Total {
        let mut total = Total::default();
        let dir = open_dir(CWD, root.as_os_str()).unwrap().unwrap();
        total.add_dir(&dir, LEVELS);
        total
    }

    #[test]
    fn names_count_and_the_same_file_takes_space_once() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir_all(dir.path().join("a/b")).unwrap();
        fs::write(dir.path().join("a/b/file"), vec![1; 1 << 16]).unwrap();
        let one = total(dir.path());
        fs::hard_link(dir.path().join("a/b/file"), dir.path().join("other")).unwrap();
        std::os::unix::fs::symlink("/usr", dir.path().join("link")).unwrap();
        let more = total(dir.path());
        assert_eq!((one.files, more.files), (3, 5));
        assert!(one.bytes >= 1 << 16 && more.bytes < 2 << 16, "{} {}", one.bytes, more.bytes);
    }

    #[test]
    fn depth_and_closed_directories_hide_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let mut path = dir.path().to_owned();
        for _ in 0..3 * LEVELS {
            path.push("d");
        }
        fs::create_dir_all(&path).unwrap();
        fs::create_dir(path.join("beside")).unwrap();
        fs::write(path.join("beside/file"), "").unwrap();
        let closed = dir.path().join("closed");
        fs::create_dir(&closed).unwrap();
        fs::write(closed.join("file"), "").unwrap();
        fs::set_permissions(&closed, fs::Permissions::from_mode(0o000)).unwrap();
        let found = total(dir.path());
        assert_eq!(found.files, 3 * LEVELS as u64 + 4);
        assert!(!found.is_over && !found.is_incomplete);
        assert_eq!(fs::metadata(&closed).unwrap().permissions().mode() & 0o777, 0, "it is closed again");
    }

    #[test]
    fn too_many_files_are_too_many() {
        let dir = tempfile::tempdir().unwrap();
        let mut total = Total { files: BOX_FILES - 1, ..Total::default() };
        fs::write(dir.path().join("one"), "").unwrap();
        let open = open_dir(CWD, dir.path().as_os_str()).unwrap().unwrap();
        total.add_dir(&open, LEVELS);
        assert!(!total.is_over);
        total.add_dir(&open, LEVELS);
        assert!(total.is_over);
    }
}
