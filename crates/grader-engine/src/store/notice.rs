//! Messages from the store to the user. They are never a failure of the run.

use std::fmt;
use std::path::{Path, PathBuf};

/// A message about the store. The run continues as it would without a cache.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Notice {
    /// The store cannot be used at all, so every program runs.
    Disabled {
        /// The path that caused the problem.
        path: PathBuf,
        /// The cause, in the system's words.
        cause: String,
    },
    /// Cached values are still used, but nothing new is written.
    WritingStopped {
        /// The file or directory that could not be written.
        path: PathBuf,
        /// The cause, in the system's words.
        cause: String,
    },
    /// At least one build could not be stored; it was used from a temporary directory.
    BuildNotKept {
        /// The directory of stored builds.
        path: PathBuf,
        /// The cause, in the system's words.
        cause: String,
    },
    /// The index was unusable and has been rebuilt from the files.
    IndexRebuilt {
        /// The index.
        path: PathBuf,
        /// The defect of the index.
        cause: String,
    },
    /// The index turned out to be damaged during the run. The rest of the run uses no cached values, and the next run
    /// rebuilds the index.
    IndexDamaged {
        /// The index.
        path: PathBuf,
        /// The defect of the index.
        cause: String,
    },
    /// The record of this run could not be written in full.
    RecordIncomplete {
        /// The record.
        path: PathBuf,
        /// The cause, in the system's words.
        cause: String,
    },
}

impl Notice {
    pub(super) fn disabled(path: &Path, cause: &impl ToString) -> Self {
        Self::Disabled { path: path.to_owned(), cause: cause.to_string() }
    }
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Disabled { path, cause } => write!(f, "running without a cache: {}: {cause}", path.display()),
            Self::WritingStopped { path, cause } => {
                write!(f, "results are no longer cached: {}: {cause}", path.display())
            }
            Self::BuildNotKept { path, cause } => {
                write!(f, "not every build could be stored: {}: {cause}", path.display())
            }
            Self::IndexRebuilt { path, cause } => write!(f, "rebuilt {}: {cause}", path.display()),
            Self::IndexDamaged { path, cause } => {
                write!(f, "{}: {cause}; cached results are not used until the next run rebuilds it", path.display())
            }
            Self::RecordIncomplete { path, cause } => {
                write!(f, "this run is not recorded in full: {}: {cause}", path.display())
            }
        }
    }
}
