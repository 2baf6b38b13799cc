//! One problem on the page: submissions × tests, times against the limit, and which test kills which submission.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io;
use std::time::Duration;

use super::super::failure::clean;
use super::super::grade::{number, rounded};
use super::super::margins;
use super::super::text::first_of;
use super::cell::{Cell, CellResult};
use super::chart::{self, ReferenceLine, Strip};
use super::details::Explanation;
use crate::event::{
    ProblemHead, RosterStudent, RunStarted, Standing, SubmissionHead, SubmissionIndex, TestFinished, TestIndex,
    TestResult, Verb,
};
use crate::limits::{Bytes, seconds, seconds_short};
use crate::problem::{ProblemId, TestId};
use crate::record::{FinishedSubmission, TestRow};
use crate::record::{Report, margins_of};
use crate::score::kills::{Use, enough, uses};
use crate::score::time_limit::TestTime;
use crate::verdict::Verdict;

/// The most submissions named for one test.
const NAMED: usize = 8;
/// The most cells of a heat map. A larger one would take a browser longer than a glance.
pub(super) const MOST_CELLS: usize = 200_000;
/// A table with more cells has columns of fixed widths, and its browser lays out only the rows near the screen.
pub(super) const LARGE: usize = 5_000;

/// The class of a submission that is not over.
const WAITING: &str = "waiting";

/// The results of one problem.
#[derive(Debug)]
pub(super) struct Grid {
    pub(super) problem: ProblemId,
    /// The name for people: label and title if it has them.
    pub(super) name: String,
    pub(super) limits: String,
    /// Whether the problem has points.
    pub(super) is_scored: bool,
    max_score: Option<f64>,
    time_limit: Duration,
    memory_limit: Bytes,
    has_programs: bool,
    /// The position of the first row among all submissions of the run.
    first: SubmissionIndex,
    /// The names of the tests in plan order; empty for those that are not known yet.
    pub(super) tests: Vec<String>,
    pub(super) rows: Vec<Row>,
    /// The sentence about the margins of the time limit, and whether they are safe.
    pub(super) margins: Option<(String, bool)>,
    pub(super) times: Option<Chart>,
    pub(super) memory: Option<Chart>,
    pub(super) kills: Option<Kills>,
}

/// A chart, with a description in words.
#[derive(Debug)]
pub(super) struct Chart {
    /// The drawing. Its library escapes all text in it.
    pub(super) svg: String,
    /// The drawing for a phone, if there is one; otherwise the other scrolls there.
    pub(super) on_phone: Option<String>,
    pub(super) label: String,
}

/// The results of one submission.
#[derive(Debug, Default)]
pub(super) struct Row {
    /// Its position among all submissions of the run.
    pub(super) submission: SubmissionIndex,
    pub(super) name: String,
    pub(super) expected: String,
    /// The student's group; empty if it is unknown.
    pub(super) group: String,
    /// The result in a word or two.
    pub(super) result: String,
    /// The class of its standing.
    pub(super) standing: &'static str,
    /// Why it needs attention; empty if it does not.
    pub(super) why: String,
    /// The first failing test and the reason; empty if there is none.
    pub(super) first_failure: String,
    pub(super) slowest: String,
    pub(super) memory: String,
    pub(super) points: String,
    pub(super) groups: Vec<Group>,
    pub(super) explained: Vec<Explanation>,
    /// The cells of the tests so far, in plan order.
    cells: Vec<Cell>,
}

/// The points of a group of tests.
#[derive(Debug)]
pub(super) struct Group {
    pub(super) name: String,
    pub(super) score: f64,
    pub(super) max: Option<f64>,
}

impl Row {
    /// Whether it needs attention.
    pub(super) fn is_unexpected(&self) -> bool {
        matches!(self.standing, "missed" | "broken")
    }

    /// Whether the submission is not over.
    pub(super) fn is_waiting(&self) -> bool {
        self.standing == WAITING
    }

    fn cell(&self, test: TestIndex) -> Cell {
        self.cells.get(test.0).copied().unwrap_or(Cell::NOT_RUN)
    }
}

/// Which tests kill which submissions.
#[derive(Debug)]
pub(super) struct Kills {
    /// The tests that kill some submission.
    pub(super) killers: Vec<Killer>,
    /// The tests that kill none.
    pub(super) idle: Vec<String>,
    /// A few tests that together kill as much as all.
    pub(super) enough: Vec<String>,
    /// The results that are unknown, because the submission had failed before.
    pub(super) unknown: usize,
}

/// A test that kills some submission.
#[derive(Debug)]
pub(super) struct Killer {
    pub(super) test: String,
    pub(super) count: usize,
    pub(super) submissions: String,
    /// The submissions that only this test kills.
    pub(super) alone: String,
    /// Whether other tests kill all of the same submissions.
    pub(super) is_redundant: bool,
    /// Whether it is a sample, which makes no other test redundant.
    pub(super) is_sample: bool,
}

impl Grid {
    /// The plan of a problem of a run, without results. `first` is the position of its first submission in the run.
    pub(super) fn new(head: &ProblemHead, first: SubmissionIndex, run: &RunStarted) -> Self {
        let from = head.time_limit_from.as_ref().map(|from| format!(" ({from})")).unwrap_or_default();
        let limits = if head.outputs {
            "the submissions are outputs: no program runs".to_owned()
        } else {
            format!("time limit {}{from}, memory limit {}", seconds_short(head.time_limit), head.memory)
        };
        let people: BTreeMap<&str, &RosterStudent> =
            run.roster.iter().map(|person| (&*person.student, person)).collect();
        let called = |submission: &SubmissionHead| {
            let path = submission.submission.as_str();
            let person = submission.student.as_deref().and_then(|student| people.get(student));
            person.map_or_else(|| path.to_owned(), |person| person.named_after(path))
        };
        let rows = head.submissions.iter().enumerate().map(|(at, submission)| Row {
            submission: SubmissionIndex(first.0 + at),
            name: clean(&called(submission)),
            // Nothing is expected of a student's program.
            expected: if run.verb == Verb::Run { clean(&submission.expected) } else { String::new() },
            result: "waiting".to_owned(),
            standing: WAITING,
            ..Row::default()
        });
        Self {
            problem: head.problem.clone(),
            name: name(head),
            limits: clean(&limits),
            is_scored: head.max_score.is_some(),
            max_score: head.max_score,
            time_limit: head.time_limit,
            memory_limit: head.memory,
            has_programs: !head.outputs,
            first,
            tests: vec![String::new(); head.tests],
            rows: rows.collect(),
            margins: None,
            times: None,
            memory: None,
            kills: None,
        }
    }

    /// Whether the submission belongs to this problem.
    pub(super) fn has(&self, submission: SubmissionIndex) -> bool {
        (self.first.0..self.first.0 + self.rows.len()).contains(&submission.0)
    }

    /// Sets the cell of a test.
    pub(super) fn set(&mut self, submission: SubmissionIndex, test: TestIndex, name: &str, cell: Cell) {
        if self.tests.len() <= test.0 {
            self.tests.resize(test.0 + 1, String::new());
        }
        if self.tests[test].is_empty() {
            self.tests[test] = clean(name);
        }
        let row = &mut self.rows[submission.0 - self.first.0];
        if row.is_waiting() {
            "running".clone_into(&mut row.result);
        }
        let cells = &mut row.cells;
        if cells.len() <= test.0 {
            cells.resize(test.0 + 1, Cell::NOT_RUN);
        }
        cells[test] = cell;
    }

    /// Adds the results of a finished submission.
    pub(super) fn add(&mut self, of: &FinishedSubmission<'_>, explained: Vec<Explanation>) {
        let submission = of.submission;
        for row in of.tests {
            let (ordinal, cell) = match row {
                TestRow::Finished(finished) => (finished.test.ordinal, Cell::new(&finished.result, Some(submission))),
                TestRow::Skipped(skipped) => (skipped.test.ordinal, Cell::NOT_RUN),
            };
            self.set(submission.id.index, ordinal, row.name(), cell);
        }
        let (standing, why) = standing(of);
        let time = submission.slowest.as_ref().map(|(_, test)| {
            let bound = if test.killed && test.verdict == Some(Verdict::TimeLimit) { ">" } else { "" };
            format!("{bound}{}", seconds(test.cpu()))
        });
        let groups = submission.groups().iter().map(|group| Group {
            name: if group.group.is_empty() { "all".to_owned() } else { clean(&group.group) },
            score: rounded(group.score),
            max: group.max_score.map(rounded),
        });
        let points = self.max_score.map(|max| match submission.score() {
            Some(score) => format!("{} of {}", number(score), number(max)),
            None => format!("– of {}", number(max)),
        });
        let student = submission.head.student.as_deref();
        let person = of.head.roster.iter().find(|person| Some(&*person.student) == student);
        let row = &mut self.rows[submission.id.index.0 - self.first.0];
        *row = Row {
            group: person.and_then(|person| person.group.as_deref()).map(clean).unwrap_or_default(),
            result: submission.told().unwrap_or("interrupted").to_owned(),
            standing,
            why: clean(&why),
            first_failure: submission.failure().map(first_failure).unwrap_or_default(),
            slowest: time.unwrap_or_default(),
            memory: submission.memory().map(|memory| memory.to_string()).unwrap_or_default(),
            points: points.unwrap_or_default(),
            groups: groups.collect(),
            explained,
            ..std::mem::take(row)
        };
    }

    /// Computes the parts that need all submissions.
    pub(super) fn finish(&mut self, report: &Report) -> io::Result<()> {
        let head = report.head.as_ref().and_then(|head| head.problems.iter().find(|of| of.problem == self.problem));
        let Some(head) = head else { return Ok(()) };
        let submissions = report.submissions.get(self.first.0..self.first.0 + self.rows.len()).unwrap_or_default();
        let margins = margins_of(head, submissions);
        self.margins = margins.as_ref().map(|found| (clean(&margins::words(found)), found.are_safe()));
        let is_large = self.rows.len() > chart::MOST_ROWS;
        if self.has_programs && !is_large {
            let slowest = margins.as_ref().and_then(|margins| margins.slowest.as_ref());
            let fastest = margins.as_ref().and_then(|margins| margins.fastest.as_ref());
            self.times = self.chart_of_times(slowest, fastest)?;
            self.memory = self.chart_of_memory()?;
        }
        if report.verb() == Verb::Run {
            self.kills = self.find_kills(head);
        }
        Ok(())
    }

    /// Whether the heat map is small enough for a page.
    pub(super) fn is_shown(&self) -> bool {
        self.rows.len() * self.tests.len() <= MOST_CELLS
    }

    /// Whether the heat map has many cells.
    pub(super) fn is_large(&self) -> bool {
        self.rows.len() * self.tests.len() > LARGE
    }

    /// The number of tests.
    pub(super) fn width(&self) -> usize {
        self.tests.len()
    }

    /// The number of columns before the tests.
    pub(super) fn first_column(&self) -> usize {
        if self.is_scored { 5 } else { 4 }
    }

    /// The cells of a row, one for each column.
    pub(super) fn cells<'a>(&self, row: &'a Row) -> impl Iterator<Item = Cell> + 'a {
        TestIndex::each(0..self.tests.len()).map(|test| row.cell(test))
    }

    /// Whether no test was judged, because none has an answer.
    pub(super) fn is_unanswered(&self) -> bool {
        let mut cells = self.rows.iter().flat_map(|row| &row.cells);
        cells.clone().any(|cell| cell.result() == CellResult::NotJudged)
            && cells.all(|cell| matches!(cell.result(), CellResult::NotJudged | CellResult::NotRun))
    }

    /// The number of explanations.
    pub(super) fn explained(&self) -> usize {
        self.rows.iter().map(|row| row.explained.len()).sum()
    }

    /// The number of known results.
    pub(super) fn results(&self) -> usize {
        let cells = self.rows.iter().flat_map(|row| &row.cells);
        cells.filter(|cell| cell.result != CellResult::NotRun).count()
    }

    /// Whether some row has points of groups.
    pub(super) fn has_groups(&self) -> bool {
        self.rows.iter().any(|row| !row.groups.is_empty())
    }

    /// The figures of all cells, row by row, as JSON: milliseconds (negative: a lower bound) and KiB.
    pub(super) fn figures(&self) -> String {
        let mut json = "[".to_owned();
        for (at, row) in self.rows.iter().enumerate() {
            json.push_str(if at > 0 { ",\n[" } else { "[" });
            for (at, cell) in self.cells(row).enumerate() {
                let [millis, kib] = cell.figures();
                // Writing to a string cannot fail.
                let _ = write!(json, "{}{millis},{kib}", if at > 0 { "," } else { "" });
            }
            json.push(']');
        }
        json + "]"
    }

    fn chart_of_times(
        &self,
        slowest: Option<&(String, TestTime)>,
        fastest: Option<&(String, TestTime)>,
    ) -> io::Result<Option<Chart>> {
        let strips = self.strips(|cell| cell.cpu().as_secs_f64());
        let limit = self.time_limit.as_secs_f64();
        let mut marks = vec![ReferenceLine { value: limit, text: format!("limit {}", seconds_short(self.time_limit)) }];
        let mark = |what: &str, (_, timed): &(String, TestTime)| ReferenceLine {
            value: timed.time.as_secs_f64(),
            text: format!("{what} {}{}", if timed.killed { ">" } else { "" }, seconds(timed.time)),
        };
        marks.extend(slowest.map(|side| mark("slowest AC", side)));
        marks.extend(fastest.map(|side| mark("fastest TLE", side)));
        let svg = chart::strips(&strips, &marks, &|value| seconds_short(Duration::from_secs_f64(*value)))?;
        let label = format!("CPU time of every test on a logarithmic axis; {}", words(&marks));
        Ok(svg.map(|svg| Chart { svg, on_phone: None, label }))
    }

    #[expect(clippy::cast_precision_loss, reason = "a picture")]
    fn chart_of_memory(&self) -> io::Result<Option<Chart>> {
        let mebibytes = |bytes: Bytes| bytes.0 as f64 / f64::from(1 << 20);
        let strips = self.strips(|cell| mebibytes(cell.memory()));
        let marks =
            [ReferenceLine { value: mebibytes(self.memory_limit), text: format!("limit {}", self.memory_limit) }];
        let svg = chart::strips(&strips, &marks, &|value| format!("{value} MiB"))?;
        let label = format!("memory of every test on a logarithmic axis; {}", words(&marks));
        Ok(svg.map(|svg| Chart { svg, on_phone: None, label }))
    }

    fn strips(&self, value: impl Fn(&Cell) -> f64) -> Vec<Strip<'_>> {
        let of = |row: &Row| {
            let measured = row.cells.iter().filter(|cell| cell.is_measured());
            measured.map(|cell| (value(cell), cell.verdict())).collect()
        };
        self.rows.iter().map(|row| Strip { name: &row.name, points: of(row) }).collect()
    }

    /// Finds which tests kill which submissions. Among fewer than two submissions, that says nothing about the tests.
    fn find_kills(&self, head: &ProblemHead) -> Option<Kills> {
        if self.rows.len() < 2 {
            return None;
        }
        let is_killed = |row: &&Row| row.cells.iter().any(|cell| cell.is_failure());
        let doomed: Vec<&Row> = self.rows.iter().filter(is_killed).collect();
        if doomed.is_empty() || self.tests.len() < 2 {
            return None;
        }
        // People may see samples beforehand, so they make no other test redundant.
        let counts = |test: usize| !head.is_sample(&TestId::from(self.tests[test].as_str()));
        let fails = |test: usize, of: usize| doomed[of].cell(TestIndex(test)).is_failure();
        let found = uses(self.tests.len(), doomed.len(), fails, counts);
        let few = enough(&found, counts);
        let names = |of: &[usize]| first_of(of.iter().map(|at| doomed[*at].name.as_str()), NAMED);
        let killer = |(at, Use { kills, alone }): (usize, &Use)| Killer {
            test: self.tests[at].clone(),
            count: kills.len(),
            submissions: names(kills),
            alone: names(alone),
            is_redundant: !few.contains(&at),
            is_sample: !counts(at),
        };
        let is_unknown = |(row, test): &(&Row, TestIndex)| row.cell(*test).result == CellResult::NotRun;
        let cells = doomed.iter().flat_map(|row| TestIndex::each(0..self.tests.len()).map(move |test| (*row, test)));
        let idle = found.iter().zip(&self.tests).filter(|(found, _)| found.kills.is_empty());
        Some(Kills {
            killers: found.iter().enumerate().filter(|(_, found)| !found.kills.is_empty()).map(killer).collect(),
            idle: idle.map(|(_, test)| test.clone()).collect(),
            enough: few.iter().map(|at| self.tests[*at].clone()).collect(),
            unknown: cells.filter(is_unknown).count(),
        })
    }
}

/// The name of a problem for people.
pub(super) fn name(head: &ProblemHead) -> String {
    let id = head.problem.to_string();
    let title = if head.title.is_empty() || head.title == id { String::new() } else { format!(" · {}", head.title) };
    let label = head.label.as_ref().map(|label| format!("{label} · ")).unwrap_or_default();
    clean(&format!("{label}{id}{title}"))
}

/// The first failing test and the reason: `secret/07: 2.125 s > 2 s`.
fn first_failure(failure: &TestFinished) -> String {
    let reason = match &failure.result {
        TestResult::Judged(judgement) => judgement.full_reason(),
        TestResult::JudgeError { message, .. } => message.lines().next().unwrap_or_default().to_owned(),
        TestResult::NotJudged { .. } | TestResult::Cancelled => String::new(),
    };
    clean(format!("{}: {reason}", failure.test.test).trim_end_matches([':', ' ']))
}

/// The class of a submission's standing, and why it needs attention.
fn standing(of: &FinishedSubmission<'_>) -> (&'static str, String) {
    let submission = of.submission;
    match submission.standing() {
        Some(Standing::Missed { why }) => ("missed", why.to_string()),
        Some(Standing::JudgeError { message }) => {
            ("broken", format!("judge error: {}", message.lines().next().unwrap_or_default()))
        }
        Some(Standing::NotJudged { .. }) if !submission.unanswered.is_empty() => {
            ("unjudged", "no test has an answer".to_owned())
        }
        Some(Standing::NotJudged { reason }) => ("unjudged", reason.clone()),
        Some(Standing::Interrupted) | None => ("unjudged", "interrupted".to_owned()),
        Some(Standing::Met) if submission.is_fine(of.head.verb) => ("met", String::new()),
        Some(Standing::Met) if submission.unanswered.is_empty() => ("missed", String::new()),
        Some(Standing::Met) => ("missed", "incomplete".to_owned()),
    }
}

fn words(marks: &[ReferenceLine]) -> String {
    marks.iter().map(|mark| mark.text.as_str()).collect::<Vec<_>>().join(", ")
}
