//! Creates file systems in memory, with limits on bytes and files.

use std::io;
use std::os::fd::{AsFd as _, OwnedFd};

use rustix::mount::{FsMountFlags, FsOpenFlags, MountAttrFlags, fsconfig_create, fsconfig_set_string, fsmount, fsopen};

/// The size limits of a file system in memory.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tmpfs {
    pub(super) bytes: u64,
    pub(super) inodes: u64,
}

impl Tmpfs {
    /// Creates a new file system that is not attached anywhere yet.
    pub(super) fn mount(self) -> io::Result<OwnedFd> {
        let context = fsopen("tmpfs", FsOpenFlags::FSOPEN_CLOEXEC)?;
        fsconfig_set_string(context.as_fd(), "size", self.bytes.to_string())?;
        fsconfig_set_string(context.as_fd(), "nr_inodes", self.inodes.to_string())?;
        fsconfig_set_string(context.as_fd(), "mode", "0755")?;
        fsconfig_create(context.as_fd())?;
        let attributes = MountAttrFlags::MOUNT_ATTR_NOSUID | MountAttrFlags::MOUNT_ATTR_NODEV;
        Ok(fsmount(context.as_fd(), FsMountFlags::FSMOUNT_CLOEXEC, attributes)?)
    }
}
