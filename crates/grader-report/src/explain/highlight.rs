//! Marks the words that differ between two lines.

use std::ops::Range;
use std::time::Instant;

use super::align::{Part, Stretch, align, level};
use super::words::{Rules, TextLine, Word, is_space, pieces};
use super::{About, Highlight};

/// Longer lines are compared only from their first difference on, and only this many bytes.
const LONG_LINE: usize = 8 * 1024;

/// Words with more pieces than this are marked from their first difference to their last.
const MAX_PIECES: usize = 400;

/// Words with a longer piece are marked from their first difference to their last.
const LONG_PIECE: usize = 32;

/// The marks of the answer's side and of the output's side.
pub(super) type Marks = (Vec<Highlight>, Vec<Highlight>);

/// Marks the differences that count between a line of the answer and a line of the output, except the line ends.
pub(super) fn mark_lines(answer: &TextLine, output: &TextLine, rules: Rules, deadline: Instant) -> Marks {
    let long = answer.body.len().max(output.body.len()) > LONG_LINE;
    let start = if long { rules.first_difference(answer.body, output.body) } else { Some((0, 0)) };
    let mut marks = Marks::default();
    let Some((left_from, right_from)) = start else { return marks };
    if let Some((left, right)) = long_words((answer, left_from), (output, right_from)) {
        mark_long(left, right, rules, &mut marks);
        return marks;
    }
    let left = words_from(answer, left_from, rules);
    let right = words_from(output, right_from, rules);
    let open = |line: &TextLine, from: usize| line.cut_after || line.body.len() - from > LONG_LINE;
    let (left, right) = level(
        Part { items: &left, open: open(answer, left_from) },
        Part { items: &right, open: open(output, right_from) },
    );
    for stretch in align(left.items, right.items, rules, deadline).known(left.open || right.open) {
        if let Stretch::Changed { left: a, right: b } = stretch {
            mark_words(&left.items[a.clone()], &right.items[b.clone()], rules, deadline, &mut marks);
        }
    }
    marks
}

/// The words at two offsets, if one of them is too long to be compared among others.
fn long_words<'a>(left: (&TextLine<'a>, usize), right: (&TextLine<'a>, usize)) -> Option<(Word<'a>, Word<'a>)> {
    let word = |(line, at): (&TextLine<'a>, usize)| {
        let rest = &line.body[at..];
        let length = rest.iter().position(|byte| is_space(*byte)).unwrap_or(rest.len());
        Word { bytes: &rest[..length], at }
    };
    let left = word(left);
    let right = word(right);
    let longest = left.bytes.len().max(right.bytes.len());
    let shortest = left.bytes.len().min(right.bytes.len());
    (longest > LONG_LINE / 8 && shortest > 0).then_some((left, right))
}

/// Marks two words from their first difference to their last.
fn mark_long(left: Word, right: Word, rules: Rules, marks: &mut Marks) {
    let a = left.bytes;
    let b = right.bytes;
    let rules = rules.inside_words();
    let same = |x: &[u8], y: &[u8]| rules.same_word(x, y);
    let prefix = (0..a.len().min(b.len())).take_while(|at| same(&a[*at..=*at], &b[*at..=*at])).count();
    let a_rest = &a[prefix..];
    let b_rest = &b[prefix..];
    let ends = a_rest.iter().rev().zip(b_rest.iter().rev());
    let suffix = ends.take_while(|(x, y)| same(&[**x], &[**y])).count();
    for (word, marks) in [(left, &mut marks.0), (right, &mut marks.1)] {
        let to = word.bytes.len() - suffix;
        let range = character_start(word.bytes, prefix)..character_end(word.bytes, to);
        if !range.is_empty() {
            push(marks, word.at + range.start..word.at + range.end, About::Text);
        }
    }
}

/// The start of the character that contains an offset.
fn character_start(bytes: &[u8], at: usize) -> usize {
    let back = bytes[..at].iter().rev().take(3).take_while(|byte| **byte & 0xc0 == 0x80).count();
    let inside = at < bytes.len() && bytes[at] & 0xc0 == 0x80;
    if inside { at.saturating_sub(back + 1) } else { at }
}

/// The end of the character that contains an offset.
fn character_end(bytes: &[u8], at: usize) -> usize {
    at + bytes[at..].iter().take(3).take_while(|byte| **byte & 0xc0 == 0x80).count()
}

/// The words of a line from an offset on, up to the length limit. A cut last word is left out unless it is the only
/// one.
fn words_from<'a>(line: &TextLine<'a>, from: usize, rules: Rules) -> Vec<Word<'a>> {
    let to = line.body.len().min(from + LONG_LINE);
    let words = rules.words(&line.body[from..to]).map(|word| Word { at: word.at + from, ..word });
    let mut words: Vec<_> = words.collect();
    if to < line.body.len() && words.len() > 1 {
        words.pop();
    }
    words
}

/// Marks words without counterparts; each side lies within one line.
fn mark_words(left: &[Word], right: &[Word], rules: Rules, deadline: Instant, marks: &mut Marks) {
    if left.len() == right.len() {
        for (a, b) in left.iter().zip(right) {
            mark_pair(*a, *b, rules, deadline, marks);
        }
    } else if !rules.spacing && joined(left) == joined(right) {
        // Only the gaps differ, such as `1 0` for `10`.
        mark_gaps(left, &mut marks.0);
        mark_gaps(right, &mut marks.1);
    } else if left.iter().chain(right).all(Word::is_gap) {
        mark_as_spacing(left, &mut marks.0);
        mark_as_spacing(right, &mut marks.1);
    } else {
        mark_whole(left, &mut marks.0);
        mark_whole(right, &mut marks.1);
    }
}

/// Marks the pieces in which two words differ, or both whole words if less than a third is equal.
pub(super) fn mark_pair(left: Word, right: Word, rules: Rules, deadline: Instant, marks: &mut Marks) {
    if rules.same_word(left.bytes, right.bytes) {
        return;
    }
    if left.is_gap() && right.is_gap() {
        push(&mut marks.0, left.range(), About::Spacing);
        push(&mut marks.1, right.range(), About::Spacing);
        return;
    }
    let a = pieces(left);
    let b = pieces(right);
    let longer = a.len().max(b.len());
    let long = a.iter().chain(&b).any(|piece| piece.bytes.len() > LONG_PIECE);
    if longer > MAX_PIECES || long {
        mark_long(left, right, rules, marks);
        return;
    }
    let stretches = align(&a, &b, rules.inside_words(), deadline).stretches;
    let agree: usize = stretches.iter().map(|s| if let Stretch::Same { len, .. } = s { *len } else { 0 }).sum();
    if agree * 3 >= longer {
        for stretch in stretches {
            if let Stretch::Changed { left, right } = stretch {
                mark_whole(&a[left], &mut marks.0);
                mark_whole(&b[right], &mut marks.1);
            }
        }
        return;
    }
    mark_whole(&[left], &mut marks.0);
    mark_whole(&[right], &mut marks.1);
}

/// Marks all words except gaps.
pub(super) fn mark_whole(words: &[Word], marks: &mut Vec<Highlight>) {
    for word in words.iter().filter(|word| !word.is_gap()) {
        push(marks, word.range(), About::Text);
    }
}

/// Marks all gaps.
fn mark_as_spacing(gaps: &[Word], marks: &mut Vec<Highlight>) {
    for gap in gaps {
        push(marks, gap.range(), About::Spacing);
    }
}

/// Marks the gaps between words.
fn mark_gaps(words: &[Word], marks: &mut Vec<Highlight>) {
    for pair in words.windows(2) {
        push(marks, pair[0].range().end..pair[1].at, About::Spacing);
    }
}

fn joined(words: &[Word]) -> Vec<u8> {
    words.iter().flat_map(|word| word.bytes).copied().collect()
}

fn push(marks: &mut Vec<Highlight>, range: Range<usize>, about: About) {
    match marks.last_mut() {
        Some(last) if last.range.end == range.start && last.about == about => last.range.end = range.end,
        _ => marks.push(Highlight { range, about }),
    }
}
