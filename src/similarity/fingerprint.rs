//! Chooses the fingerprints of a sequence of tokens by robust winnowing.
//!
//! Two sequences with a common run of `WINDOW + RUN - 1` tokens always have a common fingerprint. Below `RUN` tokens they
//! have none.

use super::token::Token;

/// The number of tokens under one hash. The header `for (int i = 0; i < n; i++)` has 14 and proves nothing.
pub(super) const RUN: usize = 15;

/// The number of successive hashes with at least one fingerprint. It is small because the programs are.
pub(super) const WINDOW: usize = 4;

/// The base of the rolling hash. It is odd, so no power of it vanishes.
const BASE: u64 = 0x9e37_79b9_7f4a_7c15;

/// A fingerprint has a hash and covers lines, from that of its first token to that of its last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Mark {
    pub(super) hash: u64,
    pub(super) first: usize,
    pub(super) last: usize,
}

/// Hashes every run of tokens. The hash rolls: each step takes constant time.
pub(super) fn hashes(tokens: &[Token]) -> Vec<u64> {
    let leaving = (0..RUN).fold(1u64, |power, _| power.wrapping_mul(BASE));
    let mut hashes = Vec::with_capacity((tokens.len() + 1).saturating_sub(RUN));
    let mut sum = 0u64;
    for (at, token) in tokens.iter().enumerate() {
        sum = sum.wrapping_mul(BASE).wrapping_add(token.kind.into());
        if at >= RUN {
            sum = sum.wrapping_sub(leaving.wrapping_mul(tokens[at - RUN].kind.into()));
        }
        if at + 1 >= RUN {
            hashes.push(mixed(sum));
        }
    }
    hashes
}

/// Chooses the least hash of every window, the rightmost of equal ones. The previous choice stays while it is among the
/// least, so repeated code gives few fingerprints. They are in the order of the text.
pub(super) fn marks(tokens: &[Token]) -> Vec<Mark> {
    let hashes = hashes(tokens);
    let mut marks = Vec::new();
    let mut chosen = None;
    for (start, window) in hashes.windows(WINDOW).enumerate() {
        let least = window.iter().copied().fold(u64::MAX, u64::min);
        if chosen.is_some_and(|at| at >= start && hashes[at] == least) {
            continue;
        }
        let at = start + window.iter().rposition(|hash| *hash == least).unwrap_or(0);
        chosen = Some(at);
        marks.push(Mark { hash: least, first: tokens[at].line, last: tokens[at + RUN - 1].line });
    }
    marks
}

/// Mixes the bits of a sum like `SplitMix64`. The least sums would favour the same few tokens.
fn mixed(sum: u64) -> u64 {
    let sum = (sum ^ (sum >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let sum = (sum ^ (sum >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    sum ^ (sum >> 31)
}
