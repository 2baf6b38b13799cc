//! Marks the parts that two programs share, so that a person sees which belong together.

use std::collections::BTreeMap;

use super::outline::Outline;
use super::{Lines, Program, SharedPart};

/// Steps with so many between them, in either program, may belong to one part.
const GAP: usize = 3;

/// The marks of two programs. Marks of one part have the same number, from 0 in the order of the first program.
pub(super) fn marks<'p>(outlines: [&Outline; 2], programs: [&Program<'p>; 2]) -> [Vec<SharedPart<'p>>; 2] {
    let votes = votes(outlines);
    let of_left = best(votes.iter().map(|(pair, votes)| (*pair, *votes)));
    let of_right = best(votes.iter().map(|((left, right), votes)| ((*right, *left), *votes)));
    let mut parts = BTreeMap::new();
    let mut part = 0;
    let mut before = None;
    for (left, right) in &of_left {
        let goes_on = |(one, other): (usize, usize)| left - one <= GAP && right.abs_diff(other) <= GAP;
        if !before.is_none_or(goes_on) {
            part += 1;
        }
        parts.insert(*left, part);
        before = Some((*left, *right));
    }
    let right_parts = of_right.iter().filter_map(|(right, left)| Some((*right, *parts.get(left)?)));
    let right_parts = right_parts.collect();
    [merged(outlines[0], programs[0], &parts), merged(outlines[1], programs[1], &right_parts)]
}

/// How many shared features say that two steps are the same.
fn votes(outlines: [&Outline; 2]) -> BTreeMap<(usize, usize), usize> {
    let [ours, theirs] = outlines[0].shared(outlines[1]);
    let mut votes = BTreeMap::new();
    for (one, other) in ours.into_iter().zip(theirs) {
        // Of repeated code, the first belongs to the first, and what is left over to the last.
        for at in 0..one.len().max(other.len()) {
            let (left, right) = (&one[at.min(one.len() - 1)], &other[at.min(other.len() - 1)]);
            for pair in left.steps.into_iter().zip(right.steps) {
                *votes.entry(pair).or_default() += 1;
            }
        }
    }
    votes
}

/// The partner of each step with the most votes.
fn best(votes: impl Iterator<Item = ((usize, usize), usize)>) -> BTreeMap<usize, usize> {
    let mut best: BTreeMap<usize, (usize, usize)> = BTreeMap::new();
    for ((one, other), votes) in votes {
        let known = best.entry(one).or_insert((votes, other));
        if votes > known.0 {
            *known = (votes, other);
        }
    }
    best.into_iter().map(|(one, (_, other))| (one, other)).collect()
}

/// Joins the lines of successive steps of one part.
fn merged<'p>(outline: &Outline, program: &Program<'p>, parts: &BTreeMap<usize, usize>) -> Vec<SharedPart<'p>> {
    let mut marks: Vec<SharedPart<'p>> = Vec::new();
    for (step, part) in parts {
        let lines: Lines<'p> = outline.lines(*step, program);
        match marks.last_mut() {
            Some(last) if last.part == *part && last.lines.file == lines.file => {
                last.lines.first = last.lines.first.min(lines.first);
                last.lines.last = last.lines.last.max(lines.last);
            }
            _ => marks.push(SharedPart { lines, part: *part }),
        }
    }
    marks
}
