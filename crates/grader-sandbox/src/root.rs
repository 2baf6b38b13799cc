//! Builds the file system that programs behind walls see. It holds the system's programs and libraries, toolchains, a
//! few devices, and the files of `/etc` that compilers and run-time systems read. All of it is read-only, and none of
//! it is private.

use std::fs;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::{MetadataExt, symlink};
use std::path::{Path, PathBuf};

use rustix::fs::CWD;
use rustix::mount::{
    FsMountFlags, FsOpenFlags, MountAttrFlags, MountPropagationFlags, MoveMountFlags, OpenTreeFlags, UnmountFlags,
    fsconfig_create, fsconfig_set_string, fsmount, fsopen, mount_change, move_mount, open_tree, unmount,
};
use rustix::process::{chdir, pivot_root};

use super::places::{PROGRAM, SCRATCH, TEMP};
use super::refusal::{self, Refusal};
use super::sys;
use super::tmpfs::Tmpfs;

/// The directories of the host that every sandbox shows, if they exist.
pub const SYSTEM_DIRS: &[&str] = &[
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/nix/store",
    "/gnu/store",
    "/run/current-system",
    "/var/lib/ghc",
];

/// The entries of `/etc` that are shown, by the beginning of their names.
const ETC: &[&str] =
    &["alternatives", "fpc", "ghc", "java", "ld.so", "localtime", "lua", "mono", "php", "python", "ruby"];

/// Devices that expose nothing of value.
const DEVICES: &[&str] = &["null", "zero", "full", "random", "urandom"];

/// The size of the root itself, which holds the directories and a few files.
const ROOT: Tmpfs = Tmpfs { bytes: 4 << 20, inodes: 4096 };

/// The place for toolchains whose own directory is recreated with each box.
pub(super) const ASIDE: &str = "/toolchains";

/// The mount point for building the new root. Any directory that every system has is suitable.
const STAGE: &str = "/tmp";

/// A part of the host, opened while the host is still visible.
struct Part {
    path: PathBuf,
    what: PartKind,
}

enum PartKind {
    Mount(OwnedFd, bool),
    Link(PathBuf),
    File(Vec<u8>),
}

/// Moves this process into a root that shows nothing but the system and `toolchains`; `user` is the id of the user that
/// programs run as. Call this in a mount namespace of this process's own.
pub(super) fn enter(toolchains: &[PathBuf], user: u32) -> io::Result<()> {
    // Mounts made here must not appear on the host.
    mount_change("/", MountPropagationFlags::REC | MountPropagationFlags::PRIVATE)?;
    let mut parts = parts(toolchains)?;
    // Mounted now, while the host's `/proc` is visible: in a user namespace, the kernel allows a new one only then.
    parts.push(Part { path: "/proc".into(), what: PartKind::Mount(new_proc()?, true) });
    let root = ROOT.mount()?;
    move_mount(root.as_fd(), "", CWD, STAGE, MoveMountFlags::MOVE_MOUNT_F_EMPTY_PATH)?;
    let stage = Path::new(STAGE);
    skeleton(stage, user)?;
    for part in &parts {
        put(stage, part).map_err(|error| {
            let about = (part.path == Path::new("/proc")).then_some(refusal::Part::Proc);
            Refusal::with_message(&error, about, format!("{}: {error}", part.path.display()))
        })?;
    }
    chdir(stage)?;
    // `pivot_root(2)` puts the old root on top of the new one. The unmount then removes it with all its mounts.
    pivot_root(".", ".")?;
    unmount(".", UnmountFlags::DETACH)?;
    chdir("/")?;
    sys::restrict_mount(root.as_fd(), read_only() | u64::from(MountAttrFlags::MOUNT_ATTR_NODEV.bits()), false)
}

fn read_only() -> u64 {
    u64::from((MountAttrFlags::MOUNT_ATTR_RDONLY | MountAttrFlags::MOUNT_ATTR_NOSUID).bits())
}

fn parts(toolchains: &[PathBuf]) -> io::Result<Vec<Part>> {
    let mut parts = Vec::new();
    for path in SYSTEM_DIRS.iter().map(PathBuf::from).chain(etc()) {
        parts.extend(part(path)?);
    }
    for (index, path) in toolchains.iter().enumerate() {
        let aside = path.starts_with(TEMP).then(|| Path::new(ASIDE).join(index.to_string()));
        parts.extend(part(path.clone())?.map(|part| Part { path: aside.unwrap_or(part.path), ..part }));
    }
    for device in DEVICES {
        let path = Path::new("/dev").join(device);
        let mount = clone_mount(&path)?;
        sys::restrict_mount(mount.as_fd(), u64::from(MountAttrFlags::MOUNT_ATTR_NOSUID.bits()), true)?;
        parts.push(Part { path, what: PartKind::Mount(mount, false) });
    }
    Ok(parts)
}

/// Mounts a `/proc` that shows the processes of this pid namespace.
fn new_proc() -> io::Result<OwnedFd> {
    let context = fsopen("proc", FsOpenFlags::FSOPEN_CLOEXEC)?;
    // Programs of another user cannot see the init process at all.
    fsconfig_set_string(context.as_fd(), "hidepid", "2")?;
    fsconfig_create(context.as_fd())?;
    let attributes = MountAttrFlags::MOUNT_ATTR_NOSUID | MountAttrFlags::MOUNT_ATTR_NODEV;
    let attributes = attributes | MountAttrFlags::MOUNT_ATTR_NOEXEC;
    fsmount(context.as_fd(), FsMountFlags::FSMOUNT_CLOEXEC, attributes)
        .map_err(|error| Refusal::with_message(&error.into(), Some(refusal::Part::Proc), format!("/proc: {error}")))
}

/// Lists the parts of `/etc` that a program may see if it sees the host's own `/etc`: the parts that everybody may
/// read. An ordinary user can read no more anyway. Root owns the private files, and reads them without any capability.
/// Hidden files are safer than unreadable ones: run-time systems do not expect a file that exists but cannot be read.
pub(super) fn public_etc() -> Vec<PathBuf> {
    if !rustix::process::geteuid().is_root() {
        return vec![PathBuf::from("/etc")];
    }
    // Entries that cannot be examined or listed are not shown.
    let is_public = |path: &PathBuf| fs::metadata(path).is_ok_and(|it| it.is_file() && it.mode() & 0o004 != 0);
    let files = fs::read_dir("/etc").into_iter().flatten().flatten().map(|entry| entry.path()).filter(is_public);
    let of_openssl = ["/etc/ssl/openssl.cnf", "/etc/pki/tls/openssl.cnf"].map(PathBuf::from);
    files.chain(etc()).chain(of_openssl).collect()
}

fn etc() -> Vec<PathBuf> {
    // An unreadable `/etc` shows nothing, as above.
    let Ok(entries) = fs::read_dir("/etc") else { return Vec::new() };
    let named = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().as_encoded_bytes();
        ETC.iter().any(|prefix| name.starts_with(prefix.as_bytes()))
    };
    entries.flatten().map(|entry| entry.path()).filter(named).collect()
}

/// Opens a part of the host. None if the path does not exist or is not readable.
fn part(path: PathBuf) -> io::Result<Option<Part>> {
    let Ok(found) = fs::symlink_metadata(&path) else { return Ok(None) };
    let what = if found.is_symlink() {
        PartKind::Link(fs::read_link(&path)?)
    } else if found.is_dir() {
        let mount = clone_mount(&path)?;
        let attributes = read_only() | u64::from(MountAttrFlags::MOUNT_ATTR_NODEV.bits());
        sys::restrict_mount(mount.as_fd(), attributes, true)?;
        PartKind::Mount(mount, true)
    } else if path.starts_with("/etc") {
        // Each mount slows every execution a little, so small files are copied.
        let Ok(text) = fs::read(&path) else { return Ok(None) };
        PartKind::File(text)
    } else {
        let mount = clone_mount(&path)?;
        sys::restrict_mount(mount.as_fd(), read_only(), true)?;
        PartKind::Mount(mount, false)
    };
    Ok(Some(Part { path, what }))
}

pub(super) fn clone_mount(path: &Path) -> io::Result<OwnedFd> {
    let flags = OpenTreeFlags::OPEN_TREE_CLONE | OpenTreeFlags::OPEN_TREE_CLOEXEC | OpenTreeFlags::AT_RECURSIVE;
    open_tree(CWD, path, flags).map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", path.display())))
}

/// Mounts `from` also at `to`, with the same attributes.
pub(super) fn bind(from: &Path, to: &Path) -> io::Result<()> {
    let mount = clone_mount(from)?;
    Ok(move_mount(mount.as_fd(), "", CWD, to, MoveMountFlags::MOVE_MOUNT_F_EMPTY_PATH)?)
}

/// Creates a link, unless the same link exists already.
pub(super) fn link(to: &Path, at: &Path) -> io::Result<()> {
    if fs::read_link(at).is_ok_and(|there| there == to) { Ok(()) } else { symlink(to, at) }
}

fn put(stage: &Path, part: &Part) -> io::Result<()> {
    let target = stage.join(part.path.strip_prefix("/").unwrap_or(&part.path));
    if let Some(parent) = target.parent() {
        fs::create_dir_all(parent)?;
    }
    match &part.what {
        PartKind::Link(to) => link(to, &target),
        PartKind::File(text) => fs::write(&target, text),
        PartKind::Mount(mount, is_dir) => {
            if *is_dir {
                fs::create_dir_all(&target)?;
            } else {
                fs::write(&target, "")?;
            }
            Ok(move_mount(mount.as_fd(), "", CWD, &target, MoveMountFlags::MOVE_MOUNT_F_EMPTY_PATH)?)
        }
    }
}

/// Creates the directories, links and files that are not part of the host.
fn skeleton(stage: &Path, user: u32) -> io::Result<()> {
    let at = |path: &str| stage.join(path.trim_start_matches('/'));
    for dir in ["/proc", "/dev", "/etc", SCRATCH, PROGRAM] {
        fs::create_dir_all(at(dir))?;
    }
    let links = [
        ("/tmp", "/sandbox/tmp"),
        ("/dev/shm", "/sandbox/shm"),
        ("/dev/fd", "/proc/self/fd"),
        ("/dev/stdin", "/proc/self/fd/0"),
        ("/dev/stdout", "/proc/self/fd/1"),
        ("/dev/stderr", "/proc/self/fd/2"),
    ];
    for (name, target) in links {
        symlink(target, at(name))?;
    }
    let passwd = format!("root:x:0:0::/:/bin/false\nbox:x:{user}:{user}::/sandbox/box:/bin/sh\n");
    fs::write(at("/etc/passwd"), passwd)?;
    fs::write(at("/etc/group"), format!("root:x:0:\nbox:x:{user}:\n"))?;
    fs::write(at("/etc/hosts"), "127.0.0.1 localhost\n")
}
