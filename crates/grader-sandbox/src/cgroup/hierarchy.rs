//! Finds this process's own groups in the texts of `/proc/self/cgroup` (`cgroups(7)`) and `/proc/self/mountinfo`
//! (`proc_pid_mountinfo(5)`). Pure.

use std::path::{Path, PathBuf};

/// This process's own group in one hierarchy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum OwnGroup {
    /// The hierarchy does not exist: version 1 lacks the controller, or version 2 is missing.
    Absent,
    /// The group exists but is not visible from here. Contains the reason.
    Hidden(String),
    /// The directory of the group.
    At(PathBuf),
}

/// This process's own groups in all hierarchies that matter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct OwnGroups {
    /// Version 1's hierarchy with the memory controller.
    pub(super) memory: OwnGroup,
    /// Version 1's hierarchy with the pids controller.
    pub(super) pids: OwnGroup,
    /// Version 1's hierarchy with cpu accounting.
    pub(super) cpuacct: OwnGroup,
    /// Version 2's only hierarchy.
    pub(super) unified: OwnGroup,
}

/// Finds the groups. `cgroup` and `mountinfo` are the contents of the files of the same name.
pub(super) fn locate(cgroup: &str, mountinfo: &str) -> OwnGroups {
    let mounts: Vec<Mount> = mountinfo.lines().filter_map(Mount::parse).collect();
    let v1 = |controller: &'static str| {
        let is_its = |mount: &&Mount| !mount.unified && mount.options.contains(&controller);
        let lists_it = |controllers: &str| controllers.split(',').any(|name| name == controller);
        own(own_path(cgroup, lists_it), mounts.iter().filter(is_its))
    };
    OwnGroups {
        memory: v1("memory"),
        pids: v1("pids"),
        cpuacct: v1("cpuacct"),
        unified: own(own_path(cgroup, str::is_empty), mounts.iter().filter(|mount| mount.unified)),
    }
}

/// The path in the line whose list of controllers is `wanted`. A path may contain colons.
fn own_path(cgroup: &str, wanted: impl Fn(&str) -> bool) -> Option<&str> {
    cgroup.lines().find_map(|line| {
        let mut fields = line.splitn(3, ':').skip(1);
        let controllers = fields.next()?;
        let path = fields.next()?;
        wanted(controllers).then_some(path)
    })
}

/// The directory of the group `path` in one of the mounts of its hierarchy. Prefers a writable mount.
fn own<'a>(path: Option<&str>, mounts: impl Iterator<Item = &'a Mount<'a>>) -> OwnGroup {
    let Some(path) = path else { return OwnGroup::Absent };
    let mounts: Vec<&Mount> = mounts.collect();
    let Some(any) = mounts.first() else { return OwnGroup::Hidden("its control groups are not mounted".to_owned()) };
    let seen = mounts.iter().filter_map(|mount| Some((!mount.writable, mount.directory(path)?)));
    match seen.min_by_key(|(read_only, _)| *read_only) {
        Some((_, directory)) => OwnGroup::At(directory),
        None => OwnGroup::Hidden(format!(
            "grader's own group {path} is outside {}, which is mounted at {}",
            any.root.display(),
            any.point.display()
        )),
    }
}

/// A mount of control groups.
struct Mount<'a> {
    /// The group that is mounted at `point`, as named in `/proc/self/cgroup`.
    root: PathBuf,
    point: PathBuf,
    /// Whether the mount is version 2.
    unified: bool,
    writable: bool,
    /// The mount options of the file system; they include the controllers.
    options: Vec<&'a str>,
}

impl<'a> Mount<'a> {
    /// Parses a line of mountinfo; None for another type of file system.
    fn parse(line: &'a str) -> Option<Self> {
        // The number of optional fields before the dash varies.
        let (place, what) = line.split_once(" - ")?;
        let mut place = place.split(' ').skip(3);
        let root = place.next()?;
        let point = place.next()?;
        let flags = place.next()?;
        let mut what = what.split(' ');
        let unified = match what.next()? {
            "cgroup" => false,
            "cgroup2" => true,
            _ => return None,
        };
        let options: Vec<&str> = what.nth(1)?.split(',').collect();
        let writable = !flags.split(',').any(|flag| flag == "ro") && !options.contains(&"ro");
        Some(Self { root: unescape(root), point: unescape(point), unified, writable, options })
    }

    /// The directory of a group, if it is within the mount.
    fn directory(&self, group: &str) -> Option<PathBuf> {
        // A group that is not below the mounted root has no directory here.
        let below = Path::new(group).strip_prefix(&self.root).ok()?;
        // The kernel shows a group outside of the cgroup namespace as `/../name`.
        let is_within = below.components().all(|part| matches!(part, std::path::Component::Normal(_)));
        // Joining an empty path would add a slash at the end.
        let directory = if below.as_os_str().is_empty() { self.point.clone() } else { self.point.join(below) };
        is_within.then_some(directory)
    }
}

/// Decodes the octal escapes of spaces, tabs, line breaks and backslashes.
fn unescape(field: &str) -> PathBuf {
    let codes = [("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")];
    PathBuf::from(codes.iter().fold(field.to_owned(), |text, (code, char)| text.replace(code, char)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(path: &str) -> OwnGroup {
        OwnGroup::At(PathBuf::from(path))
    }

    #[track_caller]
    fn check(cgroup: &str, mountinfo: &str, [memory, pids, cpuacct, unified]: [OwnGroup; 4]) {
        assert_eq!(locate(cgroup, mountinfo), OwnGroups { memory, pids, cpuacct, unified });
    }

    #[test]
    fn pure_version_2_of_systemd() {
        check(
            "0::/user.slice/user-1000.slice/user@1000.service/app.slice/run-a:b.scope\n",
            "24 1 259:2 / / rw,relatime shared:1 - ext4 /dev/nvme0n1p2 rw\n\
             35 25 0:30 / /sys/fs/cgroup rw,nosuid,nodev,noexec,relatime shared:9 master:2 - cgroup2 cgroup2 rw,nsdelegate\n",
            [
                OwnGroup::Absent,
                OwnGroup::Absent,
                OwnGroup::Absent,
                at("/sys/fs/cgroup/user.slice/user-1000.slice/user@1000.service/app.slice/run-a:b.scope"),
            ],
        );
    }

    #[test]
    fn pure_version_1_of_systemd() {
        check(
            "12:pids:/user.slice/user-0.slice/session-1.scope\n11:memory:/user.slice/user-0.slice/session-1.scope\n\
             4:cpu,cpuacct:/user.slice\n1:name=systemd:/user.slice/user-0.slice/session-1.scope\n",
            "30 25 0:26 / /sys/fs/cgroup/systemd rw,nosuid shared:9 - cgroup cgroup rw,xattr,name=systemd\n\
             33 25 0:29 / /sys/fs/cgroup/pids rw,nosuid shared:12 - cgroup cgroup rw,pids\n\
             34 25 0:30 / /sys/fs/cgroup/memory rw,nosuid shared:13 - cgroup cgroup rw,memory\n\
             35 25 0:31 / /sys/fs/cgroup/cpu,cpuacct rw,nosuid shared:14 - cgroup cgroup rw,cpu,cpuacct\n",
            [
                at("/sys/fs/cgroup/memory/user.slice/user-0.slice/session-1.scope"),
                at("/sys/fs/cgroup/pids/user.slice/user-0.slice/session-1.scope"),
                at("/sys/fs/cgroup/cpu,cpuacct/user.slice"),
                OwnGroup::Absent,
            ],
        );
    }

    #[test]
    fn hybrid_with_different_groups() {
        check(
            "8:pids:/\n4:memory:/api/86\n2:cpuacct:/\n1:cpu:/\n0::/\n",
            "33 31 0:30 / /sys/fs/cgroup/cpuacct rw,relatime - cgroup cgroup rw,cpuacct\n\
             35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory\n\
             39 31 0:36 / /sys/fs/cgroup/pids rw,relatime - cgroup cgroup rw,pids\n\
             41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw\n",
            [
                at("/sys/fs/cgroup/memory/api/86"),
                at("/sys/fs/cgroup/pids"),
                at("/sys/fs/cgroup/cpuacct"),
                at("/sys/fs/cgroup/unified"),
            ],
        );
    }

    #[test]
    fn docker_with_version_2_and_a_namespace_of_its_own() {
        check(
            "0::/\n",
            "1182 1181 0:30 / /sys/fs/cgroup ro,nosuid,nodev,noexec,relatime - cgroup2 cgroup rw,nsdelegate\n",
            [OwnGroup::Absent, OwnGroup::Absent, OwnGroup::Absent, at("/sys/fs/cgroup")],
        );
    }

    #[test]
    fn docker_with_version_1_shows_the_hosts_paths() {
        check(
            "5:memory:/docker/0123\n4:pids:/docker/0123\n3:cpu,cpuacct:/docker/0123/inner\n0::/system.slice/docker.service\n",
            "690 689 0:30 /docker/0123 /sys/fs/cgroup/memory ro,nosuid - cgroup cgroup rw,memory\n\
             691 689 0:31 /docker/0123 /sys/fs/cgroup/pids ro,nosuid - cgroup cgroup rw,pids\n\
             692 689 0:32 /docker/0123 /sys/fs/cgroup/cpu,cpuacct ro,nosuid - cgroup cgroup rw,cpu,cpuacct\n",
            [
                at("/sys/fs/cgroup/memory"),
                at("/sys/fs/cgroup/pids"),
                at("/sys/fs/cgroup/cpu,cpuacct/inner"),
                OwnGroup::Hidden("its control groups are not mounted".to_owned()),
            ],
        );
    }

    #[test]
    fn a_group_outside_of_the_mount_is_not_made_up() {
        let outside = |path: &str, root: &str| {
            let mountinfo = format!("41 31 0:38 {root} /cg rw,relatime - cgroup2 cgroup2 rw\n");
            let OwnGroup::Hidden(why) = locate(&format!("0::{path}\n"), &mountinfo).unified else {
                panic!("{path} in {root}")
            };
            assert!(why.contains(path) && why.contains("/cg"), "{why}");
        };
        outside("/elsewhere", "/docker/0123");
        outside("/docker/01234", "/docker/0123");
        outside("/../elsewhere", "/");
        outside("/", "/../..");
    }

    #[test]
    fn a_mount_that_can_be_written_is_better() {
        check(
            "0::/a\n",
            "1 1 0:1 / /ro ro - cgroup2 cgroup2 rw\n2 1 0:1 / /sb rw - cgroup2 cgroup2 ro\n\
             3 1 0:1 / /with\\040space rw - cgroup2 cgroup2 rw\n4 1 0:1 / /later rw - cgroup2 cgroup2 rw\n",
            [OwnGroup::Absent, OwnGroup::Absent, OwnGroup::Absent, at("/with space/a")],
        );
    }

    #[test]
    fn nonsense_is_no_group() {
        check("", "", [OwnGroup::Absent, OwnGroup::Absent, OwnGroup::Absent, OwnGroup::Absent]);
        check(
            "nonsense\n3\n:\n",
            "1 2 3 - cgroup\nx\n - cgroup2\n",
            [OwnGroup::Absent, OwnGroup::Absent, OwnGroup::Absent, OwnGroup::Absent],
        );
    }
}
