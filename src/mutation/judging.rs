//! Runs programs on the cases of a problem, each until the first case that it fails.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};

use crate::event::{BuildResult, Standing, TestRef, TestResult, Verb};
use crate::plan::{Plan, PlannedProblem};
use crate::problem::{Problem, Submission, TestId};
use crate::record::{Report, Reporter, SubmissionReport};
use crate::session::brake::Brake;
use crate::session::{Role, RunEnd, Session};
use crate::strength::{CaseUse, Fate, MutantResult};
use crate::verdict::Verdict;
use crate::workspace::Workspace;
use crate::workspace::ending::EarlyEnd;
use crate::workspace::listener::{Listener, Progress};

/// The cases of a problem, in an order that finds wrong programs soon.
pub(super) struct Judging {
    workspace: Workspace,
    problem: Arc<Problem>,
    all_tests: bool,
    /// In plan order.
    cases: Vec<CaseFacts>,
}

struct CaseFacts {
    name: TestId,
    group: String,
    is_sample: bool,
    /// The number of mutants that it has killed so far.
    kills: u64,
    /// The longest time that an original takes.
    time: Duration,
}

/// The result of a program.
pub(super) struct JudgedProgram {
    /// None if it was not judged in time.
    pub(super) fate: Option<Fate>,
    /// User + system time on all cases that ran.
    pub(super) time: Duration,
}

impl Judging {
    /// Prepares the cases of a problem that has a time limit.
    pub(super) fn new(workspace: &Workspace, problem: &Arc<Problem>, all_tests: bool) -> Result<Self> {
        let mut workspace = workspace.clone();
        // Over the limit is over the limit: how far does not matter.
        workspace.settings.time_limit_to_tle = 1.0;
        // The inputs are those of the problem, and points do not matter: a mutant dies of any case that it fails.
        let problem =
            Problem { input_validators: Vec::new(), scoring: None, timing: problem.timing, ..Problem::clone(problem) };
        let cases: Vec<CaseFacts> = problem
            .tests()
            .map(|test| CaseFacts {
                name: test.id(),
                group: test.group().name.to_string(),
                is_sample: test.is_sample(),
                kills: 0,
                time: Duration::ZERO,
            })
            .collect();
        if cases.is_empty() {
            bail!("{} has no cases\n  → add some: grader add {}", problem.id, problem.id);
        }
        Ok(Self { workspace, problem: Arc::new(problem), all_tests, cases })
    }

    /// Fails unless these submissions are accepted on every case. Their times order the cases.
    pub(super) fn expect_accepted(&mut self, originals: &[Submission]) -> Result<()> {
        let order: Vec<usize> = (0..self.cases.len()).collect();
        let report = self.run(originals, &order, true, None)?;
        for submission in &report.submissions {
            if let Some(why) = not_accepted(submission) {
                bail!(
                    "{} is not accepted, so its mutants say nothing: {why}\n  → see the details: grader run {} -s {}",
                    submission.id.submission,
                    self.problem.id,
                    submission.id.submission
                );
            }
            for test in &submission.tests {
                let case = &mut self.cases[test.ordinal as usize];
                case.time = case.time.max(test.cpu());
            }
        }
        Ok(())
    }

    /// The submissions that are accepted on every case.
    pub(super) fn accepted(&self, submissions: &[Submission]) -> Result<Vec<Submission>> {
        if submissions.is_empty() {
            return Ok(Vec::new());
        }
        let order: Vec<usize> = (0..self.cases.len()).collect();
        let report = self.run(submissions, &order, true, None)?;
        let judged = submissions.iter().zip(&report.submissions);
        Ok(judged
            .filter(|(_, found)| not_accepted(found).is_none())
            .map(|(submission, _)| submission.clone())
            .collect())
    }

    /// Judges each program until `end`.
    pub(super) fn fates(&mut self, programs: &[Submission], end: Instant) -> Result<Vec<JudgedProgram>> {
        let order = self.order();
        let report = self.run(programs, &order, self.all_tests, Some(end))?;
        let judged = |found: &SubmissionReport| JudgedProgram {
            fate: self.fate(found, &order),
            time: found.tests.iter().map(|test| test.cpu()).sum(),
        };
        let judged: Vec<JudgedProgram> = report.submissions.iter().map(judged).collect();
        for program in &judged {
            if let Some(Fate::Killed { by, .. }) = &program.fate {
                for case in by {
                    self.cases[*case].kills += 1;
                }
            }
        }
        Ok(judged)
    }

    /// The cases that each program fails, by position, as far as they run until `end`; none for all cases.
    pub(super) fn failures(
        &self,
        programs: &[Submission],
        end: Option<Instant>,
    ) -> Result<Vec<BTreeMap<usize, Verdict>>> {
        let order: Vec<usize> = (0..self.cases.len()).collect();
        let report = self.run(programs, &order, true, end)?;
        Ok(report.submissions.iter().map(|found| failed(found, &order).collect()).collect())
    }

    /// Samples come first, so that it is known what they kill. Of the others those come first that have killed most, and
    /// then those that take least time.
    fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.cases.len()).collect();
        order.sort_by_key(|at| {
            let case = &self.cases[*at];
            (!case.is_sample, u64::MAX - case.kills, case.time)
        });
        order
    }

    fn fate(&self, found: &SubmissionReport, order: &[usize]) -> Option<Fate> {
        match found.built {
            Some(BuildResult::Ready { .. }) => {}
            Some(BuildResult::CompileError { .. }) => return Some(Fate::NotBuilt),
            _ => {
                return match found.standing() {
                    Some(Standing::NotJudged { reason }) => Some(Fate::NotJudged { reason: reason.clone() }),
                    Some(Standing::JudgeError { message }) => Some(Fate::NotJudged { reason: message.clone() }),
                    _ => None,
                };
            }
        }
        let killers: Vec<(usize, Verdict)> = failed(found, order).collect();
        if let Some((first, verdict)) = killers.first() {
            let by = killers.iter().map(|(case, _)| *case).collect();
            let ran: BTreeSet<usize> = found.tests.iter().map(|test| order[test.ordinal as usize]).collect();
            let not_run = (0..self.cases.len()).filter(|case| self.all_tests && !ran.contains(case)).collect();
            let case = self.cases[*first].name.to_string();
            return Some(Fate::Killed { case, verdict: *verdict, by, not_run });
        }
        match found.standing()? {
            Standing::Met | Standing::Missed { .. } => {
                let is_whole = found.tests.len() == order.len();
                is_whole.then_some(Fate::Survived { input: None, inputs: 0 })
            }
            Standing::NotJudged { reason } => Some(Fate::NotJudged { reason: reason.clone() }),
            Standing::JudgeError { message } => Some(Fate::NotJudged { reason: message.clone() }),
            Standing::Interrupted => None,
        }
    }

    fn run(&self, programs: &[Submission], order: &[usize], all_tests: bool, end: Option<Instant>) -> Result<Report> {
        let mut plan = Plan { all_tests, ..Plan::default() };
        plan.add(Arc::clone(&self.problem), |_| true, programs.iter().map(|program| (program.clone(), false)));
        for planned in &mut plan.problems {
            reorder(planned, order);
        }
        let brake = Brake::default();
        let follower = Watch { end, brake: brake.clone(), listener: self.workspace.listener() };
        let session =
            Session { brake, ..Session::new(self.workspace.clone(), Role::Inner(Verb::Run), None, Vec::new(), plan) };
        let RunEnd { report, signal } = session.conduct(vec![Box::new(follower)])?;
        match signal {
            Some(signal) => Err(EarlyEnd::Interrupted(signal).into()),
            None => Ok(report),
        }
    }

    /// The mutants that each case has killed.
    pub(super) fn cases(&self, results: &[MutantResult]) -> Vec<CaseUse> {
        let mut uses: Vec<CaseUse> = self
            .cases
            .iter()
            .map(|case| CaseUse {
                case: case.name.to_string(),
                group: case.group.clone(),
                is_sample: case.is_sample,
                kills: 0,
                not_run: 0,
            })
            .collect();
        for result in results {
            if let Fate::Killed { by, not_run, .. } = &result.fate {
                for case in by {
                    uses[*case].kills += 1;
                }
                for case in not_run {
                    uses[*case].not_run += 1;
                }
            }
        }
        uses
    }
}

/// The cases that a program fails, with its verdicts there. `order` is that of the cases.
fn failed<'a>(found: &'a SubmissionReport, order: &'a [usize]) -> impl Iterator<Item = (usize, Verdict)> + 'a {
    found.tests.iter().filter_map(|test| {
        let verdict = test.verdict.filter(|verdict| *verdict != Verdict::Accepted)?;
        Some((order[test.ordinal as usize], verdict))
    })
}

/// Puts the tests of a problem in another order.
fn reorder(planned: &mut PlannedProblem, order: &[usize]) {
    planned.tests = order.iter().map(|at| planned.tests[*at]).collect();
    planned.names = order.iter().map(|at| planned.names[*at].clone()).collect();
}

/// Why a submission is not accepted on every case; none if it is.
fn not_accepted(submission: &SubmissionReport) -> Option<String> {
    match submission.standing() {
        Some(Standing::Met) => None,
        Some(Standing::Missed { why }) => {
            let on = submission.failure().map(|failure| format!(" on {}", failure.test.test)).unwrap_or_default();
            Some(format!("{why}{on}"))
        }
        Some(Standing::NotJudged { reason }) => Some(format!("not judged: {reason}")),
        Some(Standing::JudgeError { message }) => Some(message.clone()),
        Some(Standing::Interrupted) | None => Some("interrupted".to_owned()),
    }
}

/// Ends a run in time, and reports its progress.
struct Watch {
    end: Option<Instant>,
    brake: Brake,
    listener: Arc<dyn Listener>,
}

impl Watch {
    fn look(&self) {
        if self.end.is_some_and(|end| Instant::now() >= end) {
            self.brake.pull();
        }
    }
}

impl Reporter for Watch {
    fn test_started(&mut self, test: &TestRef) -> io::Result<()> {
        self.look();
        self.listener.progress(Progress::Doing(test.of.submission.as_str()));
        Ok(())
    }

    fn test_finished(&mut self, _: &TestRef, _: &TestResult) -> io::Result<()> {
        self.look();
        Ok(())
    }

    fn submission(&mut self, _: &crate::record::FinishedSubmission<'_>) -> io::Result<()> {
        self.listener.progress(Progress::Done);
        Ok(())
    }

    fn finish(&mut self, _: &Report) -> io::Result<()> {
        Ok(())
    }
}
