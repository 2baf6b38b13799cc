//! Control groups of one side of a slot: they limit, measure and kill a whole process tree.
//!
//! The grader creates the groups (`Groups`, by path). The keeper sets limits and reads figures (`Handle`), using
//! descriptors alone, because the paths do not exist in its mount namespace. Version 1, version 2 and both at once are
//! normal, so each controller is looked up separately.
//!
//! Sources: `cgroups(7)`, `Documentation/admin-guide/cgroup-v2.rst` and `cgroup-v1/{memory,pids,cpuacct}.rst` of Linux.

mod file;
mod groups;
mod handle;
mod hierarchy;
mod members;
mod memory;
mod missing;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

pub(super) use groups::Groups;
pub(super) use handle::Handle;
pub(super) use memory::Kills;
pub use missing::{Controller, Missing, MissingCause};

/// The control group directories of one side, as seen by the process that created them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct GroupsPaths {
    /// In version 1's hierarchy of the memory controller.
    memory: Option<PathBuf>,
    /// In version 1's hierarchy of the pids controller.
    pids: Option<PathBuf>,
    /// In version 1's hierarchy of cpu accounting.
    cpuacct: Option<PathBuf>,
    /// In version 2's only hierarchy, with those controllers that version 1 does not have.
    unified: Option<PathBuf>,
}

impl GroupsPaths {
    /// Each directory once; version 2 first, because one write kills all its processes.
    fn directories(&self) -> Vec<&Path> {
        let mut directories: Vec<&Path> = Vec::new();
        for directory in [&self.unified, &self.pids, &self.memory, &self.cpuacct].into_iter().flatten() {
            // Controllers of version 1 may share a hierarchy.
            if !directories.contains(&directory.as_path()) {
                directories.push(directory);
            }
        }
        directories
    }
}
