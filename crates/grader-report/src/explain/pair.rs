//! Decides which lines stand beside each other, and which words are marked in them.

use std::borrow::Cow;
use std::ops::Range;
use std::time::Instant;

use super::align::{Alignable, Stretch, align};
use super::highlight::{Marks, mark_lines, mark_pair, mark_whole};
use super::words::{Rules, TextLine, Word};
use super::{Highlight, MAX_WORDS};

/// The most surplus words of the longer side that are searched for lines that share a word.
const MAX_SURPLUS: usize = 1000;

/// Two lines side by side, by index, or one line alone.
#[derive(Debug, Clone, Default)]
pub(super) struct Pair {
    pub(super) left: Option<usize>,
    pub(super) right: Option<usize>,
    /// Whether no difference here counts.
    pub(super) same: bool,
    pub(super) left_marks: Vec<Highlight>,
    pub(super) right_marks: Vec<Highlight>,
}

impl Pair {
    /// Creates `len` pairs of equal lines, starting at `at`.
    pub(super) fn equal(at: (usize, usize), len: usize) -> Vec<Self> {
        let pair = |k| Self { left: Some(at.0 + k), right: Some(at.1 + k), same: true, ..Self::default() };
        (0..len).map(pair).collect()
    }

    /// Returns the pair with both indices moved.
    pub(super) fn shifted(self, by: usize) -> Self {
        Self { left: self.left.map(|i| i + by), right: self.right.map(|j| j + by), ..self }
    }
}

/// All lines of both sides in order.
#[derive(Debug, Default)]
pub(super) struct Pairing {
    pub(super) pairs: Vec<Pair>,
    /// Whether the deadline passed, so that lines are paired by number.
    pub(super) given_up: bool,
    /// Words were followed across line breaks, because the checker does so.
    pub(super) across_lines: bool,
    /// The number of marks. A line without a counterpart adds the number of its words.
    marked: usize,
}

/// Pairs lines. If spacing does not count, line breaks do not count either. Then words are followed across lines, if
/// that explains the difference with less than half of the marks. `open`: whether each text continues after these
/// lines.
pub(super) fn pair(
    left: &[TextLine],
    right: &[TextLine],
    rules: Rules,
    open: (bool, bool),
    deadline: Instant,
) -> Pairing {
    let lines = by_lines(left, right, rules, deadline);
    if rules.spacing || lines.given_up || lines.marked < 2 {
        return lines;
    }
    match by_words(left, right, rules, open, deadline) {
        Some(words) if words.marked * 2 < lines.marked => words,
        _ => lines,
    }
}

fn by_lines(left: &[TextLine], right: &[TextLine], rules: Rules, deadline: Instant) -> Pairing {
    let alignment = align(left, right, rules, deadline);
    let mut out = Pairing { given_up: alignment.given_up, ..Pairing::default() };
    for stretch in alignment.stretches {
        match stretch {
            Stretch::Same { left, right, len } => out.pairs.extend(Pair::equal((left, right), len)),
            Stretch::Changed { left: a, right: b } => {
                let matches = if a.len() == b.len() || a.is_empty() || b.is_empty() || out.given_up {
                    Vec::new()
                } else {
                    matching_lines(&left[a.clone()], &right[b.clone()], (a.start, b.start), rules, deadline)
                };
                for (i, j) in beside(a, b, &matches) {
                    out.changed(i.map(|i| (i, &left[i])), j.map(|j| (j, &right[j])), rules, deadline);
                }
            }
        }
    }
    out
}

impl Pairing {
    /// Adds two lines that differ, or a line without a counterpart.
    fn changed(
        &mut self,
        left: Option<(usize, &TextLine)>,
        right: Option<(usize, &TextLine)>,
        rules: Rules,
        deadline: Instant,
    ) {
        let mut pair = Pair { left: left.map(|l| l.0), right: right.map(|r| r.0), ..Pair::default() };
        if let (Some((_, a)), Some((_, b))) = (left, right) {
            (pair.left_marks, pair.right_marks) = mark_lines(a, b, rules, deadline);
            self.marked += pair.left_marks.len() + pair.right_marks.len();
            // Such lines are not necessarily equal: the missing end of a cut line is unknown.
            pair.same = pair.left_marks.is_empty() && pair.right_marks.is_empty() && rules.same_end(a, b);
        } else {
            let words = left.or(right).map_or(0, |(_, line)| rules.words(line.body).count());
            self.marked += words;
            // A line without words does not count if spacing does not count.
            pair.same = words == 0 && !rules.spacing;
        }
        self.pairs.push(pair);
    }
}

/// A word with the index of its line.
struct PlacedWord<'a> {
    word: Word<'a>,
    line: usize,
}

impl Alignable for PlacedWord<'_> {
    fn key(&self, rules: Rules) -> Cow<'_, [u8]> {
        rules.word_key(self.word.bytes)
    }

    fn same(&self, other: &Self, rules: Rules) -> bool {
        rules.same_word(self.word.bytes, other.word.bytes)
    }
}

/// All words of some lines; none if there are too many.
fn placed<'a>(lines: &[TextLine<'a>], rules: Rules) -> Option<Vec<PlacedWord<'a>>> {
    let words = lines.iter().enumerate().flat_map(|(line, text)| {
        rules.words(text.body).filter(|word| !word.is_gap()).map(move |word| PlacedWord { word, line })
    });
    let words: Vec<_> = words.take(MAX_WORDS + 1).collect();
    (words.len() <= MAX_WORDS).then_some(words)
}

/// Pairs of lines that share a word in the alignment of all words. Indices are shifted by `start`.
fn matching_lines(
    left: &[TextLine],
    right: &[TextLine],
    start: (usize, usize),
    rules: Rules,
    deadline: Instant,
) -> Vec<(usize, usize)> {
    let (Some(mut a), Some(mut b)) = (placed(left, rules), placed(right, rules)) else { return Vec::new() };
    let most = a.len().min(b.len()) + MAX_SURPLUS;
    a.truncate(most);
    b.truncate(most);
    let stretches = align(&a, &b, rules, deadline).stretches;
    let places = same_places(&stretches, &a, &b);
    places.into_iter().map(|(i, j)| (i + start.0, j + start.1)).collect()
}

fn same_places(stretches: &[Stretch], left: &[PlacedWord], right: &[PlacedWord]) -> Vec<(usize, usize)> {
    let mut places = Vec::new();
    for stretch in stretches {
        if let Stretch::Same { left: i, right: j, len } = *stretch {
            places.extend((0..len).map(|k| (left[i + k].line, right[j + k].line)));
            places.dedup();
        }
    }
    places
}

/// Puts matching lines side by side, and pairs the lines between them one by one.
fn beside(left: Range<usize>, right: Range<usize>, matches: &[(usize, usize)]) -> Vec<(Option<usize>, Option<usize>)> {
    let mut i = left.start;
    let mut j = right.start;
    let mut out = Vec::new();
    let mut one_by_one = |a: Range<usize>, b: Range<usize>| {
        let longer = a.len().max(b.len());
        out.extend((0..longer).map(|k| (a.clone().nth(k), b.clone().nth(k))));
    };
    for (a, b) in matches.iter().copied() {
        // A line is paired with the first line that it matches.
        if a >= i && b >= j {
            one_by_one(i..a, j..b);
            one_by_one(a..a + 1, b..b + 1);
            i = a + 1;
            j = b + 1;
        }
    }
    one_by_one(i..left.end, j..right.end);
    out
}

/// Follows words across line breaks. None if there are too many words or the deadline has passed.
fn by_words(
    left: &[TextLine],
    right: &[TextLine],
    rules: Rules,
    open: (bool, bool),
    deadline: Instant,
) -> Option<Pairing> {
    let mut a = placed(left, rules)?;
    let mut b = placed(right, rules)?;
    // Surplus words have no counterpart, and aligning them would take long.
    let shorter = a.len().min(b.len());
    let goes_on = if a.len() < b.len() { open.0 } else { open.1 };
    let is_cut = goes_on && a.len() != b.len();
    if is_cut {
        a.truncate(shorter);
        b.truncate(shorter);
    }
    let alignment = align(&a, &b, rules, deadline);
    if alignment.given_up {
        return None;
    }
    let mut marks: (Vec<Vec<Highlight>>, Vec<Vec<Highlight>>) =
        (vec![Vec::new(); left.len()], vec![Vec::new(); right.len()]);
    let mut marked = 0;
    let known = alignment.known(open.0 || open.1);
    let mut ends = (0, 0);
    for stretch in known {
        match stretch {
            Stretch::Same { left, right, len } => ends = (left + len, right + len),
            Stretch::Changed { left: i, right: j } => {
                ends = (i.end, j.end);
                marked += i.len() + j.len();
                mark_placed(&a[i.clone()], &b[j.clone()], rules, deadline, &mut marks);
            }
        }
    }
    let mut rows = beside(0..left.len(), 0..right.len(), &same_places(known, &a, &b));
    if is_cut || known.len() < alignment.stretches.len() {
        // Drop lines of which no word was compared.
        let begun = |words: &[PlacedWord], line: usize| words.last().is_some_and(|word| line <= word.line);
        rows.retain(|(i, j)| i.is_some_and(|i| begun(&a[..ends.0], i)) || j.is_some_and(|j| begun(&b[..ends.1], j)));
    }
    let pairs = rows.into_iter().map(|(left, right)| {
        let left_marks = left.map_or_else(Vec::new, |i| std::mem::take(&mut marks.0[i]));
        let right_marks = right.map_or_else(Vec::new, |j| std::mem::take(&mut marks.1[j]));
        Pair { left, right, same: left_marks.is_empty() && right_marks.is_empty(), left_marks, right_marks }
    });
    Some(Pairing { pairs: pairs.collect(), given_up: false, across_lines: true, marked })
}

/// Marks words that may lie on several lines.
fn mark_placed(
    left: &[PlacedWord],
    right: &[PlacedWord],
    rules: Rules,
    deadline: Instant,
    marks: &mut (Vec<Vec<Highlight>>, Vec<Vec<Highlight>>),
) {
    if left.len() != right.len() {
        for placed in left {
            mark_whole(&[placed.word], &mut marks.0[placed.line]);
        }
        for placed in right {
            mark_whole(&[placed.word], &mut marks.1[placed.line]);
        }
        return;
    }
    for (a, b) in left.iter().zip(right) {
        let mut pair = Marks::default();
        mark_pair(a.word, b.word, rules, deadline, &mut pair);
        marks.0[a.line].append(&mut pair.0);
        marks.1[b.line].append(&mut pair.1);
    }
}
