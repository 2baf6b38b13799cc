//! Makes a container for root without privileges, as engines do, but without an engine: a pid and a mount namespace, few
//! capabilities, and a filter that refuses new namespaces and mounts. Each test of layer `users` runs in a container of its
//! own: this program starts itself there with the name of the test.

use std::collections::BTreeMap;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::Command;

use libtest_mimic::Failed;
use rustix::thread::{CapabilitySet, remove_capability_from_bounding_set};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule, TargetArch,
};

use crate::hostile::layer::{LENT_VARIABLE, lent};

/// The argument before the command that runs in the container.
const ROLE: &str = "__container";
/// Set in the container.
const INSIDE: &str = "HOSTILE_INSIDE";
/// Set for a container with as few capabilities as the layer needs.
const FEW: &str = "HOSTILE_FEW_CAPABILITIES";
/// The tests that run in such a container; the others have what engines usually give.
const WITH_FEW: [&str; 5] = ["/files/", "/processes/", "/checkers/", "/signals/", "/class/of-thirty"];
/// Set for a container with control groups of its own.
const DELEGATED: &str = "HOSTILE_DELEGATED_GROUPS";
/// The tests that run in such a container.
const WITH_GROUPS: &str = "/with-groups";
/// Where it finds its control groups. Engines use `/sys/fs/cgroup`, which other tests have as this machine mounts it.
const GROUPS: &str = "/mnt";
/// The few programs that are tried on the machine itself, where more is possible.
const OUTSIDE: [&str; 4] =
    ["files/links-to-answers.py", "files/odd-names.py", "processes/fork-bomb.c", "signals/kill-keeper"];

/// What root has in a container of docker and podman.
const USUAL: CapabilitySet = CapabilitySet::CHOWN
    .union(CapabilitySet::DAC_OVERRIDE)
    .union(CapabilitySet::FOWNER)
    .union(CapabilitySet::FSETID)
    .union(CapabilitySet::KILL)
    .union(CapabilitySet::SETGID)
    .union(CapabilitySet::SETUID)
    .union(CapabilitySet::SETPCAP)
    .union(CapabilitySet::NET_BIND_SERVICE)
    .union(CapabilitySet::NET_RAW)
    .union(CapabilitySet::SYS_CHROOT)
    .union(CapabilitySet::MKNOD)
    .union(CapabilitySet::AUDIT_WRITE)
    .union(CapabilitySet::SETFCAP);
/// What layer `users` says that it needs.
const LEAST: CapabilitySet =
    CapabilitySet::CHOWN.union(CapabilitySet::KILL).union(CapabilitySet::SETGID).union(CapabilitySet::SETUID);

/// Whether this process is in the container.
pub(crate) fn is_inside() -> bool {
    std::env::var_os(INSIDE).is_some()
}

/// Whether a test runs on the machine itself instead.
pub(crate) fn is_also_tried_outside(name: &str) -> bool {
    OUTSIDE.contains(&name)
}

/// Why there can be no container here; none where there can.
pub(crate) fn refusal() -> Option<String> {
    let output = command(&["/bin/true"]).output();
    match output {
        Ok(output) if output.status.success() => None,
        Ok(output) => Some(String::from_utf8_lossy(&output.stderr).into_owned()),
        Err(error) => Some(error.to_string()),
    }
}

/// Runs one test of this program in a container.
pub(crate) fn run(test: &str) -> Result<(), Failed> {
    let tests = std::env::current_exe()?;
    let tests = tests.to_str().ok_or("a path that is no text")?;
    let mut command = command(&[tests, test, "--exact", "--test-threads", "1"]);
    if WITH_FEW.iter().any(|group| test.contains(group)) {
        command.env(FEW, "");
    }
    if test.ends_with(WITH_GROUPS) {
        command.env(DELEGATED, "");
    }
    let output = command.output()?;
    let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    // A name that nobody has passes without a test.
    if output.status.success() && said.contains("1 passed") { Ok(()) } else { Err(said.into()) }
}

/// A command in a container of its own.
#[expect(clippy::disallowed_methods, reason = "the tests themselves are started, not a submission")]
fn command(words: &[&str]) -> Command {
    let mut unshare = Command::new("unshare");
    unshare.args(["--mount", "--pid", "--fork", "--kill-child", "--mount-proc", "--propagation", "private"]);
    unshare.arg(std::env::current_exe().unwrap_or_default()).arg(ROLE).args(words);
    unshare.env(INSIDE, "").env("BINARY_UNDER_TEST", crate::under_test::grader());
    if let Some(lent) = lent() {
        unshare.env(LENT_VARIABLE, lent);
    }
    unshare
}

/// Becomes the command of a container if this process was started for that.
pub(crate) fn serve_role() {
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next().is_none_or(|role| role != ROLE) {
        return;
    }
    let program = arguments.next().expect("a command for the container");
    if std::env::var_os(DELEGATED).is_some() {
        delegate().expect("control groups");
    }
    let is_least = std::env::var_os(FEW).is_some();
    enter(if is_least { LEAST } else { USUAL }).expect("a container");
    #[expect(clippy::disallowed_methods, reason = "the tests themselves are started, not a submission")]
    let error = Command::new(program).args(arguments).exec();
    panic!("cannot start the command of the container: {error}");
}

/// Moves this process to a control group of version 2 of its own, which becomes the root of all that it sees, as
/// `--cgroupns=private` with a writable mount does.
fn delegate() -> Result<(), Box<dyn std::error::Error>> {
    let mount = || rustix::mount::mount("none", GROUPS, "cgroup2", rustix::mount::MountFlags::empty(), None);
    mount()?;
    for old in std::fs::read_dir(GROUPS)?.filter_map(Result::ok) {
        if old.file_name().to_string_lossy().starts_with("hostile-") {
            // One that another test uses cannot be removed.
            let _ = std::fs::remove_dir(old.path());
        }
    }
    let own = tempfile::Builder::new().prefix("hostile-").tempdir_in(GROUPS)?.keep();
    std::fs::write(own.join("cgroup.procs"), "0")?;
    rustix::mount::unmount(GROUPS, rustix::mount::UnmountFlags::empty())?;
    #[expect(unsafe_code, reason = "the function for safe flags alone has not this one")]
    // SAFETY: the flag changes what this process sees of control groups, and nothing in its memory.
    unsafe {
        rustix::thread::unshare_unsafe(rustix::thread::UnshareFlags::NEWCGROUP)?;
    }
    Ok(mount()?)
}

/// Gives up what root has not in a container: for this process and everything that it starts.
fn enter(kept: CapabilitySet) -> Result<(), Box<dyn std::error::Error>> {
    rustix::mount::mount_bind("/proc/sys", "/proc/sys")?;
    let mounts = std::fs::read_to_string("/proc/self/mountinfo")?;
    let targets = mounts.lines().filter_map(|line| line.split(' ').nth(4));
    let is_closed = |target: &&str| ["/sys", "/proc/sys"].iter().any(|dir| Path::new(target).starts_with(dir));
    for dir in targets.filter(is_closed) {
        let read_only = rustix::mount::MountFlags::RDONLY | rustix::mount::MountFlags::BIND;
        rustix::mount::mount_remount(dir, read_only, "")?;
    }
    for program in filters()? {
        install(&program)?;
    }
    for capability in CapabilitySet::all().iter().filter(|capability| !kept.contains(*capability)) {
        // The kernel may not know the last of them.
        let _ = remove_capability_from_bounding_set(capability);
    }
    Ok(())
}

/// The calls that engines refuse to root without `CAP_SYS_ADMIN`.
fn filters() -> Result<[BpfProgram; 2], Box<dyn std::error::Error>> {
    const REFUSED: [libc::c_long; 24] = [
        libc::SYS_unshare,
        libc::SYS_setns,
        libc::SYS_mount,
        libc::SYS_umount2,
        libc::SYS_pivot_root,
        libc::SYS_open_tree,
        libc::SYS_move_mount,
        libc::SYS_fsopen,
        libc::SYS_fsconfig,
        libc::SYS_fsmount,
        libc::SYS_fspick,
        libc::SYS_mount_setattr,
        libc::SYS_bpf,
        libc::SYS_perf_event_open,
        libc::SYS_userfaultfd,
        libc::SYS_keyctl,
        libc::SYS_add_key,
        libc::SYS_request_key,
        libc::SYS_open_by_handle_at,
        libc::SYS_fanotify_init,
        libc::SYS_quotactl,
        libc::SYS_io_uring_setup,
        libc::SYS_io_uring_enter,
        libc::SYS_io_uring_register,
    ];
    let mut refused: BTreeMap<i64, Vec<SeccompRule>> = REFUSED.map(|call| (call, Vec::new())).into();
    let namespaces = [
        libc::CLONE_NEWNS,
        libc::CLONE_NEWCGROUP,
        libc::CLONE_NEWUTS,
        libc::CLONE_NEWIPC,
        libc::CLONE_NEWUSER,
        libc::CLONE_NEWPID,
        libc::CLONE_NEWNET,
    ];
    let rules = namespaces.map(|flag| {
        let flag = u64::from(flag.cast_unsigned());
        let is_set = SeccompCmpOp::MaskedEq(flag);
        SeccompRule::new(vec![SeccompCondition::new(0, SeccompCmpArgLen::Dword, is_set, flag)?])
    });
    refused.insert(libc::SYS_clone, rules.into_iter().collect::<Result<_, _>>()?);
    // The flags of the newer call are in memory, so engines say that there is no such call.
    let absent = BTreeMap::from([(libc::SYS_clone3, Vec::new())]);
    let filter = |rules, errno: i32| -> Result<BpfProgram, Box<dyn std::error::Error>> {
        let refusal = SeccompAction::Errno(errno.cast_unsigned());
        let arch = TargetArch::try_from(std::env::consts::ARCH)?;
        Ok(SeccompFilter::new(rules, SeccompAction::Allow, refusal, arch)?.try_into()?)
    };
    Ok([filter(absent, libc::ENOSYS)?, filter(refused, libc::EPERM)?])
}

/// Installs a filter as engines do: without `no_new_privs`, which the library would set.
#[expect(unsafe_code, reason = "the library sets no_new_privs, and nothing else has a binding for this call")]
fn install(program: &BpfProgram) -> std::io::Result<()> {
    let length = u16::try_from(program.len()).map_err(std::io::Error::other)?;
    let filter = libc::sock_fprog { len: length, filter: program.as_ptr().cast_mut().cast() };
    // SAFETY: the kernel copies `len` instructions, which have its own layout, and writes nothing.
    let done = unsafe { libc::prctl(libc::PR_SET_SECCOMP, libc::SECCOMP_MODE_FILTER, &raw const filter) };
    if done == 0 { Ok(()) } else { Err(std::io::Error::last_os_error()) }
}
