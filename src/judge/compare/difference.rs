//! What a comparison has found so far: the first difference, and what would be enough to accept.

use super::rules::{Match, Need};
use crate::difference::{Difference, Leniency, Would};

/// What has been found so far.
#[derive(Debug, Default)]
pub(super) struct Findings {
    pub(super) leniency: Leniency,
    /// The first difference.
    pub(super) difference: Option<Difference>,
    needs: Needs,
}

/// What it takes to accept all differences so far.
#[derive(Debug, Default)]
struct Needs {
    case: bool,
    space: bool,
    tolerance: Option<f64>,
    /// Nothing that is known here would do.
    hopeless: bool,
}

impl Findings {
    /// Takes in how two units compare; no if that makes a first difference, which must be reported before.
    pub(super) fn add(&mut self, outcome: Match) -> bool {
        match outcome {
            Match::Same => {}
            Match::Folded => self.leniency.case = true,
            Match::Close => self.leniency.numbers = true,
            Match::Spaced(lines) => {
                self.leniency.spacing = true;
                self.leniency.lines |= lines;
            }
            Match::Wrong(..) if self.difference.is_none() => return false,
            Match::Wrong(_, need) => self.needs.add(need),
        }
        true
    }

    /// Whether nothing that is still to come can make the output right by any measure.
    pub(super) fn is_hopeless(&self) -> bool {
        self.needs.hopeless
    }

    /// What would have made the whole output right.
    pub(super) fn would_accept(&self) -> Vec<Would> {
        if self.needs.hopeless {
            return Vec::new();
        }
        let case = self.needs.case.then_some(Would::IgnoreCase);
        let space = self.needs.space.then_some(Would::IgnoreWhiteSpace);
        [case, space, self.needs.tolerance.map(Would::Tolerance)].into_iter().flatten().collect()
    }
}

impl Needs {
    fn add(&mut self, need: Need) {
        match need {
            Need::Case => self.case = true,
            Need::Space => self.space = true,
            Need::Tolerance(epsilon) => self.tolerance = Some(self.tolerance.unwrap_or(0.0).max(epsilon)),
            Need::Hopeless => self.hopeless = true,
        }
    }
}
