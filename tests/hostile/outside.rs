//! The machine as it is seen from outside of a run: whose processes there are, and what else a run may leave behind.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use rustix::fs::{FlockOperation, flock};
use walkdir::WalkDir;

/// The first user of the grader's range, and where it claims numbers of it (`docs/architecture.md`).
const FIRST_USER: u32 = 300_000;
const LOCKS: &str = "/run/grader";

/// The numbers that a grader has claimed: two users each, and control groups of that name. What it opens on its way to a
/// free one it has not locked.
pub(crate) fn claims_of(pid: i32) -> BTreeSet<u32> {
    // Asked every few milliseconds: only of these files it matters whether they are locked.
    let descriptors = fs::read_dir(format!("/proc/{pid}/fd")).into_iter().flatten().flatten();
    let claimed = descriptors.filter_map(|entry| {
        let file = fs::read_link(entry.path()).ok()?;
        let number = file.strip_prefix(LOCKS).ok()?.to_str()?.parse().ok()?;
        let info = format!("/proc/{pid}/fdinfo/{}", entry.file_name().to_str()?);
        fs::read_to_string(info).ok()?.contains("FLOCK").then_some(number)
    });
    claimed.collect()
}

/// The users of a claim.
pub(crate) fn users_of(number: u32) -> [u32; 2] {
    [FIRST_USER + 2 * number, FIRST_USER + 2 * number + 1]
}

/// Claims a number that nobody holds, so that what bears it was left by whoever held it before; none when another
/// grader has it, which then found nothing of it.
pub(crate) fn hold(number: u32) -> Option<File> {
    let file = File::options().write(true).open(Path::new(LOCKS).join(number.to_string())).ok()?;
    flock(&file, FlockOperation::NonBlockingLockExclusive).ok().map(|()| file)
}

/// A process as everybody may see it.
pub(crate) struct Process {
    pub(crate) parent: i32,
    /// The real user. The owner of its directory is root for those that may not be looked into.
    pub(crate) user: u32,
}

impl Process {
    /// Whether it is a thread of the kernel, which has neither arguments nor files.
    pub(crate) fn is_of_the_kernel(&self) -> bool {
        // The parent of all of them.
        self.parent == 2
    }
}

/// All processes by their ids.
pub(crate) fn processes() -> BTreeMap<i32, Process> {
    let Ok(entries) = fs::read_dir("/proc") else { return BTreeMap::new() };
    let pids = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    pids.filter_map(|pid| Some((pid, look(pid)?))).collect()
}

fn look(pid: i32) -> Option<Process> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let field = |name: &str| status.lines().find_map(|line| line.strip_prefix(name)?.split_whitespace().next());
    Some(Process { parent: field("PPid:")?.parse().ok()?, user: field("Uid:")?.parse().ok()? })
}

/// Whether a process is a descendant of another.
pub(crate) fn is_below(processes: &BTreeMap<i32, Process>, pid: i32, ancestor: i32) -> bool {
    let parent = |pid: &i32| processes.get(pid).map(|process| process.parent);
    std::iter::successors(parent(&pid), parent).any(|above| above == ancestor)
}

/// The parent of a process.
pub(crate) fn parent_of(pid: i32) -> Option<i32> {
    look(pid).map(|process| process.parent)
}

/// The user that a stopped process is to file systems (`Uid` of `proc_pid_status(5)`: real, effective, saved, file system).
/// None while it still runs.
pub(crate) fn file_user_when_stopped(pid: i32) -> Option<u32> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let field =
        |name: &str, word: usize| status.lines().find_map(|line| line.strip_prefix(name)?.split_whitespace().nth(word));
    if field("State:", 0) == Some("T") { field("Uid:", 3)?.parse().ok() } else { None }
}

/// The arguments of a process, separated by spaces.
pub(crate) fn command_line(pid: i32) -> String {
    let bytes = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    String::from_utf8_lossy(&bytes).replace('\0', " ").trim().to_owned()
}

/// Control groups of this name, and of those that begin with it and a hyphen.
pub(crate) fn control_groups(name: &str) -> Vec<PathBuf> {
    let below = format!("{name}-");
    let named = |found: &str| found == name || found.starts_with(&below);
    let dirs = WalkDir::new("/sys/fs/cgroup").into_iter().flatten().filter(|entry| entry.file_type().is_dir());
    dirs.filter(|entry| entry.file_name().to_str().is_some_and(named)).map(walkdir::DirEntry::into_path).collect()
}

/// System V objects that belong to one of `users` or were made by them.
pub(crate) fn ipc_of(users: &[u32]) -> Vec<String> {
    let mut found = Vec::new();
    for kind in ["shm", "sem", "msg"] {
        let table = fs::read_to_string(format!("/proc/sysvipc/{kind}")).unwrap_or_default();
        let mut lines = table.lines();
        let header: Vec<&str> = lines.next().unwrap_or_default().split_whitespace().collect();
        let columns: Vec<usize> =
            ["uid", "cuid"].iter().filter_map(|name| header.iter().position(|h| h == name)).collect();
        found.extend(lines.filter_map(|line| {
            let fields: Vec<&str> = line.split_whitespace().collect();
            let owner = |column: &usize| fields.get(*column).and_then(|field| field.parse::<u32>().ok());
            columns.iter().filter_map(owner).any(|user| users.contains(&user)).then(|| format!("{kind}: {line}"))
        }));
    }
    found
}

/// What is mounted that was not when the tests began. What others mount in temporary directories of their own is theirs.
pub(crate) fn new_mounts(workspace: &Path) -> Vec<String> {
    static BEFORE: OnceLock<BTreeSet<String>> = OnceLock::new();
    let mounts = || fs::read_to_string("/proc/self/mounts").unwrap_or_default();
    let before = BEFORE.get_or_init(|| mounts().lines().map(ToOwned::to_owned).collect());
    let is_ours = |line: &str| {
        let target = Path::new(line.split(' ').nth(1).unwrap_or_default());
        let is_temporary = target.parent().is_some_and(|parent| parent.starts_with(std::env::temp_dir()));
        target.starts_with(workspace) || !is_temporary
    };
    let mounts = mounts();
    let new = mounts.lines().filter(|line| !before.contains(*line) && is_ours(line));
    new.map(ToOwned::to_owned).collect()
}

/// The plain files below `dirs`, with what is in them.
pub(crate) fn contents(dirs: &[PathBuf]) -> BTreeMap<PathBuf, Vec<u8>> {
    let files = dirs.iter().flat_map(WalkDir::new).flatten().filter(|entry| entry.file_type().is_file());
    files.map(|entry| (entry.path().to_owned(), fs::read(entry.path()).unwrap_or_default())).collect()
}
