//! The days of a puzzle in a table: a row for each day and a column for each part, with verdict and time.

use std::collections::{BTreeMap, BTreeSet};

use super::clean;
use super::problem::{mark, time};
use crate::event::Verb;
use crate::record::{Report, SubmissionReport};
use crate::text::{Line, Style, pad, width};

/// The columns of a cell: a mark, a verdict and a time.
const CELL: usize = 20;

/// The table, if the run has several days. A second program for a part has a row of its own.
pub(super) fn lines(report: &Report) -> Vec<Line> {
    // Days in the order of the plan.
    let mut days: Vec<(&str, BTreeMap<&str, Vec<&SubmissionReport>>)> = Vec::new();
    for submission in &report.submissions {
        let Some((day, part)) = part_of(submission.id.problem.as_str()) else { continue };
        if days.last().is_none_or(|(last, _)| *last != day) {
            days.push((day, BTreeMap::new()));
        }
        if let Some((_, cells)) = days.last_mut() {
            cells.entry(part).or_default().push(submission);
        }
    }
    if days.len() < 2 || report.verb() == Verb::Judge {
        return Vec::new();
    }
    let parts: BTreeSet<&str> = days.iter().flat_map(|(_, cells)| cells.keys().copied()).collect();
    let names = days.iter().map(|(day, _)| width(&clean(day))).max().unwrap_or(0);
    let mut head = Line::from(format!("  {}", pad("", names)).as_str());
    for part in &parts {
        head.push(&format!("  {}", pad(part, CELL)), Style::FAINT);
    }
    let mut lines = vec![Line::new(), head];
    for (day, cells) in &days {
        let rows = cells.values().map(Vec::len).max().unwrap_or(0);
        for row in 0..rows {
            let name = if row == 0 { clean(day) } else { String::new() };
            let mut line = Line::from(format!("  {}", pad(&name, names)).as_str());
            for part in &parts {
                line.push("  ", Style::PLAIN);
                match cells.get(part).and_then(|submissions| submissions.get(row)) {
                    Some(submission) => cell(&mut line, submission, report.verb()),
                    None => line.push(&pad("", CELL), Style::PLAIN),
                }
            }
            lines.push(line);
        }
    }
    lines
}

/// The day and the part in the name of a problem: `2023/day01` and `part1`, also if its name is `2023/day01-part1`. A day
/// whose program solves both parts is one problem: `2023/day01`.
fn part_of(problem: &str) -> Option<(&str, &str)> {
    let part = problem.rsplit_once(['/', '-']).filter(|(_, part)| ["part1", "part2"].contains(part));
    let is_day = || {
        let name = problem.rsplit('/').next().unwrap_or(problem).to_lowercase();
        let number = name.strip_prefix("day").map(|rest| rest.trim_start_matches(['-', '_', ' ']));
        number.is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
    };
    part.or_else(|| is_day().then_some((problem, BOTH)))
}

/// The column of programs that solve both parts. It comes after those of one part.
const BOTH: &str = "whole day";

fn cell(line: &mut Line, submission: &SubmissionReport, verb: Verb) {
    let (sign, style) = mark(submission, verb);
    let verdict = submission
        .verdict()
        .map_or_else(|| if submission.only_shows() { "-" } else { "" }.to_owned(), |v| v.code().to_owned());
    let time = submission.tests.iter().max_by_key(|test| test.cpu_us).map(|test| time(*test)).unwrap_or_default();
    line.push(sign, style);
    line.push(&pad(&format!(" {verdict:<4} {time}"), CELL - 1), Style::PLAIN);
}
