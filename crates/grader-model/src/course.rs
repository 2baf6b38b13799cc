//! The rules of a course: which attempt of a student counts, what lateness costs, and what tables show where a student
//! submitted nothing.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// Which of several submissions of a student for a problem counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AttemptChoice {
    /// The last one.
    Last,
    /// The one with the best grade. All are judged.
    Best,
    /// The first one.
    First,
}

/// What lateness costs: a share of the grade for each begun unit of time, up to a share.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct LatePenalty {
    /// The share of the grade for each unit, 0 to 1.
    pub share: f64,
    /// The unit, seconds.
    pub unit: u32,
    /// The most that is taken away, 0 to 1.
    pub most: f64,
}

impl LatePenalty {
    /// The share of the grade that is left.
    pub fn left(&self, late: Duration) -> f64 {
        let units = (late.as_secs_f64() / f64::from(self.unit)).ceil();
        1.0 - (units * self.share).min(self.most)
    }
}

/// The grade of a student who submitted nothing for a problem. The total counts it as zero in any case.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Missing {
    /// An empty cell.
    #[default]
    Blank,
    /// A zero.
    Zero,
}

impl Missing {
    /// Whether records leave it out.
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }
}
