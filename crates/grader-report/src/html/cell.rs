//! The result of one test in a heat map: its letter, its class and its figures.

use std::time::Duration;

use crate::event::TestResult;
use crate::limits::Bytes;
use crate::record::SubmissionReport;
use crate::verdict::Verdict;

/// The result of one test. It is small because a page may have a hundred thousand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cell {
    pub(super) result: CellResult,
    /// Whether the sandbox killed the program, so that the time is a lower bound.
    killed: bool,
    cpu_us: u32,
    memory_kib: u32,
}

/// The result that a cell shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CellResult {
    Verdict(Verdict),
    /// The test has no answer, or no output was submitted.
    NotJudged,
    JudgeError,
    NotRun,
}

impl Cell {
    /// A test without a result.
    pub(super) const NOT_RUN: Self = Self { result: CellResult::NotRun, killed: false, cpu_us: 0, memory_kib: 0 };

    /// The cell of a finished test of a submission. Its time is provisional without the submission's report.
    pub(super) fn new(result: &TestResult, submission: Option<&SubmissionReport>) -> Self {
        let (result, measured) = match result {
            TestResult::Judged(judgement) => (CellResult::Verdict(judgement.verdict), Some(&judgement.measured)),
            TestResult::NotJudged { measured, .. } => (CellResult::NotJudged, Some(measured)),
            TestResult::JudgeError { .. } => (CellResult::JudgeError, None),
            TestResult::Cancelled => (CellResult::NotRun, None),
        };
        let verdict = if let CellResult::Verdict(verdict) = result { Some(verdict) } else { None };
        let time = measured
            .map(|measured| submission.map_or(measured.cpu, |submission| submission.time_of(verdict, measured)));
        Self {
            result,
            killed: measured.is_some_and(|measured| measured.killed),
            cpu_us: time.map_or(0, |time| u32::try_from(time.as_micros()).unwrap_or(u32::MAX)),
            memory_kib: measured.map_or(0, |measured| u32::try_from(measured.memory.0 / 1024).unwrap_or(u32::MAX)),
        }
    }

    /// Its result.
    pub(super) fn result(self) -> CellResult {
        self.result
    }

    /// The letter that the page shows. Its script knows what each means.
    pub(super) fn letter(self) -> char {
        match self.result {
            CellResult::Verdict(verdict) => verdict.letter(),
            CellResult::NotJudged => '?',
            CellResult::JudgeError => '!',
            CellResult::NotRun => '·',
        }
    }

    /// The class that gives the cell its colour and shape.
    pub(super) fn class(self) -> &'static str {
        match self.result {
            CellResult::Verdict(Verdict::Accepted) => "a",
            CellResult::Verdict(Verdict::WrongAnswer) => "w",
            CellResult::Verdict(Verdict::TimeLimit) => "t",
            CellResult::Verdict(Verdict::MemoryLimit) => "m",
            CellResult::Verdict(Verdict::OutputLimit) => "o",
            CellResult::Verdict(Verdict::RunTimeError | Verdict::CompileError) => "r",
            CellResult::NotJudged => "q",
            CellResult::JudgeError => "j",
            CellResult::NotRun => "n",
        }
    }

    pub(super) fn verdict(self) -> Option<Verdict> {
        match self.result {
            CellResult::Verdict(verdict) => Some(verdict),
            _ => None,
        }
    }

    /// Whether the program failed the test.
    pub(super) fn is_failure(self) -> bool {
        self.verdict().is_some_and(|verdict| verdict != Verdict::Accepted)
    }

    /// Whether a program was measured.
    pub(super) fn is_measured(self) -> bool {
        matches!(self.result, CellResult::Verdict(_) | CellResult::NotJudged)
    }

    /// User + system time.
    pub(super) fn cpu(self) -> Duration {
        Duration::from_micros(u64::from(self.cpu_us))
    }

    /// Peak memory.
    pub(super) fn memory(self) -> Bytes {
        Bytes::kib(u64::from(self.memory_kib))
    }

    /// Milliseconds (negative: a lower bound) and KiB.
    pub(super) fn figures(self) -> [f64; 2] {
        let millis = f64::from(self.cpu_us / 100) / 10.0;
        [if self.killed { -millis } else { millis }, f64::from(self.memory_kib)]
    }
}
