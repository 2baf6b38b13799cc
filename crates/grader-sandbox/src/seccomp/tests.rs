//! Tests the filter against the kernel, and against a simulation of it for every number.

use std::ffi::CStr;

use super::*;
use crate::Exit;
use crate::sys::foreign_call;
use crate::sys::probe::{self, Walls};

const APART: Surroundings =
    Surroundings { ipc: true, memory: true, network: Network::Own, bounded_box: true, keeper: None };
const SHARED: Surroundings =
    Surroundings { ipc: false, memory: false, network: Network::Machine, bounded_box: true, keeper: Some(KEEPER) };
/// Like layer `user` without a control group for memory.
const SAMPLED: Surroundings = Surroundings { memory: false, ..APART };
/// Layer `users` without control groups.
const PAIRS: Surroundings = Surroundings { network: Network::Pairs, bounded_box: false, ..SHARED };
/// A process id that no process has.
const KEEPER: c_int = c_int::MAX - 1;

/// Arguments with which no call does anything.
const NONSENSE: [i64; 6] = [-1; 6];

/// The number of an ioctl, as an argument.
fn request(number: libc::Ioctl) -> i64 {
    i64::try_from(number).unwrap()
}

/// How `act` ends behind the filter.
fn behind(around: Surroundings, act: impl FnOnce() -> c_int) -> Exit {
    let filter = Filter::new(around).unwrap();
    probe::behind(Walls { filter: Some(filter.program()), ..Walls::default() }, act)
}

/// The error number of a call behind the filter, or 0.
fn errno(around: Surroundings, call: c_long, arguments: &[i64]) -> c_int {
    let mut all = [0; 6];
    all[..arguments.len()].copy_from_slice(arguments);
    match behind(around, || probe::call(call, all)) {
        Exit::Code(errno) => errno,
        Exit::Signal(signal) => panic!("call {call} {arguments:x?}: signal {signal}"),
    }
}

/// The action of a program for a call, as the kernel would compute it.
fn simulated(program: &[sock_filter], arch: u32, number: u32, arguments: [u64; 6]) -> u32 {
    const RETURN: u32 = libc::BPF_RET | libc::BPF_K;
    const AND: u32 = libc::BPF_ALU | libc::BPF_AND | libc::BPF_K;
    let mut data = [number, arch, 0, 0].map(u32::to_le_bytes).concat();
    data.extend(arguments.iter().flat_map(|argument| argument.to_le_bytes()));
    let mut next = 0;
    let mut loaded = 0;
    loop {
        let sock_filter { code, jt, jf, k } = program[next];
        next += 1;
        let branch = |taken: bool| usize::from(if taken { jt } else { jf });
        match u32::from(code) {
            RETURN => return k,
            AND => loaded &= k,
            JUMP_IF_EQUAL => next += branch(loaded == k),
            JUMP_IF_AT_LEAST => next += branch(loaded >= k),
            _ => loaded = u32::from_le_bytes(data[k as usize..][..4].try_into().unwrap()),
        }
    }
}

#[test]
fn denied_calls_fail_with_the_promised_error() {
    for (list, promised) in [(DENIED, libc::EPERM), (DENIED_HERE, libc::EPERM), (ABSENT, libc::ENOSYS)] {
        for call in list {
            assert_eq!(errno(APART, *call, &NONSENSE), promised, "call {call}");
        }
    }
}

#[test]
fn ipc_is_denied_where_it_is_shared_and_where_its_memory_is_not_counted() {
    for around in [SHARED, SAMPLED] {
        for call in IPC {
            assert_eq!(errno(around, *call, &NONSENSE), libc::EPERM, "call {call}");
        }
        assert_eq!(errno(around, libc::SYS_memfd_create, &[c"".as_ptr() as i64]), libc::ENOSYS);
    }
    for get in [libc::SYS_shmget, libc::SYS_semget, libc::SYS_msgget] {
        assert_eq!(errno(APART, get, &[0x7fff_fffe]), libc::ENOENT, "call {get}");
    }
}

#[test]
fn every_other_call_is_allowed() {
    for around in [APART, SHARED, SAMPLED, PAIRS] {
        let filter = Filter::new(around).unwrap();
        let actions = actions(around).unwrap();
        for number in (0..2000).chain([0x3fff_ffff, u32::MAX]) {
            let action = simulated(filter.program(), AUDIT_ARCH.unwrap(), number, [0; 6]);
            let promised = match actions.get(&number) {
                Some(Action::Refuse(errno)) => libc::SECCOMP_RET_ERRNO | errno.cast_unsigned(),
                // Both calls get family 0, which is refused.
                Some(Action::Examine(checks)) if checks.iter().any(|check| check.errno == libc::EAFNOSUPPORT) => {
                    libc::SECCOMP_RET_ERRNO | libc::EAFNOSUPPORT.cast_unsigned()
                }
                // Kind 0 is `PRIO_PROCESS` for setpriority, but no valid kind for ioprio_set.
                Some(Action::Examine(_)) if i64::from(number) == libc::SYS_ioprio_set => {
                    libc::SECCOMP_RET_ERRNO | libc::EPERM.cast_unsigned()
                }
                _ => libc::SECCOMP_RET_ALLOW,
            };
            assert_eq!(action, promised, "call {number}");
        }
    }
}

#[test]
fn a_call_of_another_architecture_is_killed() {
    let filter = Filter::new(APART).unwrap();
    for arch in [0x4000_0003, 0x4000_0028, 0x8000_00f3] {
        assert_eq!(simulated(filter.program(), arch, 0, [0; 6]), libc::SECCOMP_RET_KILL_PROCESS, "{arch:x}");
    }
}

#[cfg(target_arch = "x86_64")]
#[test]
fn x32_and_32_bit_calls_end_in_sigsys() {
    let killed = Exit::Signal(libc::SIGSYS);
    let x32 = |call: c_long| behind(APART, || probe::call(0x4000_0000 | call, [0; 6]));
    assert_eq!(x32(libc::SYS_getpid), killed);
    assert_eq!(x32(0x3fff_fffe), killed);
    assert_eq!(behind(APART, || probe::call(-1, [0; 6])), Exit::Code(libc::ENOSYS));
    let call = || i32::from(!foreign_call());
    if probe::behind(Walls::default(), call) == Exit::Code(0) {
        assert_eq!(behind(APART, call), killed);
    }
}

#[test]
fn a_new_namespace_is_denied_and_a_new_process_is_not() {
    let sigchld = i64::from(libc::SIGCHLD);
    for bit in (0..32).filter(|bit| NEW_NAMESPACE & (1 << bit) != 0) {
        assert_eq!(errno(APART, libc::SYS_clone, &[sigchld | 1 << bit]), libc::EPERM, "bit {bit}");
        assert_eq!(errno(APART, libc::SYS_clone, &[sigchld | 1 << bit | 1 << 63]), libc::EPERM, "bit {bit}");
    }
    assert_eq!(errno(APART, libc::SYS_clone, &[sigchld]), 0);
}

#[test]
fn the_keeper_cannot_be_put_behind_others() {
    let keeper = i64::from(KEEPER);
    for call in
        [libc::SYS_sched_setaffinity, libc::SYS_sched_setattr, libc::SYS_sched_setparam, libc::SYS_sched_setscheduler]
    {
        assert_eq!(errno(SHARED, call, &[keeper]), libc::EPERM, "call {call}");
        // The pointer is null, or the process does not exist.
        assert_ne!(errno(SHARED, call, &[0]), libc::EPERM, "call {call}");
        assert_ne!(errno(APART, call, &[keeper]), libc::EPERM, "call {call}");
    }
    let nobody = keeper - 1;
    for (call, process, others) in [(libc::SYS_setpriority, 0, [1, 2]), (libc::SYS_ioprio_set, 1, [2, 3])] {
        assert_eq!(errno(SHARED, call, &[process, keeper, 7]), libc::EPERM, "call {call}");
        assert_eq!(errno(SHARED, call, &[process, nobody, 0]), libc::ESRCH, "call {call}");
        for other in others {
            assert_eq!(errno(SHARED, call, &[other, nobody, 7]), libc::EPERM, "call {call}");
        }
    }
}

#[test]
fn a_thread_starts() {
    let started = || c_int::from(std::thread::scope(|scope| scope.spawn(|| 7).join().unwrap()) != 7);
    assert_eq!(behind(APART, started), Exit::Code(0));
}

#[test]
fn sockets_are_ordinary_ones_of_families_that_lead_nowhere() {
    const SOCK_PACKET: c_int = 10;
    let socket = |namespaces, family: c_int, kind: c_int, protocol: i64| {
        errno(namespaces, libc::SYS_socket, &[family.into(), kind.into(), protocol])
    };
    for family in [libc::AF_UNIX, libc::AF_INET] {
        assert_eq!(socket(APART, family, libc::SOCK_STREAM | libc::SOCK_CLOEXEC, 0), 0, "family {family}");
        for kind in [libc::SOCK_RAW, SOCK_PACKET, libc::SOCK_RAW | libc::SOCK_NONBLOCK] {
            assert_eq!(socket(APART, family, kind, 0), libc::EPERM, "family {family}, type {kind}");
        }
    }
    assert_eq!(socket(APART, libc::AF_INET, libc::SOCK_STREAM, libc::IPPROTO_TCP.into()), 0);
    for protocol in [libc::IPPROTO_SCTP, libc::IPPROTO_MPTCP] {
        assert_eq!(socket(APART, libc::AF_INET, libc::SOCK_STREAM, protocol.into()), libc::EPROTONOSUPPORT);
    }
    for family in [libc::AF_NETLINK, libc::AF_PACKET, libc::AF_VSOCK, libc::AF_ALG, 1000] {
        assert_eq!(socket(APART, family, libc::SOCK_DGRAM, 0), libc::EAFNOSUPPORT, "family {family}");
    }
    for family in [libc::AF_INET, libc::AF_INET6] {
        assert_eq!(socket(SHARED, family, libc::SOCK_DGRAM, 0), libc::EAFNOSUPPORT, "family {family}");
    }
    assert_eq!(socket(SHARED, libc::AF_UNIX, libc::SOCK_DGRAM, 0), 0);
    assert_eq!(errno(APART, libc::SYS_socketpair, &[libc::AF_TIPC.into(), 1]), libc::EAFNOSUPPORT);
    // The fourth argument is a null pointer.
    assert_eq!(errno(APART, libc::SYS_socketpair, &[libc::AF_UNIX.into(), 1]), libc::EFAULT);
}

#[test]
fn pairs_of_sockets_lead_to_each_other_alone() {
    for family in [libc::AF_UNIX, libc::AF_INET, libc::AF_NETLINK, libc::AF_VSOCK] {
        assert_eq!(errno(PAIRS, libc::SYS_socket, &[family.into(), 1]), libc::EAFNOSUPPORT, "family {family}");
    }
    let pair = |kind: c_int| errno(PAIRS, libc::SYS_socketpair, &[libc::AF_UNIX.into(), kind.into()]);
    for kind in [libc::SOCK_STREAM, libc::SOCK_SEQPACKET | libc::SOCK_CLOEXEC] {
        // The fourth argument is a null pointer.
        assert_eq!(pair(kind), libc::EFAULT, "type {kind}");
    }
    for kind in [libc::SOCK_DGRAM, libc::SOCK_RAW, libc::SOCK_DGRAM | libc::SOCK_NONBLOCK] {
        assert_eq!(pair(kind), libc::EPROTONOSUPPORT, "type {kind}");
    }
    for call in AMONG_OTHERS {
        assert_eq!(errno(PAIRS, *call, &NONSENSE), libc::EPERM, "call {call}");
        assert_ne!(errno(SHARED, *call, &NONSENSE), libc::EPERM, "call {call}");
    }
    for call in ATTRIBUTES.iter().filter(|call| **call != SETXATTRAT) {
        assert_eq!(errno(PAIRS, *call, &[0]), libc::EOPNOTSUPP, "call {call}");
        assert_eq!(errno(SHARED, *call, &[0]), libc::EFAULT, "call {call}");
    }
}

#[test]
fn the_upper_half_of_a_32_bit_argument_hides_nothing() {
    let upper = 1 << 40;
    let stdin = 0;
    let calls = [
        (libc::SYS_ioctl, [stdin, upper | request(libc::TIOCSTI), 0], libc::EPERM),
        (libc::SYS_fcntl, [stdin, upper | i64::from(libc::F_NOTIFY), 0], libc::EPERM),
        (libc::SYS_socket, [upper | i64::from(libc::AF_NETLINK), 2, 0], libc::EAFNOSUPPORT),
        (libc::SYS_socket, [1, upper | i64::from(libc::SOCK_RAW), 0], libc::EPERM),
        (libc::SYS_personality, [upper | 0x0400_0000, 0, 0], libc::EPERM),
        (libc::SYS_prlimit64, [upper | 1, 0, 0], libc::EPERM),
    ];
    for (call, arguments, promised) in calls {
        assert_eq!(errno(APART, call, &arguments), promised, "call {call}");
    }
}

#[test]
fn calls_are_told_apart_by_their_arguments() {
    const READ_IMPLIES_EXEC: i64 = 0x0040_0000;
    const PER_LINUX32: i64 = 8;
    let no_such_fd = -1;
    let eperm = libc::EPERM;
    let calls: &[(c_long, i64, i64, c_int)] = &[
        (libc::SYS_ioctl, no_such_fd, request(libc::TIOCSTI), eperm),
        (libc::SYS_ioctl, no_such_fd, request(libc::TIOCLINUX), eperm),
        (libc::SYS_ioctl, no_such_fd, request(libc::TIOCSETD), eperm),
        (libc::SYS_ioctl, no_such_fd, request(libc::TIOCGWINSZ), libc::EBADF),
        (libc::SYS_ioctl, no_such_fd, request(libc::TCGETS), libc::EBADF),
        (libc::SYS_fcntl, no_such_fd, libc::F_SETLEASE.into(), eperm),
        (libc::SYS_fcntl, no_such_fd, libc::F_NOTIFY.into(), eperm),
        (libc::SYS_fcntl, no_such_fd, F_SETDELEG.into(), eperm),
        (libc::SYS_fcntl, no_such_fd, libc::F_SETLK.into(), libc::EBADF),
        (libc::SYS_fcntl, no_such_fd, libc::F_DUPFD_CLOEXEC.into(), libc::EBADF),
        (libc::SYS_personality, 0xffff_ffff, 0, 0),
        (libc::SYS_personality, 0, 0, 0),
        (libc::SYS_personality, libc::ADDR_NO_RANDOMIZE.into(), 0, 0),
        (libc::SYS_personality, READ_IMPLIES_EXEC, 0, eperm),
        (libc::SYS_personality, PER_LINUX32, 0, eperm),
        (libc::SYS_prlimit64, 1, libc::RLIMIT_CORE.into(), eperm),
        (libc::SYS_prlimit64, 0, libc::RLIMIT_CORE.into(), 0),
    ];
    for &(call, first, second, promised) in calls {
        assert_eq!(errno(APART, call, &[first, second]), promised, "call {call} with {first:#x}, {second:#x}");
    }
}

#[test]
fn what_run_time_systems_use_passes() {
    let calls: &[(c_long, &[i64])] = &[
        (libc::SYS_getpid, &[]),
        (libc::SYS_membarrier, &[0]),
        (libc::SYS_memfd_create, &[c"".as_ptr() as i64]),
        (libc::SYS_epoll_create1, &[0]),
        (libc::SYS_eventfd2, &[0]),
        (libc::SYS_timerfd_create, &[1]),
        (libc::SYS_inotify_init1, &[0]),
        (libc::SYS_pidfd_open, &[std::process::id().into()]),
        (libc::SYS_mmap, &[0, 4096, 0, 0x22, -1]),
        (libc::SYS_prctl, &[libc::PR_GET_DUMPABLE.into()]),
        (libc::SYS_sched_yield, &[]),
        (libc::SYS_setsid, &[]),
    ];
    for (call, arguments) in calls {
        assert_eq!(errno(APART, *call, arguments), 0, "call {call}");
    }
}

#[test]
fn a_shell_starts_pipes_and_background_jobs() {
    let arguments: [&CStr; 3] = [c"/bin/sh", c"-c", c"test \"$(echo one | cat & wait)\" = one && ulimit -c 0"];
    let mut argv = [0; 4];
    for (place, argument) in argv.iter_mut().zip(arguments) {
        *place = argument.as_ptr() as i64;
    }
    for around in [APART, SHARED, SAMPLED] {
        let execve = || probe::call(libc::SYS_execve, [argv[0], argv.as_ptr() as i64, 0, 0, 0, 0]);
        assert_eq!(behind(around, execve), Exit::Code(0));
    }
}
