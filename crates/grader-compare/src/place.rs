//! Tracks the position in a stream as line, column and offset. Counts block by block, never byte by byte.

use super::bytes::{count_lines, last_line_feed};
use grader_model::difference::Position;

/// Counts the lines and columns of a stream that arrives in blocks.
#[derive(Debug, Clone)]
pub(super) struct Cursor {
    offset: u64,
    line: u64,
    /// The offset at which the current line begins.
    line_start: u64,
    /// The characters of the current line so far; none once the line is not UTF-8.
    characters: Option<Characters>,
    /// The kept first bytes of the current line.
    head: Vec<u8>,
}

impl Cursor {
    /// The most bytes of the current line that are kept.
    const LINE_KEPT: usize = 4096;

    pub(super) fn new() -> Self {
        Self { offset: 0, line: 1, line_start: 0, characters: Some(Characters::default()), head: Vec::new() }
    }

    pub(super) fn place(&self) -> Position {
        let characters = self.characters.as_ref().filter(|characters| characters.open.is_empty());
        let column = characters.map_or(self.offset - self.line_start, |characters| characters.count);
        Position { line: self.line, column: column + 1, in_bytes: characters.is_none(), offset: self.offset }
    }

    /// The position at which the character of the next byte begins.
    pub(super) fn character(&self) -> Position {
        match &self.characters {
            Some(Characters { count, open }) => Position {
                line: self.line,
                column: count + 1,
                in_bytes: false,
                offset: self.offset - open.len() as u64,
            },
            None => self.place(),
        }
    }

    /// The current line up to here; none if it is too long to have been kept.
    pub(super) fn line_so_far(&self) -> Option<&[u8]> {
        (self.head.len() as u64 == self.offset - self.line_start).then_some(&self.head)
    }

    #[cfg(test)]
    pub(super) fn footprint(&self) -> usize {
        self.head.capacity() + self.characters.as_ref().map_or(0, |characters| characters.open.capacity())
    }

    /// Moves over the next bytes of the stream.
    pub(super) fn advance(&mut self, bytes: &[u8]) {
        let mut tail = bytes;
        if let Some(last) = last_line_feed(bytes) {
            let (lines, rest) = bytes.split_at(last + 1);
            self.line += count_lines(lines);
            self.line_start = self.offset + lines.len() as u64;
            self.characters = Some(Characters::default());
            self.head.clear();
            tail = rest;
        }
        self.offset += bytes.len() as u64;
        let room = Self::LINE_KEPT - self.head.len();
        self.head.extend_from_slice(&tail[..tail.len().min(room)]);
        self.characters = self.characters.take().and_then(|characters| characters.over(tail));
    }
}

/// A count of UTF-8 characters in text that may be cut anywhere.
#[derive(Debug, Clone, Default)]
struct Characters {
    count: u64,
    /// The first bytes of a character that the last cut split.
    open: Vec<u8>,
}

impl Characters {
    /// Returns the count after `bytes`; none if they are not UTF-8.
    fn over(mut self, mut bytes: &[u8]) -> Option<Self> {
        if self.open.is_empty() && bytes.is_ascii() {
            self.count += bytes.len() as u64;
            return Some(self);
        }
        while !self.open.is_empty()
            && let Some((next, rest)) = bytes.split_first()
        {
            self.open.push(*next);
            bytes = rest;
            match str::from_utf8(&self.open) {
                Ok(_) => {
                    self.count += 1;
                    self.open.clear();
                }
                Err(error) if error.error_len().is_none() => {}
                // Not UTF-8: columns count bytes on this line.
                Err(_) => return None,
            }
        }
        if bytes.is_empty() {
            return Some(self);
        }
        let whole = match str::from_utf8(bytes) {
            Ok(_) => bytes.len(),
            Err(error) if error.error_len().is_none() => error.valid_up_to(),
            // Not UTF-8, as above.
            Err(_) => return None,
        };
        let (text, open) = bytes.split_at(whole);
        self.count += str::from_utf8(text).map_or(0, |text| text.chars().count() as u64);
        self.open.extend_from_slice(open);
        Some(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Walks over `text` in pieces of every size and expects the same position each time.
    #[track_caller]
    fn check(text: &[u8], line: u64, column: u64, in_bytes: bool) {
        for size in 1..=text.len().max(1) {
            let mut cursor = Cursor::new();
            text.chunks(size).for_each(|piece| cursor.advance(piece));
            let expect = Position { line, column, in_bytes, offset: text.len() as u64 };
            assert_eq!(cursor.place(), expect, "in pieces of {size}");
        }
    }

    #[test]
    fn columns_are_characters_where_the_line_is_text() {
        check(b"", 1, 1, false);
        check(b"one\ntwo", 2, 4, false);
        check("ab\näöü€😀".as_bytes(), 2, 6, false);
        check(b"\n\n\n", 4, 1, false);
        check(b"\xff\n\xc3\xa4", 2, 2, false);
    }

    #[test]
    fn columns_are_bytes_where_it_is_not() {
        check(b"\xc3\xa4\xff", 1, 4, true);
        check(b"a\xc3b", 1, 4, true);
        check(b"\xc3\xa4\xc3", 1, 4, true);
    }

    #[test]
    fn a_character_begins_before_the_byte_that_differs() {
        let mut cursor = Cursor::new();
        cursor.advance("x\nä€".as_bytes().split_last().unwrap().1);
        assert_eq!(cursor.character(), Position { line: 2, column: 2, in_bytes: false, offset: 4 });
    }

    #[test]
    fn long_lines_are_not_kept() {
        let mut cursor = Cursor::new();
        cursor.advance(&[b'x'; 4000]);
        assert_eq!(cursor.line_so_far().map(<[u8]>::len), Some(4000));
        cursor.advance(&[b'x'; 4000]);
        assert_eq!(cursor.line_so_far(), None);
        cursor.advance(b"x\nyz");
        assert_eq!(cursor.line_so_far(), Some(&b"yz"[..]));
    }
}
