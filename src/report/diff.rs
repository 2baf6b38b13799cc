//! An explanation as lines of styled text: unified or side by side, for any width, with or without colour.
//!
//! Decides how rows look; which lines and words differ, `explain` has decided.

mod cell;
mod side_by_side;
mod unified;

use crate::explain::{Diff, Excerpt, Note, Piece};
use crate::report::text::{Line, Paint, Style, Whitespace, escape};
use cell::Cells;

/// How answer and output are put beside each other.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Layout {
    /// Side by side where all of it fits, otherwise unified.
    #[default]
    Auto,
    /// One below the other.
    Unified,
    /// In two columns, lines cut where they must be; unified where that leaves nothing to read.
    SideBySide,
}

/// Where and how a diff is shown.
#[derive(Debug, Clone, Copy)]
pub(crate) struct View<'a> {
    /// The arrangement.
    pub layout: Layout,
    /// Columns to fill at most.
    pub columns: usize,
    /// Without colour, changed words are pointed at from the line below.
    pub paint: Paint,
    /// What the answer is called.
    pub answer: &'a str,
    /// What the output is called.
    pub output: &'a str,
}

#[cfg(test)]
impl View<'_> {
    /// The usual names, and side by side where it fits.
    pub(crate) fn new(columns: usize, paint: Paint) -> Self {
        Self { layout: Layout::Auto, columns, paint, answer: "answer", output: "your output" }
    }
}

/// A diff as text. No line is wider than the view.
pub(crate) fn diff(diff: &Diff, view: &View) -> Vec<Line> {
    let cells = Cells::new(diff, view);
    let mut out = match view.layout {
        Layout::SideBySide if side_by_side::possible(&cells, view) => side_by_side::lines(&cells, view),
        Layout::Auto if side_by_side::fits(&cells, view) => side_by_side::lines(&cells, view),
        Layout::Auto | Layout::SideBySide | Layout::Unified => unified::lines(&cells, view),
    };
    out.extend(diff.notes.iter().map(|note| Line::new().with(&words_of(*note), Style::FAINT).window(0, view.columns)));
    out
}

fn words_of(note: Note) -> String {
    match note {
        Note::LineBreaksDiffer => "(line breaks differ; the checker ignores them)".to_owned(),
        Note::NotAligned => "(too different to align; shown line by line)".to_owned(),
        Note::MoreDiffer(1) => "… 1 more line differs".to_owned(),
        Note::MoreDiffer(n) => format!("… {n} more lines differ"),
        Note::NotCompared => "… the rest was not compared".to_owned(),
    }
}

/// `1 line`, `2 lines`, or with a word in between.
fn count_lines(n: usize, what: &str) -> String {
    format!("{n} {what}line{}", if n == 1 { "" } else { "s" })
}

/// An excerpt as text: one line where it is short, otherwise numbered lines.
pub(crate) fn excerpt(excerpt: &Excerpt, columns: usize) -> Vec<Line> {
    match excerpt {
        Excerpt::OneLine(parts) if parts.iter().all(Vec::is_empty) => {
            vec![Line::new().with("(empty)", Style::FAINT).window(0, columns)]
        }
        Excerpt::OneLine(parts) => {
            let mut line = Line::new();
            for (i, part) in parts.iter().enumerate() {
                line.push(if i > 0 { " ⏎ " } else { "" }, Style::FAINT);
                line.push(&quiet(part), Style::PLAIN);
            }
            vec![line.window(0, columns)]
        }
        Excerpt::Lines(pieces) => {
            let last =
                pieces.iter().rev().find_map(|p| if let Piece::Line { number, .. } = p { Some(*number) } else { None });
            let digits = last.unwrap_or(1).to_string().len();
            pieces.iter().map(|piece| piece_line(piece, digits).window(0, columns)).collect()
        }
    }
}

fn piece_line(piece: &Piece, digits: usize) -> Line {
    match piece {
        Piece::Elided(n) => Line::new().with(&format!("{:digits$}  … {}", "", count_lines(*n, "")), Style::FAINT),
        Piece::Line { number, text, cut } => Line::new()
            .with(&format!("{number:>digits$}  "), Style::FAINT)
            .with(&quiet(text), Style::PLAIN)
            .with(if *cut { "…" } else { "" }, Style::FAINT),
    }
}

/// Escaped, without a carriage return at the end, which is only the other way of ending a line.
fn quiet(text: &[u8]) -> String {
    escape(text.strip_suffix(b"\r").unwrap_or(text), Whitespace::Quiet)
}

#[cfg(test)]
mod tests;
