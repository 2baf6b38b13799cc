//! Tiny hostile programs that test whether the sandbox contains them.
//!
//! They are the grader's own binary in another role, so they need no compiler. Each tries one action. Its exit code
//! says whether the action was possible, and its standard error says how. None does harm if it succeeds, because they
//! also run without any walls.

use std::ffi::{CString, OsString};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::net::{Ipv4Addr, TcpStream};
use std::os::fd::AsRawFd;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixStream};
use std::path::Path;
use std::process::{Child, ExitCode, Stdio};
use std::thread::sleep;
use std::time::Duration;

use rustix::fs::{CWD, Mode, OFlags, openat};
use rustix::mount::{MountFlags, UnmountFlags, mount, unmount};
use rustix::process::{Pid, Signal, geteuid, getpid, getppid, kill_process, setsid};

use super::sys::{self, Attempt};
use super::{Exit, tree};

/// The hidden first argument that makes the binary a hostile program.
pub const PROBE_ROLE: &str = "__probe";

/// How long a hostile program holds its memory or its processes, in tests that need them for a while.
const WHILE: Duration = Duration::from_secs(3);
/// The maximum life of a hostile program that the sandbox must end.
const FOR_EVER: Duration = Duration::from_secs(600);

/// The action that a hostile program tries. Its arguments follow the role and the name on the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Probe {
    /// Does nothing. Shows whether a program can run at all.
    Nothing,
    /// Checks whether it is process 1.
    BeInit,
    /// Checks whether its effective user is root.
    BeRoot,
    /// Checks whether it has a capability, or could gain one by executing another program.
    HavePrivileges,
    /// Looks in `/proc` for a process other than itself and the init of its own namespace.
    SeeOthers,
    /// Sends SIGURG to the process with this id. By default, SIGURG has no effect.
    Signal,
    /// Tries to read its parent's memory, environment or descriptors, or to trace it.
    OpenParent,
    /// Leaves a process behind that has this word among its arguments.
    LeaveDaemon,
    /// Tries to read one of these files.
    Read,
    /// Tries to create the first of these files, or a nameless file in one of the directories after it.
    Write,
    /// Tries to change the file that is its standard input.
    RewriteInput,
    /// Leaves files at these paths.
    LeaveFiles,
    /// Looks for one of these files.
    FindFiles,
    /// Leaves System V shared memory with this key.
    LeaveShared,
    /// Looks for System V shared memory with this key, and removes it.
    FindShared,
    /// Leaves a POSIX message queue with this name.
    LeaveQueue,
    /// Looks for a POSIX message queue with this name, and removes it.
    FindQueue,
    /// Writes this many MiB to files.
    FillDisk,
    /// Creates this many files.
    MakeFiles,
    /// Connects to this TCP port of 127.0.0.1.
    Connect,
    /// Connects to the abstract unix socket with this name.
    ConnectAbstract,
    /// Connects to the unix socket at this path.
    ConnectPath,
    /// Holds this many MiB in each of two processes.
    UseMemory,
    /// Holds this many MiB in its own memory.
    Hold,
    /// Starts this many processes.
    StartMany,
    /// Uses cpu time in two processes, without end.
    Burn,
    /// Uses cpu time itself, without end.
    Spin,
    /// Sleeps for 10 minutes. Ignores its arguments.
    Sleep,
    /// Starts a sleeping process in a new session.
    Detach,
    /// Prints without end.
    Print,
    /// Tries to mount a file system.
    Mount,
    /// Tries to create a user namespace.
    MakeUserNamespace,
    /// Tries to create a keyring.
    UseKeyring,
    /// Tries to set up an `io_uring`.
    UseIoUring,
    /// Tries to create a BPF map.
    UseBpf,
    /// Tries to open a performance counter.
    UsePerfEvents,
    /// Tries to handle its own page faults (`userfaultfd(2)`).
    UseUserFault,
    /// Tries to join a namespace, its own (`setns(2)`).
    JoinNamespace,
    /// Tries to open raw sockets and packet sockets.
    UseRawSockets,
    /// Tries to open a file by its handle, which bypasses directory permissions.
    OpenByHandle,
    /// Makes a system call of another architecture.
    CallAsForeigner,
    /// Types a line break into the terminal for its next reader (`TIOCSTI`).
    TypeForOthers,
    /// Checks whether its environment contains anything.
    HaveEnvironment,
    /// Checks whether it has descriptors other than the standard streams.
    HaveDescriptors,
    /// Tries to open the grader's terminal, `/dev/tty`.
    HaveTerminal,
}

/// The result of an attempt, and its exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProbeOutcome {
    /// 0: the action was possible.
    Possible,
    /// 1: the action was refused.
    Refused,
    /// 2: the attempt failed before the action.
    Untried,
}

impl ProbeOutcome {
    /// Describes the result of a program that ended with this exit. The attempt was refused if the filter of system
    /// calls killed the program.
    pub fn of(exit: Exit) -> Self {
        match exit {
            Exit::Code(0) => Self::Possible,
            Exit::Code(1) | Exit::Signal(libc::SIGSYS) => Self::Refused,
            _ => Self::Untried,
        }
    }
}

impl Probe {
    /// All hostile programs.
    pub const ALL: [Self; 45] = [
        Self::Nothing,
        Self::BeInit,
        Self::BeRoot,
        Self::HavePrivileges,
        Self::SeeOthers,
        Self::Signal,
        Self::OpenParent,
        Self::LeaveDaemon,
        Self::Read,
        Self::Write,
        Self::RewriteInput,
        Self::LeaveFiles,
        Self::FindFiles,
        Self::LeaveShared,
        Self::FindShared,
        Self::LeaveQueue,
        Self::FindQueue,
        Self::FillDisk,
        Self::MakeFiles,
        Self::Connect,
        Self::ConnectAbstract,
        Self::ConnectPath,
        Self::UseMemory,
        Self::Hold,
        Self::StartMany,
        Self::Burn,
        Self::Spin,
        Self::Sleep,
        Self::Detach,
        Self::Print,
        Self::Mount,
        Self::MakeUserNamespace,
        Self::UseKeyring,
        Self::UseIoUring,
        Self::UseBpf,
        Self::UsePerfEvents,
        Self::UseUserFault,
        Self::JoinNamespace,
        Self::UseRawSockets,
        Self::OpenByHandle,
        Self::CallAsForeigner,
        Self::TypeForOthers,
        Self::HaveEnvironment,
        Self::HaveDescriptors,
        Self::HaveTerminal,
    ];

    /// The name of the program: the second argument, after the role.
    pub fn name(self) -> String {
        format!("{self:?}")
    }

    fn attempt(self, call: &Call) -> io::Result<ProbeOutcome> {
        match self {
            Self::Nothing => Ok(ProbeOutcome::Possible),
            Self::BeInit => Ok(if_so(getpid().is_init())),
            Self::BeRoot => Ok(if_so(geteuid().is_root())),
            Self::HavePrivileges => have_privileges(),
            Self::SeeOthers => Ok(see_others()),
            Self::Signal => signal(call),
            Self::OpenParent => open_parent(),
            Self::LeaveDaemon => leave_daemon(call),
            Self::Read => Ok(read(call)),
            Self::Write => Ok(write(call)),
            Self::RewriteInput => Ok(rewrite_input()),
            Self::LeaveFiles => Ok(leave_files(call)),
            Self::FindFiles => Ok(find_files(call)),
            Self::LeaveShared => Ok(refusable(sys::attempt(Attempt::MakeShared(call.number(0)?)))),
            Self::FindShared => find_shared(call),
            Self::LeaveQueue => Ok(refusable(sys::attempt(Attempt::MakeQueue(&queue_of(call)?)))),
            Self::FindQueue => find_queue(call),
            Self::FillDisk => fill_disk(call),
            Self::MakeFiles => make_files(call),
            Self::Connect => connect(call),
            Self::ConnectAbstract => connect_abstract(call),
            Self::ConnectPath => Ok(possible_if(&UnixStream::connect(call.text(0)?))),
            Self::UseMemory => use_memory(call),
            Self::Hold => hold(call),
            Self::StartMany => start_many(call),
            Self::Burn => burn(call),
            Self::Spin => spin(),
            Self::Sleep => {
                sleep(FOR_EVER);
                Ok(ProbeOutcome::Possible)
            }
            Self::Detach => detach(call),
            Self::Print => print(),
            Self::Mount => Ok(mount_something()),
            Self::MakeUserNamespace => Ok(possible_if(&sys::unshare(libc::CLONE_NEWUSER))),
            Self::UseKeyring => Ok(refusable(sys::attempt(Attempt::Keyring))),
            Self::UseIoUring => Ok(refusable(sys::attempt(Attempt::IoUring))),
            Self::UseBpf => Ok(refusable(sys::attempt(Attempt::Bpf))),
            Self::UsePerfEvents => Ok(refusable(sys::attempt(Attempt::PerfEvent))),
            Self::UseUserFault => Ok(refusable(sys::attempt(Attempt::UserFault))),
            Self::JoinNamespace => join_namespace(),
            Self::UseRawSockets => {
                let sockets = [Attempt::RawSocket, Attempt::PacketSocket];
                Ok(if_so(sockets.into_iter().any(|socket| sys::attempt(socket).is_ok())))
            }
            Self::OpenByHandle => Ok(refusable(sys::attempt(Attempt::OpenByHandle))),
            Self::CallAsForeigner => Ok(if_so(sys::foreign_call())),
            Self::TypeForOthers => Ok(refusable(sys::attempt(Attempt::TypeForOthers))),
            Self::HaveEnvironment => Ok(if_so(!fs::read("/proc/self/environ")?.is_empty())),
            Self::HaveDescriptors => have_descriptors(),
            Self::HaveTerminal => Ok(possible_if(&File::open("/dev/tty"))),
        }
    }
}

/// A call of the binary in this role.
struct Call {
    /// The path of this program, as it was called.
    program: OsString,
    arguments: Vec<String>,
}

impl Call {
    fn text(&self, index: usize) -> io::Result<&str> {
        self.arguments.get(index).map(String::as_str).ok_or_else(|| io::Error::other("too few arguments"))
    }

    fn number<N: std::str::FromStr>(&self, index: usize) -> io::Result<N> {
        self.text(index)?.parse().map_err(|_| io::Error::other("an argument that is not a number"))
    }

    /// Starts another hostile program.
    fn start(&self, probe: Probe, arguments: &[&str]) -> io::Result<Child> {
        #[expect(clippy::disallowed_methods, reason = "a hostile program starts processes as it likes")]
        let mut command = std::process::Command::new(&self.program);
        command.args([PROBE_ROLE, &probe.name()]).args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).spawn()
    }
}

/// Runs one hostile program to its end. `arguments` are those of the process, including the program.
pub fn serve(arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let mut arguments = arguments.map(|argument| argument.to_string_lossy().into_owned());
    let program = arguments.next().unwrap_or_default().into();
    let name = arguments.nth(1).unwrap_or_default();
    let call = Call { program, arguments: arguments.collect() };
    let probe = Probe::ALL.into_iter().find(|probe| probe.name() == name);
    let found = probe.ok_or_else(|| io::Error::other("no such program")).and_then(|probe| probe.attempt(&call));
    ExitCode::from(match found {
        Ok(ProbeOutcome::Possible) => 0,
        Ok(ProbeOutcome::Refused) => 1,
        Ok(ProbeOutcome::Untried) => 2,
        Err(error) => {
            tell(&error.to_string());
            2
        }
    })
}

/// Prints an explanation to standard error, for reports.
fn tell(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}

fn if_so(so: bool) -> ProbeOutcome {
    if so { ProbeOutcome::Possible } else { ProbeOutcome::Refused }
}

fn possible_if<T>(result: &io::Result<T>) -> ProbeOutcome {
    if_so(result.is_ok())
}

/// Whether the kernel allowed a call. If the kernel went on to examine the call, the call was not refused, whatever
/// error the kernel then found.
fn refusable<T>(result: io::Result<T>) -> ProbeOutcome {
    let refused = [libc::EPERM, libc::EACCES, libc::ENOSYS];
    let errno = result.err().and_then(|error| error.raw_os_error());
    if_so(errno.is_none_or(|errno| !refused.contains(&errno)))
}

/// Reads its capabilities as described in `proc_pid_status(5)`.
fn have_privileges() -> io::Result<ProbeOutcome> {
    let status = fs::read_to_string("/proc/self/status")?;
    let value = |name: &str| status.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':')).map(str::trim);
    let sets = ["CapInh", "CapPrm", "CapEff", "CapAmb"].map(|name| (name, value(name)));
    let held = sets.into_iter().find(|(_, set)| set.is_some_and(|set| set.bytes().any(|digit| digit != b'0')));
    if let Some((name, Some(set))) = held {
        tell(&format!("{name} {set}"));
        return Ok(ProbeOutcome::Possible);
    }
    Ok(if_so(value("NoNewPrivs") != Some("1")))
}

fn see_others() -> ProbeOutcome {
    let Ok(entries) = fs::read_dir("/proc") else { return ProbeOutcome::Refused };
    // A program may see the init of its own namespace.
    let own = [getpid(), getppid().unwrap_or(Pid::INIT)].map(|pid| pid.as_raw_nonzero().get());
    let has_init = own[1] == 1;
    let is_own = |pid: &i32| *pid == own[0] || (has_init && *pid == 1);
    let mut pids = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    let other = pids.find(|pid| !is_own(pid));
    if let Some(pid) = other {
        tell(&format!("/proc/{pid}"));
    }
    if_so(other.is_some())
}

fn signal(call: &Call) -> io::Result<ProbeOutcome> {
    let pid = Pid::from_raw(call.number(0)?).ok_or_else(|| io::Error::other("no process"))?;
    Ok(if_so(kill_process(pid, Signal::URG).is_ok()))
}

fn open_parent() -> io::Result<ProbeOutcome> {
    let parent = getppid().ok_or_else(|| io::Error::other("no parent"))?.as_raw_nonzero().get();
    let at = |name: &str| format!("/proc/{parent}/{name}");
    let files = ["environ", "mem", "maps"].map(at).into_iter().find(|path| File::open(path).is_ok());
    // Any process may list descriptor numbers; the link targets must stay secret.
    let opened = files.or_else(|| Some(at("fd/0")).filter(|path| fs::read_link(path).is_ok()));
    let opened = opened.or_else(|| sys::attempt(Attempt::Trace(parent)).ok().map(|_| "ptrace".to_owned()));
    if let Some(what) = &opened {
        tell(what);
    }
    Ok(if_so(opened.is_some()))
}

fn leave_daemon(call: &Call) -> io::Result<ProbeOutcome> {
    let left = call.start(Probe::Detach, &[call.text(0)?])?.wait()?;
    Ok(if_so(left.success()))
}

fn detach(call: &Call) -> io::Result<ProbeOutcome> {
    setsid()?;
    call.start(Probe::Sleep, &[call.text(0)?]).map(|_| ProbeOutcome::Possible)
}

fn read(call: &Call) -> ProbeOutcome {
    let read = call.arguments.iter().find(|path| fs::read(path).is_ok_and(|bytes| !bytes.is_empty()));
    if let Some(path) = read {
        tell(path);
    }
    if_so(read.is_some())
}

fn write(call: &Call) -> ProbeOutcome {
    let mut paths = call.arguments.iter();
    let named = paths.next().filter(|path| File::create_new(path).is_ok());
    // A nameless file disappears when it is closed.
    let flags = OFlags::TMPFILE | OFlags::WRONLY | OFlags::CLOEXEC;
    let nameless = |path: &&String| openat(CWD, path.as_str(), flags, Mode::RUSR | Mode::WUSR).is_ok();
    let written = named.or_else(|| paths.find(nameless));
    if let Some(path) = written {
        tell(path);
    }
    if_so(written.is_some())
}

fn rewrite_input() -> ProbeOutcome {
    let rewrite = |path: &str| OpenOptions::new().write(true).open(path)?.write_all(b"#");
    if_so(["/proc/self/fd/0", "/dev/stdin"].into_iter().any(|path| rewrite(path).is_ok()))
}

fn leave_files(call: &Call) -> ProbeOutcome {
    let left = call.arguments.iter().filter(|path| fs::write(path, "left").is_ok()).count();
    if_so(left > 0)
}

fn find_files(call: &Call) -> ProbeOutcome {
    let found = call.arguments.iter().find(|path| Path::new(path).exists());
    if let Some(path) = found {
        tell(path);
    }
    if_so(found.is_some())
}

fn find_shared(call: &Call) -> io::Result<ProbeOutcome> {
    let Ok(id) = sys::attempt(Attempt::FindShared(call.number(0)?)) else { return Ok(ProbeOutcome::Refused) };
    let _ = sys::attempt(Attempt::RemoveShared(i32::try_from(id).map_err(io::Error::other)?));
    Ok(ProbeOutcome::Possible)
}

fn find_queue(call: &Call) -> io::Result<ProbeOutcome> {
    let name = queue_of(call)?;
    let found = sys::attempt(Attempt::FindQueue(&name));
    let _ = sys::attempt(Attempt::RemoveQueue(&name));
    Ok(possible_if(&found))
}

/// The kernel expects queue names without a slash.
fn queue_of(call: &Call) -> io::Result<CString> {
    CString::new(call.text(0)?).map_err(io::Error::other)
}

fn fill_disk(call: &Call) -> io::Result<ProbeOutcome> {
    /// MiB in each file; below any limit on file size.
    const EACH: usize = 64;
    let block = vec![b'#'; 1 << 20];
    for index in 0..call.number::<usize>(0)?.div_ceil(EACH) {
        let Ok(mut file) = File::create(format!("fill{index}")) else { return Ok(ProbeOutcome::Refused) };
        if (0..EACH).any(|_| file.write_all(&block).is_err()) {
            return Ok(ProbeOutcome::Refused);
        }
    }
    Ok(ProbeOutcome::Possible)
}

fn make_files(call: &Call) -> io::Result<ProbeOutcome> {
    let made = (0..call.number::<usize>(0)?).all(|index| File::create(format!("file{index}")).is_ok());
    Ok(if_so(made))
}

fn connect(call: &Call) -> io::Result<ProbeOutcome> {
    Ok(possible_if(&TcpStream::connect((Ipv4Addr::LOCALHOST, call.number(0)?))))
}

fn connect_abstract(call: &Call) -> io::Result<ProbeOutcome> {
    let name = SocketAddr::from_abstract_name(call.text(0)?)?;
    Ok(possible_if(&UnixStream::connect_addr(&name)))
}

fn use_memory(call: &Call) -> io::Result<ProbeOutcome> {
    let amount = call.text(0)?;
    let mut children = [call.start(Probe::Hold, &[amount])?, call.start(Probe::Hold, &[amount])?];
    let ended = children.iter_mut().map(|child| Ok(child.wait()?.success())).collect::<io::Result<Vec<_>>>()?;
    Ok(if_so(ended.into_iter().all(|well| well)))
}

fn hold(call: &Call) -> io::Result<ProbeOutcome> {
    let held = vec![1_u8; call.number::<usize>(0)? << 20];
    sleep(WHILE);
    Ok(if_so(std::hint::black_box(held).last() == Some(&1)))
}

fn start_many(call: &Call) -> io::Result<ProbeOutcome> {
    let mut children = Vec::new();
    for _ in 0..call.number::<usize>(0)? {
        match call.start(Probe::Sleep, &[]) {
            Ok(child) => children.push(child),
            Err(_) => return Ok(ProbeOutcome::Refused),
        }
    }
    sleep(WHILE);
    Ok(ProbeOutcome::Possible)
}

fn burn(call: &Call) -> io::Result<ProbeOutcome> {
    call.start(Probe::Spin, &[])?;
    spin()
}

fn spin() -> io::Result<ProbeOutcome> {
    let mut spent = tree::me().cast_unsigned();
    loop {
        spent = std::hint::black_box(spent.wrapping_mul(747_796_405).wrapping_add(1));
    }
}

fn print() -> io::Result<ProbeOutcome> {
    let mut out = io::stdout().lock();
    let block = [b'#'; 4096];
    loop {
        out.write_all(&block)?;
    }
}

fn mount_something() -> ProbeOutcome {
    let mounted = mount("none", ".", "tmpfs", MountFlags::empty(), None).is_ok();
    if mounted {
        let _ = unmount(".", UnmountFlags::DETACH);
    }
    if_so(mounted)
}

/// Joins its own namespace, which changes nothing.
fn join_namespace() -> io::Result<ProbeOutcome> {
    let own = File::open("/proc/self/ns/uts")?;
    Ok(refusable(sys::attempt(Attempt::Join(own.as_raw_fd()))))
}

fn have_descriptors() -> io::Result<ProbeOutcome> {
    let mut open: Vec<i32> =
        fs::read_dir("/proc/self/fd")?.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect();
    open.sort_unstable();
    // The fourth descriptor belongs to this listing.
    let more = open.len() != 4 || open[..3] != [0, 1, 2];
    if more {
        tell(&format!("{open:?}"));
    }
    Ok(if_so(more))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_has_a_name_of_its_own() {
        let names: std::collections::BTreeSet<String> = Probe::ALL.into_iter().map(Probe::name).collect();
        assert_eq!(names.len(), Probe::ALL.len());
    }

    #[test]
    fn a_call_that_the_kernel_examined_was_not_refused() {
        let of = |errno| refusable::<()>(Err(io::Error::from_raw_os_error(errno)));
        assert_eq!([libc::EPERM, libc::EACCES, libc::ENOSYS].map(of), [ProbeOutcome::Refused; 3]);
        assert_eq!([libc::EFAULT, libc::EINVAL].map(of), [ProbeOutcome::Possible; 2]);
        assert_eq!(refusable(Ok(())), ProbeOutcome::Possible);
    }

    #[test]
    fn an_end_that_says_nothing_is_no_refusal() {
        assert_eq!(ProbeOutcome::of(Exit::Code(1)), ProbeOutcome::Refused);
        assert_eq!(ProbeOutcome::of(Exit::Signal(libc::SIGSYS)), ProbeOutcome::Refused);
        for exit in [Exit::Code(2), Exit::Code(101), Exit::Signal(libc::SIGKILL)] {
            assert_eq!(ProbeOutcome::of(exit), ProbeOutcome::Untried);
        }
    }
}
