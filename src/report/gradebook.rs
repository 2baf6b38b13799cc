//! Writes the gradebook: a row for each student and a column for each problem, in a form that learning platforms
//! import.

use std::collections::BTreeMap;
use std::io;

use super::csv::{cell, write};
use super::document::{Document, Finished};
use super::grade::{grade, policy};
use crate::record::Report;

/// The rows of the gradebook. Columns: a score for each problem, the total, a verdict for each problem, how problems
/// without points are graded, and the isolation under which the programs ran.
///
/// The score is the grade (`report::grade`). A missing submission is an empty cell and counts 0. A submission that could
/// not be judged is an empty cell and leaves the total empty, because it is still unknown. So does a submission that
/// belongs to no problem. If a student has several submissions to one problem, the best counts. Without students, as in
/// `grader run`, each submission has a row.
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
        head.extend(["grading", "isolation"].map(str::to_owned));
        let grading = policy(report).unwrap_or("by points");
        let isolation = report.head.as_ref().map(|head| cell(&head.isolation)).unwrap_or_default();
        for out in report.left_out() {
            let grades = self.rows.entry(out.student.clone()).or_default();
            if let Some(problem) = &out.problem {
                grades.entry(problem.to_string()).or_insert_with(|| unknown(&out.why));
            }
        }
        for student in report.without_submission() {
            self.rows.entry(student.student.clone()).or_default();
        }
        let rows = self.rows.iter().map(|(student, grades)| {
            let is_known = !report.has_unmatched(student);
            row(student, &problems, grades, is_known, [grading, &isolation])
        });
        let rows: Vec<Vec<String>> = std::iter::once(head).chain(rows).collect();
        write(rows.iter().map(Vec::as_slice))
    }
}

fn grade_of(of: &Finished<'_>) -> ProblemGrade {
    match grade(of.problem, of.run) {
        Ok(points) => {
            let verdict = of.run.verdict.map(|verdict| verdict.code().to_owned()).unwrap_or_default();
            ProblemGrade { points: Some(points), verdict }
        }
        Err(why) => unknown(why),
    }
}

/// The grade of a submission that could not be judged; `why` stands in for the verdict.
fn unknown(why: &str) -> ProblemGrade {
    ProblemGrade { points: None, verdict: why.to_owned() }
}

/// A row of the gradebook. `is_known`: everything that the student submitted belongs to a problem.
fn row(
    student: &str,
    problems: &[String],
    grades: &BTreeMap<String, ProblemGrade>,
    is_known: bool,
    run: [&str; 2],
) -> Vec<String> {
    let points = |problem: &String| grades.get(problem).map(|grade| grade.points);
    let shown = |points: Option<f64>| points.map(|points| points.to_string()).unwrap_or_default();
    let mut row = vec![cell(student)];
    row.extend(problems.iter().map(|problem| shown(points(problem).flatten())));
    let total: Option<f64> = problems.iter().map(|problem| points(problem).unwrap_or(Some(0.0))).sum();
    // Adding zero turns `-0`, the sum of nothing, into `0`.
    row.push(shown(total.filter(|_| is_known).map(|total| total + 0.0)));
    row.extend(
        problems.iter().map(|problem| grades.get(problem).map(|grade| grade.verdict.clone()).unwrap_or_default()),
    );
    row.extend(run.map(str::to_owned));
    row
}
