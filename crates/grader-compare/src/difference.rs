//! The differences of a comparison so far: the first difference, and the leniency that would accept it.

use super::rules::{Match, Need};
use grader_model::difference::{Difference, Leniency, RelaxedRule};

/// The differences of a comparison so far.
#[derive(Debug, Default)]
pub(super) struct Differences {
    pub(super) leniency: Leniency,
    /// The first difference.
    pub(super) difference: Option<Difference>,
    needs: Needs,
}

/// The leniency that would accept all differences so far.
#[derive(Debug, Default)]
struct Needs {
    case: bool,
    space: bool,
    tolerance: Option<f64>,
    /// Whether no known leniency would accept them.
    hopeless: bool,
}

impl Differences {
    /// Adds the comparison of two units. Returns false for a first difference, which the caller must report before
    /// adding it.
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

    /// Whether no known leniency would accept the output, whatever follows.
    pub(super) fn is_hopeless(&self) -> bool {
        self.needs.hopeless
    }

    /// The leniencies that would have accepted the whole output.
    pub(super) fn would_accept(&self) -> Vec<RelaxedRule> {
        if self.needs.hopeless {
            return Vec::new();
        }
        let case = self.needs.case.then_some(RelaxedRule::IgnoreCase);
        let space = self.needs.space.then_some(RelaxedRule::IgnoreWhiteSpace);
        [case, space, self.needs.tolerance.map(RelaxedRule::Tolerance)].into_iter().flatten().collect()
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
