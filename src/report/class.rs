//! The results of a class: a row for each student, a column for each problem. Every table of a class shows these rows.

use std::collections::BTreeMap;
use std::time::Duration;

use super::grade::grade;
use crate::event::ProblemHead;
use crate::problem::ProblemId;
use crate::record::{Report, SubmissionReport};
use crate::verdict::Verdict;

/// A student's result in one problem.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Cell {
    /// The verdict; none if the submission could not be judged.
    pub verdict: Option<Verdict>,
    /// One or two words shown if there is no verdict.
    pub word: String,
    /// The number of accepted tests and of all tests.
    pub passed: (usize, usize),
    /// The points and the maximum; none in a pass-fail problem.
    pub score: Option<(f64, Option<f64>)>,
    /// What it adds to the total; none if the submission could not be judged.
    pub grade: Option<f64>,
    /// The CPU time of the slowest test.
    pub slowest: Option<Duration>,
}

impl Cell {
    /// A submission that could not be judged.
    pub(crate) fn unjudged(word: String) -> Self {
        Self { verdict: None, word, passed: (0, 0), score: None, grade: None, slowest: None }
    }
}

/// A student's row.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Row {
    /// The student's name.
    pub student: String,
    /// One for each problem; none if the student submitted nothing.
    pub cells: Vec<Option<Cell>>,
    /// Whether the student submitted something that belongs to no problem.
    pub unmatched: bool,
}

impl Row {
    /// The sum of all points. None if a submission could not be judged or belongs to no problem.
    pub(crate) fn total(&self) -> Option<f64> {
        let points = self.cells.iter().flatten().map(|cell| cell.grade);
        points.sum::<Option<f64>>().filter(|_| !self.unmatched)
    }
}

/// The order of the rows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Order {
    /// By the students' names.
    #[default]
    Name,
    /// By points, highest first, unknown ones last; ties by name.
    Score,
}

/// Sorts the rows.
pub(crate) fn sort(rows: &mut [Row], order: Order) {
    rows.sort_by_cached_key(|row| (row.student.to_lowercase(), row.student.clone()));
    if order == Order::Score {
        let known = |row: &Row| row.total().unwrap_or(f64::NEG_INFINITY);
        rows.sort_by(|a, b| known(b).total_cmp(&known(a)));
    }
}

/// The names of the problems, and a row for each student with the students who submitted nothing.
pub(crate) fn rows_of(report: &Report) -> (Vec<String>, Vec<Row>) {
    let heads: Vec<_> = report.head.iter().flat_map(|head| &head.problems).collect();
    let problems = report.problems();
    let column_of = |problem: &ProblemId| problems.iter().position(|known| *known == problem);
    let mut rows: BTreeMap<&str, Row> = BTreeMap::new();
    let empty =
        |student: &str| Row { student: student.to_owned(), cells: vec![None; problems.len()], unmatched: false };
    for submission in &report.submissions {
        let student = submission.head.student.as_deref().unwrap_or(submission.id.submission.as_str());
        let Some(head) = heads.iter().find(|head| head.problem == submission.id.problem) else { continue };
        let Some(column) = column_of(&head.problem) else { continue };
        rows.entry(student).or_insert_with(|| empty(student)).cells[column] = Some(cell(submission, head));
    }
    for out in report.left_out() {
        let row = rows.entry(&out.student).or_insert_with(|| empty(&out.student));
        row.unmatched |= out.problem.is_none();
        let column = out.problem.as_ref().and_then(column_of);
        let Some(cell) = column.map(|column| &mut row.cells[column]) else { continue };
        cell.get_or_insert_with(|| Cell::unjudged(out.why.clone()));
    }
    for student in report.without_submission() {
        rows.entry(&student.student).or_insert_with(|| empty(&student.student));
    }
    (problems.iter().map(ToString::to_string).collect(), rows.into_values().collect())
}

fn cell(submission: &SubmissionReport, head: &ProblemHead) -> Cell {
    let slowest = submission.slowest.as_ref().map(|(_, test)| test.cpu());
    let grade = match grade(head, submission) {
        Ok(grade) => grade,
        Err(why) => return Cell { slowest, ..Cell::unjudged(why.to_owned()) },
    };
    let tests = if submission.verdict() == Some(Verdict::CompileError) { 0 } else { head.tests };
    let score = submission.score().map(|score| (score, head.max_score));
    let passed = (submission.accepted(), tests);
    Cell { verdict: submission.verdict(), word: String::new(), passed, score, grade: Some(grade), slowest }
}

/// Points without needless decimals: `3`, `2.5`, `33.33`.
pub(crate) fn number(points: f64) -> String {
    // Adding zero turns `-0` into `0`.
    ((points * 100.0).round() / 100.0 + 0.0).to_string()
}
