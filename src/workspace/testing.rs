//! Folders with workspaces in them, for unit tests of what works on a workspace.

use std::fs;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use tempfile::TempDir;

use super::listener::Listener;
use super::{Surroundings, Workspace};
use crate::event::Notice;

/// A folder that goes with this value.
pub(crate) struct Folder {
    dir: TempDir,
    told: Told,
}

/// What a listener was told.
#[derive(Clone, Default)]
struct Told(Arc<Mutex<Vec<String>>>);

impl Listener for Told {
    fn notice(&self, notice: &Notice) {
        self.0.lock().unwrap().push(notice.message.clone());
    }
}

impl Folder {
    /// With these files, by their paths.
    pub(crate) fn new(files: &[(&str, &str)]) -> Self {
        let folder = Self { dir: tempfile::tempdir().unwrap(), told: Told::default() };
        for (name, text) in files {
            let path = folder.path(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        folder
    }

    /// Below it.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// A workspace in it that knows no tools and cannot run programs.
    pub(crate) fn workspace(&self) -> Workspace {
        let around = Surroundings { start: self.dir.path().to_owned(), ..Surroundings::default() };
        Workspace::open(around).unwrap().told_to(self.told.clone())
    }

    /// The messages that its workspaces have told.
    pub(crate) fn told(&self) -> Vec<String> {
        self.told.0.lock().unwrap().clone()
    }
}
