//! Writes the gradebook: a row for each student and a column for each problem, in a form that learning platforms
//! import.

use std::collections::BTreeMap;
use std::io;
use std::time::Duration;

use super::csv::{cell, write};
use super::document::Document;
use super::grade::{grade, policy};
use crate::event::RosterStudent;
use crate::record::FinishedSubmission;
use crate::record::Report;

/// The rows of the gradebook. Columns: the student, with name, id and group if they are known; a score for each problem,
/// the total, a verdict for each problem; with a deadline, how late the submission is; how problems without points are
/// graded, and the isolation under which the programs ran.
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
    fn submission(&mut self, of: &FinishedSubmission<'_>) {
        let grade = grade_of(of);
        let student = of.submission.head.student.as_deref().unwrap_or(of.submission.id.submission.as_str());
        let problems = self.rows.entry(student.to_owned()).or_default();
        let known = problems.entry(of.submission.id.problem.to_string()).or_insert_with(|| grade.clone());
        if grade.points > known.points {
            *known = grade;
        }
    }

    fn text(&mut self, report: &Report) -> io::Result<Vec<u8>> {
        let problems: Vec<String> = report.problems().into_iter().map(ToString::to_string).collect();
        let persons = Persons::of(report);
        let mut head = vec!["student".to_owned()];
        head.extend(persons.columns());
        head.extend(problems.iter().map(|problem| cell(problem)));
        head.push("total".to_owned());
        head.extend(problems.iter().map(|problem| cell(&format!("{problem} verdict"))));
        head.extend(persons.last_columns());
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
            row((student, &persons), &problems, grades, is_known, [grading, &isolation])
        });
        let rows: Vec<Vec<String>> = std::iter::once(head).chain(rows).collect();
        write(rows.iter().map(Vec::as_slice))
    }
}

fn grade_of(of: &FinishedSubmission<'_>) -> ProblemGrade {
    match grade(of.problem, of.submission) {
        Ok(points) => {
            let verdict = of.submission.verdict().map(|verdict| verdict.code().to_owned()).unwrap_or_default();
            ProblemGrade { points: Some(points), verdict }
        }
        Err(why) => unknown(why),
    }
}

/// The grade of a submission that could not be judged; `why` stands in for the verdict.
fn unknown(why: &str) -> ProblemGrade {
    ProblemGrade { points: None, verdict: why.to_owned() }
}

/// What is known about the students besides the name in reports. There are columns for what any student has.
struct Persons<'r> {
    by_student: BTreeMap<&'r str, &'r RosterStudent>,
    fields: Vec<Field>,
    last_fields: Vec<Field>,
}

/// A column: its heading, and the cell of a student.
type Field = (&'static str, fn(&RosterStudent) -> Option<String>);

/// The columns after the student.
const FIELDS: [Field; 3] = [
    ("name", |of| Some(of.name.clone()).filter(|name| !name.is_empty())),
    ("id", |of| Some(of.id.clone())),
    ("group", |of| of.group.clone()),
];
/// The columns after the verdicts.
const LAST_FIELDS: [Field; 2] = [
    // Without a deadline, the time says nothing about the grade.
    ("submitted", |of| of.submitted.clone().filter(|_| of.late.is_some())),
    ("minutes late", |of| of.late.map(|late| minutes(late).to_string())),
];

impl<'r> Persons<'r> {
    fn of(report: &'r Report) -> Self {
        let students = || report.head.iter().flat_map(|head| &head.roster);
        let with = |fields: &[Field]| {
            let any = |(_, cell): &&Field| students().any(|student| cell(student).is_some());
            fields.iter().filter(any).copied().collect()
        };
        Self {
            by_student: students().map(|student| (&*student.student, student)).collect(),
            fields: with(&FIELDS),
            last_fields: with(&LAST_FIELDS),
        }
    }

    fn columns(&self) -> impl Iterator<Item = String> {
        self.fields.iter().map(|(heading, _)| (*heading).to_owned())
    }

    fn last_columns(&self) -> impl Iterator<Item = String> {
        self.last_fields.iter().map(|(heading, _)| (*heading).to_owned())
    }

    fn cells(&self, student: &str, fields: &[Field]) -> Vec<String> {
        let student = self.by_student.get(student);
        let cell = |(_, text): &Field| student.and_then(|student| text(student)).map(|text| cell(&text));
        fields.iter().map(|field| cell(field).unwrap_or_default()).collect()
    }
}

/// Begun minutes: a second after the deadline is late.
fn minutes(late: Duration) -> u64 {
    late.as_secs().saturating_add(u64::from(late.subsec_nanos() > 0)).div_ceil(60)
}

/// A row of the gradebook. `is_known`: everything that the student submitted belongs to a problem.
fn row(
    (student, persons): (&str, &Persons<'_>),
    problems: &[String],
    grades: &BTreeMap<String, ProblemGrade>,
    is_known: bool,
    run: [&str; 2],
) -> Vec<String> {
    let points = |problem: &String| grades.get(problem).map(|grade| grade.points);
    let shown = |points: Option<f64>| points.map(|points| points.to_string()).unwrap_or_default();
    let mut row = vec![cell(student)];
    row.extend(persons.cells(student, &persons.fields));
    row.extend(problems.iter().map(|problem| shown(points(problem).flatten())));
    let total: Option<f64> = problems.iter().map(|problem| points(problem).unwrap_or(Some(0.0))).sum();
    // Adding zero turns `-0`, the sum of nothing, into `0`.
    row.push(shown(total.filter(|_| is_known).map(|total| total + 0.0)));
    row.extend(
        problems.iter().map(|problem| grades.get(problem).map(|grade| grade.verdict.clone()).unwrap_or_default()),
    );
    row.extend(persons.cells(student, &persons.last_fields));
    row.extend(run.map(str::to_owned));
    row
}
