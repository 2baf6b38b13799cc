//! Collects the measured times of those tests that a submission's label puts on one side of the time limit.

use std::time::Duration;

use crate::event::{Measured, Standing};
use crate::problem::{SubmissionId, TestId};
use crate::score::time_limit::{Bounding, Labelled, Side, Timed};
use crate::verdict::Verdict;

/// The tests of one submission that its label puts on one side of the time limit.
#[derive(Debug)]
pub struct LabelledTests {
    /// None if the label does not constrain this side.
    bounding: Option<Bounding>,
    /// A test is killed at this many times its limit.
    killed_at: f64,
    slowest: Option<Timed>,
    /// Whether one of the tests got TLE.
    is_over: bool,
}

impl LabelledTests {
    /// Creates an empty collection; `patterns` are those of `SubmissionHead`.
    pub(super) fn new(patterns: Vec<Option<String>>, killed_at: f64) -> Self {
        Self { bounding: Bounding::new(patterns), killed_at, slowest: None, is_over: false }
    }

    /// Adds a test that was run, with its limit.
    pub(super) fn add(&mut self, test: &TestId, verdict: Option<Verdict>, measured: &Measured, limit: Duration) {
        let covers = self.bounding.as_ref().is_some_and(|bounding| bounding.covers(test.as_str()));
        let is_over = verdict == Some(Verdict::TimeLimit);
        // A test that was killed without a TLE has no time of its own.
        if !covers || (measured.killed && !is_over) {
            return;
        }
        self.is_over |= is_over;
        // A test killed by its wall time counts as one killed at its CPU time limit.
        let least = if measured.killed { limit.mul_f64(self.killed_at) } else { Duration::ZERO };
        let time = measured.cpu.max(least);
        let timed = Timed { test: test.to_string(), time, limit, killed: measured.killed };
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
    ) -> Option<Labelled> {
        self.bounding.as_ref()?;
        // If graders forgive failures, tests of a submission with the expected result may be over the limit.
        if side == Side::Within && standing == Some(&Standing::Met) && self.is_over {
            return None;
        }
        let judged = matches!(standing, Some(Standing::Met | Standing::Missed { .. }));
        let slowest = self.slowest.clone().filter(|_| judged);
        Some(Labelled { submission: submission.to_string(), side, slowest, complete })
    }
}
