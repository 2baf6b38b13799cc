//! Receives notices and progress while work goes on.

use crate::diagnostic::Diagnostic;
/// Receives notices and progress while work goes on. The events of a run are reported separately.
pub trait Listener: Send + Sync {
    /// Receives a notice for a person, immediately.
    fn notice(&self, notice: &Diagnostic);

    /// Receives the progress of long work.
    fn progress(&self, _: Progress<'_>) {}

    /// Prints something while no progress is shown.
    fn aside(&self, print: &mut dyn FnMut()) {
        print();
    }
}

/// A step of long work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress<'a> {
    /// The work begins. Contains the number of steps, if known.
    Begins(Option<usize>),
    /// The current step, in words.
    Doing(&'a str),
    /// One more step is done.
    Done,
    /// The work has ended.
    Ends,
}

/// A listener that ignores everything.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Listener for Silent {
    fn notice(&self, _: &Diagnostic) {}
}
