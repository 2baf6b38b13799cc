//! Why a verdict was given, with its figures. Reports turn it into words.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::signal::signal_name;
use grader_model::limits::{Bytes, seconds, seconds_short};

/// The text of [`Reason::NoAnswer`] in a record.
const NO_ANSWER: &str = "no answer was handed in";

/// Why a verdict was given. `Display` shows all figures; [`Reason::without_figures`] only those that do not vary
/// between runs.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// No reason: the output is accepted.
    #[default]
    Nothing,
    /// The submission consists of outputs and has none for this case.
    NoAnswer,
    /// A system call that the sandbox denies ended the program.
    DeniedCall,
    /// Too much output on both streams together.
    Output {
        /// The limit.
        limit: Bytes,
        /// Whether standard error had more of it.
        is_error_output: bool,
    },
    /// Too much output on standard output alone.
    StandardOutput {
        /// The limit.
        limit: Bytes,
    },
    /// The memory exceeded its limit.
    Memory {
        /// The highest measured use.
        peak: Bytes,
        /// The limit.
        limit: Bytes,
        /// Whether the figure is a sample of the largest process.
        sampled: bool,
    },
    /// The kernel killed the program at its memory limit.
    MemoryByKernel {
        /// The limit.
        limit: Bytes,
    },
    /// The program was killed because it used too much CPU time.
    Killed {
        /// The CPU time at which programs are killed.
        after: Duration,
        /// The time limit.
        limit: Duration,
    },
    /// The program ended by itself, over the time limit.
    Time {
        /// Its CPU time.
        cpu: Duration,
        /// The time limit.
        limit: Duration,
    },
    /// The program was killed because too much time had elapsed.
    Slept {
        /// Its CPU time.
        cpu: Duration,
        /// The limit on elapsed time.
        wall: Duration,
    },
    /// The program printed more to the interactor than any answer needs, and was killed because too much time had elapsed.
    Flood {
        /// Its CPU time.
        cpu: Duration,
        /// The limit on elapsed time.
        wall: Duration,
        /// The size of its output.
        printed: Bytes,
    },
    /// The program had more processes and threads than the limit.
    Processes {
        /// The limit.
        limit: u32,
    },
    /// The files that the program wrote were more, or larger, than the sandbox holds.
    Files {
        /// The most bytes.
        limit: Bytes,
        /// The most files.
        files: u64,
    },
    /// The program ended with an exit code other than 0.
    ExitCode(i32),
    /// A signal ended the program.
    Signal(i32),
    /// The report of a sanitizer ended the program.
    Sanitizer(String),
    /// The program with its sanitizers exceeded even the larger limits, which says nothing about it.
    SlowedBySanitizers,
    /// The words of a checker, a validator or a record.
    Words(String),
    /// Both sides of a conversation waited for each other.
    Standstill {
        /// The reason for the submission itself.
        reason: Box<Reason>,
        /// Why both sides were waiting.
        why: String,
    },
    /// The reason lies in one pass of a multi-pass problem.
    InPass {
        /// The number of the pass, from 1.
        number: u32,
        /// The reason in that pass.
        reason: Box<Reason>,
    },
}

impl Reason {
    /// Returns the reason in words that do not vary between runs: with limits instead of measured figures.
    pub fn without_figures(&self) -> String {
        match self {
            Self::Killed { limit, .. } | Self::Time { limit, .. } => {
                format!("over {} of cpu time", seconds_short(*limit))
            }
            Self::Slept { wall, .. } | Self::Flood { wall, .. } => {
                format!("over {} of wall time", seconds_short(*wall))
            }
            Self::Memory { limit, .. } | Self::MemoryByKernel { limit } => format!("over {limit} of memory"),
            Self::InPass { number, reason } => in_pass(*number, &reason.without_figures()),
            Self::Standstill { reason, why } => format!("{}; {why}", reason.without_figures()),
            other => other.to_string(),
        }
    }

    /// Whether it is the slowness of sanitizers, in any pass.
    pub fn is_slowed_by_sanitizers(&self) -> bool {
        match self {
            Self::SlowedBySanitizers => true,
            Self::InPass { reason, .. } => reason.is_slowed_by_sanitizers(),
            _ => false,
        }
    }

    /// Whether it is the report of a sanitizer, in any pass.
    pub fn is_of_sanitizer(&self) -> bool {
        match self {
            Self::Sanitizer(_) => true,
            Self::InPass { reason, .. } => reason.is_of_sanitizer(),
            _ => false,
        }
    }

    /// Returns the reason for its text in a record.
    pub fn from_record(words: String) -> Self {
        match &*words {
            "" => Self::Nothing,
            NO_ANSWER => Self::NoAnswer,
            _ => Self::Words(words),
        }
    }

    /// Adds that the conversation came to a standstill.
    #[must_use]
    pub fn at_standstill(self, why: String) -> Self {
        Self::Standstill { reason: Box::new(self), why }
    }

    /// Adds the number of the pass.
    #[must_use]
    pub fn in_pass(self, number: u32) -> Self {
        Self::InPass { number, reason: Box::new(self) }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing => Ok(()),
            Self::NoAnswer => to.write_str(NO_ANSWER),
            Self::DeniedCall => to.write_str("denied system call"),
            Self::Output { limit, is_error_output: false } => write!(to, "more than {limit} of output"),
            Self::Output { limit, is_error_output: true } => {
                write!(to, "more than {limit} of output, most of it on standard error")
            }
            Self::StandardOutput { limit } => write!(to, "more than {limit} on standard output"),
            Self::Memory { peak, limit, sampled } => {
                write!(to, "peak {peak} > {limit}{}", if *sampled { " (sampled)" } else { "" })
            }
            Self::MemoryByKernel { limit } => write!(to, "the kernel ended it: memory > {limit}"),
            Self::Killed { after, limit } => {
                write!(to, "> {} (limit {})", seconds_short(*after), seconds_short(*limit))
            }
            Self::Time { cpu, limit } => write!(to, "{} > {}", seconds(*cpu), seconds_short(*limit)),
            Self::Slept { cpu, wall } => {
                write!(to, "slept: {} of cpu in {} of wall time", seconds(*cpu), seconds_short(*wall))
            }
            Self::Flood { cpu, wall, printed } => {
                let cpu = seconds(*cpu);
                let wall = seconds_short(*wall);
                write!(
                    to,
                    "slept or waited for the interactor after {printed} of output: {cpu} of cpu in {wall} of wall time"
                )
            }
            Self::Processes { limit } => write!(to, "more than {limit} processes and threads"),
            Self::Files { limit, files } => write!(to, "more than {limit} or {files} files in its directories"),
            Self::ExitCode(code) => write!(to, "exit code {code}"),
            Self::Signal(signal) => to.write_str(&signal_name(*signal)),
            Self::Words(words) | Self::Sanitizer(words) => to.write_str(words),
            Self::SlowedBySanitizers => to.write_str("over the limits of a run under sanitizers"),
            Self::Standstill { reason, why } => write!(to, "{reason}; {why}"),
            Self::InPass { number, reason } => to.write_str(&in_pass(*number, &reason.to_string())),
        }
    }
}

fn in_pass(number: u32, reason: &str) -> String {
    format!("pass {number}: {reason}")
}

impl From<String> for Reason {
    fn from(words: String) -> Self {
        Self::Words(words)
    }
}

impl From<&str> for Reason {
    fn from(words: &str) -> Self {
        Self::Words(words.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_limits_stay_where_figures_vary() {
        let limit = Bytes::mib(256);
        let peak = Bytes::mib(300);
        let slow = Reason::Time { cpu: Duration::from_millis(2125), limit: Duration::from_secs(2) };
        assert_eq!(slow.to_string(), "2.125 s > 2 s");
        assert_eq!(slow.without_figures(), "over 2 s of cpu time");
        assert_eq!(slow.in_pass(2).without_figures(), "pass 2: over 2 s of cpu time");
        let large = Reason::Memory { peak, limit, sampled: true };
        assert_eq!(large.to_string(), "peak 300 MiB > 256 MiB (sampled)");
        assert_eq!(large.without_figures(), "over 256 MiB of memory");
        let words = Reason::from("line 2: expected 1, got 2");
        assert_eq!(words.without_figures(), words.to_string());
    }
}
