//! Decides what to do next from the state of every build and test of a plan. Starts no threads and no processes.
//!
//! The schedule hands out work in plan order. If the first unfinished submission leaves a slot free, the slot goes to
//! the submission that took longest in an earlier run. So long submissions do not remain for the end, and results still
//! come in plan order. A submission that is expected to fail has one test in flight at a time while other work is left,
//! because results after its first failure are discarded.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use super::second_look::Looks;
use crate::compile::Build;
use crate::event::{BuildIndex, Event, GraderFault, ProblemIndex, SubmissionIndex, TestIndex};
use crate::ledger::{Ledger, LedgerEntry};
use crate::plan::Plan;
use crate::problem::grading::Grade;
use crate::score::grading::Question;
use crate::score::mark::Mark;
use crate::score::time_limit::Bounding;

/// How many submissions a preferred one may be ahead of the first unfinished one. Its results wait for their turn.
const AHEAD: usize = 32;

/// One piece of work for one slot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Job {
    /// Build a program.
    Build(BuildIndex),
    /// Look up the known results of a submission's tests.
    Recall { submission: SubmissionIndex },
    /// Check a case's input.
    Validate { problem: ProblemIndex, ordinal: TestIndex },
    /// Run a submission on a case.
    Test { submission: SubmissionIndex, ordinal: TestIndex },
    /// Run a submission again, alone, on a case on which it was over time.
    Look { submission: SubmissionIndex, ordinal: TestIndex },
    /// Ask the grader from the package about a group.
    Grade { submission: SubmissionIndex, question: Question },
}

/// The next step for a slot.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// Do this job.
    Job(Job),
    /// Wait: nothing can start now, but jobs are in flight.
    Wait,
    /// Stop: no work is left.
    Finished,
}

/// The kinds of programs of a problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// The n-th output validator of a problem, or its interactor.
    OutputValidator(ProblemIndex, usize),
    /// The static validator of a problem.
    StaticValidator(ProblemIndex),
    /// The grader of a problem.
    Grader(ProblemIndex),
    /// The n-th input validator of a problem.
    InputValidator(ProblemIndex, usize),
    /// A submission.
    Submission(SubmissionIndex),
}

/// A program to build.
#[derive(Debug, Clone)]
struct Building {
    role: Role,
    state: BuildState,
}

#[derive(Debug, Clone)]
enum BuildState {
    Pending,
    Running,
    Done(Arc<Build>),
}

/// The tests of one submission.
#[derive(Debug)]
struct SubmissionWork {
    problem: ProblemIndex,
    build: BuildIndex,
    /// How long its tests took in an earlier run; the maximum if unknown.
    last: Duration,
    /// The groups about which the grader from the package was asked.
    asked: BTreeSet<usize>,
    recall: Recall,
    /// For each test, whether it still needs a slot.
    todo: Vec<bool>,
    /// The tests that run before the others, in this order.
    first: Vec<TestIndex>,
    /// Every test before this position is taken or done.
    next: TestIndex,
    in_flight: usize,
    looks: Looks,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Recall {
    Pending,
    Running,
    Done,
}

#[derive(Debug)]
struct ProblemWork {
    builds: std::ops::Range<usize>,
    output_validators: Vec<BuildIndex>,
    static_validator: Option<BuildIndex>,
    grader: Option<BuildIndex>,
    input_validators: Vec<BuildIndex>,
    next_input: TestIndex,
    tests: usize,
    submissions: std::ops::Range<usize>,
}

/// The state of all work.
#[derive(Debug)]
pub(super) struct Schedule {
    /// The results of each submission so far. They decide which of its tests are still needed.
    ledger: Ledger,
    builds: Vec<Building>,
    problems: Vec<ProblemWork>,
    submissions: Vec<SubmissionWork>,
    in_flight: usize,
    /// All problems before this one are finished.
    first_open: ProblemIndex,
    /// Whether each submission is built only when its turn comes.
    one_by_one: bool,
    cancelled: bool,
}

impl Schedule {
    /// `last` holds how long a test of each submission took in an earlier run, if known.
    pub(super) fn new(plan: &Plan, last: &[Option<Duration>]) -> Self {
        let mut schedule = Self {
            ledger: Ledger::new(plan),
            builds: Vec::new(),
            problems: Vec::new(),
            submissions: Vec::new(),
            in_flight: 0,
            first_open: ProblemIndex(0),
            one_by_one: plan.one_by_one,
            cancelled: false,
        };
        for (index, planned) in plan.problems.iter().enumerate() {
            schedule.add_problem(ProblemIndex(index), planned, plan);
        }
        for (submission, last) in schedule.submissions.iter_mut().zip(last) {
            submission.last = last.unwrap_or(Duration::MAX);
        }
        schedule
    }

    fn add_problem(&mut self, index: ProblemIndex, planned: &crate::plan::PlannedProblem, plan: &Plan) {
        let start = self.builds.len();
        let mut build = |role| {
            self.builds.push(Building { role, state: BuildState::Pending });
            BuildIndex(self.builds.len() - 1)
        };
        let judges = 0..planned.problem.output_judges().count();
        let output_validators: Vec<BuildIndex> = judges.map(|n| build(Role::OutputValidator(index, n))).collect();
        let static_validator = planned.problem.static_validator.as_ref().map(|_| build(Role::StaticValidator(index)));
        let grader = planned.problem.grader().map(|_| build(Role::Grader(index)));
        let validators = 0..planned.problem.input_validators.len();
        let input_validators: Vec<BuildIndex> = validators.map(|i| build(Role::InputValidator(index, i))).collect();
        let own_builds: Vec<BuildIndex> =
            planned.submissions().map(|submission| build(Role::Submission(submission))).collect();
        for (submission, build) in planned.submissions().zip(own_builds) {
            let expectation = &plan.submissions[submission].submission.expectation;
            self.submissions.push(SubmissionWork {
                problem: index,
                build,
                last: Duration::MAX,
                asked: BTreeSet::new(),
                recall: Recall::Pending,
                todo: vec![true; planned.tests.len()],
                first: plan.submissions[submission].first.clone(),
                next: TestIndex(0),
                in_flight: 0,
                looks: Looks::new(Bounding::doubtful(expectation)),
            });
        }
        self.problems.push(ProblemWork {
            builds: start..self.builds.len(),
            output_validators,
            static_validator,
            grader,
            input_validators,
            next_input: TestIndex(0),
            tests: planned.tests.len(),
            submissions: planned.submissions.clone(),
        });
    }

    /// Hands out the next job.
    pub(super) fn next(&mut self) -> Next {
        if self.cancelled {
            return Next::Finished;
        }
        self.skip_done();
        let mut speculative = None;
        for problem in ProblemIndex::each(self.first_open.0..self.problems.len()) {
            if let Some(job) = self.job_of(problem, &mut speculative) {
                return Next::Job(self.take(job));
            }
        }
        match speculative {
            Some(job) => Next::Job(self.take(job)),
            None if self.in_flight > 0 => Next::Wait,
            None => Next::Finished,
        }
    }

    fn skip_done(&mut self) {
        while self.first_open.0 < self.problems.len() && self.is_done(self.first_open) {
            self.first_open = self.first_open.next();
        }
    }

    fn is_done(&self, problem: ProblemIndex) -> bool {
        let work = &self.problems[problem];
        let built =
            BuildIndex::each(work.builds.clone()).all(|build| matches!(self.builds[build].state, BuildState::Done(_)));
        let validated = work.next_input.0 >= work.tests || !self.validates(problem);
        built
            && validated
            && SubmissionIndex::each(work.submissions.clone()).all(|submission| self.submission_is_done(submission))
    }

    fn submission_is_done(&self, submission: SubmissionIndex) -> bool {
        let state = &self.submissions[submission];
        !self.runnable(submission)
            || (state.recall == Recall::Done
                && state.in_flight == 0
                && state.next >= self.ledger.entry(submission).results().stop()
                && state.looks.are_over()
                && state.question(self.ledger.entry(submission)).is_none())
    }

    fn job_of(&mut self, problem: ProblemIndex, speculative: &mut Option<Job>) -> Option<Job> {
        let work = &self.problems[problem];
        let later = |build: BuildIndex| self.one_by_one && matches!(self.builds[build].role, Role::Submission(_));
        let pending = |build: &BuildIndex| self.is_pending(*build) && !later(*build);
        if let Some(build) = BuildIndex::each(work.builds.clone()).find(pending) {
            return Some(Job::Build(build));
        }
        if work.next_input.0 < work.tests && self.validates(problem) {
            return Some(Job::Validate { problem, ordinal: work.next_input });
        }
        for submission in self.turns(work) {
            let build = self.submissions[submission].build;
            if self.is_pending(build) {
                return Some(Job::Build(build));
            }
            if self.submissions[submission].recall == Recall::Pending {
                return Some(Job::Recall { submission });
            }
            if let Some(question) = self.submissions[submission].question(self.ledger.entry(submission)) {
                return Some(Job::Grade { submission, question });
            }
            let state = &mut self.submissions[submission];
            let entry = self.ledger.entry(submission);
            // Results that are being looked up must not be computed at the same time.
            if state.recall == Recall::Running {
                continue;
            }
            let Some(ordinal) = state.next_test(entry) else {
                match state.next_look(entry) {
                    Some(ordinal) => return Some(Job::Look { submission, ordinal }),
                    None => continue,
                }
            };
            let job = Job::Test { submission, ordinal };
            if entry.results().wants_all() || state.in_flight == 0 {
                return Some(job);
            }
            speculative.get_or_insert(job);
        }
        None
    }

    /// The submissions of a problem that can use a slot, in the order in which they get one.
    fn turns(&self, work: &ProblemWork) -> Vec<SubmissionIndex> {
        let is_open = |submission: &SubmissionIndex| {
            self.is_pending(self.submissions[*submission].build) || !self.submission_is_done(*submission)
        };
        let mut submissions: Vec<SubmissionIndex> =
            SubmissionIndex::each(work.submissions.clone()).filter(is_open).collect();
        let ahead = submissions.iter().take_while(|submission| submission.0 < submissions[0].0 + AHEAD).count();
        if let Some(next) = submissions.get_mut(1..ahead) {
            next.sort_by_key(|submission| Reverse(self.submissions[*submission].last));
        }
        submissions
    }

    fn is_pending(&self, build: BuildIndex) -> bool {
        matches!(self.builds[build].state, BuildState::Pending)
    }

    fn take(&mut self, job: Job) -> Job {
        self.in_flight += 1;
        match &job {
            Job::Build(build) => self.builds[*build].state = BuildState::Running,
            Job::Recall { submission } => self.submissions[*submission].recall = Recall::Running,
            Job::Validate { problem, ordinal } => self.problems[*problem].next_input = ordinal.next(),
            Job::Test { submission, ordinal } => {
                self.submissions[*submission].todo[*ordinal] = false;
                self.submissions[*submission].in_flight += 1;
            }
            Job::Look { submission, ordinal } => {
                self.submissions[*submission].looks.take(*ordinal);
                self.submissions[*submission].in_flight += 1;
            }
            Job::Grade { submission, question } => {
                self.submissions[*submission].asked.insert(question.group);
                self.submissions[*submission].in_flight += 1;
            }
        }
        job
    }

    /// Whether an input validator of the problem can run and all of them are built. Each case goes to all of them at
    /// once.
    fn validates(&self, problem: ProblemIndex) -> bool {
        let validators = &self.problems[problem].input_validators;
        let is_built = |build: &BuildIndex| matches!(self.builds[*build].state, BuildState::Done(_));
        validators.iter().all(is_built) && validators.iter().any(|build| self.ready(*build))
    }

    /// Whether a submission and its judges are built and can run.
    fn runnable(&self, submission: SubmissionIndex) -> bool {
        let state = &self.submissions[submission];
        self.ready(state.build) && self.judges_of(state.problem).all(|build| self.ready(build))
    }

    fn ready(&self, build: BuildIndex) -> bool {
        matches!(&self.builds[build].state, BuildState::Done(done) if matches!(**done, Build::Ready(_)))
    }

    /// The purpose of a build.
    pub(super) fn role(&self, build: BuildIndex) -> Role {
        self.builds[build].role
    }

    /// The result of a build, if it is finished.
    pub(super) fn built(&self, build: BuildIndex) -> Option<Arc<Build>> {
        match &self.builds[build].state {
            BuildState::Done(done) => Some(Arc::clone(done)),
            BuildState::Pending | BuildState::Running => None,
        }
    }

    /// The build of a submission.
    pub(super) fn build_of(&self, submission: SubmissionIndex) -> BuildIndex {
        self.submissions[submission].build
    }

    /// The number of programs to build.
    pub(super) fn builds(&self) -> usize {
        self.builds.len()
    }

    /// The builds of a problem's output validators.
    pub(super) fn output_validators_of(&self, problem: ProblemIndex) -> &[BuildIndex] {
        &self.problems[problem].output_validators
    }

    /// The build of a problem's static validator.
    pub(super) fn static_validator_of(&self, problem: ProblemIndex) -> Option<BuildIndex> {
        self.problems[problem].static_validator
    }

    /// The build of a problem's grader.
    pub(super) fn grader_of(&self, problem: ProblemIndex) -> Option<BuildIndex> {
        self.problems[problem].grader
    }

    /// Returns the builds of all programs that judging a submission of the problem requires.
    pub(super) fn judges_of(&self, problem: ProblemIndex) -> impl Iterator<Item = BuildIndex> {
        let ProblemWork { output_validators, static_validator, grader, .. } = &self.problems[problem];
        output_validators.iter().copied().chain(*static_validator).chain(*grader)
    }

    /// The builds of a problem's input validators.
    pub(super) fn validators_of(&self, problem: ProblemIndex) -> &[BuildIndex] {
        &self.problems[problem].input_validators
    }

    /// The submissions of a problem.
    pub(super) fn submissions_of(&self, problem: ProblemIndex) -> impl Iterator<Item = SubmissionIndex> + use<> {
        SubmissionIndex::each(self.problems[problem].submissions.clone())
    }

    pub(super) fn finish_build(&mut self, build: BuildIndex, result: Arc<Build>) {
        self.in_flight -= 1;
        self.builds[build].state = BuildState::Done(result);
    }

    pub(super) fn finish_validation(&mut self) {
        self.in_flight -= 1;
    }

    pub(super) fn finish_recall(&mut self, submission: SubmissionIndex) {
        self.in_flight -= 1;
        self.submissions[submission].recall = Recall::Done;
    }

    /// Records the end of a test. Returns whether other tests in flight have become unnecessary.
    pub(super) fn finish_test(&mut self, submission: SubmissionIndex, ordinal: TestIndex, mark: Mark) -> bool {
        self.in_flight -= 1;
        self.submissions[submission].in_flight -= 1;
        self.known(submission, ordinal, mark)
    }

    /// Whether a result over time needs a second look: the test must be accepted, and the submission is not known to be
    /// too slow.
    pub(super) fn is_doubtful(&self, submission: SubmissionIndex, ordinal: TestIndex) -> bool {
        self.submissions[submission].looks.doubts(self.ledger.entry(submission).test(ordinal))
    }

    /// Whether a second look can still change the conclusion.
    pub(super) fn wants_looks(&self, submission: SubmissionIndex) -> bool {
        self.submissions[submission].looks.are_wanted()
    }

    /// Holds back a test over time for a second look. `was_run`: whether it has just run on a slot.
    pub(super) fn hold(&mut self, submission: SubmissionIndex, ordinal: TestIndex, was_run: bool) {
        let state = &mut self.submissions[submission];
        if was_run {
            self.in_flight -= 1;
            state.in_flight -= 1;
        }
        state.todo[ordinal] = false;
        state.looks.hold(ordinal);
    }

    /// Records that the submission is over time even when nothing else runs.
    pub(super) fn confirm(&mut self, submission: SubmissionIndex) {
        self.submissions[submission].looks.confirm();
    }

    /// Records the result of a second look. Returns whether other tests have become unnecessary.
    pub(super) fn finish_look(&mut self, submission: SubmissionIndex, ordinal: TestIndex, mark: Mark) -> bool {
        self.submissions[submission].looks.finish(mark.verdict());
        self.finish_test(submission, ordinal, mark)
    }

    /// Takes the held tests that no longer need a look, in order.
    pub(super) fn released(&mut self, submission: SubmissionIndex) -> BTreeSet<TestIndex> {
        self.submissions[submission].looks.release()
    }

    /// Records the answer of a grader; none if it was cancelled. Returns whether tests have become unnecessary.
    pub(super) fn finish_grade(
        &mut self,
        submission: SubmissionIndex,
        group: usize,
        grade: Option<Result<Grade, GraderFault>>,
    ) -> bool {
        self.in_flight -= 1;
        self.submissions[submission].in_flight -= 1;
        grade.is_some_and(|grade| self.ledger.entry_mut(submission).graded(group, grade)) && self.strike(submission)
    }

    /// Records a result from a slot or from the store. Returns whether other tests have become unnecessary.
    pub(super) fn known(&mut self, submission: SubmissionIndex, ordinal: TestIndex, mark: Mark) -> bool {
        self.submissions[submission].todo[ordinal] = false;
        self.ledger.entry_mut(submission).mark(ordinal, mark) && self.strike(submission)
    }

    /// Removes the tests that the known results make unnecessary. Returns whether there were any.
    fn strike(&mut self, submission: SubmissionIndex) -> bool {
        let state = &mut self.submissions[submission];
        let results = self.ledger.entry(submission).results();
        let mut struck = false;
        for test in TestIndex::each(state.next.0..state.todo.len()) {
            if results.needless(test).is_some() {
                state.todo[test] = false;
                struck = true;
            }
        }
        struck
    }

    /// The ledger's entry of a submission.
    pub(super) fn entry_mut(&mut self, submission: SubmissionIndex) -> &mut LedgerEntry {
        self.ledger.entry_mut(submission)
    }

    /// Ends every entry that is still open, and returns the events about them.
    pub(super) fn close(&mut self) -> Vec<Event> {
        self.ledger.close()
    }

    /// Whether a test is no longer needed.
    pub(super) fn is_needless(&self, submission: SubmissionIndex, ordinal: TestIndex) -> bool {
        self.ledger.entry(submission).results().needless(ordinal).is_some()
    }

    /// The first position in the plan from which no test is needed.
    pub(super) fn stop_of(&self, submission: SubmissionIndex) -> TestIndex {
        self.ledger.entry(submission).results().stop()
    }

    /// Stops handing out jobs.
    pub(super) fn cancel(&mut self) {
        self.cancelled = true;
    }

    /// Whether the run was cancelled.
    pub(super) fn is_cancelled(&self) -> bool {
        self.cancelled
    }
}

impl SubmissionWork {
    fn next_test(&mut self, entry: &LedgerEntry) -> Option<TestIndex> {
        let stop = entry.results().stop();
        // A held test may end the submission, so its second look comes before the tests behind it.
        let held = if entry.results().wants_all() { None } else { self.looks.first() };
        let stop = held.map_or(stop, |held| held.min(stop));
        if let Some(first) = self.first.iter().find(|test| **test < stop && self.todo[**test]) {
            return Some(*first);
        }
        while self.next < stop && !self.todo[self.next] {
            self.next = self.next.next();
        }
        (self.next < stop).then_some(self.next)
    }

    /// The next test that needs a second look, once no test of the submission is in flight.
    fn next_look(&mut self, entry: &LedgerEntry) -> Option<TestIndex> {
        if self.in_flight > 0 {
            return None;
        }
        self.looks.next(|test| entry.results().needless(test).is_none())
    }

    /// The next question to the grader from the package.
    fn question(&self, entry: &LedgerEntry) -> Option<Question> {
        entry.results().questions().into_iter().find(|question| !self.asked.contains(&question.group))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compile::Artifact;
    use crate::problem::{AnswerFile, Expectation, LimitOptions, PackageLayout, Problem, Program};
    use crate::problem::{Submission, TestCase, TestGroup};
    use crate::verdict::Verdict;

    /// A problem with two tests.
    fn problem() -> Arc<Problem> {
        let cases = ["1", "2"].map(|name| TestCase::new(name, AnswerFile::Ans)).to_vec();
        let limits = LimitOptions::default();
        Arc::new(Problem {
            limits: limits.clone(),
            groups: vec![TestGroup { limits, cases, ..TestGroup::empty("", "p".into()) }],
            ..Problem::empty("p".into(), "p".into(), PackageLayout::Plain)
        })
    }

    fn submission(name: &str) -> (Submission, bool) {
        let program = Program::Command("true".to_owned());
        let expectation = Expectation::accepted("accepted/");
        (Submission { id: name.into(), program, language: None, entry_point: None, expectation }, false)
    }

    fn two_one_by_one() -> Schedule {
        let mut plan = Plan { one_by_one: true, ..Plan::default() };
        plan.add(problem(), |_| true, [submission("s"), submission("t")]);
        Schedule::new(&plan, &[])
    }

    /// The order in which one free slot gets tests while the first submission occupies another slot.
    fn order(last: &[Option<u64>]) -> Vec<(usize, usize)> {
        let mut plan = Plan::default();
        plan.add(problem(), |_| true, last.iter().map(|_| submission("s")));
        let last: Vec<Option<Duration>> = last.iter().map(|last| last.map(Duration::from_millis)).collect();
        let mut schedule = Schedule::new(&plan, &last);
        let mut order = Vec::new();
        let mut held = None;
        loop {
            match schedule.next() {
                Next::Job(Job::Build(build)) => {
                    schedule.finish_build(build, Arc::new(Build::Ready(Box::new(Artifact::for_tests()))));
                }
                Next::Job(Job::Recall { submission }) => schedule.finish_recall(submission),
                Next::Job(Job::Test { submission, ordinal }) => {
                    order.push((submission.0, ordinal.0));
                    if held.is_none() {
                        held = Some((submission, ordinal));
                    } else {
                        schedule.finish_test(submission, ordinal, Mark::Judged(Verdict::Accepted, None));
                    }
                }
                _ => return order,
            }
        }
    }

    #[test]
    fn what_took_longest_is_next_beside_the_first() {
        let both = |submissions: &[usize]| {
            submissions.iter().flat_map(|submission| [(*submission, 0), (*submission, 1)]).collect::<Vec<_>>()
        };
        assert_eq!(order(&[Some(9), Some(1), Some(2), Some(3)]), both(&[0, 3, 2, 1]));
        assert_eq!(order(&[Some(1), Some(2), None, Some(2)]), both(&[0, 2, 1, 3]), "what nobody knows may be long");
        assert_eq!(order(&[None; 3]), both(&[0, 1, 2]));
        // A submission too far ahead is not preferred, because its results would pile up.
        let mut many = [Some(1); AHEAD + 1];
        many[AHEAD] = Some(2);
        let starts: Vec<usize> = order(&many).iter().filter(|test| test.1 == 0).map(|test| test.0).collect();
        assert_eq!(starts, (0..=AHEAD).collect::<Vec<_>>());
    }

    /// A schedule with one problem of two tests and one submission, whose build is finished.
    fn built() -> Schedule {
        let mut plan = Plan::default();
        plan.add(problem(), |_| true, [submission("s")]);
        let mut schedule = Schedule::new(&plan, &[]);
        assert_eq!(schedule.next(), Next::Job(Job::Build(BuildIndex(0))));
        let artifact = Artifact::for_tests();
        schedule.finish_build(BuildIndex(0), Arc::new(Build::Ready(Box::new(artifact))));
        schedule
    }

    #[test]
    fn one_by_one_a_submission_is_judged_before_the_next_is_built() {
        let mut schedule = two_one_by_one();
        let ready = || Arc::new(Build::Ready(Box::new(Artifact::for_tests())));
        assert_eq!(schedule.next(), Next::Job(Job::Build(BuildIndex(0))));
        schedule.finish_build(BuildIndex(0), ready());
        assert_eq!(schedule.next(), Next::Job(Job::Recall { submission: SubmissionIndex(0) }));
        // A second slot need not wait.
        assert_eq!(schedule.next(), Next::Job(Job::Build(BuildIndex(1))));
        schedule.finish_build(BuildIndex(1), ready());
        schedule.finish_recall(SubmissionIndex(0));
        for ordinal in [TestIndex(0), TestIndex(1)] {
            assert_eq!(schedule.next(), Next::Job(Job::Test { submission: SubmissionIndex(0), ordinal }));
        }
        assert_eq!(schedule.next(), Next::Job(Job::Recall { submission: SubmissionIndex(1) }));
    }

    #[test]
    fn nothing_is_run_while_it_is_looked_up() {
        let mut schedule = built();
        assert_eq!(schedule.next(), Next::Job(Job::Recall { submission: SubmissionIndex(0) }));
        assert_eq!(schedule.next(), Next::Wait);
        schedule.known(SubmissionIndex(0), TestIndex(0), Mark::Judged(Verdict::Accepted, None));
        assert_eq!(schedule.next(), Next::Wait);
        schedule.finish_recall(SubmissionIndex(0));
        assert_eq!(schedule.next(), Next::Job(Job::Test { submission: SubmissionIndex(0), ordinal: TestIndex(1) }));
        schedule.finish_test(SubmissionIndex(0), TestIndex(1), Mark::Judged(Verdict::Accepted, None));
        assert_eq!(schedule.next(), Next::Finished);
    }
}
