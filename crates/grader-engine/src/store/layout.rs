//! Paths inside `.grader/`, and functions that open files and directories there. They never follow a symbolic link,
//! because the directory may come from another person's archive. This module does not know the contents of the files.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use tempfile::TempDir;
use walkdir::WalkDir;

/// The paths of one store. All are absolute. Below `root`, they contain no symbolic links when opened.
#[derive(Debug, Clone)]
pub(super) struct StorePaths {
    pub(super) root: PathBuf,
    pub(super) runs: PathBuf,
    pub(super) last: PathBuf,
    pub(super) artifacts: PathBuf,
    pub(super) derived: PathBuf,
    pub(super) outcomes: PathBuf,
    pub(super) temp: PathBuf,
    pub(super) lock: PathBuf,
    pub(super) index: PathBuf,
    /// If this file exists, the next process with exclusive access rebuilds the index.
    pub(super) index_damaged: PathBuf,
}

/// The signature of <https://bford.info/cachedir/>, with which backup programs skip the directory.
const CACHEDIR_TAG: &str = "Signature: 8a477f597d28d172789f06886806bc55
# This directory holds what grader can make again. See https://bford.info/cachedir/
";

impl StorePaths {
    /// Finds or creates the directories below `dir`, whose parent must exist. The error names the path that failed.
    pub(super) fn create(dir: &Path) -> Result<Self, (PathBuf, io::Error)> {
        let at = |path: &Path| {
            let path = path.to_owned();
            move |error| (path, error)
        };
        ensure_dir(dir).map_err(at(dir))?;
        let root = fs::canonicalize(dir).map_err(at(dir))?;
        let cache = root.join("cache");
        let layout = Self {
            runs: root.join("runs"),
            last: root.join("last"),
            artifacts: cache.join("artifacts"),
            derived: cache.join("derived"),
            outcomes: cache.join("outcomes"),
            temp: cache.join("tmp"),
            lock: cache.join("lock"),
            index: root.join("index.sqlite"),
            index_damaged: cache.join("index-damaged"),
            root,
        };
        for path in
            [&layout.runs, &layout.last, &cache, &layout.artifacts, &layout.derived, &layout.outcomes, &layout.temp]
        {
            ensure_dir(path).map_err(at(path))?;
        }
        // The run records are not a cache: version control ignores them, but backups include them.
        for (path, text) in [(layout.root.join(".gitignore"), "*\n"), (cache.join("CACHEDIR.TAG"), CACHEDIR_TAG)] {
            ensure_file(&path, text).map_err(at(&path))?;
        }
        Ok(layout)
    }

    /// Creates an empty directory below `temp` that is removed when dropped.
    pub(super) fn temp_dir(&self) -> io::Result<TempDir> {
        tempfile::Builder::new().prefix("t").tempdir_in(&self.temp)
    }

    /// Removes a file, a directory or a link (not its target). It is renamed first, so that no process sees it half
    /// removed.
    pub(super) fn discard(&self, path: &Path) -> io::Result<()> {
        let trash = self.temp_dir()?;
        fs::rename(path, trash.path().join("x"))?;
        trash.close()
    }
}

pub(super) fn ensure_dir(path: &Path) -> io::Result<()> {
    match fs::DirBuilder::new().mode(0o755).create(path) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
        done => return done,
    }
    let found = fs::symlink_metadata(path)?;
    if found.is_dir() {
        return Ok(());
    }
    let what = if found.is_symlink() { "a symbolic link" } else { "a file" };
    Err(io::Error::new(ErrorKind::NotADirectory, format!("{what} is in the place of a directory; remove it")))
}

fn ensure_file(path: &Path, text: &str) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        // A process that was killed at this point leaves an empty file.
        Ok(found) if found.len() > 0 || !found.is_file() => Ok(()),
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => open_plain(path, OpenOptions::new().append(true).create(true))?.write_all(text.as_bytes()),
    }
}

/// Opens a regular file and nothing else. Does not follow a link or wait for a pipe.
pub(super) fn open_plain(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    let file = options.custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK).mode(0o644).open(path)?;
    if file.metadata()?.is_file() {
        Ok(file)
    } else {
        Err(io::Error::new(ErrorKind::InvalidInput, "not a regular file"))
    }
}

/// The number and the total size of the regular files below `path`, without following links. Unreadable files count as
/// 0 bytes.
pub(super) fn tree_size(path: &Path) -> (u64, u64) {
    let files = WalkDir::new(path).into_iter().flatten().filter(|entry| entry.file_type().is_file());
    files.fold((0, 0), |(count, bytes), file| (count + 1, bytes + file.metadata().map_or(0, |m| m.len())))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn makes_what_is_missing_and_keeps_what_is_there() {
        let temp = TempDir::new().unwrap();
        let dir = temp.path().join(".grader");
        let layout = StorePaths::create(&dir).unwrap();
        assert_eq!(fs::read_to_string(dir.join(".gitignore")).unwrap(), "*\n");
        assert!(fs::read_to_string(dir.join("cache/CACHEDIR.TAG")).unwrap().starts_with("Signature: 8a477f597d28d1"));
        fs::write(dir.join(".gitignore"), "*\n!runs\n").unwrap();
        fs::write(layout.runs.join("a"), "kept").unwrap();
        StorePaths::create(&dir).unwrap();
        assert_eq!(fs::read_to_string(dir.join(".gitignore")).unwrap(), "*\n!runs\n");
        assert!(layout.runs.join("a").exists());
    }

    #[test]
    fn links_and_files_in_the_place_of_directories_are_refused() {
        for place in [".grader", ".grader/cache", ".grader/cache/tmp", ".grader/last", ".grader/runs"] {
            for link in [false, true] {
                let temp = TempDir::new().unwrap();
                let outside = temp.path().join("outside");
                fs::create_dir(&outside).unwrap();
                let path = temp.path().join(place);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                let made = if link { symlink(&outside, &path) } else { fs::write(&path, "") };
                made.unwrap();
                let (at, error) = StorePaths::create(&temp.path().join(".grader")).unwrap_err();
                assert!(at.ends_with(place), "{at:?}");
                assert!(error.to_string().contains(if link { "symbolic link" } else { "a file" }), "{error}");
                assert_eq!(fs::read_dir(&outside).unwrap().count(), 0);
            }
        }
    }

    #[test]
    fn discarding_a_link_leaves_its_target() {
        let temp = TempDir::new().unwrap();
        let layout = StorePaths::create(&temp.path().join(".grader")).unwrap();
        let outside = temp.path().join("outside");
        fs::create_dir(&outside).unwrap();
        fs::write(outside.join("f"), "x").unwrap();
        let link = layout.artifacts.join("link");
        symlink(&outside, &link).unwrap();
        layout.discard(&link).unwrap();
        assert!(outside.join("f").exists() && !link.exists());
        assert_eq!(fs::read_dir(&layout.temp).unwrap().count(), 0);
    }

    #[test]
    fn only_regular_files_are_opened() {
        let temp = TempDir::new().unwrap();
        let file = temp.path().join("file");
        fs::write(&file, "x").unwrap();
        let link = temp.path().join("link");
        symlink(&file, &link).unwrap();
        let pipe = temp.path().join("pipe");
        rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, 0o600.into(), 0).unwrap();
        let open = |path: &Path| open_plain(path, OpenOptions::new().read(true));
        assert!(open(&file).is_ok());
        assert!(open(&link).is_err() && open(&pipe).is_err() && open(temp.path()).is_err());
    }
}
