//! The class on a page of `judge`: students × problems, and how their points are spread.

use std::collections::{BTreeMap, BTreeSet};
use std::io;

use super::super::class::{Cell, Order, Row, number, rows_of, sort};
use super::super::failure::clean;
use super::chart;
use super::grid::{Chart, LARGE};
use crate::record::Report;
use crate::verdict::Verdict;

/// The most bars of the distribution of points.
const MOST_BARS: usize = 20;

/// The results of a class.
#[derive(Debug)]
pub(super) struct Class {
    /// The names of the problems.
    pub(super) problems: Vec<String>,
    pub(super) rows: Vec<StudentRow>,
    /// Whether some student has a name besides what reports call the student.
    pub(super) has_names: bool,
    /// The groups of the students.
    pub(super) groups: Vec<String>,
    /// How many students have how many points. None with fewer than two totals.
    pub(super) distribution: Option<Chart>,
    /// The number of students whose total is unknown.
    pub(super) unknown: usize,
}

/// The results of a student.
#[derive(Debug)]
pub(super) struct StudentRow {
    pub(super) student: String,
    pub(super) name: String,
    pub(super) group: String,
    /// The file name of the student's page; empty if there is none.
    pub(super) page: String,
    pub(super) cells: Vec<ClassCell>,
    pub(super) total: String,
    /// Whether some submission could not be judged.
    pub(super) needs_a_look: bool,
}

/// The result of a student in one problem.
#[derive(Debug)]
pub(super) struct ClassCell {
    /// The class that gives the cell its colour.
    pub(super) class: &'static str,
    pub(super) result: String,
    /// The points, or the accepted tests of all tests.
    pub(super) figure: String,
}

impl Class {
    /// `pages` are the file names of the students' pages.
    pub(super) fn new(report: &Report, pages: &BTreeMap<String, String>) -> io::Result<Self> {
        let (problems, mut rows) = rows_of(report);
        sort(&mut rows, Order::Name);
        let totals: Vec<f64> = rows.iter().filter_map(Row::total).collect();
        let groups: BTreeSet<&str> = rows.iter().map(Row::group).filter(|group| !group.is_empty()).collect();
        Ok(Self {
            has_names: rows.iter().any(|row| !row.name().is_empty()),
            groups: groups.into_iter().map(clean).collect(),
            problems: problems.iter().map(|problem| clean(problem)).collect(),
            distribution: distribution(&totals)?,
            unknown: rows.len() - totals.len(),
            rows: rows.iter().map(|row| student(row, pages)).collect(),
        })
    }

    /// Whether the table has many cells.
    pub(super) fn is_large(&self) -> bool {
        self.rows.len() * self.problems.len() > LARGE
    }
}

fn student(row: &Row, pages: &BTreeMap<String, String>) -> StudentRow {
    StudentRow {
        student: clean(&row.student),
        name: clean(row.name()),
        group: clean(row.group()),
        page: pages.get(&row.student).cloned().unwrap_or_default(),
        cells: row.cells.iter().map(|cell| cell.as_ref().map_or_else(nothing, of)).collect(),
        total: row.total().map_or("?".to_owned(), number),
        needs_a_look: row.unmatched.is_some() || row.cells.iter().flatten().any(|cell| cell.grade.is_none()),
    }
}

/// The student submitted nothing.
fn nothing() -> ClassCell {
    ClassCell { class: "none", result: "–".to_owned(), figure: String::new() }
}

fn of(cell: &Cell) -> ClassCell {
    let figure = match cell.score {
        Some((score, Some(most))) => format!("{}/{}", number(score), number(most)),
        Some((score, None)) => number(score),
        None if cell.passed.1 > 0 => format!("{}/{}", cell.passed.0, cell.passed.1),
        None => String::new(),
    };
    let attempt = cell.attempt.map(|attempt| format!(" #{attempt}")).unwrap_or_default();
    let late = if cell.late.is_some_and(|late| !late.is_zero()) { " late" } else { "" };
    let notes: Vec<String> = cell.notes.iter().map(|note| clean(note)).collect();
    let figure = format!("{figure}{attempt}{late} {}", notes.join(" ")).trim().to_owned();
    let class = match cell.verdict {
        Some(Verdict::Accepted) => "good",
        Some(_) => "bad",
        None if cell.grade.is_some() => "none",
        None => "look",
    };
    let result = cell.verdict.map_or_else(|| clean(&cell.word), |verdict| verdict.code().to_owned());
    ClassCell { class, result, figure }
}

/// Draws the number of students by points, in bars of equal width.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss, reason = "a picture")]
fn distribution(totals: &[f64]) -> io::Result<Option<Chart>> {
    let most = totals.iter().copied().fold(0.0_f64, f64::max);
    if totals.len() < 2 || most <= 0.0 || !most.is_finite() {
        return Ok(None);
    }
    // With few points, each has its own bar.
    let step = if most <= MOST_BARS as f64 { 1.0 } else { (most / MOST_BARS as f64).ceil() };
    let mut bars = vec![0_usize; (most / step).floor() as usize + 1];
    for total in totals {
        let at = (total.max(0.0) / step).floor() as usize;
        bars[at] += 1;
    }
    let label = |at: usize| {
        let from = at as f64 * step;
        if step > 1.0 { format!("{from}–{}", from + step - 1.0) } else { format!("{from}") }
    };
    let bars: Vec<(String, usize)> = bars.into_iter().enumerate().map(|(at, n)| (label(at), n)).collect();
    let words: Vec<String> = bars.iter().map(|(label, n)| format!("{label}: {n}")).collect();
    let label = format!("number of students by points; {}", words.join(", "));
    Ok(Some(Chart { svg: chart::bars(&bars)?, label }))
}
