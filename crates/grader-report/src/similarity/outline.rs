//! The outline of a program, which is compared: its steps, and the features that count.

use super::feature::{self, Feature};
use super::{Lines, Program, step};

/// The steps of a program and the features that count.
#[derive(Debug, Default)]
pub(super) struct Outline {
    steps: Vec<Step>,
    /// The features that count, by their digests.
    pub(super) features: Vec<Feature>,
    /// The number of tokens of all steps with a feature that counts.
    pub(super) size: usize,
}

/// A step of a program with several files.
#[derive(Debug)]
struct Step {
    tokens: usize,
    /// The position of its file.
    file: usize,
    /// Its first and its last line.
    lines: (usize, usize),
}

impl Outline {
    /// The outline of a program without the features of given code, whose digests are sorted.
    pub(super) fn of(program: &Program<'_>, given: &[u64]) -> Self {
        let mut outline = Self::default();
        for (file, (name, text)) in program.files.iter().enumerate() {
            let first = outline.steps.len();
            let steps = step::steps(name, text, step::MOST - first);
            outline.features.extend(feature::features(&steps, first));
            outline.steps.extend(steps.iter().map(|step| Step { tokens: step.tokens, file, lines: step.lines }));
        }
        outline.features.sort_unstable();
        outline.forget(given);
        outline
    }

    /// Drops features by their digests, which are sorted.
    pub(super) fn forget(&mut self, digests: &[u64]) {
        self.features.retain(|feature| digests.binary_search(&feature.digest).is_err());
        self.size = self.size_of(&self.features);
    }

    /// This outline with only the features that another one also has.
    pub(super) fn only(mut self, other: &Self) -> Self {
        let digests = other.digests();
        self.features.retain(|feature| digests.binary_search(&feature.digest).is_ok());
        self
    }

    /// The digests of all features, sorted and without repetition.
    pub(super) fn digests(&self) -> Vec<u64> {
        let mut digests: Vec<u64> = self.features.iter().map(|feature| feature.digest).collect();
        digests.dedup();
        digests
    }

    /// The features in the order of their digests, equal ones together.
    pub(super) fn by_digest(&self) -> impl Iterator<Item = &[Feature]> {
        self.features.chunk_by(|one, next| one.digest == next.digest)
    }

    /// The number of tokens of the steps with any of the features.
    pub(super) fn size_of<'f>(&self, features: impl IntoIterator<Item = &'f Feature>) -> usize {
        let mut is_there = vec![false; self.steps.len()];
        features.into_iter().flat_map(|feature| feature.steps).for_each(|at| is_there[at] = true);
        self.steps.iter().zip(is_there).filter(|(_, is_there)| *is_there).map(|(step, _)| step.tokens).sum()
    }

    /// The features that another outline also has, and those of the other that this one also has, by their digests.
    pub(super) fn shared<'o>(&'o self, other: &'o Self) -> [Vec<&'o [Feature]>; 2] {
        let (mut ours, mut theirs) = (self.by_digest().peekable(), other.by_digest().peekable());
        let mut shared = [Vec::new(), Vec::new()];
        while let (Some(one), Some(two)) = (ours.peek().copied(), theirs.peek().copied()) {
            let order = one[0].digest.cmp(&two[0].digest);
            if order.is_eq() {
                shared[0].push(one);
                shared[1].push(two);
            }
            if order.is_le() {
                ours.next();
            }
            if order.is_ge() {
                theirs.next();
            }
        }
        shared
    }

    /// The lines of a step.
    pub(super) fn lines<'p>(&self, step: usize, program: &Program<'p>) -> Lines<'p> {
        let Step { file, lines: (first, last), .. } = self.steps[step];
        Lines { file: program.files[file].0, first, last }
    }
}

/// The sorted digests of the features of given files.
pub(super) fn given(files: &[(&str, &[u8])]) -> Vec<u64> {
    Outline::of(&Program { author: 0, is_earlier: false, files: files.to_vec() }, &[]).digests()
}
