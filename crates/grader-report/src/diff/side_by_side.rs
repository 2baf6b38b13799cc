//! Side-by-side diff: the answer on the left, the output on the right.

use super::cell::{Cell, CellRow, Cells, carets, start};
use super::{View, count_lines};
use crate::text::{Line, Paint, Style};

/// The separator between the columns.
const RULE: &str = " │ ";

/// The width of the separator in columns.
const RULE_WIDTH: usize = 3;

/// The least columns of text on each side for which two columns make sense.
const LEAST_ROOM: usize = 8;

/// Whether the view is wide enough for two readable columns.
pub(super) fn possible(cells: &Cells, view: &View) -> bool {
    2 * (gutter(cells) + LEAST_ROOM) + RULE_WIDTH <= view.columns
}

/// Whether all text fits without cuts.
pub(super) fn fits(cells: &Cells, view: &View) -> bool {
    2 * gutter(cells) + RULE_WIDTH + cells.widths.0 + cells.widths.1 <= view.columns
}

/// Columns for a line number, its sign and the spaces around them.
fn gutter(cells: &Cells) -> usize {
    cells.digits + 3
}

pub(super) fn lines(cells: &Cells, view: &View) -> Vec<Line> {
    let rooms = rooms(cells, view);
    let gutter = gutter(cells);
    let mut out = vec![beside(&indented(&cells.heads.0, gutter), &indented(&cells.heads.1, gutter), rooms.0 + gutter)];
    for row in &cells.rows {
        if let CellRow::Elided(n) = row {
            let text = format!("{:gutter$}… {}", "", count_lines(*n, "equal "));
            out.push(Line::new().with(&text, Style::FAINT));
            continue;
        }
        let (left, right) = row.sides();
        let texts = [left.map(|cell| (&cell.line, rooms.0)), right.map(|cell| (&cell.line, rooms.1))];
        let from = start(&texts.into_iter().flatten().collect::<Vec<_>>());
        let side = |cell: Option<&Cell>, room| CutSide::new(cell, from, room, cells.digits, view.paint);
        let left = side(left, rooms.0);
        let right = side(right, rooms.1);
        out.push(beside(&left.text, &right.text, rooms.0 + gutter));
        if let Some(carets) = either(left.carets, right.carets) {
            out.push(beside(&indented(&carets.0, gutter), &indented(&carets.1, gutter), rooms.0 + gutter));
        }
    }
    out.into_iter().map(|line| line.window(0, view.columns)).collect()
}

/// One side of a row, cut to its room.
struct CutSide {
    text: Line,
    carets: Option<Line>,
}

impl CutSide {
    fn new(cell: Option<&Cell>, from: usize, room: usize, digits: usize, paint: Paint) -> Self {
        let Some(cell) = cell else { return Self { text: Line::new(), carets: None } };
        let text = cell.line.window(from, room);
        let carets = carets(&text, paint);
        let number = format!("{:>digits$} ", cell.number);
        let mut line = Line::new().with(&number, Style::FAINT).with(cell.sign, cell.style).with(" ", Style::PLAIN);
        line.append(&text);
        Self { text: line, carets }
    }
}

/// The columns of text for each side. If both texts do not fit, a side that needs at most half of the room gets what it
/// needs. The other side gets the rest.
fn rooms(cells: &Cells, view: &View) -> (usize, usize) {
    let room = view.columns.saturating_sub(2 * gutter(cells) + RULE_WIDTH);
    let (left, right) = cells.widths;
    let half = room / 2;
    if left + right <= room {
        (left, right)
    } else if left <= half {
        (left, room - left)
    } else if right <= half {
        (room - right, right)
    } else {
        (half, room - half)
    }
}

fn beside(left: &Line, right: &Line, left_width: usize) -> Line {
    let mut line = left.clone();
    line.pad_to(left_width);
    line.push(RULE, Style::FAINT);
    line.append(right);
    line
}

/// Both lines if at least one of them exists; the other is then empty.
fn either(left: Option<Line>, right: Option<Line>) -> Option<(Line, Line)> {
    (left.is_some() || right.is_some()).then(|| (left.unwrap_or_default(), right.unwrap_or_default()))
}

fn indented(line: &Line, by: usize) -> Line {
    let mut out = Line::from(" ".repeat(by).as_str());
    out.append(line);
    out
}
