//! Selects the rows to show: differing lines with some context, and long lines cut around their first change.

use super::pair::Pair;
use super::words::{Rules, TextLine};
use super::{End, Highlight, Options, Row, Side};

/// The rows to show, and the number of differing pairs that are left out.
pub(super) fn rows(
    pairs: &[Pair],
    left: &[TextLine],
    right: &[TextLine],
    rules: Rules,
    options: &Options,
) -> (Vec<Row>, usize) {
    let kept = kept(pairs, options.context);
    let mut rows = Vec::new();
    let mut hidden = 0;
    // Lines before the window are elided too.
    let first = |lines: &[TextLine]| lines.first().map_or(0, |line| line.number - 1);
    let mut elided = ElidedLines { left: first(left), right: first(right) };
    for (pair, keep) in pairs.iter().zip(kept) {
        if rows.len() >= options.max_rows {
            hidden += usize::from(!pair.same);
        } else if !keep {
            elided.left += usize::from(pair.left.is_some());
            elided.right += usize::from(pair.right.is_some());
        } else {
            rows.extend(std::mem::take(&mut elided).row());
            rows.push(row(pair, left, right, rules, options));
        }
    }
    if rows.len() < options.max_rows {
        rows.extend(elided.row());
    }
    (rows, hidden)
}

/// The number of lines of each side that are not shown.
#[derive(Debug, Default)]
struct ElidedLines {
    left: usize,
    right: usize,
}

impl ElidedLines {
    /// A row for the elided lines; the number is that of the answer, if it has any.
    fn row(self) -> Option<Row> {
        let lines = if self.left > 0 { self.left } else { self.right };
        (lines > 0).then_some(Row::Elided(lines))
    }
}

/// Whether each pair is shown: differing pairs, `context` pairs on either side, and a single pair between two shown
/// ones.
fn kept(pairs: &[Pair], context: usize) -> Vec<bool> {
    let mut kept = vec![false; pairs.len()];
    let mut free_from = 0;
    for (at, _) in pairs.iter().enumerate().filter(|(_, pair)| !pair.same) {
        let from = at.saturating_sub(context);
        // An elision of one line takes as much space as the line itself.
        let from = if from == free_from + 1 { free_from } else { from.max(free_from) };
        let to = (at + context + 1).min(pairs.len());
        kept[from..to].fill(true);
        free_from = to;
    }
    if free_from > 0 && free_from + 1 == pairs.len() {
        kept[free_from] = true;
    }
    kept
}

fn row(pair: &Pair, left: &[TextLine], right: &[TextLine], rules: Rules, options: &Options) -> Row {
    // A side without marks is cut around the first mark of the other side.
    let focus =
        |own: &[Highlight], other: &[Highlight]| own.first().or(other.first()).map_or(0, |mark| mark.range.start);
    let left_focus = focus(&pair.left_marks, &pair.right_marks);
    let right_focus = focus(&pair.right_marks, &pair.left_marks);
    let mut a = pair.left.map(|i| side(&left[i], &pair.left_marks, left_focus, options));
    let mut b = pair.right.map(|j| side(&right[j], &pair.right_marks, right_focus, options));
    if let (Some(i), Some(j), Some(a), Some(b)) = (pair.left, pair.right, &mut a, &mut b)
        && !rules.same_end(&left[i], &right[j])
    {
        (a.end, b.end) = if left[i].newline { (End::Newline, End::NoNewline) } else { (End::NoNewline, End::Newline) };
    }
    match (a, b) {
        (a, b) if pair.same => Row::Equal(a, b),
        (Some(a), Some(b)) => Row::Changed(a, b),
        (Some(a), None) => Row::Missing(a),
        (None, Some(b)) => Row::Extra(b),
        // Not reachable: every pair has a line.
        (None, None) => Row::Elided(0),
    }
}

/// One line, cut around `focus` if it is much longer than the part that is shown.
fn side(line: &TextLine, marks: &[Highlight], focus: usize, options: &Options) -> Side {
    let around = (options.columns * 4).clamp(256, 4096);
    let (from, to) = if line.body.len() > 4 * around {
        let from = at_character(line.body, focus.min(line.body.len()).saturating_sub(around));
        (from, at_character(line.body, from + 3 * around))
    } else {
        (0, line.body.len())
    };
    let inside = marks.iter().filter(|mark| mark.range.start < to && mark.range.end > from);
    let shifted = inside.map(|mark| Highlight {
        range: mark.range.start.max(from) - from..mark.range.end.min(to) - from,
        about: mark.about,
    });
    Side {
        number: line.number,
        text: line.body[from..to].to_vec(),
        marks: shifted.collect(),
        cut_before: from > 0 || line.cut_before,
        cut_after: to < line.body.len() || line.cut_after,
        end: End::Alike,
    }
}

/// The next offset, from `at` on, at which a UTF-8 character may begin.
fn at_character(bytes: &[u8], at: usize) -> usize {
    let continuation = bytes.iter().skip(at).take(3).take_while(|b| **b & 0xc0 == 0x80).count();
    (at + continuation).min(bytes.len())
}
