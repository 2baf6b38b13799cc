//! Forbidden system calls, which hostile test programs try.

use std::ffi::CStr;
use std::io;
use std::os::fd::RawFd;

use libc::{c_int, c_long};

/// A system call that no judged program may make. Its arguments make it harmless if it succeeds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Attempt<'a> {
    /// `ptrace(2)`: seizes a process, which continues as before.
    Trace(i32),
    /// `keyctl(2)`: creates a keyring for this process.
    Keyring,
    /// `io_uring_setup(2)` without parameters.
    IoUring,
    /// `bpf(2)`: creates a map without a size.
    Bpf,
    /// `perf_event_open(2)` without a description.
    PerfEvent,
    /// `userfaultfd(2)`: for page faults in user space.
    UserFault,
    /// `shmget(2)`: creates a page of shared memory with this key.
    MakeShared(i32),
    /// `shmget(2)`: finds the memory with this key and returns its id.
    FindShared(i32),
    /// `shmctl(2)`: removes the memory with this id.
    RemoveShared(i32),
    /// `mq_open(2)`: creates a message queue with this name.
    MakeQueue(&'a CStr),
    /// `mq_open(2)`: opens the queue with this name.
    FindQueue(&'a CStr),
    /// `mq_unlink(2)`: removes the queue with this name.
    RemoveQueue(&'a CStr),
    /// `setns(2)`: joins the namespace of this descriptor, which is a file in `/proc/self/ns`.
    Join(RawFd),
    /// `socket(2)`: sends and receives raw internet packets.
    RawSocket,
    /// `packet(7)`: sends and receives packets at the device level.
    PacketSocket,
    /// `TIOCSTI` (`ioctl_tty(2)`): types a line break for the next reader of standard input.
    TypeForOthers,
    /// `open_by_handle_at(2)` without a handle.
    OpenByHandle,
}

/// Makes the call. Returns its result, or the error.
pub(in super::super) fn attempt(attempt: Attempt<'_>) -> io::Result<c_long> {
    /// `linux/keyctl.h`: gets the keyring of this process, or creates it.
    const GET_KEYRING: [c_long; 3] = [0, -2, 1];
    /// `linux/userfaultfd.h`: `UFFD_USER_ONLY`.
    const USER_ONLY: c_long = 1;
    const PAGE: c_long = 4096;
    /// The number of a request. Its type in the crate `libc` depends on the C library.
    const TIOCSTI: c_long = 0x5412;
    static LINE_BREAK: [u8; 1] = *b"\n";
    const O_MAKE: c_long = (libc::O_CREAT | libc::O_RDWR) as c_long;
    const O_FIND: c_long = libc::O_RDONLY as c_long;
    let socket = |domain: c_int, kind: c_int, protocol: c_int| -> [c_long; 5] {
        [domain.into(), (kind | libc::SOCK_CLOEXEC).into(), protocol.into(), 0, 0]
    };
    let create = c_long::from(libc::IPC_CREAT | 0o600);
    let (number, arguments): (c_long, [c_long; 5]) = match attempt {
        Attempt::Trace(pid) => (libc::SYS_ptrace, [c_long::from(libc::PTRACE_SEIZE), pid.into(), 0, 0, 0]),
        Attempt::Keyring => (libc::SYS_keyctl, [GET_KEYRING[0], GET_KEYRING[1], GET_KEYRING[2], 0, 0]),
        Attempt::IoUring => (libc::SYS_io_uring_setup, [1, 0, 0, 0, 0]),
        Attempt::Bpf => (libc::SYS_bpf, [0; 5]),
        Attempt::PerfEvent => (libc::SYS_perf_event_open, [0, 0, -1, -1, 0]),
        Attempt::UserFault => (libc::SYS_userfaultfd, [USER_ONLY, 0, 0, 0, 0]),
        Attempt::MakeShared(key) => (libc::SYS_shmget, [key.into(), PAGE, create, 0, 0]),
        Attempt::FindShared(key) => (libc::SYS_shmget, [key.into(), 0, 0, 0, 0]),
        Attempt::MakeQueue(name) => (libc::SYS_mq_open, [name.as_ptr() as c_long, O_MAKE, 0o600, 0, 0]),
        Attempt::FindQueue(name) => (libc::SYS_mq_open, [name.as_ptr() as c_long, O_FIND, 0, 0, 0]),
        Attempt::RemoveQueue(name) => (libc::SYS_mq_unlink, [name.as_ptr() as c_long, 0, 0, 0, 0]),
        Attempt::Join(namespace) => (libc::SYS_setns, [namespace.into(), 0, 0, 0, 0]),
        Attempt::RawSocket => (libc::SYS_socket, socket(libc::AF_INET, libc::SOCK_RAW, libc::IPPROTO_ICMP)),
        Attempt::PacketSocket => (libc::SYS_socket, socket(libc::AF_PACKET, libc::SOCK_RAW, 0)),
        Attempt::TypeForOthers => (libc::SYS_ioctl, [0, TIOCSTI, LINE_BREAK.as_ptr() as c_long, 0, 0]),
        Attempt::OpenByHandle => (libc::SYS_open_by_handle_at, [libc::AT_FDCWD.into(), 0, 0, 0, 0]),
        Attempt::RemoveShared(id) => (libc::SYS_shmctl, [id.into(), libc::IPC_RMID.into(), 0, 0, 0]),
    };
    let [first, second, third, fourth, fifth] = arguments;
    // SAFETY: numbers, null where a pointer is wanted, one byte that always exists, and names that end with NUL and
    // outlive the call. Nothing else of this process's memory is read, nothing is written, and no descriptor is closed.
    let result = unsafe { libc::syscall(number, first, second, third, fourth, fifth) };
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(result) }
}

/// Tries `getpid` through the entry for 32-bit programs, and returns whether it succeeded. Other processors have no
/// second entry. A kernel without support for 32-bit programs ends the program with a signal.
pub(in super::super) fn foreign_call() -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        const GETPID: c_int = 20;
        let mut result = GETPID;
        // SAFETY: getpid has no argument and changes nothing but its result; r8 to r11 are not kept by older kernels.
        unsafe {
            std::arch::asm!("int 0x80", inlateout("eax") result, out("r8") _, out("r9") _, out("r10") _, out("r11") _);
        }
        result >= 0
    }
    #[cfg(not(target_arch = "x86_64"))]
    false
}
