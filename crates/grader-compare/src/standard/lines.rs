//! Checkers of lines. Lines may have any length, so nothing of them is kept.

use std::io;

use grader_model::difference::DifferenceKind;

use super::super::bytes::{common_prefix, is_space, last_line_feed};
use super::Stop;
use super::files::{Files, difference, rejected};
use super::reader::{Reader, Source};

/// `fcmp`.
pub(super) async fn bytes(files: &mut Files<'_>) -> Result<(), Stop> {
    compare(files, Bytes, Bytes).await
}

/// `lcmp`.
pub(super) async fn tokens(files: &mut Files<'_>) -> Result<(), Stop> {
    compare(files, Words::default(), Words::default()).await
}

/// The bytes of a line that count.
trait Line: Clone {
    /// The next byte that counts; none at the end of the line.
    async fn next<S: Source>(&mut self, reader: &mut Ahead<'_, S>) -> io::Result<Option<u8>>;
}

/// All bytes count.
#[derive(Clone)]
struct Bytes;

impl Line for Bytes {
    async fn next<S: Source>(&mut self, reader: &mut Ahead<'_, S>) -> io::Result<Option<u8>> {
        reader.next().await
    }
}

/// Tokens count, and that white space separates them: the six bytes of C's `isspace`.
#[derive(Clone, Default)]
struct Words {
    in_line: bool,
    held: Option<u8>,
}

impl Line for Words {
    async fn next<S: Source>(&mut self, reader: &mut Ahead<'_, S>) -> io::Result<Option<u8>> {
        const SEPARATOR: u8 = b' ';
        if let Some(byte) = self.held.take() {
            return Ok(Some(byte));
        }
        let mut is_apart = false;
        while let Some(byte) = reader.next().await? {
            if is_space(byte) {
                is_apart = true;
            } else if is_apart && self.in_line {
                self.held = Some(byte);
                return Ok(Some(SEPARATOR));
            } else {
                self.in_line = true;
                return Ok(Some(byte));
            }
        }
        Ok(None)
    }
}

/// The bytes of one line, of which the first may have been read already.
struct Ahead<'r, S> {
    reader: &'r mut Reader<S>,
    first: Option<u8>,
    /// Whether the end of the line was read.
    has_ended: bool,
}

impl<S: Source> Ahead<'_, S> {
    async fn next(&mut self) -> io::Result<Option<u8>> {
        match self.first.take() {
            Some(first) => Ok(Some(first)),
            None if self.has_ended => Ok(None),
            None => self.reader.line_byte().await,
        }
    }
}

/// Compares line by line as long as the answer has lines. An empty last line of the answer does not count.
async fn compare<L: Line>(files: &mut Files<'_>, expected: L, found: L) -> Result<(), Stop> {
    loop {
        skip_equal_lines(files);
        if files.answer.at_end().await.map_err(Stop::Unreadable)? {
            return Ok(());
        }
        let first = files.answer.line_byte().await.map_err(Stop::Unreadable)?;
        if first.is_none() && files.answer.at_end().await.map_err(Stop::Unreadable)? {
            return Ok(());
        }
        compare_line(files, first, expected.clone(), found.clone()).await?;
    }
}

async fn compare_line<L: Line>(
    files: &mut Files<'_>,
    first: Option<u8>,
    mut expected: L,
    mut found: L,
) -> Result<(), Stop> {
    let (wanted, got) = {
        let mut answer = Ahead { reader: &mut files.answer, first, has_ended: first.is_none() };
        let mut output = Ahead { reader: &mut files.output, first: None, has_ended: false };
        loop {
            let wanted = expected.next(&mut answer).await.map_err(Stop::Unreadable)?;
            let got = found.next(&mut output).await.map_err(Stop::Unreadable)?;
            match (wanted, got) {
                (None, None) => return Ok(()),
                (Some(wanted), Some(got)) if wanted == got => {}
                _ => break (wanted, got),
            }
        }
    };
    let of_answer = files.answer.found_in_line(wanted).await.map_err(Stop::Unreadable)?;
    let of_output = files.output.found_in_line(got).await.map_err(Stop::Unreadable)?;
    if got.is_none() && files.output.at_end().await.map_err(Stop::Unreadable)? {
        return Err(rejected(false, files.ended(of_answer)));
    }
    Err(rejected(false, difference(DifferenceKind::Token, of_answer, of_output)))
}

/// Skips whole lines that are the same in both files, as far as both are known.
fn skip_equal_lines(files: &mut Files<'_>) {
    /// Short, because a carriage return may end the walk at once.
    const WINDOW: usize = 4096;
    let answer = files.answer.ahead();
    // The rule of the last line needs to know that the answer goes on.
    let most = answer.len().saturating_sub(1).min(WINDOW);
    let same = common_prefix(&answer[..most], files.output.ahead());
    let same = answer[..same].iter().position(|byte| *byte == b'\r').unwrap_or(same);
    if let Some(last) = last_line_feed(&answer[..same]) {
        files.answer.skip_lines(last + 1);
        files.output.skip_lines(last + 1);
    }
}
