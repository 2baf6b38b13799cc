//! The walk along both streams at once.
//!
//! As long as the bytes agree nothing else is looked at (`Aligned`). Where they do not, the token or white space that
//! contains the first differing byte is read to its end on both sides and judged, and the walk goes on from there. A
//! unit that lies in the blocks at hand is judged in place; one that was cut by the end of a block, and every first
//! difference, goes through `Unit` (`Token`, `Space`), which is slower and keeps what a report needs.

use std::io::{self, Read};

use super::Comparator;
use super::bytes::{Class, common_prefix, count_lines, space_length, token_length};
use super::difference::{Difference, DifferenceKind, Need};
use super::rules::{Match, Token};

/// What the walk is about.
#[derive(Debug, Clone, Copy)]
pub(super) enum State {
    /// The bytes before the two positions agree back to the start of the open unit.
    Aligned,
    /// A gathered token, different from some byte on.
    Token {
        /// The same so far but for case.
        folded: bool,
        /// No byte came after the part that agrees.
        same: bool,
    },
    /// Gathered white space, different from some byte on.
    Space {
        /// Line feeds after the part that agrees.
        output_lines: u64,
        answer_lines: u64,
        same: bool,
    },
    /// Nothing more will be learned.
    Settled,
}

/// Why a step returned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Flow {
    /// The state changed.
    Next,
    /// The output's next chunk is needed.
    Starved,
}

impl<R: Read> Comparator<R> {
    /// Walks as far as the output's block leads.
    pub(super) fn walk(&mut self, block: &[u8]) -> io::Result<()> {
        loop {
            let flow = match self.state {
                State::Aligned => self.step_aligned(block)?,
                State::Token { folded, same } => self.step_token(block, folded, same)?,
                State::Space { output_lines, answer_lines, same } => {
                    self.step_space(block, output_lines, answer_lines, same)?
                }
                State::Settled => return Ok(()),
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
            self.answer.lane.pos += same;
            if self.output.starved(block) {
                return Ok(Flow::Starved);
            }
            if self.answer.lane.starved(self.answer.block()) {
                self.answer.refill()?;
                continue;
            }
            if self.output.ended(block) && self.answer.lane.ended(self.answer.block()) {
                self.state = State::Settled;
                return Ok(Flow::Next);
            }
            if self.identical {
                self.part(block);
            }
            let class = self.answer.lane.class(self.answer.block(), self.next);
            let in_place = match class {
                Class::Token => self.token_in_place(block),
                Class::Space => self.space_in_place(block),
            };
            if !in_place {
                self.gather(block, class);
                return Ok(Flow::Next);
            }
            if self.needs.hopeless {
                return Ok(Flow::Next);
            }
        }
    }

    /// The first byte that is not the answer's: from here on the output has a lane of its own.
    fn part(&mut self, block: &[u8]) {
        self.identical = false;
        self.capture.share(self.output.pos);
        self.capture.keep(self.output.rest(block));
        self.answer.gather();
        self.output = self.answer.lane.fork(self.output.pos, self.output.last);
    }

    /// Prepares the slower way for the unit that is open.
    fn gather(&mut self, block: &[u8], class: Class) {
        self.output.gather(block);
        self.answer.gather();
        self.output.mark_difference();
        self.answer.lane.mark_difference();
        self.state = match class {
            Class::Token => State::Token { folded: true, same: true },
            Class::Space => State::Space { output_lines: 0, answer_lines: 0, same: true },
        };
    }

    /// Ends the open units, the given lengths further on, and opens empty ones of class `next`.
    fn close(&mut self, output: usize, answer: usize, next: Class) {
        self.output.close(output);
        self.answer.lane.close(answer);
        self.next = next;
    }

    /// Judges the open tokens if they are at hand in whole; no if it takes the slower way.
    fn token_in_place(&mut self, block: &[u8]) -> bool {
        let (output, answer) = (self.output.rest(block), self.answer.rest());
        let (output_length, answer_length) = (token_length(output), token_length(answer));
        let output_cut = output_length == output.len() && !self.output.last;
        if output_cut || (answer_length == answer.len() && !self.answer.lane.last) {
            return false;
        }
        if output_length > 0 || answer_length > 0 {
            let Some(before) = self.output.open_length(block) else { return false };
            if !self.answer.lane.opened_here(before) {
                return false;
            }
            let output = &block[self.output.pos - before..self.output.pos + output_length];
            let answer = &self.answer.block()[self.answer.lane.pos - before..self.answer.lane.pos + answer_length];
            if output.is_empty() || answer.is_empty() {
                return false;
            }
            let folded = output.eq_ignore_ascii_case(answer);
            let outcome = self.rules.compare(Token::whole(output), Token::whole(answer), folded);
            if self.difference.is_none() && matches!(outcome, Match::Wrong(..)) {
                return false;
            }
            self.note(outcome, Class::Token, block);
        }
        self.close(output_length, answer_length, Class::Space);
        true
    }

    /// Judges the open white space if it is at hand in whole and followed by tokens; no if it takes the slower way.
    fn space_in_place(&mut self, block: &[u8]) -> bool {
        let (output, answer) = (self.output.rest(block), self.answer.rest());
        let (output_length, answer_length) = (space_length(output), space_length(answer));
        if output_length == output.len() || answer_length == answer.len() {
            return false;
        }
        if output_length > 0 || answer_length > 0 {
            if self.rules.space_sensitive && self.difference.is_none() {
                return false;
            }
            let lines = count_lines(&output[..output_length]) != count_lines(&answer[..answer_length]);
            self.note_space(lines, block);
        }
        self.close(output_length, answer_length, Class::Token);
        true
    }

    /// Reads a gathered token to its end on both sides, side by side as long as both last.
    fn step_token(&mut self, block: &[u8], mut folded: bool, mut same: bool) -> io::Result<Flow> {
        loop {
            if self.output.starved(block) {
                self.state = State::Token { folded, same };
                return Ok(Flow::Starved);
            }
            if self.answer.lane.starved(self.answer.block()) {
                self.answer.refill()?;
                continue;
            }
            let (output, answer) = (self.output.rest(block), self.answer.rest());
            let (mut output_length, mut answer_length) = (token_length(output), token_length(answer));
            if output_length == 0 && answer_length == 0 {
                self.judge_token(block, folded, same);
                return Ok(Flow::Next);
            }
            same = false;
            let length = output_length.min(answer_length);
            if length == 0 {
                folded = false;
            } else {
                folded = folded && output[..length].eq_ignore_ascii_case(&answer[..length]);
                (output_length, answer_length) = (length, length);
            }
            self.output.take(block, output_length);
            self.answer.take(answer_length);
        }
    }

    fn judge_token(&mut self, block: &[u8], folded: bool, same: bool) {
        let (output, answer) = (&self.output, &self.answer.lane);
        let outcome = if output.is_empty() {
            let kind = if self.printed { DifferenceKind::Missing } else { DifferenceKind::Empty };
            Match::Wrong(kind, Need::Hopeless)
        } else if answer.is_empty() {
            Match::Wrong(DifferenceKind::Extra, Need::Hopeless)
        } else if same {
            Match::Same
        } else {
            self.rules.compare(output.token(), answer.token(), folded)
        };
        self.state = State::Aligned;
        self.note(outcome, Class::Token, block);
        self.close(0, 0, Class::Space);
    }

    /// Reads gathered white space to its end on both sides, each for itself.
    fn step_space(
        &mut self,
        block: &[u8],
        mut output_lines: u64,
        mut answer_lines: u64,
        mut same: bool,
    ) -> io::Result<Flow> {
        let output = self.output.rest(block);
        let length = space_length(output);
        output_lines += count_lines(&output[..length]);
        same &= length == 0;
        self.output.take(block, length);
        if self.output.starved(block) {
            self.state = State::Space { output_lines, answer_lines, same };
            return Ok(Flow::Starved);
        }
        while !self.answer.lane.ended(self.answer.block()) {
            let answer = self.answer.rest();
            let length = space_length(answer);
            let more = length == answer.len();
            answer_lines += count_lines(&answer[..length]);
            same &= length == 0;
            self.answer.take(length);
            if !more {
                break;
            }
            self.answer.refill()?;
        }
        self.judge_space(block, same, output_lines != answer_lines);
        Ok(Flow::Next)
    }

    fn judge_space(&mut self, block: &[u8], same: bool, lines: bool) {
        let (output_ended, answer_ended) = (self.output.ended(block), self.answer.lane.ended(self.answer.block()));
        self.state = State::Aligned;
        // Where one side has no further token, that is the difference, and not the space before its end.
        if output_ended && !answer_ended {
            self.output.end_here();
        } else if answer_ended && !output_ended {
            self.answer.lane.end_here();
        } else if !same {
            // How many lines are empty at the end is nobody's concern.
            self.note_space(lines && !output_ended, block);
        }
        self.close(0, 0, Class::Token);
    }

    /// White space differs; `lines` if the tokens are thereby on other lines.
    fn note_space(&mut self, lines: bool, block: &[u8]) {
        self.leniency.spacing = true;
        self.leniency.lines |= lines;
        if self.rules.space_sensitive {
            self.note(Match::Wrong(DifferenceKind::WhiteSpace, Need::Space), Class::Space, block);
        }
    }

    /// Takes note of how two units compare; the first difference must have been gathered.
    fn note(&mut self, outcome: Match, class: Class, block: &[u8]) {
        match outcome {
            Match::Same => {}
            Match::Folded => self.leniency.case = true,
            Match::Close => self.leniency.numbers = true,
            Match::Wrong(kind, need) => {
                if self.difference.is_none() {
                    self.report(kind, class, block);
                }
                self.needs.add(need);
                if self.needs.hopeless {
                    self.state = State::Settled;
                }
            }
        }
    }

    fn report(&mut self, kind: DifferenceKind, class: Class, block: &[u8]) {
        let expected = self.answer.lane.found(class);
        let actual = self.output.found(class);
        self.difference = Some(Difference { kind, expected, actual, would_accept: Vec::new() });
        if class == Class::Token && !self.output.is_empty() && !self.answer.lane.is_empty() {
            self.output.open_window(block);
            self.answer.open_window();
        }
    }
}
