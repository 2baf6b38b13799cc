//! Reports the progress of a run that another command makes for its own use.

use std::io;
use std::sync::Arc;

use crate::event::{Event, SubmissionRef, TestRef, TestResult};
use crate::record::{Report, Reporter};
use crate::workspace::listener::{Listener, Progress};

/// Reports the progress of a run to a listener.
pub(crate) struct Follower<F> {
    listener: Arc<dyn Listener>,
    /// Describes the current work when a test of a submission starts.
    what: F,
}

impl<F: Fn(&SubmissionRef) -> String> Follower<F> {
    pub(crate) fn new(listener: Arc<dyn Listener>, what: F) -> Self {
        Self { listener, what }
    }
}

impl<F: Fn(&SubmissionRef) -> String> Reporter for Follower<F> {
    fn test_started(&mut self, test: &TestRef) -> io::Result<()> {
        self.listener.progress(Progress::Doing(&(self.what)(&test.of)));
        Ok(())
    }

    fn test_finished(&mut self, _: &TestRef, _: &TestResult) -> io::Result<()> {
        self.listener.progress(Progress::Done);
        Ok(())
    }

    fn recorded(&mut self, event: &Event, _: &Report) -> io::Result<()> {
        if let Event::RunStarted(head) = event {
            let tests = head.problems.iter().map(|problem| problem.tests * problem.submissions.len()).sum();
            self.listener.progress(Progress::Begins(Some(tests)));
            self.listener.progress(Progress::Doing("compiling"));
        }
        Ok(())
    }

    fn finish(&mut self, _: &Report) -> io::Result<()> {
        self.listener.progress(Progress::Ends);
        Ok(())
    }
}
