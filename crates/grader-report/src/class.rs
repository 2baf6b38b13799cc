//! The results of a class: a row for each student, a column for each problem. Every table and every file of grades shows
//! these rows.

pub mod help;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use super::grade::{best, earned, grade, number};
use crate::course::{Lateness, Missing};
use crate::event::{Amount, Override, ProblemHead, RosterStudent, Standing};
use crate::problem::{ProblemId, TestId};
use crate::record::{Report, SubmissionReport};
use crate::verdict::Verdict;

/// The word of a cell without a submission, whose points a person decided.
const MANUAL: &str = "manual";
/// The word of a cell without a submission that has a zero.
pub(crate) const MISSING: &str = "missing";
/// The word of a cell without a submission from which the platform's list excuses the student.
const EXCUSED: &str = "excused";

/// A student's result in one problem.
#[derive(Debug, Clone, PartialEq)]
pub struct Cell {
    /// The verdict; none if the submission could not be judged.
    pub verdict: Option<Verdict>,
    /// One or two words shown if there is no verdict.
    pub word: String,
    /// The number of accepted tests and of all tests.
    pub passed: (usize, usize),
    /// The points and the maximum; none in a pass-fail problem.
    pub score: Option<(f64, Option<f64>)>,
    /// The points that it adds to the total; none if the submission could not be judged.
    pub grade: Option<f64>,
    /// The points that it would add without lateness and overrides; none if it could not be judged.
    pub earned: Option<f64>,
    /// The CPU time of the slowest test.
    pub slowest: Option<Duration>,
    /// Which of several submissions it is, from 1.
    pub attempt: Option<u32>,
    /// When it was submitted, if several submissions of a student are judged.
    pub submitted: Option<String>,
    /// How late it is, if anything says so.
    pub late: Option<Lateness>,
    /// The overrides of its grade, in words: `manual: 80, was 65: appeal of 12 March`.
    pub notes: Vec<String>,
    /// The test that fails, if all others are accepted.
    pub only_failure: Option<TestId>,
}

impl Cell {
    /// A submission that could not be judged.
    pub fn unjudged(word: String) -> Self {
        Self {
            verdict: None,
            word,
            passed: (0, 0),
            score: None,
            grade: None,
            earned: None,
            slowest: None,
            attempt: None,
            submitted: None,
            late: None,
            notes: Vec::new(),
            only_failure: None,
        }
    }

    /// The verdict, the lateness and the overrides, in words.
    pub fn comment(&self) -> String {
        let word = Some(self.word()).filter(|word| word != MANUAL);
        let late = self.late.filter(|_| self.is_late()).map(|late| late.to_string());
        word.into_iter().chain(late).chain(self.notes.clone()).collect::<Vec<_>>().join(", ")
    }

    /// Its verdict, or why there is none.
    pub fn word(&self) -> String {
        self.verdict.map_or_else(|| self.word.clone(), |verdict| verdict.code().to_owned())
    }

    /// Whether the student need not submit anything, so that the problem is no part of the total.
    pub fn is_excused(&self) -> bool {
        self.word == EXCUSED && self.notes.is_empty()
    }

    /// Whether it has neither points nor a reason why none count: a person must look.
    pub fn is_open(&self) -> bool {
        self.grade.is_none() && !self.is_excused()
    }

    /// Whether it was submitted after the deadline.
    pub fn is_late(&self) -> bool {
        self.late.is_some_and(Lateness::is_late)
    }

    /// The points or accepted tests, and the grade if lateness or overrides changed it: `8/10 → 7.2`.
    pub fn figure(&self) -> String {
        let figure = match self.score {
            Some((score, Some(most))) => format!("{}/{}", number(score), number(most)),
            Some((score, None)) => number(score),
            None if self.passed.1 > 0 => format!("{}/{}", self.passed.0, self.passed.1),
            None => String::new(),
        };
        match (self.earned.map(number), self.grade.map(number)) {
            (Some(earned), Some(grade)) if earned != grade => format!("{figure} → {grade}"),
            _ => figure,
        }
    }

    /// Applies an override to the grade. `best`: the most points without overrides.
    fn change(&mut self, change: &Override, best: Option<f64>) {
        let was = self.grade;
        if self.is_excused() {
            MANUAL.clone_into(&mut self.word);
        }
        // Points added to an unknown grade give an unknown grade. A submission that could not be judged has no points.
        let is_unknown = was.is_none() && self.late == Some(Lateness::Unknown);
        self.grade = (!is_unknown || matches!(change.amount, Amount::Points(_))).then(|| changed(was, change.amount));
        self.notes.push(note(change, was, self.grade, best));
    }
}

/// A student's row.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// The name under which reports list the student.
    pub student: String,
    /// The student's entry in the roster or the export, if there is one.
    pub person: Option<RosterStudent>,
    /// One for each problem; none if the student submitted nothing.
    pub cells: Vec<Option<Cell>>,
    /// Why something that the student submitted belongs to no problem, if anything does.
    pub unmatched: Option<String>,
    /// The overrides of the total.
    pub changes: Vec<Override>,
    /// The best possible total without such changes; none if it has no bound.
    pub best: Option<f64>,
}

impl Row {
    /// The row of a student without results in so many problems.
    fn empty(student: &str, problems: usize) -> Self {
        let cells = vec![None; problems];
        Self { student: student.to_owned(), person: None, cells, unmatched: None, changes: Vec::new(), best: None }
    }

    /// The student's name; empty if it is unknown.
    pub fn name(&self) -> &str {
        self.person.as_ref().map_or("", |person| &person.name)
    }

    /// Whether the name adds something to the student's name in reports. If any name does, tables show all names.
    pub(crate) fn has_another_name(&self) -> bool {
        !self.student.contains(self.name())
    }

    /// The student's group; empty if it is unknown.
    pub fn group(&self) -> &str {
        self.person.as_ref().and_then(|person| person.group.as_deref()).unwrap_or_default()
    }

    /// Whether the student is excused from every problem.
    pub(crate) fn is_excused(&self) -> bool {
        !self.cells.is_empty() && self.cells.iter().all(|cell| cell.as_ref().is_some_and(Cell::is_excused))
    }

    /// The positions of the problems from which the platform's list excuses the student, and for which nothing was submitted.
    fn excused(&self, report: &Report) -> Vec<usize> {
        let excused = self.person.as_ref().map(|person| &*person.excused).unwrap_or_default();
        let columns = report.head.iter().flat_map(|head| &head.grade_columns);
        let problems: Vec<&ProblemId> = columns
            .filter(|column| excused.contains(&column.heading))
            .filter_map(|column| column.problem.as_ref())
            .collect();
        let has_nothing = |cell: &Option<Cell>| cell.as_ref().is_none_or(|cell| cell.word == MISSING);
        let all = report.problems().into_iter().zip(&self.cells).enumerate();
        all.filter(|(_, (problem, cell))| problems.contains(problem) && has_nothing(cell)).map(|(at, _)| at).collect()
    }

    /// The sum of all points. None if a submission could not be judged, or if one belongs to no problem and people did not decide
    /// what it may be for. Also none for who is excused from every problem.
    pub fn total(&self) -> Option<f64> {
        self.changes.iter().fold(self.sum(), after)
    }

    /// The total without what people decided about it.
    fn sum(&self) -> Option<f64> {
        let points = self.cells.iter().flatten().filter(|cell| !cell.is_excused()).map(|cell| cell.grade);
        let has_total = !self.is_excused() || !self.changes.is_empty();
        points.sum::<Option<f64>>().filter(|_| has_total && self.open_unmatched().is_none())
    }

    /// The total in words: `?` if a person must look, and a dash for who is excused from every problem.
    pub(crate) fn total_in_words(&self) -> String {
        let without = if self.is_excused() { "–" } else { "?" };
        self.total().map_or_else(|| without.to_owned(), number)
    }

    /// Why something that the student submitted belongs to no problem, unless people decided the points of the problems for which
    /// nothing else was submitted, or of all.
    pub fn open_unmatched(&self) -> Option<&str> {
        let cells = || self.cells.iter().map(Option::as_ref);
        let has_something = cells().all(|cell| cell.is_some_and(|cell| !cell.is_excused()));
        let is_decided = |cell: &Cell| !cell.notes.is_empty();
        let fills_gap = cells().flatten().any(|cell| cell.verdict.is_none() && is_decided(cell));
        let is_settled = has_something && (fills_gap || cells().flatten().all(is_decided));
        self.unmatched.as_deref().filter(|_| self.cells.is_empty() || !is_settled)
    }

    /// Why the total is open, if no cell says it.
    pub(crate) fn why_open(&self) -> Option<&str> {
        self.open_unmatched().filter(|_| self.cells.iter().all(Option::is_some))
    }

    /// The overrides of all grades, in words, those of the total last. `problems` are the names of the columns.
    pub fn remarks(&self, problems: &[String]) -> Vec<String> {
        let of = |(problem, cell): (&String, &Option<Cell>)| {
            let notes = cell.iter().flat_map(|cell| &cell.notes);
            notes.map(|note| format!("{problem}: {note}")).collect::<Vec<_>>()
        };
        problems.iter().zip(&self.cells).flat_map(of).chain(self.notes()).collect()
    }

    /// The overrides of the total, in words.
    pub fn notes(&self) -> Vec<String> {
        let mut was = self.sum();
        let note = |change: &Override| {
            let before = was;
            was = after(before, change);
            note(change, before, self.total(), self.best)
        };
        self.changes.iter().map(note).collect()
    }
}

/// The order of the rows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Order {
    /// By the students' names.
    #[default]
    Name,
    /// By points, highest first, unknown ones last; ties by name.
    Score,
}

/// Sorts the rows.
pub fn sort(rows: &mut [Row], order: Order) {
    rows.sort_by_cached_key(|row| (row.student.to_lowercase(), row.student.clone()));
    if order == Order::Score {
        let known = |row: &Row| row.total().unwrap_or(f64::NEG_INFINITY);
        rows.sort_by(|a, b| known(b).total_cmp(&known(a)));
    }
}

/// The total after a change of it.
fn after(total: Option<f64>, change: &Override) -> Option<f64> {
    match change.amount {
        Amount::Points(points) => Some(points),
        Amount::Added(more) => total.map(|total| total + more),
    }
}

/// The grade after a change.
fn changed(was: Option<f64>, amount: Amount) -> f64 {
    match amount {
        Amount::Points(points) => points,
        Amount::Added(more) => was.unwrap_or(0.0) + more,
    }
}

/// A change in words: `manual: 80, was 65: appeal of 12 March (Dr Lee)`, `manual: +5: good comments`.
fn note(change: &Override, was: Option<f64>, now: Option<f64>, best: Option<f64>) -> String {
    let amount = match change.amount {
        Amount::Points(points) => number(points),
        Amount::Added(more) if more < 0.0 => number(more),
        Amount::Added(more) => format!("+{}", number(more)),
    };
    let was = was.map(|was| format!(", was {}", number(was))).unwrap_or_default();
    let by = if change.by.is_empty() { String::new() } else { format!(" ({})", change.by) };
    let above = best.filter(|best| now.is_some_and(|now| now > *best + 1e-9));
    let above = above.map(|best| format!(", above the maximum {}", number(best))).unwrap_or_default();
    let below = if now.is_some_and(|now| now < -1e-9) { ", below 0" } else { "" };
    format!("manual: {amount}{was}{above}{below}: {}{by}", change.reason)
}

/// The names of the problems, and a row for each student with the students who submitted nothing.
pub fn rows_of(report: &Report) -> (Vec<String>, Vec<Row>) {
    let heads: Vec<_> = report.head.iter().flat_map(|head| &head.problems).collect();
    let problems = report.problems();
    let column_of = |problem: &ProblemId| problems.iter().position(|known| *known == problem);
    let mut rows: BTreeMap<&str, Row> = BTreeMap::new();
    let empty = |student: &str| Row::empty(student, problems.len());
    for submission in &report.submissions {
        let student = student_of(submission);
        let Some(head) = heads.iter().find(|head| head.problem == submission.id.problem) else { continue };
        let Some(column) = column_of(&head.problem) else { continue };
        let known = &mut rows.entry(student).or_insert_with(|| empty(student)).cells[column];
        let cell = cell(submission, head);
        // The best of several counts. One without a grade hides no other.
        if known.as_ref().is_none_or(|known| cell.grade > known.grade) {
            *known = Some(cell);
        }
    }
    for out in report.left_out() {
        let row = rows.entry(&out.student).or_insert_with(|| empty(&out.student));
        if out.problem.is_none() {
            row.unmatched.get_or_insert_with(|| out.why.clone());
        }
        let column = out.problem.as_ref().and_then(column_of);
        let Some(cell) = column.map(|column| &mut row.cells[column]) else { continue };
        cell.get_or_insert_with(|| Cell::unjudged(out.why.clone()));
    }
    for student in report.without_submission() {
        rows.entry(&student.student).or_insert_with(|| empty(&student.student));
    }
    let missing = report.head.as_ref().map(|head| head.missing).unwrap_or_default();
    for row in rows.values_mut().filter(|row| missing == Missing::Zero && row.unmatched.is_none()) {
        for cell in row.cells.iter_mut().filter(|cell| cell.is_none()) {
            *cell = Some(Cell { grade: Some(0.0), ..Cell::unjudged(MISSING.to_owned()) });
        }
    }
    for student in report.head.iter().flat_map(|head| &head.roster) {
        let Some(row) = rows.get_mut(&*student.student) else { continue };
        row.person = Some(student.clone());
        for at in row.excused(report) {
            row.cells[at] = Some(Cell::unjudged(EXCUSED.to_owned()));
        }
    }
    for change in report.head.iter().flat_map(|head| &head.overrides) {
        let row = rows.entry(&change.student).or_insert_with(|| empty(&change.student));
        match &change.problem {
            None => row.changes.push(change.clone()),
            Some(problem) => {
                let Some(column) = column_of(problem) else { continue };
                let cell = row.cells[column].get_or_insert_with(|| Cell::unjudged(MANUAL.to_owned()));
                cell.change(change, best_in(problem, report));
            }
        }
    }
    for row in rows.values_mut() {
        let counts = |cell: &Option<Cell>| cell.as_ref().is_none_or(|cell| !cell.is_excused());
        let counted = problems.iter().zip(&row.cells).filter(|(_, cell)| counts(cell));
        row.best = counted.map(|(problem, _)| best_in(problem, report)).sum();
    }
    (problems.iter().map(ToString::to_string).collect(), rows.into_values().collect())
}

/// Whether something could not be judged, and no override decides its points.
pub fn has_undecided(report: &Report) -> bool {
    let is_decided = |row: &Row| {
        let is_changed = !row.changes.is_empty() || row.cells.iter().flatten().any(|cell| !cell.notes.is_empty());
        is_changed && row.total().is_some()
    };
    let (_, rows) = rows_of(report);
    let decided: BTreeSet<&str> = rows.iter().filter(|row| is_decided(row)).map(|row| &*row.student).collect();
    let not_judged = |submission: &&SubmissionReport| matches!(submission.standing(), Some(Standing::NotJudged { .. }));
    let not_judged = report.submissions.iter().filter(not_judged).map(student_of);
    let left_out = report.left_out().iter().map(|out| &*out.student);
    left_out.chain(not_judged).any(|student| !decided.contains(student))
}

/// The student of a submission. Without students, each submission stands for one.
fn student_of(submission: &SubmissionReport) -> &str {
    submission.head.student.as_deref().unwrap_or(submission.id.submission.as_str())
}

/// Returns the cell of a submission. None if another submission of the student counts. The table is that of [`rows_of`], in
/// its order.
pub fn cell_of<'r>((problems, rows): &'r (Vec<String>, Vec<Row>), submission: &SubmissionReport) -> Option<&'r Cell> {
    let row = rows.binary_search_by(|row| (*row.student).cmp(student_of(submission))).ok()?;
    let column = problems.iter().position(|problem| *problem == *submission.id.problem.as_str())?;
    rows[row].cells[column].as_ref().filter(|cell| cell.attempt == submission.head.attempt)
}

fn cell(submission: &SubmissionReport, head: &ProblemHead) -> Cell {
    let slowest = submission.slowest.as_ref().map(|(_, test)| test.cpu());
    let attempt = submission.head.attempt;
    let submitted = submission.head.submitted.clone();
    let late = submission.head.lateness();
    let grade = match grade(head, submission) {
        Ok(grade) => grade,
        Err(why) => return Cell { slowest, attempt, submitted, late, ..Cell::unjudged(why.to_owned()) },
    };
    let tests = if submission.verdict() == Some(Verdict::CompileError) { 0 } else { head.tests };
    let score = submission.score().map(|score| (score, head.max_score));
    let passed = (submission.accepted(), tests);
    Cell {
        verdict: submission.verdict(),
        word: String::new(),
        passed,
        score,
        grade: Some(grade),
        earned: earned(head, submission).ok(),
        slowest,
        attempt,
        submitted,
        late,
        notes: Vec::new(),
        only_failure: only_failure(submission, tests),
    }
}

/// The test that fails, if all others of so many tests are accepted. Of two tests, one says little.
fn only_failure(submission: &SubmissionReport, tests: usize) -> Option<TestId> {
    let failure = submission.failure().filter(|_| tests > 2 && submission.accepted() + 1 == tests)?;
    Some(failure.test.test.clone())
}

/// The best possible grade in a problem; none if it has no bound, or if no submission could be judged.
pub fn best_in(problem: &ProblemId, report: &Report) -> Option<f64> {
    let mut heads = report.head.iter().flat_map(|head| &head.problems);
    let head = heads.find(|head| head.problem == *problem)?;
    best(head, report.is_scored(head))
}

/// The best possible total; none if that of some problem is unknown.
pub fn best_total(report: &Report) -> Option<f64> {
    report.problems().into_iter().map(|problem| best_in(problem, report)).sum()
}

/// The average grade of each problem and of the total. A missing submission counts as 0, as in totals. Unknown grades do not
/// count.
pub fn averages(rows: &[Row]) -> (Vec<Option<f64>>, Option<f64>) {
    let problems = rows.first().map_or(0, |row| row.cells.len());
    let grade = |row: &Row, at: usize| row.cells[at].as_ref().map_or(Some(0.0), |cell| cell.grade);
    let counted = rows.iter().filter(|row| !row.is_excused());
    let of_problem = |at| average(rows.iter().filter_map(|row| grade(row, at)));
    ((0..problems).map(of_problem).collect(), average(counted.filter_map(Row::total)))
}

fn average(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (count, sum) = values.fold((0_u32, 0.0), |(count, sum), value| (count + 1, sum + value));
    (count > 0).then(|| sum / f64::from(count))
}
