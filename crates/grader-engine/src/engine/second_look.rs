//! Second looks: a test that is over time, and must be accepted or decides about expected points, is run again alone
//! before its result counts.
//!
//! Such tests are held back until all other tests of their submission are finished. Then the first in plan order runs
//! again alone. If it is over time again, the other results stand. If not, each of the others runs again too. Where a
//! failure ends the submission, the second look comes before the tests behind it.

use std::collections::BTreeSet;

use crate::event::TestIndex;
use crate::problem::TestId;
use crate::score::time_limit::Bounding;
use crate::verdict::Verdict;

/// How much a result over the time limit can be trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Doubt {
    /// The result is not over time.
    None,
    /// The test ran beside other programs.
    Open,
    /// The test was over time even when nothing else ran.
    Cleared,
}

/// The conclusion from the second looks at a submission so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Conclusion {
    /// No second look yet.
    #[default]
    Nothing,
    /// The submission is too slow by itself.
    Slow,
    /// One test was within the limit, so each of the others needs its own look.
    Flaky,
}

/// The second looks of one submission.
#[derive(Debug)]
pub(super) struct Looks {
    /// The tests on which a time over the limit may be wrong.
    doubtful: Option<Bounding>,
    /// The tests that were over time and need a second look.
    held: BTreeSet<TestIndex>,
    shown: Conclusion,
}

impl Looks {
    /// Creates the state without held tests. `doubtful`: the tests on which a time over the limit may be wrong.
    pub(super) fn new(doubtful: Option<Bounding>) -> Self {
        Self { doubtful, held: BTreeSet::new(), shown: Conclusion::default() }
    }

    /// Whether a result over time needs a second look: the test is one of those, and the submission is not known to be
    /// too slow.
    pub(super) fn doubts(&self, test: &TestId) -> bool {
        self.are_wanted() && self.doubtful.as_ref().is_some_and(|tests| tests.covers(test.as_str()))
    }

    /// Whether a second look can still change the conclusion.
    pub(super) fn are_wanted(&self) -> bool {
        self.shown != Conclusion::Slow
    }

    /// Whether no test waits for a second look.
    pub(super) fn are_over(&self) -> bool {
        self.held.is_empty()
    }

    /// The first test in plan order that waits.
    pub(super) fn first(&self) -> Option<TestIndex> {
        self.held.first().copied()
    }

    /// Holds back a test.
    pub(super) fn hold(&mut self, ordinal: TestIndex) {
        self.held.insert(ordinal);
    }

    /// Removes a test that gets its second look now.
    pub(super) fn take(&mut self, ordinal: TestIndex) {
        self.held.remove(&ordinal);
    }

    /// Returns the first needed test that waits. Drops tests that are no longer needed.
    pub(super) fn next(&mut self, is_needed: impl Fn(TestIndex) -> bool) -> Option<TestIndex> {
        self.held.retain(|test| is_needed(*test));
        self.held.first().copied()
    }

    /// Records that the submission is over time even when nothing else runs.
    pub(super) fn confirm(&mut self) {
        if self.shown == Conclusion::Nothing {
            self.shown = Conclusion::Slow;
        }
    }

    /// Records the verdict of a second look; none if it gave no verdict.
    pub(super) fn finish(&mut self, verdict: Option<Verdict>) {
        match verdict {
            Some(Verdict::TimeLimit) => self.confirm(),
            Some(_) => self.shown = Conclusion::Flaky,
            None => {}
        }
    }

    /// Takes the held tests that no longer need a look, in order.
    pub(super) fn release(&mut self) -> BTreeSet<TestIndex> {
        if self.shown == Conclusion::Slow { std::mem::take(&mut self.held) } else { BTreeSet::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::Expectation;

    fn held(tests: &[usize]) -> Looks {
        let mut looks = Looks::new(Bounding::doubtful(&Expectation::accepted("accepted/")));
        for test in tests {
            looks.hold(TestIndex(*test));
        }
        looks
    }

    #[test]
    fn one_that_is_over_time_again_settles_the_rest() {
        let mut looks = held(&[4, 2, 7]);
        assert!(looks.doubts(&"1".into()) && looks.release().is_empty());
        assert_eq!(looks.first(), Some(TestIndex(2)));
        assert_eq!(looks.next(|_| true), Some(TestIndex(2)));
        looks.take(TestIndex(2));
        looks.finish(Some(Verdict::TimeLimit));
        assert!(!looks.doubts(&"1".into()));
        assert_eq!((looks.release(), looks.are_over()), (BTreeSet::from([TestIndex(4), TestIndex(7)]), true));
    }

    #[test]
    fn after_one_within_the_limit_each_gets_a_look_that_is_needed() {
        let mut looks = held(&[2, 4, 7]);
        looks.take(TestIndex(2));
        looks.finish(Some(Verdict::Accepted));
        looks.confirm();
        assert!(looks.are_wanted() && looks.release().is_empty(), "one of them was flaky");
        assert_eq!(looks.next(|test| test > TestIndex(4)), Some(TestIndex(7)));
        looks.take(TestIndex(7));
        assert!(looks.are_over());
    }
}
