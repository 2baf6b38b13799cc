//! `JUnit` XML, which every CI reads: a suite for each submission, a case for each test.
//!
//! In `run` the claim is "this submission does what its author says", so only what is unexpected fails; in `judge` every
//! verdict but AC does. What could not be executed is an error, not a failure.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use quick_junit::{NonSuccessKind, Property, TestCase, TestCaseStatus, TestRerun, TestSuite};

use super::Report;
use super::document::{Document, Finished, Tested};
use super::failure::{self, Look, below, clean, reason};
use super::text::Line;
use crate::event::{
    BuildResult, Judgement, LeftOut, Measured, Notice, Severity, Standing, TestFinished, TestResult, Verb,
};
use crate::limits::seconds;
use crate::verdict::Verdict;

/// Failing tests of one submission that are explained; of the rest there is the reason.
const EXPLAINED: usize = 20;

/// The document in the making.
#[derive(Debug)]
pub struct Junit {
    look: Look,
    /// Paths are shown as from here.
    here: PathBuf,
    /// What cannot be judged here is an error in `run` too, and so are warnings.
    strict: bool,
    suites: Vec<TestSuite>,
}

impl Junit {
    /// `look` is for the explanations; `strict`: warnings are errors, and so is in `run` what cannot be judged here;
    /// paths are shown as from `here`.
    pub fn new(look: Look, strict: bool, here: PathBuf) -> Self {
        Self { look, here, strict, suites: Vec::new() }
    }
}

impl Document for Junit {
    fn submission(&mut self, of: &Finished<'_>) {
        self.suites.push(Suite { of, look: &self.look, strict: self.strict }.make());
    }

    fn text(&mut self, report: &Report) -> io::Result<Vec<u8>> {
        let mut whole = quick_junit::Report::new("grader");
        whole.timestamp = report.head.as_ref().and_then(|head| head.measured.started.parse().ok());
        whole.set_time(report.wall);
        whole.add_test_suites(std::mem::take(&mut self.suites));
        let floor = if self.strict { Severity::Warning } else { Severity::Error };
        let notices: Vec<&Notice> = report.notices.iter().filter(|notice| notice.severity >= floor).collect();
        if !notices.is_empty() {
            whole.add_test_suite(of_notices(&notices, &self.here));
        }
        if !report.left_out().is_empty() {
            whole.add_test_suite(of_left_out(report.left_out()));
        }
        let mut text = Vec::new();
        whole.serialize(&mut text).map_err(io::Error::other)?;
        Ok(text)
    }
}

/// Errors outside of any verdict: a report without them would look as if all were well.
fn of_notices(notices: &[&Notice], here: &Path) -> TestSuite {
    let mut suite = TestSuite::new("notices");
    for (n, notice) in notices.iter().enumerate() {
        let path = notice.path.as_ref().map(|path| below(path, here).display().to_string());
        let problem = notice.problem.as_ref().map(ToString::to_string);
        let name = [problem, path].into_iter().flatten().collect::<Vec<_>>().join(": ");
        let name = if name.is_empty() { format!("notice {}", n + 1) } else { name };
        let text = if notice.remedy.is_empty() {
            notice.message.clone()
        } else {
            format!("{}\n{}", notice.message, notice.remedy)
        };
        let ty = match notice.severity {
            Severity::JudgeError => "judge error",
            Severity::Error => "error",
            Severity::Warning | Severity::Info => "warning",
        };
        let status = non_success(NonSuccessKind::Error, ty, &notice.message, &lines_of(&text));
        let mut case = TestCase::new(clean(&name), status);
        case.set_classname("grader");
        suite.add_test_case(case);
    }
    suite
}

/// What was handed in and is in no other suite, because it could not be judged.
fn of_left_out(left_out: &[LeftOut]) -> TestSuite {
    let mut suite = TestSuite::new("left out");
    for out in left_out {
        let status = non_success(NonSuccessKind::Error, "not judged", &out.why, &[]);
        let mut case = TestCase::new(clean(&out.student), status);
        case.set_classname(clean(out.problem.as_ref().map_or("grader", |problem| problem.as_str())));
        suite.add_test_case(case);
    }
    suite
}

/// One suite in the making.
struct Suite<'a> {
    of: &'a Finished<'a>,
    look: &'a Look,
    strict: bool,
}

impl Suite<'_> {
    fn make(&self) -> TestSuite {
        let run = self.of.run;
        let [problem, submission] = [run.run.problem.as_str(), run.run.submission.as_str()].map(clean);
        let mut suite = TestSuite::new(format!("{problem}/{submission}"));
        suite.add_properties(self.properties());
        let mut time = Duration::ZERO;
        if let Some(case) = self.whole() {
            suite.add_test_case(self.case("submission", case));
        }
        let mut failing = 0;
        for test in self.of.tests {
            let mut case = self.case(test.name(), self.status(test, failing < EXPLAINED));
            failing += usize::from(matches!(case.status, TestCaseStatus::NonSuccess { .. }));
            if let Some((measured, score)) = figures(test) {
                time += measured.wall;
                case.set_time(measured.wall);
                case.add_properties(properties(test, measured, score));
            }
            suite.add_test_case(case);
        }
        suite.set_time(time);
        suite
    }

    fn case(&self, name: &str, status: TestCaseStatus) -> TestCase {
        let run = &self.of.run.run;
        let mut case = TestCase::new(clean(name), status);
        case.set_classname(format!("{}.{}", clean(run.problem.as_str()), clean(run.submission.as_str())));
        case
    }

    fn properties(&self) -> Vec<Property> {
        let Finished { head, run, problem, .. } = self.of;
        let mut list = vec![Property::new("memory_limit_bytes", problem.memory.0.to_string())];
        let mut add = |name: &str, value: Option<String>| {
            list.extend(value.map(|value| Property::new(name, clean(&value))));
        };
        add("isolation", Some(head.isolation.clone()));
        add("expected", Some(run.expected.clone()));
        add("verdict", run.verdict.map(|verdict| verdict.code().to_owned()));
        add("student", run.student.clone());
        add("score", run.score.map(|score| score.to_string()));
        add("max_score", problem.max_score.map(|score| score.to_string()));
        if let Some(BuildResult::Ready { language, version, time_limit, .. }) = &run.built {
            add("language", Some(language.clone()));
            add("language_version", Some(version.clone()));
            add("time_limit_seconds", Some(time_limit.as_secs_f64().to_string()));
        }
        list
    }

    fn judging(&self) -> bool {
        self.of.head.verb == Verb::Judge
    }

    /// The case about the submission as a whole, where no single test says it.
    fn whole(&self) -> Option<TestCaseStatus> {
        use NonSuccessKind::{Error, Failure};
        let run = self.of.run;
        let explained = || failure::of_submission(run, self.look);
        match &run.standing {
            // The test at which it failed says so itself.
            Some(Standing::JudgeError { .. }) if self.of.tests.iter().any(is_judge_error) => None,
            Some(Standing::JudgeError { message }) => Some(non_success(Error, "judge error", message, &explained())),
            Some(Standing::Interrupted) | None => {
                Some(non_success(Error, "interrupted", "the run ended before this was decided", &[]))
            }
            Some(Standing::NotJudged { reason }) if self.judging() || self.strict => {
                Some(non_success(Error, "not judged", reason, &[]))
            }
            Some(Standing::NotJudged { reason }) => Some(skipped(reason)),
            Some(standing) => {
                let why = match standing {
                    Standing::Missed { why } => Some(why.as_str()),
                    _ => None,
                };
                let compile_error = run.verdict == Some(Verdict::CompileError);
                match why {
                    _ if compile_error && (self.judging() || why.is_some()) => {
                        Some(non_success(Error, "CE", why.unwrap_or("it does not compile"), &explained()))
                    }
                    // Which of its tests would have to fail nobody can say: it is the whole that is unexpected.
                    Some(why) if !self.tests_say_it() => {
                        let ty = run.verdict.map_or("unexpected", Verdict::code);
                        Some(non_success(Failure, ty, why, &explained()))
                    }
                    _ if self.of.tests.is_empty() => Some(TestCaseStatus::success()),
                    _ => None,
                }
            }
        }
    }

    /// What is wrong shows in the tests themselves: each had to be accepted, and some is not.
    fn tests_say_it(&self) -> bool {
        self.judging() || (self.expects_accepted() && self.of.run.failing() > 0)
    }

    /// Each test has to be accepted, and nobody has forgiven that one is not.
    fn expects_accepted(&self) -> bool {
        self.of.run.expected == Verdict::Accepted.code() && self.of.run.standing != Some(Standing::Met)
    }

    fn status(&self, test: &Tested, explained: bool) -> TestCaseStatus {
        let finished = match test {
            Tested::Finished(finished) => finished,
            Tested::Skipped(test) => return skipped(&format!("not needed after {}", test.after)),
        };
        match &finished.result {
            TestResult::Judged(judgement) => self.judged(finished, judgement, explained),
            TestResult::NotJudged { reason, .. } if self.judging() => {
                non_success(NonSuccessKind::Error, "not judged", reason, &[])
            }
            TestResult::NotJudged { reason, .. } => skipped(reason),
            TestResult::JudgeError { message } => {
                non_success(NonSuccessKind::Error, "judge error", message, &lines_of(message))
            }
            TestResult::Cancelled => skipped("interrupted"),
        }
    }

    fn judged(&self, finished: &TestFinished, judgement: &Judgement, explained: bool) -> TestCaseStatus {
        let verdict = judgement.verdict;
        let fails = verdict != Verdict::Accepted && (self.judging() || self.expects_accepted());
        let mut status = if fails {
            let text = if explained { failure::of_test(finished, self.look) } else { Vec::new() };
            non_success(NonSuccessKind::Failure, verdict.code(), &reason(judgement), &text)
        } else {
            TestCaseStatus::success()
        };
        status.add_reruns(self.reruns(judgement));
        status
    }

    /// The runs that were over the limit of an accepted test that was run again; all but one of a failing test.
    fn reruns(&self, judgement: &Judgement) -> Vec<TestRerun> {
        let Some(limit) = self.of.run.time_limit() else { return Vec::new() };
        if !matches!(judgement.verdict, Verdict::Accepted | Verdict::TimeLimit) {
            return Vec::new();
        }
        let over = judgement.measured.times.iter().filter(|time| **time > limit);
        let counted = usize::from(judgement.verdict == Verdict::TimeLimit);
        over.skip(counted)
            .map(|time| {
                let mut rerun = TestRerun::new(NonSuccessKind::Failure);
                rerun.set_type(Verdict::TimeLimit.code()).set_time(*time);
                rerun.set_message(format!("{} of {} cpu time", seconds(*time), seconds(limit)));
                rerun
            })
            .collect()
    }
}

fn is_judge_error(test: &Tested) -> bool {
    matches!(test, Tested::Finished(TestFinished { result: TestResult::JudgeError { .. }, .. }))
}

/// The figures of a test that was run, and its points.
fn figures(test: &Tested) -> Option<(&Measured, Option<f64>)> {
    let Tested::Finished(finished) = test else { return None };
    match &finished.result {
        TestResult::Judged(judgement) => Some((&judgement.measured, judgement.score)),
        TestResult::NotJudged { measured, .. } => Some((measured, None)),
        TestResult::JudgeError { .. } | TestResult::Cancelled => None,
    }
}

fn properties(test: &Tested, measured: &Measured, score: Option<f64>) -> Vec<Property> {
    let mut list = Vec::new();
    if let Tested::Finished(TestFinished { result: TestResult::Judged(judgement), .. }) = test {
        list.push(Property::new("verdict", judgement.verdict.code()));
        let remarks: Vec<&str> = judgement.all_remarks().collect();
        if !remarks.is_empty() {
            list.push(Property::new("remark", clean(&remarks.join("; "))));
        }
    }
    list.push(Property::new("cpu_seconds", measured.cpu.as_secs_f64().to_string()));
    list.push(Property::new("wall_seconds", measured.wall.as_secs_f64().to_string()));
    list.push(Property::new("memory_bytes", measured.memory.0.to_string()));
    list.extend(measured.cached.then(|| Property::new("cached", "true")));
    list.extend(score.map(|score| Property::new("score", score.to_string())));
    list
}

fn skipped(why: &str) -> TestCaseStatus {
    let mut status = TestCaseStatus::skipped();
    status.set_message(clean(why));
    status
}

fn non_success(kind: NonSuccessKind, ty: &str, message: &str, text: &[Line]) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(kind);
    status.set_type(ty).set_message(clean(message.lines().next().unwrap_or_default()));
    if !text.is_empty() {
        let text: Vec<String> = text.iter().map(|line| line.plain().trim_end().to_owned()).collect();
        status.set_description(text.join("\n"));
    }
    status
}

/// Somebody's words, made harmless, line by line.
fn lines_of(text: &str) -> Vec<Line> {
    text.lines().map(|line| Line::from(clean(line).as_str())).collect()
}
