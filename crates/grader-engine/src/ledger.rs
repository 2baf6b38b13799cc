//! The ledger: the results of each submission of a run so far. One entry for each planned submission.
//!
//! A result enters the ledger once, and everything else asks it:
//!
//! ```text
//! executor ──mark, result──→ entry ──which tests are needed?──→ schedule
//!    worker ──updates──────→   │
//! earlier run ─updates─────→   └──events, as their turn comes──→ record → report → reporters
//! ```
//!
//! - An entry knows its submission, its tests in plan order, the build, the marks of all tests that have finished
//!   (`score::results`, folded here and nowhere else), and the results that wait for their turn.
//! - **Marks count at once, results in plan order.** The mark of a test shows the schedule at once which tests are no
//!   longer needed. Its result leaves the entry as an event when every test before it has left. So a run with one slot
//!   and a run with sixty-four slots record the same. A test behind the deciding failure is recorded as skipped, whether
//!   or not it ran.
//! - **A test that is not needed leaves no trace.** It may have run beside the test that made it unnecessary. `Results`
//!   then takes its mark back, so that verdict, standing and points depend on needed tests alone.
//! - An entry ends by itself: with its last needed test it computes verdict, standing and points, and forgets the rest.
//!   What has not ended when a run is interrupted is closed (`Ledger::close`).
//!
//! A ledger is kept by the engine, inside its schedule and under its lock; by a client of workers, for the entries that
//! come back from them; and by a session, for results of an earlier run. Each is about its own plan. A session renames the
//! events if several submissions share one result (`session::spread`). The record only puts the events of different
//! submissions one after the other (`record::sequence`).
//!
//! A worker has an engine with a ledger of one entry, because it must know which tests it can leave out. It sends the
//! updates and not the events: only the client knows all rules of the run, such as `fail_fast`.

mod entry;

use std::sync::Arc;

use crate::event::{BuildFinished, Event, GroupGraded, Message, SubmissionIndex, Update};
use crate::plan::{Plan, PlannedProblem, PlannedSubmission};
use crate::problem::Test;
use crate::score::mark::Mark;
use crate::score::results::Results;
use crate::score::{self, UnselectedTest};
pub use entry::LedgerEntry;

/// The results of the submissions of one plan so far.
#[derive(Debug)]
pub struct Ledger {
    /// One for each planned submission, in plan order.
    entries: Vec<LedgerEntry>,
}

impl Ledger {
    /// Creates the ledger of a plan, without any result.
    pub fn new(plan: &Plan) -> Self {
        let unselected: Vec<Arc<[UnselectedTest]>> = plan.problems.iter().map(unselected_of).collect();
        let entry = |submission: &PlannedSubmission| {
            let planned = &plan.problems[submission.problem];
            let problem = &planned.problem;
            let expectation = &submission.submission.expectation;
            let tests = Arc::clone(&planned.names);
            let scoring = problem.scoring.as_ref();
            let all_tests = plan.all_tests;
            let fail_fast = plan.fail_fast;
            let results =
                Results::new(Arc::clone(&tests), expectation, problem.ruleset(), scoring, all_tests, fail_fast);
            let results = results.without(Arc::clone(&unselected[submission.problem]));
            LedgerEntry::new(submission.id.clone(), tests, expectation.clone(), results)
        };
        Self { entries: plan.submissions.iter().map(entry).collect() }
    }

    /// The entry of a submission, by its position in the plan.
    pub fn entry(&self, submission: SubmissionIndex) -> &LedgerEntry {
        &self.entries[submission]
    }

    /// The entry of a submission, to be filled.
    pub(crate) fn entry_mut(&mut self, submission: SubmissionIndex) -> &mut LedgerEntry {
        &mut self.entries[submission]
    }

    fn take(&mut self, update: Update) -> Vec<Event> {
        match update {
            Update::Built(BuildFinished { of: submission, result }) => self.entries[submission.index].built(result),
            Update::TestFinished { test, result } => {
                let entry = &mut self.entries[test.of.index];
                entry.mark(test.ordinal, Mark::of(&result));
                entry.finished(test.ordinal, result)
            }
            Update::Graded(GroupGraded { of: submission, group, grade }) => {
                let entry = &mut self.entries[submission.index];
                entry.graded(group, grade);
                entry.advanced()
            }
            Update::Notice(_) | Update::TestStarted(_) => Vec::new(),
        }
    }

    /// Takes an update from elsewhere. Returns it, and the events whose turn has come.
    pub fn messages(&mut self, update: Update) -> Vec<Message> {
        let events = self.take(update.clone());
        [Message::Update(update)].into_iter().chain(events.into_iter().map(Message::Event)).collect()
    }

    /// Ends every entry that is still open: records its known results in order, and marks it as interrupted.
    pub fn close(&mut self) -> Vec<Event> {
        self.entries.iter_mut().flat_map(LedgerEntry::close).collect()
    }
}

fn unselected_of(planned: &PlannedProblem) -> Arc<[UnselectedTest]> {
    if planned.names.len() == planned.problem.test_count() {
        return Arc::new([]);
    }
    let all = planned.problem.groups.iter().flat_map(|group| group.tests().map(Test::id));
    score::unselected(all, &planned.names).into()
}

#[cfg(test)]
mod tests;
