//! How far a time limit must be from the times of submissions.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// The distances that a time limit must keep (2025-09: `limits.time_multipliers` and `limits.time_resolution`; legacy:
/// `limits.time_multiplier` and `limits.time_safety_margin`).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Distances {
    /// The limit is at least this many times the slowest accepted test; at least 1.
    pub ac_to_time_limit: f64,
    /// The fastest test over time takes at least this many times the limit; at least 1.
    pub time_limit_to_tle: f64,
    /// The limit is a multiple of this.
    pub resolution: Duration,
    /// Whether accepted submissions alone bound the limit from below, as in the legacy format.
    pub accepted_only: bool,
}

impl Default for Distances {
    /// The distances of the package format 2025-09.
    fn default() -> Self {
        Self { ac_to_time_limit: 2.0, time_limit_to_tle: 1.5, resolution: Duration::from_secs(1), accepted_only: false }
    }
}

/// The reason why no limit keeps every distance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("no multiple of the resolution keeps its distance to both sides: the smallest above is {least:?}")]
pub struct TooClose {
    /// The smallest limit that keeps its distance to the accepted submissions.
    pub least: Duration,
}

impl Distances {
    /// Returns the smallest limit that keeps its distance to the slowest accepted test and to the fastest test that
    /// must be over time.
    pub fn limit(&self, slowest: Duration, fastest: Option<Duration>) -> Result<Duration, TooClose> {
        let steps = (slowest.as_secs_f64() * self.ac_to_time_limit / self.resolution.as_secs_f64()).ceil().max(1.0);
        let least = self.resolution.mul_f64(steps);
        match fastest {
            Some(fastest) if least.mul_f64(self.time_limit_to_tle) > fastest => Err(TooClose { least }),
            _ => Ok(least),
        }
    }

    /// Whether a limit is far enough above the time of a submission that must be within it.
    pub fn is_above(&self, limit: Duration, slowest: Duration) -> bool {
        slowest.mul_f64(self.ac_to_time_limit) <= limit
    }

    /// Whether a limit is far enough below the time of a submission that must be over it.
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
}
