//! A time limit from the times of submissions. Pure.

use std::time::Duration;

use super::Cases;
use crate::problem::{Distances, Expectation, Rule};
use crate::verdict::{Verdict, VerdictSet};

/// The cases of a submission whose times bound a limit from one side (package format 2025-09, "Timelimit inference").
#[derive(Debug)]
pub struct Bounding {
    /// None covers every case.
    cases: Vec<Option<Cases>>,
}

impl Bounding {
    /// Those that the limit must be above: of rules that do not permit TLE; in the legacy format of accepted submissions
    /// alone. None where the submission does not bound it.
    pub fn below(expectation: &Expectation, accepted_only: bool) -> Option<Self> {
        let accepted = VerdictSet::of(&[Verdict::Accepted]);
        // What graders forgive does not make a submission less accepted.
        let whole = |rule: &Rule| rule.cases.is_none() && expectation.wants_all_accepted();
        Self::of(expectation, |rule| {
            let runs = !rule.permitted.without(Verdict::CompileError).is_empty();
            let fast = runs && !rule.permitted.contains(Verdict::TimeLimit);
            rule.permitted == accepted || whole(rule) || (fast && !accepted_only)
        })
    }

    /// Those whose slowest the limit must be below: of rules that require TLE and nothing else.
    pub fn above(expectation: &Expectation) -> Option<Self> {
        Self::of(expectation, |rule| rule.required == VerdictSet::of(&[Verdict::TimeLimit]))
    }

    fn of(expectation: &Expectation, bounds: impl Fn(&Rule) -> bool) -> Option<Self> {
        let rules = expectation.rules.iter().filter(|rule| rule.timed && bounds(rule));
        let cases: Vec<_> = rules.map(|rule| rule.cases.as_deref().map(Cases::new)).collect();
        (!cases.is_empty()).then_some(Self { cases })
    }

    /// Whether the case of this name is one of them.
    pub fn covers(&self, test: &str) -> bool {
        self.cases.iter().any(|cases| cases.as_ref().is_none_or(|cases| cases.matches(test)))
    }
}

/// Why there is no limit that keeps every distance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("no multiple of the resolution keeps its distance to both sides: the smallest above is {least:?}")]
pub struct TooClose {
    /// The smallest limit that is fair to the accepted submissions.
    pub least: Duration,
}

impl Distances {
    /// The smallest limit that keeps its distance to the slowest accepted test and to the fastest one that is to be over time.
    pub fn limit(&self, slowest: Duration, fastest: Option<Duration>) -> Result<Duration, TooClose> {
        let steps = (slowest.as_secs_f64() * self.ac_to_time_limit / self.resolution.as_secs_f64()).ceil().max(1.0);
        let least = self.resolution.mul_f64(steps);
        match fastest {
            Some(fastest) if least.mul_f64(self.time_limit_to_tle) > fastest => Err(TooClose { least }),
            _ => Ok(least),
        }
    }

    /// Whether a limit is far enough above a time that must be within it.
    pub fn is_above(&self, limit: Duration, slowest: Duration) -> bool {
        slowest.mul_f64(self.ac_to_time_limit) <= limit
    }

    /// Whether a limit is far enough below a time that must be over it.
    pub fn is_below(&self, limit: Duration, fastest: Duration) -> bool {
        limit.mul_f64(self.time_limit_to_tle) <= fastest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    #[test]
    fn the_smallest_multiple_that_is_far_enough_from_both_sides() {
        let format = Distances::default();
        for (slowest, fastest, limit) in [
            (0, None, Ok(1000)),
            (499, None, Ok(1000)),
            (500, None, Ok(1000)),
            (501, None, Ok(2000)),
            (501, Some(3000), Ok(2000)),
            (501, Some(2999), Err(2000)),
        ] {
            let found = format.limit(ms(slowest), fastest.map(ms));
            assert_eq!(found, limit.map(ms).map_err(|least| TooClose { least: ms(least) }), "{slowest} {fastest:?}");
        }
        let fine = Distances { resolution: ms(100), ..format };
        assert_eq!(fine.limit(ms(120), Some(ms(450))), Ok(ms(300)));
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
