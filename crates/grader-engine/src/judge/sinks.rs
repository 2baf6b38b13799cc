//! Receives a program's output while it runs: compares it, or writes it to a file for a validator.

use std::fs::File;
use std::io::{self, Seek, Write};

use super::JudgeError;
use super::case::Case;
use super::compare::{AnswerFault, Capture, Comparator, CompareError, Comparison};
use super::other_judges::OtherCheckers;
use crate::problem::{Checker, named};
use crate::sandbox::Sink;

/// The most standard error that is kept, in bytes.
pub(super) const STDERR_CAP: usize = 64 * 1024;

/// Compares an output with the answer while the program runs.
pub(super) struct Compare {
    comparator: Comparator<'static>,
    /// The comparisons for other judges.
    others: Vec<(Checker, Comparator<'static>)>,
    error: Option<io::Error>,
    stderr: Vec<u8>,
}

impl Compare {
    /// Starts a comparison with the answer of a case, by its own checker. If the run asks for other judges' verdicts,
    /// also compares by their checkers. Without an answer, it only keeps the output.
    pub(super) fn new(case: &Case) -> Result<Self, JudgeError> {
        let (checker, others) = match &case.answer {
            Some(_) => (case.checker, case.other_checkers()),
            None => (Checker::Exact, Vec::new()),
        };
        let unreadable = |error| JudgeError::other(format!("{}: {error}", named(case.answer())));
        let answer = || case.open_answer().map_err(unreadable);
        let comparator = Comparator::new(checker, answer()?);
        let others =
            others.into_iter().map(|checker| answer().map(|answer| (checker, Comparator::new(checker, answer))));
        let others = others.collect::<Result<_, _>>()?;
        Ok(Self { comparator, others, error: None, stderr: Vec::new() })
    }

    /// Ends the comparison of a complete output. An error means that the answer could not be read.
    pub(super) fn finish(self) -> io::Result<ComparedOutput> {
        if let Some(error) = self.error {
            return Err(error);
        }
        let others = self.others.into_iter();
        let others = others.map(|(checker, comparator)| match comparator.finish() {
            Ok(comparison) => Ok((checker, comparison.accepted)),
            // Only checkers that compare by tokens are asked for other judges, and they accept any answer.
            Err(CompareError::Answer { fault, .. }) => Err(io::Error::other(fault.to_string())),
            Err(CompareError::Unreadable(error)) => Err(error),
        });
        let others = OtherCheckers(others.collect::<io::Result<_>>()?);
        let comparison = match self.comparator.finish() {
            Ok(comparison) => Ok(comparison),
            Err(CompareError::Answer { fault, capture }) => Err((fault, capture)),
            Err(CompareError::Unreadable(error)) => return Err(error),
        };
        Ok(ComparedOutput { comparison, others, stderr: self.stderr })
    }
}

/// The result of comparing an output.
pub(crate) struct ComparedOutput {
    /// The comparison, or why the answer permits none, with the kept part of the output.
    pub comparison: Result<Comparison, (AnswerFault, Box<Capture>)>,
    /// Which checkers of other judges accept the output.
    pub others: OtherCheckers,
    pub stderr: Vec<u8>,
}

impl Sink for Compare {
    fn stdout(&mut self, bytes: &[u8]) {
        if self.error.is_none() {
            let others = self.others.iter_mut().map(|(_, comparator)| comparator.feed(bytes));
            let fed = others.chain([self.comparator.feed(bytes)]).collect::<io::Result<Vec<()>>>();
            self.error = fed.err();
        }
    }

    fn stderr(&mut self, bytes: &[u8]) {
        keep_head(&mut self.stderr, bytes);
    }
}

fn keep_head(kept: &mut Vec<u8>, bytes: &[u8]) {
    let room = STDERR_CAP.saturating_sub(kept.len());
    kept.extend_from_slice(&bytes[..bytes.len().min(room)]);
}

/// Writes an output to an anonymous file for a validator.
pub(super) struct Spool {
    file: File,
    error: Option<io::Error>,
    stderr: Vec<u8>,
}

impl Spool {
    pub(super) fn new() -> Result<Self, JudgeError> {
        let failed = |error| JudgeError::other(format!("cannot create a temporary file: {error}"));
        let file = tempfile::tempfile().map_err(failed)?;
        Ok(Self { file, error: None, stderr: Vec::new() })
    }

    /// Returns the file, positioned at its beginning, and the standard error.
    pub(super) fn finish(mut self) -> Result<(File, Vec<u8>), JudgeError> {
        let rewound = self.file.rewind();
        match self.error.or(rewound.err()) {
            Some(error) => Err(JudgeError::other(format!("cannot keep an output: {error}"))),
            None => Ok((self.file, self.stderr)),
        }
    }
}

impl Sink for Spool {
    fn stdout(&mut self, bytes: &[u8]) {
        if self.error.is_none() {
            self.error = self.file.write_all(bytes).err();
        }
    }

    fn stderr(&mut self, bytes: &[u8]) {
        keep_head(&mut self.stderr, bytes);
    }
}
