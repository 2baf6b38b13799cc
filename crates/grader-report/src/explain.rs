//! Explains why an output is not the answer: the lines side by side, with the differing words marked.
//!
//! Pure and bounded: the input is windows of bytes, the output is rows. Any bytes are allowed, and a deadline limits
//! slow searches. This module decides no verdict and does not know how rows are shown.

mod align;
mod around;
mod excerpt;
mod highlight;
pub mod labels;
mod lookalikes;
mod pair;
mod rows;
pub mod sentence;
mod words;

pub(crate) use around::{Before, begin_together};
pub use excerpt::{Excerpt, Piece, excerpt, excerpt_of_ends, excerpt_with_long_lines};

use std::ops::Range;
use std::time::{Duration, Instant};

use crate::problem::Checker;
use align::{Part, level};
use pair::{Pair, pair};
use rows::rows;
use words::{Rules, TextLine, lines};

/// The most lines per side that are aligned, counted from the first that differs.
const MAX_LINES: usize = 4000;

/// The most bytes per side that are aligned, counted the same way. A longer line is still included.
const MAX_BYTES: usize = 256 * 1024;

/// The most words per side that are aligned, counted the same way. A longer line is included, but its words are not
/// followed across lines.
const MAX_WORDS: usize = 60_000;

/// How much of each side is aligned, counted from the first line that differs.
#[derive(Debug, Clone, Copy)]
struct Caps {
    lines: usize,
    bytes: usize,
    words: usize,
}

impl Caps {
    const ALL: Self = Self { lines: MAX_LINES, bytes: MAX_BYTES, words: MAX_WORDS };
    /// For a second attempt near the first difference, after the full alignment took too long.
    const NEAR: Self = Self { lines: 100, bytes: 8 * 1024, words: 1000 };
}

/// Time limit of the second attempt, near the first difference.
const NEAR_DEADLINE: Duration = Duration::from_millis(100);

/// A stretch of a text.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Window<'a> {
    /// The stretch itself.
    pub bytes: &'a [u8],
    /// The 1-based number of its first line.
    pub first_line: usize,
    /// Whether its first line began before it.
    pub cut_before: bool,
    /// Whether the text continues after the stretch.
    pub cut_after: bool,
    /// The offset of the first difference. The line there is shown, even if it is cut.
    pub focus: usize,
}

#[cfg(test)]
impl<'a> Window<'a> {
    /// A whole text.
    pub(crate) fn whole(bytes: &'a [u8]) -> Self {
        Self { bytes, first_line: 1, cut_before: false, cut_after: false, focus: 0 }
    }
}

/// Settings of an explanation.
#[derive(Debug, Clone, Copy)]
pub struct Options {
    /// The checker, which decides what counts as a difference.
    pub checker: Checker,
    /// The number of equal lines kept around differing ones.
    pub context: usize,
    /// The most rows; further differences are only counted.
    pub max_rows: usize,
    /// About how many columns of a line will be shown. Much longer lines are cut around their first change.
    pub columns: usize,
    /// When to stop searching for a good alignment.
    pub deadline: Instant,
}

/// Answer and output side by side.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Diff {
    /// The rows from top to bottom.
    pub rows: Vec<Row>,
    /// Notes about the rows.
    pub(crate) notes: Vec<Note>,
}

/// One row of a [`Diff`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Row {
    /// A line of each side without a difference that counts, though they may look different. Only one side is present
    /// if line breaks differ and do not count.
    Equal(Option<Side>, Option<Side>),
    /// A line of each side that differ.
    Changed(Side, Side),
    /// A line of the answer that the output lacks. Without marks, the whole line is missing.
    Missing(Side),
    /// A line of the output that the answer lacks. Without marks, the whole line is extra.
    Extra(Side),
    /// So many equal lines that are not shown.
    Elided(usize),
}

impl Row {
    /// Whether something here counts as a difference.
    #[cfg(test)]
    pub fn differs(&self) -> bool {
        matches!(self, Self::Changed(..) | Self::Missing(_) | Self::Extra(_))
    }

    /// The line of the answer.
    pub fn left(&self) -> Option<&Side> {
        match self {
            Self::Equal(left, _) => left.as_ref(),
            Self::Changed(left, _) | Self::Missing(left) => Some(left),
            Self::Extra(_) | Self::Elided(_) => None,
        }
    }

    /// The line of the output.
    pub fn right(&self) -> Option<&Side> {
        match self {
            Self::Equal(_, right) => right.as_ref(),
            Self::Changed(_, right) | Self::Extra(right) => Some(right),
            Self::Missing(_) | Self::Elided(_) => None,
        }
    }
}

/// A line of one side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Side {
    /// The line's number, from 1.
    pub number: usize,
    /// The line without its newline, unescaped. A long line is cut to the part around its first change.
    pub text: Vec<u8>,
    /// The differing parts in ascending order, as offsets in `text`.
    pub(crate) marks: Vec<Highlight>,
    /// Whether text before `text` was cut off.
    pub cut_before: bool,
    /// Whether text after `text` was cut off.
    pub cut_after: bool,
    /// Whether the end of the line differs.
    pub end: End,
}

/// A differing part of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Highlight {
    /// The byte range in the line.
    pub range: Range<usize>,
    /// The kind of difference.
    pub about: About,
}

/// The kind of a marked difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum About {
    /// A difference in words.
    Text,
    /// A difference in white space only, which must be made visible.
    Spacing,
}

/// The end of a line.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum End {
    /// The same as on the other side, or irrelevant.
    #[default]
    Alike,
    /// A newline that the other side lacks.
    Newline,
    /// No newline, though the other side has one.
    NoNewline,
}

/// A note about the rows of a [`Diff`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Note {
    /// Lines broke differently, which the checker ignores, so words were followed across lines.
    LineBreaksDiffer,
    /// There was no time for an alignment: lines are paired by number.
    NotAligned,
    /// So many further rows differ.
    MoreDiffer(usize),
    /// The text after these rows was not compared.
    NotCompared,
}

/// Compares two texts side by side. The time is bounded (linear in the windows, plus the deadline), and so is the
/// result.
pub(crate) fn explain(answer: &Window, output: &Window, options: &Options) -> Diff {
    let rules = Rules::of(&options.checker);
    let left = lines(answer);
    let right = lines(output);
    let (left, right) =
        level(Part { items: &left, open: answer.cut_after }, Part { items: &right, open: output.cut_after });
    let same = |(a, b): &(&TextLine, &TextLine)| rules.same_line(a, b);
    let prefix = left.items.iter().zip(right.items).take_while(same).count();
    let left_rest = &left.items[prefix..];
    let right_rest = &right.items[prefix..];
    let suffix = left_rest.iter().rev().zip(right_rest.iter().rev()).take_while(same).count();
    let left_all = &left_rest[..left_rest.len() - suffix];
    let right_all = &right_rest[..right_rest.len() - suffix];
    let aligned = |caps: Caps, deadline: Instant| {
        let (left_mid, right_mid) = level(capped(left_all, caps, rules), capped(right_all, caps, rules));
        let left_open = left.open || left_mid.open;
        let right_open = right.open || right_mid.open;
        let pairing = pair(left_mid.items, right_mid.items, rules, (left_open, right_open), deadline);
        (left_mid, right_mid, pairing)
    };
    let mut all = aligned(Caps::ALL, options.deadline);
    if all.2.given_up || options.deadline <= Instant::now() {
        // Rows near the first difference are aligned well, even if the text after them takes too long.
        let near = aligned(Caps::NEAR, Instant::now() + NEAR_DEADLINE);
        if !near.2.given_up {
            all = near;
        }
    }
    let (left_mid, right_mid, pairing) = all;
    let complete = left_mid.items.len() == left_all.len() && right_mid.items.len() == right_all.len();
    let left_open = left.open || left_mid.open;
    let right_open = right.open || right_mid.open;
    let mut pairs = Pair::equal((0, 0), prefix);
    pairs.extend(pairing.pairs.into_iter().map(|pair| pair.shifted(prefix)));
    if complete {
        pairs.extend(Pair::equal((prefix + left_all.len(), prefix + right_all.len()), suffix));
    }
    if !pairing.across_lines {
        drop_unknown(&mut pairs, left_open, right_open);
    }

    let (rows, more) = rows(&pairs, left.items, right.items, rules, options);
    let notes = [
        pairing.given_up.then_some(Note::NotAligned),
        pairing.across_lines.then_some(Note::LineBreaksDiffer),
        (more > 0).then_some(Note::MoreDiffer(more)),
        (left_open || right_open).then_some(Note::NotCompared),
    ];
    Diff { rows, notes: notes.into_iter().flatten().collect() }
}

/// The first lines, as many as the caps allow.
fn capped<'a>(lines: &'a [TextLine<'a>], caps: Caps, rules: Rules) -> Part<'a, TextLine<'a>> {
    let mut bytes = 0;
    let mut words = 0;
    let few_bytes = lines.iter().take_while(|line| {
        words += rules.words(line.body).filter(|word| !word.is_gap()).count();
        let fits = bytes < caps.bytes && (bytes == 0 || words <= caps.words);
        bytes += line.body.len();
        fits
    });
    let kept = few_bytes.count().min(caps.lines);
    Part { items: &lines[..kept], open: kept < lines.len() }
}

/// Drops unpaired lines at the end that may have a counterpart in the unread part of the other side.
fn drop_unknown(pairs: &mut Vec<Pair>, left_open: bool, right_open: bool) {
    let unknown = |pair: &&Pair| (pair.left.is_none() && left_open) || (pair.right.is_none() && right_open);
    let keep = pairs.len() - pairs.iter().rev().take_while(unknown).count();
    if pairs[..keep].iter().any(|pair| !pair.same) {
        pairs.truncate(keep);
    }
}

#[cfg(test)]
mod tests;
