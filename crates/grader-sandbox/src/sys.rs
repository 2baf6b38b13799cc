//! The raw system calls that have no safe wrapper: starting a child, reaping it, reading its cpu clock.
//!
//! Together with its submodules, this is the only module that may contain `unsafe`. Every block says why it is sound.
#![expect(unsafe_code, reason = "clone, wait4 and cpu clocks of other processes have no safe binding")]

mod attempt;

use super::Exit;
pub(super) use attempt::{Attempt, attempt, foreign_call};
use rustix::net::{AddressFamily, SocketType};
use rustix::process::{
    DumpableBehavior, Rlimit, Signal, dumpable_behavior, parent_process_death_signal, set_dumpable_behavior,
    set_parent_process_death_signal,
};
use rustix::thread::{CapabilitySet, CapabilitySets};
use rustix::time::{ClockId, clock_gettime};

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicI32, Ordering};
use std::time::Duration;

/// The C library's type of a resource's name.
#[cfg(target_env = "gnu")]
type Resource = libc::__rlimit_resource_t;
#[cfg(not(target_env = "gnu"))]
type Resource = c_int;

/// `SIOCSIFFLAGS`. The crate `libc` gives it a type that `ioctl` of musl does not take.
const SET_INTERFACE_FLAGS: libc::Ioctl = 0x8914;

/// Everything that a child needs, prepared before its start: between clone and exec, nothing may be allocated.
pub(super) struct PreparedChild {
    argv: Vec<CString>,
    env: Vec<CString>,
    cwd: CString,
    rlimits: Vec<(Resource, libc::rlimit)>,
    core: Option<libc::cpu_set_t>,
}

/// The restrictions that a child applies to itself before it becomes the program.
#[derive(Clone, Copy, Default)]
pub(super) struct Confinement<'a> {
    /// Whether the child shares control groups with the keeper. When memory runs out, the kernel must kill the child,
    /// not the keeper.
    pub(super) dies_first: bool,
    /// The user id and group id (the same number) that the child switches to.
    pub(super) user: Option<u32>,
    /// The Landlock ruleset that restricts it.
    pub(super) ruleset: Option<BorrowedFd<'a>>,
    /// Whether the ruleset shall show the child its own entry of `/proc`, which there is only once the child is there.
    pub(super) shows_itself: bool,
    /// The system calls that it may make.
    pub(super) filter: Option<&'a [libc::sock_filter]>,
}

impl PreparedChild {
    /// Checks and converts the child's arguments, environment and limits. `argv` must not be empty.
    pub(super) fn new(
        argv: &[Vec<u8>],
        env: &[(Vec<u8>, Vec<u8>)],
        cwd: &[u8],
        limits: &[(rustix::process::Resource, Rlimit)],
    ) -> io::Result<Self> {
        let c = |bytes: &[u8]| CString::new(bytes).map_err(|_| io::Error::other("a NUL byte in an argument"));
        if argv.is_empty() {
            return Err(io::Error::other("an empty command"));
        }
        let env = env.iter().map(|(k, v)| c(&[k, &b"="[..], v].concat()));
        Ok(Self {
            argv: argv.iter().map(|arg| c(arg)).collect::<io::Result<_>>()?,
            env: env.collect::<io::Result<_>>()?,
            cwd: c(cwd)?,
            rlimits: limits.iter().map(|(resource, limit)| (*resource as Resource, rlimit(*limit))).collect(),
            core: None,
        })
    }

    /// Restricts the child to one logical cpu.
    pub(super) fn on_core(mut self, core: Option<usize>) -> Self {
        self.core = core.filter(|core| *core < libc::CPU_SETSIZE.cast_unsigned() as usize).map(|core| {
            // SAFETY: `cpu_set_t` is an array of bits, for which zero is a value; the number is within it.
            unsafe {
                let mut set = MaybeUninit::<libc::cpu_set_t>::zeroed().assume_init();
                libc::CPU_SET(core, &mut set);
                set
            }
        });
        self
    }

    /// The program's path, for messages.
    pub(super) fn program(&self) -> &CStr {
        &self.argv[0]
    }
}

/// Converts a limit to the C library's type.
fn rlimit(limit: Rlimit) -> libc::rlimit {
    let value = |limit: Option<u64>| limit.unwrap_or(libc::RLIM_INFINITY);
    libc::rlimit { rlim_cur: value(limit.current), rlim_max: value(limit.maximum) }
}

/// A started child that has not been reaped.
pub(super) struct Child {
    /// Its process id, which is also its process group.
    pub(super) pid: i32,
    /// Readable when the child has ended.
    pub(super) pidfd: OwnedFd,
}

/// The step at which a child failed before it became the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct StartFailure {
    /// The step that failed.
    pub(super) step: Step,
    /// The error number.
    pub(super) errno: i32,
}

/// The steps between clone and exec.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    Clone,
    Group,
    Streams,
    OutOfMemoryScore,
    Limits,
    Identity,
    Directory,
    Walls,
    Execute,
}

impl StartFailure {
    fn of(step: Step) -> Self {
        Self { step, errno: io::Error::last_os_error().raw_os_error().unwrap_or(0) }
    }

    /// Whether the failure says something about the program rather than about the sandbox.
    pub(super) fn is_programs(self) -> bool {
        matches!(self.step, Step::Directory | Step::Execute)
    }

    /// The cause.
    pub(super) fn error(self) -> io::Error {
        io::Error::from_raw_os_error(self.errno)
    }
}

/// The data that the child sees. It is on the parent's stack, which stays frozen until exec (`CLONE_VFORK`).
struct ChildView {
    argv: *const *const c_char,
    env: *const *const c_char,
    cwd: *const c_char,
    rlimits: *const [(Resource, libc::rlimit)],
    core: *const Option<libc::cpu_set_t>,
    streams: [RawFd; 3],
    confinement: *const Confinement<'static>,
    failure: StartFailure,
}

/// Starts a program in its own process group, with the three streams and no other descriptors.
///
/// Uses `clone(CLONE_VM | CLONE_VFORK)` as `posix_spawn` does. Measured against fork: no page tables are copied.
/// `CLONE_PIDFD` ensures that the pid cannot be recycled between start and first use.
pub(super) fn spawn(
    prepared: &PreparedChild,
    streams: [BorrowedFd<'_>; 3],
    confinement: &Confinement<'_>,
) -> Result<Child, StartFailure> {
    const STACK: usize = 64 * 1024;
    let pointers = |list: &[CString]| -> Vec<*const c_char> {
        list.iter().map(|s| s.as_ptr()).chain([std::ptr::null()]).collect()
    };
    let argv = pointers(&prepared.argv);
    let env = pointers(&prepared.env);
    let mut view = ChildView {
        argv: argv.as_ptr(),
        env: env.as_ptr(),
        cwd: prepared.cwd.as_ptr(),
        rlimits: &raw const *prepared.rlimits,
        core: &raw const prepared.core,
        streams: streams.map(|fd| fd.as_raw_fd()),
        confinement: (&raw const *confinement).cast(),
        failure: StartFailure { step: Step::Clone, errno: 0 },
    };
    let mut stack = vec![MaybeUninit::<u128>::uninit(); STACK / size_of::<u128>()];
    let mut pidfd: c_int = -1;
    let flags = libc::CLONE_VM | libc::CLONE_VFORK | libc::CLONE_PIDFD | libc::SIGCHLD;
    // SAFETY: the stack is 16-byte aligned and passed by its upper end; `view`, `argv`, `env` and `stack` outlive the
    // child's use of this memory, because CLONE_VFORK suspends us until it has called execve or _exit; `enter` calls
    // only async-signal-safe functions; this process has one thread (the keeper), so no lock can be held.
    let pid = unsafe {
        let top = stack.as_mut_ptr().add(stack.len()).cast::<c_void>();
        libc::clone(enter, top, flags, (&raw mut view).cast::<c_void>(), &raw mut pidfd)
    };
    if pid < 0 {
        return Err(StartFailure::of(Step::Clone));
    }
    if confinement.dies_first {
        // The child may have been killed halfway through `volunteer_to_die`. No program runs yet that could read this
        // process.
        let _ = rustix::process::set_dumpable_behavior(rustix::process::DumpableBehavior::NotDumpable);
    }
    // SAFETY: the kernel has just made this descriptor for this process; nothing else owns it.
    let pidfd = unsafe { OwnedFd::from_raw_fd(pidfd) };
    // SAFETY: the child wrote through a raw pointer that the compiler cannot see.
    let failure = unsafe { (&raw const view.failure).read_volatile() };
    if failure.errno != 0 {
        let _ = wait(pid, true);
        return Err(failure);
    }
    Ok(Child { pid, pidfd })
}

/// Runs in the child between clone and exec. It shares the parent's memory: no allocation, no locks, no unwinding.
extern "C" fn enter(view: *mut c_void) -> c_int {
    // SAFETY: `view` points to the `ChildView` of the suspended parent. All calls are async-signal-safe, with pointers
    // that `PreparedChild` keeps alive and NUL-terminated.
    unsafe {
        let view = &mut *view.cast::<ChildView>();
        let step = become_program(view);
        view.failure = StartFailure { step, errno: *libc::__errno_location() };
        libc::_exit(127)
    }
}

/// Sets up the child and executes the program. Returns only on failure, with the step that failed.
///
/// # Safety
/// Call this in a new child whose parent is suspended, with a view whose pointers are valid.
unsafe fn become_program(view: &ChildView) -> Step {
    // SAFETY: see above; `sigset_t` is filled by sigemptyset before it is used.
    unsafe {
        let confinement = &*view.confinement;
        // A process group, not a session: the kernel gives each session its own scheduling group, which costs more than
        // all other steps here. The keeper's session has no terminal anyway.
        if libc::setpgid(0, 0) < 0 {
            return Step::Group;
        }
        if confinement.dies_first && !volunteer_to_die() {
            return Step::OutOfMemoryScore;
        }
        for (target, source) in (0..3).zip(view.streams) {
            if libc::dup2(source, target) < 0 {
                return Step::Streams;
            }
        }
        let nice = NICE.load(Ordering::Relaxed);
        if nice != i32::MIN {
            libc::setpriority(libc::PRIO_PROCESS, 0, nice);
        }
        if let Some(core) = &*view.core {
            // If the core has been taken away in the meantime, the program runs anyway.
            libc::sched_setaffinity(0, size_of::<libc::cpu_set_t>(), core);
        }
        for (resource, limit) in &*view.rlimits {
            if libc::setrlimit(*resource, limit) < 0 {
                return Step::Limits;
            }
        }
        if let Some(id) = confinement.user
            && (libc::setgroups(0, std::ptr::null()) < 0
                || libc::setresgid(id, id, id) < 0
                || libc::setresuid(id, id, id) < 0)
        {
            return Step::Identity;
        }
        if libc::chdir(view.cwd) < 0 {
            return Step::Directory;
        }
        // After the change of user, which resets this setting.
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
        libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
        let mut none = MaybeUninit::<libc::sigset_t>::uninit();
        libc::sigemptyset(none.as_mut_ptr());
        libc::sigprocmask(libc::SIG_SETMASK, none.as_ptr(), std::ptr::null_mut());
        if let Some(ruleset) = confinement.ruleset
            && ((confinement.shows_itself && show_itself(ruleset) < 0) || restrict_self(ruleset) < 0)
        {
            return Step::Walls;
        }
        libc::syscall(libc::SYS_close_range, 3, u32::MAX, 0);
        if let Some(filter) = confinement.filter
            && install_filter(filter) < 0
        {
            return Step::Walls;
        }
        libc::execve(*view.argv, view.argv, view.env);
        Step::Execute
    }
}

/// Asks the kernel to kill this process before others when a group runs out of memory (`proc_pid_oom_score_adj(5)`).
/// Lowering the score again needs a privilege. Returns whether it worked; if not, see errno.
///
/// The child still shares the keeper's memory, which is not dumpable. The `/proc` files of such a process belong to the
/// host's root, so in a user namespace the child cannot write them. It therefore becomes dumpable for a moment. No
/// program that could exploit this moment runs yet.
///
/// # Safety
/// Call this in a new child whose parent is suspended. Async-signal-safe.
unsafe fn volunteer_to_die() -> bool {
    // SAFETY: takes numbers and constant strings only.
    unsafe {
        if libc::prctl(libc::PR_SET_DUMPABLE, 1, 0, 0, 0) < 0 {
            return false;
        }
        let file = libc::open(c"/proc/self/oom_score_adj".as_ptr(), libc::O_WRONLY | libc::O_CLOEXEC);
        let written = file >= 0 && libc::write(file, c"1000".as_ptr().cast(), 4) == 4;
        let failure = *libc::__errno_location();
        if file >= 0 {
            libc::close(file);
        }
        let hidden = libc::prctl(libc::PR_SET_DUMPABLE, 0, 0, 0, 0) == 0;
        if !written {
            *libc::__errno_location() = failure;
        }
        written && hidden
    }
}

/// Forks this process, which has one thread (`fork(2)`). Returns None in the child.
pub(super) fn fork() -> io::Result<Option<i32>> {
    // SAFETY: with one thread no lock of another is held in the copy.
    match unsafe { libc::fork() } {
        0 => Ok(None),
        pid @ 1.. => Ok(Some(pid)),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Moves this process, which has one thread, into new namespaces (`unshare(2)`).
pub(super) fn unshare(flags: c_int) -> io::Result<()> {
    // SAFETY: takes a number only; without CLONE_FILES no descriptor changes its meaning.
    if unsafe { libc::unshare(flags) } < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

/// Brings up the loopback interface of this network (`netdevice(7)`), which then has the address 127.0.0.1.
pub(super) fn raise_loopback() -> io::Result<()> {
    let socket = rustix::net::socket(AddressFamily::INET, SocketType::DGRAM, None)?;
    // SAFETY: all bytes zero are a valid request.
    let mut request: libc::ifreq = unsafe { std::mem::zeroed() };
    for (place, byte) in request.ifr_name.iter_mut().zip(*b"lo") {
        *place = libc::c_char::from_ne_bytes([byte]);
    }
    request.ifr_ifru.ifru_flags =
        libc::c_short::try_from(libc::IFF_UP | libc::IFF_RUNNING).map_err(io::Error::other)?;
    // SAFETY: the descriptor is open, and the kernel reads the request only during the call.
    let done = unsafe { libc::ioctl(socket.as_raw_fd(), SET_INTERFACE_FLAGS, &raw const request) };
    if done < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

/// Ensures that no program executed from now on gains a capability.
pub(super) fn drop_bounding_set() {
    // The kernel rejects numbers beyond the last capability.
    for capability in 0..64 {
        // SAFETY: takes numbers only.
        unsafe { libc::prctl(libc::PR_CAPBSET_DROP, capability, 0, 0, 0) };
    }
}

/// The niceness of programs, if this process runs with a lower one. `i32::MIN` is not a niceness and means unset.
static NICE: AtomicI32 = AtomicI32::new(i32::MIN);

/// Lets this process run before the programs that it starts and watches. Those keep the previous niceness (`sched(7)`).
/// Requires a privilege; without it nothing changes.
pub(super) fn run_first() {
    // SAFETY: plain system calls on this process alone.
    unsafe {
        let usual = libc::getpriority(libc::PRIO_PROCESS, 0);
        if libc::setpriority(libc::PRIO_PROCESS, 0, -20) == 0 {
            NICE.store(usual, Ordering::Relaxed);
        }
    }
}

/// Makes the kernel continue this process, if it was stopped, whenever a message arrives on `socket` or its other end
/// is closed ("Signals" in `fcntl(2)`). A change of users does not undo this, as it undoes a signal at the death of the parent.
pub(super) fn continue_at_each_word(socket: BorrowedFd<'_>) -> io::Result<()> {
    /// From `asm-generic/fcntl.h`.
    const F_SETSIG: c_int = 10;
    let socket = socket.as_raw_fd();
    // SAFETY: takes numbers only.
    let done = unsafe {
        let flags = libc::fcntl(socket, libc::F_GETFL);
        // Not SIGIO, which would end this process.
        libc::fcntl(socket, F_SETSIG, libc::SIGCONT) == 0
            && libc::fcntl(socket, libc::F_SETOWN, libc::getpid()) == 0
            && flags >= 0
            && libc::fcntl(socket, libc::F_SETFL, flags | libc::O_ASYNC) == 0
    };
    if done { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// Ends this process at once, without destructors or flushing.
pub(super) fn exit_now() -> ! {
    // SAFETY: no code of this program runs after it.
    unsafe { libc::_exit(0) }
}

/// Kills every process of this pid namespace except its init, which is the caller.
pub(super) fn kill_all_others() {
    // SAFETY: takes numbers only. Guarded by the caller being pid 1: elsewhere, -1 would mean all of the user's
    // processes.
    unsafe {
        if libc::getpid() == 1 {
            libc::kill(-1, libc::SIGKILL);
        }
    }
}

/// Kills every process of `user` that this process can see, at once: the kernel lets none of them start another meanwhile.
/// This process must have one thread and be root, with `CAP_SETUID`. `companion` is a user that no process has.
///
/// For the call this process is `user` to the kernel, with no privilege: it can kill nothing else, and needs no memory and no
/// other process. Its real user is `companion` and its saved one root, so that no unprivileged process can kill it.
///
/// # Errors
/// It cannot become that user. Then nothing was killed.
pub(super) fn kill_all_of(user: u32, companion: u32) -> io::Result<()> {
    let settings = LostSettings::read();
    let before = rustix::thread::capabilities(None)?;
    let powerless = CapabilitySets { effective: CapabilitySet::empty(), ..before };
    // SAFETY: takes numbers only, and this process has one thread, so that no other one keeps the old users.
    if unsafe { libc::setresuid(companion, user, 0) } < 0 {
        return Err(io::Error::last_os_error());
    }
    // The kernel has dropped the capabilities already, unless a flag of this process (`SECBIT_NO_SETUID_FIXUP`) forbids it.
    // With CAP_KILL, the next call would kill every process of the machine.
    let dropped = rustix::thread::set_capabilities(None, powerless);
    if dropped.is_ok() && rustix::process::geteuid().as_raw() == user {
        // SAFETY: takes numbers only. It fails only if no such process exists.
        unsafe { libc::kill(-1, libc::SIGKILL) };
    }
    // SAFETY: takes numbers only.
    if unsafe { libc::setresuid(0, 0, 0) } < 0 {
        // Impossible: the saved user is root. A keeper that is not root any more could not keep anything.
        exit_now();
    }
    rustix::thread::set_capabilities(None, before)?;
    settings.restore();
    Ok(dropped?)
}

/// Makes this thread another user in the eyes of file systems, and of the files of processes in `/proc`, until this is
/// dropped (`setfsuid(2)`). Nothing that this user cannot reach can be reached meanwhile, and no capability for files
/// (`CAP_DAC_OVERRIDE` and others) counts or is needed. Requires root with `CAP_SETUID` and `CAP_SETGID`.
pub(super) struct FileIdentity {
    before: Option<(u32, u32)>,
    settings: Option<LostSettings>,
    /// It is one thread's.
    _thread: PhantomData<*const ()>,
}

/// The settings that a process loses with each change of its users, because the kernel takes its program for another's.
#[derive(Clone, Copy)]
struct LostSettings {
    /// The signal when the parent ends.
    death: Option<Signal>,
}

/// Whether this process may be examined and leave core files (`PR_SET_DUMPABLE`), unless it is another user at the moment. A
/// keeper may not, and the grader may.
static DUMPABLE: OnceLock<bool> = OnceLock::new();

impl LostSettings {
    fn read() -> Self {
        DUMPABLE.get_or_init(|| dumpable_behavior().is_ok_and(|now| now == DumpableBehavior::Dumpable));
        Self { death: parent_process_death_signal().ok().flatten() }
    }

    /// None of this can fail: each only sets what was set before.
    fn restore(self) {
        if DUMPABLE.get() == Some(&true) {
            let _ = set_dumpable_behavior(DumpableBehavior::Dumpable);
        }
        if self.death.is_some() {
            let _ = set_parent_process_death_signal(self.death);
        }
    }
}

impl FileIdentity {
    /// Becomes the user and the group of this number; nothing happens without a number.
    pub(super) fn assume(user: Option<u32>) -> io::Result<Self> {
        let mut identity = Self { before: None, settings: None, _thread: PhantomData };
        let Some(user) = user else { return Ok(identity) };
        identity.settings = Some(LostSettings::read());
        // SAFETY: takes numbers only.
        identity.before = Some(unsigned(unsafe { (libc::setfsuid(u32::MAX), libc::setfsgid(u32::MAX)) }));
        if set_file_identity((user, user)) { Ok(identity) } else { Err(io::Error::from_raw_os_error(libc::EPERM)) }
    }
}

impl Drop for FileIdentity {
    fn drop(&mut self) {
        if let Some(before) = self.before
            && !set_file_identity(before)
        {
            // Impossible: root may always return. What follows must not happen as another user.
            std::process::abort();
        }
        if let Some(settings) = self.settings {
            settings.restore();
        }
    }
}

fn unsigned((user, group): (c_int, c_int)) -> (u32, u32) {
    (user.cast_unsigned(), group.cast_unsigned())
}

/// Returns whether the user and the group are in force. The calls themselves report no failure.
fn set_file_identity((user, group): (u32, u32)) -> bool {
    // SAFETY: takes numbers only. A number that cannot be a user changes nothing, and shows what is in force.
    let now = unsafe {
        libc::setfsgid(group);
        libc::setfsuid(user);
        (libc::setfsuid(u32::MAX), libc::setfsgid(u32::MAX))
    };
    unsigned(now) == (user, group)
}

/// Adds attributes to a mount, and to all mounts below it if `below` is set (`mount_setattr(2)`, Linux 5.12).
pub(super) fn restrict_mount(mount: BorrowedFd<'_>, attributes: u64, below: bool) -> io::Result<()> {
    /// From `linux/mount.h`.
    #[repr(C)]
    struct Change {
        set: u64,
        clear: u64,
        propagation: u64,
        user_namespace: u64,
    }
    /// From `linux/fcntl.h`.
    const AT_RECURSIVE: c_int = 0x8000;
    let change = Change { set: attributes, clear: 0, propagation: 0, user_namespace: 0 };
    let flags = libc::AT_EMPTY_PATH | if below { AT_RECURSIVE } else { 0 };
    // SAFETY: the path is empty and NUL-terminated, `change` has the layout and the size of a `mount_attr`.
    let done = unsafe {
        let change = (&raw const change).cast::<c_void>();
        libc::syscall(libc::SYS_mount_setattr, mount.as_raw_fd(), c"".as_ptr(), flags, change, size_of::<Change>())
    };
    if done < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

/// Applies the filter `program` to all later system calls of this process and its children. Returns less than 0 on
/// failure, with errno; see seccomp(2). Requires `PR_SET_NO_NEW_PRIVS`. Async-signal-safe.
pub(super) fn install_filter(program: &[libc::sock_filter]) -> c_int {
    // A filter that is too long gets length 0, which fails with EINVAL.
    let len = u16::try_from(program.len()).unwrap_or(0);
    let program = libc::sock_fprog { len, filter: program.as_ptr().cast_mut() };
    // SAFETY: the kernel copies `len` instructions from `filter`, and checks them; it writes nothing.
    let done = unsafe { libc::syscall(libc::SYS_seccomp, libc::SECCOMP_SET_MODE_FILTER, 0, &raw const program) };
    if done == 0 { 0 } else { -1 }
}

/// Enforces a Landlock ruleset on this process and its children. Returns less than 0 on failure, with errno; see
/// `landlock_restrict_self(2)`. Requires `PR_SET_NO_NEW_PRIVS`. Async-signal-safe.
pub(super) fn restrict_self(ruleset: BorrowedFd<'_>) -> c_int {
    // SAFETY: takes numbers only.
    let done = unsafe { libc::syscall(libc::SYS_landlock_restrict_self, ruleset.as_raw_fd(), 0) };
    if done == 0 { 0 } else { -1 }
}

/// Landlock's rights to read a file and to list a directory (`landlock(7)`).
const READ_FILE: u64 = 1 << 2;
const READ_DIR: u64 = 1 << 3;

/// The files about itself in `/proc` that a process may use, each with its right. The whole directory would also show the
/// machine's network, and so would each thread's.
pub(super) const OWN_ENTRIES: [(&CStr, u64); 15] = [
    (c"/proc/self/auxv", READ_FILE),
    (c"/proc/self/cgroup", READ_FILE),
    (c"/proc/self/cmdline", READ_FILE),
    (c"/proc/self/comm", READ_FILE),
    (c"/proc/self/environ", READ_FILE),
    (c"/proc/self/fd", READ_DIR),
    (c"/proc/self/limits", READ_FILE),
    (c"/proc/self/maps", READ_FILE),
    (c"/proc/self/mountinfo", READ_FILE),
    (c"/proc/self/mounts", READ_FILE),
    (c"/proc/self/smaps", READ_FILE),
    (c"/proc/self/stat", READ_FILE),
    (c"/proc/self/statm", READ_FILE),
    (c"/proc/self/status", READ_FILE),
    (c"/proc/self/task", READ_DIR),
];

/// Allows this process to read what is about itself in `/proc`, once it restricts itself to `ruleset`
/// (`landlock_add_rule(2)`). The rules are about its own entries alone, not about those of its children. Returns less than 0
/// on failure, with errno. Async-signal-safe.
fn show_itself(ruleset: BorrowedFd<'_>) -> c_int {
    /// `struct landlock_path_beneath_attr` of `linux/landlock.h`.
    #[repr(C, packed)]
    struct PathBeneath {
        allowed: u64,
        parent: c_int,
    }
    const PATH_BENEATH: c_int = 1;
    for (path, allowed) in OWN_ENTRIES {
        // SAFETY: the path is constant and NUL-terminated, `rule` has the layout that the kernel reads, and the descriptor
        // that is closed was opened here.
        unsafe {
            let entry = libc::open(path.as_ptr(), libc::O_PATH | libc::O_CLOEXEC);
            if entry < 0 && *libc::__errno_location() == libc::ENOENT {
                // Some kernels lack some of them.
                continue;
            }
            let rule = PathBeneath { allowed, parent: entry };
            let rule = (&raw const rule).cast::<c_void>();
            let done = libc::syscall(libc::SYS_landlock_add_rule, ruleset.as_raw_fd(), PATH_BENEATH, rule, 0);
            let errno = *libc::__errno_location();
            libc::close(entry);
            if done != 0 {
                *libc::__errno_location() = errno;
                return -1;
            }
        }
    }
    0
}

/// The version of Landlock's interface that the running kernel offers; 0 for none. See `landlock_create_ruleset(2)`.
pub(super) fn landlock_abi() -> u32 {
    /// `LANDLOCK_CREATE_RULESET_VERSION` from `linux/landlock.h`.
    const VERSION: c_int = 1;
    // SAFETY: with this flag the call takes no structure, and only returns its version.
    let version =
        unsafe { libc::syscall(libc::SYS_landlock_create_ruleset, std::ptr::null::<c_void>(), 0_usize, VERSION) };
    u32::try_from(version).unwrap_or(0)
}

/// Unmaps pages of the binary and its libraries that were needed only at start-up, and resets the peak. The `ru_maxrss`
/// of a program begins at the largest resident set of the process that started it. This holds even if the two share
/// that memory only for a moment. If this fails, small programs look larger.
pub(super) fn forget_startup() {
    let Ok(maps) = File::open("/proc/self/smaps") else { return };
    let mut range = None;
    for line in BufReader::new(maps).lines().map_while(Result::ok) {
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        match words[..] {
            [addresses, "r-xp" | "r--p", .., path] if path.starts_with('/') => range = addresses_of(addresses),
            ["Anonymous:", "0", _] => {
                let Some((start, length)) = range.take() else { continue };
                // SAFETY: a private mapping of a file that cannot be written and has no page of its own holds nothing
                // but the file's content: what is dropped of it is mapped again from there when it is next used.
                unsafe { libc::madvise(start as *mut c_void, length, libc::MADV_DONTNEED) };
            }
            [name, ..] if !name.ends_with(':') => range = None,
            _ => {}
        }
    }
    // If this fails, the reported peak only starts higher.
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}

/// Parses `55c1-55c2` into start and length.
fn addresses_of(text: &str) -> Option<(usize, usize)> {
    let (start, end) = text.split_once('-')?;
    let start = usize::from_str_radix(start, 16).ok()?;
    let end = usize::from_str_radix(end, 16).ok()?;
    Some((start, end.checked_sub(start)?))
}

/// The facts about a reaped process.
#[derive(Debug, Clone, Copy)]
pub(super) struct ReapedProcess {
    /// How the process ended.
    pub(super) exit: Exit,
    /// User + system time of the process and of the descendants that it has waited for.
    pub(super) cpu: Duration,
    /// The largest resident set among the process and the descendants that it has waited for, in bytes.
    pub(super) max_rss: u64,
}

/// Waits for `pid`, or for any child with -1. `Ok(None)`: none has ended yet (only without `block`).
/// An error of `ECHILD` means that the process has no child.
pub(super) fn wait(pid: i32, block: bool) -> io::Result<Option<ReapedProcess>> {
    let mut status = 0;
    let mut usage = MaybeUninit::<libc::rusage>::zeroed();
    loop {
        // SAFETY: both pointers are valid for writing one value of their type.
        let got =
            unsafe { libc::wait4(pid, &raw mut status, if block { 0 } else { libc::WNOHANG }, usage.as_mut_ptr()) };
        if got == 0 {
            return Ok(None);
        }
        if got < 0 {
            let error = io::Error::last_os_error();
            if error.kind() == io::ErrorKind::Interrupted {
                continue;
            }
            return Err(error);
        }
        // SAFETY: zeroed is a valid rusage, and wait4 has filled it.
        let usage = unsafe { usage.assume_init() };
        let exit = if libc::WIFSIGNALED(status) {
            Exit::Signal(libc::WTERMSIG(status))
        } else {
            Exit::Code(libc::WEXITSTATUS(status))
        };
        let max_rss = u64::try_from(usage.ru_maxrss).unwrap_or(0) * 1024;
        return Ok(Some(ReapedProcess { exit, cpu: timeval(usage.ru_utime) + timeval(usage.ru_stime), max_rss }));
    }
}

/// Kills one process.
pub(super) fn kill(pid: i32) {
    if let Some(pid) = rustix::process::Pid::from_raw(pid) {
        let _ = rustix::process::kill_process(pid, rustix::process::Signal::KILL);
    }
}

/// Whether two processes share all their memory. A child between vfork and exec shows the memory of its parent. None if this
/// process may not know.
pub(super) fn same_memory(one: i32, other: i32) -> Option<bool> {
    /// From `linux/kcmp.h`.
    const KCMP_VM: c_int = 1;
    // SAFETY: kcmp takes numbers only and changes nothing.
    let compared = unsafe { libc::syscall(libc::SYS_kcmp, one, other, KCMP_VM, 0, 0) };
    let is_refused = compared < 0 && io::Error::last_os_error().raw_os_error() == Some(libc::EPERM);
    (!is_refused).then_some(compared == 0)
}

/// Resets every signal to its default, as programs expect. Otherwise they would ignore the signals that the grader's
/// caller ignored.
pub(super) fn default_signals() {
    for signal in 1..=libc::SIGRTMAX() {
        // SAFETY: the default action is installed, no code of ours. Numbers that cannot be set are refused.
        unsafe { libc::signal(signal, libc::SIG_DFL) };
    }
}

/// Settles two signals, whatever this process has inherited. An ignored SIGCHLD would make children impossible to wait
/// for. With SIGXFSZ ignored, exceeding the file size limit is an ordinary write error.
pub(super) fn settle_signals() {
    // SAFETY: the default action and ignoring run no code of this program.
    unsafe {
        libc::signal(libc::SIGCHLD, libc::SIG_DFL);
        libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
    }
}

/// Resets this process, and the processes that it starts, to the ordinary personality (`personality(2)`). A personality
/// set by `setarch` would change how programs lay out their memory, or which machine they see.
pub(super) fn default_personality() {
    // SAFETY: takes a number only. `PER_LINUX` is always allowed.
    unsafe { libc::personality(0) };
}

fn timeval(time: libc::timeval) -> Duration {
    let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
    Duration::from_secs(seconds) + Duration::from_micros(u64::try_from(time.tv_usec).unwrap_or(0))
}

/// The current time of the monotonic clock, which is the same for all processes.
pub(super) fn monotonic() -> Duration {
    let now = clock_gettime(ClockId::Monotonic);
    Duration::new(u64::try_from(now.tv_sec).unwrap_or(0), u32::try_from(now.tv_nsec).unwrap_or(0))
}

/// User + system time of all threads of a living process, as exact as the scheduler's clock. None if the process is
/// gone.
pub(super) fn cpu_time(pid: i32) -> Option<Duration> {
    let mut clock = 0;
    let mut time = MaybeUninit::<libc::timespec>::uninit();
    // SAFETY: both out-pointers are valid; `time` is read only after success.
    unsafe {
        if libc::clock_getcpuclockid(pid, &raw mut clock) != 0 || libc::clock_gettime(clock, time.as_mut_ptr()) != 0 {
            return None;
        }
        let time = time.assume_init();
        Some(Duration::new(u64::try_from(time.tv_sec).ok()?, u32::try_from(time.tv_nsec).ok()?))
    }
}

/// Runs test code behind walls.
#[cfg(test)]
pub(super) mod probe {
    use libc::c_long;

    use super::{BorrowedFd, Exit, c_int, install_filter, io, restrict_self, wait};

    /// The exit code of a child whose walls failed.
    const NO_WALLS: c_int = 255;

    /// The walls around a child.
    #[derive(Clone, Copy, Default)]
    pub(in super::super) struct Walls<'a> {
        pub(in super::super) filter: Option<&'a [libc::sock_filter]>,
        pub(in super::super) ruleset: Option<BorrowedFd<'a>>,
    }

    /// Runs `act` in a child behind `walls`. The child exits with the code that `act` returns.
    pub(in super::super) fn behind(walls: Walls<'_>, act: impl FnOnce() -> c_int) -> Exit {
        // SAFETY: the child has this thread alone and ends in `_exit` below. It calls what takes no lock that another
        // thread may have held; the C library puts that of its heap right.
        let pid = unsafe { libc::fork() };
        assert!(pid >= 0, "{}", io::Error::last_os_error());
        if pid == 0 {
            let act = std::panic::AssertUnwindSafe(act);
            let code = if put_up(walls) { std::panic::catch_unwind(act).unwrap_or(NO_WALLS) } else { NO_WALLS };
            // SAFETY: ends this process, without any of the harness's handlers.
            unsafe { libc::_exit(code) }
        }
        wait(pid, true).unwrap().unwrap().exit
    }

    fn put_up(walls: Walls<'_>) -> bool {
        // SAFETY: takes numbers only.
        let no_new_privs = unsafe { libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 };
        no_new_privs
            && walls.ruleset.is_none_or(|ruleset| restrict_self(ruleset) == 0)
            && walls.filter.is_none_or(|program| install_filter(program) == 0)
    }

    /// Makes a system call by its number. Returns its error number, or 0.
    pub(in super::super) fn call(number: c_long, arguments: [i64; 6]) -> c_int {
        let [first, second, third, fourth, fifth, sixth] = arguments;
        // SAFETY: for a child that ends next; what the calls of the tests point to is theirs or nothing.
        let result = unsafe { libc::syscall(number, first, second, third, fourth, fifth, sixth) };
        if result == -1 { io::Error::last_os_error().raw_os_error().unwrap_or(0) } else { 0 }
    }
}
