//! Denies the system calls that no judged program needs and that no other wall may stop. The filter is a BPF program
//! for seccomp(2).
//!
//! The filter is a deny list. Any language's run-time system may run here, and an allow list would break the next one.
//! The BPF program is a binary search over the call numbers. It is written here because the libraries produce a linear
//! list. At installation the kernel runs the filter for every number, to learn which numbers it need not check again. A
//! list of these calls therefore costs seven times as much in each execution. The libraries also support only one error
//! number for each filter, and not the x32 numbers.

use std::collections::BTreeMap;
use std::io;
use std::mem::offset_of;

use libc::{c_int, c_long, sock_filter};

use super::sys;

/// The namespaces and control groups around the program. The filter need not deny the calls that these already separate
/// or limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Surroundings {
    /// Whether the program has its own System V IPC namespace.
    pub(super) ipc: bool,
    /// Whether the kernel counts all memory of the program. If not, memory is the sum of what processes map, and memory
    /// that no process maps has no limit.
    pub(super) memory: bool,
    /// The network that the program can reach through sockets.
    pub(super) network: Network,
    /// Whether the file system of the box limits what the program stores there. Attributes of files are in no other figure.
    pub(super) bounded_box: bool,
    /// The keeper's process id, if the keeper has no more rights than the programs. They could then lower its priority.
    pub(super) keeper: Option<c_int>,
}

/// The sockets that a program may make, by the network that they would reach.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Network {
    /// The program has its own, empty network, so all common sockets.
    Own,
    /// The machine's network, so unix sockets alone. Landlock restricts which of them the program can reach.
    Machine,
    /// The machine's network and all its unix sockets, so none but pairs that are connected to each other.
    Pairs,
}

/// A compiled filter that `sys::install_filter` installs between clone and exec. It serves many runs.
pub(super) struct Filter(Vec<sock_filter>);

impl Filter {
    /// Compiles the filter. Fails with `Unsupported` if the processor's system call numbers are unknown.
    pub(super) fn new(around: Surroundings) -> io::Result<Self> {
        let arch = AUDIT_ARCH.ok_or(io::ErrorKind::Unsupported)?;
        let mut program = vec![
            load(offset_of!(libc::seccomp_data, arch))?,
            instruction(JUMP_IF_EQUAL, arch, 1, 0),
            answer(libc::SECCOMP_RET_KILL_PROCESS),
            load(offset_of!(libc::seccomp_data, nr))?,
        ];
        program.extend(search(&segments(actions(around)?))?);
        Ok(Self(program))
    }

    /// Applies the filter to all later system calls of this process and its children. Requires a privilege or
    /// `PR_SET_NO_NEW_PRIVS`.
    pub(super) fn install(&self) -> io::Result<()> {
        if sys::install_filter(self.program()) < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
    }

    /// The instructions.
    pub(super) fn program(&self) -> &[sock_filter] {
        &self.0
    }
}

/// From `linux/audit.h`.
const AUDIT_ARCH: Option<u32> = if cfg!(target_arch = "x86_64") {
    Some(0xc000_003e)
} else if cfg!(target_arch = "aarch64") {
    Some(0xc000_00b7)
} else {
    None
};

/// The first number of x32, the 32-bit calls of x86-64 under the same architecture. The number -1 is a call of neither.
const X32: Option<u32> = if cfg!(target_arch = "x86_64") { Some(0x4000_0000) } else { None };

/// Calls that are denied with `EPERM`, whatever the arguments.
const DENIED: &[c_long] = &[
    // The tree of files.
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_open_tree,
    OPEN_TREE_ATTR,
    libc::SYS_move_mount,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    libc::SYS_name_to_handle_at,
    libc::SYS_open_by_handle_at,
    libc::SYS_quotactl,
    libc::SYS_quotactl_fd,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_fanotify_init,
    libc::SYS_lookup_dcookie,
    libc::SYS_nfsservctl,
    // Namespaces and other processes.
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_process_madvise,
    libc::SYS_pidfd_getfd,
    libc::SYS_kcmp,
    // Parts of the kernel with a long history of vulnerabilities, and parts whose objects outlive the run.
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_keyctl,
    // POSIX message queues outlive the run in its IPC namespace, and no list of them exists.
    libc::SYS_mq_open,
    libc::SYS_mq_unlink,
    // The machine.
    libc::SYS_kexec_load,
    KEXEC_FILE_LOAD,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_reboot,
    libc::SYS_acct,
    libc::SYS_syslog,
    libc::SYS_vhangup,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_clock_adjtime,
    libc::SYS_adjtimex,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
];

/// Denied calls that only this processor has.
#[cfg(target_arch = "x86_64")]
const DENIED_HERE: &[c_long] = &[libc::SYS_iopl, libc::SYS_ioperm, libc::SYS_modify_ldt, libc::SYS_uselib];
#[cfg(not(target_arch = "x86_64"))]
const DENIED_HERE: &[c_long] = &[];

/// `kexec_file_load(2)`; libc does not define it on every processor.
const KEXEC_FILE_LOAD: c_long = if cfg!(target_arch = "x86_64") { 320 } else { 294 };

/// `open_tree_attr(2)`, Linux 6.15; libc does not define it.
const OPEN_TREE_ATTR: c_long = 467;

/// Denied with `ENOSYS`: a library then works without the call, as on an older kernel. The C library then uses `clone`
/// instead of `clone3`, and a filter can see the flags of `clone`.
const ABSENT: &[c_long] = &[
    libc::SYS_clone3,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    // These pages are in no process's resident set, so sampling cannot see them.
    libc::SYS_memfd_secret,
];

/// Denied with `ENOSYS` if the kernel does not count memory: these calls make nameless files that no process maps.
/// Libraries then use a file in `/dev/shm`, which is counted.
const UNMAPPED: &[c_long] = &[libc::SYS_memfd_create];

/// Denied with `EOPNOTSUPP`, as on a file system without extended attributes.
const ATTRIBUTES: &[c_long] = &[libc::SYS_setxattr, libc::SYS_lsetxattr, libc::SYS_fsetxattr, SETXATTRAT];

/// `setxattrat(2)`, Linux 6.13; libc does not define it.
const SETXATTRAT: c_long = 463;

/// Denied with `EPERM` if the host's objects would be visible: a program can guess their ids and needs no get call.
/// Also denied if the kernel does not count memory. Segments, messages and semaphores need no process that maps them.
/// An ordinary user cannot lower their limits (`kernel.shmall` and others belong to root of the namespace).
const IPC: &[c_long] = &[
    libc::SYS_shmget,
    libc::SYS_shmat,
    libc::SYS_shmctl,
    libc::SYS_semget,
    libc::SYS_semop,
    libc::SYS_semtimedop,
    libc::SYS_semctl,
    libc::SYS_msgget,
    libc::SYS_msgsnd,
    libc::SYS_msgrcv,
    libc::SYS_msgctl,
];

/// Each of these flags creates a namespace. Here the bit of `CLONE_NEWTIME` is part of the exit signal; only clone3 has
/// that flag.
const NEW_NAMESPACE: c_int = libc::CLONE_NEWNS
    | libc::CLONE_NEWCGROUP
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUSER
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWNET;

/// `fcntl(2)`: a delegation is a lease, also for directories (Linux 6.19); libc does not define it.
const F_SETDELEG: c_int = 1024 + 16;

/// From `asm-generic/ioctls.h`; libc's constants have another type with another C library.
const TIOCSTI: c_int = 0x5412;
const TIOCLINUX: c_int = 0x541c;
const TIOCSETD: c_int = 0x5423;

/// The kind of a socket without `SOCK_CLOEXEC` and `SOCK_NONBLOCK`.
const KIND: c_int = 0xf;

/// Denied with `EPERM` where only connected pairs of sockets are allowed: the names of sockets are the machine's there, and
/// so are the directories. A watch on them would reveal the names of files that others open.
const AMONG_OTHERS: &[c_long] = &[libc::SYS_bind, libc::SYS_connect, libc::SYS_inotify_add_watch];

/// From `linux/ioprio.h`.
const IOPRIO_WHO_PROCESS: c_int = 1;

/// `personality(2)`: queries without a change.
const PERSONALITY_QUERY: c_int = -1;

/// The filter's decision about one call number.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Action {
    Allow,
    Refuse(c_int),
    Kill,
    Examine(Vec<Check>),
}

/// Refuses a call because of one argument. All these arguments are 32-bit in the kernel. The kernel ignores the upper
/// half, and so does this check.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Check {
    argument: usize,
    mask: c_int,
    refused: RefusedValues,
    errno: c_int,
}

/// The values of a masked argument that are refused.
#[derive(Debug, Clone, PartialEq, Eq)]
enum RefusedValues {
    These(Vec<c_int>),
    AllBut(Vec<c_int>),
}

impl Check {
    fn these<const N: usize>(argument: usize, values: [c_int; N]) -> Self {
        Self { argument, mask: -1, refused: RefusedValues::These(values.to_vec()), errno: libc::EPERM }
    }

    fn all_but<const N: usize>(argument: usize, values: [c_int; N]) -> Self {
        Self { argument, mask: -1, refused: RefusedValues::AllBut(values.to_vec()), errno: libc::EPERM }
    }
}

/// All decisions by call number. Unlisted calls are allowed.
fn actions(around: Surroundings) -> io::Result<BTreeMap<u32, Action>> {
    let ipc = if around.ipc && around.memory { &[] } else { IPC };
    let among_others = if around.network == Network::Pairs { AMONG_OTHERS } else { &[] };
    let refused =
        [DENIED, DENIED_HERE, ipc, among_others].concat().into_iter().map(|call| (call, Action::Refuse(libc::EPERM)));
    let unmapped = if around.memory { &[] } else { UNMAPPED };
    let absent = ABSENT.iter().chain(unmapped).map(|call| (*call, Action::Refuse(libc::ENOSYS)));
    let attributes = if around.bounded_box { &[] } else { ATTRIBUTES };
    let unsupported = attributes.iter().map(|call| (*call, Action::Refuse(libc::EOPNOTSUPP)));
    let absent = absent.chain(unsupported);
    let examined = examined(around).into_iter().map(|(call, checks)| (call, Action::Examine(checks)));
    let number = |call: c_long| u32::try_from(call).map_err(io::Error::other);
    refused.chain(absent).chain(examined).map(|(call, action)| Ok((number(call)?, action))).collect()
}

/// The calls whose decision depends on their arguments.
fn examined(around: Surroundings) -> Vec<(c_long, Vec<Check>)> {
    let families = match around.network {
        Network::Own => Check::all_but(0, [libc::AF_UNIX, libc::AF_INET, libc::AF_INET6]),
        Network::Machine => Check::all_but(0, [libc::AF_UNIX]),
        Network::Pairs => Check::all_but(0, []),
    };
    let family = |check| Check { errno: libc::EAFNOSUPPORT, ..check };
    let mut pairs = vec![family(Check::all_but(0, [libc::AF_UNIX]))];
    if around.network == Network::Pairs {
        // A datagram can go to any address, even from a socket that is connected to another. The kind `SOCK_RAW` means
        // datagrams too.
        let kinds = Check::all_but(1, [libc::SOCK_STREAM, libc::SOCK_SEQPACKET]);
        pairs.push(Check { mask: KIND, errno: libc::EPROTONOSUPPORT, ..kinds });
    }
    let others = vec![
        (libc::SYS_clone, vec![Check { mask: NEW_NAMESPACE, ..Check::all_but(0, [0]) }]),
        (
            libc::SYS_socket,
            vec![
                family(families),
                Check { mask: KIND, ..Check::all_but(1, [libc::SOCK_STREAM, libc::SOCK_DGRAM, libc::SOCK_SEQPACKET]) },
                // 1 is PF_UNIX or ICMP. Other protocols would load a kernel module, or bypass Landlock's check of TCP.
                Check {
                    errno: libc::EPROTONOSUPPORT,
                    ..Check::all_but(2, [0, libc::PF_UNIX, libc::IPPROTO_TCP, libc::IPPROTO_UDP])
                },
            ],
        ),
        (libc::SYS_socketpair, pairs),
        // These fake terminal input, or set line disciplines, which load kernel modules.
        (libc::SYS_ioctl, vec![Check::these(1, [TIOCSTI, TIOCLINUX, TIOCSETD])]),
        // A lease delays the next process that opens the file.
        (libc::SYS_fcntl, vec![Check::these(1, [libc::F_SETLEASE, libc::F_NOTIFY, F_SETDELEG])]),
        // Sanitizers and Lisp systems restart themselves without address randomisation.
        (libc::SYS_personality, vec![Check::all_but(0, [0, libc::ADDR_NO_RANDOMIZE, PERSONALITY_QUERY])]),
        // A program must not change the limits of the same user's other processes, such as the init.
        (libc::SYS_prlimit64, vec![Check::all_but(0, [0])]),
    ];
    others.into_iter().chain(around.keeper.into_iter().flat_map(scheduling)).collect()
}

/// The calls that change how the keeper and its later children are scheduled.
fn scheduling(keeper: c_int) -> Vec<(c_long, Vec<Check>)> {
    let by_number =
        [libc::SYS_sched_setaffinity, libc::SYS_sched_setattr, libc::SYS_sched_setparam, libc::SYS_sched_setscheduler];
    let by_number = by_number.into_iter().map(|call| (call, vec![Check::these(0, [keeper])]));
    // Groups and users include processes other than the program's own.
    let one = c_int::try_from(libc::PRIO_PROCESS).unwrap_or_default();
    let by_kind = [(libc::SYS_setpriority, one), (libc::SYS_ioprio_set, IOPRIO_WHO_PROCESS)];
    let by_kind = by_kind.map(|(call, one)| (call, vec![Check::all_but(0, [one]), Check::these(1, [keeper])]));
    by_number.chain(by_kind).collect()
}

/// Divides the numbers into ranges with the same action. Returns the first number of each range, in order, starting
/// with 0.
fn segments(actions: BTreeMap<u32, Action>) -> Vec<(u32, Action)> {
    let mut segments = vec![(0, Action::Allow)];
    for (number, action) in actions {
        segments.pop_if(|(start, _)| *start == number);
        if segments.last().is_none_or(|(_, before)| *before != action) {
            segments.push((number, action));
        }
        segments.push((number + 1, Action::Allow));
    }
    if let Some(first) = X32 {
        segments.extend([(first, Action::Kill), (u32::MAX, Action::Allow)]);
    }
    segments
}

/// Generates a binary search for the range of the loaded number. Fails if one half is too long to jump over.
fn search(segments: &[(u32, Action)]) -> io::Result<Vec<sock_filter>> {
    if let [(_, action)] = segments {
        return action.code();
    }
    let (low, high) = segments.split_at(segments.len() / 2);
    let below = search(low)?;
    let above = search(high)?;
    let over = u8::try_from(below.len()).map_err(io::Error::other)?;
    Ok([vec![instruction(JUMP_IF_AT_LEAST, high[0].0, over, 0)], below, above].concat())
}

impl Action {
    fn code(&self) -> io::Result<Vec<sock_filter>> {
        Ok(match self {
            Self::Allow => vec![answer(libc::SECCOMP_RET_ALLOW)],
            Self::Refuse(errno) => vec![refuse(*errno)],
            Self::Kill => vec![answer(libc::SECCOMP_RET_KILL_PROCESS)],
            Self::Examine(checks) => {
                let mut code = checks.iter().map(Check::code).collect::<io::Result<Vec<_>>>()?.concat();
                code.push(answer(libc::SECCOMP_RET_ALLOW));
                code
            }
        })
    }
}

impl Check {
    /// Generates comparisons, then the refusal. Execution continues after the refusal if nothing matches.
    fn code(&self) -> io::Result<Vec<sock_filter>> {
        let (values, refused) = match &self.refused {
            RefusedValues::These(values) => (values, true),
            RefusedValues::AllBut(values) => (values, false),
        };
        // The lower half of the argument: both supported processors are little-endian.
        let mut code = vec![load(offset_of!(libc::seccomp_data, args) + self.argument * size_of::<u64>())?];
        if self.mask != -1 {
            code.push(instruction(libc::BPF_ALU | libc::BPF_AND | libc::BPF_K, self.mask.cast_unsigned(), 0, 0));
        }
        for (value, left) in values.iter().zip((0..values.len()).rev()) {
            let to_refusal = u8::try_from(left).map_err(io::Error::other)?;
            let (equal, differs) = if refused { (to_refusal, u8::from(left == 0)) } else { (to_refusal + 1, 0) };
            code.push(instruction(JUMP_IF_EQUAL, value.cast_unsigned(), equal, differs));
        }
        code.push(refuse(self.errno));
        Ok(code)
    }
}

const JUMP_IF_EQUAL: u32 = libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K;
const JUMP_IF_AT_LEAST: u32 = libc::BPF_JMP | libc::BPF_JGE | libc::BPF_K;

/// A classic BPF instruction (`linux/filter.h`) with a 16-bit code. `yes` and `no` are the numbers of instructions that
/// a jump skips.
const fn instruction(code: u32, k: u32, yes: u8, no: u8) -> sock_filter {
    let [low, high, ..] = code.to_le_bytes();
    sock_filter { code: u16::from_le_bytes([low, high]), jt: yes, jf: no, k }
}

/// Loads 32 bits of `struct seccomp_data`.
fn load(offset: usize) -> io::Result<sock_filter> {
    let offset = u32::try_from(offset).map_err(io::Error::other)?;
    Ok(instruction(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, offset, 0, 0))
}

const fn answer(action: u32) -> sock_filter {
    instruction(libc::BPF_RET | libc::BPF_K, action, 0, 0)
}

const fn refuse(errno: c_int) -> sock_filter {
    answer(libc::SECCOMP_RET_ERRNO | errno.cast_unsigned())
}

#[cfg(test)]
mod tests;
