//! The memory controller of one group, version 1 or 2.

use std::cell::Cell;
use std::io;
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::fs::OFlags;

use super::GroupsPaths;
use super::file::{ControlFile, is_busy};
use grader_model::limits::Bytes;

/// The charge from earlier runs, in bytes, that is not worth 1–100 ms of reclaiming. Normally half a MiB of kernel
/// memory remains, and file pages that an earlier run was the first to read.
const LEFT_OVER: u64 = 4 << 20;
/// How long to wait for memory that the kernel frees asynchronously, such as the objects of an IPC namespace. A run
/// that began earlier would have less than its limit, and die for memory of another run.
const SETTLING: Duration = Duration::from_secs(1);
/// If the charge has not fallen for this long, nothing more will be freed.
const STILL: Duration = Duration::from_millis(100);

/// The file names of version 1 (`cgroup-v1/memory.rst`) or 2 (`cgroup-v2.rst`).
struct Names {
    limit: &'static str,
    /// The limit of memory and swap together. Version 2 has a separate limit for swap.
    with_swap: Option<&'static str>,
    usage: &'static str,
    peak: &'static str,
    /// Contains the counter `oom_kill`. It also counts kills for the memory of a parent group and of the whole machine.
    kills: &'static str,
    reclaim: &'static str,
}

const V1: Names = Names {
    limit: "memory.limit_in_bytes",
    with_swap: Some("memory.memsw.limit_in_bytes"),
    usage: "memory.usage_in_bytes",
    peak: "memory.max_usage_in_bytes",
    kills: "memory.oom_control",
    reclaim: "memory.force_empty",
};

const V2: Names = Names {
    limit: "memory.max",
    with_swap: None,
    usage: "memory.current",
    peak: "memory.peak",
    kills: "memory.events",
    reclaim: "memory.reclaim",
};

/// The memory limit and figures of a group. All sizes are in bytes.
pub(super) struct Memory {
    limit: ControlFile,
    with_swap: Option<ControlFile>,
    usage: ControlFile,
    peak: Peak,
    kills: OomKills,
    reclaim: Option<ControlFile>,
    /// The limit in force, if known.
    last: Option<u64>,
    /// The limit of the run, even if lifted.
    limit_of_run: u64,
    /// The charge at the start of the run.
    base: u64,
}

impl Memory {
    /// Opens the files of a version 1 group.
    pub(super) fn open_v1(group: &Path) -> io::Result<Self> {
        Self::open(group, &V1)
    }

    /// Opens the files of a version 2 group. None if version 2 does not have the controller.
    pub(super) fn open_v2(group: &Path) -> io::Result<Option<Self>> {
        if group.join(V2.limit).exists() { Self::open(group, &V2).map(Some) } else { Ok(None) }
    }

    fn open(group: &Path, names: &Names) -> io::Result<Self> {
        let optional = |name| ControlFile::open_if_there(group, name, OFlags::RDWR);
        Ok(Self {
            limit: ControlFile::open(group, names.limit, OFlags::RDWR)?,
            // Missing if the kernel has no swap or does not account for it.
            with_swap: names.with_swap.map(optional).transpose()?.flatten(),
            usage: ControlFile::open(group, names.usage, OFlags::RDONLY)?,
            peak: Peak::open(group, names.peak)?,
            kills: OomKills::open(group, names)?,
            // Version 2 has this file since Linux 5.19.
            reclaim: ControlFile::open_if_there(group, names.reclaim, OFlags::WRONLY)?,
            last: None,
            limit_of_run: u64::MAX,
            base: 0,
        })
    }

    /// Sets the limit and starts to measure. The group must not contain processes.
    pub(super) fn prepare(&mut self, limit: u64) -> io::Result<()> {
        self.settle()?;
        self.set_limit(limit)?;
        self.limit_of_run = limit;
        self.peak.reset()?;
        self.base = self.usage.number()?;
        self.kills.begin()
    }

    /// Removes the limit.
    pub(super) fn lift(&mut self) {
        // An error does not matter: the group is removed next, or `prepare` sets the next limit and reports errors.
        let _ = self.set_limit(i64::MAX.cast_unsigned() / 2);
    }

    /// Waits until the charge is normal or no longer falls.
    fn settle(&self) -> io::Result<()> {
        let begun = Instant::now();
        let mut least = (u64::MAX, begun);
        loop {
            let charged = self.usage.number()?;
            if charged < least.0 {
                least = (charged, Instant::now());
            }
            if charged <= LEFT_OVER || begun.elapsed() > SETTLING || least.1.elapsed() > STILL {
                return Ok(());
            }
            self.reclaim(charged);
            sleep(Duration::from_millis(1));
        }
    }

    /// Reclaims memory, mostly cached pages of files. Memory that cannot be reclaimed stays charged without an error.
    fn reclaim(&self, charged: u64) {
        if let Some(reclaim) = &self.reclaim {
            // Version 2 requires an amount; version 1 treats any value as "all".
            let _ = reclaim.write(charged);
        }
    }

    fn set_limit(&mut self, limit: u64) -> io::Result<()> {
        if self.last == Some(limit) {
            return Ok(());
        }
        // If the write fails half-way, the limit is unknown.
        self.last = None;
        match self.write_limit(limit) {
            // Version 1: the limit is below the current charge.
            Err(error) if is_busy(&error) => {
                self.reclaim(self.usage.number()?);
                self.write_limit(limit)?;
            }
            other => other?,
        }
        self.last = Some(limit);
        Ok(())
    }

    /// The limit of memory alone must never exceed the limit of memory and swap together.
    fn write_limit(&self, limit: u64) -> io::Result<()> {
        let Some(with_swap) = &self.with_swap else { return self.limit.write(limit) };
        if limit > with_swap.number()? {
            with_swap.write(limit)?;
            self.limit.write(limit)
        } else {
            self.limit.write(limit)?;
            with_swap.write(limit)
        }
    }

    /// The highest charge since the run began, minus the charge at its start.
    pub(super) fn peak(&self) -> io::Result<Bytes> {
        Ok(Bytes(self.highest()?.saturating_sub(self.base)))
    }

    /// The peak of a run whose largest process had `resident` bytes. The run may use memory that was charged before its
    /// start: the kernel charges in advance, in portions.
    pub(super) fn peak_with(&self, resident: Bytes) -> io::Result<Bytes> {
        let highest = self.highest()?;
        Ok(Bytes(highest.saturating_sub(self.base).max(resident.0.min(highest))))
    }

    fn highest(&self) -> io::Result<u64> {
        match self.peak.exact()? {
            Some(peak) => Ok(peak),
            None => Ok(self.peak.sample(self.usage.number()?)),
        }
    }

    /// Whether the peak may have occurred unseen between two samples.
    pub(super) fn peak_is_sampled(&self) -> bool {
        self.peak.is_sampled()
    }

    /// The current charge, minus the charge at the start of the run.
    #[cfg(test)]
    pub(super) fn now(&self) -> io::Result<Bytes> {
        let now = self.usage.number()?;
        self.peak.sample(now);
        Ok(Bytes(now.saturating_sub(self.base)))
    }

    /// Pretends that the kernel's peak was 0 when the run began.
    #[cfg(test)]
    pub(super) fn lower_mark(&mut self) {
        self.peak.before = 0;
    }

    /// Whether the kernel killed a process of the group because of its limit since the run began.
    pub(super) fn oom_killed(&self) -> io::Result<bool> {
        self.kills.are_more(self.limit_of_run)
    }
}

/// A peak may be this far below the limit and still count as reaching it: the kernel charges in portions of up to a
/// huge page.
const AT_LIMIT: u64 = 4 << 20;

/// Counts the kernel's OOM kills in a group. The kernel's counter includes kills for the memory of a parent group and
/// of the whole machine. Those say nothing about a program, so `are_more` excludes them.
struct OomKills {
    file: ControlFile,
    /// The kernel's peak. Used if the kernel does not count kills for the group's own limit. That is version 1, whose
    /// `failcnt` stays at 0 since Linux 6.x.
    peak: Option<ControlFile>,
    before: OomCount,
}

/// The counters at one moment.
#[derive(Debug, Clone, Copy, Default)]
struct OomCount {
    kills: u64,
    /// How often the group's own limit made the kernel kill. None if the kernel does not count that.
    own: Option<u64>,
}

impl OomKills {
    fn open(group: &Path, names: &Names) -> io::Result<Self> {
        let file = ControlFile::open(group, names.kills, OFlags::RDONLY)?;
        let peak = ControlFile::open_if_there(group, names.peak, OFlags::RDONLY)?;
        Ok(Self { file, peak, before: OomCount::default() })
    }

    fn begin(&mut self) -> io::Result<()> {
        self.before = self.now()?;
        Ok(())
    }

    fn now(&self) -> io::Result<OomCount> {
        // Version 1 does not count `oom`; `are_more` then uses the peak.
        Ok(OomCount { kills: self.file.entry("oom_kill")?, own: self.file.entry("oom").ok() })
    }

    /// Whether the kernel killed a process because of the group's limit (in bytes) since `begin`.
    fn are_more(&self, limit: u64) -> io::Result<bool> {
        let now = self.now()?;
        if now.kills <= self.before.kills {
            return Ok(false);
        }
        Ok(match (now.own, &self.peak) {
            (Some(own), _) => Some(own) > self.before.own,
            (None, Some(peak)) => peak.number()? >= limit.saturating_sub(AT_LIMIT.min(limit / 8)),
            // Only the kill itself is known.
            (None, None) => true,
        })
    }
}

/// The OOM kills of a group, for the grader that created the group.
pub(crate) struct Kills(OomKills);

impl Kills {
    /// Opens the counters. None if the group's memory is not limited.
    pub(crate) fn of(paths: &GroupsPaths) -> Option<Self> {
        let (group, names) = match (&paths.memory, &paths.unified) {
            (Some(v1), _) => (v1, &V1),
            (None, Some(v2)) => (v2, &V2),
            (None, None) => return None,
        };
        // Without it, a lost keeper is reported as lost, never as a memory limit.
        let mut kills = OomKills::open(group, names).ok()?;
        kills.begin().ok()?;
        Some(Self(kills))
    }

    /// Whether the kernel has killed because of the group's limit since the last `forget`.
    pub(crate) fn are_more(&self, limit: Bytes) -> bool {
        self.0.are_more(limit.0).unwrap_or(false)
    }

    /// Ignores all kills so far.
    pub(crate) fn forget(&mut self) {
        // If this fails and the keeper is lost, these kills count again.
        let _ = self.0.begin();
    }
}

/// The kernel's peak of charged memory. Version 2 has it since Linux 5.19. Since 6.12, each descriptor can reset it.
struct Peak {
    file: Option<ControlFile>,
    resets: bool,
    /// The peak when the run began, if it cannot be reset.
    before: u64,
    /// The highest charge in samples since the run began.
    sampled: Cell<u64>,
}

impl Peak {
    fn open(group: &Path, name: &str) -> io::Result<Self> {
        let (file, resets) = match ControlFile::open_if_there(group, name, OFlags::RDWR) {
            Ok(Some(file)) => {
                let resets = file.write(0).is_ok();
                (Some(file), resets)
            }
            Ok(None) => (None, false),
            // A file that is not writable is opened for reading only.
            Err(_) => (ControlFile::open_if_there(group, name, OFlags::RDONLY)?, false),
        };
        Ok(Self { file, resets, before: 0, sampled: Cell::new(0) })
    }

    fn reset(&mut self) -> io::Result<()> {
        self.sampled.set(0);
        match &self.file {
            Some(file) if self.resets => file.write(0)?,
            Some(file) => self.before = file.number()?,
            None => {}
        }
        Ok(())
    }

    fn sample(&self, charged: u64) -> u64 {
        self.sampled.set(self.sampled.get().max(charged));
        self.sampled.get()
    }

    /// Returns the exact peak of this run, if known. A peak that rose belongs to this run, even if it cannot be reset.
    fn exact(&self) -> io::Result<Option<u64>> {
        let Some(file) = &self.file else { return Ok(None) };
        let mark = file.number()?;
        Ok((self.resets || mark > self.before).then_some(mark))
    }

    fn is_sampled(&self) -> bool {
        !matches!(self.exact(), Ok(Some(_)))
    }
}
