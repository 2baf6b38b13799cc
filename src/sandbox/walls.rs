//! The walls of a keeper with namespaces of its own: what is entered once per keeper, so that little is left to do for
//! each run.
//!
//! The keeper moves into a small read-only file system (`root`). Its boxes are file systems in memory, made one after
//! another, each with a limit to bytes and files: dropping one removes all that is in it, whatever its names and depth.
//! The grader fills and reads them through a descriptor and never by a path.

use std::fs::{self, File};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, FileType, Gid, Mode, OFlags, Uid, fchmod, fchown, fstat, fstatfs, mkdirat, openat};
use rustix::mount::{
    FsMountFlags, FsOpenFlags, MountAttrFlags, MoveMountFlags, UnmountFlags, fsconfig_create, fsconfig_set_string,
    fsmount, fsopen, move_mount, unmount,
};
use rustix::process::{DumpableBehavior, Signal, set_dumpable_behavior, set_parent_process_death_signal};
use rustix::system::sethostname;
use rustix::thread::{CapabilitySet, CapabilitySets, set_capabilities};

use super::Isolation;
use super::cgroup::Handle;
use super::root;
use super::seccomp::{Filter, Namespaces};
use super::sys::{self, Confinement};
use super::tree::Processes;
use super::wire::Setup;
use crate::limits::Limits;

/// Where a program finds its working directory, a directory for temporary files, and itself.
pub(super) const BOX: &str = "/sandbox/box";
pub(super) const TEMP: &str = "/tmp";
pub(super) const PROGRAM: &str = "/program";
/// Where the file system of the box, of `/tmp` and of `/dev/shm` is.
pub(super) const SCRATCH: &str = "/sandbox";

/// The number of the only user of a user namespace.
const LONE_USER: u32 = 1000;

/// What the keeper goes on needing: to mount boxes, to give them away, to start programs as another user and to end them.
const NEEDED: CapabilitySet = CapabilitySet::SYS_ADMIN
    .union(CapabilitySet::CHOWN)
    .union(CapabilitySet::FOWNER)
    .union(CapabilitySet::SETUID)
    .union(CapabilitySet::SETGID)
    .union(CapabilitySet::KILL)
    .union(CapabilitySet::SYS_PTRACE);

/// What a program may write in files, whatever its memory limit says.
const SCRATCH_SIZE: Tmpfs = Tmpfs { bytes: 1 << 30, inodes: 1 << 16 };
/// The largest program with all its files.
const PROGRAM_SIZE: Tmpfs = Tmpfs { bytes: 1 << 30, inodes: 1 << 18 };

/// Namespaces, a root and boxes of this process's own. It is the init of its pid namespace: what it does not start is not
/// there, and when it ends, however it ends, the kernel ends everything else (`pid_namespaces(7)`). Programs are never pid 1
/// themselves: signals that pid 1 does not handle do nothing to it, so that `abort` would look like a segmentation fault.
pub(super) struct Walls {
    pub(super) groups: Option<Handle>,
    pub(super) processes: Processes,
    /// The host user that programs become, where it is not the own one.
    user: Option<u32>,
    filter: Filter,
    toolchains: Vec<PathBuf>,
    scratch: Option<Scratch>,
    /// What will be the program, while it is filled.
    filling: Option<OwnedFd>,
    shows_program: bool,
    traces: Traces,
}

/// The file system that is mounted at `SCRATCH`.
struct Scratch {
    mount: OwnedFd,
    /// `BOX`, `TEMP` and `/dev/shm`.
    dirs: [OwnedFd; 3],
    /// What there was when it was made.
    new: Marks,
}

/// What tells whether anything was done to a file system.
#[derive(PartialEq, Eq)]
struct Marks {
    free: (u64, u64),
    /// Mode and time of the last change of each directory; no program can set that time.
    dirs: [(u32, i64, u64); 4],
}

impl Walls {
    /// Enters them. There is no way back; where it fails the process is of no further use.
    pub(super) fn enter(setup: &Setup) -> io::Result<Self> {
        let groups = match setup.groups.as_ref().map(Handle::open).transpose() {
            Err(error) if error.kind() == io::ErrorKind::Unsupported => None,
            other => other.map_err(during("open the control groups"))?,
        };
        let filter = Filter::new(Namespaces { ipc: true, network: true });
        let filter = filter.map_err(during("make the filter of system calls"))?;
        if setup.isolation == Isolation::User {
            enter_user_namespace()?;
        }
        let namespaces = libc::CLONE_NEWPID
            | libc::CLONE_NEWNS
            | libc::CLONE_NEWNET
            | libc::CLONE_NEWIPC
            | libc::CLONE_NEWUTS
            | libc::CLONE_NEWCGROUP;
        sys::unshare(namespaces).map_err(during("make namespaces"))?;
        become_init()?;
        sethostname(b"sandbox").map_err(|error| during("set the host's name")(error.into()))?;
        root::enter(&setup.toolchains, setup.user.unwrap_or(LONE_USER)).map_err(during("make the file system"))?;
        sys::drop_bounding_set();
        let kept = CapabilitySets { effective: NEEDED, permitted: NEEDED, inheritable: CapabilitySet::empty() };
        set_capabilities(None, kept).map_err(|error| during("drop capabilities")(error.into()))?;
        Ok(Self {
            groups,
            processes: Processes::open().map_err(during("open /proc"))?,
            user: setup.user,
            filter,
            toolchains: setup.toolchains.clone(),
            scratch: None,
            filling: None,
            shows_program: false,
            traces: Traces::open(),
        })
    }

    /// What a program leaves behind when it becomes one.
    pub(super) fn confinement<'a>(&'a self, groups: &'a [BorrowedFd<'a>]) -> Confinement<'a> {
        Confinement { groups, user: self.user, ruleset: None, filter: Some(&self.filter) }
    }

    /// Gets ready for a run with these limits.
    pub(super) fn prepare(&mut self, limits: &Limits, streams: [BorrowedFd<'_>; 3]) -> io::Result<()> {
        if let Some(groups) = &mut self.groups {
            let failed = during("set the limits of the control groups");
            groups.prepare(limits.memory, limits.processes).map_err(failed)?;
        }
        self.user.map_or(Ok(()), |user| streams.into_iter().try_for_each(|stream| give_pipe(stream, user)))
    }

    /// After a run: removes the traces that lie outside of the box, and tells whether there are any inside.
    pub(super) fn clean_up(&mut self) -> io::Result<bool> {
        self.traces.remove()?;
        match &self.scratch {
            Some(scratch) => Ok(self.toolchains_aside().next().is_none() && scratch.marks()? == scratch.new),
            None => Ok(false),
        }
    }

    /// An empty box in place of the one before; the descriptor is that of its working directory.
    pub(super) fn renew_box(&mut self) -> io::Result<OwnedFd> {
        if self.scratch.take().is_some() {
            unmount(SCRATCH, UnmountFlags::DETACH).map_err(|error| during("take away a box")(error.into()))?;
        }
        let mount = SCRATCH_SIZE.mount().map_err(during("make a box"))?;
        let own = |name, mode| self.own_dir(&mount, name, mode).map_err(during("make a box"));
        let dirs = [own("box", 0o700)?, own("tmp", 0o1777)?, own("shm", 0o1777)?];
        attach(&mount, SCRATCH).map_err(during("show a box"))?;
        let dir = dirs[0].try_clone()?;
        let new = Marks { free: (0, 0), dirs: [(0, 0, 0); 4] };
        let scratch = self.scratch.insert(Scratch { mount, dirs, new });
        scratch.new = scratch.marks()?;
        self.put_aside_back()?;
        Ok(dir)
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

    fn toolchains_aside(&self) -> impl Iterator<Item = (PathBuf, &Path)> {
        let aside = |index: usize| Path::new(root::ASIDE).join(index.to_string());
        let inside = self.toolchains.iter().enumerate().filter(|(_, path)| path.starts_with(TEMP));
        inside.map(move |(index, path)| (aside(index), path.as_path()))
    }

    /// Shows the toolchains that lie in the directory for temporary files, which is new.
    fn put_aside_back(&self) -> io::Result<()> {
        for (aside, path) in self.toolchains_aside() {
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

    /// Bytes that lie in the box and beside it.
    pub(super) fn scratch_used(&self) -> u64 {
        let found = self.scratch.as_ref().and_then(|scratch| fstatfs(&scratch.mount).ok());
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

impl Scratch {
    fn marks(&self) -> io::Result<Marks> {
        let mut dirs = [(0, 0, 0); 4];
        // A program of the same user can change the directory above them too.
        for (mark, dir) in dirs.iter_mut().zip(self.dirs.iter().chain([&self.mount])) {
            let found = fstat(dir)?;
            *mark = (found.st_mode, found.st_ctime, found.st_ctime_nsec);
        }
        let found = fstatfs(&self.mount)?;
        Ok(Marks { free: (found.f_bfree, found.f_ffree), dirs })
    }
}

/// What a run can leave outside of its box in namespaces that the next one is in too.
struct Traces {
    /// The last number that was given to a process; none where the kernel does not let it be set.
    last_pid: Option<File>,
    /// The lists of System V IPC, each with a line of heads.
    ipc: Vec<File>,
}

impl Traces {
    fn open() -> Self {
        let last_pid = File::options().write(true).open("/proc/sys/kernel/ns_last_pid").ok();
        let ipc = ["shm", "sem", "msg"].map(|name| File::open(Path::new("/proc/sysvipc").join(name)));
        Self { last_pid, ipc: ipc.into_iter().flatten().collect() }
    }

    /// Makes the next run look like the first.
    fn remove(&mut self) -> io::Result<()> {
        if let Some(last_pid) = &self.last_pid {
            last_pid.write_at(b"1", 0)?;
        }
        if self.ipc.iter().any(has_entries) {
            sys::unshare(libc::CLONE_NEWIPC).map_err(during("renew the IPC namespace"))?;
            self.ipc = Self::open().ipc;
        }
        Ok(())
    }
}

fn has_entries(list: &File) -> bool {
    let mut text = [0; 512];
    let length = list.read_at(&mut text, 0).unwrap_or(0);
    text[..length].iter().filter(|byte| **byte == b'\n').count() != 1
}

/// Goes on as the first process of the pid namespace made just now. The process that came here stays outside, waits, and
/// never returns.
fn become_init() -> io::Result<()> {
    if let Some(init) = sys::fork().map_err(during("start a process"))? {
        let _ = sys::wait(init, true);
        sys::exit_now();
    }
    set_parent_process_death_signal(Some(Signal::KILL))?;
    // Programs of the same user can neither trace nor read it; those of another do not even see it.
    set_dumpable_behavior(DumpableBehavior::NotDumpable)?;
    Ok(())
}

/// `/dev/stdout` opens the pipe anew, for which a program must own it.
fn give_pipe(stream: BorrowedFd<'_>, user: u32) -> io::Result<()> {
    if FileType::from_raw_mode(fstat(stream)?.st_mode) == FileType::Fifo {
        fchown(stream, Some(Uid::from_raw(user)), Some(Gid::from_raw(user)))?;
    }
    Ok(())
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
