//! Makes the features of steps: properties that a copy of them also has, whatever surrounds it.
//!
//! A feature is two or three neighbours in a block, in any order, or a step with the head above it. So functions and
//! independent steps may change places, and one changed step takes only its own features with it.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use grader_mutants::Statement;

/// Two neighbours are a feature from so many tokens on. Shorter ones are alike in most programs.
const FEWEST_OF_TWO: usize = 6;

/// The same for three neighbours.
const FEWEST_OF_THREE: usize = 7;

/// The same for a step and the head of its block.
const FEWEST_WITH_HEAD: usize = 8;

/// A feature of two or three steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Feature {
    pub(super) digest: u64,
    /// The positions of its steps, in the order of their forms. So those of equal features belong together. The last of
    /// two steps is there twice.
    pub(super) steps: [usize; 3],
}

/// The features of the steps of one file, which stands after files with `first` steps.
pub(super) fn features(steps: &[Statement], first: usize) -> Vec<Feature> {
    let mut blocks: Vec<Vec<usize>> = vec![Vec::new(); steps.iter().map(|step| step.block + 1).max().unwrap_or(0)];
    for (at, step) in steps.iter().enumerate() {
        blocks[step.block].push(at);
    }
    let feature = |neighbours: &[usize], fewest: usize| {
        let mut ordered = neighbours.to_vec();
        ordered.sort_by_key(|at| steps[*at].form);
        let tokens: usize = ordered.iter().map(|at| steps[*at].tokens).sum();
        let mut hasher = DefaultHasher::new();
        for at in &ordered {
            steps[*at].form.hash(&mut hasher);
        }
        let place = |at: usize| first + ordered[at.min(ordered.len() - 1)];
        (tokens >= fewest).then(|| Feature { digest: hasher.finish(), steps: [place(0), place(1), place(2)] })
    };
    let of_two = blocks.iter().flat_map(|block| block.windows(2)).filter_map(|two| feature(two, FEWEST_OF_TWO));
    let of_three = blocks.iter().flat_map(|block| block.windows(3)).filter_map(|three| feature(three, FEWEST_OF_THREE));
    let with_head = steps.iter().enumerate().filter_map(|(at, step)| feature(&[step.head?, at], FEWEST_WITH_HEAD));
    of_two.chain(of_three).chain(with_head).collect()
}
