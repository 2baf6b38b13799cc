//! Finds which submissions each case kills, which cases are redundant, and how many different mistakes the submissions
//! make.

use std::collections::{BTreeMap, BTreeSet};

/// The submissions that one case kills, as positions among all examined submissions.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Use {
    /// The submissions that fail on it.
    pub kills: Vec<usize>,
    /// The submissions that fail on it and on no other case that counts.
    pub alone: Vec<usize>,
}

/// The use of every case. `fails(case, submission)`: whether the submission fails on the case. `counts(case)`: whether
/// the case can make others redundant. Samples cannot, because they are public.
pub fn uses(
    cases: usize,
    submissions: usize,
    fails: impl Fn(usize, usize) -> bool,
    counts: impl Fn(usize) -> bool,
) -> Vec<Use> {
    let killers: Vec<usize> =
        (0..submissions).map(|of| (0..cases).filter(|case| counts(*case) && fails(*case, of)).count()).collect();
    let of_case = |case: usize| {
        let kills: Vec<usize> = (0..submissions).filter(|of| fails(case, *of)).collect();
        let alone = kills.iter().copied().filter(|of| counts(case) && killers[*of] == 1).collect();
        Use { kills, alone }
    };
    (0..cases).map(of_case).collect()
}

/// The most cases among which the smallest subset is searched. More are chosen greedily.
const MOST_EXACT: usize = 20;

/// Some of the counting cases that together kill the same submissions as all of them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Subset {
    /// The cases, in plan order.
    pub cases: Vec<usize>,
    /// Whether no smaller subset exists.
    pub is_smallest: bool,
}

/// A few of the counting cases that together kill the same submissions as all of them; see [`subset`].
pub fn enough(uses: &[Use], counts: impl Fn(usize) -> bool) -> Vec<usize> {
    subset(uses, counts).cases
}

/// A smallest subset of the counting cases that kills the same submissions as all of them, if the choice is small, and
/// otherwise a small one. The first step is exact: submissions that others imply are left out, and so are cases that kill
/// no more than another one. Among up to 20 remaining cases the search is exhaustive; among more it is greedy: each time
/// the case that kills most of the remaining submissions. Ties go to the first case.
pub fn subset(uses: &[Use], counts: impl Fn(usize) -> bool) -> Subset {
    let mut killers = BTreeMap::<usize, BTreeSet<usize>>::new();
    for (case, used) in uses.iter().enumerate().filter(|(case, _)| counts(*case)) {
        for of in &used.kills {
            killers.entry(*of).or_default().insert(case);
        }
    }
    let (killers, cases) = reduced(killers.into_values().collect());
    let (mut chosen, is_smallest) = if cases.len() <= MOST_EXACT {
        (exhaustive(&killers, &cases), true)
    } else {
        let all = killers.len();
        let chosen = greedy(killers, &cases);
        // Nothing is smaller than one case, or than no case.
        let is_smallest = chosen.len() <= usize::from(all > 0);
        (chosen, is_smallest)
    };
    chosen.sort_unstable();
    Subset { cases: chosen, is_smallest }
}

/// Leaves out what cannot change the size of a smallest subset. Returns the killers of each submission that is left, and
/// all of these cases.
fn reduced(mut killers: Vec<BTreeSet<usize>>) -> (Vec<BTreeSet<usize>>, Vec<usize>) {
    loop {
        let before = (killers.len(), killers.iter().map(BTreeSet::len).sum::<usize>());
        // If all killers of one submission kill another, the other one needs no attention.
        killers.sort_by_key(BTreeSet::len);
        let mut kept = Vec::<BTreeSet<usize>>::new();
        for set in killers {
            if !kept.iter().any(|smaller| smaller.is_subset(&set)) {
                kept.push(set);
            }
        }
        killers = kept;
        let mut kills = BTreeMap::<usize, BTreeSet<usize>>::new();
        for (of, set) in killers.iter().enumerate() {
            for case in set {
                kills.entry(*case).or_default().insert(of);
            }
        }
        let cases: Vec<usize> = kills.keys().copied().collect();
        let mut useful = BTreeSet::<usize>::new();
        let mut by_size = cases;
        by_size.sort_by_key(|case| (usize::MAX - kills[case].len(), *case));
        for case in by_size {
            if !useful.iter().any(|better| kills[&case].is_subset(&kills[better])) {
                useful.insert(case);
            }
        }
        for set in &mut killers {
            set.retain(|case| useful.contains(case));
        }
        if before == (killers.len(), killers.iter().map(BTreeSet::len).sum()) {
            return (killers, useful.into_iter().collect());
        }
    }
}

/// A smallest set of cases with a killer of each submission, by branch and bound.
fn exhaustive(killers: &[BTreeSet<usize>], cases: &[usize]) -> Vec<usize> {
    fn search(masks: &[u32], chosen: u32, best: &mut u32) {
        let open = masks.iter().filter(|mask| **mask & chosen == 0).min_by_key(|mask| mask.count_ones());
        let Some(open) = open else {
            if chosen.count_ones() < best.count_ones() {
                *best = chosen;
            }
            return;
        };
        if chosen.count_ones() + 1 >= best.count_ones() {
            return;
        }
        (0..u32::BITS)
            .map(|bit| 1 << bit)
            .filter(|bit| open & bit != 0)
            .for_each(|bit| search(masks, chosen | bit, best));
    }
    let bit = |case: &usize| cases.iter().position(|known| known == case).map_or(0, |at| 1 << at);
    let masks: Vec<u32> = killers.iter().map(|set| set.iter().map(bit).sum()).collect();
    let mut best = u32::MAX;
    search(&masks, 0, &mut best);
    (0..cases.len()).filter(|at| best >> at & 1 == 1).map(|at| cases[at]).collect()
}

fn greedy(mut killers: Vec<BTreeSet<usize>>, cases: &[usize]) -> Vec<usize> {
    let mut chosen = Vec::new();
    while !killers.is_empty() {
        let gain = |case: &usize| killers.iter().filter(|set| set.contains(case)).count();
        let Some(best) = cases.iter().copied().max_by_key(|case| (gain(case), usize::MAX - case)) else { break };
        killers.retain(|set| !set.contains(&best));
        chosen.push(best);
    }
    chosen
}

/// How many different mistakes wrong submissions make, as the counting cases show them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Independence {
    /// The number of submissions that some case kills.
    pub killed: usize,
    /// The number of different sets of cases that they fail on.
    pub different: usize,
    /// The rank of the matrix of submissions and cases over the rational numbers: a submission that fails where others
    /// do, together or one without the other, adds nothing.
    pub rank: usize,
}

/// The modulus of the elimination, a prime. A rank of this modulus is never larger than the rational one, and smaller
/// only if the prime divides a minor of ones and zeros, which takes dozens of submissions and an unlikely accident.
const PRIME: u64 = (1 << 61) - 1;

/// The independence of the mistakes of `submissions` submissions.
pub fn independence(uses: &[Use], submissions: usize, counts: impl Fn(usize) -> bool) -> Independence {
    let mut rows = vec![Vec::new(); submissions];
    for used in uses.iter().enumerate().filter(|(case, _)| counts(*case)).map(|(_, used)| used) {
        let row_of = |of: usize| u64::from(used.kills.contains(&of));
        rows.iter_mut().enumerate().for_each(|(of, row)| row.push(row_of(of)));
    }
    rows.retain(|row| row.contains(&1));
    let killed = rows.len();
    rows.sort_unstable();
    rows.dedup();
    Independence { killed, different: rows.len(), rank: rank(rows) }
}

/// The rank of a matrix modulo [`PRIME`], by elimination.
fn rank(mut rows: Vec<Vec<u64>>) -> usize {
    let times = |one: u64, two: u64| {
        let product = u128::from(one) * u128::from(two) % u128::from(PRIME);
        u64::try_from(product).unwrap_or_default()
    };
    let inverse = |value: u64| {
        let mut result = 1;
        let mut base = value;
        let mut left = PRIME - 2;
        while left > 0 {
            result = if left & 1 == 1 { times(result, base) } else { result };
            base = times(base, base);
            left >>= 1;
        }
        result
    };
    let columns = rows.first().map_or(0, Vec::len);
    let mut rank = 0;
    for column in 0..columns {
        let Some(pivot) = (rank..rows.len()).find(|row| rows[*row][column] != 0) else { continue };
        rows.swap(rank, pivot);
        let (done, open) = rows.split_at_mut(rank + 1);
        let pivot = &done[rank];
        let scale = inverse(pivot[column]);
        for row in open.iter_mut().filter(|row| row[column] != 0) {
            let factor = PRIME - times(row[column], scale);
            let columns = row.iter_mut().zip(pivot).skip(column);
            columns.for_each(|(value, above)| *value = (*value + times(factor, *above)) % PRIME);
        }
        rank += 1;
    }
    rank
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_is_needed_for_whom_no_other_kills() {
        // Rows are cases, columns are submissions; case 0 is a sample.
        let table = [[true, true, false], [true, false, false], [false, true, false], [true, true, false]];
        let fails = |case: usize, of: usize| table[case][of];
        let counts = |case| case > 0;
        let found = uses(4, 3, fails, counts);
        assert!(found.iter().all(|it| it.alone.is_empty()), "{found:?}");
        assert_eq!(found[0].kills, [0, 1]);
        assert_eq!(enough(&found, counts), [3]);
        let found = uses(3, 3, fails, counts);
        assert_eq!((found[0].alone.len(), &found[1].alone[..], &found[2].alone[..]), (0, &[0][..], &[1][..]));
        assert_eq!(enough(&found, counts), [1, 2]);
    }

    /// The uses of cases that kill these submissions.
    fn of(kills: &[&[usize]]) -> Vec<Use> {
        let submissions = kills.iter().flat_map(|kills| kills.iter()).max().map_or(0, |most| most + 1);
        uses(kills.len(), submissions, |case, of| kills[case].contains(&of), |_| true)
    }

    /// The size of a smallest subset, by trying all.
    fn size_of_smallest(uses: &[Use]) -> u32 {
        let union = |chosen: u32| -> BTreeSet<usize> {
            let chosen = uses.iter().enumerate().filter(|(case, _)| chosen >> case & 1 == 1);
            chosen.flat_map(|(_, used)| used.kills.iter().copied()).collect()
        };
        let all = union(u32::MAX);
        (0..1u32 << uses.len()).filter(|chosen| union(*chosen) == all).map(u32::count_ones).min().unwrap()
    }

    #[test]
    fn the_subset_is_smaller_than_a_greedy_one() {
        // The first case looks best, but the other two are enough.
        let found = of(&[&[0, 1, 3, 4], &[0, 1, 2], &[3, 4, 5]]);
        assert_eq!(subset(&found, |_| true), Subset { cases: vec![1, 2], is_smallest: true });
        assert_eq!(subset(&[], |_| true), Subset { cases: vec![], is_smallest: true });
        assert_eq!(subset(&found, |_| false), Subset { cases: vec![], is_smallest: true });
    }

    #[test]
    fn the_subset_is_a_smallest_one() {
        // A small generator of numbers (Knuth's MMIX), so that the matrices are always the same.
        let mut state = 1u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(state >> 33).unwrap()
        };
        for round in 0..200 {
            let cases = next() % 9 + 1;
            let submissions = next() % 9 + 1;
            let table: Vec<Vec<bool>> =
                (0..cases).map(|_| (0..submissions).map(|_| next() % 3 == 0).collect()).collect();
            let found = uses(cases, submissions, |case, of| table[case][of], |_| true);
            let chosen = subset(&found, |_| true);
            assert_eq!(chosen.cases.len(), size_of_smallest(&found) as usize, "round {round}: {table:?}");
            let killed: BTreeSet<usize> = chosen.cases.iter().flat_map(|case| found[*case].kills.clone()).collect();
            let all: BTreeSet<usize> = found.iter().flat_map(|used| used.kills.clone()).collect();
            assert_eq!(killed, all);
        }
    }

    #[test]
    fn many_cases_are_chosen_greedily() {
        // Each submission fails on two neighbours of a ring of 50 cases: nothing can be left out.
        let kills: Vec<Vec<usize>> = (0..50).map(|case| vec![case, (case + 1) % 50]).collect();
        let found = of(&kills.iter().map(Vec::as_slice).collect::<Vec<_>>());
        let chosen = subset(&found, |_| true);
        assert!(!chosen.is_smallest && (25..=34).contains(&chosen.cases.len()), "{chosen:?}");
    }

    #[test]
    fn mistakes_are_counted_by_rank() {
        // Submissions 0 and 1 are alike, and 4 fails where 0 or 2 does; 3 fails nowhere.
        let found = of(&[&[0, 1, 4], &[2, 4], &[0, 1, 4, 5], &[5]]);
        let expected = Independence { killed: 5, different: 4, rank: 3 };
        assert_eq!(independence(&found, 6, |_| true), expected);
        // Three pairs of three cases are independent numbers, although each is the exclusive or of the others.
        let pairs = of(&[&[0, 1], &[1, 2], &[0, 2]]);
        assert_eq!(independence(&pairs, 3, |_| true), Independence { killed: 3, different: 3, rank: 3 });
        assert_eq!(independence(&pairs, 3, |_| false), Independence::default());
    }
}
