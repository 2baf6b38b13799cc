//! What is being done, on standard error while it is done.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::cli::surroundings;
use crate::event::Event;
use crate::record::{Report, Reporter};

/// One bar for all that is done with a problem, or nothing where nobody looks.
pub(super) struct Progress {
    bar: ProgressBar,
    problem: String,
}

impl Progress {
    /// Hidden unless `wanted` and standard error is a terminal.
    pub(super) fn new(wanted: bool) -> Self {
        let bar = if wanted && surroundings::has_terminal() {
            ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::stderr_with_hz(10))
        } else {
            ProgressBar::hidden()
        };
        // A mistake in the template costs the look of the bar alone.
        if let Ok(style) = ProgressStyle::with_template("{spinner} {prefix}: {msg} {pos}/{len} [{bar:20}]") {
            bar.set_style(style.progress_chars("━╸ "));
        }
        Self { bar, problem: String::new() }
    }

    /// The problem that it is about from now on.
    pub(super) fn problem(&mut self, name: &str) {
        name.clone_into(&mut self.problem);
        self.bar.reset();
        self.bar.set_prefix(self.problem.clone());
        if !self.bar.is_hidden() {
            self.bar.enable_steady_tick(Duration::from_millis(100));
        }
    }

    /// The number of steps.
    pub(super) fn step(&self, what: &'static str, count: usize) {
        self.bar.set_message(what);
        self.bar.set_position(0);
        self.bar.set_length(count as u64);
    }

    /// One of them is done.
    pub(super) fn done(&self) {
        self.bar.inc(1);
    }

    /// Takes the bar away, so that something may be printed.
    pub(super) fn clear(&self) {
        self.bar.disable_steady_tick();
        self.bar.finish_and_clear();
    }

    /// A view of a run that moves the bar.
    pub(super) fn reporter(&self) -> Box<dyn Reporter> {
        Box::new(Mover(self.bar.clone()))
    }
}

struct Mover(ProgressBar);

impl Reporter for Mover {
    fn live(&mut self, event: &Event) -> std::io::Result<()> {
        if matches!(event, Event::TestFinished(_)) {
            self.0.inc(1);
        }
        Ok(())
    }

    fn recorded(&mut self, _: &Event, _: &Report) -> std::io::Result<()> {
        Ok(())
    }

    fn finish(&mut self, _: &Report) -> std::io::Result<()> {
        Ok(())
    }
}
