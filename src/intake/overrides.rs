//! Reads grades that people decided, a CSV file: for whom, for which problem, how many points, and why.

use std::cell::LazyCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::csv_table::{Column, CsvTable, as_they_are};
use super::reader::listed;
use super::roster::NameMatch;
use crate::diagnostic::Diagnostic;
use crate::event::{Amount, Override};
use crate::problem::ProblemId;
use crate::suggest;

/// The columns, each with the headings that mean it.
const COLUMNS: [Column; 5] = [
    ("id", &["id", "student", "studentid", "username", "login"]),
    ("problem", &["problem", "exercise"]),
    ("points", &["points", "grade", "score"]),
    ("reason", &["reason", "comment", "note"]),
    ("by", &["by", "who"]),
];
const ID: usize = 0;
const PROBLEM: usize = 1;
const POINTS: usize = 2;
const REASON: usize = 3;
const BY: usize = 4;

/// The grades of a run, and what of the file is about other problems.
#[derive(Debug, Default)]
pub(crate) struct ReadOverrides {
    pub(crate) overrides: Vec<Override>,
    /// The problems of rows for other runs, in the order of the file.
    pub(crate) left_aside: Vec<String>,
}

/// Reads the file. `student_of` finds the name in reports of an id, `people` are the ids and names that there are, and
/// `problems` those of the run. `others` finds the other problems of the workspace: one file may be for a whole course.
///
/// # Errors
/// All mistakes in the rows of this run: a student or a problem that does not exist, no points, no reason.
pub(crate) fn read(
    path: &Path,
    shown: &Path,
    student_of: impl Fn(&str) -> NameMatch,
    people: &[&str],
    problems: &[&str],
    others: impl FnOnce() -> Vec<String>,
) -> Result<ReadOverrides, Vec<Diagnostic>> {
    let mut table = CsvTable::read(path, shown, &COLUMNS, &[&[ID], &[POINTS], &[REASON]], as_they_are)?;
    let unknown: Vec<String> = table.unknown().into_iter().map(|heading| format!("`{heading}`")).collect();
    if !table.has(PROBLEM) && !unknown.is_empty() {
        // One of them may be that column. Each row would then change the total.
        let message = format!("has no column `problem`, and grader does not know {}", unknown.join(", "));
        let remedy =
            "call the column of the exercises `problem`; if every row is about the total, add it and leave it empty";
        table.mistake(table.head_line, message, remedy);
    }
    let (mut overrides, mut left_aside) = (Vec::new(), Vec::new());
    let others = LazyCell::new(others);
    // The line with the points of each student in each problem.
    let mut decided: BTreeMap<(String, String), usize> = BTreeMap::new();
    for (line, row) in table.take_rows() {
        let [id, problem, points, reason, by] =
            [ID, PROBLEM, POINTS, REASON, BY].map(|column| table.cell(&row, column));
        let named = problems.iter().find(|known| known.eq_ignore_ascii_case(&problem));
        if named.is_none()
            && !problem.is_empty()
            && let Some(other) = others.iter().find(|known| known.eq_ignore_ascii_case(&problem))
        {
            // Its student may be in that run alone.
            if !left_aside.contains(other) {
                left_aside.push(other.clone());
            }
            continue;
        }
        let student = match student_of(&id) {
            NameMatch::One(student) => Some(student),
            NameMatch::Several => {
                table.mistake(line, format!("several students are called `{id}`"), "write the id instead of the name");
                None
            }
            NameMatch::Nobody => {
                let message = format!("nobody has the id or name `{id}`");
                let near = suggest::did_you_mean(&id, people.iter().copied());
                let remedy = near.unwrap_or_else(|| "correct it, or add the student to the roster".to_owned());
                table.mistake(line, message, &remedy);
                None
            }
        };
        let problem = named.map_or(problem, |known| (*known).to_owned());
        let known = problem.is_empty() || named.is_some();
        if !known {
            let all: Vec<&str> = problems.iter().copied().chain(others.iter().map(String::as_str)).collect();
            let near = suggest::did_you_mean(&problem, all.iter().copied());
            let remedy = near.unwrap_or_else(|| {
                format!("name one of {}", listed(&all.iter().map(PathBuf::from).collect::<Vec<_>>()))
            });
            table.mistake(line, format!("no problem is called `{problem}`"), &remedy);
        }
        let amount = amount(&points);
        if amount.is_none() {
            let remedy = "write 80 for the points, +5 or -10 for an addition or a deduction";
            table.mistake(line, format!("`{points}` is not a number of points"), remedy);
        }
        if reason.is_empty() {
            table.mistake(line, "has no reason".to_owned(), "say why, for the student and for the next teacher");
        }
        if let (Some(student), Some(Amount::Points(_))) = (&student, amount) {
            let cell = (student.clone(), problem.clone());
            let first = *decided.entry(cell).or_insert(line);
            if first != line {
                let message = format!("line {first} already states the points of `{id}` in {}", what(&problem));
                table.mistake(line, message, "keep one of them, or write +5 or -10 for an addition or a deduction");
            }
        }
        if let (Some(student), Some(amount), true) = (student, amount, known) {
            let problem = Some(problem).filter(|problem| !problem.is_empty()).map(ProblemId::from);
            overrides.push(Override { student, problem, amount, reason, by });
        }
    }
    // Additions count in any order of the lines.
    overrides.sort_by_key(|change| matches!(change.amount, Amount::Added(_)));
    table.finish(ReadOverrides { overrides, left_aside })
}

/// The subject of a row: a problem, or the total.
fn what(problem: &str) -> &str {
    if problem.is_empty() { "the total" } else { problem }
}

fn amount(text: &str) -> Option<Amount> {
    let number: f64 = text.replace(',', ".").parse().ok().filter(|number: &f64| number.is_finite())?;
    Some(if text.starts_with(['+', '-']) { Amount::Added(number) } else { Amount::Points(number) })
}
