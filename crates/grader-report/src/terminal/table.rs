//! The matrix of results: rows are cases that some submission fails, columns are submissions, letters are verdicts.

use std::collections::BTreeMap;

use super::clean;
use crate::event::Standing;
use crate::record::{SubmissionReport, TestSummary};
use crate::text::{Line, Style, pad, truncate};
use crate::verdict::Verdict;

/// The verdicts of one case, one for each submission.
type Row = Vec<Option<Verdict>>;

/// The matrix of one problem. Identical rows are folded; a case that alone makes a submission fail is marked.
pub(super) fn lines(submissions: &[SubmissionReport], names: &[String], width: usize) -> Vec<Line> {
    let columns: Vec<&SubmissionReport> =
        submissions.iter().filter(|submission| !submission.tests.is_empty()).collect();
    let rows = (0..names.len())
        .map(|test| -> Row { columns.iter().map(|submission| submission.test_at(test)?.verdict).collect() });
    let failing = |row: &Row| row.iter().any(|v| v.is_some_and(|v| v != Verdict::Accepted));
    let mut folded: BTreeMap<Row, Vec<usize>> = BTreeMap::new();
    for (test, row) in rows.enumerate().filter(|(_, row)| failing(row)) {
        folded.entry(row).or_default().push(test);
    }
    if folded.is_empty() {
        return vec![Line::new().with("  no case fails any submission", Style::FAINT)];
    }
    let only = sole_killers(&columns);
    let mut rows: Vec<(Row, Vec<usize>)> = folded.into_iter().collect();
    rows.sort_by_key(|(_, tests)| tests[0]);
    let room = width.saturating_sub(columns.len() * 2 + 6).clamp(12, 40);
    let mut lines = header(&columns, room);
    for (row, tests) in rows {
        let more = if tests.len() > 1 { format!(" +{}", tests.len() - 1) } else { String::new() };
        let name = truncate(&clean(&names[tests[0]]), room.saturating_sub(more.len())) + &more;
        let mut line = Line::from(format!("  {} ", pad(&name, room)).as_str());
        for (verdict, submission) in row.iter().zip(&columns) {
            line.push(" ", Style::PLAIN);
            match verdict {
                Some(Verdict::Accepted) => line.push("·", Style::FAINT),
                Some(verdict) => line.push(&verdict.letter().to_string(), style(submission)),
                None => line.push(" ", Style::PLAIN),
            }
        }
        if tests.iter().any(|test| only.contains(test)) {
            line.push("  ← alone fails a submission", Style::NOTICE);
        }
        lines.push(line);
    }
    lines
}

fn style(submission: &SubmissionReport) -> Style {
    match submission.standing() {
        Some(Standing::Met) => Style::GOOD,
        Some(Standing::Missed { .. }) => Style::BAD,
        _ => Style::NOTICE,
    }
}

/// Cases without which some failing submission would pass. Known only for submissions whose every test was run.
fn sole_killers(columns: &[&SubmissionReport]) -> Vec<usize> {
    let all = columns.iter().map(|submission| submission.tests.len()).max().unwrap_or(0);
    let complete = columns.iter().filter(|submission| submission.tests.len() == all);
    complete
        .filter_map(|submission| {
            let failed = |test: &&TestSummary| test.verdict.is_some_and(|v| v != Verdict::Accepted);
            let mut killers = submission.tests.iter().filter(failed).map(|test| test.ordinal as usize);
            killers.next().filter(|_| killers.next().is_none())
        })
        .collect()
}

/// One line for each submission, so that long names stay readable above narrow columns.
fn header(columns: &[&SubmissionReport], room: usize) -> Vec<Line> {
    let mut lines = Vec::new();
    for (i, submission) in columns.iter().enumerate() {
        let mut line = Line::from(" ".repeat(room + 3).as_str());
        line.push(&" │".repeat(i), Style::FAINT);
        line.push(" ┌ ", Style::FAINT);
        line.push(&clean(submission.id.submission.as_str()), style(submission));
        lines.push(line);
    }
    lines
}
