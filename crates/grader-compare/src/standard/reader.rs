//! Reads one of the two files as testlib does: blanks, tokens, lines. Knows nothing about the other file.

use std::io::{self, Read};
use std::ops::Range;
use std::rc::Rc;

use grader_model::difference::{Excerpt, Position, SideText, Text};

use super::super::bytes::{Class, is_space, last_position};
use super::super::place::Cursor;
use super::super::unit::Unit;
use super::OutputFeed;
use super::formats::Format;

/// Where a file comes from.
pub(super) trait Source {
    /// Replaces `block` by the next bytes of the file; false at its end.
    async fn next(&mut self, block: &mut Vec<u8>) -> io::Result<bool>;
}

/// The answer, which is read on demand.
pub(super) struct AnswerSource<'a>(pub(super) Box<dyn Read + 'a>);

impl AnswerSource<'_> {
    /// The bytes to read at once.
    const BLOCK: u64 = 64 * 1024;
}

impl Source for AnswerSource<'_> {
    async fn next(&mut self, block: &mut Vec<u8>) -> io::Result<bool> {
        block.clear();
        Ok(self.0.by_ref().take(Self::BLOCK).read_to_end(block)? > 0)
    }
}

impl Source for Rc<OutputFeed> {
    async fn next(&mut self, block: &mut Vec<u8>) -> io::Result<bool> {
        Ok(self.take(block).await)
    }
}

/// Why a value could not be read.
#[derive(Debug)]
pub(super) enum Refusal {
    Unreadable(io::Error),
    /// The file has no further token.
    Missing,
    /// The token is longer than testlib reads.
    TooLong,
    /// The token does not have the form.
    Unfit,
}

impl From<io::Error> for Refusal {
    fn from(error: io::Error) -> Self {
        Self::Unreadable(error)
    }
}

/// A file under inspection.
pub(super) struct Reader<S> {
    source: S,
    block: Vec<u8>,
    /// The next byte to read.
    pos: usize,
    ended: bool,
    /// Stands at the start of the block.
    cursor: Cursor,
    token: Token,
    /// The text of a token that an earlier block began.
    spilled: Vec<u8>,
    /// The end of the last token.
    end: End,
    has_bytes: bool,
    has_tokens: bool,
}

/// The last token that was read.
enum Token {
    None,
    /// These bytes of the block.
    Here(Range<usize>),
    /// The bytes in `spilled`; the cursor stands at their start.
    Spilled(Box<Cursor>),
}

enum End {
    Here(usize),
    Earlier(Position),
}

/// Whether testlib skips a byte between tokens. Form feeds and vertical tabs are parts of tokens.
pub(super) const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

fn token_length(bytes: &[u8]) -> usize {
    bytes.iter().position(|byte| is_blank(*byte)).unwrap_or(bytes.len())
}

impl<S: Source> Reader<S> {
    /// The longest token that testlib reads, in bytes (`maxTokenLength`).
    pub(super) const LONGEST_TOKEN: usize = 32 << 20;

    pub(super) fn new(source: S) -> Self {
        Self {
            source,
            block: Vec::new(),
            pos: 0,
            ended: false,
            cursor: Cursor::new(),
            token: Token::None,
            spilled: Vec::new(),
            end: End::Here(0),
            has_bytes: false,
            has_tokens: false,
        }
    }

    /// Whether anything but blanks was found so far; none for an empty file.
    pub(super) fn printed(&self) -> Option<Class> {
        self.has_bytes.then_some(if self.has_tokens { Class::Token } else { Class::Space })
    }

    /// Makes sure that a byte can be read at `pos`; false at the end of the file.
    async fn fill(&mut self) -> io::Result<bool> {
        while self.pos == self.block.len() {
            if self.ended {
                return Ok(false);
            }
            self.leave();
            self.pos = 0;
            if !self.source.next(&mut self.block).await? {
                self.ended = true;
                self.block.clear();
            }
        }
        self.has_bytes = true;
        Ok(true)
    }

    /// Keeps what is needed of a block that was read.
    fn leave(&mut self) {
        let mut walked = 0;
        if let Token::Here(range) = &self.token {
            self.cursor.advance(&self.block[..range.start]);
            walked = range.start;
            self.spilled.clear();
            self.spilled.shrink_to(1 << 20);
            self.spilled.extend_from_slice(&self.block[range.clone()]);
            self.token = Token::Spilled(Box::new(self.cursor.clone()));
        }
        if let End::Here(at) = self.end {
            self.cursor.advance(&self.block[walked..at]);
            walked = at;
            self.end = End::Earlier(self.cursor.place());
        }
        self.cursor.advance(&self.block[walked..]);
    }

    /// Skips the byte order mark of UTF-8, which testlib ignores at the start of an output.
    pub(super) async fn skip_mark(&mut self) -> io::Result<()> {
        const MARK: &[u8] = b"\xef\xbb\xbf";
        let mut more = Vec::new();
        while !self.ended && self.block.len() < MARK.len() && MARK.starts_with(&self.block) {
            self.ended = !self.source.next(&mut more).await?;
            if !self.ended {
                self.block.extend_from_slice(&more);
            }
        }
        self.has_bytes = !self.block.is_empty();
        if self.block.starts_with(MARK) {
            self.pos = MARK.len();
        }
        Ok(())
    }

    /// Whether the file has ended.
    pub(super) async fn at_end(&mut self) -> io::Result<bool> {
        Ok(!self.fill().await?)
    }

    /// Skips blanks. Returns whether the file has ended.
    pub(super) async fn at_end_after_blanks(&mut self) -> io::Result<bool> {
        loop {
            let rest = &self.block[self.pos..];
            if let Some(blanks) = rest.iter().position(|byte| !is_blank(*byte)) {
                self.pos += blanks;
                return Ok(false);
            }
            self.pos = self.block.len();
            if !self.fill().await? {
                return Ok(true);
            }
        }
    }

    /// Reads the next token in a form.
    pub(super) async fn read<T>(&mut self, format: Format<T>) -> Result<T, Refusal> {
        self.token().await?;
        (format.read)(self.text()).ok_or(Refusal::Unfit)
    }

    /// Reads the next token, whose bytes [`Self::text`] has.
    pub(super) async fn token(&mut self) -> Result<(), Refusal> {
        if self.at_end_after_blanks().await? {
            return Err(Refusal::Missing);
        }
        self.has_tokens = true;
        let start = self.pos;
        self.pos += token_length(&self.block[start..]);
        self.token = Token::Here(start..self.pos);
        self.end = End::Here(self.pos);
        while self.pos == self.block.len() && self.text().len() <= Self::LONGEST_TOKEN && self.fill().await? {
            let length = token_length(&self.block);
            self.spilled.extend_from_slice(&self.block[..length]);
            self.pos = length;
        }
        self.end = End::Here(self.pos);
        if self.text().len() > Self::LONGEST_TOKEN { Err(Refusal::TooLong) } else { Ok(()) }
    }

    /// The last token.
    pub(super) fn text(&self) -> &[u8] {
        match &self.token {
            Token::None => &[],
            Token::Here(range) => &self.block[range.clone()],
            Token::Spilled(_) => &self.spilled,
        }
    }

    /// Describes the last token, whose first `alike` bytes the other file has too.
    pub(super) fn found(&self, alike: Option<usize>) -> SideText {
        let mut cursor = match &self.token {
            Token::None => return self.found_end(),
            Token::Here(range) => self.cursor_at(range.start),
            Token::Spilled(cursor) => (**cursor).clone(),
        };
        let text = self.text();
        let at = cursor.place();
        let mut unit = Unit::begin(at);
        let (same, rest) = text.split_at(alike.unwrap_or(0).min(text.len()));
        unit.push(same);
        if alike.is_some() {
            cursor.advance(same);
            unit.mark_difference(cursor.character());
        }
        unit.push(rest);
        SideText { at, differs: unit.differs(), what: Text::Token(unit.excerpt()) }
    }

    /// Describes that no token follows the last one.
    pub(super) fn found_end(&self) -> SideText {
        let at = match self.end {
            End::Here(at) => self.cursor_at(at).place(),
            End::Earlier(place) => place,
        };
        SideText { at, differs: None, what: Text::End }
    }

    fn cursor_at(&self, pos: usize) -> Cursor {
        let mut cursor = self.cursor.clone();
        cursor.advance(&self.block[..pos]);
        cursor
    }

    /// The bytes that are known to follow.
    pub(super) fn ahead(&self) -> &[u8] {
        &self.block[self.pos..]
    }

    /// Skips bytes of [`Self::ahead`] of which the last is a blank. No token may have begun before them.
    pub(super) fn skip_tokens(&mut self, length: usize) {
        let skipped = &self.block[self.pos..self.pos + length];
        if let Some(last) = last_position(skipped, |byte| !is_blank(byte)) {
            self.has_tokens = true;
            self.token = Token::None;
            self.end = End::Here(self.pos + last + 1);
        }
        self.pos += length;
    }

    /// Skips whole lines of [`Self::ahead`].
    pub(super) fn skip_lines(&mut self, length: usize) {
        let lines = &self.block[self.pos..self.pos + length];
        self.has_tokens = self.has_tokens || !lines.iter().all(|byte| is_space(*byte));
        self.pos += length;
        self.end = End::Here(self.pos - 1);
    }

    /// Reads the next byte of a line; none at its end. testlib drops a carriage return before another byte, except
    /// before the line feed of the line's end. At the end of the file it takes its own mark for the byte that follows.
    pub(super) async fn line_byte(&mut self) -> io::Result<Option<u8>> {
        const END_OF_FILE: u8 = 0xff;
        let Some(mut byte) = self.byte().await? else {
            return Ok(None);
        };
        if byte == b'\r' {
            let Some(next) = self.byte().await? else {
                return Ok(Some(END_OF_FILE));
            };
            byte = next;
        } else if byte != b'\n' {
            return Ok(Some(byte));
        }
        Ok(Some(byte).filter(|byte| *byte != b'\n'))
    }

    /// Reads a byte. The end of its line so far is kept.
    async fn byte(&mut self) -> io::Result<Option<u8>> {
        if !self.fill().await? {
            return Ok(None);
        }
        let byte = self.block[self.pos];
        self.end = End::Here(self.pos + usize::from(byte != b'\n'));
        self.has_tokens |= !is_space(byte);
        self.pos += 1;
        Ok(Some(byte))
    }

    /// Describes a byte that [`Self::line_byte`] has just returned, with those that follow on its line.
    pub(super) async fn found_in_line(&mut self, byte: Option<u8>) -> io::Result<SideText> {
        let Some(byte) = byte else { return Ok(self.found_end()) };
        let at = self.cursor_at(self.pos.saturating_sub(1)).place();
        let mut bytes = vec![byte];
        let mut length = 1;
        while let Some(byte) = self.line_byte().await? {
            length += 1;
            if bytes.len() == Excerpt::MAX {
                break;
            }
            bytes.push(byte);
        }
        Ok(SideText { at, differs: Some(at), what: Text::Token(Excerpt { bytes, length, later: None }) })
    }
}
