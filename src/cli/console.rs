//! Shows notices and progress on standard error while a command works.

use std::io::{self, Write};

use crate::cli::environment;
use crate::diagnostic::Diagnostic;

use crate::report::terminal::notice_lines;
use crate::report::terminal::progress::Bar;
use crate::report::text::Paint;
use crate::workspace::listener::{Listener, Progress};

/// The listener that prints to the user's terminal.
pub(super) struct Console {
    paint: Paint,
    bar: Bar,
}

impl Console {
    /// Uses these colours; shows no bar unless standard error is a terminal.
    pub(super) fn new(paint: Paint) -> Self {
        Self { paint, bar: Bar::new(environment::has_terminal()) }
    }
}

impl Listener for Console {
    fn notice(&self, notice: &Diagnostic) {
        Bar::suspend(|| show_notice(notice, self.paint));
    }

    fn progress(&self, progress: Progress<'_>) {
        match progress {
            Progress::Begins(steps) => self.bar.begin(steps),
            Progress::Doing(what) => self.bar.message(what),
            Progress::Done => self.bar.step(),
            Progress::Ends => self.bar.end(),
        }
    }

    fn aside(&self, print: &mut dyn FnMut()) {
        Bar::suspend(print);
    }
}

/// Shows a notice on standard error.
pub(super) fn show_notice(notice: &Diagnostic, paint: Paint) {
    let mut err = io::stderr().lock();
    // Without a current directory, paths are shown in full.
    let here = std::env::current_dir().unwrap_or_default();
    for line in notice_lines(notice, &here) {
        // If standard error is closed, nothing can be reported any more.
        let _ = writeln!(err, "{}", line.render(paint));
    }
}
