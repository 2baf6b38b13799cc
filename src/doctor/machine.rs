//! Reads, once, the facts about this machine that decide which isolation layers are available.

use std::fs;
use std::path::{Path, PathBuf};

/// Facts about the machine, as reported by the kernel or the container.
#[derive(Debug, Clone, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(crate) struct Machine {
    /// The grader's own program.
    pub(crate) binary: PathBuf,
    /// The effective user.
    pub(crate) user: u32,
    /// Whether this user has `CAP_SYS_ADMIN`, which is required to create namespaces.
    pub(crate) may_administrate: bool,
    /// Whether a system call filter is already active: the filter of a container.
    pub(crate) is_filtered: bool,
    /// `uname -r`.
    pub(crate) kernel: String,
    /// Whether the machine has the marker files of a container.
    pub(crate) is_container: bool,
    /// Whether other mounts hide parts of `/proc`. If so, no user may mount a new one (`user_namespaces(7)`).
    pub(crate) masks_proc: bool,
    /// Whether the root is not a mount point, as in a chroot. The kernel creates no user namespaces in a chroot.
    pub(crate) is_chroot: bool,
    /// Whether `AppArmor` restricts user namespaces of ordinary users, as Ubuntu does since 23.10.
    pub(crate) apparmor_restricts: bool,
    /// `user.max_user_namespaces`.
    pub(crate) most_user_namespaces: Option<u64>,
    /// `kernel.unprivileged_userns_clone`, a setting of Debian kernels.
    pub(crate) users_may_clone: Option<bool>,
    /// The active security modules, if known.
    pub(crate) modules: Option<String>,
    /// Whether systemd runs and can delegate control groups.
    pub(crate) has_systemd: bool,
    /// Whether the machine has only control groups of version 2.
    pub(crate) is_unified: bool,
}

impl Machine {
    /// Reads all facts below `root`. Only tests use a root other than `/`.
    pub(crate) fn read(root: &Path, binary: &Path) -> Self {
        // A missing or unreadable file means that the fact is unknown. Advice uses only known facts.
        let text = |path: &str| fs::read_to_string(root.join(path)).ok();
        let word = |path: &str| text(path).map(|text| text.trim().to_owned());
        let status = text("proc/self/status").unwrap_or_default();
        let field = |name: &str| {
            let value = status.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
            value.unwrap_or_default().trim().to_owned()
        };
        let mounts = text("proc/self/mountinfo").unwrap_or_default();
        let points: Vec<&str> = mounts.lines().filter_map(|line| line.split(' ').nth(4)).collect();
        let exists = |path: &str| root.join(path).exists();
        let marks = [".dockerenv", "run/.containerenv", "run/systemd/container", "var/run/secrets/kubernetes.io"];
        Self {
            binary: binary.to_owned(),
            user: field("Uid").split_whitespace().nth(1).and_then(|user| user.parse().ok()).unwrap_or(0),
            may_administrate: has_capability(&field("CapEff"), SYS_ADMIN),
            is_filtered: field("Seccomp") == "2",
            kernel: word("proc/sys/kernel/osrelease").unwrap_or_default(),
            is_container: marks.into_iter().any(exists),
            masks_proc: points.iter().any(|point| point.starts_with("/proc/")),
            is_chroot: !points.is_empty() && !points.contains(&"/"),
            apparmor_restricts: word("proc/sys/kernel/apparmor_restrict_unprivileged_userns")
                .is_some_and(|it| it != "0"),
            most_user_namespaces: word("proc/sys/user/max_user_namespaces").and_then(|it| it.parse().ok()),
            users_may_clone: word("proc/sys/kernel/unprivileged_userns_clone").map(|it| it != "0"),
            modules: word("sys/kernel/security/lsm").filter(|modules| !modules.is_empty()),
            has_systemd: exists("run/systemd/system"),
            is_unified: exists("sys/fs/cgroup/cgroup.controllers"),
        }
    }

    /// Whether the kernel is older than `wanted`; false if the version is unknown.
    pub(crate) fn is_older_than(&self, wanted: (u32, u32)) -> bool {
        let mut numbers = self.kernel.split(|c: char| !c.is_ascii_digit()).map(str::parse::<u32>);
        matches!((numbers.next(), numbers.next()), (Some(Ok(major)), Some(Ok(minor))) if (major, minor) < wanted)
    }
}

/// From `linux/capability.h`.
const SYS_ADMIN: u32 = 21;

/// Whether a hexadecimal capability set from `proc_pid_status(5)` includes a capability.
fn has_capability(set: &str, number: u32) -> bool {
    u64::from_str_radix(set, 16).is_ok_and(|set| set >> number & 1 == 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn machine(files: &[(&str, &str)]) -> Machine {
        let root = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = root.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        Machine::read(root.path(), Path::new("/bin/grader"))
    }

    #[test]
    fn a_container_without_privileges() {
        let found = machine(&[
            ("proc/self/status", "Uid:\t0\t0\t0\t0\nCapEff:\t00000000a80425fb\nSeccomp:\t2\n"),
            ("proc/self/mountinfo", "1 0 0:1 / / rw - overlay\n2 1 0:2 /bus /proc/bus ro - proc proc rw\n"),
            (".dockerenv", ""),
        ]);
        assert!(found.is_filtered && found.is_container && found.masks_proc && !found.is_chroot);
        assert!(!found.may_administrate && found.user == 0);
    }

    #[test]
    fn a_restricted_ubuntu() {
        let found = machine(&[
            ("proc/self/status", "Uid:\t1000\t1000\t1000\t1000\nCapEff:\t0000000000000000\nSeccomp:\t0\n"),
            ("proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1\n"),
            ("proc/sys/user/max_user_namespaces", "0\n"),
            ("proc/sys/kernel/unprivileged_userns_clone", "0\n"),
            ("proc/sys/kernel/osrelease", "5.11.0-27-generic\n"),
        ]);
        assert!(found.apparmor_restricts && found.user == 1000 && !found.is_filtered);
        assert_eq!((found.most_user_namespaces, found.users_may_clone), (Some(0), Some(false)));
        assert!(found.is_older_than((5, 12)) && !found.is_older_than((5, 11)) && !found.is_older_than((4, 19)));
    }

    #[test]
    fn nothing_to_read_is_nothing_known() {
        let found = machine(&[("proc/self/status", "CapEff:\t000001ffffffffff\n")]);
        assert!(found.may_administrate && !found.is_chroot && !found.apparmor_restricts && !found.masks_proc);
        assert_eq!((found.most_user_namespaces, found.users_may_clone, found.modules.as_deref()), (None, None, None));
        assert!(!found.is_older_than((5, 12)));
    }
}
