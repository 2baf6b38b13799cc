//! Creates and mounts the boxes and programs of one keeper. The process that does this stays outside of the pid
//! namespace. It works for the keeper inside, which has given up the right to mount.
//!
//! A box is a file system in memory with a limit on bytes and files. Dropping it removes everything in it, whatever the
//! names and the depth. The grader fills and reads a box through a descriptor and never by a path.

use std::fs;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, Gid, Mode, OFlags, Uid, fchmod, fchown, mkdirat, openat};
use rustix::mount::{
    FsPickFlags, MountAttrFlags, MoveMountFlags, UnmountFlags, fsconfig_reconfigure, fsconfig_set_string, fspick,
    move_mount, unmount,
};

use super::places::{BOX_BYTES, BOX_FILES, PROGRAM, SCRATCH, TEMP, during};
use super::root;
use super::sys;
use super::tmpfs::Tmpfs;
use super::wire::{self, Order, Reply, Setup};

/// The maximum size and number of files that a program may write.
const SCRATCH_SIZE: Tmpfs = Tmpfs { bytes: BOX_BYTES.0, inodes: BOX_FILES };
/// The maximum size and number of files of a built program.
const PROGRAM_SIZE: Tmpfs = Tmpfs { bytes: 1 << 30, inodes: 1 << 18 };

/// The mounts behind the walls of one keeper.
pub(super) struct Mounts {
    /// The user who owns the places that programs may write to, if it is not the grader's own user.
    user: Option<u32>,
    toolchains: Vec<PathBuf>,
    has_box: bool,
    /// The capacity of a box, in bytes.
    room: u64,
    /// The program's file system while it is being filled.
    filling: Option<OwnedFd>,
    shows_program: bool,
}

impl Mounts {
    pub(super) fn new(setup: &Setup) -> Self {
        let user = setup.user();
        let toolchains = setup.toolchains.clone();
        Self { user, toolchains, has_box: false, room: SCRATCH_SIZE.bytes, filling: None, shows_program: false }
    }

    /// Serves the keeper's orders until it ends.
    pub(super) fn serve(mut self, keeper: BorrowedFd<'_>) -> io::Result<()> {
        let mut buffer = Vec::new();
        while let Some((order, _)) = wire::receive::<Order>(keeper, &mut buffer)? {
            let done = match order {
                Order::Box => self.renew_box(),
                Order::Program => self.new_program().map(|dir| vec![dir]),
                Order::Seal => self.seal_program().map(|()| Vec::new()),
                Order::Room(bytes) => self.resize(bytes).map(|()| Vec::new()),
                Order::Enter(_) | Order::Run(..) | Order::Cancel | Order::Flooded => {
                    Err(io::Error::other("a strange order"))
                }
            };
            let (reply, fds) = match done {
                Ok(fds) => (Reply::Ready, fds),
                Err(error) => (Reply::Failed(error.into()), Vec::new()),
            };
            let fds: Vec<_> = fds.iter().map(AsFd::as_fd).collect();
            wire::send(keeper, &reply, &fds)?;
        }
        Ok(())
    }

    /// Replaces the box with an empty one: a file system with the working directory, `TEMP` and `/dev/shm`.
    fn renew_box(&mut self) -> io::Result<Vec<OwnedFd>> {
        if std::mem::take(&mut self.has_box) {
            unmount(SCRATCH, UnmountFlags::DETACH).map_err(|error| during("take away a box")(error.into()))?;
        }
        let mount = Tmpfs { bytes: self.room, ..SCRATCH_SIZE }.mount().map_err(during("make a box"))?;
        let own = |name, mode| self.own_dir(&mount, name, mode).map_err(during("make a box"));
        let dirs = [own("box", 0o700)?, own("tmp", 0o1777)?, own("shm", 0o1777)?];
        attach(&mount, SCRATCH).map_err(during("show a box"))?;
        self.has_box = true;
        self.put_aside_back()?;
        Ok([mount].into_iter().chain(dirs).collect())
    }

    /// Changes the capacity of the box, including the current one.
    fn resize(&mut self, bytes: u64) -> io::Result<()> {
        self.room = bytes.min(SCRATCH_SIZE.bytes);
        if self.has_box {
            let context = fspick(CWD, SCRATCH, FsPickFlags::FSPICK_CLOEXEC)?;
            fsconfig_set_string(context.as_fd(), "size", self.room.to_string())?;
            fsconfig_reconfigure(context.as_fd())?;
        }
        Ok(())
    }

    fn own_dir(&self, parent: &OwnedFd, name: &str, mode: u32) -> io::Result<OwnedFd> {
        mkdirat(parent, name, Mode::from_raw_mode(0o700))?;
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let dir = openat(parent, name, flags, Mode::empty())?;
        if let Some(user) = self.user {
            fchown(&dir, Some(Uid::from_raw(user)), Some(Gid::from_raw(user)))?;
        }
        fchmod(&dir, Mode::from_raw_mode(mode))?;
        Ok(dir)
    }

    /// Makes toolchains below `TEMP` visible again after a new box has hidden them.
    fn put_aside_back(&self) -> io::Result<()> {
        for (index, path) in self.toolchains.iter().enumerate().filter(|(_, path)| path.starts_with(TEMP)) {
            let aside = Path::new(root::ASIDE).join(index.to_string());
            if let Ok(target) = fs::read_link(&aside) {
                path.parent().map_or(Ok(()), fs::create_dir_all)?;
                root::link(&target, path)?;
                continue;
            } else if aside.is_dir() {
                fs::create_dir_all(path)?;
            } else {
                path.parent().map_or(Ok(()), fs::create_dir_all)?;
                fs::write(path, "")?;
            }
            root::bind(&aside, path)?;
        }
        Ok(())
    }

    /// Returns an empty directory for a program's files.
    fn new_program(&mut self) -> io::Result<OwnedFd> {
        let place = PROGRAM_SIZE.mount()?;
        let dir = openat(&place, ".", OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
        self.filling = Some(place);
        Ok(dir)
    }

    /// Mounts the filled directory read-only as the program.
    fn seal_program(&mut self) -> io::Result<()> {
        let place = self.filling.take().ok_or_else(|| io::Error::other("no program to show"))?;
        if std::mem::take(&mut self.shows_program) {
            unmount(PROGRAM, UnmountFlags::DETACH)?;
        }
        // A child process that is just starting may hold the grader's files open for writing for a moment. This mount
        // then cannot become read-only, but a second mount of the same files can.
        attach(&place, PROGRAM)?;
        let shown = root::clone_mount(Path::new(PROGRAM))?;
        unmount(PROGRAM, UnmountFlags::DETACH)?;
        sys::restrict_mount(shown.as_fd(), u64::from(MountAttrFlags::MOUNT_ATTR_RDONLY.bits()), false)?;
        attach(&shown, PROGRAM)?;
        self.shows_program = true;
        Ok(())
    }
}

fn attach(mount: &OwnedFd, at: &str) -> io::Result<()> {
    Ok(move_mount(mount.as_fd(), "", CWD, at, MoveMountFlags::MOVE_MOUNT_F_EMPTY_PATH)?)
}
