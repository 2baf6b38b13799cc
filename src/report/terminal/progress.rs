//! The one progress bar.

use std::time::Duration;

use console::Term;
use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::event::{Event, RunRef, RunStarted, TestResult};

/// A terminal with fewer columns has no room for the bar itself.
const NARROW: u16 = 64;

/// A bar on standard error, or nothing at all.
pub(super) struct Progress {
    bar: ProgressBar,
    accepted: usize,
    failed: usize,
    work: Work,
}

/// What is still to be done, by what it took the last time.
#[derive(Debug, Default, PartialEq, Eq)]
struct Work {
    /// Tests of each submission that are not over, and the time of one of them where it is known.
    left: Vec<(usize, Option<Duration>)>,
    slots: u32,
}

impl Work {
    fn new(head: &RunStarted) -> Self {
        let of = head
            .problems
            .iter()
            .flat_map(|problem| problem.submissions.iter().map(|submission| (problem.tests, submission.last_wall)));
        Self { left: of.collect(), slots: u32::try_from(head.measured.slots).unwrap_or(1).max(1) }
    }

    fn done(&mut self, run: &RunRef) {
        if let Some((tests, _)) = self.left.get_mut(run.run) {
            *tests = tests.saturating_sub(1);
        }
    }

    /// None where nothing is known of most tests: then the pace so far says more.
    fn time_left(&self) -> Option<Duration> {
        let known = || self.left.iter().filter_map(|(tests, time)| Some((*tests, (*time)?)));
        let all: usize = self.left.iter().map(|(tests, _)| tests).sum();
        let tests: usize = known().map(|(tests, _)| tests).sum();
        let time: Duration = known().map(|(tests, time)| time * u32::try_from(tests).unwrap_or(u32::MAX)).sum();
        if tests == 0 || tests * 2 < all {
            return None;
        }
        // What was never measured takes about as long as the rest.
        #[expect(clippy::cast_precision_loss, reason = "a guess")]
        Some(time.mul_f64(all as f64 / tests as f64) / self.slots)
    }
}

impl Progress {
    /// Hidden unless `visible`: standard error is a terminal and the person wants it.
    pub(super) fn new(visible: bool) -> Self {
        let bar = if visible {
            ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::stderr_with_hz(10))
        } else {
            ProgressBar::hidden()
        };
        let narrow = Term::stderr().size_checked().is_some_and(|(_, columns)| columns < NARROW);
        let gauge = if narrow { "" } else { "[{bar:20}] " };
        let template = format!("{{spinner}} {{pos}}/{{len}} {gauge}{{prefix}} left · {{wide_msg}}");
        if let Ok(style) = ProgressStyle::with_template(&template) {
            bar.set_style(style.progress_chars("━╸ "));
        }
        Self { bar, accepted: 0, failed: 0, work: Work::default() }
    }

    pub(super) fn start(&mut self, head: &RunStarted) {
        self.work = Work::new(head);
        self.bar.set_length(self.work.left.iter().map(|(tests, _)| *tests as u64).sum());
        self.tell_time();
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
                self.work.done(&finished.test.run);
                self.tell_time();
            }
            _ => {}
        }
    }

    pub(super) fn recorded(&mut self, event: &Event) {
        if let Event::TestSkipped(skipped) = event {
            self.work.done(&skipped.test.run);
            let length = self.bar.length().unwrap_or(0);
            self.bar.set_length(length.saturating_sub(1).max(self.bar.position()));
        }
    }

    fn tell_time(&self) {
        if !self.bar.is_hidden() {
            let left = self.work.time_left().unwrap_or_else(|| self.bar.eta());
            self.bar.set_prefix(HumanDuration(left).to_string());
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

#[cfg(test)]
mod tests {
    use super::*;

    fn run(run: usize) -> RunRef {
        RunRef { run, problem: "p".into(), submission: "s".into() }
    }

    #[test]
    fn the_time_left_is_that_of_the_last_time() {
        let second = Duration::from_secs(1);
        let mut work = Work { left: vec![(10, Some(second)), (10, Some(second / 2))], slots: 2 };
        assert_eq!(work.time_left(), Some(second * 15 / 2));
        for _ in 0..10 {
            work.done(&run(0));
        }
        assert_eq!(work.time_left(), Some(second * 5 / 2));
        // Events of a record that has no such submission do no harm.
        work.done(&run(7));
        work.done(&run(0));
    }

    #[test]
    fn unknown_tests_are_like_the_known_ones_where_those_are_most() {
        let second = Duration::from_secs(1);
        let work = Work { left: vec![(6, Some(second)), (3, None)], slots: 1 };
        assert_eq!(work.time_left(), Some(second * 9));
        let work = Work { left: vec![(3, Some(second)), (6, None)], slots: 1 };
        assert_eq!(work.time_left(), None);
        assert_eq!(Work::default().time_left(), None);
    }
}
