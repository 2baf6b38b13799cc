//! Hashes of mutated texts, without making the texts: the hash of the text before the change, of the change, and of the
//! text after it are put together.

/// A Mersenne prime: numbers below it are multiplied without losing a bit in 128.
const PRIME: u128 = (1 << 61) - 1;
const BASE: u128 = 0x1234_5678_9abc_def1;

/// The hashes of everything before each place of a source.
pub(crate) struct TextHash {
    before: Vec<u64>,
    /// Powers of the base.
    powers: Vec<u64>,
}

impl TextHash {
    pub(crate) fn new(source: &str) -> Self {
        let mut hash = Self { before: vec![0], powers: vec![1] };
        for byte in source.bytes() {
            let last = *hash.before.last().unwrap_or(&0);
            let power = *hash.powers.last().unwrap_or(&1);
            hash.before.push(append(last, byte));
            hash.powers.push(times(power, BASE));
        }
        hash
    }

    /// The hash of the source with `text` in place of the bytes of `span`. It is the same for the same text.
    pub(crate) fn replaced(&self, span: &std::ops::Range<usize>, text: &str) -> u64 {
        let head = text.bytes().fold(self.before[span.start], append);
        let length = self.powers.len() - 1;
        let shift = self.powers[length - span.end];
        let tail = u128::from(self.before[length]) + PRIME - u128::from(times(self.before[span.end], shift.into()));
        ((u128::from(times(head, shift.into())) + tail) % PRIME) as u64
    }

    /// The hash of the source itself.
    pub(crate) fn whole(&self) -> u64 {
        *self.before.last().unwrap_or(&0)
    }
}

/// The hash of a text and one more byte. 1 is added, or leading zeros would not count.
fn append(hash: u64, byte: u8) -> u64 {
    ((u128::from(hash) * BASE + u128::from(byte) + 1) % PRIME) as u64
}

fn times(a: u64, b: u128) -> u64 {
    (u128::from(a) * b % PRIME) as u64
}
