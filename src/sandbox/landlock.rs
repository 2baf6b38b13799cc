//! A Landlock ruleset: it limits which files a program may open and which processes it may reach when no namespaces
//! contain it.
//!
//! Best effort: the kernel enforces what its version knows, and `Wall::since` tells what that is. Whatever the
//! version, metadata is free (stat, chmod, chown, times of what the user owns); see landlock(7).

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::Path;

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, Ruleset as Rules, RulesetAttr, RulesetCreatedAttr, RulesetError, Scope,
    path_beneath_rules,
};

use super::sys;

/// The last version whose restrictions we have tried. Anything that only a later kernel can deny stays allowed.
const TRIED: ABI = ABI::V7;

/// Devices that hold nothing and keep nothing.
const EMPTY_DEVICES: [&str; 3] = ["/dev/null", "/dev/zero", "/dev/full"];

/// Devices that are only read.
const RANDOM_DEVICES: [&str; 2] = ["/dev/random", "/dev/urandom"];

/// What Landlock can hold against a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wall {
    /// Files that are not listed are not read or executed, and directories not listed.
    Reading,
    /// Files that are not listed are not written, made or removed; nor truncated, which the first versions let pass.
    Writing,
    /// No TCP port is bound or connected to.
    Tcp,
    /// No ioctl of a device, beyond those of any file.
    Devices,
    /// No process outside gets a signal.
    Signals,
    /// No abstract unix socket from outside is connected to.
    AbstractSockets,
}

/// The version of Landlock's interface that the running kernel offers; none without Landlock.
pub fn landlock_version() -> Option<u32> {
    Some(sys::landlock_abi()).filter(|version| *version > 0)
}

impl Wall {
    /// All of them, in the order of their versions.
    pub const ALL: [Self; 6] =
        [Self::Reading, Self::Writing, Self::Tcp, Self::Devices, Self::Signals, Self::AbstractSockets];

    /// The first version of the kernel's interface that holds it: Linux 5.13, 6.2, 6.7, 6.10, 6.12.
    pub const fn since(self) -> u32 {
        match self {
            Self::Reading => 1,
            Self::Writing => 3,
            Self::Tcp => 4,
            Self::Devices => 5,
            Self::Signals | Self::AbstractSockets => 6,
        }
    }

    /// Whether a kernel with this version of the interface holds it.
    pub fn stands(self, version: Option<u32>) -> bool {
        version.is_some_and(|version| version >= self.since())
    }
}

/// A ruleset, to be enforced between clone and exec by `sys::restrict_self`. Once for many runs: each gets a domain of
/// its own, so that they cannot signal each other either.
pub(super) struct Ruleset {
    fd: Option<OwnedFd>,
}

impl Ruleset {
    /// Allows reading and executing beneath `read`, everything except making devices beneath `write`, and the devices
    /// that every program expects. Skips paths that do not exist. Resolves paths now: a file that replaces one of them
    /// later is not allowed.
    ///
    /// Programs may list `/proc`. A program within a ruleset sees only the public entries of processes outside. It does
    /// not see their descriptors, root or memory. It does not see their environment either if it has no capabilities.
    pub(super) fn new(read: &[&Path], write: &[&Path]) -> io::Result<Self> {
        Ok(Self { fd: build(read, write).map_err(io::Error::other)? })
    }

    /// The ruleset; none on a kernel without Landlock.
    pub(super) fn fd(&self) -> Option<BorrowedFd<'_>> {
        self.fd.as_ref().map(AsFd::as_fd)
    }
}

fn build(read: &[&Path], write: &[&Path]) -> Result<Option<OwnedFd>, RulesetError> {
    let looks = AccessFs::from_read(TRIED);
    // A device made in one's own directory would be a way to the whole disk.
    let works = AccessFs::from_all(TRIED) & !(AccessFs::MakeChar | AccessFs::MakeBlock);
    // With its ioctls, such a device answers ENOTTY to isatty(3) as it does elsewhere.
    let empty: BitFlags<AccessFs> = AccessFs::ReadFile | AccessFs::WriteFile | AccessFs::IoctlDev;
    let random = AccessFs::ReadFile | AccessFs::IoctlDev;
    let rules = Rules::default()
        .handle_access(AccessFs::from_all(TRIED))?
        .handle_access(AccessNet::from_all(TRIED))?
        .scope(Scope::from_all(TRIED))?
        .create()?
        .add_rules(path_beneath_rules(read, looks))?
        .add_rules(path_beneath_rules(write, works))?
        .add_rules(path_beneath_rules(EMPTY_DEVICES, empty))?
        .add_rules(path_beneath_rules(RANDOM_DEVICES, random))?;
    Ok(rules.into())
}

#[cfg(test)]
mod tests;
