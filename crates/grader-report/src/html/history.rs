//! Shows how the verdicts and times of submissions changed over the last runs.

use std::collections::BTreeMap;
use std::time::Duration;

use super::super::class::help::PastGrades;
use super::super::failure::clean;
use crate::limits::seconds;
use crate::problem::{ProblemId, SubmissionId};
use crate::record::Report;

/// The results of an earlier run.
#[derive(Debug, Clone)]
pub struct PastRun {
    /// The start of the run in RFC 3339, UTC.
    pub started: String,
    /// The results of its submissions.
    pub results: BTreeMap<(ProblemId, SubmissionId), PastResult>,
    /// The grades, if it judged a class.
    pub grades: Option<PastGrades>,
}

/// The result of a submission.
#[derive(Debug, Clone, PartialEq)]
pub struct PastResult {
    /// The result in a word or two: the verdict, or why there is none.
    pub result: String,
    /// The CPU time of the slowest test; none if nothing ran.
    pub slowest: Option<Duration>,
}

impl PastRun {
    /// The results of a run that is over. None if it has no head.
    pub fn of(report: &Report) -> Option<Self> {
        let results = report.submissions.iter().filter_map(|submission| {
            let slowest = submission.slowest.as_ref().map(|(_, test)| test.cpu());
            let result = PastResult { result: submission.told()?.to_owned(), slowest };
            Some(((submission.id.problem.clone(), submission.id.submission.clone()), result))
        });
        let started = report.head.as_ref()?.measured.started.clone();
        let grades = PastGrades::of(report, day_and_time(&started));
        Some(Self { started, results: results.collect(), grades })
    }
}

/// The table of a problem: a row for each submission, a column for each run, the newest last.
#[derive(Debug)]
pub(super) struct History {
    /// The days and times of the runs.
    pub(super) runs: Vec<String>,
    pub(super) rows: Vec<HistoryRow>,
}

/// The results of one submission in several runs.
#[derive(Debug)]
pub(super) struct HistoryRow {
    pub(super) name: String,
    pub(super) cells: Vec<HistoryCell>,
    /// Whether its result changed at least once.
    pub(super) has_flipped: bool,
}

/// The result of one submission in one run; empty if the run did not have it.
#[derive(Debug, Default, Clone)]
pub(super) struct HistoryCell {
    pub(super) result: String,
    pub(super) time: String,
    /// Whether the result differs from the one before.
    pub(super) is_flip: bool,
}

impl History {
    /// The history of one problem. None if no earlier run has it.
    pub(super) fn of(problem: &ProblemId, past: &[PastRun], now: &PastRun) -> Option<Self> {
        let has_it = |run: &&PastRun| run.results.keys().any(|(of, _)| of == problem);
        let runs: Vec<&PastRun> = past.iter().filter(has_it).collect();
        if runs.is_empty() {
            return None;
        }
        let runs: Vec<&PastRun> = runs.into_iter().rev().chain([now]).collect();
        let submissions = now.results.keys().filter(|(of, _)| of == problem);
        Some(Self {
            runs: runs.iter().map(|run| day_and_time(&run.started)).collect(),
            rows: submissions.map(|key| row(key, &runs)).collect(),
        })
    }

    /// Whether some result changed.
    pub(super) fn has_flips(&self) -> bool {
        self.rows.iter().any(|row| row.has_flipped)
    }
}

/// The submissions whose result differs from that of their last run: problem, submission, earlier and present result.
pub(super) fn changes(past: &[PastRun], now: &PastRun) -> Vec<[String; 4]> {
    let before = |key| past.iter().find_map(|run| run.results.get(key));
    let changed = now.results.iter().filter_map(|(key, result)| {
        let before = before(key).filter(|before| before.result != result.result)?;
        let names = [key.0.to_string(), key.1.to_string(), before.result.clone(), result.result.clone()];
        Some(names.map(|name| clean(&name)))
    });
    changed.collect()
}

fn row(key: &(ProblemId, SubmissionId), runs: &[&PastRun]) -> HistoryRow {
    let mut last: Option<&str> = None;
    let cells = runs.iter().map(|run| {
        let Some(result) = run.results.get(key) else { return HistoryCell::default() };
        let is_flip = last.is_some_and(|last| last != result.result);
        last = Some(&result.result);
        let time = result.slowest.map(seconds).unwrap_or_default();
        HistoryCell { result: clean(&result.result), time, is_flip }
    });
    let cells: Vec<HistoryCell> = cells.collect();
    let has_flipped = cells.iter().any(|cell| cell.is_flip);
    HistoryRow { name: clean(key.1.as_str()), cells, has_flipped }
}

/// `11-24 08:33` for a time in RFC 3339.
fn day_and_time(started: &str) -> String {
    let text: String = started.chars().skip(5).take(11).collect();
    clean(&text.replace('T', " "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(started: &str, results: &[(&str, &str)]) -> PastRun {
        let result = |(name, result): &(&str, &str)| {
            let key = (ProblemId::from("p"), SubmissionId::from(*name));
            (key, PastResult { result: (*result).to_owned(), slowest: Some(Duration::from_millis(12)) })
        };
        PastRun { started: started.to_owned(), results: results.iter().map(result).collect(), grades: None }
    }

    #[test]
    fn flips_are_marked_and_runs_without_a_submission_are_gaps() {
        let past = [
            run("2026-11-23T08:00:00Z", &[("a", "WA"), ("gone", "AC")]),
            run("2026-11-22T08:00:00Z", &[("a", "AC"), ("b", "AC")]),
        ];
        let now = run("2026-11-24T08:00:00Z", &[("a", "AC"), ("b", "AC"), ("new", "WA")]);
        let history = History::of(&"p".into(), &past, &now).unwrap();
        assert_eq!(history.runs, ["11-22 08:00", "11-23 08:00", "11-24 08:00"]);
        let shown: Vec<String> = history
            .rows
            .iter()
            .map(|row| {
                let cells =
                    row.cells.iter().map(|cell| format!("{}{}", cell.result, if cell.is_flip { "*" } else { "" }));
                format!("{} {}", row.name, cells.collect::<Vec<_>>().join(" "))
            })
            .collect();
        assert_eq!(shown, ["a AC WA* AC*", "b AC  AC", "new   WA"]);
        let changed = changes(&past, &now);
        assert_eq!(changed, [["p", "a", "WA", "AC"].map(str::to_owned)]);
        assert!(History::of(&"q".into(), &past, &now).is_none());
    }
}
