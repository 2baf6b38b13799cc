//! Aligns the items of two sequences: lines of two texts, or words of two lines.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;
use std::time::Instant;

use similar::DiffOp;
use similar::algorithms::{Capture, Compact, Replace, myers};

use super::words::{Rules, TextLine, Word};

/// An item that can be aligned.
pub(super) trait Alignable {
    /// A key that equal items share. With a tolerance, they nearly always share it.
    fn key(&self, rules: Rules) -> Cow<'_, [u8]>;
    /// Returns whether the checker accepts `other`, from the output, for `self`, from the answer. This decides; the key
    /// only helps the search.
    fn same(&self, other: &Self, rules: Rules) -> bool;
}

impl Alignable for TextLine<'_> {
    fn key(&self, rules: Rules) -> Cow<'_, [u8]> {
        Cow::Owned(rules.line_key(self))
    }

    fn same(&self, other: &Self, rules: Rules) -> bool {
        rules.same_line(self, other)
    }
}

impl Alignable for Word<'_> {
    fn key(&self, rules: Rules) -> Cow<'_, [u8]> {
        rules.word_key(self.bytes)
    }

    fn same(&self, other: &Self, rules: Rules) -> bool {
        rules.same_word(self.bytes, other.bytes)
    }
}

/// The first items of one side.
#[derive(Debug)]
pub(super) struct Part<'a, T> {
    pub(super) items: &'a [T],
    /// Whether more items follow.
    pub(super) open: bool,
}

/// Cuts both sides to the same number of items if one of them is cut, because surplus items would have no counterpart.
/// A side with more than twice as many items is kept: it is divided differently.
pub(super) fn level<'a, T>(left: Part<'a, T>, right: Part<'a, T>) -> (Part<'a, T>, Part<'a, T>) {
    let shorter = left.items.len().min(right.items.len());
    let cut = |part: Part<'a, T>, other_open: bool| {
        let by_item = other_open && part.items.len() > shorter && part.items.len() <= 2 * shorter;
        if by_item { Part { items: &part.items[..shorter], open: true } } else { part }
    };
    let left_open = left.open;
    let right_open = right.open;
    (cut(left, right_open), cut(right, left_open))
}

/// A stretch of both sequences.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Stretch {
    /// Items that are the same, one by one.
    Same { left: usize, right: usize, len: usize },
    /// Items without a counterpart. One range may be empty, but not both.
    Changed { left: Range<usize>, right: Range<usize> },
}

/// Stretches that cover both sequences in order.
#[derive(Debug, Default)]
pub(super) struct Alignment {
    pub(super) stretches: Vec<Stretch>,
    /// Whether the deadline passed, so that little is aligned.
    pub(super) given_up: bool,
}

impl Alignment {
    /// The stretches that are certain. If the sequences continue (`open`), items missing at the end may still follow.
    /// Such a last change counts only if nothing else differs.
    pub(super) fn known(&self, open: bool) -> &[Stretch] {
        let is_change = |stretch: &Stretch| matches!(stretch, Stretch::Changed { .. });
        match self.stretches.split_last() {
            Some((last, known)) if open && is_change(last) && known.iter().any(is_change) => known,
            _ => &self.stretches,
        }
    }

    fn same(&mut self, at: (usize, usize), more: usize) {
        match self.stretches.last_mut() {
            _ if more == 0 => {}
            Some(Stretch::Same { len, .. }) => *len += more,
            _ => self.stretches.push(Stretch::Same { left: at.0, right: at.1, len: more }),
        }
    }

    fn changed(&mut self, more_left: Range<usize>, more_right: Range<usize>) {
        match self.stretches.last_mut() {
            _ if more_left.is_empty() && more_right.is_empty() => {}
            Some(Stretch::Changed { left, right }) => (left.end, right.end) = (more_left.end, more_right.end),
            _ => self.stretches.push(Stretch::Changed { left: more_left, right: more_right }),
        }
    }

    /// Compares two ranges item by item.
    fn one_by_one(&mut self, left: Range<usize>, right: Range<usize>, same: impl Fn(usize, usize) -> bool) {
        for (i, j) in left.zip(right) {
            if same(i, j) { self.same((i, j), 1) } else { self.changed(i..i + 1, j..j + 1) }
        }
    }
}

/// Aligns two sequences. Equally long ones are compared item by item, unless shifting saves more than half of the
/// differences. Checkers compare by position, and so do people.
pub(super) fn align<T: Alignable>(left: &[T], right: &[T], rules: Rules, deadline: Instant) -> Alignment {
    let same = |i: usize, j: usize| left[i].same(&right[j], rules);
    let shorter = left.len().min(right.len());
    let prefix = (0..shorter).take_while(|i| same(*i, *i)).count();
    let ends = (1..=shorter - prefix).take_while(|k| same(left.len() - k, right.len() - k)).count();
    let left_mid = prefix..left.len() - ends;
    let right_mid = prefix..right.len() - ends;

    let mut out = Alignment::default();
    out.same((0, 0), prefix);
    let equally_long = left_mid.len() == right_mid.len();
    let by_position = left_mid.clone().zip(right_mid.clone()).filter(|(i, j)| !same(*i, *j)).count();
    let ops = if left_mid.is_empty() || right_mid.is_empty() || (equally_long && by_position <= 2) {
        None
    } else {
        let ops = shift(&left[left_mid.clone()], &right[right_mid.clone()], rules, deadline);
        out.given_up = Instant::now() >= deadline;
        let saves_enough = !equally_long || cost(&ops) * 2 < by_position;
        (saves_enough && !out.given_up).then_some(ops)
    };
    match ops {
        None if equally_long => out.one_by_one(left_mid, right_mid, same),
        None => out.changed(left_mid, right_mid),
        Some(ops) => {
            for op in ops {
                let a = moved(op.old_range(), prefix);
                let b = moved(op.new_range(), prefix);
                if a.len() == b.len() { out.one_by_one(a, b, same) } else { out.changed(a, b) }
            }
        }
    }
    out.same((left.len() - ends, right.len() - ends), ends);
    out
}

fn moved(range: Range<usize>, by: usize) -> Range<usize> {
    range.start + by..range.end + by
}

/// The number of items that the operations leave without an equal counterpart.
fn cost(ops: &[DiffOp]) -> usize {
    let changed = ops.iter().filter(|op| !matches!(op, DiffOp::Equal { .. }));
    changed.map(|op| op.old_range().len().max(op.new_range().len())).sum()
}

/// The shortest edit script by keys, as good as the deadline permits.
fn shift<T: Alignable>(left: &[T], right: &[T], rules: Rules, deadline: Instant) -> Vec<DiffOp> {
    let mut ids: HashMap<Cow<[u8]>, usize> = HashMap::new();
    let mut id_of = |item| {
        let next = ids.len();
        *ids.entry(Alignable::key(item, rules)).or_insert(next)
    };
    let left_ids: Vec<usize> = left.iter().map(&mut id_of).collect();
    let right_ids: Vec<usize> = right.iter().map(&mut id_of).collect();
    // An algorithm that is chosen by a value would make the compiler build all that `similar` has.
    let mut script = Compact::new(Replace::new(Capture::new()), &left_ids, &right_ids);
    let Ok(()) =
        myers::diff_deadline(&mut script, &left_ids, 0..left.len(), &right_ids, 0..right.len(), Some(deadline));
    script.into_inner().into_inner().into_ops()
}
