//! Renders an explanation as lines of styled text: unified or side by side, for any width, with or without colour.
//!
//! This module decides only how rows look. `explain` has decided which lines and words differ.

mod cell;
mod side_by_side;
mod unified;

use serde::{Deserialize, Serialize};

use crate::explain::{Diff, Excerpt, Note, Piece};
use crate::text::{Line, Paint, Style, Whitespace, escape};
use cell::Cells;

/// How to show a wrong output beside the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DiffStyle {
    /// Side by side if the terminal is wide enough.
    Auto,
    /// One below the other.
    Unified,
    /// Two columns.
    SideBySide,
    /// No diff.
    None,
}

impl DiffStyle {
    /// The word for each value.
    pub const WORDS: &[(&str, Self)] =
        &[("auto", Self::Auto), ("unified", Self::Unified), ("side-by-side", Self::SideBySide), ("none", Self::None)];
}

/// The arrangement of answer and output.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum DiffLayout {
    /// Side by side if everything fits, otherwise unified.
    #[default]
    Auto,
    /// One below the other.
    Unified,
    /// In two columns, with long lines cut; unified if the columns would be too narrow to read.
    SideBySide,
}

/// A view with fewer columns has no room for the number of characters that were cut.
const NARROW: usize = 60;

/// How a diff is shown.
#[derive(Debug, Clone, Copy)]
pub struct View<'a> {
    /// The arrangement of the two sides.
    pub(crate) layout: DiffLayout,
    /// The most columns to fill.
    pub columns: usize,
    /// Whether to colour. Without colour, carets in the line below point at changed words.
    pub paint: Paint,
    /// The heading of the answer.
    pub answer: &'a str,
    /// The heading of the output.
    pub output: &'a str,
}

#[cfg(test)]
impl View<'_> {
    /// A view with the usual names, side by side if it fits.
    pub fn new(columns: usize, paint: Paint) -> Self {
        Self { layout: DiffLayout::Auto, columns, paint, answer: "answer", output: "your output" }
    }
}

/// Renders a diff. No line is wider than the view.
pub fn diff(diff: &Diff, view: &View) -> Vec<Line> {
    let cells = Cells::new(diff, view);
    let mut out = match view.layout {
        DiffLayout::SideBySide if side_by_side::possible(&cells, view) => side_by_side::lines(&cells, view),
        DiffLayout::Auto if side_by_side::fits(&cells, view) => side_by_side::lines(&cells, view),
        DiffLayout::Auto | DiffLayout::SideBySide | DiffLayout::Unified => unified::lines(&cells, view),
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

/// `1 line` or `2 lines`; `what` goes between number and noun.
fn count_lines(n: usize, what: &str) -> String {
    format!("{n} {what}line{}", if n == 1 { "" } else { "s" })
}

/// Renders an excerpt: one line if it is short, otherwise numbered lines.
pub fn excerpt(excerpt: &Excerpt, columns: usize) -> Vec<Line> {
    match excerpt {
        Excerpt::OneLine(parts) if parts.iter().all(Vec::is_empty) => {
            vec![Line::new().with("(empty)", Style::FAINT).window(0, columns)]
        }
        Excerpt::OneLine(parts) => {
            let mut line = Line::new();
            for (i, part) in parts.iter().enumerate() {
                line.push(if i > 0 { " ⏎ " } else { "" }, Style::FAINT);
                line.push(&quiet(part), Style::PLAIN.verbatim());
            }
            vec![line.window(0, columns)]
        }
        Excerpt::Lines(pieces) => {
            let last =
                pieces.iter().rev().find_map(|p| if let Piece::Line { number, .. } = p { Some(*number) } else { None });
            let digits = last.unwrap_or(1).to_string().len();
            pieces.iter().map(|piece| piece_line(piece, digits, columns)).collect()
        }
    }
}

fn piece_line(piece: &Piece, digits: usize, columns: usize) -> Line {
    match piece {
        Piece::Elided { lines, of } => {
            let text = format!("{:digits$}  … {lines} of {of} lines not shown", "");
            Line::new().with(&text, Style::FAINT).window(0, columns)
        }
        Piece::Line { number, text, cut } => {
            let line = Line::new()
                .with(&format!("{number:>digits$}  "), Style::FAINT)
                .with(&quiet(text), Style::PLAIN.verbatim());
            match cut {
                0 => line.window(0, columns),
                _ => cut_line(&line, *cut, columns),
            }
        }
    }
}

/// A line whose last characters are missing: says how many, if there is room for the words.
fn cut_line(line: &Line, missing: usize, columns: usize) -> Line {
    let words = |missing: usize| format!("… {missing} more character{}", if missing == 1 { "" } else { "s" });
    if columns < NARROW {
        return line.clone().with("…", Style::FAINT).window(0, columns);
    }
    // The columns that make room for the words count as missing, too.
    let room = columns - words(missing.saturating_add(columns)).len().min(columns);
    let shown = if line.width() > room { line.columns(0, room) } else { line.clone() };
    let gone = line.plain().chars().count().saturating_sub(shown.plain().chars().count());
    shown.with(&words(missing + gone), Style::FAINT).window(0, columns)
}

/// Escapes a line and drops a carriage return at its end, because `\r\n` is only another line ending.
fn quiet(text: &[u8]) -> String {
    escape(text.strip_suffix(b"\r").unwrap_or(text), Whitespace::Quiet)
}

#[cfg(test)]
mod tests;
