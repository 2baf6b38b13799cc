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
    cells: Vec<Cell>,
    /// The number of columns so far.
    width: usize,
}

/// A cell of a table.
struct Cell {
    /// Its first column, from 0.
    column: usize,
    /// The number of its columns.
    span: usize,
    /// The number of rows that `\multirow` states, downwards; upwards if negative.
    down: i64,
    classes: Vec<&'static str>,
    parts: Vec<(usize, Part)>,
    /// Whether a cell of another row takes its place.
    is_covered: bool,
}

impl Cell {
    fn is_blank(&self) -> bool {
        self.parts.iter().all(|(_, part)| matches!(part, Part::Event(Event::Text(text)) if text.trim().is_empty()))
    }
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

/// Commands between columns that only make space.
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
        let mut rows = Vec::new();
        let mut row = Row::default();
        loop {
            let end = self.cell(name, offset, &columns, &mut row);
            if end == CellEnd::Cell {
                continue;
            }
            let done = mem::take(&mut row);
            if end == CellEnd::Table {
                // After the last `\\`, there is no row, but possibly a line below the table.
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

    fn rows(&mut self, mut rows: Vec<Row>, is_ruled_below: bool) {
        let last = rows.len().saturating_sub(1);
        for at in 0..rows.len() {
            for index in 0..rows[at].cells.len() {
                cover(&mut rows, at, index);
            }
        }
        for (at, row) in rows.into_iter().enumerate() {
            self.put(Part::Markup(match (row.is_ruled(), is_ruled_below && at == last) {
                (false, false) => "<tr>",
                (true, false) => "<tr class=\"rule-above\">",
                (false, true) => "<tr class=\"rule-below\">",
                (true, true) => "<tr class=\"rule-above rule-below\">",
            }));
            for mut cell in row.cells.into_iter().filter(|cell| !cell.is_covered) {
                let bottom = i64::try_from(last - at).unwrap_or(i64::MAX);
                if is_ruled_below && cell.down > 1 && cell.down > bottom {
                    cell.classes.push("rule-below");
                }
                let classes = cell.classes.join(" ");
                let class = if classes.is_empty() { classes } else { format!(" class=\"{classes}\"") };
                let across = if cell.span > 1 { format!(" colspan=\"{}\"", cell.span) } else { String::new() };
                let down = if cell.down > 1 { format!(" rowspan=\"{}\"", cell.down) } else { String::new() };
                self.put(Part::Made(format!("<td{class}{across}{down}>")));
                self.made.parts.append(&mut cell.parts);
                self.put(Part::Markup("</td>"));
            }
            self.put(Part::Markup("</tr>\n"));
        }
    }

    /// Adds the next cell to a row. Returns what ends it.
    fn cell(&mut self, name: &'t str, offset: usize, columns: &[Column<'t>], row: &mut Row) -> CellEnd {
        let before =
            (mem::take(&mut self.made.parts), mem::replace(&mut self.mode, Mode::Inline), mem::take(&mut self.styles));
        let outer = mem::replace(&mut self.rows_down, 1);
        let mut span = 1;
        let mut own = None;
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
        let parts = mem::replace(&mut self.made.parts, before.0);
        (self.mode, self.styles) = (before.1, before.2);
        let down = mem::replace(&mut self.rows_down, outer);
        let classes = column.map(|column| column.classes.clone()).unwrap_or_default();
        let mut cell = Cell { column: row.width, span, down, classes, parts, is_covered: false };
        if end == CellEnd::Table && row.cells.is_empty() && cell.is_blank() {
            return end;
        }
        if !row.is_ruled() && row.rules.iter().any(|columns| columns.contains(&(row.width + 1))) {
            cell.classes.push("rule-above");
        }
        row.cells.push(cell);
        row.width += span;
        end
    }

    /// Adds the text that the columns put behind a cell. Reports commands there, except those that only make space.
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

/// Lets a cell with `\multirow` take the places of the blank cells below or above it, and states the rows that it has then.
fn cover(rows: &mut [Row], at: usize, index: usize) {
    let Cell { column, span, down, is_covered, .. } = rows[at].cells[index];
    if is_covered || down == 1 {
        return;
    }
    let others = usize::try_from(down.unsigned_abs()).unwrap_or(usize::MAX).saturating_sub(1);
    let place = |row: &Row| row.cells.binary_search_by_key(&column, |cell| cell.column);
    let is_free = |row: &Row| match place(row) {
        Ok(index) => row.cells[index].span == span && row.cells[index].is_blank() && !row.cells[index].is_covered,
        Err(_) => row.width <= column,
    };
    let reach = if down > 0 {
        rows[at + 1..].iter().take(others).take_while(|row| is_free(row)).count()
    } else {
        // A row that ends before the column has no cell that could take the text.
        let has_cell = |row: &&Row| is_free(row) && place(row).is_ok();
        rows[..at].iter().rev().take(others).take_while(has_cell).count()
    };
    let first = if down > 0 { at } else { at - reach };
    let own = mem::take(&mut rows[at].cells[index].parts);
    for row in &mut rows[first..=first + reach] {
        if let Ok(index) = place(row) {
            row.cells[index].is_covered = true;
            row.cells[index].down = 1;
        }
    }
    if let Ok(index) = place(&rows[first]) {
        let cell = &mut rows[first].cells[index];
        cell.parts = own;
        cell.is_covered = false;
        cell.down = i64::try_from(reach).unwrap_or_default() + 1;
    }
}

/// The part of a table that ends with a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CellEnd {
    Cell,
    Row,
    Table,
}
