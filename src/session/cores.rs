//! Decides how many programs `jobs = "auto"` runs at once, and assigns a core to each slot.

use std::fs;
use std::thread::available_parallelism;

use rustix::thread::{CpuSet, sched_getaffinity};

use crate::config::Jobs;

/// The cores that this process may use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Cores {
    /// One logical cpu of each physical core. Empty if the system does not report the topology.
    physical: Vec<usize>,
    /// The number of logical cpus whose time is available (`available_parallelism`: affinity and cgroup quota).
    parallelism: usize,
}

impl Cores {
    /// Reads the process's affinity mask (`sched_getaffinity(2)`) and the topology in sysfs
    /// (`Documentation/ABI/stable/sysfs-devices-system-cpu`).
    pub(crate) fn of_this_process() -> Self {
        // An unknown mask allows no cpu, and an unknown topology has no siblings. The count then follows the system's
        // own.
        let mask = sched_getaffinity(None).unwrap_or_default();
        let allowed: Vec<usize> = (0..CpuSet::MAX_CPU).filter(|cpu| mask.is_set(*cpu)).collect();
        let siblings = |cpu: usize| {
            let topology = format!("/sys/devices/system/cpu/cpu{cpu}/topology");
            // The second file name is the older one.
            let lists = ["core_cpus_list", "thread_siblings_list"].map(|name| format!("{topology}/{name}"));
            lists.iter().find_map(|list| fs::read_to_string(list).ok())
        };
        let parallelism = available_parallelism().map_or(1, std::num::NonZero::get);
        Self { physical: physical(&allowed, siblings), parallelism }
    }

    /// The number of cores. Hyper-threads of one core count once, and a quota on cpu time counts like missing cores.
    pub(crate) fn count(&self) -> usize {
        let known = if self.physical.is_empty() { usize::MAX } else { self.physical.len() };
        known.min(self.parallelism).max(1)
    }

    /// How many programs may run at once without affecting their times. The grader reserves one core if there are more
    /// than two.
    pub(crate) fn slots(&self) -> usize {
        let count = self.count();
        if count > 2 { count - 1 } else { count }
    }

    /// The number of slots that the settings ask for.
    pub(crate) fn slots_for(&self, jobs: Jobs) -> usize {
        match jobs {
            Jobs::Count(count) => count as usize,
            Jobs::Auto => self.slots(),
        }
    }

    /// The logical cpu of each slot. Empty if there are more slots than cores; all slots then share all cores.
    ///
    /// `turn` is the position of the first core: graders that run at the same time should not all use the first one.
    pub(crate) fn of_slots(&self, slots: usize, turn: usize) -> Vec<usize> {
        let cores = self.physical.len();
        if slots > cores {
            return Vec::new();
        }
        self.physical.iter().copied().cycle().skip(turn % cores.max(1)).take(slots).collect()
    }
}

/// The first logical cpu of each physical core among `allowed`, which is sorted. A cpu with unknown siblings counts as
/// a separate core.
fn physical(allowed: &[usize], siblings: impl Fn(usize) -> Option<String>) -> Vec<usize> {
    let is_first = |cpu: &usize| {
        let siblings = siblings(*cpu).and_then(|list| cpu_list(&list)).unwrap_or_default();
        !allowed.iter().any(|other| other < cpu && siblings.contains(other))
    };
    allowed.iter().copied().filter(is_first).collect()
}

/// Parses `0-3,8,10-11`, the list format of `cpuset(7)`. None for any other format.
fn cpu_list(text: &str) -> Option<Vec<usize>> {
    let mut cpus = Vec::new();
    for part in text.trim().split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (first, last): (usize, usize) = (first.parse().ok()?, last.parse().ok()?);
        cpus.extend(first..=last.min(CpuSet::MAX_CPU));
    }
    Some(cpus)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cores(physical: &[usize], parallelism: usize) -> Cores {
        Cores { physical: physical.to_vec(), parallelism }
    }

    #[test]
    fn lists_of_the_kernel_are_understood() {
        assert_eq!(cpu_list("0\n"), Some(vec![0]));
        assert_eq!(cpu_list("0-3,8,10-11\n"), Some(vec![0, 1, 2, 3, 8, 10, 11]));
        assert_eq!(cpu_list(""), None);
        assert_eq!(cpu_list("0-"), None);
        assert_eq!(cpu_list("4,x"), None);
    }

    #[test]
    fn threads_of_one_core_count_once() {
        // Siblings are neighbours on some machines, and half the machine apart on others.
        let neighbours = |cpu: usize| Some(format!("{}-{}\n", cpu & !1, cpu | 1));
        assert_eq!(physical(&[0, 1, 2, 3], neighbours), [0, 2]);
        let apart = |cpu: usize| Some(format!("{},{}\n", cpu % 4, cpu % 4 + 4));
        assert_eq!(physical(&[0, 1, 2, 3, 4, 5, 6, 7], apart), [0, 1, 2, 3]);
    }

    #[test]
    fn only_the_mask_counts() {
        let apart = |cpu: usize| Some(format!("{},{}\n", cpu % 4, cpu % 4 + 4));
        // The first thread of the core is not in our mask, so the second stands for the core.
        assert_eq!(physical(&[3, 5, 7], apart), [3, 5]);
        assert_eq!(physical(&[0, 1], |_| None), [0, 1]);
        assert_eq!(physical(&[0, 1], |_| Some("nonsense".to_owned())), [0, 1]);
        assert!(physical(&[], apart).is_empty());
    }

    #[test]
    fn one_core_is_kept_where_there_are_more_than_two() {
        let slots = |n: usize| cores(&(0..n).collect::<Vec<_>>(), n).slots();
        assert_eq!([1, 2, 3, 4, 8].map(slots), [1, 2, 2, 3, 7]);
        // A quota of two cores on a machine with eight, and a system that reports nothing.
        assert_eq!(cores(&[0, 1, 2, 3, 4, 5, 6, 7], 2).slots(), 2);
        assert_eq!(cores(&[], 4).slots(), 3);
        assert_eq!(cores(&[], 1).slots(), 1);
        // Eight threads on four cores.
        assert_eq!(cores(&[0, 2, 4, 6], 8).slots(), 3);
    }

    #[test]
    fn every_slot_has_a_core_of_its_own_or_none_has() {
        let four = cores(&[0, 2, 4, 6], 8);
        assert_eq!(four.of_slots(3, 0), [0, 2, 4]);
        assert_eq!(four.of_slots(4, 7), [6, 0, 2, 4]);
        assert!(four.of_slots(5, 0).is_empty());
        assert!(cores(&[], 4).of_slots(1, 3).is_empty());
    }

    #[test]
    fn this_machine_has_a_core() {
        let here = Cores::of_this_process();
        assert!(here.count() >= 1 && here.slots() >= 1 && here.slots() <= here.count());
    }
}
