//! The keeper's view of the running process tree, read from `/proc`.

use std::fs;
use std::io::Read;
use std::path::Path;
use std::time::Duration;

use super::sys;

/// The tree at one moment.
#[derive(Debug, Default, Clone)]
pub(super) struct Snapshot {
    /// User + system time of the living, and of the dead they have waited for.
    pub(super) cpu: Duration,
    /// Private memory of all, plus the largest shared part, in bytes. What was forked and not written to since counts
    /// for each process: never less than the truth, but often more.
    pub(super) memory: u64,
    /// Processes and threads; of the dead only those that somebody else has still to wait for.
    pub(super) tasks: u32,
    /// Our own children that are dead: orphans that nobody but us will ever wait for.
    pub(super) dead: Vec<i32>,
}

/// The children of this process.
pub(super) fn children() -> Vec<i32> {
    children_of(&rustix::process::getpid().as_raw_nonzero().to_string())
}

/// Every descendant of this process, children before grandchildren.
pub(super) fn descendants() -> Vec<i32> {
    with_descendants(children())
}

/// These processes and every descendant of theirs.
pub(super) fn with_descendants(mut found: Vec<i32>) -> Vec<i32> {
    let mut next = 0;
    while next < found.len() {
        let more = children_of(&found[next].to_string());
        found.extend(more);
        next += 1;
    }
    found
}

/// `proc_pid_task_children(5)`: one list for each thread, because any thread may have forked.
fn children_of(pid: &str) -> Vec<i32> {
    let Ok(tasks) = fs::read_dir(Path::new("/proc").join(pid).join("task")) else { return Vec::new() };
    let mut children = Vec::new();
    for task in tasks.flatten() {
        if let Ok(list) = fs::read_to_string(task.path().join("children")) {
            children.extend(list.split_ascii_whitespace().filter_map(|pid| pid.parse::<i32>().ok()));
        }
    }
    children
}

/// Looks at every descendant.
pub(super) fn snapshot() -> Snapshot {
    let me = rustix::process::getpid().as_raw_nonzero().get();
    let mut total = Snapshot::default();
    let mut shared = 0;
    for pid in descendants() {
        let Some(process) = look(pid) else { continue };
        total.cpu += process.cpu;
        total.memory += process.private;
        shared = shared.max(process.shared);
        if process.dead && process.parent == me {
            total.dead.push(pid);
        } else {
            total.tasks = total.tasks.saturating_add(process.threads);
        }
    }
    total.memory += shared;
    total
}

/// The memory of the tree with every page counted once, in bytes: exact where `Snapshot::memory` is too high, but slow.
/// None where the system does not tell.
pub(super) fn exact_memory() -> Option<u64> {
    let mut total = None;
    for pid in descendants() {
        if look(pid).is_some_and(|process| sys::same_memory(pid, process.parent)) {
            continue;
        }
        // `proc_pid_smaps_rollup(5)`: a page that n processes map counts for each as its n-th part.
        let Some(rollup) = read(&format!("/proc/{pid}/smaps_rollup")) else { continue };
        let line = rollup.lines().find_map(|line| line.strip_prefix("Pss:"));
        let kib = line.and_then(|line| line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok());
        total = kib.map(|kib| total.unwrap_or(0) + kib * 1024).or(total);
    }
    total
}

/// How long each living task of the tree has been ready to run without having a core, by its id; nothing where the system
/// does not tell (`CONFIG_SCHED_INFO`).
pub(super) fn run_delays() -> Vec<(i32, Duration)> {
    let mut delays = Vec::new();
    for pid in descendants() {
        let Ok(tasks) = fs::read_dir(format!("/proc/{pid}/task")) else { continue };
        for task in tasks.flatten() {
            let id = task.file_name().to_str().and_then(|name| name.parse().ok());
            let delay = fs::read_to_string(task.path().join("schedstat")).ok().and_then(|text| run_delay(&text));
            delays.extend(id.zip(delay));
        }
    }
    delays
}

/// `Documentation/scheduler/sched-stats.rst`, "/proc/<pid>/schedstat": nanoseconds on a core, nanoseconds of waiting for
/// one, number of times on one.
fn run_delay(schedstat: &str) -> Option<Duration> {
    schedstat.split_ascii_whitespace().nth(1)?.parse().ok().map(Duration::from_nanos)
}

struct Process {
    cpu: Duration,
    private: u64,
    shared: u64,
    threads: u32,
    parent: i32,
    dead: bool,
}

/// `proc_pid_stat(5)` and `proc_pid_statm(5)`; none when the process is gone.
fn look(pid: i32) -> Option<Process> {
    let stat = read(&format!("/proc/{pid}/stat"))?;
    // The command name may hold anything, spaces and parentheses too: fields are counted from the last `)`.
    let fields: Vec<&str> = stat.get(stat.rfind(')')? + 2..)?.split(' ').collect();
    let number = |i: usize| fields.get(i).and_then(|field| field.parse::<u64>().ok());
    let ticks = number(13)? + number(14)?;
    let own = sys::cpu_time(pid).unwrap_or_default();
    let waited = Duration::from_millis(ticks * 1000 / rustix::param::clock_ticks_per_second());
    let page = rustix::param::page_size() as u64;
    let statm = read(&format!("/proc/{pid}/statm")).unwrap_or_default();
    let mut pages = statm.split(' ').skip(1).filter_map(|field| field.parse::<u64>().ok());
    let (resident, shared) = (pages.next().unwrap_or(0), pages.next().unwrap_or(0));
    Some(Process {
        cpu: own + waited,
        private: resident.saturating_sub(shared) * page,
        shared: shared * page,
        threads: u32::try_from(number(17)?).unwrap_or(u32::MAX),
        parent: fields.get(1)?.parse().ok()?,
        dead: fields.first() == Some(&"Z"),
    })
}

fn read(path: &str) -> Option<String> {
    let mut bytes = Vec::new();
    fs::File::open(path).ok()?.read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_figure_is_the_waiting() {
        assert_eq!(run_delay("116719 2890774 2\n"), Some(Duration::from_nanos(2_890_774)));
        assert_eq!(run_delay(""), None);
    }

    #[test]
    fn a_process_finds_itself() {
        let me = look(rustix::process::getpid().as_raw_nonzero().get()).unwrap();
        assert!(me.threads >= 1);
        assert!(me.private > 0);
        assert!(me.cpu > Duration::ZERO);
    }
}
