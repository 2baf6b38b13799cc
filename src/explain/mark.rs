//! Which words of two lines differ.

use std::ops::Range;
use std::time::Instant;

use super::align::{Part, Stretch, align, level};
use super::words::{Rules, TextLine, Word, pieces};
use super::{About, Mark};

/// Longer lines are looked at from their first difference on, and this far.
const LONG_LINE: usize = 8 * 1024;

/// Words of more parts than this are marked whole.
const MAX_PIECES: usize = 400;

/// Marks of the answer's side and of the output's.
pub(super) type Marks = (Vec<Mark>, Vec<Mark>);

/// What the checker minds between a line of the answer and one of the output, line ends aside.
pub(super) fn mark_lines(answer: &TextLine, output: &TextLine, rules: Rules, deadline: Instant) -> Marks {
    let long = answer.body.len().max(output.body.len()) > LONG_LINE;
    let start = if long { rules.first_difference(answer.body, output.body) } else { Some((0, 0)) };
    let mut marks = Marks::default();
    let Some((left_from, right_from)) = start else { return marks };
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

/// The words of a line from an offset on, as far as they are looked at; the last one whole, unless it is the only one.
fn words_from<'a>(line: &TextLine<'a>, from: usize, rules: Rules) -> Vec<Word<'a>> {
    let to = line.body.len().min(from + LONG_LINE);
    let words = rules.words(&line.body[from..to]).map(|word| Word { at: word.at + from, ..word });
    let mut words: Vec<_> = words.collect();
    if to < line.body.len() && words.len() > 1 {
        words.pop();
    }
    words
}

/// Marks a stretch of words without counterparts, each side within one line.
fn mark_words(left: &[Word], right: &[Word], rules: Rules, deadline: Instant, marks: &mut Marks) {
    if left.len() == right.len() {
        for (a, b) in left.iter().zip(right) {
            mark_pair(*a, *b, rules, deadline, marks);
        }
    } else if !rules.spacing && joined(left) == joined(right) {
        // Only the gaps make the difference: "1 0" for "10".
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

/// Marks the parts in which two words differ, or both whole where hardly anything agrees.
pub(super) fn mark_pair(left: Word, right: Word, rules: Rules, deadline: Instant, marks: &mut Marks) {
    if rules.same_word(left.bytes, right.bytes) {
        return;
    }
    if left.is_gap() && right.is_gap() {
        push(&mut marks.0, left.range(), About::Spacing);
        push(&mut marks.1, right.range(), About::Spacing);
        return;
    }
    let (a, b) = (pieces(left), pieces(right));
    let longer = a.len().max(b.len());
    if longer <= MAX_PIECES {
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
    }
    mark_whole(&[left], &mut marks.0);
    mark_whole(&[right], &mut marks.1);
}

/// Marks all words that are no gaps.
pub(super) fn mark_whole(words: &[Word], marks: &mut Vec<Mark>) {
    for word in words.iter().filter(|word| !word.is_gap()) {
        push(marks, word.range(), About::Text);
    }
}

/// Marks all gaps.
fn mark_as_spacing(gaps: &[Word], marks: &mut Vec<Mark>) {
    for gap in gaps {
        push(marks, gap.range(), About::Spacing);
    }
}

/// Marks what lies between words.
fn mark_gaps(words: &[Word], marks: &mut Vec<Mark>) {
    for pair in words.windows(2) {
        push(marks, pair[0].range().end..pair[1].at, About::Spacing);
    }
}

fn joined(words: &[Word]) -> Vec<u8> {
    words.iter().flat_map(|word| word.bytes).copied().collect()
}

fn push(marks: &mut Vec<Mark>, range: Range<usize>, about: About) {
    match marks.last_mut() {
        Some(last) if last.range.end == range.start && last.about == about => last.range.end = range.end,
        _ => marks.push(Mark { range, about }),
    }
}
