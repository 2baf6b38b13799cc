//! Finds which submissions each case kills, and which cases are redundant.

use std::collections::BTreeSet;

/// The submissions that one case kills, as positions among all examined submissions.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Use {
    /// The submissions that fail on it.
    pub kills: Vec<usize>,
    /// The submissions that fail on it and on no other case that counts.
    pub alone: Vec<usize>,
}

/// The use of every case. `fails(case, submission)`: whether the submission fails on the case. `counts(case)`: whether
/// the case can make others redundant. Samples cannot, because they are public.
pub(crate) fn uses(
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

/// A few of the counting cases that together kill the same submissions as all of them. The choice is greedy: each time
/// the case that kills most of the remaining submissions; ties go to the first.
pub(crate) fn enough(uses: &[Use], counts: impl Fn(usize) -> bool) -> Vec<usize> {
    let counting: Vec<usize> = (0..uses.len()).filter(|case| counts(*case)).collect();
    let mut left: BTreeSet<usize> = counting.iter().flat_map(|case| uses[*case].kills.iter().copied()).collect();
    let mut chosen = Vec::new();
    while !left.is_empty() {
        let gain = |case: &usize| uses[*case].kills.iter().filter(|of| left.contains(of)).count();
        let Some(best) = counting.iter().copied().max_by_key(|case| (gain(case), usize::MAX - case)) else { break };
        uses[best].kills.iter().for_each(|of| {
            left.remove(of);
        });
        chosen.push(best);
    }
    chosen.sort_unstable();
    chosen
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
}
