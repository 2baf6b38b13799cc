//! Creates and removes the groups of one side, by path, in the grader's own mount namespace.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::fs::{OFlags, open};
use walkdir::WalkDir;

use super::file::{is_busy, named, words_at, write_at};
use super::hierarchy::{self, OwnGroup, OwnGroups};
use super::missing::{Controller, Missing, MissingCause};
use super::{GroupsPaths, members};

/// The group that the grader moves to when its own group of version 2 must be free of processes.
const LEAF: &str = "grader-main";
/// How long killed processes may take to die.
const PATIENCE: Duration = Duration::from_secs(5);

/// A group that could not be removed.
#[derive(Debug, thiserror::Error)]
#[error("cannot remove the control group {}", .directory.display())]
pub(crate) struct LeftGroup {
    /// The directory that could not be removed.
    directory: PathBuf,
    /// The cause. Its path may be that of a child group.
    #[source]
    source: io::Error,
}

/// The control groups of one side. Dropping it kills all processes in them and removes the groups.
#[derive(Debug, Default)]
pub(crate) struct Groups {
    paths: GroupsPaths,
}

impl Groups {
    /// Creates groups of this name below this process's own group, in every useful hierarchy. Also returns which
    /// controllers are missing, and why.
    ///
    /// If a group of that name exists already, a crashed grader left it, because the caller holds a lock on the name.
    /// This kills all processes in that group and removes it.
    ///
    /// In version 2 a group with processes cannot give controllers to the groups below it ("no internal processes",
    /// `cgroups(7)`). This process then moves to `grader-main` below its own group, if it is alone there. Otherwise
    /// this creates the groups below the nearest group above that has the missing controllers, if this process may move
    /// there.
    ///
    /// # Panics
    /// When `name` is not a plain name: with a path, this would kill everything below another group.
    pub(crate) fn create(name: &str) -> (Self, Vec<Missing>) {
        let is_plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_');
        assert!(is_plain && !name.is_empty() && name != LEAF, "{name:?} cannot be the name of a control group");
        let read = |path: &str| fs::read_to_string(path).map_err(|error| named(Path::new(path), &error).to_string());
        match (read("/proc/self/cgroup"), read("/proc/self/mountinfo")) {
            (Ok(cgroup), Ok(mountinfo)) => Self::below(hierarchy::locate(&cgroup, &mountinfo), name),
            (Err(why), _) | (_, Err(why)) => {
                (Self::default(), vec![Missing { controller: None, cause: MissingCause::Inaccessible(why) }])
            }
        }
    }

    fn below(mut own: OwnGroups, name: &str) -> (Self, Vec<Missing>) {
        if let OwnGroup::At(unified) = &mut own.unified
            && unified.ends_with(LEAF)
        {
            // An earlier call moved this process here.
            unified.pop();
        }
        kill_stale(&own, name);
        let [memory, pids, cpuacct] = [&own.memory, &own.pids, &own.cpuacct].map(|own| match own {
            OwnGroup::Absent => None,
            OwnGroup::Hidden(why) => Some(Err(MissingCause::Hidden(why.clone()))),
            OwnGroup::At(base) => Some(fresh(&base.join(name))),
        });
        let wanted = [(Controller::Memory, &memory), (Controller::Pids, &pids)];
        let wanted = wanted.into_iter().filter(|(_, v1)| v1.is_none());
        let wanted: Vec<Controller> = wanted.map(|(controller, _)| controller).collect();
        let unified = match own.unified {
            OwnGroup::Absent => Err(MissingCause::Absent),
            OwnGroup::Hidden(why) => Err(MissingCause::Hidden(why)),
            OwnGroup::At(own) => UnifiedGroup::make(&own, name, &wanted),
        };
        // Version 2 counts cpu time without any controller, even next to version 1.
        let cpu = cpuacct.as_ref().filter(|_| unified.is_err());
        let found =
            [(Controller::Memory, memory.as_ref()), (Controller::Pids, pids.as_ref()), (Controller::CpuTime, cpu)];
        let missing = found.into_iter().filter_map(|(controller, v1)| lacking(controller, v1, &unified)).collect();
        // `missing` contains the reason for each absent controller.
        let [memory, pids, cpuacct] = [memory, pids, cpuacct].map(|v1| v1.and_then(Result::ok));
        let groups = Self { paths: GroupsPaths { memory, pids, cpuacct, unified: unified.ok().map(|v2| v2.group) } };
        groups.forbid_swap();
        (groups, missing)
    }

    /// Applies the settings that stay the same for all runs: no swap, because with swap the memory limit would not
    /// really limit memory.
    fn forbid_swap(&self) {
        // If a file does not exist, the kernel does not swap or does not count swap.
        if let Some(v1) = &self.paths.memory {
            let _ = write_at(v1, "memory.swappiness", 0);
        } else if let Some(v2) = &self.paths.unified {
            let _ = write_at(v2, "memory.swap.max", 0);
        }
    }

    /// Returns the groups of a killed grader, to be removed with all processes in them.
    pub(crate) fn left_behind(paths: GroupsPaths) -> Self {
        Self { paths }
    }

    /// The paths that `Handle::open` needs.
    pub(crate) fn paths(&self) -> &GroupsPaths {
        &self.paths
    }

    /// Describes the available controllers: `cgroup v1 (memory, pids, cpuacct), v2 (kill, cpu)`.
    pub(crate) fn describe(&self) -> String {
        let paths = &self.paths;
        let v1 = [("memory", &paths.memory), ("pids", &paths.pids), ("cpuacct", &paths.cpuacct)];
        let v1: Vec<&str> = v1.into_iter().filter_map(|(name, path)| path.as_ref().map(|_| name)).collect();
        let v2 = [("memory", "memory.max"), ("pids", "pids.max"), ("kill", "cgroup.kill"), ("cpu", "cpu.stat")];
        let has = |file: &str| paths.unified.as_ref().is_some_and(|group| group.join(file).exists());
        let v2: Vec<&str> = v2.into_iter().filter_map(|(name, file)| has(file).then_some(name)).collect();
        let versions = [("v1", v1), ("v2", v2)].into_iter().filter(|(_, names)| !names.is_empty());
        let versions: Vec<String> =
            versions.map(|(version, names)| format!("{version} ({})", names.join(", "))).collect();
        if versions.is_empty() { "no control groups".to_owned() } else { format!("cgroup {}", versions.join(", ")) }
    }

    /// Kills the processes in the groups and removes the groups. This takes as long as the processes take to die: at
    /// most `patience`.
    ///
    /// # Errors
    /// Names the first group that could not be removed. The others are removed nevertheless.
    pub(crate) fn remove_within(mut self, patience: Duration) -> Result<(), LeftGroup> {
        self.remove_all(patience)
    }

    /// Like [`Self::remove_within`], with the patience for groups that this process created.
    pub(crate) fn remove(self) -> Result<(), LeftGroup> {
        self.remove_within(PATIENCE)
    }

    fn remove_all(&mut self, patience: Duration) -> Result<(), LeftGroup> {
        let paths = std::mem::take(&mut self.paths);
        let deadline = Instant::now() + patience;
        let failed = paths.directories().into_iter().map(|directory| {
            let left = |source| LeftGroup { directory: directory.to_owned(), source };
            remove_tree(directory, deadline).map_err(left)
        });
        failed.fold(Ok(()), Result::and)
    }
}

impl Drop for Groups {
    fn drop(&mut self) {
        // The next grader with this name removes what remains.
        let _ = self.remove_all(PATIENCE);
    }
}

/// Creates an empty group. Removes an existing group of this name first.
fn fresh(group: &Path) -> Result<PathBuf, MissingCause> {
    let made = match fs::create_dir(group) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            remove_tree(group, Instant::now() + PATIENCE).and_then(|()| fs::create_dir(group))
        }
        other => other,
    };
    // Names the parent, because the name of the group differs from run to run.
    let parent = group.parent().unwrap_or(group).to_owned();
    made.map(|()| group.to_owned()).map_err(|error| MissingCause::NotMade { parent, error: error.to_string() })
}

/// Why a controller is missing, if it is. `v1` is None if version 1 lacks the controller; version 2 must then provide
/// it.
fn lacking(
    controller: Controller,
    v1: Option<&Result<PathBuf, MissingCause>>,
    v2: &Result<UnifiedGroup, MissingCause>,
) -> Option<Missing> {
    let cause = match (v1, v2) {
        (Some(Ok(_)), _) => None,
        (Some(Err(cause)), _) | (None, Err(cause)) => Some(cause),
        (None, Ok(v2)) => v2.refused.iter().find(|(it, _)| *it == controller).map(|(_, cause)| cause),
    };
    cause.map(|cause| Missing { controller: Some(controller), cause: cause.clone() })
}

/// The group of version 2.
struct UnifiedGroup {
    group: PathBuf,
    /// The requested controllers that it lacks, with the reasons.
    refused: Vec<(Controller, MissingCause)>,
}

impl UnifiedGroup {
    fn make(base: &Path, name: &str, wanted: &[Controller]) -> Result<Self, MissingCause> {
        let mut refused = Self::refused(base, wanted)?;
        let above = if refused.is_empty() { None } else { above(base, wanted) };
        if above.is_some() {
            refused.clear();
        }
        Ok(Self { group: fresh(&above.unwrap_or(base).join(name))?, refused })
    }

    /// The controllers that groups below `base` cannot have, with the reasons. An error if there can be no groups.
    fn refused(base: &Path, wanted: &[Controller]) -> Result<Vec<(Controller, MissingCause)>, MissingCause> {
        may_move_by(base).map_err(|error| MissingCause::Inaccessible(error.to_string()))?;
        let available = words_at(base, "cgroup.controllers");
        let is_offered = |it: &Controller| available.iter().any(|available| available == it.name());
        let (offered, others): (Vec<_>, Vec<_>) = wanted.iter().copied().partition(is_offered);
        let not_offered = MissingCause::NotDelegated(base.to_owned());
        let mut refused: Vec<_> = others.into_iter().map(|it| (it, not_offered.clone())).collect();
        if let Err(cause) = enable(base, &offered, std::process::id()) {
            refused.extend(offered.into_iter().map(|it| (it, cause.clone())));
        }
        Ok(refused)
    }
}

/// Whether this process may move processes between groups below `group`. This requires write access to their common
/// ancestor.
fn may_move_by(group: &Path) -> io::Result<()> {
    let procs = group.join("cgroup.procs");
    fs::OpenOptions::new().write(true).open(&procs).map(drop).map_err(|error| named(&procs, &error))
}

/// Finds the nearest group above `base` in which this process may create groups. The group must already delegate these
/// controllers to its child groups, like a slice of systemd's. Does not search beyond a group with its own limits,
/// because the grader must not escape them.
fn above<'a>(base: &'a Path, controllers: &[Controller]) -> Option<&'a Path> {
    let gives = |group: &Path| {
        let given = words_at(group, "cgroup.subtree_control");
        controllers.iter().all(|it| given.iter().any(|given| given == it.name()))
    };
    let groups = base.ancestors().zip(base.ancestors().skip(1));
    let mut reached =
        groups.take_while(|(below, group)| !is_limited(below) && group.join("cgroup.controllers").exists());
    reached.find_map(|(_, group)| (gives(group) && may_move_by(group).is_ok()).then_some(group))
}

/// Whether a group limits memory or cores. A limit on processes does not matter, because programs have their own.
fn is_limited(group: &Path) -> bool {
    let limits = ["memory.max", "memory.high", "memory.swap.max", "cpu.max", "cpuset.cpus"];
    limits.iter().any(|limit| words_at(group, limit).first().is_some_and(|it| it != "max"))
}

/// Kills the processes that a crashed grader left behind. All its groups hold the same processes, so this begins with
/// the group where killing is most reliable.
fn kill_stale(own: &OwnGroups, name: &str) {
    for own in [&own.unified, &own.pids, &own.memory, &own.cpuacct] {
        if let OwnGroup::At(own) = own {
            for group in groups_of(&own.join(name)) {
                kill(&group);
            }
        }
    }
}

/// Lets the groups below `base` have these controllers. Moves `me` out of the way if necessary.
fn enable(base: &Path, controllers: &[Controller], me: u32) -> Result<(), MissingCause> {
    let enabled = words_at(base, "cgroup.subtree_control");
    let names = controllers.iter().map(|it| it.name());
    let lacking: Vec<String> =
        names.filter(|name| !enabled.iter().any(|e| e == name)).map(|name| format!("+{name}")).collect();
    if lacking.is_empty() {
        return Ok(());
    }
    let write = || write_at(base, "cgroup.subtree_control", lacking.join(" ").as_str());
    let written = match write() {
        Err(error) if is_busy(&error) => step_aside(base, me, write),
        other => other,
    };
    written.map_err(|error| {
        if is_busy(&error) {
            return MissingCause::Shared(base.to_owned());
        }
        MissingCause::NotEnabled(error.to_string())
    })
}

/// Moves `me` to a leaf group to make `write` possible. Moves it back if that does not help.
fn step_aside(base: &Path, me: u32, write: impl Fn() -> io::Result<()>) -> io::Result<()> {
    let leaf = base.join(LEAF);
    if let Err(error) = fs::create_dir(&leaf)
        && error.kind() != io::ErrorKind::AlreadyExists
    {
        return Err(named(&leaf, &error));
    }
    let moved = write_at(&leaf, "cgroup.procs", me).and_then(|()| write());
    if moved.is_err() {
        // The first error says what went wrong. The undo can only fail for the same reason.
        let _ = write_at(base, "cgroup.procs", me);
        let _ = fs::remove_dir(&leaf);
    }
    moved
}

/// Removes a group, its descendants and all their processes. A missing group is not an error.
fn remove_tree(group: &Path, deadline: Instant) -> io::Result<()> {
    loop {
        let Err(error) = groups_of(group).iter().try_for_each(|group| {
            kill(group);
            remove(group)
        }) else {
            return Ok(());
        };
        if !is_busy(&error) || Instant::now() > deadline {
            return Err(error);
        }
        sleep(Duration::from_millis(1));
    }
}

fn remove(group: &Path) -> io::Result<()> {
    match fs::remove_dir(group) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(named(group, &error)),
        _ => Ok(()),
    }
}

/// A group and its descendants, descendants first.
fn groups_of(group: &Path) -> Vec<PathBuf> {
    // A group that cannot be listed is gone, or its removal reports the error.
    let entries = WalkDir::new(group).contents_first(true).into_iter().flatten();
    entries.filter(|entry| entry.file_type().is_dir()).map(walkdir::DirEntry::into_path).collect()
}

/// Kills the processes in a group. Ignores errors: a group that still has processes cannot be removed, which is
/// reported.
fn kill(group: &Path) {
    if write_at(group, "cgroup.kill", 1).is_ok() {
        return;
    }
    // In the hierarchy of the pids controller, this prevents new processes.
    let _ = write_at(group, "pids.max", 0);
    let directory = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    if let Ok(directory) = open(group, directory, rustix::fs::Mode::empty()) {
        let _ = members::strike(std::os::fd::AsFd::as_fd(&directory));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ordinary directories: enough for decisions that do not depend on the kernel.
    struct Fake(tempfile::TempDir);

    impl Fake {
        fn new(files: &[(&str, &str)]) -> Self {
            let temp = tempfile::TempDir::new().unwrap();
            for (name, text) in files {
                fs::write(temp.path().join(name), text).unwrap();
            }
            Self(temp)
        }

        fn at(&self) -> OwnGroup {
            OwnGroup::At(self.0.path().to_owned())
        }

        fn read(&self, name: &str) -> String {
            fs::read_to_string(self.0.path().join(name)).unwrap()
        }
    }

    fn words(missing: &[Missing]) -> Vec<String> {
        missing.iter().map(ToString::to_string).collect()
    }

    const ABSENT: OwnGroups = OwnGroups {
        memory: OwnGroup::Absent,
        pids: OwnGroup::Absent,
        cpuacct: OwnGroup::Absent,
        unified: OwnGroup::Absent,
    };

    #[test]
    fn without_control_groups_everything_is_missing() {
        let (groups, missing) = Groups::below(ABSENT, "slot");
        let why = "this system has no control groups for it";
        assert_eq!(words(&missing), ["memory", "pids", "cpu time"].map(|it| format!("{it}: {why}")));
        assert_eq!(groups.describe(), "no control groups");
        assert!(groups.remove().is_ok());
    }

    #[test]
    fn version_2_is_asked_for_what_version_1_lacks_only() {
        let v1 = Fake::new(&[]);
        let v2 = Fake::new(&[
            ("cgroup.procs", ""),
            ("cgroup.controllers", "cpuset cpu pids memory\n"),
            ("cgroup.subtree_control", ""),
        ]);
        let (groups, missing) = Groups::below(OwnGroups { memory: v1.at(), unified: v2.at(), ..ABSENT }, "slot");
        assert_eq!(missing, []);
        assert_eq!(v2.read("cgroup.subtree_control"), "+pids\n");
        assert_eq!(groups.describe(), "cgroup v1 (memory)");
        assert!(v1.0.path().join("slot").is_dir() && v2.0.path().join("slot").is_dir());
        groups.remove().unwrap();
        assert!(!v1.0.path().join("slot").exists() && !v2.0.path().join("slot").exists());
    }

    #[test]
    fn a_grader_that_moved_to_the_leaf_makes_groups_beside_it() {
        let v2 = Fake::new(&[
            ("cgroup.procs", ""),
            ("cgroup.controllers", "pids memory"),
            ("cgroup.subtree_control", "memory pids"),
        ]);
        let leaf = v2.0.path().join(LEAF);
        fs::create_dir(&leaf).unwrap();
        let (_groups, missing) = Groups::below(OwnGroups { unified: OwnGroup::At(leaf), ..ABSENT }, "slot");
        assert_eq!(missing, []);
        assert!(v2.0.path().join("slot").is_dir());
        assert_eq!(v2.read("cgroup.subtree_control"), "memory pids", "they are enabled already");
    }

    #[test]
    fn a_group_that_lacks_something_is_left_for_one_above() {
        let top = Fake::new(&[
            ("cgroup.procs", ""),
            ("cgroup.controllers", "pids memory"),
            ("cgroup.subtree_control", "memory pids"),
        ]);
        let middle = top.0.path().join("middle");
        let own = top.0.path().join("middle/own");
        fs::create_dir_all(&own).unwrap();
        for (dir, given) in [(&middle, "pids"), (&own, "")] {
            for (name, text) in
                [("cgroup.procs", ""), ("cgroup.controllers", "pids"), ("cgroup.subtree_control", given)]
            {
                fs::write(dir.join(name), text).unwrap();
            }
        }
        fs::write(own.join("memory.max"), "max\n").unwrap();
        fs::write(own.join("cpu.max"), "max 100000\n").unwrap();
        fs::write(own.join("cpuset.cpus"), "\n").unwrap();
        let slot = || Groups::below(OwnGroups { unified: OwnGroup::At(own.clone()), ..ABSENT }, "slot");
        let (groups, missing) = slot();
        assert_eq!((missing.len(), top.0.path().join("slot").is_dir()), (0, true));
        groups.remove().unwrap();

        fs::write(middle.join("cpu.max"), "50000 100000\n").unwrap();
        let (_groups, missing) = slot();
        assert_eq!(words(&missing), [format!("memory: it is not delegated to the control group {}", own.display())]);
        assert!(own.join("slot").is_dir());
        assert!(!top.0.path().join("slot").exists(), "that would be beyond a limit");
    }

    #[test]
    fn what_is_missing_says_why() {
        let v2 = Fake::new(&[
            ("cgroup.procs", ""),
            ("cgroup.controllers", "cpu memory"),
            ("cgroup.subtree_control", "memory"),
        ]);
        let own = OwnGroups { cpuacct: OwnGroup::Hidden("hidden".to_owned()), unified: v2.at(), ..ABSENT };
        let (_groups, missing) = Groups::below(own, "slot");
        let dir = v2.0.path().display();
        assert_eq!(words(&missing), [format!("pids: it is not delegated to the control group {dir}")]);

        let own = OwnGroups {
            memory: OwnGroup::At("/nowhere/at/all".into()),
            pids: OwnGroup::Hidden("pids is hidden".to_owned()),
            unified: OwnGroup::Hidden("v2 is hidden".to_owned()),
            ..ABSENT
        };
        let (groups, missing) = Groups::below(own, "slot");
        let expected = [
            "memory: cannot make a control group below /nowhere/at/all: No such file or directory (os error 2)",
            "pids: pids is hidden",
            "cpu time: v2 is hidden",
        ];
        assert_eq!(words(&missing), expected);
        assert_eq!(groups.describe(), "no control groups");
    }

    #[test]
    fn only_a_plain_name_is_taken() {
        for name in ["", ".", "..", "a/b", "/", "a.procs", LEAF] {
            assert!(std::panic::catch_unwind(|| Groups::create(name)).is_err(), "{name:?}");
        }
    }

    #[test]
    fn what_is_left_is_named() {
        let temp = tempfile::TempDir::new().unwrap();
        fs::write(temp.path().join("file"), "").unwrap();
        let groups = Groups { paths: GroupsPaths { unified: Some(temp.path().to_owned()), ..GroupsPaths::default() } };
        let error = groups.remove().unwrap_err();
        assert!(error.to_string().ends_with(&temp.path().display().to_string()), "{error}");
        assert!(std::error::Error::source(&error).is_some());
    }
}
