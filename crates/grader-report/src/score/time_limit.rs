//! Derives a time limit from the times of submissions, and computes the margins of a limit. Pure.

use std::time::Duration;

use super::Cases;
use crate::problem::{Distances, Expectation, Rule};
use crate::verdict::{Verdict, VerdictSet};

/// The cases of a submission whose times bound a limit from one side (package format 2025-09, "Timelimit inference").
#[derive(Debug, Clone)]
pub struct Bounding {
    /// None covers every case.
    patterns: Vec<Option<String>>,
    cases: Vec<Option<Cases>>,
}

impl Bounding {
    /// Returns the cases whose times the limit must exceed: those of rules that do not permit TLE. In the legacy format
    /// only accepted submissions have such cases. Returns none if the submission does not bound the limit.
    pub fn below(expectation: &Expectation, accepted_only: bool) -> Option<Self> {
        let accepted = VerdictSet::of(&[Verdict::Accepted]);
        // A submission must still be accepted if graders forgive some failures.
        let whole = |rule: &Rule| rule.cases.is_none() && expectation.wants_all_accepted();
        Self::of(expectation, |rule| {
            let runs = !rule.permitted.without(Verdict::CompileError).is_empty();
            let fast = runs && !rule.permitted.contains(Verdict::TimeLimit);
            rule.permitted == accepted || whole(rule) || (fast && !accepted_only)
        })
    }

    /// Returns the cases on which a time over the limit is unexpected or costs points that the label speaks of, whether
    /// they bound the limit or not.
    pub fn doubtful(expectation: &Expectation) -> Option<Self> {
        let accepted = VerdictSet::of(&[Verdict::Accepted]);
        let whole = |rule: &Rule| rule.cases.is_none() && expectation.wants_all_accepted();
        let has_points = |rule: &Rule| rule.score.is_some();
        let doubtful = |rule: &&Rule| rule.permitted == accepted || whole(rule) || has_points(rule);
        let rules = expectation.rules.iter().filter(doubtful);
        Self::new(rules.map(|rule| rule.cases.clone()).collect())
    }

    /// Returns the cases whose slowest time must exceed the limit: those of rules that require TLE and nothing else.
    pub fn above(expectation: &Expectation) -> Option<Self> {
        Self::of(expectation, |rule| rule.required == VerdictSet::of(&[Verdict::TimeLimit]))
    }

    fn of(expectation: &Expectation, bounds: impl Fn(&Rule) -> bool) -> Option<Self> {
        let rules = expectation.rules.iter().filter(|rule| rule.timed && bounds(rule));
        Self::new(rules.map(|rule| rule.cases.clone()).collect())
    }

    /// Creates a bound from groups, names and globs of cases, where none covers every case. Returns none for an empty
    /// list.
    pub fn new(patterns: Vec<Option<String>>) -> Option<Self> {
        let cases = patterns.iter().map(|pattern| pattern.as_deref().map(Cases::new)).collect();
        (!patterns.is_empty()).then_some(Self { patterns, cases })
    }

    /// The patterns that were passed to `new`.
    pub fn patterns(&self) -> &[Option<String>] {
        &self.patterns
    }

    /// Whether it covers the case of this name.
    pub fn covers(&self, test: &str) -> bool {
        self.cases.iter().any(|cases| cases.as_ref().is_none_or(|cases| cases.matches(test)))
    }
}

/// The side of the time limit on which a submission must be according to its label.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Within the limit on every test: it bounds the limit from below.
    Within,
    /// Over the limit on at least one test.
    Over,
}

/// The time of one test, and the limit of that test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestTime {
    /// The test.
    pub test: String,
    /// User + system time. If the test was stopped, at least the time at which programs are stopped.
    pub time: Duration,
    /// The limit.
    pub limit: Duration,
    /// Whether the test was stopped, which makes the time a lower bound.
    pub killed: bool,
}

impl TestTime {
    /// The time divided by the limit.
    pub fn ratio(&self) -> f64 {
        self.time.as_secs_f64() / self.limit.as_secs_f64().max(1e-9)
    }
}

/// A submission whose label puts it on one side of the time limit.
#[derive(Debug, Clone)]
pub struct LabelledSubmission {
    /// Its name.
    pub submission: String,
    /// The side.
    pub side: Side,
    /// The slowest test that the label covers, relative to the limit of each test; none if none of them has a time.
    pub slowest: Option<TestTime>,
    /// The verdict with which a test was stopped before it had a time.
    pub stopped: Option<Verdict>,
    /// Whether all of these tests ran, so that none can be slower.
    pub complete: bool,
}

/// Why the margin of a labelled submission may not be kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gap {
    /// It was not run.
    NotRun,
    /// Every test was stopped with this verdict before it had a time.
    Stopped(Verdict),
    /// It must be within the limit, but it is over it or too close to it.
    TooSlow,
    /// It must be over the limit, but it is within it.
    Passes,
    /// It must be over the limit and is, but too little.
    TooFast,
    /// It must be over the limit. It was stopped, or tests were skipped, too early to show how far over it is.
    Unknown,
}

/// The margins of a time limit: its distance to the submissions whose labels put them on one side of it. Every command
/// and report uses this one computation.
#[derive(Debug, Clone)]
pub struct Margins {
    /// The submission and test closest to the limit among those that must be within it.
    pub slowest: Option<(String, TestTime)>,
    /// The submission and test closest to the limit among those that must be over it.
    pub fastest: Option<(String, TestTime)>,
    /// The number of submissions that must be within the limit.
    pub within: usize,
    /// The number of submissions that must be over the limit.
    pub over: usize,
    /// The submissions whose margin may not be kept, each with its slowest test.
    pub gaps: Vec<(LabelledSubmission, Gap)>,
    /// The required distances.
    pub distances: Distances,
}

impl Margins {
    /// Computes the margins of these submissions; none if no label concerns the limit.
    pub fn of(labelled: impl IntoIterator<Item = LabelledSubmission>, distances: Distances) -> Option<Self> {
        let mut margins = Self { slowest: None, fastest: None, within: 0, over: 0, gaps: Vec::new(), distances };
        for one in labelled {
            let (count, nearest) = match one.side {
                Side::Within => (&mut margins.within, &mut margins.slowest),
                Side::Over => (&mut margins.over, &mut margins.fastest),
            };
            *count += 1;
            if let Some(timed) = &one.slowest {
                let nearer = |(_, other): &(String, TestTime)| match one.side {
                    Side::Within => other.ratio() < timed.ratio(),
                    Side::Over => timed.ratio() < other.ratio(),
                };
                if nearest.as_ref().is_none_or(nearer) {
                    *nearest = Some((one.submission.clone(), timed.clone()));
                }
            }
            if let Some(gap) = one.gap(&distances) {
                margins.gaps.push((one, gap));
            }
        }
        (margins.within + margins.over > 0).then_some(margins)
    }

    /// Whether every labelled submission keeps its required distance.
    pub fn are_safe(&self) -> bool {
        self.gaps.is_empty()
    }
}

impl LabelledSubmission {
    /// Returns how the submission misses its distance.
    fn gap(&self, distances: &Distances) -> Option<Gap> {
        let Some(TestTime { time, limit, killed, .. }) = self.slowest else {
            return Some(self.stopped.map_or(Gap::NotRun, Gap::Stopped));
        };
        match self.side {
            Side::Within if distances.is_above(limit, time) => None,
            Side::Within => Some(Gap::TooSlow),
            Side::Over if distances.is_below(limit, time) => None,
            Side::Over if !self.complete || killed => Some(Gap::Unknown),
            Side::Over if time <= limit => Some(Gap::Passes),
            Side::Over => Some(Gap::TooFast),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    #[test]
    fn margins_are_safe_where_every_label_is_kept_at_its_distance() {
        let one = |side, time: Option<u64>, killed, complete| {
            let timed = |time| TestTime { test: "1".to_owned(), time: ms(time), limit: ms(1000), killed };
            LabelledSubmission { submission: "s".to_owned(), side, slowest: time.map(timed), stopped: None, complete }
        };
        let legacy = Distances { ac_to_time_limit: 5.0, time_limit_to_tle: 2.0, ..Distances::default() };
        for (labelled, format, old) in [
            (one(Side::Within, Some(200), false, true), None, None),
            (one(Side::Within, Some(500), false, true), None, Some(Gap::TooSlow)),
            (one(Side::Within, Some(501), false, true), Some(Gap::TooSlow), Some(Gap::TooSlow)),
            (one(Side::Within, None, false, true), Some(Gap::NotRun), Some(Gap::NotRun)),
            (one(Side::Over, Some(3), false, true), Some(Gap::Passes), Some(Gap::Passes)),
            (one(Side::Over, Some(1499), false, true), Some(Gap::TooFast), Some(Gap::TooFast)),
            (one(Side::Over, Some(1499), false, false), Some(Gap::Unknown), Some(Gap::Unknown)),
            // Stopped before twice the limit.
            (one(Side::Over, Some(1500), true, false), None, Some(Gap::Unknown)),
        ] {
            for (distances, gap) in [(Distances::default(), format), (legacy, old)] {
                let margins = Margins::of([labelled.clone()], distances).unwrap();
                let found = margins.gaps.first().map(|(_, gap)| *gap);
                assert_eq!((found, margins.are_safe()), (gap, gap.is_none()), "{labelled:?}");
            }
        }
        assert!(Margins::of([], legacy).is_none());
        let stopped =
            LabelledSubmission { stopped: Some(Verdict::MemoryLimit), ..one(Side::Within, None, false, true) };
        let margins = Margins::of([stopped], legacy).unwrap();
        assert_eq!(margins.gaps[0].1, Gap::Stopped(Verdict::MemoryLimit));
    }

    #[test]
    fn verdicts_say_who_bounds_the_limit() {
        use Verdict::{Accepted as AC, CompileError as CE, RunTimeError as RTE, TimeLimit as TLE, WrongAnswer as WA};
        let check = |permitted: &[Verdict], required: &[Verdict], below: bool, legacy: bool, above: bool| {
            let expectation = Expectation::simple("", permitted, required);
            let found = [false, true].map(|only| Bounding::below(&expectation, only).is_some());
            assert_eq!((found, Bounding::above(&expectation).is_some()), ([below, legacy], above), "{permitted:?}");
        };
        check(&[AC], &[], true, true, false);
        check(&[AC, WA], &[WA], true, false, false);
        check(&[AC, TLE], &[TLE], false, false, true);
        check(&[AC, RTE, TLE], &[RTE, TLE], false, false, false);
        check(&[CE], &[CE], false, false, false);
        let mut some = Expectation::accepted("");
        some.rules[0].cases = Some("secret/easy".to_owned());
        let below = Bounding::below(&some, false).unwrap();
        assert!(below.covers("secret/easy/1") && !below.covers("secret/hard/1"));
        some.rules[0].timed = false;
        assert!(Bounding::below(&some, false).is_none());
    }
}
