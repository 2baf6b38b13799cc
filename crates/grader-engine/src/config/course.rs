//! The rules of a course: which attempt of a student counts, and what lateness costs.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::Options;
use crate::course::{AttemptChoice, FilePoints, LATE_UNITS, LatePenalty, Missing, without_ending};
use crate::package::document::Value;
use crate::package::document::read::{self, Read, Unfit};

/// The word for each value of [`AttemptChoice`].
pub const ATTEMPTS: &[(&str, AttemptChoice)] =
    &[("last", AttemptChoice::Last), ("best", AttemptChoice::Best), ("first", AttemptChoice::First)];

/// The word for each value of [`Missing`].
pub const MISSING: &[(&str, Missing)] = &[("blank", Missing::Blank), ("zero", Missing::Zero)];

/// The word for each value of [`FilePoints`].
pub const POINTS: &[(&str, FilePoints)] = &[("platform", FilePoints::Platform), ("raw", FilePoints::Raw)];

/// What `grader.toml` states in keys to which arguments add: they replace no other key of it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct AddedTo {
    /// The names in `exercises`.
    pub exercises: BTreeSet<String>,
    /// The globs in `ignore`.
    pub ignore: BTreeSet<String>,
}

/// Adds the values of the layers below to the arguments `--exercise` and `--ignore`. The name of an argument wins.
pub(super) fn add_below(arguments: &mut Options, environment: &Options, file: &Options) -> AddedTo {
    let mut added_to = AddedTo::default();
    if let Some(stated) = &mut arguments.exercises {
        let is_new = |name: &str, stated: &BTreeMap<String, String>| {
            let same = |own: &String| without_ending(own).eq_ignore_ascii_case(without_ending(name));
            !stated.keys().any(same)
        };
        for (name, problem) in environment.exercises.iter().chain(&file.exercises).next().into_iter().flatten() {
            if is_new(name, stated) {
                stated.insert(name.clone(), problem.clone());
                if environment.exercises.is_none() {
                    added_to.exercises.insert(name.clone());
                }
            }
        }
    }
    if let Some(stated) = &mut arguments.ignore {
        for glob in environment.ignore.iter().chain(&file.ignore).next().into_iter().flatten() {
            if !stated.contains(glob) {
                stated.push(glob.clone());
                if environment.ignore.is_none() {
                    added_to.ignore.insert(glob.clone());
                }
            }
        }
    }
    added_to
}

/// Reads the text of a deadline. TOML has dates without quotes, which keep no zone such as `[Europe/Berlin]`.
pub(super) fn deadline(value: &Value) -> Read<String> {
    read::text(value).map_err(|unfit| match value {
        Value::Text(_) => unfit,
        other => Unfit::kind("a time in quotes, such as \"2026-01-31T23:59\"", other),
    })
}

/// The cost of lateness, as text; empty if it costs nothing.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct LateRule(String);

impl LateRule {
    /// Reads `10 % a day, at most 50 %`, or an empty text.
    ///
    /// # Errors
    /// The part of the text that has another form.
    pub fn parse(text: &str) -> Result<Self, Unfit> {
        let rule = Self(text.trim().to_owned());
        if !rule.0.is_empty() {
            rule.stated()?;
        }
        Ok(rule)
    }

    pub(super) fn read(value: &Value) -> Read<Self> {
        Self::parse(&read::text(value)?)
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.0
    }

    /// The rule; none if lateness costs nothing.
    pub fn penalty(&self) -> Option<LatePenalty> {
        // A wrong text was an error when it was read.
        self.stated().ok()
    }

    fn stated(&self) -> Result<LatePenalty, Unfit> {
        let (rule, most) = match self.0.split_once(',') {
            Some((rule, most)) => {
                let most = most.trim();
                let percent = most.strip_prefix("at most");
                (rule.trim(), share(percent.ok_or_else(|| wrong(most, "a limit such as `at most 50 %`"))?)?)
            }
            None => (&*self.0, 1.0),
        };
        let incomplete = || wrong(rule, "a share for each begun unit of time");
        let (percent, unit) = rule.split_once('%').ok_or_else(incomplete)?;
        let mut words: Vec<&str> = unit.split_whitespace().collect();
        let unit = words.pop().ok_or_else(incomplete)?;
        let known = LATE_UNITS.into_iter().find(|(name, _)| *name == unit);
        let (_, unit) = known
            .ok_or_else(|| wrong(unit, &format!("a unit of time: {}", LATE_UNITS.map(|(name, _)| name).join(", "))))?;
        // Another word makes another rule of it: `every second day`, `after the first day`.
        if let Some(word) = words.iter().find(|word| !BETWEEN.contains(word)) {
            return Err(wrong(word, &format!("a word before the unit: {}", BETWEEN.join(", "))));
        }
        Ok(LatePenalty { share: share(&format!("{percent}%"))?, unit, most })
    }
}

/// The words that may stand between the share and the unit.
const BETWEEN: [&str; 7] = ["a", "an", "per", "each", "every", "for", "begun"];

/// The share that a percentage means, 0 to 1.
fn share(text: &str) -> Result<f64, Unfit> {
    let percent = text.trim().strip_suffix('%').and_then(|number| number.trim().parse().ok());
    let percent = percent.filter(|percent: &f64| (0.0..=100.0).contains(percent));
    percent.map(|percent| percent / 100.0).ok_or_else(|| wrong(text.trim(), "a share from 0 % to 100 %"))
}

/// Names the part of a rule that is wrong, and shows a right rule.
fn wrong(part: &str, what: &str) -> Unfit {
    Unfit::rule(format!("`{part}` is not {what}; write a rule such as `10 % a day, at most 50 %`"))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::course::Lateness;

    #[test]
    fn rules_for_lateness() {
        let left = |rule: &str, hours: u64| {
            let penalty = LateRule::parse(rule).unwrap().penalty().unwrap();
            (penalty.left(Lateness::By(Duration::from_secs(hours * 3600))).unwrap() * 100.0).round() / 100.0
        };
        let rule = "10 % a day, at most 50 %";
        for (hours, expect) in [(0, 1.0), (1, 0.9), (24, 0.9), (25, 0.8), (1000, 0.5)] {
            assert_eq!(left(rule, hours).to_bits(), f64::to_bits(expect), "{hours}");
        }
        assert_eq!(left("25% per hour", 2).to_bits(), 0.5_f64.to_bits());
        assert_eq!(left("100 % a week", 200).to_bits(), 0.0_f64.to_bits());
        assert_eq!(LateRule::parse("").unwrap().penalty(), None);
        // Without a time, only a rule that takes the same away for each lateness can be followed.
        let unknown = |rule: &str| LateRule::parse(rule).unwrap().penalty().unwrap().left(Lateness::Unknown);
        assert_eq!((unknown(rule), unknown("20 % a day, at most 20 %")), (None, Some(0.8)));
        for rule in [rule, "12.5 % a week", "1 % a hour"] {
            assert_eq!(LateRule::parse(rule).unwrap().penalty().unwrap().to_string(), rule);
        }
        for (bad, told) in [
            ("10", "`10` is not a share for each begun unit of time"),
            ("10 %", "`10 %` is not a share for each begun unit of time"),
            ("10 % a weak", "`weak` is not a unit of time: hour, day, week"),
            ("10 % a day, 50 %", "`50 %` is not a limit such as `at most 50 %`"),
            ("-1 % a day", "`-1 %` is not a share from 0 % to 100 %"),
            ("200 % a day", "`200 %` is not a share from 0 % to 100 %"),
            ("NaN % a day", "`NaN %` is not a share from 0 % to 100 %"),
            ("10 % a day, at most x", "`x` is not a share from 0 % to 100 %"),
            ("10 % after the first day", "`after` is not a word before the unit: a, an, per, each, every, for, begun"),
            ("10 % every second day", "`second` is not a word before the unit"),
        ] {
            let error = LateRule::parse(bad).unwrap_err().to_string();
            assert!(error.starts_with(told) && error.ends_with("`10 % a day, at most 50 %`"), "{bad}: {error}");
        }
    }
}
