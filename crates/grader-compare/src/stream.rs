//! One of the two streams of a comparison: the position in the current block, and what must be remembered of earlier
//! blocks. Knows nothing about the other stream.

use std::io::{self, ErrorKind, Read};

use super::bytes::{Class, last_run};
use super::lines::Window;
use super::place::Cursor;
use super::rules::Token;
use super::unit::Unit;
use grader_model::difference::{Position, SideText, Text};

/// The state of the walk along one stream. Each method borrows the block, because one of the streams belongs to the
/// caller.
///
/// `base <= mark <= pos`: the cursor stands at `base`. The open unit (a token or a run of white space) began in `carry`
/// if there is one, otherwise at or after `mark`, and reaches at least to `pos`.
#[derive(Debug, Clone)]
pub(super) struct Stream {
    /// The next byte of the block to compare.
    pub(super) pos: usize,
    pub(super) mark: usize,
    base: usize,
    /// Whether this is the last block.
    pub(super) last: bool,
    pub(super) carry: Option<Unit>,
    cursor: Cursor,
    /// The end of the last token, once the stream is known to have no other.
    pub(super) end: Option<Position>,
    /// The lines from the first difference on.
    pub(super) window: Option<Window>,
}

impl Stream {
    pub(super) fn new() -> Self {
        Self { pos: 0, mark: 0, base: 0, last: false, carry: None, cursor: Cursor::new(), end: None, window: None }
    }

    /// Creates the stream of a stream that has equalled `self` so far and whose own block continues at `pos`.
    pub(super) fn fork(&self, pos: usize, last: bool) -> Self {
        Self { pos, mark: pos, base: pos, last, ..self.clone() }
    }

    pub(super) fn rest<'a>(&self, block: &'a [u8]) -> &'a [u8] {
        &block[self.pos..]
    }

    /// Whether the next block is needed to continue.
    pub(super) fn starved(&self, block: &[u8]) -> bool {
        self.pos == block.len() && !self.last
    }

    pub(super) fn ended(&self, block: &[u8]) -> bool {
        self.pos == block.len() && self.last
    }

    /// The class of the open unit; `next` if it is empty.
    pub(super) fn class(&self, block: &[u8], next: Class) -> Class {
        if self.pos > self.mark {
            Class::of(block[self.pos - 1])
        } else {
            self.carry.as_ref().and_then(Unit::class).unwrap_or(next)
        }
    }

    /// How many bytes before `pos` belong to the open unit, if it began in this block.
    pub(super) fn open_length(&self, block: &[u8]) -> Option<usize> {
        let fresh = &block[self.mark..self.pos];
        let length = last_run(fresh);
        (length < fresh.len() || self.carry.is_none()).then_some(length)
    }

    /// Whether the open unit began in this block, given that its last `before` bytes equal those of the other stream.
    pub(super) fn opened_here(&self, before: usize) -> bool {
        let fresh = self.pos - self.mark;
        before < fresh || (before == fresh && self.carry.is_none())
    }

    /// Ends the open unit at `pos`, where the next one begins.
    pub(super) fn close(&mut self, pos: usize) {
        self.pos = pos;
        self.mark = pos;
        self.carry = None;
    }

    /// Moves the open unit's bytes up to `pos` into `carry`, so that the block can be dropped.
    pub(super) fn gather(&mut self, block: &[u8]) {
        let fresh = &block[self.mark..self.pos];
        let run = last_run(fresh);
        let start = self.pos - run;
        let goes_on =
            |unit: &Unit| run == 0 || (run == fresh.len() && unit.class().is_none_or(|c| c == Class::of(fresh[0])));
        self.carry = self.carry.take().filter(goes_on);
        if self.carry.is_none() {
            self.cursor.advance(&block[self.base..start]);
            self.base = start;
        }
        let unit = self.carry.get_or_insert_with(|| Unit::begin(self.cursor.place()));
        unit.push(&block[start..self.pos]);
        self.cursor.advance(&block[self.base..self.pos]);
        self.base = self.pos;
        self.mark = self.pos;
    }

    /// Adds the next bytes to the gathered unit in `carry`.
    pub(super) fn take(&mut self, block: &[u8], length: usize) {
        if let Some(unit) = &mut self.carry {
            unit.push(&block[self.pos..self.pos + length]);
        }
        self.pos += length;
        self.mark = self.pos;
    }

    /// Leaves a block that was walked to its end.
    pub(super) fn leave(&mut self, block: &[u8]) {
        self.gather(block);
        self.pos = 0;
        self.mark = 0;
        self.base = 0;
    }

    /// Whether the gathered unit is empty.
    pub(super) fn is_empty(&self) -> bool {
        self.carry.as_ref().is_none_or(Unit::is_empty)
    }

    /// The line feeds in the unit that was just gathered.
    pub(super) fn line_feeds(&self) -> u64 {
        self.carry.as_ref().map_or(0, |unit| self.cursor.place().line - unit.place.line)
    }

    /// Whether the gathered unit is the first.
    pub(super) fn is_at_start(&self) -> bool {
        self.carry.as_ref().is_some_and(|unit| unit.place.offset == 0)
    }

    /// The gathered unit as a token.
    pub(super) fn token(&self) -> Token<'_> {
        self.carry.as_ref().map_or(Token::whole(&[]), Unit::token)
    }

    /// Records that the gathered unit differs from here on.
    pub(super) fn mark_difference(&mut self, block: &[u8]) {
        if let Some(unit) = &mut self.carry
            && unit.differs().is_none()
        {
            let mut cursor = self.cursor.clone();
            cursor.advance(&block[self.base..self.pos]);
            unit.mark_difference(cursor.character());
        }
    }

    /// The offset to show if the gathered unit turns out to be wrong.
    pub(super) fn focus(&self) -> Option<u64> {
        let unit = self.carry.as_ref()?;
        let differs = unit.differs()?;
        Some(if unit.class() == Some(Class::Token) { differs } else { unit.place }.offset)
    }

    /// Records that no token follows the gathered white space.
    pub(super) fn end_here(&mut self) {
        self.end = self.carry.as_ref().map(|unit| unit.place);
    }

    /// Describes the gathered unit for a report.
    pub(super) fn found(&self, class: Class) -> SideText {
        let unit = self.carry.as_ref();
        let at = unit.map_or_else(|| self.cursor.place(), |unit| unit.place);
        let differs = unit.and_then(Unit::differs);
        match (unit.map(Unit::excerpt), class) {
            (Some(excerpt), Class::Space) => SideText { at, differs, what: Text::Space(excerpt) },
            (Some(excerpt), Class::Token) if excerpt.length > 0 => SideText { at, differs, what: Text::Token(excerpt) },
            _ => SideText { at: self.end.unwrap_or(at), differs: None, what: Text::End },
        }
    }

    /// The number of bytes kept.
    #[cfg(test)]
    pub(super) fn footprint(&self) -> usize {
        let carry = self.carry.as_ref().map_or(0, Unit::footprint);
        carry + self.cursor.footprint() + self.window.as_ref().map_or(0, Window::footprint)
    }

    /// Starts to keep lines, beginning with the line that contains `pos`.
    pub(super) fn open_window(&mut self, block: &[u8]) {
        let mut cursor = self.cursor.clone();
        cursor.advance(&block[self.base..self.pos]);
        self.window = cursor.line_so_far().map(|line| Window::new(line, self.rest(block)));
    }
}

/// The answer: a stream that the comparator reads on demand.
pub(super) struct Answer<'a> {
    /// Not a type parameter: the whole comparison would be compiled in each crate that uses it.
    reader: Box<dyn Read + 'a>,
    buffer: Vec<u8>,
    filled: usize,
    pub(super) stream: Stream,
}

impl<'a> Answer<'a> {
    /// Large enough that calls cost nothing, and small enough to stay in the second-level cache beside the output's
    /// chunk.
    const BLOCK: usize = 64 * 1024;
    /// Most answers fit. Clearing a larger buffer for each of them costs more than reading them.
    const FIRST: usize = 4 * 1024;

    pub(super) fn new(reader: impl Read + 'a) -> Self {
        Self { reader: Box::new(reader), buffer: Vec::new(), filled: 0, stream: Stream::new() }
    }

    pub(super) fn block(&self) -> &[u8] {
        &self.buffer[..self.filled]
    }

    pub(super) fn rest(&self) -> &[u8] {
        self.stream.rest(self.block())
    }

    /// The number of bytes kept.
    #[cfg(test)]
    pub(super) fn footprint(&self) -> usize {
        self.buffer.capacity() + self.stream.footprint()
    }

    /// [`Stream::gather`].
    pub(super) fn gather(&mut self) {
        self.stream.gather(&self.buffer[..self.filled]);
    }

    /// [`Stream::mark_difference`].
    pub(super) fn mark_difference(&mut self) {
        self.stream.mark_difference(&self.buffer[..self.filled]);
    }

    /// [`Stream::take`].
    pub(super) fn take(&mut self, length: usize) {
        self.stream.take(&self.buffer[..self.filled], length);
    }

    /// [`Stream::open_window`].
    pub(super) fn open_window(&mut self) {
        self.stream.open_window(&self.buffer[..self.filled]);
    }

    /// Reads the next block after the current one was walked to its end.
    pub(super) fn refill(&mut self) -> io::Result<()> {
        self.stream.leave(&self.buffer[..self.filled]);
        if self.filled == self.buffer.len() {
            self.buffer.resize(if self.buffer.is_empty() { Self::FIRST } else { Self::BLOCK }, 0);
        }
        self.filled = 0;
        self.filled = loop {
            match self.reader.read(&mut self.buffer) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                result => break result?,
            }
        };
        self.stream.last = self.filled == 0;
        if let Some(window) = &mut self.stream.window {
            window.push(&self.buffer[..self.filled]);
        }
        Ok(())
    }

    /// Reads the rest of the answer into the window. Returns the lines from the first difference to the end, if they
    /// fit. The answer cannot be compared afterwards.
    pub(super) fn rest_of_window(&mut self) -> io::Result<Option<&Window>> {
        while !self.stream.last && self.stream.window.as_ref().is_some_and(Window::is_whole) {
            self.stream.close(self.filled);
            self.refill()?;
        }
        Ok(self.stream.window.as_ref().filter(|window| window.is_whole()))
    }
}
