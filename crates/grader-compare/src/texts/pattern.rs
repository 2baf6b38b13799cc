//! Searches the output for a regular expression, in time linear in the output. It keeps the output, whose size is
//! bounded.
//!
//! If nothing matches, the longest beginning of the expression that matches says what is missing, and where.

use grader_model::difference::{Position, RelaxedRule};
use regex::bytes::{Regex, RegexBuilder};
use regex_syntax::ast::{self, Ast};

use super::super::bytes::is_space;
use super::super::place::Cursor;
use super::super::standard::{
    FaultReason, FoundPart, Mismatch, OutputFeed, Stop, fault_at, mismatched, mismatched_but,
};
use super::{MARK, Needle, excerpt, place_after};

/// The most bytes of an answer.
pub(super) const MOST: usize = 16 << 10;
/// The most bytes of a compiled expression with the most bytes of an output that it searches. A search may visit the
/// whole expression for each byte of the output. So the product of both bounds its time: 12 s were measured for `[01]*1[01]{5000}x`.
const BOUNDS: [(usize, usize); 3] = [(64 << 10, 1 << 20), (256 << 10, 256 << 10), LARGEST];
const LARGEST: (usize, usize) = (1 << 20, 64 << 10);

pub(super) async fn search(needle: &Needle, printed: &OutputFeed) -> Result<(), Stop> {
    let pattern = Pattern::read(needle)?;
    let mut output = Vec::new();
    let mut block = Vec::new();
    while printed.take(&mut block).await {
        output.extend_from_slice(&block);
        if output.len() > pattern.bounds.1 {
            return Err(mismatched(Mismatch::TooLong { most: pattern.bounds.1 as u64 }));
        }
    }
    let text = Text::of(&output);
    if pattern.regex.is_match(&text.searched) {
        return Ok(());
    }
    let part = pattern.longest_part(&text);
    let would_accept = pattern.would_accept(&text.searched);
    Err(mismatched_but(Mismatch::NoMatch { pattern: excerpt(pattern.text.as_bytes()), part }, would_accept))
}

/// The regular expression of an answer.
struct Pattern<'a> {
    text: &'a str,
    regex: Regex,
    /// The most bytes of the compiled expression, and of an output that it searches.
    bounds: (usize, usize),
    /// The ends of its beginnings, in bytes, without the end of the whole.
    ends: Vec<usize>,
}

impl<'a> Pattern<'a> {
    fn read(needle: &'a Needle) -> Result<Self, Stop> {
        let fault = |reason: String, offset| fault_at(FaultReason::Pattern(reason), needle.place(offset));
        let text = str::from_utf8(&needle.text).map_err(|error| fault("not UTF-8".to_owned(), error.valid_up_to()))?;
        let parsed = ast::parse::Parser::new().parse(text);
        let parsed = parsed.map_err(|error| fault(error.kind().to_string(), error.span().start.offset))?;
        // The remaining faults are classes that do not exist, and expressions that would be too large.
        let translated = regex_syntax::ParserBuilder::new().utf8(false).build().parse(text);
        translated.map_err(|error| match error {
            regex_syntax::Error::Translate(error) => fault(error.kind().to_string(), error.span().start.offset),
            other => fault(other.to_string(), 0),
        })?;
        let small = BOUNDS.iter().find_map(|bounds| Some((build(text, bounds.0).ok()?, *bounds)));
        let (regex, bounds) =
            small.map_or_else(|| Ok((build(text, LARGEST.0)?, LARGEST)), Ok).map_err(|error| match error {
                regex::Error::CompiledTooBig(most) => fault(format!("it takes more than {} KiB", most >> 10), 0),
                other => fault(other.to_string(), 0),
            })?;
        let ends = match &parsed {
            Ast::Concat(parts) => ends(&parts.asts),
            _ => Vec::new(),
        };
        Ok(Self { text, regex, bounds, ends })
    }

    /// The relaxed rules by which the expression matches. None if they would make it larger than its bound.
    fn would_accept(&self, searched: &[u8]) -> Vec<RelaxedRule> {
        let folded = || RegexBuilder::new(self.text).case_insensitive(true).size_limit(self.bounds.0).build();
        let folds = |text: &[u8]| folded().is_ok_and(|regex| regex.is_match(text));
        let spaced = with_single_spaces(searched);
        if folds(searched) {
            vec![RelaxedRule::IgnoreCase]
        } else if spaced == searched {
            Vec::new()
        } else if self.regex.is_match(&spaced) {
            vec![RelaxedRule::IgnoreWhiteSpace]
        } else if folds(&spaced) {
            vec![RelaxedRule::IgnoreCase, RelaxedRule::IgnoreWhiteSpace]
        } else {
            Vec::new()
        }
    }

    /// The longest beginning of the expression that matches. If one matches, so does each shorter one.
    fn longest_part(&self, output: &Text<'_>) -> Option<FoundPart> {
        // A beginning of an expression is one too, and no larger.
        let found =
            |end: &usize| build(&self.text[..*end], LARGEST.0).ok()?.find(&output.searched).map(|found| found.end());
        let count = self.ends.partition_point(|end| found(end).is_some());
        let end = *self.ends[..count].last()?;
        let at = found(&end)?;
        let (part, expected) = self.text.split_at(end);
        let rest = &output.searched[at..];
        Some(FoundPart {
            part: excerpt(part.as_bytes()),
            expected: excerpt(expected.as_bytes()),
            at: output.place(at),
            found: (!rest.is_empty()).then(|| excerpt(rest)),
        })
    }
}

/// The ends of the beginnings of a sequence. Letters that follow each other belong together; flags match nothing.
fn ends(parts: &[Ast]) -> Vec<usize> {
    let is_letter = |part: &Ast| matches!(part, Ast::Literal(_));
    let matches_text = |part: &Ast| !matches!(part, Ast::Flags(_) | Ast::Assertion(_) | Ast::Empty(_));
    let first = parts.iter().position(matches_text).unwrap_or(parts.len());
    let pairs = parts.windows(2).enumerate().skip(first);
    let between = pairs.filter(|(_, pair)| !(is_letter(&pair[0]) && is_letter(&pair[1])));
    between.map(|(_, pair)| pair[0].span().end.offset).collect()
}

/// The text with one space in place of each run of white space.
fn with_single_spaces(text: &[u8]) -> Vec<u8> {
    let words = text.split(|byte| is_space(*byte)).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(&b' ')
}

fn build(pattern: &str, most: usize) -> Result<Regex, regex::Error> {
    RegexBuilder::new(pattern).size_limit(most).build()
}

/// An output, and the part of it that is searched.
struct Text<'a> {
    output: &'a [u8],
    /// Where the searched part begins.
    start: usize,
    searched: Vec<u8>,
}

impl<'a> Text<'a> {
    fn of(output: &'a [u8]) -> Self {
        let marked = output.strip_prefix(MARK).unwrap_or(output);
        let start = output.len() - marked.trim_ascii_start().len();
        Self { output, start, searched: super::without_returns(marked.trim_ascii()) }
    }

    /// The place in the output of an offset in the searched part. Its lines are those of the output.
    fn place(&self, offset: usize) -> Position {
        let mut cursor = Cursor::new();
        cursor.advance(&self.output[..self.start]);
        place_after(&cursor, &self.searched[..offset])
    }
}
