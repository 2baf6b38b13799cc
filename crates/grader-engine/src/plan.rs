//! The plan of a run: all work, in order. It runs nothing; `grader run --dry-run` prints it.

use std::ops::Range;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::event::{ProblemIndex, SubmissionIndex, SubmissionRef, TestIndex};
use crate::problem::{Problem, Program, Scoring, Submission, Test, TestId};

/// All work of a run.
#[derive(Debug, Clone, Default)]
pub struct Plan {
    /// Problems in order.
    pub problems: Vec<PlannedProblem>,
    /// Submissions of all problems, in order; `SubmissionRef::index` is the position here.
    pub submissions: Vec<PlannedSubmission>,
    /// Whether to run every test, even after a failure.
    pub all_tests: bool,
    /// Whether the first failure in plan order also ends a submission that should be accepted. `all_tests` overrides it.
    pub fail_fast: bool,
    /// Builds each submission when its turn comes, instead of all submissions of a problem first. With many
    /// submissions, results then appear as they are judged.
    pub one_by_one: bool,
}

/// One problem of the plan.
#[derive(Debug, Clone)]
pub struct PlannedProblem {
    /// The problem.
    pub problem: Arc<Problem>,
    /// The selected tests in plan order.
    pub tests: Arc<[PlannedTest]>,
    /// Their names, in the same order.
    pub names: Arc<[TestId]>,
    /// Its submissions, as positions in `Plan::submissions`.
    pub submissions: Range<usize>,
}

/// One test, as positions in the problem's groups. Without a case, it is the static validation of the group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlannedTest {
    group: u32,
    case: Option<u32>,
}

/// One submission of the plan.
#[derive(Debug, Clone)]
pub struct PlannedSubmission {
    /// Its identity.
    pub id: SubmissionRef,
    /// Position of its problem in `Plan::problems`.
    pub problem: ProblemIndex,
    /// The submission.
    pub submission: Submission,
    /// Whether it is the problem's model solution.
    pub reference: bool,
    /// Positions of the tests that run before the others. Verdicts still follow plan order.
    pub first: Vec<TestIndex>,
    /// The factor of its time limits, for authors with extra time.
    pub time_factor: f64,
}

impl Plan {
    /// Adds a problem with the selected submissions, and the tests at the selected positions in `Problem::tests`.
    pub fn add(
        &mut self,
        problem: Arc<Problem>,
        selected: impl Fn(usize) -> bool,
        submissions: impl IntoIterator<Item = (Submission, bool)>,
    ) {
        let mut tests = Vec::new();
        let mut names = Vec::new();
        let mut position = 0;
        for (g, group) in (0u32..).zip(&problem.groups) {
            let mut cases = 0u32..;
            for test in group.tests() {
                let case = test.case().and_then(|_| cases.next());
                if selected(position) {
                    tests.push(PlannedTest { group: g, case });
                    names.push(test.id());
                }
                position += 1;
            }
        }
        let start = self.submissions.len();
        for (submission, reference) in submissions {
            let of = SubmissionRef {
                index: SubmissionIndex(self.submissions.len()),
                problem: problem.id.clone(),
                submission: submission.id.clone(),
            };
            let problem = ProblemIndex(self.problems.len());
            let first = Vec::new();
            self.submissions.push(PlannedSubmission {
                id: of,
                problem,
                submission,
                reference,
                first,
                time_factor: 1.0,
            });
        }
        let indices = start..self.submissions.len();
        self.problems.push(PlannedProblem { problem, tests: tests.into(), names: names.into(), submissions: indices });
    }

    /// Adds a problem of another plan with some of that plan's submissions, in the given order, and with some of its
    /// tests.
    pub fn add_part(
        &mut self,
        whole: &Self,
        problem: ProblemIndex,
        indices: &[SubmissionIndex],
        has_test: impl Fn(&TestId) -> bool,
    ) {
        let planned = &whole.problems[problem];
        let kept = planned.tests.iter().zip(&*planned.names).filter(|(_, name)| has_test(name));
        let (tests, names): (Vec<PlannedTest>, Vec<TestId>) = kept.map(|(test, name)| (*test, name.clone())).unzip();
        let start = self.submissions.len();
        for submission in indices.iter().map(|submission| &whole.submissions[*submission]) {
            let identity = SubmissionRef { index: SubmissionIndex(self.submissions.len()), ..submission.id.clone() };
            self.submissions.push(PlannedSubmission {
                id: identity,
                problem: ProblemIndex(self.problems.len()),
                ..submission.clone()
            });
        }
        let indices = start..self.submissions.len();
        self.problems.push(PlannedProblem {
            problem: Arc::clone(&planned.problem),
            tests: tests.into(),
            names: names.into(),
            submissions: indices,
        });
    }

    /// The problems in order, each with its position.
    pub fn each_problem(&self) -> impl Iterator<Item = (ProblemIndex, &PlannedProblem)> {
        self.problems.iter().enumerate().map(|(index, planned)| (ProblemIndex(index), planned))
    }

    /// The number of executions if no test is skipped.
    pub fn executions(&self) -> usize {
        self.problems.iter().map(|problem| problem.tests.len() * problem.submissions.len()).sum()
    }
}

impl PlannedProblem {
    /// These tests of a problem, without submissions. A test that the problem does not have is left out.
    pub fn of(problem: Problem, tests: Vec<PlannedTest>) -> Self {
        let planned = Self { problem: Arc::new(problem), tests: tests.into(), names: Arc::new([]), submissions: 0..0 };
        let known = planned.each_test().filter_map(|at| Some((planned.tests[at], planned.test(at)?.id())));
        let (tests, names): (Vec<PlannedTest>, Vec<TestId>) = known.unzip();
        Self { tests: tests.into(), names: names.into(), ..planned }
    }

    /// Its submissions, as positions in the plan.
    pub fn submissions(&self) -> impl Iterator<Item = SubmissionIndex> + use<> {
        SubmissionIndex::each(self.submissions.clone())
    }

    /// The positions of its tests.
    pub fn each_test(&self) -> impl Iterator<Item = TestIndex> + use<> {
        TestIndex::each(0..self.tests.len())
    }

    /// The test at a position; none if the problem no longer has it.
    pub fn test(&self, ordinal: TestIndex) -> Option<Test<'_>> {
        let planned = self.tests.get(ordinal.0)?;
        let group = self.problem.groups.get(planned.group as usize)?;
        match planned.case {
            Some(case) => Some(Test::Case(group, group.cases.get(case as usize)?)),
            None => Some(Test::Static(group, group.static_validation.as_ref()?)),
        }
    }

    /// Returns the most points that a submission can get. Returns none in a pass-fail problem, if points are unbounded,
    /// or if some tests with points are not selected: then no points are reported.
    pub fn max_score(&self) -> Option<f64> {
        let scoring = match self.problem.scoring.as_ref()? {
            Scoring::Points(tree) => tree,
            Scoring::Graded(grading) => {
                let whole = grading.maximises() && self.tests.len() == self.problem.test_count();
                return if whole { grading.most(0) } else { None };
            }
        };
        let counts = |test: &&PlannedTest| {
            let group = &self.problem.groups[test.group as usize];
            scoring.group_of(&group.name).is_some_and(|at| scoring.counts(at))
        };
        let selected = self.tests.iter().filter(counts).count();
        let all: usize =
            (0..scoring.groups.len()).filter(|at| scoring.counts(*at)).map(|at| scoring.groups[at].tests).sum();
        scoring.groups[scoring.total].max_score.filter(|_| selected == all)
    }

    /// The problem's own judge programs: output validators, static validator, grader and input validators, in this
    /// order.
    pub fn judges(&self) -> impl Iterator<Item = &Program> {
        let Problem { static_validator, input_validators, .. } = &*self.problem;
        let output = self.problem.output_judges().map(|judge| &judge.program);
        let input = input_validators.iter().map(|judge| &judge.program);
        output.chain(static_validator).chain(self.problem.grader()).chain(input)
    }
}
