//! Progress bars on standard error, for any work and for a run.

use std::io;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use console::Term;
use indicatif::{HumanDuration, MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::canvas::Canvas;

use crate::event::{Event, RunStarted, SubmissionRef, TestRef, TestResult};
use crate::record::{Report, Reporter};
use crate::text::Screen;
use crate::verdict::Verdict;

/// On a terminal with fewer columns, only the counts are shown, without the bar.
const NARROW: u16 = 64;

/// Holds all bars of this process, so that printing hides all of them.
static SCREEN: LazyLock<MultiProgress> = LazyLock::new(|| {
    MultiProgress::with_draw_target(ProgressDrawTarget::term_like_with_hz(Box::new(Canvas::new()), 10))
});

/// A progress bar on standard error; it may be hidden.
pub struct Bar(ProgressBar);

impl Bar {
    /// Creates a bar, hidden unless `visible`.
    pub fn new(visible: bool) -> Self {
        let bar = if visible { SCREEN.add(ProgressBar::no_length()) } else { ProgressBar::hidden() };
        // Otherwise a notice before the beginning would draw an empty bar below it.
        bar.finish_and_clear();
        Self(bar)
    }

    /// Starts the bar. `steps` is the number of steps if known.
    pub fn begin(&self, steps: Option<usize>) {
        let narrow = Term::stderr().size_checked().is_some_and(|(_, columns)| columns < NARROW);
        let template = match steps {
            None => "{spinner} {wide_msg}",
            Some(_) if narrow => "{spinner} {pos}/{len} {prefix}{wide_msg}",
            Some(_) => "{spinner} {pos}/{len} [{bar:20}] {prefix}{wide_msg}",
        };
        // If the template has a mistake, the bar only looks different.
        if let Ok(style) = ProgressStyle::with_template(template) {
            let style = style.progress_chars(&Screen::current().signs("━╸ "));
            self.0.set_style(if Screen::current().ascii { style.tick_chars("|/-\\ ") } else { style });
        }
        self.0.reset();
        self.0.set_message("");
        if let Some(steps) = steps {
            self.0.set_length(steps as u64);
        }
        if !self.0.is_hidden() {
            self.0.enable_steady_tick(Duration::from_millis(100));
        }
    }

    /// Shows the current activity.
    pub fn message(&self, what: &str) {
        if !self.0.is_hidden() {
            self.0.set_message(Screen::current().signs(&super::clean(what)).into_owned());
        }
    }

    /// Counts one finished step.
    pub fn step(&self) {
        self.0.inc(1);
        // A test that was already running when it became unnecessary still counts, so the total may grow.
        if let Some(length) = self.0.length() {
            self.0.set_length(length.max(self.0.position()));
        }
    }

    /// Removes the bar.
    pub fn end(&self) {
        self.0.disable_steady_tick();
        self.0.finish_and_clear();
    }

    /// Hides all bars while `print` runs.
    pub fn suspend<T>(print: impl FnOnce() -> T) -> T {
        SCREEN.suspend(print)
    }
}

/// The bar of a run.
pub(super) struct Progress {
    bar: Bar,
    accepted: usize,
    failed: usize,
    work: Work,
    /// When the first test started. Compiling says nothing about the pace of tests.
    begun: Option<Instant>,
}

/// The number of finished tests and the time after which the pace so far is worth showing.
const ENOUGH: (u64, Duration) = (5, Duration::from_secs(3));

/// The time left if the other tests take as long as those so far; none while that is a guess.
fn time_left_at(done: u64, left: u64, elapsed: Duration) -> Option<Duration> {
    #[expect(clippy::cast_precision_loss, reason = "a guess")]
    (done >= ENOUGH.0 && elapsed >= ENOUGH.1).then(|| elapsed.mul_f64(left as f64 / done as f64))
}

/// The remaining work, estimated from the times of earlier runs.
#[derive(Debug, Default, PartialEq, Eq)]
struct Work {
    /// For each submission: the number of tests left, and the time of one test if known.
    left: Vec<(usize, Option<Duration>)>,
    slots: u32,
    /// The estimate for all tests at the beginning.
    all: Duration,
}

impl Work {
    fn new(head: &RunStarted) -> Self {
        let of = head
            .problems
            .iter()
            .flat_map(|problem| problem.submissions.iter().map(|submission| (problem.tests, submission.last_wall)));
        let left: Vec<_> = of.collect();
        let slots = u32::try_from(head.measured.slots).unwrap_or(1).max(1);
        let work = Self { left, slots, all: Duration::ZERO };
        Self { all: work.time_left().unwrap_or_default(), ..work }
    }

    /// Whether the tests take about as long as the last time: a program may have become slower since. A test that has
    /// started may take as long as the longest, and a second does not count.
    fn is_as_before(&self, elapsed: Duration, left: Duration) -> bool {
        let longest = self.left.iter().filter_map(|(_, time)| *time).max().unwrap_or_default();
        elapsed <= (self.all.saturating_sub(left) + longest) * 2 + Duration::from_secs(1)
    }

    fn done(&mut self, submission: &SubmissionRef) {
        if let Some((tests, _)) = self.left.get_mut(submission.index.0) {
            *tests = tests.saturating_sub(1);
        }
    }

    /// The estimated time left. None if most tests have no known time: then the pace so far is a better estimate.
    fn time_left(&self) -> Option<Duration> {
        let known = || self.left.iter().filter_map(|(tests, time)| Some((*tests, (*time)?)));
        let all: usize = self.left.iter().map(|(tests, _)| tests).sum();
        let tests: usize = known().map(|(tests, _)| tests).sum();
        let time: Duration = known().map(|(tests, time)| time * u32::try_from(tests).unwrap_or(u32::MAX)).sum();
        if tests == 0 || tests * 2 < all {
            return None;
        }
        // Assume that an unmeasured test takes about as long as the rest.
        #[expect(clippy::cast_precision_loss, reason = "a guess")]
        Some(time.mul_f64(all as f64 / tests as f64) / self.slots)
    }
}

impl Progress {
    /// Creates a bar, hidden unless `visible`.
    pub(super) fn new(visible: bool) -> Self {
        Self { bar: Bar::new(visible), accepted: 0, failed: 0, work: Work::default(), begun: None }
    }

    fn start(&mut self, head: &RunStarted) {
        self.work = Work::new(head);
        self.bar.begin(Some(self.work.left.iter().map(|(tests, _)| *tests).sum()));
        self.tell_time();
        self.bar.message("compiling");
    }

    fn tell_time(&self) {
        let bar = &self.bar.0;
        if !bar.is_hidden() {
            let done = bar.position();
            let all = bar.length().unwrap_or(0);
            let pace = || time_left_at(done, all.saturating_sub(done), self.begun?.elapsed());
            let elapsed = self.begun.map(|begun| begun.elapsed()).unwrap_or_default();
            let as_before = self.work.time_left().filter(|left| self.work.is_as_before(elapsed, *left));
            let left = as_before.or_else(pace);
            bar.set_prefix(left.map_or(String::new(), |left| {
                Screen::current().signs(&format!("{} left · ", HumanDuration(left))).into_owned()
            }));
        }
    }
}

impl Reporter for Progress {
    fn test_started(&mut self, test: &TestRef) -> io::Result<()> {
        if self.bar.0.is_hidden() {
            return Ok(());
        }
        self.begun.get_or_insert_with(Instant::now);
        let SubmissionRef { problem, submission, .. } = &test.of;
        let accepted = self.accepted;
        let failed = self.failed;
        self.bar.message(&format!("{accepted} AC, {failed} other · {problem}/{submission} {}", test.test));
        Ok(())
    }

    fn test_finished(&mut self, test: &TestRef, result: &TestResult) -> io::Result<()> {
        if self.bar.0.is_hidden() {
            return Ok(());
        }
        match result {
            TestResult::Judged(judged) if judged.verdict == Verdict::Accepted => self.accepted += 1,
            _ => self.failed += 1,
        }
        self.bar.step();
        self.work.done(&test.of);
        self.tell_time();
        Ok(())
    }

    fn recorded(&mut self, event: &Event, _: &Report) -> io::Result<()> {
        match event {
            Event::RunStarted(head) => self.start(head),
            Event::TestSkipped(skipped) => {
                self.work.done(&skipped.test.of);
                let bar = &self.bar.0;
                bar.set_length(bar.length().unwrap_or(0).saturating_sub(1).max(bar.position()));
            }
            _ => {}
        }
        Ok(())
    }

    fn finish(&mut self, _: &Report) -> io::Result<()> {
        self.bar.end();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::SubmissionIndex;

    fn submission(index: usize) -> SubmissionRef {
        SubmissionRef { index: SubmissionIndex(index), problem: "p".into(), submission: "s".into() }
    }

    #[test]
    fn the_time_left_is_that_of_the_last_time() {
        let second = Duration::from_secs(1);
        let mut work = Work { left: vec![(10, Some(second)), (10, Some(second / 2))], slots: 2, all: second * 15 / 2 };
        assert_eq!(work.time_left(), Some(second * 15 / 2));
        for _ in 0..10 {
            work.done(&submission(0));
        }
        assert_eq!(work.time_left(), Some(second * 5 / 2));
        assert!(work.is_as_before(second * 5, second * 5 / 2), "five seconds of work took five");
        assert!(!work.is_as_before(second * 14, second * 5 / 2), "it is much slower than before");
        // The record has no such submission: its events are ignored.
        work.done(&submission(7));
        work.done(&submission(0));
    }

    #[test]
    fn the_pace_is_shown_once_it_is_worth_something() {
        let second = Duration::from_secs(1);
        assert_eq!(time_left_at(1, 99, second * 34), None, "one test says little about the others");
        assert_eq!(time_left_at(50, 50, second), None);
        assert_eq!(time_left_at(10, 20, second * 5), Some(second * 10));
    }

    #[test]
    fn unknown_tests_are_like_the_known_ones_where_those_are_most() {
        let second = Duration::from_secs(1);
        let work = Work { left: vec![(6, Some(second)), (3, None)], slots: 1, ..Work::default() };
        assert_eq!(work.time_left(), Some(second * 9));
        let work = Work { left: vec![(3, Some(second)), (6, None)], slots: 1, ..Work::default() };
        assert_eq!(work.time_left(), None);
        assert_eq!(Work::default().time_left(), None);
    }
}
