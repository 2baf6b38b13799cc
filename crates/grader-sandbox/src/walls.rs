//! The walls of a keeper with its own namespaces. The keeper enters them once, so little work is left for each execution.
//!
//! The keeper moves into a small read-only file system (`root`). Its boxes are file systems in memory, made one after
//! another, each with a limit on bytes and files. Dropping a box removes everything in it, whatever the names and the
//! depth. The grader fills and reads boxes through a descriptor and never by a path.

use std::fs::{self, File};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::FileExt;
use std::path::Path;

use rustix::fs::{Dev, FileType, Gid, Uid, fchown, fstat, fstatfs};
use rustix::net::{AddressFamily, SocketFlags, SocketType, socketpair};
use rustix::process::{DumpableBehavior, Signal, set_dumpable_behavior, set_parent_process_death_signal};
use rustix::system::sethostname;
use rustix::thread::{CapabilitySet, CapabilitySets, set_capabilities};

use super::Isolation;
use super::cgroup::Handle;
use super::mounts::Mounts;
use super::places::{TEMP, during};
use super::refusal::{Part, Refusal};
use super::root;
use super::seccomp::{Filter, Network, Surroundings};
use super::sys::{self, Confinement};
use super::tree::Processes;
use super::wire::{self, ExecutionTraces, Order, Reply, Setup};
use grader_model::limits::{Bytes, Limits};

/// How many processes and threads the kernel allows beyond the limit. They are for the keeper, and for dead processes
/// that it has not reaped yet. If a run has more than its limit alive, the keeper ends it at the next look.
pub(super) const MORE_PROCESSES: u32 = 1024;

/// The id of the only user in a user namespace.
const LONE_USER: u32 = 1000;

/// The capabilities that the keeper retains. It changes the owner of pipes, starts programs as another user, watches
/// and kills them, and resets process numbers.
const NEEDED: CapabilitySet = CapabilitySet::CHOWN
    .union(CapabilitySet::SETUID)
    .union(CapabilitySet::SETGID)
    .union(CapabilitySet::SYS_PTRACE)
    .union(CapabilitySet::KILL)
    .union(CapabilitySet::CHECKPOINT_RESTORE);

/// The capabilities that the process outside retains, to mount boxes and change their owner.
const MOUNTING: CapabilitySet = CapabilitySet::SYS_ADMIN
    .union(CapabilitySet::CHOWN)
    .union(CapabilitySet::FOWNER)
    .union(CapabilitySet::DAC_OVERRIDE);

/// Namespaces, a root and boxes of this process's own. This process is the init of its pid namespace: only processes
/// that it starts exist there. When it ends, for any reason, the kernel ends everything else (`pid_namespaces(7)`).
/// Programs are never pid 1 themselves. Signals that pid 1 does not handle do nothing to it, so `abort` would look like
/// a segmentation fault.
pub(super) struct Walls {
    pub(super) groups: Option<Handle>,
    pub(super) processes: Processes,
    /// The host user that programs run as, if it is not the grader's own.
    user: Option<u32>,
    /// The filter that each program installs. None if this process has installed it already, because programs inherit
    /// it.
    filter: Option<Filter>,
    /// The socket to the process outside that mounts for the keeper.
    outside: OwnedFd,
    scratch: Option<Scratch>,
    /// Whether toolchains are mounted in the box, so that it never looks new.
    has_toolchains_aside: bool,
    /// The memory limit for which the box and System V memory were last resized.
    room_for: Option<Bytes>,
    traces: Traces,
}

/// The file system that is mounted at `SCRATCH`.
struct Scratch {
    mount: OwnedFd,
    /// The directories `BOX`, `TEMP` and `/dev/shm`.
    dirs: [OwnedFd; 3],
    /// The state of the file system when it was created.
    new: Marks,
}

/// The state of a file system, to detect any change.
#[derive(PartialEq, Eq)]
struct Marks {
    free: (u64, u64),
    /// Mode and last change time of each directory. No program can set that time.
    dirs: [(u32, i64, u64); 4],
}

impl Walls {
    /// Enters the walls for good. If this fails, the process is useless.
    pub(super) fn enter(setup: &Setup) -> io::Result<Self> {
        let mut groups = open_groups(setup)?;
        let memory = groups.as_ref().is_some_and(Handle::limits_memory);
        let filter =
            Filter::new(Surroundings { ipc: true, memory, network: Network::Own, bounded_box: true, keeper: None });
        let filter = filter.map_err(making(Part::Filter, "make the filter of system calls"))?;
        if setup.isolation == Isolation::User {
            enter_user_namespace()?;
        }
        let namespaces = libc::CLONE_NEWPID
            | libc::CLONE_NEWNS
            | libc::CLONE_NEWNET
            | libc::CLONE_NEWIPC
            | libc::CLONE_NEWUTS
            | libc::CLONE_NEWCGROUP;
        // Created in the host's network, so that all sockets in the new network are the programs' own.
        let sockets = socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None)?;
        sys::unshare(namespaces).map_err(during("make namespaces"))?;
        if setup.loopback {
            sys::raise_loopback().map_err(during("raise the loopback interface"))?;
        }
        let outside = become_init(setup, sockets)?;
        if let Some(groups) = &mut groups {
            groups.enter().map_err(during("join the control groups"))?;
        }
        sethostname(b"sandbox").map_err(|error| during("set the host's name")(error.into()))?;
        root::enter(&setup.toolchains, setup.user().unwrap_or(LONE_USER)).map_err(during("make the file system"))?;
        let processes = Processes::open().map_err(making(Part::Proc, "open /proc"))?;
        let traces = Traces::open();
        sys::drop_bounding_set();
        // Installing the filter now saves each program a quarter of its start time. Without control groups, exact
        // memory measurement needs a call that the filter denies.
        let filter = if memory {
            filter.install().map_err(during("install the filter of system calls"))?;
            None
        } else {
            Some(filter)
        };
        keep_capabilities(NEEDED)?;
        let has_toolchains_aside = setup.toolchains.iter().any(|path| path.starts_with(TEMP));
        Ok(Self {
            groups,
            processes,
            user: setup.user(),
            filter,
            outside,
            scratch: None,
            has_toolchains_aside,
            room_for: None,
            traces,
        })
    }

    /// Asks the process outside to mount something.
    pub(super) fn mount(&mut self, order: &Order) -> io::Result<Option<OwnedFd>> {
        let gone = |error: &io::Error| {
            let part = (error.kind() == io::ErrorKind::BrokenPipe).then_some(Part::Mounter);
            Refusal::with_message(error, part, format!("the process that mounts does not answer: {error}"))
        };
        wire::send(self.outside.as_fd(), order, &[]).map_err(|error| gone(&error))?;
        let answer = wire::receive::<Reply>(self.outside.as_fd(), &mut Vec::new())?;
        let mut fds = match answer.ok_or_else(|| gone(&io::ErrorKind::BrokenPipe.into()))? {
            (Reply::Ready, fds) => fds,
            (Reply::Failed(refusal), _) => return Err(refusal.into()),
            _ => return Err(io::Error::other("the process that mounts sent an unexpected answer")),
        };
        if !matches!(order, Order::Box) {
            return Ok(fds.pop());
        }
        let Ok([mount, dir, temp, shm]) = <[OwnedFd; 4]>::try_from(fds) else {
            return Err(io::Error::other("a box without its directories"));
        };
        let answer = dir.try_clone()?;
        self.scratch = Some(Scratch::new(mount, [dir, temp, shm])?);
        Ok(Some(answer))
    }

    /// The restrictions that each program applies to itself at its start.
    pub(super) fn confinement(&self) -> Confinement<'_> {
        let dies_first = self.groups.as_ref().is_some_and(Handle::limits_memory);
        let filter = self.filter.as_ref().map(Filter::program);
        Confinement { dies_first, user: self.user, filter, ..Confinement::default() }
    }

    /// Prepares a run with these limits.
    pub(super) fn prepare(&mut self, limits: &Limits, streams: [BorrowedFd<'_>; 3]) -> io::Result<()> {
        if let Some(groups) = &mut self.groups {
            let failed = during("set the limits of the control groups");
            groups.prepare(limits.memory, limits.processes.saturating_add(MORE_PROCESSES)).map_err(failed)?;
        }
        self.leave_room(limits.memory)?;
        self.user.map_or(Ok(()), |user| streams.into_iter().try_for_each(|stream| give_pipe(stream, user)))
    }

    /// Limits files and System V memory, which outlive the processes of a run, to less than the memory limit. Otherwise
    /// the keeper could be the only process left that the kernel can kill for lack of memory. Writes the bound only
    /// when it changes.
    fn leave_room(&mut self, memory: Bytes) -> io::Result<()> {
        let is_limited = self.groups.as_ref().is_some_and(Handle::limits_memory);
        if is_limited && self.room_for != Some(memory) {
            self.mount(&Order::Room(memory.0 / 8 * 5)).map_err(during("resize the box"))?;
            if let Some(shared) = &self.traces.shared_pages {
                let pages = memory.0 / 8 / rustix::param::page_size() as u64;
                // In a user namespace, the kernel may forbid this.
                let _ = shared.write_all_at(pages.to_string().as_bytes(), 0);
            }
            self.room_for = Some(memory);
        }
        Ok(())
    }

    /// Lifts the memory limit. Call this when the main program was killed, before anything else: the files that the
    /// program left may fill the limit.
    pub(super) fn relieve(&mut self) {
        if let Some(groups) = &mut self.groups {
            groups.lift_memory();
        }
    }

    /// Removes the traces of a run as far as possible, and returns which traces are left.
    pub(super) fn clean_up(&self) -> io::Result<ExecutionTraces> {
        if !self.traces.remove()? {
            return Ok(ExecutionTraces::Objects);
        }
        let as_new = match &self.scratch {
            Some(scratch) => !self.has_toolchains_aside && scratch.marks()? == scratch.new,
            None => false,
        };
        Ok(if as_new { ExecutionTraces::Nothing } else { ExecutionTraces::Files })
    }

    /// The device of the box's file system.
    pub(super) fn scratch_device(&self) -> Option<Dev> {
        Some(fstat(&self.scratch.as_ref()?.mount).ok()?.st_dev)
    }

    /// The bytes used in the box's file system.
    pub(super) fn scratch_used(&self) -> u64 {
        // This call cannot fail for the keeper's own mount.
        let found = self.scratch.as_ref().and_then(|scratch| fstatfs(&scratch.mount).ok());
        found.map_or(0, |found| (found.f_blocks - found.f_bfree) * u64::try_from(found.f_bsize).unwrap_or(0))
    }
}

impl Scratch {
    fn new(mount: OwnedFd, dirs: [OwnedFd; 3]) -> io::Result<Self> {
        let new = marks(&mount, &dirs)?;
        Ok(Self { mount, dirs, new })
    }

    fn marks(&self) -> io::Result<Marks> {
        marks(&self.mount, &self.dirs)
    }
}

fn marks(mount: &OwnedFd, dirs: &[OwnedFd; 3]) -> io::Result<Marks> {
    // A program of the same user can also change the parent directory.
    let mut marks = [(0, 0, 0); 4];
    for (mark, dir) in marks.iter_mut().zip(dirs.iter().chain([mount])) {
        let found = fstat(dir)?;
        *mark = (found.st_mode, found.st_ctime, found.st_ctime_nsec);
    }
    let found = fstatfs(mount)?;
    Ok(Marks { free: (found.f_bfree, found.f_ffree), dirs: marks })
}

/// The traces that a run can leave outside its box, in namespaces that the next run shares.
struct Traces {
    /// The last process id that was assigned. None if the kernel does not let it be set.
    last_pid: Option<File>,
    /// The limit on System V memory, in pages.
    shared_pages: Option<File>,
    /// The lists of System V IPC and of unix sockets, each with a heading line. A socket that is queued in a message to
    /// itself outlives its processes, with everything else in the queue, until the kernel collects such cycles.
    lists: Vec<File>,
    /// The cpu share of the keeper's session (`sched(7)`, "The autogroup feature"), and its first value. None if the
    /// kernel does not use autogroups.
    share: Option<(File, Vec<u8>)>,
}

impl Traces {
    fn open() -> Self {
        // Some files are missing on some kernels, or not writable. Such a trace is of little use to a program.
        let last_pid = File::options().write(true).open("/proc/sys/kernel/ns_last_pid").ok();
        let lists = ["sysvipc/shm", "sysvipc/sem", "sysvipc/msg", "self/net/unix"];
        let lists = lists.map(|name| File::open(Path::new("/proc").join(name)));
        let shared_pages = File::options().write(true).open("/proc/sys/kernel/shmall").ok();
        let share = File::open("/proc/self/autogroup").ok().map(|file| {
            let text = contents(&file);
            (file, text)
        });
        Self { last_pid, shared_pages, lists: lists.into_iter().flatten().collect(), share }
    }

    /// Makes the next run look like the first. Returns false if that is not possible.
    fn remove(&self) -> io::Result<bool> {
        if let Some(last_pid) = &self.last_pid {
            last_pid.write_at(b"1", 0)?;
        }
        let has_its_share = self.share.as_ref().is_none_or(|(file, first)| contents(file) == *first);
        Ok(has_its_share && !self.lists.iter().any(has_entries))
    }
}

fn has_entries(list: &File) -> bool {
    contents(list).split(|byte| *byte == b'\n').count() != 2
}

/// The first 512 bytes of a kernel file.
fn contents(file: &File) -> Vec<u8> {
    let mut text = [0; 512];
    let length = file.read_at(&mut text, 0).unwrap_or(0);
    text[..length].to_vec()
}

/// Continues as the first process of the new pid namespace. The original process stays outside, in the same mount
/// namespace. It mounts what the keeper orders, and never returns.
fn become_init(setup: &Setup, (inside, outside): (OwnedFd, OwnedFd)) -> io::Result<OwnedFd> {
    if let Some(init) = sys::fork().map_err(during("start a process"))? {
        drop(outside);
        // If this fails, the keeper notices, because its orders get no reply.
        let _ = keep_capabilities(MOUNTING).and_then(|()| Mounts::new(setup).serve(inside.as_fd()));
        drop(inside);
        // An error here cannot be handled.
        let _ = sys::wait(init, true);
        sys::exit_now();
    }
    set_parent_process_death_signal(Some(Signal::KILL))?;
    // Programs of the same user cannot trace or read the keeper. Programs of another user cannot even see it.
    set_dumpable_behavior(DumpableBehavior::NotDumpable)?;
    Ok(outside)
}

pub(super) fn keep_capabilities(kept: CapabilitySet) -> io::Result<()> {
    let sets = CapabilitySets { effective: kept, permitted: kept, inheritable: CapabilitySet::empty() };
    set_capabilities(None, sets).map_err(|error| during("drop capabilities")(error.into()))
}

/// Makes `user` the owner of a pipe: `/dev/stdout` opens the pipe again, which only its owner may do.
pub(super) fn give_pipe(stream: BorrowedFd<'_>, user: u32) -> io::Result<()> {
    if FileType::from_raw_mode(fstat(stream)?.st_mode) == FileType::Fifo {
        fchown(stream, Some(Uid::from_raw(user)), Some(Gid::from_raw(user)))?;
    }
    Ok(())
}

/// Enters a user namespace in which the own user is an ordinary user (`user_namespaces(7)`).
fn enter_user_namespace() -> io::Result<()> {
    let user = rustix::process::geteuid().as_raw();
    let group = rustix::process::getegid().as_raw();
    if user == 0 {
        return Err(io::Error::other("root has no need of a user namespace, and inside of one it would still be root"));
    }
    sys::unshare(libc::CLONE_NEWUSER).map_err(making(Part::UserNamespace, "make a user namespace"))?;
    let map = |file: &str, text: String| fs::write(file, text).map_err(during("map the user"));
    map("/proc/self/setgroups", "deny".to_owned())?;
    map("/proc/self/gid_map", format!("{LONE_USER} {group} 1"))?;
    map("/proc/self/uid_map", format!("{LONE_USER} {user} 1"))
}

/// The control groups of this keeper; None if it has none.
pub(super) fn open_groups(setup: &Setup) -> io::Result<Option<Handle>> {
    match setup.groups.as_ref().map(Handle::open).transpose() {
        Err(error) if error.kind() == io::ErrorKind::Unsupported => Ok(None),
        other => other.map_err(during("open the control groups")),
    }
}

/// Like [`during`], with the part of the walls that failed.
pub(super) fn making(part: Part, what: &'static str) -> impl Fn(io::Error) -> io::Error {
    move |error| Refusal::with_message(&error, Some(part), format!("cannot {what}: {error}"))
}
