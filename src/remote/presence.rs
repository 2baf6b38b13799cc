//! Keeps track of the workers of a pool during a run, and reports when one comes or goes.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant, SystemTime};

use super::broker::{Broker, BrokerError};
use super::pools::{Pool, signs};
use super::wire::{GONE, Hello, Leaving, PULSE};

use crate::diagnostic::{Diagnostic, Severity};
use crate::report::text::count;

/// The shortest time between two questions which workers are there.
const LOOK: Duration = Duration::from_millis(500);
/// Each worker makes that time longer by this much, so that many workers do not keep the broker busy.
const LOOK_OF_EACH: Duration = Duration::from_millis(20);

/// After a call, no worker answers later than this after the one before it.
const LAST_ANSWER: Duration = LOOK;

/// Decides whether all workers have given a sign of life. A broker that has just started knows none of them, and its
/// first sign is not always that of the best pool.
pub(super) struct RollCall {
    present: BTreeSet<String>,
    /// When the newest of them was seen first. None: the broker knew workers before the call, and so it knows all.
    newest: Option<Instant>,
}

impl RollCall {
    /// `known` are the workers before the call.
    pub(super) fn new(known: &[(Hello, Option<SystemTime>)], now: Instant) -> Self {
        let newest = if known.is_empty() { Some(now) } else { None };
        Self { present: BTreeSet::new(), newest }
    }

    /// Whether no other worker will answer, if these have done so.
    pub(super) fn is_complete(&mut self, known: &[(Hello, Option<SystemTime>)], now: Instant) -> bool {
        let Some(newest) = &mut self.newest else { return true };
        for (hello, _) in known {
            if self.present.insert(hello.name.clone()) {
                *newest = now;
            }
        }
        now.duration_since(*newest) >= LAST_ANSWER
    }
}

/// The workers of the pool of one run.
pub(super) struct Presence {
    pool: String,
    /// How long a worker may be silent before another one gets its jobs.
    lease: Duration,
    /// Since when each worker is missing; none if it is there.
    known: BTreeMap<String, Option<Instant>>,
    looked: Instant,
}

impl Presence {
    pub(super) fn new(pool: &Pool, lease: Duration) -> Self {
        let known = pool.workers.iter().map(|worker| (worker.name.clone(), None)).collect();
        Self { pool: pool.name.clone(), lease, known, looked: Instant::now() }
    }

    /// Asks which workers are there, if the last time was long enough ago. Returns the changes.
    pub(super) fn look(&mut self, broker: &Broker) -> Result<Vec<Diagnostic>, BrokerError> {
        let many = u32::try_from(self.known.len()).unwrap_or(u32::MAX);
        if self.looked.elapsed() < LOOK.max(LOOK_OF_EACH * many) {
            return Ok(Vec::new());
        }
        self.looked = Instant::now();
        let all: Vec<Hello> = signs(broker)?.known.into_iter().map(|(hello, _)| hello).collect();
        let (changes, is_odd) = self.compare(&all, self.looked);
        if is_odd {
            // A broker that was started again knows no worker until the workers report.
            broker.tell("ctl.hello", Vec::new());
        }
        Ok(changes)
    }

    /// Returns the changes, and whether a worker is missing that may still be there.
    fn compare(&mut self, all: &[Hello], now: Instant) -> (Vec<Diagnostic>, bool) {
        let mut changes = Vec::new();
        let had_some = !self.known.is_empty();
        let of_pool: BTreeMap<&str, &Hello> = all
            .iter()
            .filter(|hello| hello.profile.pool(&hello.label) == self.pool)
            .map(|hello| (&*hello.name, hello))
            .collect();
        let mut is_odd = false;
        let lease = humantime::format_duration(self.lease);
        self.known.retain(|name, missing| {
            let why = match of_pool.get(&**name).map(|hello| &hello.leaves) {
                Some(None) => {
                    *missing = None;
                    return true;
                }
                Some(Some(Leaving::Ended)) => format!("worker {name} has ended: others judge what it had"),
                Some(Some(Leaving::Sick(why))) => format!("worker {name} has left, because {why}: others judge what it had"),
                None if now.duration_since(*missing.get_or_insert(now)) < PULSE => {
                    is_odd = true;
                    return true;
                }
                None => format!(
                    "worker {name} gave no sign of life for {} s: others judge what it had when its lease ends ({lease})",
                    GONE.as_secs()
                ),
            };
            changes.push(Diagnostic::new(Severity::Warning, why));
            false
        });
        for (name, hello) in of_pool.iter().filter(|(_, hello)| hello.leaves.is_none()) {
            if !self.known.contains_key(*name) {
                self.known.insert((*name).to_owned(), None);
                changes.push(Diagnostic::new(
                    Severity::Info,
                    format!("worker {name} has joined: {}", count(hello.slots, "slot")),
                ));
            }
        }
        if had_some && self.known.is_empty() {
            let message = format!("no worker of pool {} is there; waiting for one: grader worker URL", self.pool);
            changes.push(Diagnostic::new(Severity::Warning, message));
        }
        (changes, is_odd)
    }
}

#[cfg(test)]
mod tests {
    use std::slice::from_ref;

    use super::*;
    use crate::remote::pools::tests::{hello, pool};

    fn messages(notices: &[Diagnostic]) -> Vec<&str> {
        notices.iter().map(|notice| &*notice.message).collect()
    }

    #[test]
    fn a_broker_that_has_just_started_waits_for_every_worker() {
        let [w1, w2] = ["w1", "w2"].map(|name| (hello(name, "a", 1, &[]), None));
        let start = Instant::now();
        let at = |milliseconds| start + Duration::from_millis(milliseconds);
        let mut call = RollCall::new(&[], start);
        assert!(!call.is_complete(from_ref(&w1), at(400)));
        assert!(!call.is_complete(&[w1.clone(), w2.clone()], at(800)));
        assert!(!call.is_complete(from_ref(&w2), at(1200)));
        assert!(call.is_complete(&[w1.clone(), w2.clone()], at(1300)));
        assert!(RollCall::new(from_ref(&w1), start).is_complete(from_ref(&w1), start));
    }

    #[test]
    fn who_comes_and_goes_is_told_once() {
        let [w1, w2, w3] = ["w1", "w2", "w3"].map(|name| hello(name, "a", 2, &[]));
        let mut presence = Presence::new(&pool(vec![w1.clone(), w2.clone()]), Duration::from_secs(30));
        let start = Instant::now();
        let mut look = |all: &[&Hello], after: u64| {
            let all: Vec<Hello> = all.iter().copied().cloned().collect();
            presence.compare(&all, start + Duration::from_secs(after))
        };
        let none = (Vec::new(), false);
        assert_eq!(look(&[&w1, &w2], 0), none);
        let (notices, _) = look(&[&w1, &w2, &w3], 1);
        assert_eq!(messages(&notices), ["worker w3 has joined: 2 slots"]);
        // A broker that has just started knows no worker for a moment.
        assert_eq!(look(&[], 2), (Vec::new(), true));
        assert_eq!(look(&[&w1, &w2, &w3], 3), none);
        assert_eq!(look(&[&w1, &w3], 10), (Vec::new(), true));
        let (notices, _) = look(&[&w1, &w3], 12);
        let silent = "gave no sign of life for 8 s: others judge what it had when its lease ends (30s)";
        assert_eq!(messages(&notices), [format!("worker w2 {silent}")]);
        let ended = Hello { leaves: Some(Leaving::Ended), ..w3.clone() };
        let sick = Hello { leaves: Some(Leaving::Sick("c is gone".to_owned())), ..w1.clone() };
        let (notices, _) = look(&[&sick, &ended], 13);
        let pool = w1.profile.pool("default");
        assert_eq!(
            messages(&notices),
            [
                "worker w1 has left, because c is gone: others judge what it had",
                "worker w3 has ended: others judge what it had",
                &format!("no worker of pool {pool} is there; waiting for one: grader worker URL"),
            ]
        );
        assert_eq!(look(&[&sick, &ended], 14), none);
        let (notices, _) = look(&[&w1], 15);
        assert_eq!(messages(&notices), ["worker w1 has joined: 2 slots"]);
        // A worker of another pool does not count.
        assert_eq!(look(&[&w1, &hello("w4", "a", 1, &["c"])], 16), none);
    }
}
