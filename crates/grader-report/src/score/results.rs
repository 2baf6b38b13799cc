//! Tracks the known results of one submission: decides which tests are still needed, and computes the verdict and the
//! points. Pure.
//!
//! Results are added once, as they happen. A test may turn out to be unnecessary after it has run. Then its result is
//! taken back, so that what is known at the end does not depend on the order.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::board::{Board, BoardError};
use super::grading::Question;
use super::mark::Mark;
use super::points::Points;
use super::{Tally, UnselectedTest};
use crate::event::{GraderFault, Standing, TestIndex};
use crate::problem::grading::Grade;
use crate::problem::{Expectation, Scoring, TestId};
use crate::ruleset::Ruleset;
use crate::verdict::Verdict;

/// The results of one submission.
#[derive(Debug, Clone)]
pub struct Results {
    tests: Arc<[TestId]>,
    /// The tests of the problem that are not in the plan.
    unselected: Arc<[UnselectedTest]>,
    /// The marks of the added tests that are still needed.
    marks: Vec<Option<Mark>>,
    /// The messages of the output validator, if the expectation depends on them.
    messages: BTreeMap<TestIndex, String>,
    tally: Tally,
    /// The results by the rules of the problem, if it has groups or points.
    board: Option<Board>,
    /// Whether later tests stay needed after any failure.
    wants_all: bool,
    /// The first test on which a validator exceeded its time limit. No test after it runs.
    overdue: Option<TestIndex>,
    /// The number of tests over the time limit after which no test runs.
    most_time_limits: Option<usize>,
    /// The tests over the time limit.
    time_limits: BTreeSet<TestIndex>,
}

impl Results {
    /// Creates empty results for the tests in plan order. `all_tests`: keep every test, whatever fails.
    /// `fail_fast`: the first failure also ends a submission that should be accepted.
    pub fn new(
        tests: Arc<[TestId]>,
        expectation: &Expectation,
        ruleset: Ruleset,
        scoring: Option<&Scoring>,
        all_tests: bool,
        fail_fast: bool,
    ) -> Self {
        let tally = Tally::new(expectation, ruleset);
        // A failure breaks the label of a submission that should be accepted. Only its list of failing tests needs more.
        let ends_early = fail_fast && expectation.wants_all_accepted();
        let wants_all = all_tests || (expectation.wants_every_test() && !ends_early);
        let early = !wants_all && tally.any_failure_decides();
        let board = scoring.map(|scoring| Board::new(scoring, &tests, early));
        // Points need every test that the board does not rule out.
        Self {
            marks: vec![None; tests.len()],
            messages: BTreeMap::new(),
            wants_all: wants_all || board.is_some(),
            tests,
            unselected: Arc::new([]),
            tally,
            board,
            overdue: None,
            most_time_limits: expectation.most_time_limits,
            time_limits: BTreeSet::new(),
        }
    }

    /// Sets the tests of the problem that are not in the plan.
    #[must_use]
    pub fn without(self, unselected: Arc<[UnselectedTest]>) -> Self {
        Self { unselected, ..self }
    }

    /// Adds the result of a test, once and in any order. Returns whether other tests may have become unnecessary. A test
    /// that is not needed changes nothing.
    pub fn add(&mut self, test: TestIndex, mark: Mark) -> bool {
        if self.needless(test).is_some() {
            return false;
        }
        self.marks[test] = Some(mark);
        let struck = self.count(test, mark);
        if struck {
            self.take_back_needless();
        }
        struck
    }

    /// Adds the message to the judges that the output validator wrote about a test, after its verdict.
    pub fn hear(&mut self, test: TestIndex, message: &str) {
        if !self.tally.expects_messages() || !matches!(self.marks[test], Some(Mark::Judged(..))) {
            return;
        }
        self.messages.insert(test, message.to_owned());
        let before = self.last();
        self.tally.hear(test, &self.tests[test], message);
        if self.last() != before {
            self.take_back_needless();
        }
    }

    fn each_test(&self) -> impl Iterator<Item = TestIndex> + use<> {
        TestIndex::each(0..self.tests.len())
    }

    /// Takes back the results of tests that ran beside the one that made them unnecessary.
    fn take_back_needless(&mut self) {
        let is_needless = |test: &TestIndex| self.marks[*test].is_some() && self.needless(*test).is_some();
        let needless: Vec<TestIndex> = self.each_test().filter(is_needless).collect();
        if needless.is_empty() {
            return;
        }
        for test in needless {
            self.marks[test] = None;
            self.messages.remove(&test);
        }
        self.overdue = None;
        self.time_limits.clear();
        self.tally.clear();
        if let Some(board) = &mut self.board {
            board.clear();
        }
        for test in self.each_test() {
            if let Some(mark) = self.marks[test] {
                self.count(test, mark);
            }
        }
        for (test, message) in &self.messages {
            self.tally.hear(*test, &self.tests[*test], message);
        }
    }

    fn count(&mut self, test: TestIndex, mark: Mark) -> bool {
        let before = self.last();
        if mark == Mark::Overdue {
            self.overdue = Some(self.overdue.map_or(test, |first| first.min(test)));
        }
        if let Mark::Judged(verdict, _) = mark {
            self.tally.add(test, &self.tests[test], verdict);
            if verdict == Verdict::TimeLimit {
                self.time_limits.insert(test);
            }
        }
        let struck = self.board.as_mut().is_some_and(|board| board.add(test, mark));
        struck || self.last() != before
    }

    /// Adds the answer of a grader from the package. Returns whether tests may have become unnecessary.
    pub fn graded(&mut self, group: usize, said: Result<Grade, GraderFault>) -> bool {
        let struck = self.board.as_mut().is_some_and(|board| board.graded(group, said));
        if struck {
            self.take_back_needless();
        }
        struck
    }

    /// The last test that is needed, if that is known.
    fn last(&self) -> Option<TestIndex> {
        let decided = if self.wants_all { None } else { self.tally.decided_at() };
        let most = self.most_time_limits.and_then(|most| self.time_limits.iter().nth(most.saturating_sub(1)));
        decided.into_iter().chain(self.overdue).chain(most.copied()).min()
    }

    /// The first position in the plan from which no test is needed.
    pub fn stop(&self) -> TestIndex {
        self.last().map_or(TestIndex(self.tests.len()), TestIndex::next)
    }

    /// Returns the test whose result makes this one unnecessary.
    pub fn needless(&self, test: TestIndex) -> Option<TestIndex> {
        self.last().filter(|last| *last < test).or_else(|| self.forfeited(test))
    }

    /// Returns the failing test because of which this one cannot earn points.
    pub fn forfeited(&self, test: TestIndex) -> Option<TestIndex> {
        self.board.as_ref()?.needless(test)
    }

    /// Whether every test that can earn points is needed, whatever else fails.
    pub fn wants_all(&self) -> bool {
        self.wants_all
    }

    /// Whether a grader from the package must answer before it is known if a test is needed.
    pub fn is_waiting(&self, test: TestIndex) -> bool {
        self.board.as_ref().is_some_and(|board| board.is_waiting(test))
    }

    /// The questions that graders from the package must answer now.
    pub fn questions(&self) -> Vec<Question> {
        self.board.as_ref().map(Board::questions).unwrap_or_default()
    }

    /// Returns whether the results of groups are known: no grader must be asked, or no grader is asked any more.
    pub fn is_graded(&self) -> bool {
        self.overdue.is_some() || self.questions().is_empty()
    }

    /// The verdict of the tests so far, in plan order; none before any test was judged.
    pub fn verdict(&self) -> Option<Verdict> {
        self.tally.verdict()
    }

    /// The standing and the points, once every needed test has been added.
    ///
    /// # Errors
    /// A group has too many points, or a grader failed.
    pub fn outcome(&self) -> Result<(Standing, Points), BoardError> {
        let points = self.board.as_ref().map(Board::points).transpose()?;
        let standing = self.standing(points.as_ref(), &self.unselected);
        Ok((standing, points.unwrap_or_default()))
    }

    fn standing(&self, points: Option<&Points>, unselected: &[UnselectedTest]) -> Standing {
        points.map_or_else(|| self.tally.standing(unselected), |points| self.tally.standing_with(points, unselected))
    }

    /// Whether the verdict of a test, which has been added, is one that the expectation does not permit there.
    pub fn is_unexpected(&self, test: TestIndex, verdict: Verdict) -> bool {
        self.tally.breaks(test, &self.tests[test], verdict, &self.unselected)
    }

    /// Whether an expected result holds so far only. A test that was skipped could still make it unexpected, or the
    /// planned tests alone do not show what is expected. `all_tests` runs what was skipped.
    pub fn is_provisional(&self, points: &Points) -> bool {
        let points = self.board.is_some().then_some(points);
        if !self.unselected.is_empty() && self.standing(points, &[]) != Standing::Met {
            return true;
        }
        let is_left_out = |test: TestIndex| match &self.board {
            None => self.last().is_some_and(|last| last < test),
            Some(board) => board.is_left_out(test),
        };
        self.each_test().any(|test| is_left_out(test) && self.tally.may_break(&self.tests[test]))
    }

    /// The points of a submission that could not run at all.
    pub fn nothing(&mut self) -> Points {
        self.board.as_mut().map(Board::nothing).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::{Aggregation, Rule, ScoreGroup, ScoreTree};
    use crate::verdict::VerdictSet;
    use Verdict::{Accepted as AC, TimeLimit as TLE, WrongAnswer as WA};

    fn results(tests: usize) -> Results {
        let wrong = Expectation::simple("wrong_answer/", &[AC, WA], &[WA]);
        let tests = (0..tests).map(|n| TestId::from(n.to_string())).collect();
        Results::new(tests, &wrong, Ruleset::Icpc, None, false, false)
    }

    #[test]
    fn the_first_failure_ends_an_accepted_submission_only_if_asked() {
        let accepted = Expectation::accepted("accepted/");
        for (all_tests, fail_fast, stop) in [(false, false, 4), (false, true, 2), (true, true, 4)] {
            let tests = (0..4).map(|n| TestId::from(n.to_string())).collect();
            let mut results = Results::new(tests, &accepted, Ruleset::Icpc, None, all_tests, fail_fast);
            results.add(TestIndex(1), Mark::Judged(WA, None));
            assert_eq!(results.stop().0, stop, "{all_tests} {fail_fast}");
        }
    }

    #[test]
    fn the_third_time_limit_in_plan_order_ends_a_submission() {
        let mutant = Expectation { most_time_limits: Some(3), ..Expectation::open("a mutant") };
        for order in [[0, 2, 3, 5], [5, 3, 2, 0], [2, 5, 0, 3]] {
            let tests = (0..8).map(|n| TestId::from(n.to_string())).collect();
            let mut results = Results::new(tests, &mutant, Ruleset::Icpc, None, true, false);
            results.add(TestIndex(1), Mark::Judged(WA, None));
            for test in order {
                results.add(TestIndex(test), Mark::Judged(TLE, None));
            }
            assert_eq!(results.stop().0, 4, "{order:?}");
            assert!(results.needless(TestIndex(5)).is_some() && results.marks[5].is_none(), "{order:?}");
        }
    }

    #[test]
    fn the_stop_only_moves_to_the_front() {
        let mut results = results(6);
        assert!(!results.add(TestIndex(5), Mark::Judged(AC, None)));
        assert_eq!(results.stop(), TestIndex(6));
        assert!(results.add(TestIndex(3), Mark::Judged(WA, None)));
        assert_eq!(
            (results.stop(), results.needless(TestIndex(4)), results.needless(TestIndex(3))),
            (TestIndex(4), Some(TestIndex(3)), None)
        );
        assert!(!results.add(TestIndex(4), Mark::Judged(TLE, None)), "what is behind the stop changes nothing");
        assert!(results.add(TestIndex(1), Mark::Judged(TLE, None)));
        assert_eq!((results.stop(), results.needless(TestIndex(3))), (TestIndex(2), Some(TestIndex(1))));
        assert_eq!(results.verdict(), Some(TLE));
    }

    #[test]
    fn nothing_is_run_after_an_overdue_validator() {
        let mut results = results(3);
        assert!(results.add(TestIndex(1), Mark::Overdue));
        assert_eq!(
            (results.stop(), results.needless(TestIndex(2)), results.is_graded()),
            (TestIndex(2), Some(TestIndex(1)), true)
        );
        assert!(!results.add(TestIndex(2), Mark::Fault));
    }

    /// A test of `b`, which requires `a`, runs beside the failure of `a`. Alone, it would break the expectation.
    #[test]
    fn a_test_that_ran_for_nothing_leaves_no_trace() {
        let group = |name: &str, parent, require_pass: &[usize], tests| ScoreGroup {
            name: name.into(),
            parent,
            max_score: Some(10.0),
            aggregation: Aggregation::Sum,
            require_pass: require_pass.to_vec(),
            tests,
            static_score: None,
        };
        let groups = vec![
            group("secret", None, &[], 0),
            group("secret/a", Some(0), &[], 1),
            group("secret/b", Some(0), &[1], 1),
        ];
        let scoring = Scoring::Points(Arc::new(ScoreTree { groups, total: 0 }));
        let all = VerdictSet::of(&Verdict::ALL);
        let rule = |cases: &str, permitted| Rule::of_verdicts(Some(cases.into()), permitted, VerdictSet::default());
        let rules = vec![rule("secret/a", all), rule("secret/b", VerdictSet::of(&[AC]))];
        let expectation = Expectation { rules, ..Expectation::open("submissions.yaml") };
        let tests: Arc<[TestId]> = Arc::new(["secret/a/1", "secret/b/1"].map(TestId::from));
        let after = |order: [usize; 2]| {
            let ruleset = Ruleset::Icpc;
            let mut results = Results::new(Arc::clone(&tests), &expectation, ruleset, Some(&scoring), false, false);
            for test in order {
                results.add(TestIndex(test), Mark::Judged(WA, Some(0.0)));
            }
            results.outcome()
        };
        assert_eq!(after([1, 0]), after([0, 1]));
        assert_eq!(after([1, 0]).map(|(standing, _)| standing), Ok(Standing::Met));
    }
}
