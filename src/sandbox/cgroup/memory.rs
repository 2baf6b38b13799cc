//! The memory controller of one group, version 1 or 2.

use std::cell::Cell;
use std::io;
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::fs::OFlags;

use super::GroupsPaths;
use super::file::{ControlFile, is_busy};
use crate::limits::Bytes;

/// What may stay charged from earlier runs before it is worth 1–100 ms to reclaim it; ordinary is half a MiB of the
/// kernel's own, and pages of files that were first read by an earlier run.
const LEFT_OVER: u64 = 4 << 20;
/// How long to wait for what the kernel frees in its own time, as the objects of an IPC namespace: a run that began before
/// would have less than its limit, and be killed for what another one used.
const SETTLING: Duration = Duration::from_secs(1);
/// Nothing is on its way any more when nothing has come back for so long.
const STILL: Duration = Duration::from_millis(100);

/// The names of version 1 (`cgroup-v1/memory.rst`) or 2 (`cgroup-v2.rst`).
struct Names {
    limit: &'static str,
    /// The limit of memory and swap together. Version 2 limits swap by itself.
    with_swap: Option<&'static str>,
    usage: &'static str,
    peak: &'static str,
    /// Holds the counter `oom_kill`. It counts the kills for the memory of a group above and of the whole machine as well.
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

/// Limit and figures. All sizes are in bytes.
pub(super) struct Memory {
    limit: ControlFile,
    with_swap: Option<ControlFile>,
    usage: ControlFile,
    peak: Peak,
    kills: OomKills,
    reclaim: Option<ControlFile>,
    /// The limit in force, where it is known.
    last: Option<u64>,
    /// The limit of the run, lifted or not.
    limit_of_run: u64,
    /// Charged when the run began.
    base: u64,
}

impl Memory {
    /// Of a group of version 1.
    pub(super) fn open_v1(group: &Path) -> io::Result<Self> {
        Self::open(group, &V1)
    }

    /// Of a group of version 2; none where version 2 does not have the controller.
    pub(super) fn open_v2(group: &Path) -> io::Result<Option<Self>> {
        if group.join(V2.limit).exists() { Self::open(group, &V2).map(Some) } else { Ok(None) }
    }

    fn open(group: &Path, names: &Names) -> io::Result<Self> {
        let optional = |name| ControlFile::open_if_there(group, name, OFlags::RDWR);
        Ok(Self {
            limit: ControlFile::open(group, names.limit, OFlags::RDWR)?,
            // Not there where swap is not accounted for, or where the kernel has none.
            with_swap: names.with_swap.map(optional).transpose()?.flatten(),
            usage: ControlFile::open(group, names.usage, OFlags::RDONLY)?,
            peak: Peak::open(group, names.peak)?,
            kills: OomKills::open(group, names)?,
            // Version 2 has it since Linux 5.19.
            reclaim: ControlFile::open_if_there(group, names.reclaim, OFlags::WRONLY)?,
            last: None,
            limit_of_run: u64::MAX,
            base: 0,
        })
    }

    /// Sets the limit and begins to measure. No process may be in the group.
    pub(super) fn prepare(&mut self, limit: u64) -> io::Result<()> {
        self.settle()?;
        self.set_limit(limit)?;
        self.limit_of_run = limit;
        self.peak.reset()?;
        self.base = self.usage.number()?;
        self.kills.begin()
    }

    /// Takes the limit away.
    pub(super) fn lift(&mut self) {
        // The group is removed, or gets its next limit, which reports.
        let _ = self.set_limit(i64::MAX.cast_unsigned() / 2);
    }

    /// Waits until no more is charged than is ordinary, or until that does not get less.
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

    /// Gives back what can be: mostly cached pages of files. What cannot stays, and is not an error.
    fn reclaim(&self, charged: u64) {
        if let Some(reclaim) = &self.reclaim {
            // Version 2 wants an amount, version 1 takes anything for "all".
            let _ = reclaim.write(charged);
        }
    }

    fn set_limit(&mut self, limit: u64) -> io::Result<()> {
        if self.last == Some(limit) {
            return Ok(());
        }
        // Should it fail half-way, nobody knows.
        self.last = None;
        match self.write_limit(limit) {
            // Version 1: less than what is charged.
            Err(error) if is_busy(&error) => {
                self.reclaim(self.usage.number()?);
                self.write_limit(limit)?;
            }
            other => other?,
        }
        self.last = Some(limit);
        Ok(())
    }

    /// Memory alone may never be allowed more than memory and swap together.
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

    /// The most that was charged since the run began, beyond what was charged then.
    pub(super) fn peak(&self) -> io::Result<Bytes> {
        Ok(Bytes(self.highest()?.saturating_sub(self.base)))
    }

    /// The peak of a run whose largest process had `resident` bytes. What was charged already when it began may be what
    /// it uses now: the kernel charges in advance, in portions.
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

    /// Whether a peak between two looks could have been missed.
    pub(super) fn peak_is_sampled(&self) -> bool {
        self.peak.is_sampled()
    }

    /// What is charged beyond what was when the run began.
    #[cfg(test)]
    pub(super) fn now(&self) -> io::Result<Bytes> {
        let now = self.usage.number()?;
        self.peak.sample(now);
        Ok(Bytes(now.saturating_sub(self.base)))
    }

    /// Pretends that the mark was 0 when the run began.
    #[cfg(test)]
    pub(super) fn lower_mark(&mut self) {
        self.peak.before = 0;
    }

    /// Whether the kernel killed a process of the group for its limit since the run began.
    pub(super) fn oom_killed(&self) -> io::Result<bool> {
        self.kills.are_more(self.limit_of_run)
    }
}

/// A peak so far below the limit is not at it: the kernel refuses in portions of up to a huge page.
const AT_LIMIT: u64 = 4 << 20;

/// How often the kernel has killed in a group. It counts the kills for the memory of a group above, and for that of the
/// whole machine, in the group of the process that it kills: these say nothing about a program, and are told apart.
struct OomKills {
    file: ControlFile,
    /// The high-water mark, where the kernel does not count how often the limit of the group itself led to a kill: version 1
    /// (whose `failcnt` stays at 0 since Linux 6.x).
    peak: Option<ControlFile>,
    before: OomCount,
}

/// What was counted at one moment.
#[derive(Debug, Clone, Copy, Default)]
struct OomCount {
    kills: u64,
    /// How often the limit of the group itself left the kernel no other way; none where it does not count that.
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
        // Version 1 does not count `oom`; then `are_more` goes by the peak.
        Ok(OomCount { kills: self.file.entry("oom_kill")?, own: self.file.entry("oom").ok() })
    }

    /// Whether somebody was killed for the limit of the group, in bytes, since `begin`.
    fn are_more(&self, limit: u64) -> io::Result<bool> {
        let now = self.now()?;
        if now.kills <= self.before.kills {
            return Ok(false);
        }
        Ok(match (now.own, &self.peak) {
            (Some(own), _) => Some(own) > self.before.own,
            (None, Some(peak)) => peak.number()? >= limit.saturating_sub(AT_LIMIT.min(limit / 8)),
            // Nothing is known but the kill.
            (None, None) => true,
        })
    }
}

/// The same, as seen by who made the group.
pub(in crate::sandbox) struct Kills(OomKills);

impl Kills {
    /// None where the group's memory is not limited.
    pub(in crate::sandbox) fn of(paths: &GroupsPaths) -> Option<Self> {
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

    /// Whether there were more for the limit of the group since they were last forgotten.
    pub(in crate::sandbox) fn are_more(&self, limit: Bytes) -> bool {
        self.0.are_more(limit.0).unwrap_or(false)
    }

    /// Those so far are known.
    pub(in crate::sandbox) fn forget(&mut self) {
        // Where that fails they are counted again, should the keeper be lost.
        let _ = self.0.begin();
    }
}

/// The kernel's high-water mark. Version 2 has it since Linux 5.19, and since 6.12 each descriptor can begin anew.
struct Peak {
    file: Option<ControlFile>,
    resets: bool,
    /// The mark when the run began, where it cannot be reset.
    before: u64,
    /// The most that was seen charged since.
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
            // One that may not be written to is only read.
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

    /// A mark that rose belongs to this run, also where it cannot be reset.
    fn exact(&self) -> io::Result<Option<u64>> {
        let Some(file) = &self.file else { return Ok(None) };
        let mark = file.number()?;
        Ok((self.resets || mark > self.before).then_some(mark))
    }

    fn is_sampled(&self) -> bool {
        !matches!(self.exact(), Ok(Some(_)))
    }
}
