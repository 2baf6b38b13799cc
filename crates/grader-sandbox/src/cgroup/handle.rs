//! The keeper's access to the groups of one side. It consists of descriptors only, so it works in any namespace that
//! the keeper has entered.

use std::io;
#[cfg(test)]
use std::os::fd::{AsFd, BorrowedFd};
use std::path::Path;
use std::time::Duration;

use rustix::fs::OFlags;
use rustix::time::{ClockId, Timespec, clock_gettime};

use super::GroupsPaths;
use super::file::ControlFile;
use super::memory::Memory;
use grader_model::limits::Bytes;

/// The kernel's `PID_MAX_LIMIT`. Larger limits are invalid (`cgroup-v1/pids.rst`), and more processes cannot exist.
const MOST_PROCESSES: u32 = 4 << 20;

/// A handle on the groups of one side: it sets limits, reads figures and kills processes. Figures count from the last
/// `prepare`.
///
/// It holds descriptors of files outside the sandbox. Programs must never inherit them, so all are close-on-exec.
pub(crate) struct Handle {
    join: Vec<ControlFile>,
    memory: Option<Memory>,
    processes: Option<Processes>,
    cpu: Option<Cpu>,
}

impl Handle {
    /// Opens all files. Call this before entering another mount namespace, because it needs the paths.
    ///
    /// # Errors
    /// A file cannot be opened (with its path). `Unsupported` without any group.
    pub(crate) fn open(paths: &GroupsPaths) -> io::Result<Self> {
        let v2 = paths.unified.as_deref();
        let directories = paths.directories();
        if directories.is_empty() {
            return Err(io::Error::new(io::ErrorKind::Unsupported, "no control groups"));
        }
        let join = directories.iter().map(|group| ControlFile::open(group, "cgroup.procs", OFlags::WRONLY));
        Ok(Self {
            join: join.collect::<io::Result<_>>()?,
            memory: match &paths.memory {
                Some(v1) => Some(Memory::open_v1(v1)?),
                None => v2.map(Memory::open_v2).transpose()?.flatten(),
            },
            processes: paths.pids.as_deref().or(v2).map(Processes::open).transpose()?.flatten(),
            cpu: Cpu::open(paths)?,
        })
    }

    /// Prepares the empty groups for a run: sets the limits (bytes; processes and threads) and resets all figures.
    /// Skips a limit that is already in force.
    ///
    /// # Errors
    /// The errors of the writes. Version 1 fails with `EBUSY` if more than `memory` is charged and cannot be reclaimed.
    pub(crate) fn prepare(&mut self, memory: Bytes, processes: u32) -> io::Result<()> {
        if let Some(controller) = &mut self.memory {
            controller.prepare(memory.0)?;
        }
        if let Some(controller) = &mut self.processes {
            controller.limit(processes)?;
            controller.refused_before = controller.refusals();
        }
        self.cpu.as_mut().map_or(Ok(()), Cpu::prepare)
    }

    /// Lifts the memory limit until the next `prepare`. If that fails, the limit stays.
    pub(crate) fn lift_memory(&mut self) {
        if let Some(controller) = &mut self.memory {
            controller.lift();
        }
    }

    /// Moves this single-threaded process into the groups, so that its children start there. Moving each program
    /// instead would sometimes delay it by 10 to 20 ms (`cgroup_threadgroup_rwsem`). The cpu time of this process
    /// itself does not count.
    pub(crate) fn enter(&mut self) -> io::Result<()> {
        for group in &self.join {
            group.write(0)?;
        }
        if let Some(cpu) = &mut self.cpu {
            cpu.own = Some(clock_gettime(ClockId::ProcessCPUTime));
        }
        Ok(())
    }

    /// The descriptors through which a test moves another process into the groups.
    #[cfg(test)]
    pub(crate) fn join_fds(&self) -> Vec<BorrowedFd<'_>> {
        self.join.iter().map(ControlFile::as_fd).collect()
    }

    /// User + system time of all processes in the groups; for living ones up to their last tick (≤ 10 ms ago). None if
    /// cpu time is not counted.
    pub(crate) fn cpu(&self) -> Option<Duration> {
        self.cpu.as_ref()?.spent().ok()
    }

    /// The peak of charged memory, minus the charge at the start of the run. None if memory is not counted.
    pub(crate) fn memory_peak(&self) -> Option<Bytes> {
        self.memory.as_ref()?.peak().ok()
    }

    /// The peak at the end of a run whose largest process had `resident` bytes. Never less than the figures of the
    /// group show.
    pub(crate) fn memory_peak_with(&self, resident: Bytes) -> Option<Bytes> {
        self.memory.as_ref()?.peak_with(resident).ok()
    }

    /// Whether `memory_peak` is only the highest sample of `memory_now`. Before Linux 6.12, version 2 cannot reset its
    /// peak. A run below an earlier run's peak then has no exact figure.
    pub(crate) fn memory_peak_is_sampled(&self) -> bool {
        self.memory.as_ref().is_none_or(Memory::peak_is_sampled)
    }

    /// The memory charged now, minus the charge at the start of the run.
    #[cfg(test)]
    pub(crate) fn memory_now(&self) -> Option<Bytes> {
        self.memory.as_ref()?.now().ok()
    }

    /// The number of processes and threads, including dead ones that are not reaped yet.
    pub(crate) fn tasks(&self) -> Option<u32> {
        self.processes.as_ref()?.alive().ok()
    }

    /// Whether the kernel refused a process or thread because of the limit.
    pub(crate) fn refused_processes(&self) -> bool {
        self.processes.as_ref().is_some_and(|processes| processes.refusals() > processes.refused_before)
    }

    /// Whether the kernel killed a process because of the memory limit. Version 1 kills one process and lets the others
    /// continue.
    pub(crate) fn oom_killed(&self) -> bool {
        self.memory.as_ref().is_some_and(|memory| memory.oom_killed().unwrap_or(false))
    }

    /// Whether the memory limit is enforced and memory is counted.
    pub(crate) fn limits_memory(&self) -> bool {
        self.memory.is_some()
    }

    /// Whether processes are counted and their limit is enforced.
    #[cfg(test)]
    pub(crate) fn limits_processes(&self) -> bool {
        self.processes.is_some()
    }

    /// Whether cpu time is counted.
    #[cfg(test)]
    pub(crate) fn counts_cpu(&self) -> bool {
        self.cpu.is_some()
    }
}

/// The pids controller: the same files in both versions.
struct Processes {
    max: ControlFile,
    current: ControlFile,
    events: Option<ControlFile>,
    /// The limit in force, if known.
    last: Option<u32>,
    refused_before: u64,
}

impl Processes {
    fn open(group: &Path) -> io::Result<Option<Self>> {
        let Some(max) = ControlFile::open_if_there(group, "pids.max", OFlags::RDWR)? else { return Ok(None) };
        let events = ControlFile::open_if_there(group, "pids.events", OFlags::RDONLY)?;
        Ok(Some(Self {
            max,
            current: ControlFile::open(group, "pids.current", OFlags::RDONLY)?,
            events,
            last: None,
            refused_before: 0,
        }))
    }

    /// How often a fork has failed at the limit, since the group was created.
    fn refusals(&self) -> u64 {
        self.events.as_ref().and_then(|events| events.entry("max").ok()).unwrap_or(0)
    }

    fn limit(&mut self, most: u32) -> io::Result<()> {
        if self.last != Some(most) {
            self.last = None;
            self.max.write(most.min(MOST_PROCESSES))?;
            self.last = Some(most);
        }
        Ok(())
    }

    fn alive(&self) -> io::Result<u32> {
        Ok(u32::try_from(self.current.number()?).unwrap_or(u32::MAX))
    }
}

/// The cpu time of all processes in a group.
struct Cpu {
    counter: Counter,
    start: Duration,
    /// The cpu time of this process when it joined. None if it has not joined.
    own: Option<Timespec>,
}

enum Counter {
    /// `cpuacct.usage` of version 1, in nanoseconds.
    Usage(ControlFile),
    /// `cpu.stat` of version 2, in microseconds. It exists without any controller.
    Stat(ControlFile),
}

impl Cpu {
    fn open(paths: &GroupsPaths) -> io::Result<Option<Self>> {
        let usage = paths.cpuacct.as_ref().map(|group| ControlFile::open(group, "cpuacct.usage", OFlags::RDONLY));
        let stat = || paths.unified.as_ref().map(|group| ControlFile::open_if_there(group, "cpu.stat", OFlags::RDONLY));
        let counter = match usage.transpose()? {
            Some(usage) => Some(Counter::Usage(usage)),
            None => stat().transpose()?.flatten().map(Counter::Stat),
        };
        Ok(counter.map(|counter| Self { counter, start: Duration::ZERO, own: None }))
    }

    fn prepare(&mut self) -> io::Result<()> {
        self.start = self.total()?;
        Ok(())
    }

    fn total(&self) -> io::Result<Duration> {
        let all = match &self.counter {
            Counter::Usage(file) => file.number().map(Duration::from_nanos)?,
            Counter::Stat(file) => file.entry("usage_usec").map(Duration::from_micros)?,
        };
        let own = self.own.map(|joined| clock_gettime(ClockId::ProcessCPUTime) - joined);
        Ok(all.saturating_sub(own.and_then(|own| Duration::try_from(own).ok()).unwrap_or_default()))
    }

    fn spent(&self) -> io::Result<Duration> {
        Ok(self.total()?.saturating_sub(self.start))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const PLENTY: Bytes = Bytes::mib(64);

    /// The files of a version 2 group, as ordinary files: they keep the text that is written to them.
    struct Fake(tempfile::TempDir);

    impl Fake {
        fn new() -> Self {
            let fake = Self(tempfile::TempDir::new().unwrap());
            let files = [
                ("cgroup.procs", ""),
                ("cpu.stat", "usage_usec 1500\nuser_usec 1000\nsystem_usec 500\n"),
                ("memory.max", "max\n"),
                ("memory.current", "4096\n"),
                ("memory.events", "low 0\nhigh 0\nmax 7\noom 3\noom_kill 2\noom_group_kill 1\n"),
                ("pids.max", "max\n"),
                ("pids.current", "3\n"),
            ];
            for (name, text) in files {
                fake.set(name, text);
            }
            fake
        }

        fn open(&self) -> Handle {
            Handle::open(&GroupsPaths { unified: Some(self.0.path().to_owned()), ..GroupsPaths::default() }).unwrap()
        }

        fn set(&self, name: &str, text: &str) {
            fs::write(self.0.path().join(name), text).unwrap();
        }

        #[track_caller]
        fn check(&self, name: &str, first_line: &str) {
            let text = fs::read_to_string(self.0.path().join(name)).unwrap();
            assert_eq!(text.lines().next(), Some(first_line), "{name}");
        }
    }

    #[test]
    fn figures_begin_with_the_run() {
        let fake = Fake::new();
        let mut handle = fake.open();
        handle.prepare(PLENTY, 16).unwrap();
        assert_eq!(handle.cpu(), Some(Duration::ZERO));
        assert!(!handle.oom_killed());
        fake.set("cpu.stat", "usage_usec 3750\n");
        fake.set("memory.events", "oom 4\noom_kill 3\n");
        assert_eq!(handle.cpu(), Some(Duration::from_micros(2250)));
        assert!(handle.oom_killed());
        assert_eq!(handle.tasks(), Some(3));
        handle.prepare(PLENTY, 16).unwrap();
        // Kills for the memory of the machine, or of a parent group.
        fake.set("memory.events", "oom 4\noom_kill 4\n");
        assert!(!handle.oom_killed());
        assert_eq!(handle.cpu(), Some(Duration::ZERO));
        assert!(!handle.oom_killed());
    }

    #[test]
    fn a_limit_is_written_when_it_differs() {
        let fake = Fake::new();
        let mut handle = fake.open();
        handle.prepare(Bytes(1000), 16).unwrap();
        fake.check("memory.max", "1000");
        fake.check("pids.max", "16");
        fake.set("memory.max", "untouched");
        fake.set("pids.max", "untouched");
        handle.prepare(Bytes(1000), 16).unwrap();
        fake.check("memory.max", "untouched");
        fake.check("pids.max", "untouched");
        handle.prepare(Bytes(2000), u32::MAX).unwrap();
        fake.check("memory.max", "2000");
        fake.check("pids.max", "4194304");
    }

    #[test]
    fn without_a_peak_the_samples_are_told_as_such() {
        let fake = Fake::new();
        let mut handle = fake.open();
        handle.prepare(PLENTY, 16).unwrap();
        for (current, expected) in [(4096 + 500, 500), (4096 + 900, 900), (4096 + 100, 100), (96, 0)] {
            fake.set("memory.current", &format!("{current}\n"));
            assert_eq!(handle.memory_now(), Some(Bytes(expected)));
        }
        assert_eq!(handle.memory_peak(), Some(Bytes(900)));
        assert!(handle.memory_peak_is_sampled());
        handle.prepare(PLENTY, 16).unwrap();
        assert_eq!(handle.memory_peak(), Some(Bytes(0)));
    }

    #[test]
    fn a_peak_that_cannot_begin_anew_counts_once_it_rises() {
        let fake = Fake::new();
        // A read-only number, like this file before Linux 6.12.
        let peak = fake.0.path().join("memory.peak");
        std::os::unix::fs::symlink("/proc/sys/kernel/ngroups_max", &peak).unwrap();
        let mut handle = fake.open();
        handle.prepare(PLENTY, 16).unwrap();
        fake.set("memory.current", "5096\n");
        assert_eq!(handle.memory_peak(), Some(Bytes(1000)));
        assert!(handle.memory_peak_is_sampled());
        // As if the peak of all earlier runs were below the file's value.
        handle.memory.as_mut().unwrap().lower_mark();
        assert_eq!(handle.memory_peak(), Some(Bytes(65_536 - 4096)));
        assert!(!handle.memory_peak_is_sampled());
    }

    #[test]
    fn a_peak_that_begins_anew_is_exact() {
        let fake = Fake::new();
        fake.set("memory.peak", "123456789\n");
        let mut handle = fake.open();
        handle.prepare(PLENTY, 16).unwrap();
        fake.check("memory.peak", "0");
        fake.set("memory.peak", "14096\n");
        assert_eq!(handle.memory_peak(), Some(Bytes(10_000)));
        assert!(!handle.memory_peak_is_sampled());
    }

    #[test]
    fn much_that_is_left_over_is_reclaimed() {
        let fake = Fake::new();
        fake.set("memory.reclaim", "untouched");
        let mut handle = fake.open();
        fake.set("memory.current", "4194304\n");
        handle.prepare(PLENTY, 16).unwrap();
        fake.check("memory.reclaim", "untouched");
        fake.set("memory.current", "50000000\n");
        handle.prepare(PLENTY, 16).unwrap();
        fake.check("memory.reclaim", "50000000");
    }

    #[test]
    fn what_is_not_there_is_said() {
        let fake = Fake::new();
        for name in ["memory.max", "pids.max", "cpu.stat"] {
            fs::remove_file(fake.0.path().join(name)).unwrap();
        }
        let mut handle = fake.open();
        handle.prepare(Bytes(1), 1).unwrap();
        assert!(!handle.limits_memory() && !handle.limits_processes() && !handle.counts_cpu());
        assert_eq!((handle.cpu(), handle.memory_peak(), handle.memory_now(), handle.tasks()), (None, None, None, None));
        assert!(!handle.oom_killed());
        let nothing = Handle::open(&GroupsPaths::default()).map(|_| ()).unwrap_err();
        assert_eq!(nothing.kind(), io::ErrorKind::Unsupported);
    }
}
