//! Finds the students who may need help, and says why in words.

use std::collections::BTreeMap;

use super::{Cell, MISSING, Row, best_in, number, rows_of};
use crate::event::Verb;
use crate::problem::ProblemId;
use crate::record::Report;

/// A cell of the table of a class: the problem and the student.
pub type ClassCell = (String, String);

/// The grades of a class in an earlier run, by problem and student. Lateness does not count: a changed rule is not a sign
/// that a student needs help.
#[derive(Debug, Clone, Default)]
pub struct PastGrades {
    /// The start of the run: `11-24 08:33`.
    pub when: String,
    grades: BTreeMap<ClassCell, PastGrade>,
}

/// A grade in an earlier run.
#[derive(Debug, Clone, Copy)]
struct PastGrade {
    grade: f64,
    /// The best possible grade.
    best: Option<f64>,
    attempt: Option<u32>,
}

impl PastGrades {
    /// The grades of a run. None if it judged no students.
    pub(crate) fn of(report: &Report, when: String) -> Option<Self> {
        if report.verb() != Verb::Judge || !report.head.as_ref()?.is_of_class() {
            return None;
        }
        let (problems, rows) = rows_of(report);
        let best = bests(report);
        let of = |row: &Row| {
            let cells = row.cells.iter().zip(&problems).zip(&best);
            let grade = |((cell, problem), best): ((&Option<Cell>, &String), &Option<f64>)| {
                let cell = cell.as_ref()?;
                let past = PastGrade { grade: comparable(cell)?, best: *best, attempt: cell.attempt };
                Some(((problem.clone(), row.student.clone()), past))
            };
            cells.filter_map(grade).collect::<Vec<_>>()
        };
        Some(Self { when, grades: rows.iter().flat_map(of).collect() })
    }

    /// Whether the run has another grade in this cell. A repeated run has the same one and says nothing.
    pub fn differs(&self, cell: &ClassCell, now: f64) -> bool {
        self.other(cell, now).is_some()
    }

    /// The grade of a cell if it is another one.
    fn other(&self, cell: &ClassCell, now: f64) -> Option<PastGrade> {
        self.grades.get(cell).copied().filter(|past| (past.grade - now).abs() > 1e-9)
    }
}

/// The best possible grade in each problem.
fn bests(report: &Report) -> Vec<Option<f64>> {
    report.problems().into_iter().map(|problem| best_in(problem, report)).collect()
}

/// The students who may need help: the positions of their rows, and why.
pub fn needing(rows: &[Row], problems: &[String], report: &Report, past: &[&PastGrades]) -> Vec<(usize, Vec<String>)> {
    let best = bests(report);
    let open = |row: &Row| {
        let own = report.left_out().iter().filter(|out| out.student == row.student && !out.staff);
        let is_open = |problem: &ProblemId| {
            let at = problems.iter().position(|known| *known == *problem.as_str());
            at.and_then(|at| row.cells[at].as_ref()).is_some_and(|cell| cell.verdict.is_none() && cell.is_open())
        };
        let said = own.filter_map(|out| match &out.problem {
            Some(problem) => is_open(problem).then(|| format!("{problem}: {}", out.why)),
            None => row.open_unmatched().map(|_| format!("not judged: {}", out.why)),
        });
        said.collect::<Vec<_>>()
    };
    let reasons = |row: &Row| reasons(row, problems, &best, past);
    let of = |row: &Row| open(row).into_iter().chain(reasons(row)).collect::<Vec<_>>();
    let reasons = rows.iter().enumerate().map(|(at, row)| (at, of(row)));
    reasons.filter(|(_, reasons)| !reasons.is_empty()).collect()
}

/// The cells whose grades are compared with those of earlier runs, and these grades.
pub fn compared(rows: &[Row], problems: &[String]) -> BTreeMap<ClassCell, f64> {
    let of = |row: &Row| {
        let cells = problems.iter().zip(&row.cells);
        let grade = |(problem, cell): (&String, &Option<Cell>)| {
            Some(((problem.clone(), row.student.clone()), comparable(cell.as_ref()?)?))
        };
        cells.filter_map(grade).collect::<Vec<_>>()
    };
    rows.iter().flat_map(of).collect()
}

/// What a program earned; none if there is no verdict, or if a person has decided the grade.
fn comparable(cell: &Cell) -> Option<f64> {
    cell.earned.filter(|_| cell.verdict.is_some() && cell.notes.is_empty())
}

/// The reason of a student who submitted nothing.
pub const ABSENT: &str = "nothing submitted";

/// Returns the reasons why a student may need help; empty without a sign of it. `best` are the best possible grades, and
/// `past` earlier runs, newest first. Grades with other weights, and those of later attempts, are not compared. Who is excused from every problem need not
/// submit anything.
fn reasons(row: &Row, problems: &[String], best: &[Option<f64>], past: &[&PastGrades]) -> Vec<String> {
    let known = || problems.iter().zip(&row.cells).filter_map(|(problem, cell)| Some((problem, cell.as_ref()?)));
    let most_in = |problem: &String| problems.iter().position(|known| known == problem).and_then(|at| best[at]);
    let judged = || known().filter(|(_, cell)| cell.verdict.is_some());
    let has_nothing = |cell: &Cell| cell.word == MISSING || cell.is_excused();
    let is_absent = !row.is_excused() && row.unmatched.is_none() && known().all(|(_, cell)| has_nothing(cell));
    let mut reasons = Vec::new();
    if is_absent {
        reasons.push(ABSENT.to_owned());
    }
    if row.total() == Some(0.0) && judged().next().is_some() {
        let late = |cell: &Cell| if cell.is_late() { ", late" } else { "" };
        let result = |(problem, cell): (&String, &Cell)| format!("{problem} {}{}", cell.word(), late(cell));
        let results: Vec<String> = judged().map(result).collect();
        reasons.push(format!("no points: {}", results.join(", ")));
    }
    for (problem, cell) in judged() {
        let of = (problem.clone(), row.student.clone());
        let before = |now| past.iter().find_map(|past| Some((past.other(&of, now)?, &past.when)));
        if let Some(now) = comparable(cell)
            && let Some((before, when)) = before(now)
            && now < before.grade
            && before.best == most_in(problem)
            && cell.attempt >= before.attempt
        {
            reasons.push(format!("{problem}: {} points, {} on {when}", number(now), number(before.grade)));
        }
        if let Some(test) = &cell.only_failure {
            reasons.push(format!("{problem}: only {test} fails"));
        }
    }
    reasons
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verdict::Verdict;

    fn row(cells: Vec<Option<Cell>>) -> Row {
        Row { student: "ann".to_owned(), person: None, cells, unmatched: None, changes: Vec::new(), best: None }
    }

    fn cell(verdict: Verdict, grade: f64) -> Cell {
        Cell { verdict: Some(verdict), grade: Some(grade), earned: Some(grade), ..Cell::unjudged(String::new()) }
    }

    fn past(when: &str, grade: f64) -> PastGrades {
        let past = PastGrade { grade, best: Some(1.0), attempt: None };
        PastGrades { when: when.to_owned(), grades: [(("p".to_owned(), "ann".to_owned()), past)].into() }
    }

    #[test]
    fn each_reason_is_said_in_words() {
        let problems = ["p", "q"].map(str::to_owned);
        let said = |row: &Row, past: &[&PastGrades]| reasons(row, &problems, &[Some(1.0), None], past);
        assert_eq!(said(&row(vec![None, None]), &[]), ["nothing submitted"]);
        let excused = || Some(Cell::unjudged("excused".to_owned()));
        assert!(said(&row(vec![excused(), excused()]), &[]).is_empty());
        assert_eq!(said(&row(vec![excused(), None]), &[]), ["nothing submitted"]);
        let unmatched = Row { unmatched: Some("no such problem".to_owned()), ..row(vec![None, None]) };
        assert!(said(&unmatched, &[]).is_empty());
        let none = row(vec![Some(cell(Verdict::WrongAnswer, 0.0)), None]);
        assert_eq!(said(&none, &[]), ["no points: p WA"]);
        let some = row(vec![Some(cell(Verdict::WrongAnswer, 0.5)), Some(cell(Verdict::Accepted, 1.0))]);
        assert!(said(&some, &[&past("then", 0.5)]).is_empty());
        // The last run that judged it otherwise counts.
        assert_eq!(
            said(&some, &[&PastGrades::default(), &past("repeated", 0.5), &past("then", 1.0), &past("before", 0.0)]),
            ["p: 0.5 points, 1 on then"]
        );
        // The rule about attempts may have changed.
        let mut first = some.clone();
        first.cells[0].as_mut().unwrap().attempt = Some(1);
        let mut of_second = past("then", 1.0);
        of_second.grades.values_mut().for_each(|past| past.attempt = Some(2));
        assert!(said(&first, &[&of_second]).is_empty());
        let mut late = some.clone();
        late.cells[0].as_mut().unwrap().grade = Some(0.25);
        assert!(said(&late, &[&past("then", 0.5)]).is_empty());
        let weighted = reasons(&some, &problems, &[Some(2.0), None], &[&past("then", 1.0)]);
        assert!(weighted.is_empty(), "{weighted:?}");
        let mut stuck = some;
        stuck.cells[0].as_mut().unwrap().only_failure = Some("secret/3".into());
        assert_eq!(said(&stuck, &[]), ["p: only secret/3 fails"]);
    }
}
