//! The progress bar of a run.

use std::io;
use std::time::Duration;

use console::Term;
use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::event::{Event, RunRef, RunStarted, TestResult};
use crate::problem::ProblemId;
use crate::record::{Report, Reporter};

/// A terminal with fewer columns has no room for the bar itself.
const NARROW: u16 = 64;

/// A bar on standard error, or nothing at all.
pub struct Progress {
    bar: ProgressBar,
    purpose: Purpose,
    problems: Vec<ProblemId>,
    accepted: usize,
    failed: usize,
    work: Work,
}

/// What programs are run for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// Their verdicts.
    Judging,
    /// Their times, from which the limits of problems follow.
    Measuring,
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
    pub fn new(purpose: Purpose, visible: bool) -> Self {
        let bar = if visible {
            ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::stderr_with_hz(10))
        } else {
            ProgressBar::hidden()
        };
        let narrow = Term::stderr().size_checked().is_some_and(|(_, columns)| columns < NARROW);
        let gauge = if narrow { "" } else { "[{bar:20}] " };
        let template = format!("{{spinner}} {{pos}}/{{len}} {gauge}{{prefix}}{{wide_msg}}");
        // A mistake in the template costs the look of the bar alone.
        if let Ok(style) = ProgressStyle::with_template(&template) {
            bar.set_style(style.progress_chars("━╸ "));
        }
        Self { bar, purpose, problems: Vec::new(), accepted: 0, failed: 0, work: Work::default() }
    }

    fn start(&mut self, head: &RunStarted) {
        self.work = Work::new(head);
        self.problems = head.problems.iter().map(|head| head.problem.clone()).collect();
        self.bar.set_length(self.work.left.iter().map(|(tests, _)| *tests as u64).sum());
        self.tell_time();
        self.bar.set_message("compiling");
        if !self.bar.is_hidden() {
            self.bar.enable_steady_tick(Duration::from_millis(100));
        }
    }

    /// What goes before the name of what runs.
    fn state(&self, problem: &ProblemId) -> String {
        match self.purpose {
            Purpose::Judging => format!("{} AC, {} other · ", self.accepted, self.failed),
            Purpose::Measuring => {
                let at = self.problems.iter().position(|other| other == problem).unwrap_or(0) + 1;
                format!("time limits, problem {at} of {} · ", self.problems.len())
            }
        }
    }

    fn tell_time(&self) {
        if !self.bar.is_hidden() {
            // Before the first test is over its pace says nothing.
            let pace = || (self.bar.position() > 0).then(|| self.bar.eta());
            let left = self.work.time_left().or_else(pace);
            self.bar.set_prefix(left.map_or(String::new(), |left| format!("{} left · ", HumanDuration(left))));
        }
    }

    /// Runs `print` with the bar out of the way.
    pub(super) fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bar.suspend(print)
    }
}

impl Reporter for Progress {
    fn live(&mut self, event: &Event) -> io::Result<()> {
        if self.bar.is_hidden() {
            return Ok(());
        }
        match event {
            Event::TestStarted(test) => {
                let what = format!("{}/{} {}", test.run.problem, test.run.submission, test.test);
                self.bar.set_message(self.state(&test.run.problem) + &super::clean(&what));
            }
            Event::TestFinished(finished) => {
                match &finished.result {
                    TestResult::Judged(judged) if judged.verdict == crate::verdict::Verdict::Accepted => {
                        self.accepted += 1;
                    }
                    _ => self.failed += 1,
                }
                self.bar.inc(1);
                // One that was under way when it turned out not to be needed ends all the same.
                self.bar.set_length(self.bar.length().unwrap_or(0).max(self.bar.position()));
                self.work.done(&finished.test.run);
                self.tell_time();
            }
            _ => {}
        }
        Ok(())
    }

    fn recorded(&mut self, event: &Event, _: &Report) -> io::Result<()> {
        match event {
            Event::RunStarted(head) => self.start(head),
            Event::TestSkipped(skipped) => {
                self.work.done(&skipped.test.run);
                let length = self.bar.length().unwrap_or(0);
                self.bar.set_length(length.saturating_sub(1).max(self.bar.position()));
            }
            _ => {}
        }
        Ok(())
    }

    fn finish(&mut self, _: &Report) -> io::Result<()> {
        self.bar.finish_and_clear();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(run: usize) -> RunRef {
        RunRef { run, problem: "p".into(), submission: "s".into() }
    }

    #[test]
    fn measuring_says_which_problem_of_how_many() {
        let mut progress = Progress::new(Purpose::Measuring, false);
        progress.problems = vec!["a".into(), "b".into(), "c".into()];
        assert_eq!(progress.state(&"b".into()), "time limits, problem 2 of 3 · ");
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
