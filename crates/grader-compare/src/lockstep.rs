//! Walks along the output and the answer at once and finds their differences.
//!
//! As long as the bytes agree, the walk looks at nothing else (`Aligned`). At the first differing byte it reads the
//! surrounding token or white space to its end on both sides, judges it, and continues from there. A unit that lies
//! whole in the current blocks is judged in place. A unit that a block boundary cuts, and every first difference, goes
//! through `Unit` (`Token`, `Space`), which is slower but keeps what a report needs.

use std::io::{self, Read};

use super::Comparison;
use super::bytes::{
    Class, Likeness, common_prefix, first_space, first_tokens, folded_units, is_space, same_folded, token_length,
};
use super::capture::Capture;
use super::difference::Differences;
use super::lines;
use super::rules::{Match, Need, Rules, SpacePlace, Token};
use super::stream::{Answer, Stream};
use grader_model::difference::{Difference, DifferenceKind, Leniency, RelaxedRule, Text};

/// The current mode of the walk.
#[derive(Debug, Clone, Copy)]
pub(super) enum WalkState {
    /// The streams agree since the start of the open unit.
    Aligned,
    /// A gathered token that differs from some byte on.
    Token {
        /// Whether it has been equal except for case so far.
        folded: bool,
        /// Whether no byte followed the part that agrees.
        same: bool,
    },
    /// Gathered white space that differs from some byte on.
    Space {
        /// The line feeds so far.
        output_lines: u64,
        answer_lines: u64,
        same: bool,
    },
    /// Nothing more can be learned.
    Settled,
}

/// Why a step returned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Flow {
    /// The state changed.
    Next,
    /// The walk needs the next chunk of the output.
    Starved,
}

/// The comparison with an answer by the default output validator, or byte for byte.
pub(super) struct Lockstep<'a> {
    rules: Rules,
    pub(super) answer: Answer<'a>,
    /// Follows the answer's stream while the bytes are equal; walks on its own afterwards.
    pub(super) output: Stream,
    pub(super) state: WalkState,
    /// The class of the next unit before its first byte is seen.
    next: Class,
    identical: bool,
    /// The content of the output so far: nothing, white space, or a token.
    printed: Option<Class>,
    pub(super) differences: Differences,
    pub(super) capture: Capture,
}

impl<'a> Lockstep<'a> {
    /// Starts a comparison with `answer`, which is read from its current position, in large blocks and on demand.
    pub(super) fn new(rules: Rules, answer: impl Read + 'a) -> Self {
        Self {
            rules,
            answer: Answer::new(answer),
            output: Stream::new(),
            state: WalkState::Aligned,
            next: Class::Space,
            identical: true,
            printed: None,
            differences: Differences::default(),
            capture: Capture::default(),
        }
    }

    /// Takes the next bytes of the output. An error means that the answer could not be read. That is a judge error, and
    /// the comparison cannot be used any more.
    pub(super) fn feed(&mut self, chunk: &[u8]) -> io::Result<()> {
        if self.printed != Some(Class::Token) && !chunk.is_empty() {
            let has_token = chunk.iter().any(|byte| !is_space(*byte));
            self.printed = Some(if has_token { Class::Token } else { Class::Space });
        }
        if let Some(window) = &mut self.output.window {
            window.push(chunk);
        }
        if !self.identical {
            self.capture.keep(chunk);
        }
        self.walk(chunk)?;
        if self.identical {
            self.capture.share(chunk.len());
            self.output.pos = 0;
        } else if !matches!(self.state, WalkState::Settled) {
            self.output.leave(chunk);
        }
        if !self.identical {
            self.capture.follow(chunk, self.focus(), self.decided_wrong());
        }
        Ok(())
    }

    /// The offset in the output of the first difference, or of the open unit that may become it.
    fn focus(&self) -> Option<u64> {
        match (&self.differences.difference, self.state) {
            (Some(difference), _) => Some(difference.actual.focus().offset),
            (None, WalkState::Token { .. } | WalkState::Space { .. }) => self.output.focus(),
            (None, WalkState::Aligned | WalkState::Settled) => None,
        }
    }

    /// Whether the output is already known to be wrong.
    pub(super) fn decided_wrong(&self) -> bool {
        self.differences.difference.is_some()
    }

    /// Ends the comparison of a complete output. Fails like [`Self::feed`].
    pub(super) fn finish(mut self) -> io::Result<Comparison> {
        self.output.pos = 0;
        self.output.last = true;
        self.walk(&[])?;
        self.capture.follow(&[], self.focus(), self.decided_wrong());
        let lines = self.explain_lines()?;
        let would_accept = self.differences.would_accept();
        if let Some(difference) = &mut self.differences.difference {
            difference.would_accept = would_accept;
            if let Some(kind) = lines {
                difference.kind = kind;
                difference.would_accept.extend((kind == DifferenceKind::LineOrder).then_some(RelaxedRule::SortLines));
            }
        }
        Ok(self.into_comparison(true))
    }

    /// Ends the comparison of an output that was cut off by a limit or a kill. Reports what is known, never accepts,
    /// and claims nothing about the unseen part.
    pub(super) fn cut_off(self) -> Comparison {
        self.into_comparison(false)
    }

    /// Returns how whole lines explain a difference that no leniency would accept, if they do.
    fn explain_lines(&mut self) -> io::Result<Option<DifferenceKind>> {
        if !self.differences.is_hopeless() {
            return Ok(None);
        }
        let Some(output) = self.output.window.take().filter(lines::Window::is_whole) else { return Ok(None) };
        let answer = self.answer.rest_of_window()?;
        Ok(answer.and_then(|answer| output.explain(answer, &self.rules)))
    }

    fn into_comparison(self, complete: bool) -> Comparison {
        let accepted = complete && self.differences.difference.is_none();
        Comparison {
            accepted,
            identical: accepted && self.identical,
            difference: self.differences.difference,
            // For a wrong output, the leniency would depend on how far the comparison happened to go.
            leniency: if accepted { self.differences.leniency } else { Leniency::default() },
            rejection: None,
            points: None,
            capture: self.capture,
        }
    }
}

impl Lockstep<'_> {
    /// Walks to the end of the output's block, as far as the answer allows.
    pub(super) fn walk(&mut self, block: &[u8]) -> io::Result<()> {
        loop {
            let flow = match self.state {
                WalkState::Aligned => self.step_aligned(block)?,
                WalkState::Token { folded, same } => self.step_token(block, folded, same)?,
                WalkState::Space { output_lines, answer_lines, same } => {
                    self.step_space(block, output_lines, answer_lines, same)?
                }
                WalkState::Settled => return Ok(()),
            };
            if flow == Flow::Starved {
                return Ok(());
            }
        }
    }

    fn step_aligned(&mut self, block: &[u8]) -> io::Result<Flow> {
        loop {
            let same = common_prefix(self.output.rest(block), self.answer.rest());
            self.output.pos += same;
            self.answer.stream.pos += same;
            if self.output.starved(block) {
                return Ok(Flow::Starved);
            }
            if self.answer.stream.starved(self.answer.block()) {
                self.answer.refill()?;
                continue;
            }
            if self.output.ended(block) && self.answer.stream.ended(self.answer.block()) {
                self.state = WalkState::Settled;
                return Ok(Flow::Next);
            }
            if self.identical {
                self.part(block);
            }
            let class = self.answer.stream.class(self.answer.block(), self.next);
            if !self.walk_in_place(block) {
                self.gather(block, class);
                return Ok(Flow::Next);
            }
            if self.differences.is_hopeless() {
                self.state = WalkState::Settled;
                return Ok(Flow::Next);
            }
        }
    }

    /// Handles the first byte that differs from the answer: from here on the output has a stream of its own.
    fn part(&mut self, block: &[u8]) {
        self.identical = false;
        self.capture.share(self.output.pos);
        self.capture.keep(self.output.rest(block));
        self.answer.gather();
        self.output = self.answer.stream.fork(self.output.pos, self.output.last);
    }

    /// Prepares the slower path for the open unit.
    fn gather(&mut self, block: &[u8], class: Class) {
        self.output.gather(block);
        self.answer.gather();
        // Otherwise the first differing byte may be the same letter in another case.
        if class == Class::Space || self.rules.case_sensitive {
            self.mark_difference(block);
        }
        self.state = match class {
            Class::Token => WalkState::Token { folded: true, same: true },
            Class::Space => {
                let agreed = self.output.line_feeds();
                WalkState::Space { output_lines: agreed, answer_lines: agreed, same: true }
            }
        };
    }

    /// Records that both gathered units differ from here on.
    fn mark_difference(&mut self, block: &[u8]) {
        // Only the first difference is shown.
        if self.differences.difference.is_none() {
            self.output.mark_difference(block);
            self.answer.mark_difference();
        }
    }

    /// Judges the whole tokens in the current blocks one by one, starting with the open unit, until the streams agree
    /// for a while. Returns false if nothing could be judged here.
    fn walk_in_place(&mut self, block: &[u8]) -> bool {
        /// After this many equal tokens in a row, the next difference is probably far away.
        const CALM: u32 = 8;
        let Some(before) = self.output.open_length(block).filter(|length| self.answer.stream.opened_here(*length))
        else {
            return false;
        };
        let mut output = &block[self.output.pos - before..];
        let mut answer = &self.answer.block()[self.answer.stream.pos - before..];
        let at_first = output.len();
        let mut calm = 0;
        while calm < CALM && !self.differences.is_hopeless() {
            let (length, answer_length, likeness) = first_tokens(output, answer);
            let (token, output_after) = output.split_at(length);
            let (answer_token, answer_after) = answer.split_at(answer_length);
            let (space, lines) = first_space(output_after);
            let (answer_space, answer_lines) = first_space(answer_after);
            let (space, output_rest) = output_after.split_at(space);
            let (answer_space, answer_rest) = answer_after.split_at(answer_space);
            if output_rest.is_empty() || answer_rest.is_empty() {
                break;
            }
            calm += 1;
            if likeness != Likeness::Same {
                calm = 0;
                let folded = likeness == Likeness::Folded;
                let outcome = self.rules.compare(Token::whole(token), Token::whole(answer_token), folded);
                if !self.differences.add(outcome) {
                    break;
                }
            }
            let spaced = !space.iter().eq(answer_space);
            if spaced {
                calm = 0;
                let lines = [lines, answer_lines];
                if !self.differences.add(self.rules.compare_space(SpacePlace::Between, lines)) {
                    break;
                }
            }
            output = output_rest;
            answer = answer_rest;
            // More tokens of this kind cannot add a finding, unless some are numbers.
            if likeness == Likeness::Folded && !spaced && !self.rules.numeric() {
                let alike = folded_units(output, answer);
                output = &output[alike..];
                answer = &answer[alike..];
            }
        }
        let output_left = output.len();
        let answer_left = answer.len();
        if output_left == at_first {
            return false;
        }
        self.output.close(block.len() - output_left);
        self.answer.stream.close(self.answer.block().len() - answer_left);
        self.next = Class::Token;
        true
    }

    /// Reads a gathered token to its end on both sides, in parallel as long as both continue.
    fn step_token(&mut self, block: &[u8], mut folded: bool, mut same: bool) -> io::Result<Flow> {
        loop {
            if self.output.starved(block) {
                self.state = WalkState::Token { folded, same };
                return Ok(Flow::Starved);
            }
            if self.answer.stream.starved(self.answer.block()) {
                self.answer.refill()?;
                continue;
            }
            let output = self.output.rest(block);
            let answer = self.answer.rest();
            // Never scan further than the part that is taken, however small the other side's block is.
            let (output_length, answer_length) = match (Class::next(output), Class::next(answer)) {
                (Class::Space, Class::Space) => break,
                (Class::Token, Class::Space) => (token_length(output), 0),
                (Class::Space, Class::Token) => (0, token_length(answer)),
                (Class::Token, Class::Token) => {
                    let length = token_length(&output[..output.len().min(answer.len())]);
                    let length = token_length(&answer[..length]);
                    (length, length)
                }
            };
            let output = &output[..output_length];
            let answer = &answer[..answer_length];
            if folded && !same_folded(output, answer) {
                folded = false;
                let alike = output.iter().zip(answer).take_while(|(x, y)| x.eq_ignore_ascii_case(y)).count();
                self.output.take(block, alike);
                self.answer.take(alike);
                self.mark_difference(block);
                self.output.take(block, output_length - alike);
                self.answer.take(answer_length - alike);
            } else {
                self.output.take(block, output_length);
                self.answer.take(answer_length);
            }
            same = false;
        }
        self.judge_token(block, folded, same);
        Ok(Flow::Next)
    }

    fn judge_token(&mut self, block: &[u8], folded: bool, same: bool) {
        let output = &self.output;
        let answer = &self.answer.stream;
        let outcome = if output.is_empty() {
            let kind = match self.printed {
                None => DifferenceKind::Empty,
                Some(Class::Space) => DifferenceKind::Blank,
                Some(Class::Token) => DifferenceKind::Missing,
            };
            Match::Wrong(kind, Need::Hopeless)
        } else if answer.is_empty() {
            Match::Wrong(DifferenceKind::Extra, Need::Hopeless)
        } else if same {
            Match::Same
        } else {
            self.rules.compare(output.token(), answer.token(), folded)
        };
        self.conclude(outcome, Class::Token, block);
    }

    /// Reads gathered white space to its end on both sides, each separately.
    fn step_space(
        &mut self,
        block: &[u8],
        mut output_lines: u64,
        mut answer_lines: u64,
        mut same: bool,
    ) -> io::Result<Flow> {
        let output = self.output.rest(block);
        let (length, lines) = first_space(output);
        output_lines += lines;
        same &= length == 0;
        self.output.take(block, length);
        if self.output.starved(block) {
            self.state = WalkState::Space { output_lines, answer_lines, same };
            return Ok(Flow::Starved);
        }
        while !self.answer.stream.ended(self.answer.block()) {
            let answer = self.answer.rest();
            let (length, lines) = first_space(answer);
            let more = length == answer.len();
            answer_lines += lines;
            same &= length == 0;
            self.answer.take(length);
            if !more {
                break;
            }
            self.answer.refill()?;
        }
        self.judge_space(block, same, [output_lines, answer_lines]);
        Ok(Flow::Next)
    }

    fn judge_space(&mut self, block: &[u8], same: bool, lines: [u64; 2]) {
        let output_ended = self.output.ended(block);
        let answer_ended = self.answer.stream.ended(self.answer.block());
        let mut outcome = Match::Same;
        // If one side has no further token, that is the difference, and not the space before its end.
        if output_ended && !answer_ended {
            self.output.end_here();
        } else if answer_ended && !output_ended {
            self.answer.stream.end_here();
        } else if !same {
            let place = match output_ended {
                true => SpacePlace::End,
                false if self.answer.stream.is_at_start() => SpacePlace::Start,
                false => SpacePlace::Between,
            };
            outcome = self.rules.compare_space(place, lines);
        }
        self.conclude(outcome, Class::Space, block);
    }

    /// Reports on the gathered units, which were read to their ends, and closes them.
    fn conclude(&mut self, outcome: Match, class: Class, block: &[u8]) {
        self.state = WalkState::Aligned;
        if let Match::Wrong(kind, _) = outcome
            && self.differences.difference.is_none()
        {
            self.report(kind, class, block);
        }
        self.differences.add(outcome);
        if self.differences.is_hopeless() {
            self.state = WalkState::Settled;
        }
        self.output.close(self.output.pos);
        self.answer.stream.close(self.answer.stream.pos);
        self.next = match class {
            Class::Token => Class::Space,
            Class::Space => Class::Token,
        };
    }

    fn report(&mut self, kind: DifferenceKind, class: Class, block: &[u8]) {
        let mut expected = self.answer.stream.found(class);
        let mut actual = self.output.found(class);
        if expected.what == Text::End || actual.what == Text::End {
            expected.differs = None;
            actual.differs = None;
        }
        self.differences.difference = Some(Difference { kind, expected, actual, would_accept: Vec::new() });
        if class == Class::Token && !self.output.is_empty() && !self.answer.stream.is_empty() {
            self.output.open_window(block);
            self.answer.open_window();
        }
    }
}
