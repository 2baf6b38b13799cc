//! The one progress bar.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::event::{Event, TestResult};

/// A bar on standard error, or nothing at all.
pub(super) struct Progress {
    bar: ProgressBar,
    accepted: usize,
    failed: usize,
}

impl Progress {
    /// Hidden unless `visible`: standard error is a terminal and the person wants it.
    pub(super) fn new(visible: bool) -> Self {
        let bar = if visible {
            ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::stderr_with_hz(10))
        } else {
            ProgressBar::hidden()
        };
        if let Ok(style) = ProgressStyle::with_template("{spinner} {pos}/{len} [{bar:20}] {eta} left · {wide_msg}") {
            bar.set_style(style.progress_chars("━╸ "));
        }
        Self { bar, accepted: 0, failed: 0 }
    }

    pub(super) fn start(&mut self, tests: usize) {
        self.bar.set_length(tests as u64);
        if !self.bar.is_hidden() {
            self.bar.enable_steady_tick(Duration::from_millis(100));
        }
    }

    pub(super) fn live(&mut self, event: &Event) {
        if self.bar.is_hidden() {
            return;
        }
        match event {
            Event::TestStarted(test) => {
                let what = format!("{}/{} {}", test.run.problem, test.run.submission, test.test);
                let counts = format!("{} AC, {} other · ", self.accepted, self.failed);
                self.bar.set_message(counts + &super::clean(&what));
            }
            Event::TestFinished(finished) => {
                match &finished.result {
                    TestResult::Judged(judged) if judged.verdict == crate::verdict::Verdict::Accepted => {
                        self.accepted += 1;
                    }
                    _ => self.failed += 1,
                }
                self.bar.inc(1);
            }
            _ => {}
        }
    }

    pub(super) fn recorded(&mut self, event: &Event) {
        if let Event::TestSkipped(_) = event {
            let length = self.bar.length().unwrap_or(0);
            self.bar.set_length(length.saturating_sub(1).max(self.bar.position()));
        }
    }

    /// Runs `print` with the bar out of the way.
    pub(super) fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bar.suspend(print)
    }

    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
