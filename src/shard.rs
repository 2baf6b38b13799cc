//! Splits one run into parts, for machines that share nothing but files: chooses the submissions of each part, writes
//! its file, and merges the files of all parts into one run.
//!
//! `docs/scale.md` describes it for users.
//!
//! - `part`: runs one part
//! - `file`: the file that a part leaves behind
//! - `merge`: the run that all parts make
//! - `plan_file`: the plan that the parts must share
//! - `mistake`: mistakes in the files of parts

mod file;
mod merge;
mod mistake;
mod part;
mod plan_file;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::store::Key;
pub(crate) use merge::Merge;
pub(crate) use part::{Part, begin};
pub(crate) use plan_file::PlanFile;

/// The version of the format of a part's file. Raise it when an older reader would misunderstand the file.
const SCHEMA: u32 = 1;

/// A part of a run: number `index` (from 0) of `of`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Shard {
    pub(crate) index: u32,
    pub(crate) of: u32,
}

/// The most parts of a run.
const MOST: u32 = 100_000;

/// The reason why a text is not a part.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ShardError {
    #[error("write I/N, such as 0/8 for the first of eight parts")]
    Form,
    #[error("the parts of {of} are 0/{of} to {last}/{of}", last = .of - 1)]
    TooLarge { of: u32 },
    #[error("write 1 to {MOST} parts")]
    Count,
}

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Self, ShardError> {
        let (index, of) = text.split_once('/').ok_or(ShardError::Form)?;
        let number = |text: &str| text.trim().parse::<u32>().map_err(|_| ShardError::Form);
        let index = number(index)?;
        let of = number(of)?;
        match of {
            0 | MOST.. => Err(ShardError::Count),
            _ if index >= of => Err(ShardError::TooLarge { of }),
            _ => Ok(Self { index, of }),
        }
    }
}

impl fmt::Display for Shard {
    /// Writes `3/8`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}

impl Shard {
    /// The name of its file.
    fn file_name(self) -> String {
        format!("shard-{:04}-of-{:04}.jsonl", self.index, self.of)
    }
}

/// The number of the part for each job of a run. Jobs with equal keys go to the same part. Without durations, the key
/// alone decides. With them, the longest jobs are given out first, each to the part that has the least so far.
fn assign(keys: &[Key], durations: &[Option<Duration>], of: u32) -> Vec<u32> {
    let known: Vec<Duration> = durations.iter().flatten().copied().collect();
    if known.is_empty() {
        let by_key = |key: &Key| {
            let first = key.as_bytes().first_chunk().copied().unwrap_or_default();
            let number = u64::from_le_bytes(first);
            #[expect(clippy::cast_possible_truncation, reason = "the remainder is less than a u32")]
            let part = (number % u64::from(of)) as u32;
            part
        };
        return keys.iter().map(by_key).collect();
    }
    let mean = known.iter().sum::<Duration>() / u32::try_from(known.len()).unwrap_or(u32::MAX);
    let mut jobs: BTreeMap<Key, Duration> = BTreeMap::new();
    for (key, duration) in keys.iter().zip(durations) {
        let longest = jobs.entry(*key).or_default();
        *longest = duration.unwrap_or(mean).max(*longest);
    }
    let mut jobs: Vec<(Key, Duration)> = jobs.into_iter().collect();
    jobs.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
    let mut parts: BTreeSet<(Duration, u32)> = (0..of).map(|part| (Duration::ZERO, part)).collect();
    let mut chosen: BTreeMap<Key, u32> = BTreeMap::new();
    for (key, duration) in jobs {
        if let Some((load, part)) = parts.pop_first() {
            chosen.insert(key, part);
            // A job that takes no time still counts, so that such jobs spread too.
            parts.insert((load + duration.max(Duration::from_micros(1)), part));
        }
    }
    keys.iter().map(|key| chosen.get(key).copied().unwrap_or_default()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(count: u32) -> Vec<Key> {
        (0..count).map(|n| Key::of("test").field("n", n.to_string()).finish()).collect()
    }

    #[test]
    fn parts_are_read() {
        assert_eq!("3/8".parse(), Ok(Shard { index: 3, of: 8 }));
        assert_eq!("8/8".parse::<Shard>(), Err(ShardError::TooLarge { of: 8 }));
        assert_eq!("0/0".parse::<Shard>(), Err(ShardError::Count));
        for text in ["", "3", "a/b", "-1/3", "1/", "1/2/3"] {
            assert_eq!(text.parse::<Shard>(), Err(ShardError::Form), "{text}");
        }
    }

    #[test]
    fn every_job_has_a_part_and_equal_jobs_share_it() {
        let mut keys = keys(1000);
        keys.extend_from_within(..100);
        for durations in [vec![None; 1100], (0..1100).map(|n| Some(Duration::from_millis(n % 100))).collect()] {
            let parts = assign(&keys, &durations, 7);
            assert!(parts.iter().all(|part| *part < 7));
            assert_eq!(parts[..100], parts[1000..]);
            let mut counts = [0; 7];
            for part in parts {
                counts[part as usize] += 1;
            }
            assert!(counts.iter().all(|count| (100..220).contains(count)), "{counts:?}");
        }
    }

    #[test]
    fn durations_balance_the_parts() {
        let keys = keys(40);
        let durations: Vec<_> = (0..40).map(|n| Some(Duration::from_secs(if n < 4 { 90 } else { 10 }))).collect();
        let parts = assign(&keys, &durations, 4);
        let mut loads = [Duration::ZERO; 4];
        for (part, time) in parts.iter().zip(&durations) {
            loads[*part as usize] += time.unwrap();
        }
        assert_eq!(loads, [Duration::from_secs(180); 4]);
    }
}
