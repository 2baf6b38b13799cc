//! Puts the events of different submissions one after the other, in plan order, and the notices behind them.

use std::collections::VecDeque;

use crate::diagnostic::Diagnostic;
use crate::event::{Event, SubmissionFinished, SubmissionRef};

/// Holds events back until their turn comes.
#[derive(Default)]
pub(super) struct Sequencer {
    /// The planned submissions.
    submissions: Vec<SubmissionRef>,
    /// The events of each submission whose turn has not come.
    waiting: Vec<VecDeque<Event>>,
    /// The first submission that has not finished.
    current: usize,
    /// The notices so far, in order of happening.
    notices: Vec<Diagnostic>,
}

impl Sequencer {
    /// Starts with the planned submissions.
    pub(super) fn begin(&mut self, submissions: Vec<SubmissionRef>) {
        self.waiting = vec![VecDeque::new(); submissions.len()];
        self.submissions = submissions;
    }

    /// Takes the next event of a submission, and passes on every event whose turn has come. Events about the run have
    /// their turn at once.
    pub(super) fn push(&mut self, event: Event, out: &mut Vec<Event>) {
        match event.of().map(|of| of.index) {
            Some(submission) => self.waiting[submission].push_back(event),
            None => out.push(event),
        }
        self.advance(out);
    }

    /// Keeps a notice. Notices come from all slots at any time, so they are recorded at the end.
    pub(super) fn keep(&mut self, notice: Diagnostic) {
        self.notices.push(notice);
    }

    fn advance(&mut self, out: &mut Vec<Event>) {
        while let Some(waiting) = self.waiting.get_mut(self.current) {
            let is_over = matches!(waiting.back(), Some(Event::SubmissionFinished(_)));
            out.extend(waiting.drain(..));
            if !is_over {
                return;
            }
            self.current += 1;
        }
    }

    /// Passes on the remaining events at the end of the run. A submission without an end was interrupted.
    pub(super) fn end(&mut self, out: &mut Vec<Event>) {
        for (submission, waiting) in self.submissions.iter().zip(&mut self.waiting).skip(self.current) {
            if !matches!(waiting.back(), Some(Event::SubmissionFinished(_))) {
                waiting.push_back(Event::SubmissionFinished(SubmissionFinished::interrupted(submission.clone())));
            }
        }
        self.advance(out);
        self.tell_notices(out);
    }

    /// Passes on the notices by problem in plan order, then by file and message.
    fn tell_notices(&mut self, out: &mut Vec<Event>) {
        let place = |notice: &Diagnostic| {
            let problem = notice.problem.as_ref();
            self.submissions.iter().position(|submission| Some(&submission.problem) == problem)
        };
        let mut notices = std::mem::take(&mut self.notices);
        notices.sort_by_cached_key(|notice| (place(notice), notice.path.clone(), notice.message.clone()));
        out.extend(notices.into_iter().map(Event::Notice));
    }
}
