//! Writes the gradebook: a row for each student and a column for each problem, in a form that learning platforms
//! import.

use std::collections::BTreeMap;
use std::io;

use super::csv::{cell, write};
use super::document::{Document, Finished};
use crate::event::Standing;
use crate::record::Report;
use crate::verdict::Verdict;

/// The rows of the gradebook. Columns: a score for each problem, the total, a verdict for each problem, and the
/// isolation under which the programs ran.
///
/// The score is the points, or 1 for AC and 0 otherwise if the problem has no points. A missing submission is an empty
/// cell and counts 0. A submission that could not be judged is an empty cell and leaves the total empty, because it is
/// still unknown. If a student has several submissions to one problem, the best counts. Without students, as in `grader
/// run`, each submission has a row.
#[derive(Debug, Default)]
pub(crate) struct Gradebook {
    /// The students' grades by problem.
    rows: BTreeMap<String, BTreeMap<String, ProblemGrade>>,
}

/// A student's result in one problem.
#[derive(Debug, Clone)]
struct ProblemGrade {
    /// The score; none if the submission could not be judged.
    points: Option<f64>,
    /// The verdict's code, or why there is none: `judge error`, `not judged`, `no program`.
    verdict: String,
}

impl Document for Gradebook {
    fn submission(&mut self, of: &Finished<'_>) {
        let grade = grade_of(of);
        let student = of.run.student.as_deref().unwrap_or(of.run.run.submission.as_str());
        let problems = self.rows.entry(student.to_owned()).or_default();
        let known = problems.entry(of.run.run.problem.to_string()).or_insert_with(|| grade.clone());
        if grade.points > known.points {
            *known = grade;
        }
    }

    fn text(&mut self, report: &Report) -> io::Result<Vec<u8>> {
        let problems: Vec<String> = report.problems().into_iter().map(ToString::to_string).collect();
        let mut head = vec!["student".to_owned()];
        head.extend(problems.iter().map(|problem| cell(problem)));
        head.push("total".to_owned());
        head.extend(problems.iter().map(|problem| cell(&format!("{problem} verdict"))));
        head.push("isolation".to_owned());
        let isolation = report.head.as_ref().map(|head| cell(&head.isolation)).unwrap_or_default();
        for out in report.left_out() {
            let grades = self.rows.entry(out.student.clone()).or_default();
            if let Some(problem) = &out.problem {
                grades.entry(problem.to_string()).or_insert_with(|| unknown(&out.why));
            }
        }
        let rows = self.rows.iter().map(|(student, grades)| row(student, &problems, grades, &isolation));
        let rows: Vec<Vec<String>> = std::iter::once(head).chain(rows).collect();
        write(rows.iter().map(Vec::as_slice))
    }
}

fn grade_of(of: &Finished<'_>) -> ProblemGrade {
    let accepted = f64::from(u8::from(of.run.verdict == Some(Verdict::Accepted)));
    if of.run.is_incomplete(of.problem.max_score.is_some()) {
        return unknown("incomplete");
    }
    match (&of.run.standing, of.run.verdict) {
        (Some(Standing::Met | Standing::Missed { .. }), Some(verdict)) => {
            ProblemGrade { points: Some(of.run.score.unwrap_or(accepted)), verdict: verdict.code().to_owned() }
        }
        (Some(Standing::JudgeError { .. }), _) => unknown("judge error"),
        (Some(Standing::Interrupted) | None, _) => unknown("interrupted"),
        _ => unknown("not judged"),
    }
}

/// The grade of a submission that could not be judged; `why` stands in for the verdict.
fn unknown(why: &str) -> ProblemGrade {
    ProblemGrade { points: None, verdict: why.to_owned() }
}

fn row(student: &str, problems: &[String], grades: &BTreeMap<String, ProblemGrade>, isolation: &str) -> Vec<String> {
    let points = |problem: &String| grades.get(problem).map(|grade| grade.points);
    let shown = |points: Option<f64>| points.map(|points| points.to_string()).unwrap_or_default();
    let mut row = vec![cell(student)];
    row.extend(problems.iter().map(|problem| shown(points(problem).flatten())));
    // Students have rows because they submitted something. If it belongs to no problem, their points are unknown.
    let total: Option<f64> = problems.iter().map(|problem| points(problem).unwrap_or(Some(0.0))).sum();
    row.push(shown(total.filter(|_| !grades.is_empty())));
    row.extend(
        problems.iter().map(|problem| grades.get(problem).map(|grade| grade.verdict.clone()).unwrap_or_default()),
    );
    row.push(isolation.to_owned());
    row
}
