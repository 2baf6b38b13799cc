//! Tables of TeX: `tabular` and its relatives.

use std::mem;

use super::lex::Token;
use super::{Mode, Part, Translator, Until};

/// The alignment of a column, as a class.
fn alignments(columns: &str) -> Vec<&'static str> {
    let mut found = Vec::new();
    let mut depth = 0_usize;
    for c in columns.chars() {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            'l' | 'X' | 'p' | 'm' | 'b' if depth == 0 => found.push(""),
            'c' if depth == 0 => found.push(" class=\"center\""),
            'r' if depth == 0 => found.push(" class=\"right\""),
            _ => {}
        }
    }
    found
}

impl<'t> Translator<'_, 't, '_> {
    /// A table. `offset` is the place of its begin.
    pub(super) fn table(&mut self, name: &'t str, columns: &str, offset: usize) {
        let alignments = alignments(columns);
        let mode = self.mode;
        if mode == Mode::Paragraph {
            self.end_paragraph();
        }
        let ruled = if columns.contains('|') { "<table class=\"ruled\">" } else { "<table>" };
        self.put(Part::Markup(ruled));
        self.begin(Until::Environment(name), offset);
        let (mut row, mut column) = (Vec::new(), 0);
        let mut is_done = false;
        while !is_done {
            let (cell, end) = self.cell(name, offset);
            let (span, cell) = cell;
            let is_blank = |(_, part): &(usize, Part)| match part {
                Part::Event(pulldown_cmark::Event::Text(text)) => text.trim().is_empty(),
                _ => false,
            };
            // The row after the last `\\` is none.
            if !(row.is_empty() && end != CellEnd::Cell && cell.iter().all(is_blank)) {
                let class = alignments.get(column).copied().unwrap_or_default();
                let spans = if span > 1 { format!(" colspan=\"{span}\"") } else { String::new() };
                row.push((self.offset(), Part::Made(format!("<td{class}{spans}>"))));
                row.extend(cell);
                row.push((self.offset(), Part::Markup("</td>")));
            }
            column += span;
            if end != CellEnd::Cell {
                if !row.is_empty() {
                    self.put(Part::Markup("<tr>"));
                    self.made.parts.append(&mut row);
                    self.put(Part::Markup("</tr>\n"));
                }
                column = 0;
                is_done = end == CellEnd::Table;
            }
        }
        self.open.pop();
        self.put(Part::Markup("</table>\n"));
        self.mode = if mode == Mode::Inline { Mode::Inline } else { Mode::Block };
    }

    /// The parts of a cell with the number of its columns, and what ends it.
    fn cell(&mut self, name: &'t str, offset: usize) -> ((usize, Vec<(usize, Part)>), CellEnd) {
        let before =
            (mem::take(&mut self.made.parts), mem::replace(&mut self.mode, Mode::Inline), mem::take(&mut self.styles));
        let mut span = 1;
        let end = loop {
            if self.is_end(Until::Environment(name), offset) {
                break CellEnd::Table;
            }
            let Some(token) = self.peek() else { break CellEnd::Table };
            match token {
                Token::Align => {
                    self.at += 1;
                    break CellEnd::Cell;
                }
                Token::Command("\\" | "\\*" | "tabularnewline") => {
                    self.at += 1;
                    self.skip_brackets();
                    break CellEnd::Row;
                }
                Token::Command("multicolumn") => {
                    self.at += 1;
                    let count = self.raw().first().and_then(|count| count.trim().parse().ok());
                    span = count.filter(|count| (1..=100).contains(count)).unwrap_or(1);
                    self.argument();
                }
                token => self.token(token),
            }
        };
        self.close_styles(0);
        let cell = mem::replace(&mut self.made.parts, before.0);
        (self.mode, self.styles) = (before.1, before.2);
        ((span, cell), end)
    }
}

/// What ends a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CellEnd {
    Cell,
    Row,
    Table,
}
