//! The record of a run: its events in plan order, and the report that summarises them. Reporters show one or both.

mod labelled;
mod report;
mod sequence;

use std::io;

pub(crate) use report::margins_of;
pub use report::{Counts, Disputed, Report, SubmissionReport, TestSummary};
pub(crate) use sequence::Track;

use crate::event::Event;
use sequence::Sequencer;

/// A view of a run.
pub(crate) trait Reporter {
    /// Called for each event as it happens, for progress displays; most reporters ignore it.
    fn live(&mut self, event: &Event) -> io::Result<()> {
        let _ = event;
        Ok(())
    }

    /// Called for each event in plan order, after it was added to `report`.
    fn recorded(&mut self, event: &Event, report: &Report) -> io::Result<()>;

    /// Called at the end of the run.
    fn finish(&mut self, report: &Report) -> io::Result<()>;
}

/// Turns live events into the record: puts them in plan order, updates the report and informs every reporter.
pub(crate) struct Recorder<'a> {
    sequencer: Sequencer,
    report: Report,
    reporters: Vec<Box<dyn Reporter + 'a>>,
}

impl<'a> Recorder<'a> {
    /// Creates a recorder. `tracks` has one entry for each planned submission, in plan order.
    pub(crate) fn new(tracks: Vec<Track>, reporters: Vec<Box<dyn Reporter + 'a>>) -> Self {
        Self { sequencer: Sequencer::new(tracks), report: Report::default(), reporters }
    }

    /// Records an event at once, without sequencing. For events from before the first program runs, or from an existing
    /// record.
    pub(crate) fn record(&mut self, event: &Event) -> io::Result<()> {
        self.tell(event)?;
        self.fold(event)
    }

    /// Takes one live event.
    pub(crate) fn push(&mut self, event: Event) -> io::Result<()> {
        self.tell(&event)?;
        let mut recorded = Vec::new();
        self.sequencer.push(event, &mut recorded);
        recorded.iter().try_for_each(|event| self.fold(event))
    }

    fn tell(&mut self, event: &Event) -> io::Result<()> {
        self.reporters.iter_mut().try_for_each(|reporter| reporter.live(event))
    }

    fn fold(&mut self, event: &Event) -> io::Result<()> {
        self.report.apply(event);
        self.reporters.iter_mut().try_for_each(|reporter| reporter.recorded(event, &self.report))
    }

    /// Finishes every reporter and returns the report.
    pub(crate) fn finish(mut self) -> io::Result<Report> {
        for reporter in &mut self.reporters {
            reporter.finish(&self.report)?;
        }
        Ok(self.report)
    }
}
