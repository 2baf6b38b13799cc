//! A Landlock ruleset: it limits which files a program may open and which processes it may reach when no namespaces
//! contain it.
//!
//! Best effort: the kernel enforces the restrictions that its version knows (see `Wall::since`). No version protects
//! metadata (stat, chmod, chown, times of files that the user owns); see landlock(7).

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::Path;

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, Ruleset as Rules, RulesetAttr, RulesetCreatedAttr, RulesetError, Scope,
    path_beneath_rules,
};

use super::refusal::{Part, Refusal};
use super::sys;

/// The last version whose restrictions have been tested. Anything that only a later kernel can deny stays allowed.
const TRIED: ABI = ABI::V7;

/// Devices that store nothing.
const EMPTY_DEVICES: [&str; 3] = ["/dev/null", "/dev/zero", "/dev/full"];

/// Devices that programs only read.
const RANDOM_DEVICES: [&str; 2] = ["/dev/random", "/dev/urandom"];

/// A kind of access that Landlock can restrict.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wall {
    /// Programs cannot read or execute unlisted files, or list unlisted directories.
    Reading,
    /// Programs cannot write, create, remove or truncate unlisted files. The first versions do not restrict truncation.
    Writing,
    /// Programs cannot bind or connect to TCP ports.
    Tcp,
    /// Programs cannot use ioctls of devices, except those that every file has.
    Devices,
    /// Programs cannot signal processes outside.
    Signals,
    /// Programs cannot connect to abstract unix sockets outside.
    AbstractSockets,
}

/// The version of Landlock's interface that the running kernel offers; None without Landlock.
pub fn landlock_version() -> Option<u32> {
    Some(sys::landlock_abi()).filter(|version| *version > 0)
}

impl Wall {
    /// All restrictions, in the order of their versions.
    pub const ALL: [Self; 6] =
        [Self::Reading, Self::Writing, Self::Tcp, Self::Devices, Self::Signals, Self::AbstractSockets];

    /// The first version of the kernel's interface with this restriction: Linux 5.13, 6.2, 6.7, 6.10, 6.12.
    pub const fn since(self) -> u32 {
        match self {
            Self::Reading => 1,
            Self::Writing => 3,
            Self::Tcp => 4,
            Self::Devices => 5,
            Self::Signals | Self::AbstractSockets => 6,
        }
    }

    /// Whether a kernel with this version of the interface enforces the restriction.
    pub fn stands(self, version: Option<u32>) -> bool {
        version.is_some_and(|version| version >= self.since())
    }
}

/// A ruleset that `sys::restrict_self` enforces between clone and exec. It serves many runs. Each run gets its own
/// domain, so runs cannot signal each other either.
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

    /// Fails if this kernel has no Landlock.
    pub(super) fn demand() -> io::Result<()> {
        if Self::new(&[], &[])?.fd().is_some() {
            return Ok(());
        }
        let message = "this kernel has no Landlock".to_owned();
        Err(Refusal { part: Some(Part::Landlock), is_forbidden: false, message }.into())
    }

    /// The ruleset; None on a kernel without Landlock.
    pub(super) fn fd(&self) -> Option<BorrowedFd<'_>> {
        self.fd.as_ref().map(AsFd::as_fd)
    }
}

fn build(read: &[&Path], write: &[&Path]) -> Result<Option<OwnedFd>, RulesetError> {
    let looks = AccessFs::from_read(TRIED);
    // A program that could create a device in its own directory could reach the whole disk.
    let works = AccessFs::from_all(TRIED) & !(AccessFs::MakeChar | AccessFs::MakeBlock);
    // With ioctls allowed, isatty(3) fails with ENOTTY on these devices, as it does elsewhere.
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
