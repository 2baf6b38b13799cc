//! Numbers that look random, and are the same each time.

use crate::store::Digest;

/// The numbers of one seed.
pub(crate) struct Chance {
    seed: [u8; 32],
    used: u64,
}

impl Chance {
    pub(crate) fn new(seed: u32) -> Self {
        Self { seed: *Digest::of_bytes(&seed.to_le_bytes()).as_bytes(), used: 0 }
    }

    /// A number of at most ten digits. All lengths are equally likely.
    pub(crate) fn number(&mut self) -> usize {
        let digits = u32::try_from(self.below(10)).unwrap_or(0);
        self.below(10_usize.pow(digits + 1))
    }

    /// A number below `end`, which is not 0.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.used += 1;
        let bytes = [&self.seed[..], &self.used.to_le_bytes()].concat();
        let digest = Digest::of_bytes(&bytes);
        let (first, _) = digest.as_bytes().split_first_chunk().unwrap_or((&[0; 8], &[]));
        usize::try_from(u64::from_le_bytes(*first) % end as u64).unwrap_or(0)
    }

    /// One of several values; none if the list is empty.
    pub(crate) fn one_of<'a, T>(&mut self, values: &'a [T]) -> Option<&'a T> {
        if values.is_empty() { None } else { values.get(self.below(values.len())) }
    }
}
