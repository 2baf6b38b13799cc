//! Resource limits and resource usage of a program. Plain data, no I/O.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// A size in bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Bytes(pub u64);

impl Bytes {
    /// `n` KiB.
    pub const fn kib(n: u64) -> Self {
        Self(n * 1024)
    }

    /// `n` MiB, the unit of the package formats.
    pub const fn mib(n: u64) -> Self {
        Self(n * 1024 * 1024)
    }
}

impl fmt::Display for Bytes {
    /// Writes whole units, rounded up, so that "peak 257 MiB > 256 MiB" never reads as "256 > 256".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (unit, name) = match self.0 {
            0..1024 => return write!(f, "{} B", self.0),
            1024..1_048_576 => (1024, "KiB"),
            _ => (1_048_576, "MiB"),
        };
        write!(f, "{} {name}", self.0.div_ceil(unit))
    }
}

/// The action of the sandbox when a program prints more than its limit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Overflow {
    /// The limit applies to the sum of standard output and standard error. A program that exceeds it is killed.
    #[default]
    Kill,
    /// The limit applies to each stream. Excess output is discarded, and the program continues.
    Cut,
    /// The limit applies only to files. The other side of a conversation reads the output, and bounds it so.
    Pass,
}

/// The limits at which one execution is killed. The verdict depends on `JudgeLimits`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// User + system time of the whole process tree.
    pub cpu: Duration,
    /// Elapsed time. A safeguard against programs that sleep, never the primary limit.
    pub wall: Duration,
    /// Peak memory of the whole process tree.
    pub memory: Bytes,
    /// Bytes on standard output plus standard error, or on each, or on none (`overflow`). Also the size of any file that the
    /// program writes.
    pub output: Bytes,
    /// The action when the program exceeds `output`.
    #[serde(default)]
    pub overflow: Overflow,
    /// The maximum number of processes and threads alive at once.
    pub processes: u32,
}

/// The limits that decide the verdict of a submission. All but that of cpu time are also those at which it is killed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct JudgeLimits {
    /// Cpu time: more is TLE.
    pub time: Duration,
    /// The limits at which the program is killed: more memory is MLE, more output OLE. `cpu` is above `time`, so that
    /// margins can be reported.
    pub kill: Limits,
}

/// How many times longer a program may run under sanitizers.
const SANITIZED_TIME: u32 = 10;
/// How many times the memory it may use there.
const SANITIZED_MEMORY: u64 = 3;
/// The memory that sanitizers use whatever the program does: mainly freed memory that is kept to notice its use.
const SANITIZER_OWN: Bytes = Bytes::mib(512);

impl Limits {
    /// The limits of a program that is built with sanitizers. They end a run that gets nowhere and say nothing about the
    /// program.
    #[must_use]
    pub fn for_sanitizers(self) -> Self {
        let memory = self.memory.0.saturating_mul(SANITIZED_MEMORY);
        Self {
            cpu: self.cpu.saturating_mul(SANITIZED_TIME),
            wall: self.wall.saturating_mul(SANITIZED_TIME),
            memory: Bytes(memory.saturating_add(SANITIZER_OWN.0)),
            ..self
        }
    }
}

impl JudgeLimits {
    /// As [`Limits::for_sanitizers`]. Sanitizers leave no margins to measure.
    #[must_use]
    pub fn for_sanitizers(self) -> Self {
        let time = self.time.saturating_mul(SANITIZED_TIME);
        Self { time, kill: Limits { cpu: time, ..self.kill.for_sanitizers() } }
    }

    /// The same limits with other times, for authors with extra time.
    #[must_use]
    pub fn with_time_factor(self, factor: f64) -> Self {
        let Limits { cpu, wall, .. } = self.kill;
        let kill = Limits { cpu: cpu.mul_f64(factor), wall: wall.mul_f64(factor), ..self.kill };
        Self { time: self.time.mul_f64(factor), kill }
    }
}

impl From<Limits> for JudgeLimits {
    /// Uses the kill points as the judging limits: validators and other helpers have no margin.
    fn from(kill: Limits) -> Self {
        Self { time: kill.cpu, kill }
    }
}

/// The resources that one execution used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// User + system time of the process tree.
    pub cpu: Duration,
    /// Elapsed time by the monotonic clock.
    pub wall: Duration,
    /// Peak memory. `MemoryScope` of the outcome states what it covers.
    pub memory: Bytes,
}

/// Formats seconds with three decimals and the unit, as in every text: `0.214 s`.
pub fn seconds(time: Duration) -> String {
    format!("{:.3} s", time.as_secs_f64())
}

/// Formats a limit as a person would write it: `1 s`, `2.5 s`.
pub fn seconds_short(time: Duration) -> String {
    format!("{} s", (time.as_secs_f64() * 1000.0).round() / 1000.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_round_up() {
        assert_eq!(Bytes(1023).to_string(), "1023 B");
        assert_eq!(Bytes::mib(256).to_string(), "256 MiB");
        assert_eq!(Bytes(Bytes::mib(256).0 + 1).to_string(), "257 MiB");
        assert_eq!(Bytes(1500).to_string(), "2 KiB");
    }

    #[test]
    fn limits_read_naturally() {
        assert_eq!(seconds_short(Duration::from_secs(1)), "1 s");
        assert_eq!(seconds_short(Duration::from_millis(2500)), "2.5 s");
    }
}
