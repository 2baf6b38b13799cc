//! Writes `results.json` for a Gradescope autograder. It contains the results of a student's program, and only what
//! students may see.
//!
//! Source: <https://gradescope-autograders.readthedocs.io/en/latest/specs/>.

use std::collections::{BTreeMap, BTreeSet};
use std::io;

use serde::Serialize;

use super::class::{best_in, rows_of};
use super::document::Document;
use super::failure::{Block, Look, clean};
use super::grade::{best, earned, grade, number, rounded};
use super::student::{self, FeedbackLevel, Sight};
use super::text::{Line, Style, Yellow};
use crate::event::{BuildResult, LeftOut, Standing, TestFinished, TestResult};
use crate::problem::{ProblemId, TestId};
use crate::record::Report;
use crate::record::{FinishedSubmission, TestRow};
use crate::verdict::Verdict;

/// The most failing tests of one submission that are explained in full; the others get only the verdict.
const EXPLAINED: usize = 50;

/// The error for several students. Gradescope judges one student at a time and shows the whole file to that student.
pub const ONE_STUDENT: &str = "this report is for one student, and there are several: judge one at a time";

/// The error if only the staff can help: Gradescope would count such a report as 0 points.
const STAFF: &str = "no report for the student is written, because a submission could not be judged through no fault of the \
    student: the messages above say why";

/// The Gradescope report under construction.
#[derive(Debug)]
pub struct Gradescope {
    feedback: FeedbackLevel,
    look: Look,
    entries: Vec<GradescopeLine>,
    /// The points of each problem. Of several submissions only the best counts; otherwise copies would add points.
    points: BTreeMap<ProblemId, f64>,
    /// Messages to the student about whole submissions.
    output: Vec<String>,
    /// The number of submissions so far.
    submissions: usize,
}

impl Gradescope {
    /// `look` sets the style of texts.
    pub fn new(feedback: FeedbackLevel, look: Look) -> Self {
        Self { feedback, look, entries: Vec::new(), points: BTreeMap::new(), output: Vec::new(), submissions: 0 }
    }
}

/// The content of the file.
#[derive(Debug, Serialize)]
struct Results<'a> {
    /// Overrides the sum of the tests' scores.
    score: f64,
    execution_time: f64,
    #[serde(skip_serializing_if = "String::is_empty")]
    output: String,
    output_format: &'static str,
    test_output_format: &'static str,
    test_name_format: &'static str,
    visibility: &'static str,
    /// Hidden, because grader's own report on standard output shows everything.
    stdout_visibility: &'static str,
    extra_data: Extra<'a>,
    tests: &'a [GradescopeLine],
}

/// Data that Gradescope stores but does not show.
#[derive(Debug, Serialize)]
struct Extra<'a> {
    isolation: &'a str,
}

/// One line of Gradescope's table.
#[derive(Debug, Default, Serialize)]
pub(super) struct GradescopeLine {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) score: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) max_score: Option<f64>,
    /// None if unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) status: Option<&'static str>,
    pub(super) name: String,
    number: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) output: String,
    output_format: &'static str,
    visibility: &'static str,
}

impl Document for Gradescope {
    fn submission(&mut self, of: &FinishedSubmission<'_>) {
        self.submissions += 1;
        let first = self.entries.len();
        let without_line = groups_of_tests_with_points(of);
        of.submission.head.remarks.iter().for_each(|remark| self.tell(of, &clean(remark)));
        match (of.submission.standing(), &of.submission.built) {
            (_, Some(BuildResult::CompileError { message })) => self.compile_error(of, message),
            _ if of.submission.is_incomplete(is_scored(of)) => {
                self.tell(of, "incomplete: not every test could be judged");
            }
            (Some(Standing::Met | Standing::Missed { .. }), _) => self.points(of, &without_line),
            (Some(Standing::Interrupted) | None, _) => self.tell(of, "not judged: the run was interrupted"),
            _ => self.tell(of, &student::unjudged(of.submission)),
        }
        let mut failing = 0;
        for test in of.tests {
            let (score, max_score) = points_of(of, test, &without_line);
            let entry = GradescopeLine { score, max_score, ..self.test(of, test, failing < EXPLAINED) };
            failing += usize::from(entry.status == Some("failed"));
            self.entries.push(entry);
        }
        self.lateness(of);
        // A submission that could not be judged has no grade. Gradescope wants a number: `output` says why it is 0.
        let points = grade(of.problem, of.submission).unwrap_or(0.0);
        let best = self.points.entry(of.submission.id.problem.clone()).or_insert(points);
        *best = best.max(points);
        for (n, entry) in self.entries[first..].iter_mut().enumerate() {
            entry.number = format!("{}.{}", self.submissions, n + 1);
        }
    }

    fn text(&mut self, report: &Report) -> io::Result<Vec<u8>> {
        let results = Results {
            score: self.complete_lines(report)?,
            execution_time: report.wall.as_secs_f64(),
            output: self.output.join("\n"),
            output_format: "text",
            test_output_format: "ansi",
            test_name_format: "text",
            visibility: "visible",
            stdout_visibility: "hidden",
            extra_data: Extra { isolation: report.head.as_ref().map_or("", |head| &head.isolation) },
            tests: &self.entries,
        };
        let mut text = serde_json::to_vec_pretty(&results)?;
        text.push(b'\n');
        Ok(text)
    }
}

impl Gradescope {
    /// The lines that students may see.
    pub(super) fn visible(&self) -> impl Iterator<Item = &GradescopeLine> {
        self.entries.iter().filter(|entry| entry.visibility == "visible")
    }

    /// Adds the lines about what could not be judged, and returns the points.
    ///
    /// # Errors
    /// The run has several students, or only the staff can help. Both are [`io::ErrorKind::InvalidInput`]: it is the run that is
    /// unsuitable, and not the file.
    pub(super) fn complete_lines(&mut self, report: &Report) -> io::Result<f64> {
        let mut students: BTreeSet<_> =
            report.submissions.iter().filter_map(|submission| submission.head.student.as_deref()).collect();
        // Without a layout, paths stand in for students.
        if !students.is_empty() || report.submissions.is_empty() {
            students.extend(report.left_out().iter().map(|out| &*out.student));
        }
        if students.len() > 1 {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, ONE_STUDENT));
        }
        if report.left_out().iter().any(|out| out.staff) || report.submissions.iter().any(student::is_for_staff) {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, STAFF));
        }
        let several = report.problems().len() > 1;
        for out in report.left_out() {
            self.left_out(out, several, report);
        }
        let (problems, rows) = rows_of(report);
        // A roster and overrides may bring rows of others. Without students, each submission has a row.
        let row = match students.first() {
            Some(student) => rows.iter().find(|row| row.student == **student),
            None => rows.first().filter(|_| rows.len() == 1),
        };
        let Some(row) = row else { return Ok(rounded(self.points.values().sum())) };
        self.output.extend(row.remarks(&problems).iter().map(|remark| clean(remark)));
        // A total that is unknown is the sum of what is known.
        let known = || row.cells.iter().flatten().filter_map(|cell| cell.grade).sum();
        Ok(rounded(row.total().unwrap_or_else(known)))
    }

    /// Moves the messages about whole submissions into a line, for platforms that show nothing else. It counts nothing.
    pub(super) fn messages_as_line(&mut self) {
        let output = std::mem::take(&mut self.output).join("\n");
        if !output.is_empty() {
            self.entries.insert(0, GradescopeLine { output, ..entry("note".to_owned(), None) });
        }
    }

    /// Adds a message about a submission above the table.
    fn tell(&mut self, of: &FinishedSubmission<'_>, text: &str) {
        let name = name_of(of, "");
        let name = name.trim_end_matches(" · ");
        self.output.push(if name.is_empty() { text.to_owned() } else { format!("{name}: {text}") });
    }

    /// Says what lateness takes away: the lines of tests and groups show what the program earned.
    fn lateness(&mut self, of: &FinishedSubmission<'_>) {
        let late = of.submission.head.lateness().filter(|late| late.is_late());
        let (Some(late), Some(rule)) = (late, of.problem.grading.late) else { return };
        let points = grade(of.problem, of.submission).and_then(|left| Ok((left, earned(of.problem, of.submission)?)));
        if let Ok((left, earned)) = points {
            let text = format!("{late} ({rule}): {} of {} points count", number(left), number(earned));
            self.tell(of, &text);
        }
    }

    /// Adds the lines that carry the points: of each group but these, or of the whole problem.
    fn points(&mut self, of: &FinishedSubmission<'_>, without_line: &BTreeSet<&str>) {
        let weight = of.problem.grading.weight;
        for group in of.submission.groups().iter().filter(|group| !without_line.contains(&*group.group)) {
            // Cases with own points may be in no group.
            let name = if group.group.is_empty() { "points" } else { &group.group };
            let entry = GradescopeLine {
                score: Some(rounded(group.score * weight)),
                max_score: group.max_score.map(|max| rounded(max * weight)),
                visibility: self.visibility_of(of, &group.group),
                ..entry(name_of(of, name), group.max_score.map(|max| group.score >= max))
            };
            self.entries.push(entry);
        }
        let has_points = |test| points_of(of, test, without_line).0.is_some();
        if is_scored(of) && of.tests.iter().any(has_points) || !of.submission.groups().is_empty() {
            return;
        }
        let score = grade(of.problem, of.submission).ok().map(rounded);
        let accepted = of.submission.verdict() == Some(Verdict::Accepted);
        let rule = match (is_scored(of), of.problem.grading.partial) {
            (true, _) => "",
            (false, true) => "Each accepted test counts.",
            (false, false) => "The problem counts only if every test is accepted.",
        };
        let max_score = most(of);
        let output = rule.to_owned();
        self.entries.push(GradescopeLine { score, max_score, output, ..entry(name_of(of, "points"), Some(accepted)) });
    }

    /// A group is hidden if all of its tests are.
    fn visibility_of(&self, of: &FinishedSubmission<'_>, group: &str) -> &'static str {
        let within = |test: &&TestRow| {
            group.is_empty() || test.name().strip_prefix(group).is_some_and(|rest| rest.starts_with('/'))
        };
        let mut tests = of.tests.iter().filter(within).peekable();
        let hidden = |test: &TestRow| self.feedback.sight(of.problem, test.id()) == Sight::Hidden;
        if tests.peek().is_some() && tests.all(hidden) { "hidden" } else { "visible" }
    }

    /// Adds a submission that is not judged until the student submits something else.
    fn left_out(&mut self, out: &LeftOut, several: bool, report: &Report) {
        let max_score = out.problem.as_ref().and_then(|problem| best_in(problem, report)).map(rounded);
        let problem = out.problem.as_ref().filter(|_| several).map(|problem| format!("{problem} · "));
        let problem = problem.unwrap_or_default();
        let name = clean(&format!("{problem}submission"));
        let output = self.painted(&[Line::from(clean(&out.text).as_str())]);
        self.submissions += 1;
        let number = format!("{}.1", self.submissions);
        self.entries.push(GradescopeLine { score: Some(0.0), max_score, output, number, ..entry(name, Some(false)) });
    }

    /// Adds the compiler's message. It is about the student's own source, so every feedback level shows it.
    fn compile_error(&mut self, of: &FinishedSubmission<'_>, message: &str) {
        let mut block = Block::new(&self.look);
        block.lines.push(Line::new().with(student::name_of(Verdict::CompileError), Style::BAD));
        block.words(message);
        let entry = GradescopeLine {
            score: Some(0.0),
            max_score: most(of),
            output: self.painted(&block.lines),
            ..entry(name_of(of, "compilation"), Some(false))
        };
        self.entries.push(entry);
    }

    fn painted(&self, lines: &[Line]) -> String {
        lines.iter().map(|line| line.styled(self.look.paint, Yellow::Theme)).collect::<Vec<_>>().join("\n")
    }

    fn test(&self, of: &FinishedSubmission<'_>, test: &TestRow, explained: bool) -> GradescopeLine {
        let name = name_of(of, test.name());
        let (id, accepted, lines) = match test {
            TestRow::Finished(finished) => {
                let sight = self.feedback.sight(of.problem, &finished.test.test);
                let sight = if explained { sight } else { sight.min(Sight::Verdict) };
                let lines = student::of_test(finished, sight, &self.look);
                (&finished.test.test, accepted(finished), lines)
            }
            TestRow::Skipped(skipped) => {
                let why = match self.feedback.sight(of.problem, &skipped.after) {
                    Sight::Hidden => "not run: an earlier test failed".to_owned(),
                    _ => format!("not run: {} failed", clean(skipped.after.as_str())),
                };
                (&skipped.test.test, Some(false), vec![Line::from(why.as_str())])
            }
        };
        let visible = self.feedback.sight(of.problem, id) > Sight::Hidden;
        GradescopeLine {
            output: if visible { self.painted(&lines) } else { String::new() },
            visibility: if visible { "visible" } else { "hidden" },
            ..entry(name, accepted)
        }
    }
}

/// The name of a table line, with the problem and the submission if there are several.
fn name_of(of: &FinishedSubmission<'_>, test: &str) -> String {
    let mut parts = Vec::new();
    if of.head.problems.len() > 1 {
        parts.push(of.problem.problem.as_str());
    }
    if of.problem.submissions.len() > 1 {
        parts.push(of.submission.id.submission.as_str());
    }
    parts.push(test);
    clean(&parts.join(" · "))
}

/// The most points of the problem; none if they have no bound.
fn most(of: &FinishedSubmission<'_>) -> Option<f64> {
    best(of.problem, is_scored(of)).map(rounded)
}

/// Whether the problem has points, bounded or not.
fn is_scored(of: &FinishedSubmission<'_>) -> bool {
    of.problem.max_score.is_some() || of.submission.score().is_some()
}

fn entry(name: String, passed: Option<bool>) -> GradescopeLine {
    let status = passed.map(|passed| if passed { "passed" } else { "failed" });
    GradescopeLine { status, name, output_format: "ansi", visibility: "visible", ..GradescopeLine::default() }
}

/// Whether a test is accepted; none if it could not be judged. A missing output counts as not accepted.
fn accepted(finished: &TestFinished) -> Option<bool> {
    match &finished.result {
        missing if missing.is_missing() => Some(false),
        TestResult::Judged(judgement) => Some(judgement.verdict == Verdict::Accepted),
        _ => None,
    }
}

/// The group of a test; empty for a test in no group.
fn group_of(test: &TestId) -> &str {
    test.as_str().rsplit_once('/').map_or("", |(group, _)| group)
}

/// The groups that need no line of their own, because each of their tests has points of its own.
fn groups_of_tests_with_points<'a>(of: &FinishedSubmission<'a>) -> BTreeSet<&'a str> {
    let has_points = |test: &&TestRow| of.problem.test_points.contains_key(test.id());
    let (with, without): (Vec<_>, Vec<_>) = of.tests.iter().partition(has_points);
    let mut groups: BTreeSet<&str> = with.into_iter().map(|test| group_of(test.id())).collect();
    for test in without {
        groups.remove(group_of(test.id()));
    }
    groups
}

/// The points of one test and the most that it can have, if no line of a group shows them.
fn points_of(of: &FinishedSubmission<'_>, test: &TestRow, without_line: &BTreeSet<&str>) -> (Option<f64>, Option<f64>) {
    let own = of.problem.test_points.get(test.id()).filter(|_| without_line.contains(group_of(test.id())));
    if own.is_none() && !of.submission.groups().is_empty() {
        return (None, None);
    }
    let score = match test {
        TestRow::Finished(TestFinished { result: TestResult::Judged(judgement), .. }) => judgement.score,
        TestRow::Finished(_) => None,
        TestRow::Skipped(_) => own.map(|_| 0.0),
    };
    let counted = |points: f64| rounded(points * of.problem.grading.weight);
    (score.map(counted), own.copied().map(counted))
}
