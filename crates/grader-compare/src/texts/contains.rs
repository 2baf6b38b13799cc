//! Searches the output for the text of the answer, while the output arrives, in time linear in both (the algorithm of
//! Knuth, Morris and Pratt). It keeps the text and a table; of the output, only what follows the longest part found.
//!
//! Beside it, the same search ignores case and white space, so that a remark can say what would have been accepted.

use grader_model::difference::{Excerpt, RelaxedRule};

use super::super::bytes::is_space;
use super::super::place::Cursor;
use super::super::standard::{FoundPart, Mismatch, OutputFeed, Stop, mismatched_but};
use super::{Needle, end_of, excerpt};

/// The most bytes of an answer: its table takes four times as much.
pub(super) const MOST: usize = 1 << 20;

pub(super) async fn search(needle: &Needle, printed: &OutputFeed) -> Result<(), Stop> {
    let text = &needle.text;
    let table = Table::of(text);
    let mut relaxed = RelaxedSearch::all(text);
    let mut best = Best { length: 0, cursor: Cursor::new(), following: Vec::new() };
    let mut matched = 0;
    // Stands at the start of the block, or behind the end of the best part in it.
    let mut cursor = Cursor::new();
    let mut held_return = false;
    let mut block = Vec::new();
    while printed.take(&mut block).await {
        best.follow(&block);
        let mut walked = 0;
        for (at, byte) in block.iter().copied().enumerate() {
            // A return counts unless a line feed follows.
            let held = (std::mem::take(&mut held_return) && byte != b'\n').then_some(b'\r');
            held_return = byte == b'\r';
            for byte in held.into_iter().chain((!held_return).then_some(byte)) {
                matched = table.step(text, matched, byte);
                for relaxed in &mut relaxed {
                    relaxed.take(byte);
                }
            }
            if matched == text.len() {
                return Ok(());
            }
            if matched > best.length {
                cursor.advance(&block[walked..=at]);
                walked = at + 1;
                best = Best { length: matched, cursor: cursor.clone(), following: Vec::new() };
                best.follow(&block[walked..]);
            }
        }
        cursor.advance(&block[walked..]);
    }
    let part = (best.length > 0).then(|| {
        let (part, expected) = text.split_at(best.length);
        let found = (!best.following.is_empty()).then(|| excerpt(&best.following));
        FoundPart { part: end_of(part), expected: excerpt(expected), at: best.cursor.place(), found }
    });
    let would_accept =
        relaxed.into_iter().find(RelaxedSearch::is_found).map(|relaxed| relaxed.rules).unwrap_or_default();
    Err(mismatched_but(Mismatch::NotContained { text: excerpt(text), part }, would_accept))
}

/// The largest text that is also searched by relaxed rules.
const MOST_RELAXED: usize = 64 << 10;

/// A search that ignores case, white space or both.
struct RelaxedSearch {
    rules: Vec<RelaxedRule>,
    text: Vec<u8>,
    table: Table,
    matched: usize,
    /// The byte before, as it counts.
    before: u8,
}

impl RelaxedSearch {
    /// The searches that can find more than the exact one, those that ignore least first.
    fn all(text: &[u8]) -> Vec<Self> {
        const RULES: [&[RelaxedRule]; 3] = [
            &[RelaxedRule::IgnoreCase],
            &[RelaxedRule::IgnoreWhiteSpace],
            &[RelaxedRule::IgnoreCase, RelaxedRule::IgnoreWhiteSpace],
        ];
        let matters = |rule: &RelaxedRule| match rule {
            RelaxedRule::IgnoreCase => text.iter().any(u8::is_ascii_alphabetic),
            _ => text.iter().copied().any(is_space),
        };
        let rules = RULES.into_iter().filter(|rules| text.len() <= MOST_RELAXED && rules.iter().all(matters));
        rules.map(|rules| Self::of(rules.to_vec(), text)).collect()
    }

    fn of(rules: Vec<RelaxedRule>, text: &[u8]) -> Self {
        let mut search = Self { rules, text: Vec::new(), table: Table(Vec::new()), matched: 0, before: 0 };
        search.text = text.iter().filter_map(|byte| search.counted(*byte)).collect();
        Self { table: Table::of(&search.text), before: 0, ..search }
    }

    /// A byte as it counts; none if it does not.
    fn counted(&mut self, byte: u8) -> Option<u8> {
        let ignores = |rule| self.rules.contains(&rule);
        let byte = if ignores(RelaxedRule::IgnoreCase) { byte.to_ascii_lowercase() } else { byte };
        let is_gap = ignores(RelaxedRule::IgnoreWhiteSpace) && is_space(byte);
        let byte = if is_gap { b' ' } else { byte };
        (std::mem::replace(&mut self.before, byte) != byte || !is_gap).then_some(byte)
    }

    fn take(&mut self, byte: u8) {
        if !self.is_found()
            && let Some(byte) = self.counted(byte)
        {
            self.matched = self.table.step(&self.text, self.matched, byte);
        }
    }

    fn is_found(&self) -> bool {
        self.matched == self.text.len()
    }
}

/// The longest part of the text that was found, the first of this length.
struct Best {
    length: usize,
    /// Stands at its end.
    cursor: Cursor,
    /// The first bytes that follow it.
    following: Vec<u8>,
}

impl Best {
    fn follow(&mut self, bytes: &[u8]) {
        if self.length > 0 {
            let room = Excerpt::MAX - self.following.len();
            self.following.extend_from_slice(&bytes[..bytes.len().min(room)]);
        }
    }
}

/// For each length of a part of the text that has been matched: the longest shorter part at its beginning that also
/// stands at its end.
struct Table(Vec<u32>);

impl Table {
    fn of(text: &[u8]) -> Self {
        let mut table = Self(vec![0; text.len() + 1]);
        let mut matched = 0;
        for at in 1..text.len() {
            matched = table.step(text, matched, text[at]);
            table.0[at + 1] = u32::try_from(matched).unwrap_or(0);
        }
        table
    }

    /// The length that is matched after one more byte.
    fn step(&self, text: &[u8], mut matched: usize, byte: u8) -> usize {
        while matched > 0 && text[matched] != byte {
            matched = self.0[matched] as usize;
        }
        matched + usize::from(text[matched] == byte)
    }
}
