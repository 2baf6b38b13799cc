//! Stores the files of failures in the last run, for people to look at:
//! `last/<problem>/<submission>/<case>.<extension>`.
//!
//! The names come from other people's packages and submissions. Every step opens the next directory relative to the
//! current one, without following links. Nothing outside this directory is therefore ever written or removed. Anything
//! inside it that is in the way is removed.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, CWD, Mode, OFlags, mkdirat, openat, renameat, unlinkat};
use rustix::io::Errno;

use crate::problem::{ProblemId, SubmissionId, TestId};

use super::layout::StorePaths;
use super::segment;
use crate::report::file_name::safe_name;

/// The prefix of directories that are being removed. No safe name starts with a dot.
pub(super) const TRASH: &str = ".trash-";
/// The maximum number of parts in a name.
const MAX_DEPTH: usize = 32;

/// The most bytes of a file that are copied: a failure does not copy a gigabyte of input.
pub const MOST_COPIED: u64 = 64 << 20;

/// The open directory of the last run's failures.
#[derive(Debug)]
pub struct LastRun {
    dir: OwnedFd,
    path: PathBuf,
}

impl LastRun {
    pub(super) fn open(layout: &StorePaths) -> io::Result<Self> {
        let dir = openat(CWD, &layout.last, DIRECTORY, Mode::empty())?;
        Ok(Self { dir, path: layout.last.clone() })
    }

    /// A directory of its own, outside any store. It is created.
    pub fn at(path: PathBuf) -> io::Result<Self> {
        std::fs::create_dir_all(&path)?;
        let dir = openat(CWD, &path, DIRECTORY, Mode::empty())?;
        Ok(Self { dir, path })
    }

    /// Removes the files of a problem.
    pub fn clear_problem(&self, problem: &ProblemId) -> io::Result<()> {
        self.remove(&[safe_name(problem.as_str())])
    }

    /// Removes the files of a submission.
    pub fn clear(&self, problem: &ProblemId, submission: &SubmissionId) -> io::Result<()> {
        self.remove(&parts(problem, submission))
    }

    /// Removes the files of a test.
    pub fn clear_test(&self, problem: &ProblemId, submission: &SubmissionId, test: &TestId) -> io::Result<()> {
        for extension in ["in", "pass.in", "ans", "out", "err", "interaction"] {
            let mut parts = parts(problem, submission);
            parts.extend(test.as_str().split('/').map(safe_name));
            if let Some(case) = parts.last_mut() {
                *case = format!("{case}.{}", safe_name(extension));
            }
            self.remove(&parts)?;
        }
        Ok(())
    }

    /// Keeps a copy of the beginning of a file, under a name as in [`Self::create`].
    pub fn copy(
        &self,
        problem: &ProblemId,
        submission: &SubmissionId,
        test: &TestId,
        (extension, from): (&str, &Path),
    ) -> io::Result<PathBuf> {
        let (mut to, path) = self.create(problem, submission, test, extension)?;
        io::copy(&mut File::open(from)?.take(MOST_COPIED), &mut to)?;
        Ok(path)
    }

    /// Creates an empty file for a test case and returns its path. The file replaces anything that has its name.
    /// `extension` is `in`, `ans`, `out`, `err` or another short word.
    pub fn create(
        &self,
        problem: &ProblemId,
        submission: &SubmissionId,
        test: &TestId,
        extension: &str,
    ) -> io::Result<(File, PathBuf)> {
        let mut parts = parts(problem, submission);
        parts.extend(test.as_str().split('/').map(safe_name));
        let case = parts.pop().unwrap_or_default();
        let name = format!("{case}.{}", safe_name(extension));
        let dir = self.descend(&parts, Missing::Make)?;
        let new = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let open = || openat(&dir, &name, new, Mode::from_raw_mode(0o644));
        let file = match open() {
            Err(Errno::EXIST) => {
                self.discard(dir.as_fd(), &name)?;
                open()?
            }
            file => file?,
        };
        let mut path = self.path.clone();
        path.extend(parts);
        Ok((file.into(), path.join(name)))
    }

    fn remove(&self, parts: &[String]) -> io::Result<()> {
        let Some((name, parents)) = parts.split_last() else { return Ok(()) };
        match self.descend(parents, Missing::Leave) {
            Ok(dir) => self.discard(dir.as_fd(), name),
            // Nothing exists there, or it is not a directory and cannot contain such files.
            Err(error) if matches!(Errno::from_io_error(&error), Some(Errno::NOENT | Errno::NOTDIR | Errno::LOOP)) => {
                Ok(())
            }
            Err(error) => Err(error),
        }
    }

    fn descend(&self, parts: &[String], missing: Missing) -> io::Result<OwnedFd> {
        if parts.len() > MAX_DEPTH {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "a name has too many parts"));
        }
        let mut dir = self.dir.try_clone()?;
        for part in parts {
            dir = match (openat(&dir, part, DIRECTORY, Mode::empty()), missing) {
                (Err(Errno::NOENT), Missing::Make) => make(&dir, part)?,
                (Err(Errno::NOTDIR | Errno::LOOP), Missing::Make) => {
                    self.discard(dir.as_fd(), part)?;
                    make(&dir, part)?
                }
                (next, _) => next?,
            };
        }
        Ok(dir)
    }

    /// Removes `name` in `dir`. Files and links are removed directly. A directory is first moved to a safe name, so
    /// that the standard library can remove it. That removal follows no link below its path.
    fn discard(&self, dir: BorrowedFd<'_>, name: &str) -> io::Result<()> {
        match unlinkat(dir, name, AtFlags::empty()) {
            Ok(()) | Err(Errno::NOENT) => return Ok(()),
            Err(Errno::ISDIR | Errno::PERM) => {}
            Err(error) => return Err(error.into()),
        }
        let trash = format!("{TRASH}{:08x}", segment::random());
        match renameat(dir, name, &self.dir, &trash) {
            Ok(()) => fs::remove_dir_all(self.path.join(trash)),
            Err(Errno::NOENT) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }
}

fn make(dir: &OwnedFd, name: &str) -> io::Result<OwnedFd> {
    match mkdirat(dir, name, Mode::from_raw_mode(0o755)) {
        // Another process may be storing files of the same submission.
        Ok(()) | Err(Errno::EXIST) => Ok(openat(dir, name, DIRECTORY, Mode::empty())?),
        Err(error) => Err(error.into()),
    }
}

const DIRECTORY: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

/// The action if a directory does not exist.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Missing {
    Make,
    Leave,
}

fn parts(problem: &ProblemId, submission: &SubmissionId) -> Vec<String> {
    std::iter::once(problem.as_str()).chain(submission.as_str().split('/')).map(safe_name).collect()
}

#[cfg(test)]
mod tests;
