//! A token or a run of white space that began in an earlier block: keeps its first bytes and the necessary facts about
//! the rest.

use super::bytes::Class;
use super::number::NumberReader;
use super::rules::Token;
use grader_model::difference::{Excerpt, Later, Position};

/// The part of an open token or run of white space that was already read. Its size is bounded.
#[derive(Debug, Clone)]
pub(super) struct Unit {
    /// The position at which it began.
    pub(super) place: Position,
    head: Vec<u8>,
    length: u64,
    /// Reads tokens that are longer than `head`.
    reader: Option<Box<NumberReader>>,
    /// The last bytes before the first difference.
    recent: Vec<u8>,
    /// The position of the first character that differs.
    differs: Option<Position>,
    /// The bytes around that character, if `head` may not show it.
    later: Option<Later>,
}

impl Unit {
    /// Tokens up to this length are judged by their bytes, and longer ones by their `NumberReader`.
    const HEAD: usize = 256;

    pub(super) fn begin(place: Position) -> Self {
        let head = Vec::new();
        let recent = Vec::new();
        Self { place, head, length: 0, reader: None, recent, differs: None, later: None }
    }

    /// Its class; none while it is empty.
    pub(super) fn class(&self) -> Option<Class> {
        self.head.first().map(|byte| Class::of(*byte))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Adds the next bytes.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        let room = Self::HEAD - self.head.len();
        let (near, far) = bytes.split_at(bytes.len().min(room));
        self.head.extend_from_slice(near);
        if !far.is_empty() && self.class() == Some(Class::Token) {
            let head = &self.head;
            let fresh = || {
                let mut reader = Box::new(NumberReader::new());
                reader.feed(head);
                reader
            };
            self.reader.get_or_insert_with(fresh).feed(far);
        }
        if let Some(later) = &mut self.later {
            let room = Later::MAX - later.bytes.len();
            later.bytes.extend_from_slice(&bytes[..bytes.len().min(room)]);
        } else if self.differs.is_none() {
            let bytes = &bytes[bytes.len().saturating_sub(Later::BEFORE)..];
            let over = (self.recent.len() + bytes.len()).saturating_sub(Later::BEFORE);
            self.recent.drain(..over);
            self.recent.extend_from_slice(bytes);
        }
        self.length += bytes.len() as u64;
    }

    /// Records that the first difference is here, in the character that begins at `place`. Keeps the surrounding bytes
    /// if an excerpt would not show them.
    pub(super) fn mark_difference(&mut self, place: Position) {
        /// The least number of differing bytes to show.
        const SHOWN: u64 = 100;
        if self.differs.is_none() && self.length + SHOWN > Excerpt::MAX as u64 {
            let bytes = std::mem::take(&mut self.recent);
            self.later = Some(Later { offset: self.length - bytes.len() as u64, bytes });
        }
        self.differs.get_or_insert(place);
    }

    /// The position of the first character that differs, once it is known.
    pub(super) fn differs(&self) -> Option<Position> {
        self.differs
    }

    #[cfg(test)]
    pub(super) fn footprint(&self) -> usize {
        let reader = self.reader.as_ref().map_or(0, |reader| reader.footprint());
        self.head.capacity()
            + self.recent.capacity()
            + reader
            + self.later.as_ref().map_or(0, |later| later.bytes.capacity())
    }

    pub(super) fn token(&self) -> Token<'_> {
        match &self.reader {
            Some(reader) => Token::long(&self.head, reader),
            None => Token::whole(&self.head),
        }
    }

    pub(super) fn excerpt(&self) -> Excerpt {
        let bytes = self.head[..self.head.len().min(Excerpt::MAX)].to_vec();
        let later = self.later.clone().filter(|later| !later.bytes.is_empty());
        let later = later.filter(|later| later.offset + later.bytes.len() as u64 > bytes.len() as u64);
        Excerpt { bytes, length: self.length, later }
    }
}
