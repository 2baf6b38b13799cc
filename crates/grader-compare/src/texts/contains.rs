//! Searches the output for the text of the answer, while the output arrives, in time linear in both (the algorithm of
//! Knuth, Morris and Pratt). It keeps the text and a table; of the output, only what follows the longest part found.

use grader_model::difference::Excerpt;

use super::super::place::Cursor;
use super::super::standard::{FoundPart, Mismatch, OutputFeed, Stop, mismatched};
use super::{Needle, end_of, excerpt};

/// The most bytes of an answer: its table takes four times as much.
pub(super) const MOST: usize = 1 << 20;

pub(super) async fn search(needle: &Needle, printed: &OutputFeed) -> Result<(), Stop> {
    let text = &needle.text;
    let table = Table::of(text);
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
            if std::mem::take(&mut held_return) && byte != b'\n' {
                matched = table.step(text, matched, b'\r');
            }
            if byte == b'\r' {
                held_return = true;
                continue;
            }
            matched = table.step(text, matched, byte);
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
    Err(mismatched(Mismatch::NotContained { text: excerpt(text), part }))
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
