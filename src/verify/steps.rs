//! How far the verification of one problem has come.

use std::sync::Arc;

use crate::workspace::listener::{Listener, Progress};

/// The steps of the verification of one problem, told to a listener.
pub(crate) struct Steps {
    listener: Arc<dyn Listener>,
    problem: String,
}

impl Steps {
    /// Of this problem.
    pub(crate) fn new(listener: Arc<dyn Listener>, problem: &str) -> Self {
        Self { listener, problem: problem.to_owned() }
    }

    /// A part begins, with so many steps.
    pub(crate) fn step(&self, what: &str, count: usize) {
        self.listener.progress(Progress::Begins(Some(count)));
        self.listener.progress(Progress::Doing(&format!("{}: {what}", self.problem)));
    }

    /// One of them is done.
    pub(crate) fn done(&self) {
        self.listener.progress(Progress::Done);
    }
}

impl Drop for Steps {
    fn drop(&mut self) {
        self.listener.progress(Progress::Ends);
    }
}
