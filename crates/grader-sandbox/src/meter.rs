//! Counts the output of a program and detects when it crosses its limit.

use super::{Kill, Outcome, WrittenBytes};
use grader_model::limits::{Bytes, Limits, Overflow};

/// Counts what one side of a run prints.
pub(super) struct Meter {
    limit: u64,
    overflow: Overflow,
    printed: WrittenBytes,
    crossed: bool,
}

/// A stream that a program prints to.
#[derive(Debug, Clone, Copy)]
pub(super) enum Printing {
    Stdout,
    Stderr,
}

impl Meter {
    pub(super) fn new(limits: &Limits) -> Self {
        Self { limit: limits.output.0, overflow: limits.overflow, printed: WrittenBytes::default(), crossed: false }
    }

    /// Returns the part of `bytes` to pass on, and true if `bytes` cross the limit for the first time.
    pub(super) fn take<'a>(&mut self, stream: Printing, bytes: &'a [u8]) -> (&'a [u8], bool) {
        let total = self.total();
        let own = match stream {
            Printing::Stdout => &mut self.printed.stdout,
            Printing::Stderr => &mut self.printed.stderr,
        };
        let before = match self.overflow {
            Overflow::Kill => total,
            Overflow::Cut | Overflow::Pass => *own,
        };
        *own += bytes.len() as u64;
        if self.overflow == Overflow::Pass {
            let crosses = self.printed.stdout > self.limit;
            return (bytes, crosses && !std::mem::replace(&mut self.crossed, true));
        }
        let left = usize::try_from(self.limit.saturating_sub(before)).unwrap_or(usize::MAX);
        let crosses = self.total() > self.limit;
        let first = crosses && !std::mem::replace(&mut self.crossed, crosses);
        (&bytes[..bytes.len().min(left)], first)
    }

    /// Adds the figures of this meter to the facts. If output crosses the limit in the pipe after the program has
    /// ended, it still counts as crossed.
    pub(super) fn settle(&self, outcome: &mut Outcome) {
        outcome.printed = self.printed;
        match self.overflow {
            _ if !self.crossed => outcome.crossed = None,
            Overflow::Kill => _ = outcome.killed.get_or_insert(Kill::Output),
            Overflow::Cut => _ = outcome.crossed.get_or_insert(outcome.usage),
            Overflow::Pass => {}
        }
    }

    /// Returns the limit beyond which standard output was discarded, although the program continued.
    pub(super) fn cut(&self) -> Option<Bytes> {
        let is_cut = self.overflow == Overflow::Cut && self.printed.stdout > self.limit;
        is_cut.then_some(Bytes(self.limit))
    }

    fn total(&self) -> u64 {
        self.printed.stdout + self.printed.stderr
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn meter(overflow: Overflow) -> Meter {
        let second = Duration::from_secs(1);
        let memory = Bytes::mib(1);
        let output = Bytes(10);
        Meter::new(&Limits { cpu: second, wall: second, memory, output, overflow, processes: 1 })
    }

    #[test]
    fn both_streams_share_the_limit_that_ends_a_program() {
        let mut meter = meter(Overflow::Kill);
        assert_eq!(meter.take(Printing::Stdout, b"1234567"), (&b"1234567"[..], false));
        assert_eq!(meter.take(Printing::Stderr, b"890"), (&b"890"[..], false));
        assert_eq!(meter.take(Printing::Stderr, b"1"), (&b""[..], true));
        assert_eq!(meter.take(Printing::Stdout, b"2"), (&b""[..], false), "it is told once");
        assert_eq!(meter.printed, WrittenBytes { stdout: 8, stderr: 4 });
    }

    #[test]
    fn a_conversation_without_a_limit_loses_no_byte() {
        let mut meter = meter(Overflow::Pass);
        assert_eq!(meter.take(Printing::Stdout, b"12345678901"), (&b"12345678901"[..], true));
        assert_eq!(meter.take(Printing::Stdout, b"2"), (&b"2"[..], false), "it is told once");
        assert_eq!((meter.printed, meter.cut()), (WrittenBytes { stdout: 12, stderr: 0 }, None));
    }

    #[test]
    fn each_stream_is_cut_at_the_limit_where_the_program_goes_on() {
        let mut meter = meter(Overflow::Cut);
        assert_eq!(meter.take(Printing::Stderr, b"123456789"), (&b"123456789"[..], false));
        assert_eq!(meter.take(Printing::Stdout, b"12345678"), (&b"12345678"[..], true));
        assert_eq!(meter.take(Printing::Stdout, b"90x"), (&b"90"[..], false));
        assert_eq!(meter.take(Printing::Stderr, b"0x"), (&b"0"[..], false));
        assert_eq!((meter.printed, meter.cut()), (WrittenBytes { stdout: 11, stderr: 11 }, Some(Bytes(10))));
    }
}
