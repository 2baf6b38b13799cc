//! One side of one row as styled text, before the layout is chosen.

use super::{View, quiet};
use crate::explain::{About, Diff, End, Row, Side};
use crate::text::{Line, Paint, Style, Whitespace, escape};

/// The style of the answer.
pub(super) const LEFT: Style = Style::GOOD;
/// The style of the output.
pub(super) const RIGHT: Style = Style::BAD;

/// A line of one side.
#[derive(Debug)]
pub(super) struct Cell {
    /// The line's number.
    pub(super) number: usize,
    /// `-`, `+` or a space.
    pub(super) sign: &'static str,
    /// How the sign looks.
    pub(super) style: Style,
    /// The text; changed parts are underlined.
    pub(super) line: Line,
}

/// A row of cells.
#[derive(Debug)]
pub(super) enum CellRow {
    /// Nothing that counts differs.
    Equal(Option<Cell>, Option<Cell>),
    /// Something differs.
    Differs(Option<Cell>, Option<Cell>),
    /// So many equal lines.
    Elided(usize),
}

impl CellRow {
    pub(super) fn sides(&self) -> (Option<&Cell>, Option<&Cell>) {
        match self {
            Self::Equal(left, right) | Self::Differs(left, right) => (left.as_ref(), right.as_ref()),
            Self::Elided(_) => (None, None),
        }
    }
}

/// All rows, and the columns that they need.
#[derive(Debug)]
pub(super) struct Cells {
    pub(super) rows: Vec<CellRow>,
    /// Columns for a line number.
    pub(super) digits: usize,
    /// The headings of both sides.
    pub(super) heads: (Line, Line),
    /// The width of the widest text on each side, its heading included.
    pub(super) widths: (usize, usize),
}

impl Cells {
    pub(super) fn new(diff: &Diff, view: &View) -> Self {
        let rows: Vec<CellRow> = diff.rows.iter().map(cell_row).collect();
        let lefts = || rows.iter().filter_map(|row| row.sides().0);
        let rights = || rows.iter().filter_map(|row| row.sides().1);
        let elided = rows.iter().any(|row| matches!(row, CellRow::Elided(_)));
        let head = |name: &str, style: Style, empty: bool| {
            Line::new().with(name, style).with(if empty && !elided { " (empty)" } else { "" }, Style::FAINT)
        };
        let heads = (head(view.answer, LEFT, lefts().count() == 0), head(view.output, RIGHT, rights().count() == 0));
        let widths = (
            lefts().map(|cell| cell.line.width()).max().unwrap_or(0).max(heads.0.width()),
            rights().map(|cell| cell.line.width()).max().unwrap_or(0).max(heads.1.width()),
        );
        let digits = lefts().chain(rights()).map(|cell| cell.number).max().unwrap_or(1).to_string().len();
        Self { rows, digits, heads, widths }
    }
}

fn cell_row(row: &Row) -> CellRow {
    let lonely = matches!(row, Row::Missing(_) | Row::Extra(_));
    let cell = |side: Option<&Side>, sign, style| side.map(|side| changed_cell(side, lonely, sign, style));
    match row {
        Row::Elided(lines) => CellRow::Elided(*lines),
        Row::Equal(left, right) => CellRow::Equal(left.as_ref().map(equal_cell), right.as_ref().map(equal_cell)),
        Row::Changed(..) | Row::Missing(_) | Row::Extra(_) => {
            CellRow::Differs(cell(row.left(), "-", LEFT), cell(row.right(), "+", RIGHT))
        }
    }
}

fn equal_cell(side: &Side) -> Cell {
    let mut line = Line::new();
    ellipsis(side.cut_before, &mut line);
    line.push(&quiet(&side.text), Style::PLAIN.verbatim());
    ellipsis(side.cut_after, &mut line);
    Cell { number: side.number, sign: " ", style: Style::PLAIN, line }
}

fn changed_cell(side: &Side, lonely: bool, sign: &'static str, style: Style) -> Cell {
    let said = style.verbatim();
    let marked = said.bold().underline();
    let mut line = Line::new();
    ellipsis(side.cut_before, &mut line);
    if lonely && side.text.iter().all(u8::is_ascii_whitespace) {
        // Otherwise the reader would see nothing.
        line.push(&escape(&side.text, Whitespace::Visible), said);
        line.push(&escape(b"\n", Whitespace::Visible), said);
        return Cell { number: side.number, sign, style, line };
    }
    let mut from = 0;
    for mark in &side.marks {
        let whitespace = if mark.about == About::Spacing { Whitespace::Visible } else { Whitespace::Quiet };
        line.push(&escape(&side.text[from..mark.range.start], Whitespace::Quiet), said);
        line.push(&escape(&side.text[mark.range.clone()], whitespace), marked);
        from = mark.range.end;
    }
    line.push(&quiet(&side.text[from..]), said);
    ellipsis(side.cut_after, &mut line);
    match side.end {
        End::Alike => {}
        End::Newline => line.push(&escape(b"\n", Whitespace::Visible), marked),
        End::NoNewline => line.push(" (no newline)", Style::FAINT),
    }
    Cell { number: side.number, sign, style, line }
}

fn ellipsis(cut: bool, line: &mut Line) {
    line.push(if cut { "…" } else { "" }, Style::FAINT);
}

/// The column from which both lines are shown, so that the first change of either is visible. It is the same for both,
/// so that they can be compared.
pub(super) fn start(lines: &[(&Line, usize)]) -> usize {
    let too_long = lines.iter().map(|(line, room)| line.width().saturating_sub(*room)).max().unwrap_or(0);
    let first = lines.iter().filter_map(|(line, _)| first_change(line)).min().unwrap_or(0);
    let room = lines.iter().map(|(_, room)| *room).min().unwrap_or(0);
    if first < room * 2 / 3 { 0 } else { (first - room / 3).min(too_long) }
}

fn first_change(line: &Line) -> Option<usize> {
    let at = line.spans().iter().position(|span| span.style.underline)?;
    Some(line.spans()[..at].iter().map(|span| crate::text::width(&span.text)).sum())
}

/// Carets below the changed parts; none if colour shows them.
pub(super) fn carets(line: &Line, paint: Paint) -> Option<Line> {
    let wanted = paint == Paint::Plain && first_change(line).is_some();
    wanted.then(|| {
        line.spans().iter().fold(Line::new(), |carets, span| {
            let sign = if span.style.underline { "^" } else { " " };
            carets.with(&sign.repeat(crate::text::width(&span.text)), Style::PLAIN)
        })
    })
}
