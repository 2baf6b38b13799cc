//! How far the time limit of a problem is from its submissions by their labels, as a run has measured them, and in words.

use std::fmt::Write as _;
use std::time::Duration;

use super::SubmissionReport;
use crate::event::{Measured, ProblemHead, Standing};
use crate::limits::{seconds, seconds_short};
use crate::problem::{Distances, TestId};
use crate::score::time_limit::{Bounding, Gap, Labelled, Margins, Side, Timed};
use crate::verdict::Verdict;

/// The tests of one submission that its label puts on one side of the time limit.
#[derive(Debug)]
pub struct LabelledTests {
    /// None: its label says nothing about this side.
    bounding: Option<Bounding>,
    /// A test is ended at this many times its limit.
    killed_at: f64,
    slowest: Option<Timed>,
    /// Whether one of them was over time.
    is_over: bool,
}

impl LabelledTests {
    /// Nothing measured yet; `patterns` are those of `SubmissionHead`.
    pub(super) fn new(patterns: Vec<Option<String>>, killed_at: f64) -> Self {
        Self { bounding: Bounding::new(patterns), killed_at, slowest: None, is_over: false }
    }

    /// Adds a test that was run, with its limit.
    pub(super) fn add(&mut self, test: &TestId, verdict: Option<Verdict>, measured: &Measured, limit: Duration) {
        let covers = self.bounding.as_ref().is_some_and(|bounding| bounding.covers(test.as_str()));
        let is_over = verdict == Some(Verdict::TimeLimit);
        // What had failed before it was ended has no time of its own.
        if !covers || (measured.killed && !is_over) {
            return;
        }
        self.is_over |= is_over;
        // What was ended by the clock on the wall has taken as long as what is ended by its cpu time.
        let least = if measured.killed { limit.mul_f64(self.killed_at) } else { Duration::ZERO };
        let time = measured.cpu.max(least);
        let timed = Timed { test: test.to_string(), time, limit, killed: measured.killed };
        if self.slowest.as_ref().is_none_or(|slowest| slowest.ratio() < timed.ratio()) {
            self.slowest = Some(timed);
        }
    }
}

/// The margins of a problem's time limit; none where no label says anything about it, and for records of versions that
/// did not say how far it should be.
pub fn of(head: &ProblemHead, runs: &[SubmissionReport]) -> Option<Margins> {
    let factors = head.margins.filter(|_| !head.outputs)?;
    let labelled = runs.iter().flat_map(|run| {
        [(Side::Within, &run.within_limit), (Side::Over, &run.over_limit)]
            .into_iter()
            .filter_map(|(side, tests)| labelled(run, side, tests))
    });
    let distances = Distances {
        ac_to_time_limit: factors.ac_to_time_limit,
        time_limit_to_tle: factors.time_limit_to_tle,
        ..Distances::default()
    };
    Margins::of(labelled, distances)
}

fn labelled(run: &SubmissionReport, side: Side, tests: &LabelledTests) -> Option<Labelled> {
    tests.bounding.as_ref()?;
    let met = run.standing == Some(Standing::Met);
    // Where graders forgive failures, some tests of an accepted submission may be over the limit.
    if side == Side::Within && met && tests.is_over {
        return None;
    }
    let judged = matches!(run.standing, Some(Standing::Met | Standing::Missed { .. }));
    Some(Labelled {
        submission: run.run.submission.to_string(),
        side,
        slowest: tests.slowest.clone().filter(|_| judged),
        complete: run.skipped == 0,
    })
}

/// Submissions named for one reason.
const NAMED: usize = 3;

/// `margins safe`, and of which side no submission was run; or `margins not safe: `, and of which submissions.
pub fn words(margins: &Margins) -> String {
    let unknown = |(_, gap): &(Labelled, Gap)| matches!(gap, Gap::NotRun | Gap::Unknown);
    if !margins.are_safe() {
        let what = if margins.gaps.iter().all(unknown) { "margins not known" } else { "margins not safe" };
        return format!("{what}: {}", gaps(margins).join("; "));
    }
    match (margins.within, margins.over) {
        (_, 0) => "margins safe (no submission labelled TLE was run)".to_owned(),
        (0, _) => "margins safe (no submission labelled AC was run)".to_owned(),
        _ => "margins safe".to_owned(),
    }
}

/// What is wrong with the margins, one text for each reason.
fn gaps(margins: &Margins) -> Vec<String> {
    let Distances { ac_to_time_limit, time_limit_to_tle, .. } = margins.distances;
    let of = |gap: Gap| margins.gaps.iter().filter(move |(_, other)| *other == gap).map(|(labelled, _)| labelled);
    let text = |gap: Gap| {
        let all: Vec<&Labelled> = of(gap).collect();
        let (first, more) = (all.first()?, all.len() > 1);
        let mut names: Vec<&str> = all.iter().take(NAMED).map(|labelled| &*labelled.submission).collect();
        let rest = format!("{} more", all.len().saturating_sub(NAMED));
        if all.len() > NAMED {
            names.push(&rest);
        }
        let mut text = names.join(", ");
        if let (Some(timed), false) = (&first.slowest, more) {
            let bound = if timed.killed { ">" } else { "" };
            // Writing into a string cannot fail.
            let _ = write!(text, " ({bound}{} on {})", seconds(timed.time), timed.test);
        }
        let verb = |one: &'static str, many: &'static str| if more { many } else { one };
        let over = margins.over;
        Some(match gap {
            Gap::TooSlow => {
                let share = share(ac_to_time_limit);
                format!("{text} {} more than {share}", verb("takes", "take"))
            }
            Gap::Passes => {
                format!("{} of {over} labelled TLE {} in time: {text}", all.len(), verb("is", "are"))
            }
            Gap::TooFast => format!("{text} {} less than {time_limit_to_tle} × the limit", verb("takes", "take")),
            Gap::Unknown => format!(
                "{text} {} stopped before {time_limit_to_tle} × the limit was seen (grader time-limit measures it)",
                verb("was", "were")
            ),
            Gap::NotRun => format!("{text} {} not run", verb("was", "were")),
        })
    };
    [Gap::TooSlow, Gap::Passes, Gap::TooFast, Gap::Unknown, Gap::NotRun].into_iter().filter_map(text).collect()
}

/// The part of the limit that an accepted submission may use, in words.
pub fn share(ac_to_time_limit: f64) -> String {
    if (ac_to_time_limit - 2.0).abs() < 1e-9 {
        "half of the limit".to_owned()
    } else {
        format!("the limit / {ac_to_time_limit}")
    }
}

/// `slowest AC 0.004 s, fastest TLE >1.500 s`, where `slowest` is what to call the slowest of that name.
pub fn figures(margins: &Margins, slowest: impl Fn(&str) -> String, with_limit: bool) -> String {
    let figure = |what: String, (_, timed): &(String, Timed)| {
        let bound = if timed.killed { ">" } else { "" };
        let limit = if with_limit { format!(" of {}", seconds_short(timed.limit)) } else { String::new() };
        format!("{what} {bound}{}{limit}", seconds(timed.time))
    };
    let slowest = margins.slowest.as_ref().map(|one| figure(slowest(&one.0), one));
    let fastest = margins.fastest.as_ref().map(|one| figure("fastest TLE".to_owned(), one));
    slowest.into_iter().chain(fastest).collect::<Vec<_>>().join(", ")
}
