//! Measures how much of the machine other programs use during a run: the total in `/proc/stat`, minus the use of the
//! grader and its descendants. Shared cores and caches increase the cpu time of a program.

use std::collections::BTreeMap;
use std::fs;
use std::time::Duration;

/// Times in `/proc` are in hundredths of a second (`USER_HZ`), whatever the kernel's own tick rate.
const TICKS_PER_SECOND: u64 = 100;

/// The minimum capacity, in seconds of one core, for a meaningful share.
const LEAST: Duration = Duration::from_secs(1);

/// The work of the machine up to one moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Load {
    /// The time of all cores since the machine started.
    capacity: Duration,
    /// The part of it in which the cores were busy, or a hypervisor used them.
    busy: Duration,
    /// The part that this process and all its descendants used.
    own: Duration,
}

impl Load {
    /// Reads the load while no program of the grader runs. None if the system does not report it.
    pub(crate) fn at_rest() -> Option<Self> {
        let (capacity, busy) = of_machine(&fs::read_to_string("/proc/stat").ok()?)?;
        let own = Process::parse(std::process::id(), &fs::read_to_string("/proc/self/stat").ok()?)?;
        Some(Self { capacity, busy, own: own.used })
    }

    /// Reads the load at any time, by looking at every process of the machine.
    pub(crate) fn now() -> Option<Self> {
        let (capacity, busy) = of_machine(&fs::read_to_string("/proc/stat").ok()?)?;
        let processes = fs::read_dir("/proc").ok()?.filter_map(|entry| {
            let id: u32 = entry.ok()?.file_name().to_str()?.parse().ok()?;
            // The time of a process that has ended in the meantime is included in its parent's.
            Process::parse(id, &fs::read_to_string(format!("/proc/{id}/stat")).ok()?)
        });
        Some(Self { capacity, busy, own: of_tree(std::process::id(), &processes.collect::<Vec<_>>()) })
    }

    /// The share of the machine, 0 to 1, that others have used since `before`. None if too little time has passed.
    pub(crate) fn others_since(&self, before: &Self) -> Option<f64> {
        let capacity = self.capacity.saturating_sub(before.capacity);
        let busy = self.busy.saturating_sub(before.busy);
        let own = self.own.saturating_sub(before.own);
        let others = busy.saturating_sub(own).min(capacity);
        (capacity >= LEAST).then(|| others.as_secs_f64() / capacity.as_secs_f64())
    }
}

fn ticks(count: u64) -> Duration {
    Duration::from_secs(count) / u32::try_from(TICKS_PER_SECOND).unwrap_or(100)
}

/// The capacity and use of all cores, from the first line of `/proc/stat`: user, nice, system, idle, iowait, irq,
/// softirq and steal. The time of guests is included in user.
fn of_machine(stat: &str) -> Option<(Duration, Duration)> {
    let line = stat.lines().next()?.strip_prefix("cpu ")?;
    let counts: Vec<u64> = line.split_whitespace().take(8).map(str::parse).collect::<Result<_, _>>().ok()?;
    let all: u64 = counts.iter().sum();
    let idle = counts.get(3)? + counts.get(4).copied().unwrap_or(0);
    (all > 0).then(|| (ticks(all), ticks(all - idle)))
}

/// One process of the machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Process {
    id: u32,
    parent: u32,
    /// User + system time of the process and of the children that it has waited for.
    used: Duration,
}

impl Process {
    /// Parses `/proc/<id>/stat`. The name in it may contain anything, and ends with the last parenthesis.
    fn parse(id: u32, stat: &str) -> Option<Self> {
        let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
        let used: u64 = fields.get(11..15)?.iter().map(|field| field.parse::<u64>()).sum::<Result<_, _>>().ok()?;
        Some(Self { id, parent: fields.get(1)?.parse().ok()?, used: ticks(used) })
    }
}

/// The time that a process and all its descendants used.
fn of_tree(root: u32, processes: &[Process]) -> Duration {
    let mut children: BTreeMap<u32, Vec<&Process>> = BTreeMap::new();
    for process in processes {
        children.entry(process.parent).or_default().push(process);
    }
    let mut open: Vec<&Process> = processes.iter().filter(|process| process.id == root).collect();
    let mut used = Duration::ZERO;
    while let Some(process) = open.pop() {
        used += process.used;
        // Each process has one parent, so none is visited twice.
        open.extend(children.remove(&process.id).unwrap_or_default());
    }
    used
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(capacity: u64, busy: u64, own: u64) -> Load {
        let [capacity, busy, own] = [capacity, busy, own].map(Duration::from_millis);
        Load { capacity, busy, own }
    }

    #[test]
    fn others_are_what_is_not_ours() {
        let before = load(100_000, 50_000, 7_000);
        let share = |after: Load| after.others_since(&before);
        assert_eq!(share(load(120_000, 61_000, 11_000)), Some(0.35));
        // Rounding in the kernel must not lead to a negative share.
        assert_eq!(share(load(120_000, 54_000, 12_000)), Some(0.0));
        assert_eq!(share(load(100_900, 50_900, 7_000)), None);
        assert_eq!(share(load(99_000, 50_000, 7_000)), None);
    }

    #[test]
    fn the_machine_is_busy_with_all_but_idling() {
        let second = Duration::from_secs;
        let line = "cpu  100 200 300 4000 500 100 200 100 77 88\ncpu0 1 2 3 4\n";
        assert_eq!(of_machine(line), Some((second(55), second(10))));
        assert_eq!(of_machine("cpu  0 0 0 0 0 0 0 0 0 0\n"), None);
        assert_eq!(of_machine("intr 1\n"), None);
        // Old kernels report fewer fields.
        assert_eq!(of_machine("cpu 100 0 0 100\n"), Some((second(2), second(1))));
    }

    #[test]
    fn what_we_used_is_the_whole_tree() {
        let stat = "42 (a) b (c) S 7 42 42 0 -1 4194560 100 0 0 0 10 20 30 40 20 0 1 0 100 0 0";
        let process = Process { id: 42, parent: 7, used: Duration::from_secs(1) };
        assert_eq!(Process::parse(42, stat), Some(process));
        assert_eq!(Process::parse(42, "42 (a) S 7"), None);
        let child = |id, parent| Process { id, parent, used: Duration::from_secs(id.into()) };
        let all = [child(1, 0), child(2, 1), child(4, 2), child(8, 4), child(16, 1)];
        assert_eq!(of_tree(2, &all), Duration::from_secs(14));
        assert_eq!(of_tree(3, &all), Duration::ZERO);
    }
}
