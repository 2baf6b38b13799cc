//! Whoever is told what happens while work goes on.

use crate::event::Notice;

/// Is told what happens while work goes on. A run also tells its events, one by one.
pub trait Listener: Send + Sync {
    /// Something that a person should know, at once.
    fn notice(&self, notice: &Notice);

    /// How far long work has come.
    fn progress(&self, _: Progress<'_>) {}

    /// Prints something while no progress is shown.
    fn aside(&self, print: &mut dyn FnMut()) {
        print();
    }
}

/// A step of long work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress<'a> {
    /// It begins, with so many steps if that is known.
    Begins(Option<usize>),
    /// This is being done now.
    Doing(&'a str),
    /// One more step is done.
    Done,
    /// It has ended.
    Ends,
}

/// Listens to nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Listener for Silent {
    fn notice(&self, _: &Notice) {}
}
