//! The answer and the output of a checker, read side by side. Says what is wrong in terms of both.

use std::fmt;
use std::io::Read;
use std::rc::Rc;

use grader_model::difference::{Difference, DifferenceKind, Excerpt, Position, RelaxedRule, SideText, Text};

use super::super::bytes::{Class, common_prefix};
use super::super::number;
use super::formats::{Form, Format};
use super::reader::{AnswerSource, Reader, Refusal};
use super::{Mismatch, OutputFeed, Rejection, Stop, WrongOutput};

/// The answer does not have the form that the checker reads, so no output can be judged: a judge error.
#[derive(Debug, Clone, PartialEq)]
pub struct AnswerFault {
    /// The mistake.
    pub reason: FaultReason,
    /// The place in the answer.
    pub at: Position,
    /// The text there; none at the end of the answer.
    pub found: Option<Box<Excerpt>>,
}

/// The ways in which an answer does not fit its checker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FaultReason {
    /// The checker expects this form.
    Expected(Form),
    /// The token is longer than testlib reads.
    TooLong,
    /// The checker expects one token, and there are more.
    MoreTokens,
    /// The checker must keep all numbers, and these are more than this.
    TooManyNumbers(usize),
    /// The output differs from the answer by more than testlib permits as points.
    TooManyPoints,
    /// Nothing but white space is there, so every output would be right.
    Blank,
    /// The checker keeps the whole answer, and it has more bytes than this.
    TooLarge(usize),
    /// The answer is not a value in JSON, for this reason.
    Value(String),
    /// The answer is not a regular expression, for this reason.
    Pattern(String),
}

impl fmt::Display for AnswerFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unit = if self.at.in_bytes { "byte" } else { "column" };
        write!(f, "line {}, {unit} {} of the answer: ", self.at.line, self.at.column)?;
        match &self.reason {
            FaultReason::Blank => return f.write_str("it is blank, so every output would be right"),
            FaultReason::TooLarge(most) => return write!(f, "it has more than {} KiB", most >> 10),
            FaultReason::Value(reason) => return write!(f, "not {reason}"),
            FaultReason::Pattern(reason) => return write!(f, "no regular expression: {reason}"),
            FaultReason::Expected(form) => write!(f, "expected {form}, found ")?,
            FaultReason::TooLong => write!(f, "expected a token of at most 32 MiB, found ")?,
            FaultReason::TooManyPoints => {
                write!(f, "expected an output that differs by at most 1000000, which are the points; the answer is ")?;
            }
            FaultReason::MoreTokens => write!(f, "expected the end, found ")?,
            FaultReason::TooManyNumbers(most) => write!(f, "expected at most {most} numbers, found one more: ")?,
        }
        match &self.found {
            Some(excerpt) => {
                let shown: String = String::from_utf8_lossy(&excerpt.bytes).chars().take(40).collect();
                write!(f, "`{}`", shown.escape_debug())
            }
            None => f.write_str("the end"),
        }
    }
}

/// The two files.
pub(super) struct Files<'a> {
    pub(super) answer: Reader<AnswerSource<'a>>,
    pub(super) output: Reader<Rc<OutputFeed>>,
}

impl<'a> Files<'a> {
    pub(super) fn new(answer: Box<dyn Read + 'a>, output: Rc<OutputFeed>) -> Self {
        Self { answer: Reader::new(AnswerSource(answer)), output: Reader::new(output) }
    }

    /// Reads the next value of the answer.
    pub(super) async fn expected<T>(&mut self, format: Format<T>) -> Result<T, Stop> {
        let value = self.answer.read(format).await;
        value.map_err(|refusal| self.fault(refusal, format.form))
    }

    /// Reads the next value of the output.
    pub(super) async fn found<T>(&mut self, format: Format<T>) -> Result<T, Stop> {
        let value = self.output.read(format).await;
        value.map_err(|refusal| self.malformed(refusal, format.form))
    }

    /// Whether the answer has no further token.
    pub(super) async fn answer_ended(&mut self) -> Result<bool, Stop> {
        self.answer.at_end_after_blanks().await.map_err(Stop::Unreadable)
    }

    /// Whether the output has no further token.
    pub(super) async fn output_ended(&mut self) -> Result<bool, Stop> {
        self.output.at_end_after_blanks().await.map_err(Stop::Unreadable)
    }

    /// Rejects an output that goes on after everything was read.
    pub(super) async fn nothing_left(&mut self) -> Result<(), Stop> {
        if self.output_ended().await? {
            return Ok(());
        }
        let difference = self.extra().await?;
        Err(rejected(true, difference))
    }

    /// The fault of an answer.
    pub(super) fn fault(&self, refusal: Refusal, form: Form) -> Stop {
        let reason = match refusal {
            Refusal::Unreadable(error) => return Stop::Unreadable(error),
            Refusal::TooLong => FaultReason::TooLong,
            Refusal::Missing => return Stop::Answer(fault(FaultReason::Expected(form), self.answer.found_end())),
            Refusal::Unfit => FaultReason::Expected(form),
        };
        Stop::Answer(fault(reason, self.answer.found(None)))
    }

    /// The fault of an answer, in the last token.
    pub(super) fn fault_of(&self, reason: FaultReason) -> Stop {
        Stop::Answer(fault(reason, self.answer.found(None)))
    }

    /// A presentation error of the output.
    pub(super) fn malformed(&self, refusal: Refusal, form: Form) -> Stop {
        let kind = match (refusal, form) {
            (Refusal::Unreadable(error), _) => return Stop::Unreadable(error),
            (Refusal::Missing, _) => return rejected(true, self.ended(self.answer.found(None))),
            (Refusal::Unfit, Form::Integer { bits }) => DifferenceKind::NotAnInteger { bits: Some(bits) },
            (Refusal::Unfit, Form::HugeInteger) => DifferenceKind::NotAnInteger { bits: None },
            (Refusal::Unfit, Form::Number) => DifferenceKind::NotANumber,
            (Refusal::Unfit | Refusal::TooLong, _) => DifferenceKind::Token,
        };
        rejected(true, self.of_tokens(kind))
    }

    /// The last tokens differ.
    pub(super) fn wrong(&self) -> Stop {
        let output = self.output.text();
        let answer = self.answer.text();
        let overflow = || number::overflow(output, answer).map(|bits| DifferenceKind::Overflow { bits });
        let kind = if output.eq_ignore_ascii_case(answer) {
            DifferenceKind::Case
        } else {
            overflow().unwrap_or(DifferenceKind::Token)
        };
        rejected(false, self.of_tokens(kind))
    }

    /// The last tokens are numbers that differ too much.
    pub(super) fn wrong_number(&self, expected: f64, found: f64) -> Stop {
        let error = (found - expected).abs();
        let relative = (expected != 0.0).then(|| (error / expected.abs()).min(f64::MAX));
        let kind = DifferenceKind::Number { absolute: error.min(f64::MAX), relative };
        rejected(false, self.of_tokens(kind))
    }

    fn of_tokens(&self, kind: DifferenceKind) -> Difference {
        let alike = Some(common_prefix(self.output.text(), self.answer.text()));
        difference(kind, self.answer.found(alike), self.output.found(alike))
    }

    /// Reads the next token of the answer, which the output lacks. A token that is too long is shown too.
    pub(super) async fn missing(&mut self) -> Result<Difference, Stop> {
        match self.answer.token().await {
            Err(Refusal::Unreadable(error)) => Err(Stop::Unreadable(error)),
            Err(_) | Ok(()) => Ok(self.ended(self.answer.found(None))),
        }
    }

    /// Reads the next token of the output, which the answer lacks. A token that is too long is shown too.
    pub(super) async fn extra(&mut self) -> Result<Difference, Stop> {
        match self.output.token().await {
            Err(Refusal::Unreadable(error)) => Err(Stop::Unreadable(error)),
            Err(_) | Ok(()) => Ok(difference(DifferenceKind::Extra, self.answer.found_end(), self.output.found(None))),
        }
    }

    /// The output ends where the answer has this text.
    pub(super) fn ended(&self, expected: SideText) -> Difference {
        let kind = match self.output.printed() {
            None => DifferenceKind::Empty,
            Some(Class::Space) => DifferenceKind::Blank,
            Some(Class::Token) => DifferenceKind::Missing,
        };
        difference(kind, expected, self.output.found_end())
    }
}

fn fault(reason: FaultReason, found: SideText) -> AnswerFault {
    let at = found.at;
    let found = match found.what {
        Text::Token(excerpt) | Text::Space(excerpt) => Some(Box::new(excerpt)),
        Text::End => None,
    };
    AnswerFault { reason, at, found }
}

pub(super) fn difference(kind: DifferenceKind, expected: SideText, actual: SideText) -> Difference {
    Difference { kind, expected, actual, would_accept: Vec::new() }
}

/// The output is wrong at a place.
pub(super) fn rejected(malformed: bool, difference: Difference) -> Stop {
    let rejection = Rejection { malformed, mismatch: None, would_accept: Vec::new() };
    Stop::WrongOutput(Box::new(WrongOutput { rejection, difference: Some(difference) }))
}

/// The output is wrong, but not at the same place as the answer.
pub(in super::super) fn mismatched(mismatch: Mismatch) -> Stop {
    mismatched_but(mismatch, Vec::new())
}

/// The same for an output that relaxed rules would accept.
pub(in super::super) fn mismatched_but(mismatch: Mismatch, would_accept: Vec<RelaxedRule>) -> Stop {
    let rejection = Rejection { malformed: false, mismatch: Some(mismatch), would_accept };
    Stop::WrongOutput(Box::new(WrongOutput { rejection, difference: None }))
}

/// The stop because the answer does not fit its checker.
pub(in super::super) fn fault_at(reason: FaultReason, at: Position) -> Stop {
    Stop::Answer(AnswerFault { reason, at, found: None })
}
