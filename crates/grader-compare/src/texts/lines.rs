//! Compares lines in any order. It keeps the lines of the answer; of the output, one line at a time, and no more of it
//! than the longest line of the answer has.

use std::collections::HashMap;

use super::super::bytes::is_space;
use super::super::standard::{MeantLine, Mismatch, OutputFeed, Stop, mismatched};
use super::{MARK, excerpt};

/// The most bytes of an answer. The lines are kept with about 80 bytes each.
pub(super) const MOST: usize = 8 << 20;

/// How often a line is there.
struct Line {
    /// Its first place in the answer, from 1.
    number: u64,
    answer: u64,
    output: u64,
}

pub(super) async fn compare(answer: &[u8], printed: &OutputFeed) -> Result<(), Stop> {
    let mut lines: HashMap<Vec<u8>, Line> = HashMap::new();
    let mut reader = LineReader::new(usize::MAX);
    let mut learn = |number: u64, line: &[u8]| {
        lines.entry(line.to_vec()).or_insert(Line { number, answer: 0, output: 0 }).answer += 1;
        Ok(())
    };
    reader.take(answer, &mut learn)?;
    reader.end(&mut learn)?;
    let longest = lines.keys().map(Vec::len).max().unwrap_or(0);
    let mut count = |number: u64, line: &[u8]| {
        let answer = lines.get(line).map_or(0, |known| known.answer);
        match lines.get_mut(line) {
            Some(known) if known.output < answer => {
                known.output += 1;
                Ok(())
            }
            _ => {
                let meant = (answer == 0).then(|| meant(line, &lines)).flatten();
                Err(mismatched(Mismatch::Line { line: excerpt(line), number, answer, meant }))
            }
        }
    };
    let mut reader = LineReader::new(longest);
    let mut block = Vec::new();
    while printed.take(&mut block).await {
        reader.take(&block, &mut count)?;
    }
    reader.end(&mut count)?;
    let missing = |line: &Line| line.answer - line.output;
    let first = lines.iter().filter(|(_, line)| missing(line) > 0).min_by_key(|(_, line)| line.number);
    let Some((text, line)) = first else { return Ok(()) };
    let count = lines.values().map(missing).sum();
    let times = (line.output, line.answer);
    Err(mismatched(Mismatch::MissingLines { count, line: excerpt(text), number: line.number, times }))
}

/// The line of the answer that a line of the output resembles.
fn meant(line: &[u8], answers: &HashMap<Vec<u8>, Line>) -> Option<MeantLine> {
    let other_case = answers.keys().filter(|answer| answer.eq_ignore_ascii_case(line)).min();
    let after_prompt = || {
        let marks = line.iter().enumerate().filter(|(_, byte)| b":?>".contains(byte));
        let mut ends = marks.filter(|(at, _)| line[..*at].iter().filter(|byte| byte.is_ascii_alphabetic()).count() > 1);
        ends.find_map(|(at, _)| answers.get_key_value(line[at + 1..].trim_ascii_start()))
    };
    other_case
        .map(|answer| MeantLine::OtherCase(excerpt(answer)))
        .or_else(|| Some(MeantLine::AfterPrompt(excerpt(after_prompt()?.0))))
}

/// Splits a text into lines that have words, with single spaces between the words.
struct LineReader {
    /// The number of the line, from 1.
    number: u64,
    line: Vec<u8>,
    /// Whether white space follows the last word.
    has_gap: bool,
    /// No longer line needs to be known.
    longest: usize,
}

impl LineReader {
    /// More than an excerpt of a line that is too long.
    const SHOWN: usize = 256;

    fn new(longest: usize) -> Self {
        Self { number: 1, line: Vec::new(), has_gap: false, longest: longest.saturating_add(Self::SHOWN) }
    }

    fn take(&mut self, bytes: &[u8], on_line: &mut impl FnMut(u64, &[u8]) -> Result<(), Stop>) -> Result<(), Stop> {
        for byte in bytes.iter().copied() {
            match byte {
                b'\n' => {
                    self.end(on_line)?;
                    self.number += 1;
                }
                byte if is_space(byte) => self.has_gap = !self.line.is_empty(),
                byte => {
                    if std::mem::take(&mut self.has_gap) {
                        self.line.push(b' ');
                    }
                    self.line.push(byte);
                    if self.line.len() > self.longest {
                        return on_line(self.number, &self.line);
                    }
                }
            }
        }
        Ok(())
    }

    /// Ends the line.
    fn end(&mut self, on_line: &mut impl FnMut(u64, &[u8]) -> Result<(), Stop>) -> Result<(), Stop> {
        let line = if self.number == 1 { self.line.strip_prefix(MARK).unwrap_or(&self.line) } else { &self.line };
        let ended = if line.is_empty() { Ok(()) } else { on_line(self.number, line) };
        self.line.clear();
        self.has_gap = false;
        ended
    }
}
