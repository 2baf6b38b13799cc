//! Remembers from which path each result in `--out DIR` came. A later run of the same path then knows what was withdrawn.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::report::document::write_whole;

/// `DIR/staff/received.json`: where each result came from.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Origins {
    /// The origin of each result, by its path in `staff/`.
    results: BTreeMap<PathBuf, Origin>,
    /// Which problem had a submission in which path, now or in an earlier run.
    exercises: BTreeSet<Origin>,
}

/// Where a result came from.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Origin {
    pub(crate) problem: String,
    /// The path that the user named, from the root of the file system.
    pub(crate) path: PathBuf,
}

/// The submissions of which a run knows all.
pub(crate) struct ResultScope {
    /// The named paths, from the root.
    pub(crate) paths: BTreeSet<PathBuf>,
    /// The problems to which a submission could belong.
    pub(crate) problems: BTreeSet<String>,
}

impl FromIterator<(PathBuf, Origin)> for Origins {
    fn from_iter<T: IntoIterator<Item = (PathBuf, Origin)>>(origins: T) -> Self {
        let results: BTreeMap<PathBuf, Origin> = origins.into_iter().collect();
        Self { exercises: results.values().cloned().collect(), results }
    }
}

impl Origins {
    /// The origins that earlier runs have written; none if there was no run, or somebody has changed the file.
    ///
    /// # Errors
    /// The file cannot be read.
    pub(super) fn read(file: &Path) -> io::Result<Self> {
        match fs::read(file) {
            // Without it, texts of withdrawn submissions stay, and nothing else is lost.
            Ok(bytes) => Ok(serde_json::from_slice(&bytes).unwrap_or_default()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Self::default()),
            Err(error) => Err(error),
        }
    }

    /// Writes the file.
    ///
    /// # Errors
    /// It cannot be written.
    pub(super) fn write(&self, file: &Path) -> io::Result<()> {
        write_whole(file, &serde_json::to_vec_pretty(self)?)
    }

    /// The problems that had a submission in one of these paths.
    pub(super) fn exercises_of(self, paths: &BTreeSet<PathBuf>) -> BTreeSet<String> {
        self.exercises.into_iter().filter(|origin| paths.contains(&origin.path)).map(|origin| origin.problem).collect()
    }

    /// Adds the results of a run. Removes and returns the results in its scope that came from the same paths before, and are not there
    /// any more.
    pub(super) fn update(&mut self, now: Self, scope: &ResultScope) -> Vec<PathBuf> {
        let is_withdrawn = |result: &PathBuf, origin: &Origin| {
            !now.results.contains_key(result)
                && scope.paths.contains(&origin.path)
                && scope.problems.contains(&origin.problem)
        };
        let withdrawn: Vec<PathBuf> = self
            .results
            .iter()
            .filter(|(result, origin)| is_withdrawn(result, origin))
            .map(|(result, _)| result.clone())
            .collect();
        self.results.retain(|result, _| !withdrawn.contains(result));
        self.results.extend(now.results);
        self.exercises.extend(now.exercises);
        withdrawn
    }
}
