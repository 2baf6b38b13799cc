//! Creates temporary folders with workspaces, for unit tests.

use std::fs;
use std::path::PathBuf;

use tempfile::TempDir;

use super::{Surroundings, Workspace};

/// A temporary folder, removed when this is dropped.
pub(crate) struct Folder {
    dir: TempDir,
}

impl Folder {
    /// Creates a folder with these files, named by their relative paths.
    pub(crate) fn new(files: &[(&str, &str)]) -> Self {
        let folder = Self { dir: tempfile::tempdir().unwrap() };
        for (name, text) in files {
            let path = folder.path(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        folder
    }

    /// A path in the folder.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// Opens a workspace in the folder that knows no tools and cannot run programs.
    pub(crate) fn workspace(&self) -> Workspace {
        let around = Surroundings { start: self.dir.path().to_owned(), ..Surroundings::default() };
        Workspace::open(around).unwrap()
    }
}
