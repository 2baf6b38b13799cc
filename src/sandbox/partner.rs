//! The two sides of a conversation, as their keepers see each other. A program that waits for an answer while the other
//! program is at work does not sleep.
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

/// How often the relay looks at what it has waited: a conversation may be of many short messages.
const TICK: Duration = Duration::from_millis(10);

/// The sum that is added to by one keeper and taken from by the other.
pub(super) fn counter() -> io::Result<OwnedFd> {
    Ok(eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?)
}

fn add(counter: &OwnedFd, time: Duration) {
    let nanos = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX - 1);
    if nanos > 0 {
        // What does not fit is beyond all time.
        let _ = rustix::io::write(counter, &nanos.to_ne_bytes());
    }
}

/// The grader's end of it, for the thread that carries what is said.
#[derive(Debug)]
pub(super) struct Relay {
    counter: OwnedFd,
    waited: Duration,
    looked: Instant,
}

impl Relay {
    /// On the thread of the relay.
    pub(super) fn new(counter: OwnedFd) -> Self {
        // A kernel that does not count delays has none to take off.
        Self { counter, waited: tree::own_delay().unwrap_or_default(), looked: Instant::now() }
    }

    /// Tells what this thread has waited for a core.
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

/// One keeper's end of it.
#[derive(Debug)]
pub(super) struct Partner {
    side: Side,
    counter: OwnedFd,
    /// The sum so far.
    excused: Duration,
}

impl Partner {
    /// The end of the keeper that runs `side`.
    pub(super) fn new(side: Side, counter: OwnedFd) -> Self {
        Self { side, counter, excused: Duration::ZERO }
    }

    /// Whether it is for this keeper to tell.
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

    /// What was told by now.
    pub(super) fn excused(&mut self) -> Duration {
        let mut nanos = [0; 8];
        if rustix::io::read(&self.counter, &mut nanos) == Ok(nanos.len()) {
            self.excused = self.excused.saturating_add(Duration::from_nanos(u64::from_ne_bytes(nanos)));
        }
        self.excused
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
        // Four threads are not four times as long at work.
        interactor.tell(ms(40), ms(96));
        assert_eq!(submission.excused(), ms(40));
        // It may have waited, and had not: nothing is taken back, and nothing counts twice.
        interactor.tell(ms(50), ms(30));
        interactor.tell(ms(60), ms(41));
        assert_eq!(submission.excused(), ms(41));
        // What the relay has waited comes on top.
        add(&counter, ms(5));
        assert_eq!(submission.excused(), ms(46));
    }
}
