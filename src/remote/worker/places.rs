//! Maps files of a job on this machine to the files of the client that they are copies of.

use std::path::{Path, PathBuf};

use crate::remote::wire::ClientPath;

/// Folders of this machine with files of the client, each with the folder of the client that it stands for.
pub(super) struct Places(Vec<(PathBuf, PathBuf)>);

impl Places {
    /// The first folder that contains a path decides.
    pub(super) fn new(folders: impl IntoIterator<Item = (PathBuf, PathBuf)>) -> Self {
        Self(folders.into_iter().collect())
    }

    /// The file of the client that lies here; none if it is a file of this machine.
    pub(super) fn of_client(&self, path: &Path) -> Option<ClientPath> {
        let moved = |(here, there): &(PathBuf, PathBuf)| Some(there.join(path.strip_prefix(here).ok()?));
        self.0.iter().find_map(moved).map(|path| ClientPath::new(&path))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_those_of_the_client() {
        let places = Places::new([
            ("/cache/tree0/home/u/p/.grader-3".into(), "/home/u/p".into()),
            ("/cache/tree0".into(), "/".into()),
        ]);
        for (here, there) in [
            ("/cache/tree0/home/u/p/.grader-3/a.py", Some("/home/u/p/a.py")),
            ("/cache/tree0/home/u/p/1.in", Some("/home/u/p/1.in")),
            ("/usr/bin/python3", None),
        ] {
            let found = places.of_client(Path::new(here)).map(|path| path.on_client());
            assert_eq!(found.as_deref(), there.map(Path::new));
        }
    }
}
