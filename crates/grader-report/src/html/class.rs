//! The class on a page of `judge`: students × problems, and how their points are spread.

use std::collections::{BTreeMap, BTreeSet};
use std::io;

use super::super::class::help::{PastGrades, needing};
use super::super::class::{Cell, Order, Row, averages, best_total, rows_of, sort};
use super::super::failure::clean;
use super::super::grade::number;
use super::chart::{self, BarLabel};
use super::grid::{Chart, LARGE};
use crate::record::Report;
use crate::verdict::Verdict;

/// The most bars of the distribution of points.
const MOST_BARS: f64 = 12.0;

/// The results of a class.
#[derive(Debug)]
pub(super) struct Class {
    /// The names of the problems.
    pub(super) problems: Vec<String>,
    pub(super) rows: Vec<StudentRow>,
    /// Whether some student has a name other than the one in reports.
    pub(super) has_names: bool,
    /// The groups of the students.
    pub(super) groups: Vec<String>,
    /// The results that cells show, such as verdicts.
    pub(super) results: Vec<String>,
    /// The average of each problem and of the total; empty if it is unknown.
    pub(super) averages: Vec<String>,
    /// The students who may need help: the positions of their rows, and why.
    pub(super) help: Vec<(usize, String)>,
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
    /// What people decided about the total.
    pub(super) note: String,
    /// The total for sorting; empty if it is unknown.
    pub(super) value: String,
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
    /// What people decided about it.
    pub(super) note: String,
    /// The grade for sorting; empty if it is unknown, none if the student submitted nothing.
    pub(super) value: Option<String>,
}

impl Class {
    /// `pages` are the file names of the students' pages, and `past` the grades of earlier runs, newest first.
    pub(super) fn new(report: &Report, pages: &BTreeMap<String, String>, past: &[&PastGrades]) -> io::Result<Self> {
        let (problems, mut rows) = rows_of(report);
        sort(&mut rows, Order::Name);
        let totals: Vec<f64> = rows.iter().filter_map(Row::total).collect();
        let groups: BTreeSet<&str> = rows.iter().map(Row::group).filter(|group| !group.is_empty()).collect();
        let words = rows.iter().flat_map(|row| &row.cells).flatten().map(Cell::word);
        let results: BTreeSet<String> = words.map(|word| clean(&word)).collect();
        let (of_problems, of_totals) = averages(&rows);
        let shown = |average: Option<f64>| average.map(number).unwrap_or_default();
        let needing = needing(&rows, &problems, report, past);
        Ok(Self {
            results: results.into_iter().collect(),
            averages: of_problems.into_iter().chain([of_totals]).map(shown).collect(),
            help: needing.into_iter().map(|(at, reasons)| (at, clean(&reasons.join(" · ")))).collect(),
            has_names: rows.iter().any(Row::has_another_name),
            groups: groups.into_iter().map(clean).collect(),
            problems: problems.iter().map(|problem| clean(problem)).collect(),
            distribution: distribution(&totals, best_total(report))?,
            unknown: rows.iter().filter(|row| row.total().is_none() && !row.is_excused()).count(),
            rows: rows.iter().map(|row| student(row, pages)).collect(),
        })
    }

    /// Whether some students, but not all, have no group.
    pub(super) fn has_some_without_group(&self) -> bool {
        !self.groups.is_empty() && self.rows.iter().any(|row| row.group.is_empty())
    }

    /// Whether students have pages of their own.
    pub(super) fn has_pages(&self) -> bool {
        self.rows.iter().any(|row| !row.page.is_empty())
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
        total: row.total_in_words(),
        note: clean(&row.notes().into_iter().chain(row.why_open().map(str::to_owned)).collect::<Vec<_>>().join(", ")),
        value: row.total().map(number).unwrap_or_default(),
        needs_a_look: row.open_unmatched().is_some() || row.cells.iter().flatten().any(Cell::is_open),
    }
}

/// The student submitted nothing.
fn nothing() -> ClassCell {
    ClassCell { class: "none", result: "–".to_owned(), figure: String::new(), note: String::new(), value: None }
}

fn of(cell: &Cell) -> ClassCell {
    let figure = cell.figure();
    let attempt = cell.attempt.map(|attempt| format!(" #{attempt}")).unwrap_or_default();
    let late = if cell.is_late() { " late" } else { "" };
    let figure = format!("{figure}{attempt}{late}").trim().to_owned();
    let note = clean(&cell.notes.join(", "));
    let class = match cell.verdict {
        Some(Verdict::Accepted) => "good",
        Some(_) => "bad",
        None if cell.grade.is_some() => "none",
        None => "look",
    };
    let value = Some(cell.grade.map(number).unwrap_or_default());
    ClassCell { class, result: clean(&cell.word()), figure, note, value }
}

/// Draws the number of students by points, in bars of equal width. `best` are the most possible points.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss, reason = "a picture")]
fn distribution(totals: &[f64], best: Option<f64>) -> io::Result<Option<Chart>> {
    let most = totals.iter().copied().fold(best.unwrap_or(0.0), f64::max);
    if totals.len() < 2 || most <= 0.0 || !most.is_finite() {
        return Ok(None);
    }
    // With few whole points, each has its own bar.
    let is_each = most <= MOST_BARS && totals.iter().chain(&best).all(|total| total.fract() == 0.0);
    let step = if is_each { 1.0 } else { step_for(most) };
    let count = if is_each { most + 1.0 } else { (most / step - 1e-9).ceil() } as usize;
    let mut bars = vec![0_usize; count];
    for total in totals {
        // The last bar has its upper end too.
        let at = (total.max(0.0) / step + 1e-9).floor() as usize;
        bars[at.min(count - 1)] += 1;
    }
    let middle = if is_each { 0.5 } else { 0.0 };
    let edges = if is_each { count } else { count + 1 };
    let labels: Vec<BarLabel> = (0..edges).map(|at| (at as f64 + middle, number(at as f64 * step))).collect();
    let said = |(at, n): (usize, &usize)| {
        let to = if is_each { String::new() } else { format!(" to {}", labels[at + 1].1) };
        format!("{}{to}: {n}", labels[at].1)
    };
    let words: Vec<String> = bars.iter().enumerate().map(said).collect();
    let label = format!("number of students by points; {}", words.join(", "));
    let drawn = |width| chart::bars(&bars, &labels, width);
    Ok(Some(Chart { svg: drawn(chart::WIDTH)?, on_phone: Some(drawn(chart::ON_PHONE)?), label }))
}

/// The width of bars up to so many points: 1, 2 or 5 times a power of ten.
fn step_for(most: f64) -> f64 {
    let power = 10_f64.powf((most / MOST_BARS).log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power);
    steps.into_iter().find(|step| most / step <= MOST_BARS).unwrap_or(10.0 * power)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_have_round_widths() {
        for (most, step) in
            [(0.5, 0.05), (1.0, 0.1), (7.5, 1.0), (12.0, 1.0), (13.0, 2.0), (100.0, 10.0), (3000.0, 500.0)]
        {
            assert!((step_for(most) - step).abs() < 1e-12, "{most}: {}", step_for(most));
        }
    }

    #[test]
    fn every_student_is_in_one_bar() {
        let label = |totals: &[f64], best| distribution(totals, best).unwrap().unwrap().label;
        assert!(label(&[0.0, 2.0, 2.0], Some(3.0)).ends_with("; 0: 1, 1: 0, 2: 2, 3: 0"));
        let of_shares = label(&[0.0, 0.3, 0.3, 1.0, -1.0], Some(1.0));
        assert!(of_shares.contains("; 0 to 0.1: 2,") && of_shares.contains("0.3 to 0.4: 2"), "{of_shares}");
        assert!(of_shares.ends_with("0.9 to 1: 1"), "{of_shares}");
        // A bonus lengthens the axis.
        assert!(label(&[100.0, 120.0], Some(100.0)).ends_with("100 to 110: 1, 110 to 120: 1"));
        assert!(distribution(&[0.0, 0.0], None).unwrap().is_none());
    }
}
