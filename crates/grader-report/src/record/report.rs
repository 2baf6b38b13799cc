//! The report: everything known about a run, folded from its recorded events. It is a second fold beside the ledger's, because
//! `grader report` has only the lines of a record, perhaps of an older version, and no plan.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use super::labelled::LabelledTests;

use crate::diagnostic::{Diagnostic, Severity};
use crate::event::{
    BuildResult, DISTURBING, Event, GroupScore, LeftOut, Measurements, Opinion, ProblemHead, RosterStudent,
    RunFinished, RunStarted, Standing, SubmissionFinished, SubmissionHead, SubmissionRef, SubmissionResult,
    TestFinished, TestResult, UnjudgedReason, Verb,
};
use crate::limits::Bytes;
use crate::problem::{Distances, ProblemId, TestId};
use crate::score::time_limit::{LabelledSubmission, Margins, Side, TestTime};
use crate::verdict::Verdict;

/// Everything known about a run.
#[derive(Debug, Default)]
pub struct Report {
    /// The head; none before the run has started.
    pub head: Option<RunStarted>,
    /// One entry for each planned submission, in plan order.
    pub submissions: Vec<SubmissionReport>,
    /// All notices.
    pub notices: Vec<Diagnostic>,
    /// Whether a signal ended the run early.
    pub interrupted: bool,
    /// Elapsed time of the whole run.
    pub wall: Duration,
    /// The share of the machine that other programs used meanwhile, 0 to 1; none if unknown.
    pub others: Option<f64>,
    /// The problems in which some submission has points. Every row of a class asks for them.
    scored: BTreeSet<ProblemId>,
}

/// The results of one submission.
#[derive(Debug)]
pub struct SubmissionReport {
    /// The submission.
    pub id: SubmissionRef,
    /// Its plan.
    pub head: Arc<SubmissionHead>,
    /// The plan of its problem.
    pub problem: Arc<ProblemHead>,
    /// The result of its build; none before the build has finished.
    pub built: Option<BuildResult>,
    /// One entry for each recorded test, in plan order.
    pub tests: Vec<TestSummary>,
    /// Failing tests in full: the one that decides ([`Self::failure`]), then the first others in plan order. At most
    /// [`SubmissionReport::MOST_FAILURES`].
    pub failures: Vec<TestFinished>,
    /// The first tests that have no answer, in full, so that reports can show the program's output.
    pub unanswered: Vec<TestFinished>,
    /// Accepted tests with a remark, because another judge or another run might reject them: the first test, its first
    /// remark, and the number of such tests.
    pub lenient: Option<(TestId, String, u32)>,
    /// The tests with another verdict by other judges' rules, if the run asked for them.
    pub disputed: Vec<DisputedTest>,
    /// The number of tests that were not needed.
    pub skipped: usize,
    /// The slowest test, with its summary.
    pub slowest: Option<(TestId, TestSummary)>,
    /// The tests that must be within the time limit by the submission's label, which bound the limit from below.
    pub within_limit: LabelledTests,
    /// The tests of which the slowest must be over the limit by the submission's label.
    pub over_limit: LabelledTests,
    /// Its result; none before it has finished.
    pub result: Option<SubmissionResult>,
}

/// A test on which judges disagree.
#[derive(Debug, Clone)]
pub struct DisputedTest {
    /// The test.
    pub test: TestId,
    /// The verdict by the rules of this run.
    pub verdict: Verdict,
    /// The verdicts of the other judges.
    pub others: Vec<Opinion>,
}

/// The most tests without an answer that are kept in full for each submission.
const UNANSWERED: usize = 20;

/// The summary of one test. It is small because a submission may have a hundred thousand tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TestSummary {
    /// Position in plan order.
    pub ordinal: u32,
    /// The verdict; none if the test was not judged or there was a judge error.
    pub verdict: Option<Verdict>,
    /// Whether the result comes from the store.
    pub cached: bool,
    /// Whether the sandbox killed it, so that the time is a lower bound.
    pub killed: bool,
    /// The time as `SubmissionReport::time_of` counts it, in microseconds.
    pub cpu_us: u32,
    /// Peak memory in KiB.
    pub memory_kib: u32,
}

impl TestSummary {
    /// The time as `SubmissionReport::time_of` counts it.
    pub fn cpu(self) -> Duration {
        Duration::from_micros(u64::from(self.cpu_us))
    }
}

impl SubmissionReport {
    /// The most failing tests of a submission that are kept in full.
    pub const MOST_FAILURES: usize = 20;

    /// An entry without any result.
    fn new(id: SubmissionRef, problem: &Arc<ProblemHead>, head: &Arc<SubmissionHead>) -> Self {
        Self {
            id,
            head: Arc::clone(head),
            problem: Arc::clone(problem),
            built: None,
            tests: Vec::new(),
            failures: Vec::new(),
            unanswered: Vec::new(),
            lenient: None,
            disputed: Vec::new(),
            skipped: 0,
            slowest: None,
            within_limit: LabelledTests::new(&head.within_limit),
            over_limit: LabelledTests::new(&head.over_limit),
            result: None,
        }
    }

    /// The command-line word that selects its problem.
    pub fn chosen_by(&self) -> &str {
        self.problem.chosen_by.as_deref().unwrap_or(self.problem.problem.as_str())
    }

    /// The verdict; none before the submission has finished, or if it has none.
    pub fn verdict(&self) -> Option<Verdict> {
        self.result.as_ref()?.verdict
    }

    /// The standing; none before the submission has finished.
    pub fn standing(&self) -> Option<&Standing> {
        self.result.as_ref().map(|result| &result.standing)
    }

    /// The points; none before the submission has finished, and in a pass-fail problem.
    pub fn score(&self) -> Option<f64> {
        self.result.as_ref()?.score
    }

    /// The points of each group; empty in a pass-fail problem.
    pub fn groups(&self) -> &[GroupScore] {
        self.result.as_ref().map_or(&[], |result| &result.groups)
    }

    /// Whether an expected result holds so far only: tests were left out that could still break the expectation.
    pub fn so_far(&self) -> bool {
        self.result.as_ref().is_some_and(|result| result.so_far)
    }

    /// The failing test that decides: the first with a judge error, else the first with an unexpected verdict, else the first.
    pub fn failure(&self) -> Option<&TestFinished> {
        self.failures.first()
    }

    /// The largest memory of all recorded tests.
    pub fn memory(&self) -> Option<Bytes> {
        self.tests.iter().map(|test| test.memory_kib).max().map(|kib| Bytes::kib(u64::from(kib)))
    }

    /// The recorded test at a position in the plan; none if it was skipped.
    pub fn test_at(&self, ordinal: usize) -> Option<&TestSummary> {
        let at = self.tests.binary_search_by_key(&ordinal, |test| test.ordinal as usize);
        at.ok().map(|at| &self.tests[at])
    }

    /// Returns whether the submission needs no attention. It behaves as its author says, or, if nothing is expected,
    /// every test is judged and accepted.
    pub fn is_fine(&self, verb: Verb) -> bool {
        let accepted = || self.verdict() == Some(Verdict::Accepted) && self.unanswered.is_empty();
        self.standing() == Some(&Standing::Met) && (verb == Verb::Run || accepted())
    }

    /// Returns whether the result is incomplete because some tests were not judged: they have no answer, or no output
    /// was submitted for them. Such a submission is accepted on the judged tests, or its points cannot be added up.
    pub fn is_incomplete(&self, scored: bool) -> bool {
        let undecided = self.verdict() == Some(Verdict::Accepted) || (scored && self.score().is_none());
        self.standing() == Some(&Standing::Met) && !self.unanswered.is_empty() && undecided
    }

    /// Whether it ran, and no test has an answer. Its outputs are the result.
    pub fn only_shows(&self) -> bool {
        let is_shown = |test: &TestFinished| {
            matches!(&test.result, TestResult::NotJudged { reason: UnjudgedReason::NoAnswer, files: Some(_), .. })
        };
        let is_all = self.unanswered.len() == self.tests.len().min(UNANSWERED);
        let was_run = matches!(self.standing(), Some(Standing::NotJudged { .. })) && !self.tests.is_empty();
        was_run && is_all && self.unanswered.iter().all(is_shown)
    }

    /// The number of accepted tests.
    pub fn accepted(&self) -> usize {
        self.tests.iter().filter(|test| test.verdict == Some(Verdict::Accepted)).count()
    }

    /// The number of recorded tests that failed.
    pub fn failing(&self) -> usize {
        self.tests.iter().filter(|test| test.verdict.is_some_and(|v| v != Verdict::Accepted)).count()
    }

    /// Returns the result in a word or two: the verdict, or why there is none; none before the submission is over.
    pub fn told(&self) -> Option<&'static str> {
        match (self.standing(), self.verdict()) {
            (Some(Standing::Interrupted) | None, _) => None,
            (Some(Standing::NotJudged { .. }), _) => Some("not judged"),
            (Some(Standing::JudgeError { .. }), _) => Some("judge error"),
            (_, Some(verdict)) => Some(verdict.code()),
            (_, None) => Some("no verdict"),
        }
    }

    /// Whether all results came from the store.
    pub fn cached(&self) -> bool {
        !self.tests.is_empty() && self.tests.iter().all(|test| test.cached)
    }

    /// The time limit for its language; none before its build has finished.
    pub fn time_limit(&self) -> Option<Duration> {
        match &self.built {
            Some(BuildResult::Ready { time_limit, .. }) => Some(*time_limit),
            _ => None,
        }
    }
}

/// The number of submissions by standing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Submissions without an unexpected result.
    pub met: usize,
    /// The number of these whose result is as expected only so far.
    pub so_far: usize,
    /// The number of these without an expectation.
    pub open: usize,
    /// Submissions with an unexpected result.
    pub missed: usize,
    /// Submissions that could not be judged here.
    pub not_judged: usize,
    /// The number of these that ran on tests without answers: their outputs are shown.
    pub unanswered: usize,
    /// Submissions with judge errors.
    pub judge_errors: usize,
    /// Submissions that were not finished.
    pub interrupted: usize,
}

impl Counts {
    /// The submissions of `grader run` without an unexpected result, in words: `2 as expected`, `1 with nothing expected`.
    pub fn fine(&self) -> Vec<String> {
        let so_far = if self.so_far > 0 { " so far" } else { "" };
        let labelled = self.met - self.open;
        let open = (self.open > 0).then(|| format!("{} with nothing expected", self.open));
        let labelled = (labelled > 0 || open.is_none()).then(|| format!("{labelled} as expected{so_far}"));
        labelled.into_iter().chain(open).collect()
    }
}

impl Report {
    /// Adds one recorded event.
    pub fn apply(&mut self, event: &Event) {
        match event {
            Event::RunStarted(head) => self.start(head),
            Event::Notice(notice) => self.notices.push(notice.clone()),
            Event::Built(built) => self.submissions[built.of.index].built = Some(built.result.clone()),
            Event::TestFinished(finished) => self.submissions[finished.test.of.index].add(finished),
            Event::SubmissionFinished(SubmissionFinished { of: submission, result }) => {
                let known = &mut self.submissions[submission.index];
                if result.score.is_some() && !self.scored.contains(&known.id.problem) {
                    self.scored.insert(known.id.problem.clone());
                }
                known.result = Some(result.clone());
            }
            Event::RunFinished(RunFinished { interrupted, measured }) => {
                self.interrupted = *interrupted;
                self.wall = measured.wall;
                self.others = measured.others;
            }
            Event::TestSkipped(skipped) => self.submissions[skipped.test.of.index].skipped += 1,
        }
    }

    fn start(&mut self, head: &RunStarted) {
        let planned =
            head.problems.iter().flat_map(|problem| problem.submissions.iter().map(move |head| (problem, head)));
        let entries = head.submissions().into_iter().zip(planned);
        self.submissions = entries.map(|(id, (problem, head))| SubmissionReport::new(id, problem, head)).collect();
        self.head = Some(head.clone());
    }

    /// The purpose of the run.
    pub fn verb(&self) -> Verb {
        self.head.as_ref().map_or(Verb::Run, |head| head.verb)
    }

    /// Returns one line that says that other programs kept the machine busy; none if they did not, or if nothing was
    /// measured: times under sanitizers are not measurements.
    pub fn disturbance(&self) -> Option<String> {
        let share = self.others.filter(|share| *share > DISTURBING)?;
        let (results, cached) = self.results();
        let percent = (share * 100.0).round();
        let is_sanitized = self.head.as_ref().is_some_and(|head| head.sanitize);
        (cached < results && !is_sanitized)
            .then(|| format!("other programs used {percent} % of this machine during the run: times may be too high"))
    }

    /// Returns the submissions that could not be judged in the form in which they were submitted.
    pub fn left_out(&self) -> &[LeftOut] {
        self.head.as_ref().map_or(&[], |head| &head.left_out)
    }

    /// Returns whether a student has submitted something that belongs to no problem, so that the sum of the points is
    /// unknown.
    pub fn has_unmatched(&self, student: &str) -> bool {
        self.left_out().iter().any(|out| out.student == student && out.problem.is_none())
    }

    /// Returns the students of the roster who submitted nothing.
    pub fn without_submission(&self) -> Vec<&RosterStudent> {
        let authors: BTreeSet<&str> =
            self.submissions.iter().filter_map(|submission| submission.head.student.as_deref()).collect();
        let left_out: BTreeSet<&str> = self.left_out().iter().map(|out| &*out.student).collect();
        let has_none =
            |student: &&RosterStudent| !authors.contains(&*student.student) && !left_out.contains(&*student.student);
        self.head.iter().flat_map(|head| &head.roster).filter(has_none).collect()
    }

    /// Returns every problem with submissions, each once: first the judged problems, then those that could not be
    /// judged.
    pub fn problems(&self) -> Vec<&ProblemId> {
        let judged = self.head.iter().flat_map(|head| &head.problems).map(|head| &head.problem);
        let mut problems = Vec::new();
        for problem in judged.chain(self.left_out().iter().filter_map(|out| out.problem.as_ref())) {
            if !problems.contains(&problem) {
                problems.push(problem);
            }
        }
        problems
    }

    /// Whether a problem has points, bounded or not.
    pub fn is_scored(&self, head: &ProblemHead) -> bool {
        head.max_score.is_some() || self.scored.contains(&head.problem)
    }

    /// Counts the submissions by standing.
    pub fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        for submission in &self.submissions {
            match submission.standing() {
                Some(Standing::Met) => {
                    counts.met += 1;
                    counts.so_far += usize::from(submission.so_far());
                    counts.open += usize::from(submission.head.open);
                }
                Some(Standing::Missed { .. }) => counts.missed += 1,
                Some(Standing::NotJudged { .. }) => {
                    counts.not_judged += 1;
                    counts.unanswered += usize::from(submission.only_shows());
                }
                Some(Standing::JudgeError { .. }) => counts.judge_errors += 1,
                Some(Standing::Interrupted) | None => counts.interrupted += 1,
            }
        }
        counts
    }

    /// Whether there was a judge error.
    pub fn has_judge_errors(&self) -> bool {
        self.counts().judge_errors > 0 || self.notices_from(Severity::JudgeError) > 0
    }

    /// The number of notices of at least this severity.
    pub fn notices_from(&self, severity: Severity) -> usize {
        self.notices.iter().filter(|notice| notice.severity >= severity).count()
    }

    /// The languages of all submissions that could be run, each with the version and the path of its compiler or
    /// interpreter.
    pub fn languages(&self) -> BTreeMap<&str, (&str, Option<&Path>)> {
        let ready = self.submissions.iter().filter_map(|submission| match &submission.built {
            Some(BuildResult::Ready { language, version, measured, .. }) if !version.is_empty() => {
                Some((&**language, (&**version, measured.place.as_deref())))
            }
            _ => None,
        });
        ready.collect()
    }

    /// The number of tests with a result, and how many of those came from the store.
    pub fn results(&self) -> (usize, usize) {
        let tests = self.submissions.iter().flat_map(|submission| &submission.tests);
        tests.fold((0, 0), |(all, cached), test| (all + 1, cached + usize::from(test.cached)))
    }
}

impl SubmissionReport {
    fn fail(&mut self, finished: &TestFinished) {
        let rank = |failure: &TestFinished| match failure.result {
            TestResult::JudgeError { .. } => 2,
            _ => u8::from(failure.unexpected),
        };
        if self.failures.first().is_some_and(|first| rank(finished) > rank(first)) {
            self.failures.insert(0, finished.clone());
            self.failures.truncate(Self::MOST_FAILURES);
        } else if self.failures.len() < Self::MOST_FAILURES {
            self.failures.push(finished.clone());
        }
    }

    /// The time limit of a test with these measurements.
    fn limit_of(&self, measured: &Measurements) -> Option<Duration> {
        measured.time_limit.or(self.time_limit())
    }

    /// The time of a test as every report shows it and every margin counts it: user + system time. A test that was
    /// stopped for its elapsed time, such as a deadlock, counts like one that was killed at its CPU time.
    pub fn time_of(&self, verdict: Option<Verdict>, measured: &Measurements) -> Duration {
        let is_stopped = measured.killed && verdict == Some(Verdict::TimeLimit);
        let least = self.limit_of(measured).filter(|_| is_stopped).map(|limit| limit.mul_f64(self.problem.killed_at()));
        measured.cpu.max(least.unwrap_or_default())
    }

    /// Returns the submission in the form that the margins of the time limit need; none if its label says nothing about
    /// this side.
    pub fn labelled(&self, side: Side) -> Option<LabelledSubmission> {
        let tests = match side {
            Side::Within => &self.within_limit,
            Side::Over => &self.over_limit,
        };
        tests.labelled(&self.id.submission, side, self.standing(), self.skipped == 0)
    }

    fn add(&mut self, finished: &TestFinished) {
        let nothing = Measurements::default();
        let (verdict, measured) = match &finished.result {
            TestResult::Judged(judgement) => (Some(judgement.verdict), &judgement.measured),
            TestResult::NotJudged { measured, .. } => (None, measured),
            TestResult::JudgeError { .. } | TestResult::Cancelled => (None, &nothing),
        };
        let time = self.time_of(verdict, measured);
        let cpu_us = u32::try_from(time.as_micros()).unwrap_or(u32::MAX);
        if let TestResult::Judged(judgement) = &finished.result {
            if !judgement.others.is_empty() {
                let test = finished.test.test.clone();
                let others = judgement.others.clone();
                self.disputed.push(DisputedTest { test, verdict: judgement.verdict, others });
            }
            if judgement.verdict != Verdict::Accepted {
                self.fail(finished);
            }
            if judgement.verdict == Verdict::Accepted
                && let Some(remark) = judgement.all_remarks().next()
            {
                let first = || (finished.test.test.clone(), remark.to_owned(), 0);
                self.lenient.get_or_insert_with(first).2 += 1;
            }
        } else if matches!(finished.result, TestResult::NotJudged { .. }) {
            if self.unanswered.len() < UNANSWERED {
                self.unanswered.push(finished.clone());
            }
        } else {
            self.fail(finished);
        }
        let summary = TestSummary {
            ordinal: u32::try_from(finished.test.ordinal.0).unwrap_or(u32::MAX),
            verdict,
            cached: measured.cached,
            killed: measured.killed,
            cpu_us,
            memory_kib: u32::try_from(measured.memory.0.div_ceil(1024)).unwrap_or(u32::MAX),
        };
        if self.slowest.as_ref().is_none_or(|(_, slowest)| slowest.cpu_us < cpu_us) {
            self.slowest = Some((finished.test.test.clone(), summary));
        }
        if let Some(limit) = self.limit_of(measured) {
            for side in [&mut self.within_limit, &mut self.over_limit] {
                let timed = TestTime { test: finished.test.test.to_string(), time, limit, killed: measured.killed };
                side.add(verdict, timed);
            }
        }
        self.tests.push(summary);
    }
}

/// Returns the margins of a problem's time limit; none if no label says anything about the limit. Also none for records
/// of versions that did not state the required distances.
pub fn margins_of(head: &ProblemHead, submissions: &[SubmissionReport]) -> Option<Margins> {
    let factors = head.margins.filter(|_| !head.outputs)?;
    let labelled = submissions
        .iter()
        .flat_map(|submission| [Side::Within, Side::Over].into_iter().filter_map(|side| submission.labelled(side)));
    let distances = Distances {
        ac_to_time_limit: factors.ac_to_time_limit,
        time_limit_to_tle: factors.time_limit_to_tle,
        ..Distances::default()
    };
    Margins::of(labelled, distances)
}
