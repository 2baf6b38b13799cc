//! The standard checkers of testlib, with the rules of the originals, while the output arrives.
//!
//! Each checker is an `async fn` that reads the answer and the output token by token, as the original does. It waits
//! where the output is not printed yet. It needs no runtime: `StandardComparison` polls the function once per chunk.
//!
//! Source: testlib of 2026-02-06 (0.9.45), `checkers/` and `testlib.h`. `docs/conformance.md` has the command that
//! compares each checker with the original.

use std::cell::{Cell, RefCell};
use std::io::{self, Read};
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use grader_model::difference::{Difference, Excerpt, Leniency, Position, RelaxedRule};
use grader_model::problem::StandardChecker;

mod cases;
mod files;
mod formats;
mod lines;
mod reader;
mod sequences;
mod single;
#[cfg(test)]
mod tests;
mod unordered;

pub use files::{AnswerFault, FaultReason};
pub(super) use files::{fault_at, mismatched, mismatched_but};
pub use formats::Form;

use super::{Capture, CompareError, Comparison};
use files::Files;

/// The opinion of a checker about a rejected output, beside the difference.
#[derive(Debug, Clone, PartialEq)]
pub struct Rejection {
    /// Whether the output does not have the form that the checker reads: a presentation error.
    pub malformed: bool,
    /// How the output is wrong, if the checker does not compare place by place.
    pub mismatch: Option<Mismatch>,
    /// Relaxed rules that together would accept the output in spite of the mismatch.
    pub would_accept: Vec<RelaxedRule>,
}

/// How an output is wrong of which a checker compares more than the same place of both files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mismatch {
    /// One has more numbers; their order does not matter.
    Count {
        /// How many numbers the output has.
        output: u64,
        /// How many numbers the answer has.
        answer: u64,
    },
    /// This number is not there equally often. It is the smallest of them.
    Number {
        /// The number.
        value: i64,
        /// How often the output has it.
        output: u64,
        /// How often the answer has it.
        answer: u64,
    },
    /// The output has this line more often than the answer.
    Line {
        /// The line, with single spaces between its words.
        line: Excerpt,
        /// Its number in the output, from 1.
        number: u64,
        /// How often the answer has it.
        answer: u64,
        /// The line of the answer that was meant.
        meant: Option<MeantLine>,
    },
    /// The output lacks lines of the answer.
    MissingLines {
        /// How many are missing.
        count: u64,
        /// The first of them, with single spaces between its words.
        line: Excerpt,
        /// Its number in the answer, from 1.
        number: u64,
        /// How often the output and the answer have it.
        times: (u64, u64),
    },
    /// The text of the answer is nowhere in the output.
    NotContained {
        /// The text.
        text: Excerpt,
        /// The most of its beginning that is there.
        part: Option<FoundPart>,
    },
    /// The regular expression of the answer matches nowhere in the output.
    NoMatch {
        /// The expression.
        pattern: Excerpt,
        /// The most of its beginning that matches.
        part: Option<FoundPart>,
    },
    /// The output is another value.
    Value {
        /// The first difference, in words.
        reason: String,
    },
    /// The output has more bytes than a regular expression searches.
    TooLong {
        /// The most bytes.
        most: u64,
    },
}

/// A line of the answer that a line of the output resembles.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MeantLine {
    /// It differs only in upper and lower case.
    OtherCase(Excerpt),
    /// It follows a prompt: words up to `:`, `?` or `>`.
    AfterPrompt(Excerpt),
}

/// A part of a text or a regular expression that the output has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundPart {
    /// The part.
    pub part: Excerpt,
    /// The text that should follow.
    pub expected: Excerpt,
    /// The place in the output where it should follow.
    pub at: Position,
    /// The text of the output there; none at its end.
    pub found: Option<Excerpt>,
}

/// Points, which a checker gives in place of a verdict.
#[derive(Debug, Clone, PartialEq)]
pub struct GivenPoints {
    /// The points, from 0; none if the checker leaves them to a scorer.
    pub points: Option<f64>,
    /// Its message, without the points.
    pub message: String,
}

/// Why a checker ended before its end.
#[derive(Debug)]
pub(super) enum Stop {
    /// The answer could not be read.
    Unreadable(io::Error),
    /// The answer does not have the form that the checker reads.
    Answer(AnswerFault),
    /// The output is wrong.
    WrongOutput(Box<WrongOutput>),
}

/// How an output is wrong.
#[derive(Debug)]
pub(super) struct WrongOutput {
    rejection: Rejection,
    difference: Option<Difference>,
}

/// A comparison in progress.
pub(super) struct StandardComparison<'a> {
    printed: Rc<OutputFeed>,
    progress: Progress<'a>,
    capture: Capture,
}

/// A checker at work.
type Work<'a> = Pin<Box<dyn Future<Output = Decision> + 'a>>;

/// The output is accepted, possibly with points, or not.
type Decision = Result<Option<GivenPoints>, Stop>;

enum Progress<'a> {
    Working(Work<'a>),
    Decided(Decision),
}

/// Hands the output over, chunk by chunk.
#[derive(Debug, Default)]
pub(super) struct OutputFeed {
    chunk: RefCell<Vec<u8>>,
    state: Cell<PrintedState>,
}

#[derive(Debug, Clone, Copy, Default)]
enum PrintedState {
    /// The chunk was taken.
    #[default]
    Taken,
    Fresh,
    Ended,
}

impl<'a> StandardComparison<'a> {
    pub(super) fn new(checker: StandardChecker, answer: impl Read + 'a) -> Self {
        Self::deciding(|printed| async move { run(checker, &mut Files::new(Box::new(answer), printed)).await })
    }

    /// Starts a checker that takes the output from `OutputFeed`, and gives no points.
    pub(super) fn of<F: Future<Output = Result<(), Stop>> + 'a>(checker: impl FnOnce(Rc<OutputFeed>) -> F) -> Self {
        Self::deciding(|printed| {
            let work = checker(printed);
            async move { work.await.map(|()| None) }
        })
    }

    fn deciding<F: Future<Output = Decision> + 'a>(checker: impl FnOnce(Rc<OutputFeed>) -> F) -> Self {
        let printed = Rc::<OutputFeed>::default();
        let work = checker(Rc::clone(&printed));
        Self { printed, progress: Progress::Working(Box::pin(work)), capture: Capture::default() }
    }

    pub(super) fn feed(&mut self, chunk: &[u8]) -> io::Result<()> {
        self.capture.keep(chunk);
        if !chunk.is_empty() && matches!(self.progress, Progress::Working(_)) {
            self.printed.put(chunk);
            self.proceed();
        }
        if let Progress::Decided(Err(Stop::Unreadable(error))) = &mut self.progress {
            // The error can be returned once. A caller that continues gets another error, and never a verdict.
            return Err(std::mem::replace(error, io::Error::other("the answer could not be read")));
        }
        self.capture.follow(chunk, self.focus(), self.decided_wrong());
        Ok(())
    }

    pub(super) fn decided_wrong(&self) -> bool {
        matches!(self.progress, Progress::Decided(Err(Stop::WrongOutput(_))))
    }

    pub(super) fn finish(mut self) -> Result<Comparison, CompareError> {
        if matches!(self.progress, Progress::Working(_)) {
            self.printed.end();
            self.proceed();
        }
        self.capture.follow(&[], self.focus(), self.decided_wrong());
        match self.progress {
            Progress::Decided(Ok(points)) => Ok(Comparison { points, ..comparison(true, None, self.capture) }),
            Progress::Decided(Err(Stop::WrongOutput(rejected))) => Ok(comparison(false, Some(*rejected), self.capture)),
            Progress::Decided(Err(Stop::Answer(fault))) => {
                Err(CompareError::Answer { fault, capture: Box::new(self.capture) })
            }
            Progress::Decided(Err(Stop::Unreadable(error))) => Err(error.into()),
            // A checker waits for nothing but the output, which has ended.
            Progress::Working(_) => Err(io::Error::other("the checker still waits").into()),
        }
    }

    pub(super) fn cut_off(self) -> Comparison {
        match self.progress {
            Progress::Decided(Err(Stop::WrongOutput(rejected))) => comparison(false, Some(*rejected), self.capture),
            Progress::Decided(_) | Progress::Working(_) => comparison(false, None, self.capture),
        }
    }

    fn proceed(&mut self) {
        if let Progress::Working(work) = &mut self.progress
            && let Poll::Ready(decided) = work.as_mut().poll(&mut Context::from_waker(Waker::noop()))
        {
            self.progress = Progress::Decided(decided);
        }
    }

    /// The offset in the output of the difference.
    fn focus(&self) -> Option<u64> {
        let Progress::Decided(Err(Stop::WrongOutput(rejected))) = &self.progress else { return None };
        rejected.difference.as_ref().map(|difference| difference.actual.focus().offset)
    }

    /// The number of bytes kept outside of the readers.
    #[cfg(test)]
    pub(super) fn footprint(&self) -> usize {
        size_of_val(self) + self.capture.footprint() + self.printed.chunk.borrow().capacity()
    }
}

fn comparison(accepted: bool, rejected: Option<WrongOutput>, capture: Capture) -> Comparison {
    let (rejection, difference) = rejected.map_or((None, None), |found| (Some(found.rejection), found.difference));
    let identical = false;
    let leniency = Leniency::default();
    let points = None;
    Comparison { accepted, identical, difference, leniency, rejection, points, capture }
}

impl OutputFeed {
    fn put(&self, chunk: &[u8]) {
        let mut kept = self.chunk.borrow_mut();
        kept.clear();
        kept.extend_from_slice(chunk);
        self.state.set(PrintedState::Fresh);
    }

    fn end(&self) {
        self.state.set(PrintedState::Ended);
    }

    /// Replaces `block` by the next chunk; false at the end of the output.
    pub(super) async fn take(&self, block: &mut Vec<u8>) -> bool {
        std::future::poll_fn(|_| match self.state.get() {
            PrintedState::Taken => Poll::Pending,
            PrintedState::Ended => Poll::Ready(false),
            PrintedState::Fresh => {
                std::mem::swap(&mut *self.chunk.borrow_mut(), block);
                self.state.set(PrintedState::Taken);
                Poll::Ready(true)
            }
        })
        .await
    }
}

/// Runs a checker to its decision.
async fn run(checker: StandardChecker, files: &mut Files<'_>) -> Decision {
    use StandardChecker as C;
    files.output.skip_mark().await.map_err(Stop::Unreadable)?;
    let mut points = None;
    match checker {
        C::Pointscmp => points = Some(single::points(files).await?),
        C::Pointsinfo => points = Some(single::points_info(files).await?),
        C::Acmp | C::Dcmp | C::Rcmp => single::number(files, formats::closeness(checker)).await?,
        C::Icmp => single::integer(files).await?,
        C::Hcmp => single::huge_integer(files).await?,
        C::Yesno => single::yes_or_no_once(files).await?,
        C::Rcmp4 | C::Rcmp6 | C::Rcmp9 | C::Rncmp => sequences::numbers(files, formats::closeness(checker)).await?,
        C::Ncmp => sequences::integers(files).await?,
        C::Nyesno => sequences::yes_and_no(files).await?,
        C::Wcmp => sequences::tokens(files).await?,
        C::Uncmp => unordered::integers(files).await?,
        C::Fcmp => lines::bytes(files).await?,
        C::Lcmp => lines::tokens(files).await?,
        C::Caseicmp => cases::one_integer(files).await?,
        C::Casencmp => cases::integers(files).await?,
        C::Casewcmp => cases::tokens(files).await?,
    }
    files.nothing_left().await?;
    Ok(points)
}
