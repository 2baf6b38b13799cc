//! Unified diff: the answer's line above the output's line, with both line numbers in front.

use super::cell::{Cell, CellRow, Cells, LEFT, RIGHT, carets, start};
use super::{View, count_lines};
use crate::text::{Line, Style};

pub(super) fn lines(cells: &Cells, view: &View) -> Vec<Line> {
    let gutter = 2 * cells.digits + 4;
    let room = view.columns.saturating_sub(gutter).max(1);
    let mut out = vec![head(cells, gutter)];
    for row in &cells.rows {
        match row {
            CellRow::Elided(n) => {
                let text = format!("{:gutter$}… {}", "", count_lines(*n, "equal "));
                out.push(Line::new().with(&text, Style::FAINT));
            }
            CellRow::Equal(left, right) => {
                // Equal lines are shown as the submission printed them.
                let Some(shown) = right.as_ref().or(left.as_ref()) else { continue };
                let numbers = (left.as_ref().map(|c| c.number), right.as_ref().map(|c| c.number));
                out.push(with_gutter(numbers, shown, &shown.line.window(0, room), cells.digits));
            }
            CellRow::Differs(left, right) => {
                let texts: Vec<(&Line, usize)> = left.iter().chain(right).map(|cell| (&cell.line, room)).collect();
                let from = start(&texts);
                for (cell, is_left) in left.iter().map(|c| (c, true)).chain(right.iter().map(|c| (c, false))) {
                    let text = cell.line.window(from, room);
                    let number = Some(cell.number);
                    let numbers = if is_left { (number, None) } else { (None, number) };
                    out.push(with_gutter(numbers, cell, &text, cells.digits));
                    out.extend(carets(&text, view.paint).map(|line| indented(&line, gutter)));
                }
            }
        }
    }
    out.into_iter().map(|line| line.window(0, view.columns)).collect()
}

fn head(cells: &Cells, gutter: usize) -> Line {
    let mut head = Line::from(" ".repeat(gutter - 2).as_str()).with("- ", LEFT);
    head.append(&cells.heads.0);
    head.push("   ", Style::PLAIN);
    head.push("+ ", RIGHT);
    head.append(&cells.heads.1);
    head
}

fn with_gutter(numbers: (Option<usize>, Option<usize>), cell: &Cell, text: &Line, digits: usize) -> Line {
    let show = |number: Option<usize>| number.map_or_else(String::new, |n| n.to_string());
    let gutter = format!("{:>digits$} {:>digits$} ", show(numbers.0), show(numbers.1));
    let mut line = Line::new().with(&gutter, Style::FAINT).with(cell.sign, cell.style).with(" ", Style::PLAIN);
    line.append(text);
    line
}

fn indented(line: &Line, by: usize) -> Line {
    let mut out = Line::from(" ".repeat(by).as_str());
    out.append(line);
    out
}
