//! Collects the measured times of those tests that a submission's label puts on one side of the time limit.

use crate::event::Standing;
use crate::problem::SubmissionId;
use crate::score::time_limit::{Bounding, LabelledSubmission, Side, TestTime};
use crate::verdict::Verdict;

/// The tests of one submission that its label puts on one side of the time limit.
#[derive(Debug)]
pub struct LabelledTests {
    /// None if the label does not constrain this side.
    bounding: Option<Bounding>,
    slowest: Option<TestTime>,
    /// The verdict with which a test was stopped before it had a time.
    stopped: Option<Verdict>,
    /// Whether one of the tests got TLE.
    is_over: bool,
}

impl LabelledTests {
    /// Creates an empty collection; `patterns` are those of `SubmissionHead`.
    pub(super) fn new(patterns: &[Option<String>]) -> Self {
        Self { bounding: Bounding::new(patterns.to_vec()), slowest: None, stopped: None, is_over: false }
    }

    /// Adds a test that was run.
    pub(super) fn add(&mut self, verdict: Option<Verdict>, timed: TestTime) {
        let covers = self.bounding.as_ref().is_some_and(|bounding| bounding.covers(&timed.test));
        let is_over = verdict == Some(Verdict::TimeLimit);
        if !covers {
            return;
        }
        // A test that was killed without a TLE has no time of its own.
        if timed.killed && !is_over {
            self.stopped = self.stopped.or(verdict);
            return;
        }
        self.is_over |= is_over;
        if self.slowest.as_ref().is_none_or(|slowest| slowest.ratio() < timed.ratio()) {
            self.slowest = Some(timed);
        }
    }

    /// Returns the submission in the form that the margins of the time limit need; none if its label says nothing about
    /// this side. `standing` is that of the submission. `complete`: whether no test was skipped.
    pub(super) fn labelled(
        &self,
        submission: &SubmissionId,
        side: Side,
        standing: Option<&Standing>,
        complete: bool,
    ) -> Option<LabelledSubmission> {
        self.bounding.as_ref()?;
        // If graders forgive failures, tests of a submission with the expected result may be over the limit.
        if side == Side::Within && standing == Some(&Standing::Met) && self.is_over {
            return None;
        }
        let judged = matches!(standing, Some(Standing::Met | Standing::Missed { .. }));
        let slowest = self.slowest.clone().filter(|_| judged);
        Some(LabelledSubmission {
            submission: submission.to_string(),
            side,
            slowest,
            stopped: self.stopped.filter(|_| judged),
            complete,
        })
    }
}
