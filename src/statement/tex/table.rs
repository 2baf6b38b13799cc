//! Tables of TeX: `tabular` and its relatives.

use std::mem;
use std::ops::RangeInclusive;

use pulldown_cmark::Event;

use super::columns::{Column, Columns, columns};
use super::lex::Token;
use super::{Mode, Part, Translator, Until, typeset};

/// A row of a table.
#[derive(Default)]
struct Row {
    /// The columns with a line above, from 1.
    rules: Vec<RangeInclusive<usize>>,
    cells: Vec<(usize, Part)>,
    /// The number of columns so far.
    width: usize,
}

impl Row {
    fn add_rule(&mut self, rule: Option<RangeInclusive<usize>>) {
        self.rules.extend(rule.filter(|_| self.rules.len() < MOST_RULES));
    }

    /// Whether a line is above the whole row.
    fn is_ruled(&self) -> bool {
        self.rules.contains(&WHOLE)
    }
}

/// The most lines above a row.
const MOST_RULES: usize = 100;

/// What is between columns and only about space.
const SPACES: [&str; 9] =
    ["\\extracolsep", "\\hspace", "\\hskip", "\\quad", "\\qquad", "\\enspace", "\\,", "\\;", "\\ "];

/// The columns of a line above a whole row.
const WHOLE: RangeInclusive<usize> = 1..=usize::MAX;

impl<'t> Translator<'_, 't, '_> {
    /// A table. `offset` is the place of its begin.
    pub(super) fn table(&mut self, name: &'t str, spec: &'t str, offset: usize) {
        let columns = self.columns(spec, offset);
        let mode = self.mode;
        if mode == Mode::Paragraph {
            self.end_paragraph();
        }
        self.put(Part::Markup("<table>"));
        self.begin(Until::Environment(name), offset);
        let (mut rows, mut row) = (Vec::new(), Row::default());
        loop {
            let end = self.cell(name, offset, &columns, &mut row);
            if end == CellEnd::Cell {
                continue;
            }
            let done = mem::take(&mut row);
            if end == CellEnd::Table {
                // The row after the last `\\` is none, but a line may be there.
                let is_ruled_below = done.cells.is_empty() && done.is_ruled();
                rows.extend((!done.cells.is_empty()).then_some(done));
                self.rows(rows, is_ruled_below);
                break;
            }
            rows.push(done);
        }
        self.open.pop();
        self.put(Part::Markup("</table>\n"));
        self.mode = if mode == Mode::Inline { Mode::Inline } else { Mode::Block };
    }

    fn rows(&mut self, rows: Vec<Row>, is_ruled_below: bool) {
        let last = rows.len().saturating_sub(1);
        for (at, mut row) in rows.into_iter().enumerate() {
            self.put(Part::Markup(match (row.is_ruled(), is_ruled_below && at == last) {
                (false, false) => "<tr>",
                (true, false) => "<tr class=\"rule-above\">",
                (false, true) => "<tr class=\"rule-below\">",
                (true, true) => "<tr class=\"rule-above rule-below\">",
            }));
            self.made.parts.append(&mut row.cells);
            self.put(Part::Markup("</tr>\n"));
        }
    }

    /// Adds the next cell to a row. Returns what ends it.
    fn cell(&mut self, name: &'t str, offset: usize, columns: &[Column<'t>], row: &mut Row) -> CellEnd {
        let before =
            (mem::take(&mut self.made.parts), mem::replace(&mut self.mode, Mode::Inline), mem::take(&mut self.styles));
        let (mut span, mut own) = (1, None);
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
                Token::Command("hline" | "toprule" | "midrule" | "bottomrule" | "hhline" | "Xhline") => {
                    self.at += 1;
                    self.raw();
                    self.skip_brackets();
                    row.add_rule(Some(WHOLE));
                }
                Token::Command("cline" | "cmidrule") => {
                    self.at += 1;
                    self.options();
                    let range = self.raw().first().and_then(|range| range.split_once('-'));
                    let range = range.and_then(|(from, to)| Some(from.trim().parse().ok()?..=to.trim().parse().ok()?));
                    row.add_rule(range);
                }
                Token::Command("multicolumn") => {
                    self.at += 1;
                    let raw = self.raw();
                    let at = self.offset();
                    let count = raw.first().and_then(|count| count.trim().parse().ok());
                    span = count.filter(|count| (1..=100).contains(count)).unwrap_or(1);
                    own = raw.get(1).and_then(|spec| self.columns(spec, at).into_iter().next());
                    self.argument();
                }
                token => self.token(token),
            }
        };
        self.close_styles(0);
        let column = own.as_ref().or_else(|| columns.get(row.width));
        if let Some(column) = column.filter(|column| !column.behind.is_empty() && end != CellEnd::Table) {
            self.behind(column.behind);
        }
        let cell = mem::replace(&mut self.made.parts, before.0);
        (self.mode, self.styles) = (before.1, before.2);
        let is_blank =
            |(_, part): &(usize, Part)| matches!(part, Part::Event(Event::Text(text)) if text.trim().is_empty());
        if end == CellEnd::Table && row.cells.is_empty() && cell.iter().all(is_blank) {
            return end;
        }
        row.width += 1;
        let is_ruled = !row.is_ruled() && row.rules.iter().any(|columns| columns.contains(&row.width));
        let classes = column
            .into_iter()
            .flat_map(|column| column.classes.iter().copied())
            .chain(is_ruled.then_some("rule-above"));
        let classes = classes.collect::<Vec<_>>().join(" ");
        let class = if classes.is_empty() { classes } else { format!(" class=\"{classes}\"") };
        let spans = if span > 1 { format!(" colspan=\"{span}\"") } else { String::new() };
        row.cells.push((self.offset(), Part::Made(format!("<td{class}{spans}>"))));
        row.cells.extend(cell);
        row.cells.push((self.offset(), Part::Markup("</td>")));
        row.width += span - 1;
        end
    }

    /// What the columns say that stands behind a cell. Commands there are about looks.
    fn behind(&mut self, text: &str) {
        while let Some((_, Part::Event(Event::Text(last)))) = self.made.parts.last_mut() {
            *last = last.trim_end().to_owned().into();
            if !last.is_empty() {
                break;
            }
            self.made.parts.pop();
        }
        let formula = text.trim().strip_prefix('$').and_then(|rest| rest.strip_suffix('$'));
        match formula {
            Some(formula) => self.put(Part::Event(Event::InlineMath(formula.to_owned().into()))),
            None if !text.contains(['\\', '{', '$']) => self.text(typeset(text)),
            None if SPACES.iter().any(|command| text.contains(command)) => {}
            None => {
                let message = format!("grader does not show `{text}` between the columns of a table");
                self.notes.warn(self.offset(), message, "write it as text without commands, or in a column of its own");
            }
        }
    }

    /// Reads the columns of a table. Reports those that grader does not know.
    fn columns(&mut self, spec: &'t str, offset: usize) -> Vec<Column<'t>> {
        let Columns { all, unknown } = columns(spec);
        for column in unknown {
            let message = format!("grader does not know `{column}` among the columns of a table");
            self.notes.warn(offset, message, "write l, c, r or p{3cm} for a column");
        }
        all
    }
}

/// What ends a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CellEnd {
    Cell,
    Row,
    Table,
}
