//! One entry: the results of one submission so far. It takes marks and results in any order, and gives events in plan
//! order.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::event::{
    BuildFinished, BuildResult, Event, GraderFault, Standing, SubmissionFinished, SubmissionRef, SubmissionResult,
    TestFinished, TestIndex, TestRef, TestResult, TestSkipped,
};
use crate::problem::grading::Grade;
use crate::problem::{Expectation, TestId};
use crate::score;
use crate::score::mark::Mark;
use crate::score::points::Points;
use crate::score::results::Results;
use crate::verdict::Verdict;

/// The results of one submission so far.
#[derive(Debug)]
pub struct LedgerEntry {
    id: SubmissionRef,
    /// Its tests in plan order.
    tests: Arc<[TestId]>,
    expectation: Expectation,
    /// The marks of the finished tests, and what they come to.
    results: Results,
    built: Option<BuildResult>,
    /// Whether the end of the build was passed on.
    is_opened: bool,
    /// The results whose turn has not come, by position.
    waiting: BTreeMap<TestIndex, TestResult>,
    /// The first test that was not passed on.
    next: TestIndex,
    judge_error: Option<String>,
    is_over: bool,
}

impl LedgerEntry {
    /// Creates the entry of a submission whose build has not finished. `results` are those of `tests`, without any result.
    pub(super) fn new(
        submission: SubmissionRef,
        tests: Arc<[TestId]>,
        expectation: Expectation,
        results: Results,
    ) -> Self {
        Self {
            id: submission,
            tests,
            expectation,
            results,
            built: None,
            is_opened: false,
            waiting: BTreeMap::new(),
            next: TestIndex(0),
            judge_error: None,
            is_over: false,
        }
    }

    /// The name of a test.
    pub fn test(&self, ordinal: TestIndex) -> &TestId {
        &self.tests[ordinal]
    }

    /// Which tests are needed, by the marks so far.
    pub fn results(&self) -> &Results {
        &self.results
    }

    /// Takes the result of the build. Returns the events whose turn has come.
    pub fn built(&mut self, result: BuildResult) -> Vec<Event> {
        self.built = Some(result);
        self.advanced()
    }

    /// Counts a test that has finished. Returns whether other tests may have become unnecessary. Its result may follow
    /// later.
    pub fn mark(&mut self, ordinal: TestIndex, mark: Mark) -> bool {
        self.results.add(ordinal, mark)
    }

    /// Takes the result of a test whose mark counts already. Returns the events whose turn has come.
    pub fn finished(&mut self, ordinal: TestIndex, result: TestResult) -> Vec<Event> {
        if let TestResult::Judged(judgement) = &result
            && let Some(message) = &judgement.feedback
        {
            self.results.hear(ordinal, message);
        }
        self.waiting.insert(ordinal, result);
        self.advanced()
    }

    /// Takes the answer of a grader from the package. Returns whether tests may have become unnecessary.
    pub fn graded(&mut self, group: usize, grade: Result<Grade, GraderFault>) -> bool {
        self.results.graded(group, grade)
    }

    /// Returns the events whose turn has come.
    pub(crate) fn advanced(&mut self) -> Vec<Event> {
        let mut out = Vec::new();
        self.advance(&mut out);
        out
    }

    fn advance(&mut self, out: &mut Vec<Event>) {
        if self.is_over || !self.open(out) {
            return;
        }
        while self.next.0 < self.tests.len() {
            if let Some(failed) = self.results.needless(self.next) {
                self.waiting.remove(&self.next);
                self.skip(self.next, failed, out);
                self.next = self.next.next();
                continue;
            }
            if self.results.is_waiting(self.next) {
                return;
            }
            let Some(result) = self.waiting.remove(&self.next) else { return };
            if matches!(result, TestResult::Cancelled) {
                return;
            }
            self.record(result, out);
        }
        if !self.results.is_graded() {
            return;
        }
        let (standing, points) = self.outcome();
        self.end(standing, points, out);
    }

    /// Returns the standing and the points, once every test is recorded or skipped.
    fn outcome(&mut self) -> (Standing, Points) {
        if let Some(message) = self.judge_error.take() {
            return (Standing::JudgeError { message }, Points::default());
        }
        self.results.outcome().unwrap_or_else(|error| {
            let message = error.to_string();
            (Standing::JudgeError { message }, Points::default())
        })
    }

    /// Passes on the end of the build. Returns whether tests may follow.
    fn open(&mut self, out: &mut Vec<Event>) -> bool {
        let Some(result) = self.built.clone() else { return false };
        if !std::mem::replace(&mut self.is_opened, true) {
            out.push(Event::Built(BuildFinished { of: self.id.clone(), result: result.clone() }));
        }
        let standing = match result {
            BuildResult::Ready { .. } => return true,
            BuildResult::CompileError { .. } => score::compile_error(&self.expectation),
            BuildResult::NotJudged { reason, .. } => Standing::NotJudged { reason },
            BuildResult::Failed { message } => Standing::JudgeError { message },
        };
        let nothing = matches!(self.built, Some(BuildResult::CompileError { .. }));
        let points = if nothing { self.results.nothing() } else { Points::default() };
        self.end(standing, points, out);
        false
    }

    fn record(&mut self, result: TestResult, out: &mut Vec<Event>) {
        if let TestResult::JudgeError { message, .. } = &result {
            self.judge_error.get_or_insert_with(|| message.clone());
        }
        let verdict = Mark::of(&result).verdict();
        let unexpected = verdict.is_some_and(|verdict| self.results.is_unexpected(self.next, verdict));
        out.push(Event::TestFinished(TestFinished { test: self.test_ref(self.next), result, unexpected }));
        self.next = self.next.next();
    }

    fn skip(&self, ordinal: TestIndex, failed: TestIndex, out: &mut Vec<Event>) {
        let after = self.tests[failed].clone();
        out.push(Event::TestSkipped(TestSkipped { test: self.test_ref(ordinal), after }));
    }

    fn end(&mut self, standing: Standing, points: Points, out: &mut Vec<Event>) {
        let verdict = match &self.built {
            Some(BuildResult::CompileError { .. }) => Some(Verdict::CompileError),
            _ => points.verdict.or(self.results.verdict()),
        };
        let so_far = standing == Standing::Met && self.results.is_provisional(&points);
        let Points { score, groups, .. } = points;
        let of = self.id.clone();
        let result = SubmissionResult { verdict, standing, so_far, score, groups };
        out.push(Event::SubmissionFinished(SubmissionFinished { of, result }));
        self.waiting.clear();
        self.is_over = true;
    }

    /// Ends the entry, if it is still open: passes on the known results in order, and marks it as interrupted.
    pub(super) fn close(&mut self) -> Vec<Event> {
        let mut out = self.advanced();
        if self.is_over {
            return out;
        }
        for (ordinal, result) in std::mem::take(&mut self.waiting) {
            if !matches!(result, TestResult::Cancelled) && self.results.forfeited(ordinal).is_none() {
                self.next = ordinal;
                self.record(result, &mut out);
            }
        }
        self.end(Standing::Interrupted, Points::default(), &mut out);
        out
    }

    fn test_ref(&self, ordinal: TestIndex) -> TestRef {
        TestRef { of: self.id.clone(), ordinal, test: self.tests[ordinal].clone() }
    }
}
