//! What a test needs that not every machine has.

use std::path::Path;

/// Something that may be missing.
pub(crate) enum Need {
    /// A program in `PATH`.
    Tool(&'static str),
    /// A file, such as a library.
    File(&'static str),
    /// A module of the Python that programs can reach in the sandbox.
    Module(&'static str),
    /// A broker, and a grader that knows how to ask one.
    Broker,
    /// The right to make networks (`ip netns`).
    Network,
    /// Something that interprets grammars of checktestdata.
    Checktestdata,
    /// The rights to mount a file system.
    Mount,
    /// The rights to make control groups of version 1 and to freeze what is in them.
    Freezer,
    /// The rights to make control groups for memory, of version 1 or below the root of version 2.
    Groups,
    /// The rights to become another user.
    Root,
    /// No special rights: root reads what nobody may read.
    NoRoot,
    /// No header of testlib among those of the system.
    NoTestlib,
}

impl Need {
    /// Why the test cannot be run here; none when it can.
    pub(crate) fn missing(&self) -> Option<String> {
        match self {
            Self::Tool(name) => {
                let path = std::env::var_os("PATH").unwrap_or_default();
                let found = std::env::split_paths(&path).any(|dir| dir.join(name).is_file());
                (!found).then(|| format!("needs {name}, which is not in PATH"))
            }
            Self::File(path) => (!Path::new(path).is_file()).then(|| format!("needs {path}")),
            Self::Module(name) => {
                #[expect(clippy::disallowed_methods, reason = "no submission is started")]
                let made =
                    std::process::Command::new("/usr/bin/python3").args(["-c", &format!("import {name}")]).output();
                let found = made.is_ok_and(|done| done.status.success());
                (!found).then(|| format!("needs {name} for python3: pip install {name}"))
            }
            Self::Broker => {
                let known = crate::cli::run::Call::any(Path::new("."), &["worker", "--help"]).run().status == 0;
                let built = (!known).then(|| "needs a grader with the feature `nats`".to_owned());
                built.or_else(|| Self::Tool("nats-server").missing())
            }
            Self::Network => {
                #[expect(clippy::disallowed_methods, reason = "no submission is started")]
                let ip = |word: &str| std::process::Command::new("ip").args(["netns", word, "graderneed"]).output();
                let made = ip("add").is_ok_and(|done| done.status.success());
                let _ = ip("delete");
                (!made).then(|| "needs the right to make networks with `ip`".to_owned())
            }
            Self::Checktestdata => {
                let found = ["checktestdata", "pyctd"].iter().any(|name| Self::Tool(name).missing().is_none());
                (!found).then(|| "needs checktestdata or pyctd, which are not in PATH".to_owned())
            }
            Self::Mount => {
                let dir = tempfile::tempdir().unwrap();
                let mounted = mount_tmpfs(dir.path(), "64k");
                unmount(dir.path());
                (!mounted).then(|| "needs the right to mount a file system".to_owned())
            }
            Self::Freezer => {
                let made = ["memory", "freezer"].map(|controller| {
                    let group =
                        Path::new("/sys/fs/cgroup").join(controller).join(format!("need-{}", std::process::id()));
                    std::fs::create_dir(&group).and_then(|()| std::fs::remove_dir(&group)).is_ok()
                });
                (made != [true; 2]).then(|| "needs control groups of version 1 for memory and freezing".to_owned())
            }
            Self::Groups => {
                let top = Path::new("/sys/fs/cgroup");
                let (base, limit) = match std::fs::read_to_string(top.join("cgroup.subtree_control")) {
                    Ok(_) => (top.to_owned(), "memory.max"),
                    Err(_) => (top.join("memory"), "memory.limit_in_bytes"),
                };
                let group = base.join(format!("need-groups-{}", std::process::id()));
                let made = std::fs::create_dir(&group).is_ok();
                let limits = group.join(limit).exists();
                let _ = std::fs::remove_dir(&group);
                (!made || !limits).then(|| "needs control groups for memory".to_owned())
            }
            Self::Root => (!rustix::process::geteuid().is_root()).then(|| "needs root".to_owned()),
            Self::NoTestlib => {
                let dirs = ["/usr/local/include", "/usr/include"].map(|dir| Path::new(dir).join("testlib.h"));
                dirs.iter().any(|header| header.is_file()).then(|| "needs a machine without testlib.h".to_owned())
            }
            Self::NoRoot => rustix::process::geteuid().is_root().then(|| "needs a user other than root".to_owned()),
        }
    }
}

/// Mounts an empty file system of a size in memory.
pub(crate) fn mount_tmpfs(at: &Path, size: &str) -> bool {
    let size = format!("size={size}");
    let flags = rustix::mount::MountFlags::empty();
    let options = std::ffi::CString::new(size).unwrap();
    rustix::mount::mount("tmpfs", at, "tmpfs", flags, options.as_c_str()).is_ok()
}

/// Unmounts it.
pub(crate) fn unmount(at: &Path) {
    let _ = rustix::mount::unmount(at, rustix::mount::UnmountFlags::DETACH);
}
