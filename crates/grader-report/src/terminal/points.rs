//! Points in words, such as `35 of 100`, for a problem and its groups.

use super::clean;
use crate::event::GroupScore;
use crate::grade::number;
use crate::record::SubmissionReport;
use crate::text::{Line, Style, width};
use crate::verdict::Verdict;

/// Columns before the groups, below the name of the submission.
const INDENT: usize = 6;

/// `100 points`, for the head of a problem.
pub(super) fn all(max_score: f64) -> String {
    let number = number(max_score);
    format!("{number} point{}", if number == "1" { "" } else { "s" })
}

/// `35 of 100`, or `35 points` if the score is unbounded; empty without points.
pub(super) fn of(submission: &SubmissionReport, max_score: Option<f64>) -> String {
    match (submission.score(), max_score) {
        (Some(score), Some(max)) => format!("{} of {}", number(score), number(max)),
        (Some(score), None) => all(score),
        (None, _) => String::new(),
    }
}

/// The points of each group, several on a line of `columns`. Empty if there is at most one group.
pub(super) fn groups(submission: &SubmissionReport, columns: usize) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    if submission.groups().len() < 2 {
        return lines;
    }
    for group in submission.groups() {
        let text = format!("{} {}", clean(&group.group), of_group(group));
        let style = if group.max_score.is_some_and(|max| group.score < max) { Style::NOTICE } else { Style::FAINT };
        match lines.last_mut().filter(|line| line.width() + 3 + width(&text) <= columns) {
            Some(line) => {
                line.push(" · ", Style::FAINT);
                line.push(&text, style);
            }
            None => lines.push(Line::from(" ".repeat(INDENT).as_str()).with(&text, style)),
        }
    }
    lines
}

/// Whether the submission could have scored more.
pub(super) fn lacks(submission: &SubmissionReport, max_score: Option<f64>) -> bool {
    match (submission.score(), max_score) {
        (Some(score), Some(max)) => score < max,
        (Some(_), None) => submission.verdict() != Some(Verdict::Accepted),
        (None, _) => false,
    }
}

fn of_group(group: &GroupScore) -> String {
    group.max_score.map_or_else(|| number(group.score), |max| format!("{} of {}", number(group.score), number(max)))
}
