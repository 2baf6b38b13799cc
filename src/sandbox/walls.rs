//! The walls of a keeper with namespaces of its own: what is entered once per keeper, so that little is left to do for
//! each run.
//!
//! The keeper moves into a small read-only file system (`root`). Its boxes are file systems in memory, made one after
//! another, each with a limit to bytes and files: dropping one removes all that is in it, whatever its names and depth.
//! The grader fills and reads them through a descriptor and never by a path.

use std::fs;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, Gid, Mode, OFlags, Uid, fchmod, fchown, fstatfs, mkdirat, openat};
use rustix::mount::{
    FsMountFlags, FsOpenFlags, MountAttrFlags, MoveMountFlags, UnmountFlags, fsconfig_create, fsconfig_set_string,
    fsmount, fsopen, move_mount, unmount,
};

use super::Isolation;
use super::cgroup::Handle;
use super::root;
use super::seccomp::{Filter, Namespaces};
use super::sys;
use super::tree::Processes;
use super::wire::{Identity, Setup};

/// Where a program finds its working directory, a directory for temporary files, and itself.
pub(super) const BOX: &str = "/sandbox/box";
pub(super) const TEMP: &str = "/tmp";
pub(super) const PROGRAM: &str = "/program";
/// Where the file system of the box, of `/tmp` and of `/dev/shm` is.
pub(super) const SCRATCH: &str = "/sandbox";

/// The number of the only user of a user namespace.
const LONE_USER: u32 = 1000;

/// What a program may write in files, whatever its memory limit says.
const SCRATCH_SIZE: Tmpfs = Tmpfs { bytes: 1 << 30, inodes: 1 << 16 };
/// The largest program with all its files.
const PROGRAM_SIZE: Tmpfs = Tmpfs { bytes: 1 << 30, inodes: 1 << 18 };

/// Namespaces, a root and boxes of this process's own.
pub(super) struct Walls {
    pub(super) identity: Option<Identity>,
    pub(super) groups: Option<Handle>,
    pub(super) filter: Filter,
    pub(super) processes: Processes,
    toolchains: Vec<PathBuf>,
    /// The user that owns what programs may write to.
    owner: u32,
    /// The file system that is mounted at `SCRATCH`.
    scratch: Option<OwnedFd>,
    /// What will be the program, while it is filled.
    filling: Option<OwnedFd>,
    shows_program: bool,
}

impl Walls {
    /// Enters them. There is no way back; where it fails the process is of no further use.
    pub(super) fn enter(setup: &Setup) -> io::Result<Self> {
        let processes = Processes::open().map_err(during("open /proc"))?;
        let groups = match setup.groups.as_ref().map(Handle::open).transpose() {
            Err(error) if error.kind() == io::ErrorKind::Unsupported => None,
            other => other.map_err(during("open the control groups"))?,
        };
        let filter =
            Filter::new(Namespaces { ipc: true, network: true }).map_err(during("make the filter of system calls"))?;
        if setup.isolation == Isolation::User {
            enter_user_namespace()?;
        }
        let namespaces = libc::CLONE_NEWNS | libc::CLONE_NEWNET | libc::CLONE_NEWUTS | libc::CLONE_NEWCGROUP;
        sys::unshare(namespaces).map_err(during("make namespaces"))?;
        rustix::system::sethostname(b"sandbox").map_err(|error| during("set the host's name")(error.into()))?;
        let owner = setup.identity.map_or(LONE_USER, |identity| identity.program);
        root::enter(&setup.toolchains, owner, setup.isolation == Isolation::User)
            .map_err(during("make the file system"))?;
        sys::drop_bounding_set();
        Ok(Self {
            identity: setup.identity,
            groups,
            toolchains: setup.toolchains.clone(),
            filter,
            processes,
            owner,
            scratch: None,
            filling: None,
            shows_program: false,
        })
    }

    /// An empty box in place of the one before; the descriptor is that of its working directory.
    pub(super) fn renew_box(&mut self) -> io::Result<OwnedFd> {
        if self.scratch.take().is_some() {
            unmount(SCRATCH, UnmountFlags::DETACH).map_err(|error| during("take away a box")(error.into()))?;
        }
        let scratch = SCRATCH_SIZE.mount().map_err(during("make a box"))?;
        let mut dirs = ["box", "tmp", "shm"].into_iter().map(|name| self.own_dir(&scratch, name));
        let dir = dirs.next().transpose()?;
        dirs.try_for_each(|dir| dir.map(drop))?;
        attach(&scratch, SCRATCH).map_err(during("show a box"))?;
        self.scratch = Some(scratch);
        self.put_aside_back()?;
        dir.ok_or_else(|| io::Error::other("no box"))
    }

    /// Shows the toolchains that lie in the directory for temporary files, which is new.
    fn put_aside_back(&self) -> io::Result<()> {
        for (index, path) in self.toolchains.iter().enumerate().filter(|(_, path)| path.starts_with(TEMP)) {
            let aside = Path::new(root::ASIDE).join(index.to_string());
            if aside.is_dir() {
                fs::create_dir_all(path)?;
            } else {
                path.parent().map_or(Ok(()), fs::create_dir_all)?;
                fs::write(path, "")?;
            }
            root::bind(&aside, path)?;
        }
        Ok(())
    }

    fn own_dir(&self, parent: &OwnedFd, name: &str) -> io::Result<OwnedFd> {
        mkdirat(parent, name, Mode::from_raw_mode(0o700))?;
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let dir = openat(parent, name, flags, Mode::empty())?;
        fchown(&dir, Some(Uid::from_raw(self.owner)), Some(Gid::from_raw(self.owner)))?;
        if name != "box" {
            fchmod(&dir, Mode::from_raw_mode(0o1777))?;
        }
        Ok(dir)
    }

    /// Bytes that lie in the box and beside it.
    pub(super) fn scratch_used(&self) -> u64 {
        let found = self.scratch.as_ref().and_then(|scratch| fstatfs(scratch).ok());
        found.map_or(0, |found| (found.f_blocks - found.f_bfree) * u64::try_from(found.f_bsize).unwrap_or(0))
    }

    /// An empty directory to be filled with a program.
    pub(super) fn new_program(&mut self) -> io::Result<OwnedFd> {
        let place = PROGRAM_SIZE.mount()?;
        let dir = openat(&place, ".", OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
        self.filling = Some(place);
        Ok(dir)
    }

    /// Shows what that directory was filled with as the program, read-only.
    pub(super) fn seal_program(&mut self) -> io::Result<()> {
        let place = self.filling.take().ok_or_else(|| io::Error::other("no program to show"))?;
        if std::mem::take(&mut self.shows_program) {
            unmount(PROGRAM, UnmountFlags::DETACH)?;
        }
        // The grader's files may still be open for writing for a moment, by a child that it is starting: then this mount
        // cannot be made read-only, but another one of the same files can.
        attach(&place, PROGRAM)?;
        let shown = root::clone_mount(Path::new(PROGRAM))?;
        unmount(PROGRAM, UnmountFlags::DETACH)?;
        sys::restrict_mount(shown.as_fd(), u64::from(MountAttrFlags::MOUNT_ATTR_RDONLY.bits()), false)?;
        attach(&shown, PROGRAM)?;
        self.shows_program = true;
        Ok(())
    }
}

/// A file system in memory.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tmpfs {
    pub(super) bytes: u64,
    pub(super) inodes: u64,
}

impl Tmpfs {
    /// A new one that is mounted nowhere yet.
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

fn attach(mount: &OwnedFd, at: &str) -> io::Result<()> {
    Ok(move_mount(mount.as_fd(), "", CWD, at, MoveMountFlags::MOVE_MOUNT_F_EMPTY_PATH)?)
}

/// A user namespace in which the own user is an ordinary one (`user_namespaces(7)`).
fn enter_user_namespace() -> io::Result<()> {
    let (user, group) = (rustix::process::geteuid().as_raw(), rustix::process::getegid().as_raw());
    if user == 0 {
        return Err(io::Error::other("root has no need of a user namespace, and inside of one it would still be root"));
    }
    sys::unshare(libc::CLONE_NEWUSER).map_err(during("make a user namespace"))?;
    let map = |file: &str, text: String| fs::write(file, text).map_err(during("map the user"));
    map("/proc/self/setgroups", "deny".to_owned())?;
    map("/proc/self/gid_map", format!("{LONE_USER} {group} 1"))?;
    map("/proc/self/uid_map", format!("{LONE_USER} {user} 1"))
}

pub(super) fn during(what: &'static str) -> impl Fn(io::Error) -> io::Error {
    move |error| io::Error::new(error.kind(), format!("cannot {what}: {error}"))
}
