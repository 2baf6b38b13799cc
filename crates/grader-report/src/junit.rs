//! Writes `JUnit` XML, which every CI reads: a suite for each submission, a case for each test.
//!
//! In `run` the claim is "this submission does what its author says", so only unexpected results are failures. In
//! `judge` every verdict but AC is a failure. A test or submission that could not be executed is an error, not a
//! failure.

mod xml;

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::document::Document;
use super::failure::{self, Look, below, clean, reason};
use super::grade::number;
use super::text::Line;
use crate::diagnostic::{Diagnostic, Severity};
use crate::event::{
    BuildResult, Judgement, LeftOut, Measurements, RosterStudent, Standing, TestFinished, TestResult, Verb,
};
use crate::limits::seconds;
use crate::record::Report;
use crate::record::{FinishedSubmission, TestRow};
use crate::verdict::Verdict;
use xml::{Case, Class, Property, Status, Suite, Wrong};

/// The most failing tests of one submission that are explained in full; the others get only the reason.
const EXPLAINED: usize = 20;

/// The `JUnit` document under construction.
#[derive(Debug)]
pub(crate) struct Junit {
    look: Look,
    /// Paths are shown relative to this directory.
    here: PathBuf,
    /// If set, warnings are errors, and so are submissions in `run` that cannot be judged here.
    strict: bool,
    suites: Vec<Suite>,
}

impl Junit {
    /// `look` sets the style of explanations. `strict`: warnings are errors, and so are submissions in `run` that
    /// cannot be judged here. Paths are shown relative to `here`.
    pub(crate) fn new(look: Look, strict: bool, here: PathBuf) -> Self {
        Self { look, here, strict, suites: Vec::new() }
    }
}

impl Document for Junit {
    fn submission(&mut self, of: &FinishedSubmission<'_>) {
        self.suites.push(Tests { of, look: &self.look, strict: self.strict }.suite());
    }

    fn text(&mut self, report: &Report) -> io::Result<Vec<u8>> {
        let mut suites = std::mem::take(&mut self.suites);
        let floor = if self.strict { Severity::Warning } else { Severity::Error };
        let notices: Vec<&Diagnostic> = report.notices.iter().filter(|notice| notice.severity >= floor).collect();
        suites.extend((!notices.is_empty()).then(|| of_notices(&notices, &self.here)));
        suites.extend((!report.left_out().is_empty()).then(|| of_left_out(report.left_out())));
        let absent = report.without_submission();
        suites.extend((!absent.is_empty()).then(|| of_absent(&absent)));
        let started = report.head.as_ref().map(|head| head.measured.started.as_str());
        xml::document(&suites, started, report.wall)
    }
}

/// A suite of errors that belong to no verdict. Without it, the report would look as if the run had no errors.
fn of_notices(notices: &[&Diagnostic], here: &Path) -> Suite {
    let case = |(n, notice): (usize, &&Diagnostic)| {
        let path = notice.path.as_ref().map(|path| below(path, here).display().to_string());
        let problem = notice.problem.as_ref().map(ToString::to_string);
        let name = [problem, path].into_iter().flatten().collect::<Vec<_>>().join(": ");
        let name = if name.is_empty() { format!("notice {}", n + 1) } else { name };
        let text = if notice.remedy.is_empty() {
            notice.message.clone()
        } else {
            format!("{}\n{}", notice.message, notice.remedy)
        };
        let kind = match notice.severity {
            Severity::JudgeError => "judge error",
            Severity::Error => "error",
            Severity::Warning | Severity::Info => "warning",
        };
        not_run(&name, ["grader", "notices"], error(kind, &notice.message, &lines_of(&text)))
    };
    let cases = notices.iter().enumerate().map(case).collect();
    Suite { name: "notices".to_owned(), properties: Vec::new(), cases, time: Duration::ZERO }
}

/// A suite of submissions that are in no other suite because they could not be judged.
fn of_left_out(left_out: &[LeftOut]) -> Suite {
    let case = |out: &LeftOut| {
        let package = out.problem.as_ref().map_or("grader", |problem| problem.as_str());
        let text: Vec<&str> = Some(&*out.text).filter(|text| !text.is_empty()).into_iter().collect();
        not_run(&out.student, [package, "left out"], error("not judged", &out.why, &lines_of(&text.concat())))
    };
    let cases = left_out.iter().map(case).collect();
    Suite { name: "left out".to_owned(), properties: Vec::new(), cases, time: Duration::ZERO }
}

/// A suite of the students of the roster who submitted nothing.
fn of_absent(students: &[&RosterStudent]) -> Suite {
    let case = |student: &&RosterStudent| {
        not_run(&student.student, ["grader", "not submitted"], Status::Skipped { message: "no submission".to_owned() })
    };
    let cases = students.iter().map(case).collect();
    Suite { name: "not submitted".to_owned(), properties: Vec::new(), cases, time: Duration::ZERO }
}

/// A case that does not stand for a test.
fn not_run(name: &str, [package, class]: [&str; 2], status: Status) -> Case {
    let class = Class { package: clean(package), class: class.to_owned() };
    Case { name: clean(name), class, status, time: None, overruns: Vec::new(), figures: Vec::new() }
}

/// Builds the suite of one submission.
struct Tests<'a> {
    of: &'a FinishedSubmission<'a>,
    look: &'a Look,
    strict: bool,
}

impl Tests<'_> {
    fn suite(&self) -> Suite {
        let report = self.of.submission;
        let [problem, submission] = [report.id.problem.as_str(), report.id.submission.as_str()].map(clean);
        let mut cases: Vec<Case> = self.whole().map(|status| self.case("submission", status)).into_iter().collect();
        let mut time = Duration::ZERO;
        let mut failing = 0;
        for test in self.of.tests {
            let mut case = self.case(test.name(), self.status(test, failing < EXPLAINED));
            failing += usize::from(matches!(case.status, Status::Failure(_) | Status::Error(_)));
            case.overruns = self.overruns(test);
            if let Some((measured, score)) = figures(test) {
                time += measured.wall;
                case.time = Some(measured.wall);
                case.figures = lines(test, measured, score);
            }
            cases.push(case);
        }
        Suite { name: format!("{problem}/{submission}"), properties: self.properties(), cases, time }
    }

    fn case(&self, name: &str, status: Status) -> Case {
        let submission = &self.of.submission.id;
        let class = Class { package: clean(submission.problem.as_str()), class: clean(submission.submission.as_str()) };
        Case { name: clean(name), class, status, time: None, overruns: Vec::new(), figures: Vec::new() }
    }

    fn properties(&self) -> Vec<Property> {
        let FinishedSubmission { head, submission: report, problem, .. } = self.of;
        let mut list = vec![("memory_limit_bytes", problem.memory.0.to_string())];
        let mut add = |name: &'static str, value: Option<String>| list.extend(value.map(|value| (name, clean(&value))));
        add("isolation", Some(head.isolation.clone()));
        add("expected", Some(report.head.expected.clone()));
        add("verdict", report.verdict().map(|verdict| verdict.code().to_owned()));
        add("student", report.head.student.clone());
        add("score", report.score().map(number));
        add("max_score", problem.max_score.map(number));
        if let Some(BuildResult::Ready { language, version, time_limit, .. }) = &report.built {
            add("language", Some(language.clone()));
            add("language_version", Some(version.clone()));
            add("time_limit_seconds", Some(time_limit.as_secs_f64().to_string()));
        }
        list
    }

    fn judging(&self) -> bool {
        self.of.head.verb == Verb::Judge
    }

    /// The case for the whole submission; none if its tests already show the result.
    fn whole(&self) -> Option<Status> {
        let submission = self.of.submission;
        let explained = || failure::of_submission(submission, self.look);
        match submission.standing() {
            // The failing test already reports the judge error.
            Some(Standing::JudgeError { .. }) if self.of.tests.iter().any(is_judge_error) => None,
            Some(Standing::JudgeError { message }) => Some(error("judge error", message, &explained())),
            Some(Standing::Interrupted) | None => {
                Some(error("interrupted", "the run ended before it had a result", &[]))
            }
            Some(Standing::NotJudged { reason }) if self.judging() || self.strict => {
                Some(error("not judged", reason, &[]))
            }
            Some(Standing::NotJudged { reason }) => Some(skipped(reason)),
            Some(standing) => {
                let why = match standing {
                    Standing::Missed { why } => Some(why.to_string()),
                    _ => None,
                };
                let compile_error = submission.verdict() == Some(Verdict::CompileError);
                match why {
                    _ if compile_error && (self.judging() || why.is_some()) => {
                        Some(error("CE", why.as_deref().unwrap_or("it does not compile"), &explained()))
                    }
                    // No single test can be blamed: the result of the whole submission is unexpected.
                    Some(why) if !self.tests_say_it() => {
                        let ty = submission.verdict().map_or("unexpected", Verdict::code);
                        Some(failure(ty, &why, &explained()))
                    }
                    _ if self.of.tests.is_empty() => Some(Status::Success),
                    _ => None,
                }
            }
        }
    }

    /// Returns whether the tests themselves show what is wrong: each had to be accepted, and some test is not.
    fn tests_say_it(&self) -> bool {
        self.judging() || (self.expects_accepted() && self.of.submission.failing() > 0)
    }

    /// Whether each test must be accepted and no failed test is excused.
    fn expects_accepted(&self) -> bool {
        self.of.submission.head.expected == Verdict::Accepted.code()
            && self.of.submission.standing() != Some(&Standing::Met)
    }

    fn status(&self, test: &TestRow, explained: bool) -> Status {
        let finished = match test {
            TestRow::Finished(finished) => finished,
            TestRow::Skipped(test) => return skipped(&format!("not needed after {}", test.after)),
        };
        match &finished.result {
            TestResult::Judged(judgement) => self.judged(finished, judgement, explained),
            TestResult::NotJudged { reason, .. } if self.judging() => error("not judged", reason.as_str(), &[]),
            TestResult::NotJudged { reason, .. } => skipped(reason.as_str()),
            TestResult::JudgeError { message, .. } => error("judge error", message, &lines_of(message)),
            TestResult::Cancelled => skipped("interrupted"),
        }
    }

    fn judged(&self, finished: &TestFinished, judgement: &Judgement, explained: bool) -> Status {
        let verdict = judgement.verdict;
        let fails = verdict != Verdict::Accepted && (self.judging() || self.expects_accepted());
        if fails {
            let text = if explained { failure::of_test(finished, self.look) } else { Vec::new() };
            failure(verdict.code(), &reason(judgement), &text)
        } else {
            Status::Success
        }
    }

    /// Messages about executions over the time limit, from tests that were executed several times. For a failing test,
    /// one of them is left out: its failure already reports it.
    fn overruns(&self, test: &TestRow) -> Vec<String> {
        let TestRow::Finished(TestFinished { result: TestResult::Judged(judgement), .. }) = test else {
            return Vec::new();
        };
        let Some(limit) = self.of.submission.time_limit() else { return Vec::new() };
        if !matches!(judgement.verdict, Verdict::Accepted | Verdict::TimeLimit) {
            return Vec::new();
        }
        let over = judgement.measured.times.iter().filter(|time| **time > limit);
        let counted = usize::from(judgement.verdict == Verdict::TimeLimit);
        over.skip(counted).map(|time| format!("{} of {} cpu time", seconds(*time), seconds(limit))).collect()
    }
}

fn is_judge_error(test: &TestRow) -> bool {
    matches!(test, TestRow::Finished(TestFinished { result: TestResult::JudgeError { .. }, .. }))
}

/// The measurements and the points of a test that was run.
fn figures(test: &TestRow) -> Option<(&Measurements, Option<f64>)> {
    let TestRow::Finished(finished) = test else { return None };
    match &finished.result {
        TestResult::Judged(judgement) => Some((&judgement.measured, judgement.score)),
        TestResult::NotJudged { measured, .. } => Some((measured, None)),
        TestResult::JudgeError { .. } | TestResult::Cancelled => None,
    }
}

/// The named values of a test for its `system-out`.
fn lines(test: &TestRow, measured: &Measurements, score: Option<f64>) -> Vec<Property> {
    let mut list = Vec::new();
    if let TestRow::Finished(TestFinished { result: TestResult::Judged(judgement), .. }) = test {
        list.push(("verdict", judgement.verdict.code().to_owned()));
        let remarks: Vec<&str> = judgement.all_remarks().collect();
        if !remarks.is_empty() {
            list.push(("remark", clean(&remarks.join("; "))));
        }
    }
    list.push(("cpu_seconds", measured.cpu.as_secs_f64().to_string()));
    list.push(("wall_seconds", measured.wall.as_secs_f64().to_string()));
    list.push(("memory_bytes", measured.memory.0.to_string()));
    list.extend(measured.cached.then(|| ("cached", "true".to_owned())));
    list.extend(score.map(|score| ("score", number(score))));
    list
}

fn skipped(why: &str) -> Status {
    Status::Skipped { message: clean(why) }
}

fn failure(kind: &str, message: &str, text: &[Line]) -> Status {
    Status::Failure(wrong(kind, message, text))
}

fn error(kind: &str, message: &str, text: &[Line]) -> Status {
    Status::Error(wrong(kind, message, text))
}

fn wrong(kind: &str, message: &str, text: &[Line]) -> Wrong {
    let text: Vec<String> = text.iter().map(|line| line.plain().trim_end().to_owned()).collect();
    let message = clean(message.lines().next().unwrap_or_default());
    Wrong { kind: kind.to_owned(), message, text: text.join("\n") }
}

/// Untrusted text, made safe and split into lines.
fn lines_of(text: &str) -> Vec<Line> {
    text.lines().map(|line| Line::from(clean(line).as_str())).collect()
}
