//! Excuses a submission from the time in which its interactor works. A program that waits for an answer while the other
//! program works does not sleep.
//!
//! The interactor's keeper adds up how long its program was at work, or was ready to run but had no core. The grader
//! adds how long its relay thread was without a core. The submission's keeper subtracts the sum from the elapsed time.
//! The sum is an event descriptor (`eventfd(2)`) in nanoseconds. It goes in one direction only: the interactor's own
//! guard counts all elapsed time, so every conversation ends.

use std::io;
use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

use rustix::event::{EventfdFlags, eventfd};

use super::{Side, tree};

/// How often the relay measures its own waits. A conversation may consist of many short messages.
const TICK: Duration = Duration::from_millis(10);

/// Creates the sum: one keeper adds to it, and the other reads it.
pub(super) fn counter() -> io::Result<OwnedFd> {
    Ok(eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?)
}

fn add(counter: &OwnedFd, time: Duration) {
    let nanos = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX - 1);
    if nanos > 0 {
        // A sum that overflows the counter exceeds any time limit.
        let _ = rustix::io::write(counter, &nanos.to_ne_bytes());
    }
}

/// The grader's end of the sum, used by the thread that relays messages.
#[derive(Debug)]
pub(super) struct Relay {
    counter: OwnedFd,
    waited: Duration,
    looked: Instant,
}

impl Relay {
    /// Call this on the relay thread.
    pub(super) fn new(counter: OwnedFd) -> Self {
        // A kernel that does not count delays reports none, so nothing is subtracted.
        Self { counter, waited: tree::own_delay().unwrap_or_default(), looked: Instant::now() }
    }

    /// Adds the time that this thread has waited for a core.
    pub(super) fn tell(&mut self) {
        if self.looked.elapsed() < TICK {
            return;
        }
        self.looked = Instant::now();
        if let Some(waited) = tree::own_delay() {
            add(&self.counter, waited.saturating_sub(self.waited));
            self.waited = waited;
        }
    }
}

/// A keeper's end of the sum.
#[derive(Debug)]
pub(super) struct Partner {
    side: Side,
    counter: OwnedFd,
    /// The sum so far.
    excused: Duration,
    /// Whether the sum no longer grows.
    is_final: bool,
}

impl Partner {
    /// Creates the end for the keeper that runs `side`.
    pub(super) fn new(side: Side, counter: OwnedFd) -> Self {
        Self { side, counter, excused: Duration::ZERO, is_final: false }
    }

    /// Whether this keeper adds to the sum.
    pub(super) fn is_told(&self) -> bool {
        self.side == Side::Interactor
    }

    /// Reports the cpu time that the interactor has used by now and the time that it has waited for a core. The report
    /// is never more than the elapsed time, on however many cores. An assumed wait is never taken back, even if it
    /// turns out that there was none.
    pub(super) fn tell(&mut self, elapsed: Duration, at_work: Duration) {
        let more = at_work.min(elapsed).saturating_sub(self.excused);
        add(&self.counter, more);
        self.excused += more;
    }

    /// The sum that has been reported so far.
    pub(super) fn excused(&mut self) -> Duration {
        let mut nanos = [0; 8];
        if !self.is_final && rustix::io::read(&self.counter, &mut nanos) == Ok(nanos.len()) {
            self.excused = self.excused.saturating_add(Duration::from_nanos(u64::from_ne_bytes(nanos)));
        }
        self.excused
    }

    /// From now on all time counts: the program prints more than any answer needs, and the interactor must read it.
    pub(super) fn stop_excusing(&mut self) {
        self.excused();
        self.is_final = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    #[test]
    fn what_one_tells_the_other_hears_once() {
        let counter = counter().unwrap();
        let mut interactor = Partner::new(Side::Interactor, counter.try_clone().unwrap());
        let mut submission = Partner::new(Side::Submission, counter.try_clone().unwrap());
        assert_eq!(submission.excused(), ms(0));
        interactor.tell(ms(10), ms(7));
        interactor.tell(ms(20), ms(7));
        interactor.tell(ms(30), ms(16));
        assert_eq!(submission.excused(), ms(16));
        assert_eq!(submission.excused(), ms(16));
        // Four threads do not count as four times the elapsed time.
        interactor.tell(ms(40), ms(96));
        assert_eq!(submission.excused(), ms(40));
        // An assumed wait that did not happen: nothing is subtracted, and nothing counts twice.
        interactor.tell(ms(50), ms(30));
        interactor.tell(ms(60), ms(41));
        assert_eq!(submission.excused(), ms(41));
        // The waits of the relay are added.
        add(&counter, ms(5));
        assert_eq!(submission.excused(), ms(46));
        submission.stop_excusing();
        add(&counter, ms(5));
        assert_eq!(submission.excused(), ms(46));
    }
}
