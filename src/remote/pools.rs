//! Which workers there are, and which of them work together.

use std::collections::BTreeMap;
use std::time::{Duration, SystemTime};

use super::broker::{Broker, BrokerError};
use super::wire::{Hello, Profile, stream};
use crate::event::Notice;
use crate::sandbox::Isolation;

/// Clocks that differ by more than this are worth telling. No result depends on them.
const FAR: Duration = Duration::from_secs(60);

/// A pool: workers that give the same results in comparable times.
#[derive(Debug, Clone)]
pub(super) struct Pool {
    pub(super) name: String,
    pub(super) workers: Vec<Hello>,
    /// When each gave its sign of life, by the broker's clock.
    given: Vec<Option<SystemTime>>,
}

impl Pool {
    pub(super) fn slots(&self) -> usize {
        self.workers.iter().map(|worker| worker.slots).sum()
    }

    pub(super) fn cores(&self) -> usize {
        self.workers.iter().map(|worker| worker.cores).sum()
    }

    /// What readers of results should know about its workers.
    pub(super) fn notices(&self) -> Vec<Notice> {
        let mut notices = Vec::new();
        for notice in self.workers.iter().flat_map(|worker| &worker.notices) {
            if !notices.contains(notice) {
                notices.push(notice.clone());
            }
        }
        notices
    }

    /// Whose clocks differ from the broker's.
    pub(super) fn odd_clocks(&self) -> Vec<String> {
        let of_workers = self.workers.iter().zip(&self.given).filter_map(|(worker, given)| {
            Some(format!("the clock of worker {} is {} the broker's", worker.name, far_from((*given)?, worker.clock)?))
        });
        // The newest sign of life is hardly older than a pulse.
        let newest = self.given.iter().flatten().max();
        let own = newest.and_then(|newest| far_from(*newest, SystemTime::now()));
        let own = own.map(|far| format!("the clock of this machine is {far} the broker's"));
        own.into_iter().chain(of_workers).collect()
    }

    fn label(&self) -> &str {
        self.workers.first().map_or("", |worker| &worker.label)
    }

    pub(super) fn profile(&self) -> Option<&Profile> {
        self.workers.first().map(|worker| &worker.profile)
    }
}

/// Why there is no pool to choose.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum PoolError {
    #[error("no pool is called `{wanted}`; there are {known}")]
    Unknown { wanted: String, known: String },
    #[error(
        "the workers run programs with isolation {there}, and this run wants {wanted}\n  → start workers with such isolation, \
         or name theirs: --isolation {there}"
    )]
    Isolation { there: &'static str, wanted: String },
}

/// The workers that gave a sign of life lately, by their pools: those with the most slots first.
pub(super) fn pools(broker: &Broker) -> Result<Vec<Pool>, BrokerError> {
    // The newest sign of each. One that comes meanwhile replaces an older one, which may have been read already.
    let mut signs: BTreeMap<String, (Hello, Option<SystemTime>)> = BTreeMap::new();
    let mut from = 1;
    while let Some(found) = broker.next(stream::WORKERS, "hb.*", from)? {
        from = found.sequence + 1;
        // A worker of another version may say other things. Its pool would be another one.
        let Ok(hello) = serde_json::from_slice::<Hello>(&found.payload) else { continue };
        signs.insert(found.subject, (hello, found.stored));
    }
    let mut pools: BTreeMap<String, Pool> = BTreeMap::new();
    for (hello, given) in signs.into_values().filter(|(hello, _)| hello.sick.is_none()) {
        let name = hello.profile.pool(&hello.label);
        let new = || Pool { name: name.clone(), workers: Vec::new(), given: Vec::new() };
        let pool = pools.entry(name.clone()).or_insert_with(new);
        pool.workers.push(hello);
        pool.given.push(given);
    }
    let mut pools: Vec<Pool> = pools.into_values().collect();
    pools.sort_by(|a, b| b.slots().cmp(&a.slots()).then(a.name.cmp(&b.name)));
    Ok(pools)
}

/// How far a clock is from another one, in words, if that is worth telling.
fn far_from(clock: SystemTime, other: SystemTime) -> Option<String> {
    let (difference, side) = match other.duration_since(clock) {
        Ok(ahead) => (ahead, "ahead of"),
        Err(behind) => (behind.duration(), "behind"),
    };
    let seconds = Duration::from_secs(difference.as_secs());
    (difference > FAR).then(|| format!("{} {side}", humantime::format_duration(seconds)))
}

/// Chooses a pool: the wanted one, by name or label, or the one with the most slots. Returns also what to tell about
/// the workers that are left out. `layers`: the layers of isolation that the run may have.
pub(super) fn choose(
    pools: &[Pool],
    wanted: Option<&str>,
    layers: &[Isolation],
) -> Result<Option<(Pool, Vec<String>)>, PoolError> {
    let layer_of = |pool: &Pool| pool.profile().map(|profile| profile.isolation);
    let is_safe = |pool: &&Pool| layer_of(pool).is_some_and(|layer| layers.contains(&layer));
    if let (Some(first), None) = (pools.first().and_then(layer_of), pools.iter().find(is_safe)) {
        let wanted: Vec<&str> = layers.iter().map(|layer| layer.name()).collect();
        return Err(PoolError::Isolation { there: first.name(), wanted: wanted.join(" or ") });
    }
    let pools: Vec<Pool> = pools.iter().filter(is_safe).cloned().collect();
    let pools = &pools[..];
    let fits = |pool: &&Pool| wanted.is_none_or(|wanted| pool.name == wanted || pool.label() == wanted);
    let Some(chosen) = pools.iter().find(fits) else {
        return match wanted {
            Some(wanted) if !pools.is_empty() => {
                let known: Vec<&str> = pools.iter().map(|pool| &*pool.name).collect();
                Err(PoolError::Unknown { wanted: wanted.to_owned(), known: known.join(", ") })
            }
            _ => Ok(None),
        };
    };
    let mut told = Vec::new();
    for other in pools.iter().filter(|pool| pool.name != chosen.name && pool.label() == chosen.label()) {
        let (Some(theirs), Some(ours)) = (other.profile(), chosen.profile()) else { continue };
        let names: Vec<&str> = other.workers.iter().map(|worker| &*worker.name).collect();
        told.push(format!("left out: {}, with {}", names.join(", "), theirs.differences(ours).join("; ")));
    }
    Ok(Some((chosen.clone(), told)))
}
