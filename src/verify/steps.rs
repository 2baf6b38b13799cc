//! Reports the progress of the verification of one problem.

use std::sync::Arc;

use crate::workspace::listener::{Listener, Progress};

/// Sends the steps of one verification to a listener.
pub(crate) struct Steps {
    listener: Arc<dyn Listener>,
    problem: String,
}

impl Steps {
    /// Creates the steps of this problem's verification.
    pub(crate) fn new(listener: Arc<dyn Listener>, problem: &str) -> Self {
        Self { listener, problem: problem.to_owned() }
    }

    /// Starts a part with `count` steps.
    pub(crate) fn step(&self, what: &str, count: usize) {
        self.listener.progress(Progress::Begins(Some(count)));
        self.listener.progress(Progress::Doing(&format!("{}: {what}", self.problem)));
    }

    /// Counts one finished step.
    pub(crate) fn done(&self) {
        self.listener.progress(Progress::Done);
    }
}

impl Drop for Steps {
    fn drop(&mut self) {
        self.listener.progress(Progress::Ends);
    }
}
