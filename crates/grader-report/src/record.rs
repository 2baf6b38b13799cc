//! The record of a run: its events in plan order, and the report that summarises them. Reporters show one or both.

mod finished;
mod labelled;
mod report;
mod sequence;

use std::io;

pub use finished::{FinishedSubmission, TestRow};
pub use report::margins_of;
pub use report::{Counts, DisputedTest, Report, SubmissionReport, TestSummary};

use crate::diagnostic::Diagnostic;
use crate::event::{Event, Message, RunFinished, TestRef, TestResult, Update};
use sequence::Sequencer;

/// A view of a run.
pub trait Reporter {
    /// Called once before the first event, for every reporter before any of them writes.
    fn begin(&mut self) -> io::Result<()> {
        Ok(())
    }

    /// Called for each notice as soon as it is known.
    fn notice(&mut self, notice: &Diagnostic) -> io::Result<()> {
        let _ = notice;
        Ok(())
    }

    /// Called when a test starts, in any order.
    fn test_started(&mut self, test: &TestRef) -> io::Result<()> {
        let _ = test;
        Ok(())
    }

    /// Called when a test has finished, in any order.
    fn test_finished(&mut self, test: &TestRef, result: &TestResult) -> io::Result<()> {
        let _ = (test, result);
        Ok(())
    }

    /// Called for each event in plan order, after it was added to `report`.
    fn recorded(&mut self, event: &Event, report: &Report) -> io::Result<()> {
        let _ = (event, report);
        Ok(())
    }

    /// Whether `submission` needs the tests. If no reporter does, a long run need not keep them.
    fn wants_tests(&self) -> bool {
        false
    }

    /// Called for each finished submission, in plan order, after its last event.
    fn submission(&mut self, of: &FinishedSubmission<'_>) -> io::Result<()> {
        let _ = of;
        Ok(())
    }

    /// Called at the end of the run.
    fn finish(&mut self, report: &Report) -> io::Result<()>;

    /// Asked after the end: the errors of files that were not written, while everything else continued.
    fn failures(&self) -> Vec<Diagnostic> {
        Vec::new()
    }
}

/// Writes the record: puts events in plan order, adds them to the report and informs every reporter.
pub struct Recorder<'a> {
    sequencer: Sequencer,
    report: Report,
    /// The tests of the submission whose events are being recorded.
    tests: Vec<TestRow>,
    wants_tests: bool,
    reporters: Vec<Box<dyn Reporter + 'a>>,
}

impl<'a> Recorder<'a> {
    /// Creates a recorder.
    pub fn new(reporters: Vec<Box<dyn Reporter + 'a>>) -> Self {
        Self {
            sequencer: Sequencer::default(),
            report: Report::default(),
            tests: Vec::new(),
            wants_tests: reporters.iter().any(|reporter| reporter.wants_tests()),
            reporters,
        }
    }

    /// Records an event at once. For events from before the first program runs, or from an existing record.
    pub fn record(&mut self, event: Event) -> io::Result<()> {
        match &event {
            Event::RunStarted(head) => {
                self.sequencer.begin(head.submissions());
                self.each(|reporter| reporter.begin())?;
            }
            Event::Notice(notice) => self.each(|reporter| reporter.notice(notice))?,
            Event::TestFinished(finished) => {
                self.each(|reporter| reporter.test_finished(&finished.test, &finished.result))?;
            }
            _ => {}
        }
        self.fold(event)
    }

    /// Takes an update, or the next event of a submission.
    pub fn push(&mut self, message: Message) -> io::Result<()> {
        match message {
            Message::Update(Update::Notice(notice)) => {
                self.each(|reporter| reporter.notice(&notice))?;
                self.sequencer.keep(notice);
                Ok(())
            }
            Message::Update(Update::TestStarted(test)) => self.each(|reporter| reporter.test_started(&test)),
            Message::Update(Update::TestFinished { test, result }) => {
                self.each(|reporter| reporter.test_finished(&test, &result))
            }
            // They are for others, who keep a ledger of their own.
            Message::Update(Update::Built(_) | Update::Graded(_)) => Ok(()),
            Message::Event(event) => {
                let mut recorded = Vec::new();
                self.sequencer.push(event, &mut recorded);
                recorded.into_iter().try_for_each(|event| self.fold(event))
            }
        }
    }

    /// Ends the record. Submissions without a result are recorded as interrupted.
    pub fn end(&mut self, end: RunFinished) -> io::Result<()> {
        let mut recorded = Vec::new();
        self.sequencer.end(&mut recorded);
        recorded.into_iter().chain([Event::RunFinished(end)]).try_for_each(|event| self.fold(event))
    }

    fn each(&mut self, tell: impl Fn(&mut dyn Reporter) -> io::Result<()>) -> io::Result<()> {
        self.reporters.iter_mut().try_for_each(|reporter| tell(&mut **reporter))
    }

    fn fold(&mut self, event: Event) -> io::Result<()> {
        self.report.apply(&event);
        let finished = match &event {
            Event::SubmissionFinished(finished) => {
                FinishedSubmission::new(&self.report, finished.of.index.0, &self.tests)
            }
            _ => None,
        };
        for reporter in &mut self.reporters {
            reporter.recorded(&event, &self.report)?;
            if let Some(finished) = &finished {
                reporter.submission(finished)?;
            }
        }
        match event {
            Event::TestFinished(finished) if self.wants_tests => self.tests.push(TestRow::Finished(finished)),
            Event::TestSkipped(skipped) if self.wants_tests => self.tests.push(TestRow::Skipped(skipped)),
            Event::SubmissionFinished(_) => self.tests.clear(),
            _ => {}
        }
        Ok(())
    }

    /// Finishes every reporter. Returns the report, and the errors of the files that were not written.
    pub fn finish(mut self) -> io::Result<(Report, Vec<Diagnostic>)> {
        for reporter in &mut self.reporters {
            reporter.finish(&self.report)?;
        }
        let unwritten = self.reporters.iter().flat_map(|reporter| reporter.failures()).collect();
        Ok((self.report, unwritten))
    }
}
