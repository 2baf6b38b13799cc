//! Second looks: a test that is over time and must be accepted is run again alone before its result counts.
//!
//! Such tests are held back until all others of their submission are over. Then the first in plan order runs again
//! alone. If it is over time again, that settles the rest. If not, each of the rest runs again too.

use std::collections::BTreeSet;

use crate::problem::TestId;
use crate::score::time_limit::Bounding;
use crate::verdict::Verdict;

/// How far to believe a result that is over time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Doubt {
    /// It is not over time.
    None,
    /// It was measured beside others.
    Open,
    /// It was over time while nothing else ran, too.
    Cleared,
}

/// What second looks have shown of a submission.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Shown {
    /// There was none yet.
    #[default]
    Nothing,
    /// It is over time by itself.
    Slow,
    /// One was within the limit: the others need a look each.
    Flaky,
}

/// The second looks of one submission.
#[derive(Debug)]
pub(super) struct Looks {
    /// The tests that must be accepted.
    accepted: Option<Bounding>,
    /// Tests that were over time, and need a second look.
    held: BTreeSet<usize>,
    shown: Shown,
}

impl Looks {
    /// None held yet; `accepted`: the tests that must be accepted.
    pub(super) fn new(accepted: Option<Bounding>) -> Self {
        Self { accepted, held: BTreeSet::new(), shown: Shown::default() }
    }

    /// Whether a test that is over time must be accepted, and nothing has shown yet that the submission is too slow.
    pub(super) fn doubts(&self, test: &TestId) -> bool {
        self.are_wanted() && self.accepted.as_ref().is_some_and(|tests| tests.covers(test.as_str()))
    }

    /// Whether a second look could still show something.
    pub(super) fn are_wanted(&self) -> bool {
        self.shown != Shown::Slow
    }

    /// Whether no test waits for one.
    pub(super) fn are_over(&self) -> bool {
        self.held.is_empty()
    }

    /// A test is held back.
    pub(super) fn hold(&mut self, ordinal: usize) {
        self.held.insert(ordinal);
    }

    /// A test gets its second look now.
    pub(super) fn take(&mut self, ordinal: usize) {
        self.held.remove(&ordinal);
    }

    /// The first test that waits, of those that are needed. The results of the others are not wanted any more.
    pub(super) fn next(&mut self, is_needed: impl Fn(usize) -> bool) -> Option<usize> {
        self.held.retain(|test| is_needed(*test));
        self.held.first().copied()
    }

    /// The submission is over time also while nothing else runs.
    pub(super) fn confirm(&mut self) {
        if self.shown == Shown::Nothing {
            self.shown = Shown::Slow;
        }
    }

    /// A test has had its second look, with this verdict, if any.
    pub(super) fn finish(&mut self, verdict: Option<Verdict>) {
        match verdict {
            Some(Verdict::TimeLimit) => self.confirm(),
            Some(_) => self.shown = Shown::Flaky,
            None => {}
        }
    }

    /// The tests that are held back and need no look any more, in order.
    pub(super) fn release(&mut self) -> BTreeSet<usize> {
        if self.shown == Shown::Slow { std::mem::take(&mut self.held) } else { BTreeSet::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::Expectation;

    fn held(tests: &[usize]) -> Looks {
        let mut looks = Looks::new(Bounding::accepted(&Expectation::accepted("accepted/")));
        for test in tests {
            looks.hold(*test);
        }
        looks
    }

    #[test]
    fn one_that_is_over_time_again_settles_the_rest() {
        let mut looks = held(&[4, 2, 7]);
        assert!(looks.doubts(&"1".into()) && looks.release().is_empty());
        assert_eq!(looks.next(|_| true), Some(2));
        looks.take(2);
        looks.finish(Some(Verdict::TimeLimit));
        assert!(!looks.doubts(&"1".into()));
        assert_eq!((looks.release(), looks.are_over()), (BTreeSet::from([4, 7]), true));
    }

    #[test]
    fn after_one_within_the_limit_each_gets_a_look_that_is_needed() {
        let mut looks = held(&[2, 4, 7]);
        looks.take(2);
        looks.finish(Some(Verdict::Accepted));
        looks.confirm();
        assert!(looks.are_wanted() && looks.release().is_empty(), "one of them was flaky");
        assert_eq!(looks.next(|test| test > 4), Some(7));
        looks.take(7);
        assert!(looks.are_over());
    }
}
