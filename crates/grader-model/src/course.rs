//! The rules of a course: the attempt of a student that counts, the penalty for lateness, and the grade for a missing
//! submission.

use std::fmt;
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

/// How late a submission is. Of two, the later one is greater.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lateness {
    /// The time from the deadline; zero if it was in time.
    By(Duration),
    /// Its platform calls it late, and nothing says by how much.
    Unknown,
}

impl Lateness {
    /// Whether it is after the deadline.
    pub fn is_late(self) -> bool {
        self != Self::By(Duration::ZERO)
    }
}

/// How tables and texts of students say it: `late by 2 h 5 min`.
impl fmt::Display for Lateness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self::By(late) = self else { return write!(f, "late by an unknown time") };
        let minutes = begun_minutes(*late);
        let units = [(minutes / 1440, "d"), (minutes / 60 % 24, "h"), (minutes % 60, "min")];
        let words = units.iter().filter(|(count, _)| *count > 0).map(|(count, unit)| format!("{count} {unit}"));
        write!(f, "late by {}", words.collect::<Vec<_>>().join(" "))
    }
}

/// Begun minutes: a second after the deadline is late.
pub fn begun_minutes(late: Duration) -> u64 {
    late.as_secs().saturating_add(u64::from(late.subsec_nanos() > 0)).div_ceil(60)
}

/// The units of time in rules for lateness, with their seconds.
pub const LATE_UNITS: [(&str, u32); 3] = [("hour", 3600), ("day", 24 * 3600), ("week", 7 * 24 * 3600)];

/// The cost of lateness: a share of the grade for each begun unit of time, up to a share.
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
    /// The share of the grade that is left. None if the lateness is unknown and the rule depends on it.
    pub fn left(&self, late: Lateness) -> Option<f64> {
        match late {
            Lateness::By(late) => {
                let units = (late.as_secs_f64() / f64::from(self.unit)).ceil();
                Some(1.0 - (units * self.share).min(self.most))
            }
            Lateness::Unknown => (self.share >= self.most).then_some(1.0 - self.most),
        }
    }
}

/// The rule in the words in which teachers write it: `10 % a day, at most 50 %`.
impl fmt::Display for LatePenalty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = |share: f64| (share * 10_000.0).round() / 100.0;
        let unit = LATE_UNITS.iter().find(|(_, seconds)| *seconds == self.unit);
        let unit = unit.map_or(format!("{} s", self.unit), |(name, _)| (*name).to_owned());
        write!(f, "{} % a {unit}", percent(self.share))?;
        if self.most < 1.0 { write!(f, ", at most {} %", percent(self.most)) } else { Ok(()) }
    }
}

/// The points in files that platforms take back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FilePoints {
    /// Scaled to the maximum that the platform's list states, if it states one.
    Platform,
    /// The unscaled points of the problems.
    Raw,
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

/// A name in `exercises` without its ending: `mean.py` and `mean.txt` are one name.
pub fn without_ending(name: &str) -> &str {
    let is_ending = |ending: &str| !ending.is_empty() && ending.chars().all(|c| c.is_ascii_alphabetic());
    name.rsplit_once('.').filter(|(_, ending)| is_ending(ending)).map_or(name, |(stem, _)| stem)
}
