//! Reads which workers exist, groups them into pools, and chooses the pool of a run.

use std::collections::BTreeMap;
use std::time::{Duration, SystemTime};

use serde::Deserialize;

use super::broker::{Broker, BrokerError};
use super::wire::{Hello, Profile, SCHEMA, stream};
use crate::diagnostic::{Diagnostic, Severity};
use crate::event::{HostFacts, HostShare};
use crate::report::text::count;
use crate::sandbox::Isolation;
use crate::workspace::elsewhere::NeededLanguage;
use crate::workspace::machine;

/// Clocks that differ by more than this are reported. No result depends on them.
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

    /// The cores of its machines.
    fn cores(&self) -> usize {
        let mut machines: BTreeMap<&str, usize> = BTreeMap::new();
        for worker in &self.workers {
            let cores = machines.entry(&worker.host).or_default();
            *cores = worker.cores.max(*cores);
        }
        machines.values().sum()
    }

    /// The facts about its machines for the record.
    pub(super) fn facts(&self) -> HostFacts {
        let share = |worker: &Hello| HostShare { name: worker.name.clone(), slots: worker.slots, cores: worker.cores };
        HostFacts {
            started: machine::now(),
            slots: self.slots(),
            cores: self.cores(),
            machine: self.profile().map(|profile| profile.machine.clone()).unwrap_or_default(),
            pool: self.name.clone(),
            hosts: self.workers.iter().map(share).collect(),
        }
    }

    /// The names of its workers.
    pub(super) fn names(&self) -> String {
        self.workers.iter().map(|worker| &*worker.name).collect::<Vec<_>>().join(", ")
    }

    /// The needed languages whose compilers or interpreters its workers lack.
    fn lacks<'l>(&self, needed: &'l [NeededLanguage]) -> Vec<&'l NeededLanguage> {
        let has = |id: &str| self.profile().is_some_and(|profile| profile.tools.contains_key(id));
        needed.iter().filter(|language| !has(&language.id)).collect()
    }

    /// The notices of its workers for readers of results, each once.
    pub(super) fn notices(&self) -> Vec<Diagnostic> {
        let mut notices = Vec::new();
        for notice in self.workers.iter().flat_map(|worker| &worker.notices) {
            if !notices.contains(notice) {
                notices.push(notice.clone());
            }
        }
        notices
    }

    /// The workers whose clocks differ from the broker's, in words.
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

/// The reason why no pool can be chosen.
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

/// The newest signs of life of the workers that gave one lately.
#[derive(Default)]
pub(super) struct Signs {
    /// The workers that speak this version of the messages, with the broker's time.
    pub(super) known: Vec<(Hello, Option<SystemTime>)>,
    /// The others.
    pub(super) strangers: Vec<Stranger>,
}

/// A worker that speaks another version of the messages. It takes no job of this one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Stranger {
    pub(super) name: String,
    /// Its version of grader.
    pub(super) version: String,
}

/// The part of a sign of life that all versions share.
#[derive(Deserialize)]
struct AnyHello {
    schema: u32,
    name: String,
    profile: AnyProfile,
}

#[derive(Deserialize)]
struct AnyProfile {
    version: String,
}

/// Reads a sign of life, which may be that of a stranger. None: it has no known form.
fn read_sign(payload: &[u8]) -> Option<Result<Hello, Stranger>> {
    // Anything may lie on a broker.
    let any: AnyHello = serde_json::from_slice(payload).ok()?;
    let stranger = Stranger { name: any.name, version: any.profile.version };
    // A later version may have values that this one does not know, such as a layer of isolation.
    let hello = serde_json::from_slice(payload).ok().filter(|_| any.schema == SCHEMA);
    Some(hello.ok_or(stranger))
}

/// Reads the newest sign of life of each worker.
pub(super) fn signs(broker: &Broker) -> Result<Signs, BrokerError> {
    // The newest sign of each. One that comes meanwhile replaces an older one, which may have been read already.
    let mut newest = BTreeMap::new();
    let mut from = 1;
    while let Some(found) = broker.next(stream::WORKERS, "hb.*", from)? {
        from = found.sequence + 1;
        if let Some(sign) = read_sign(&found.payload) {
            newest.insert(found.subject, sign.map(|hello| (hello, found.stored)));
        }
    }
    let mut signs = Signs::default();
    for sign in newest.into_values() {
        match sign {
            Ok(known) => signs.known.push(known),
            Err(stranger) => signs.strangers.push(stranger),
        }
    }
    Ok(signs)
}

/// The workers that gave a sign of life lately, by their pools: those with the most slots first.
pub(super) fn pools(known: Vec<(Hello, Option<SystemTime>)>) -> Vec<Pool> {
    let mut pools: BTreeMap<String, Pool> = BTreeMap::new();
    for (hello, given) in known.into_iter().filter(|(hello, _)| hello.leaves.is_none()) {
        let name = hello.profile.pool(&hello.label);
        let new = || Pool { name: name.clone(), workers: Vec::new(), given: Vec::new() };
        let pool = pools.entry(name.clone()).or_insert_with(new);
        pool.workers.push(hello);
        pool.given.push(given);
    }
    let mut pools: Vec<Pool> = pools.into_values().collect();
    pools.sort_by(|a, b| b.slots().cmp(&a.slots()).then(a.name.cmp(&b.name)));
    pools
}

/// How far a clock is from another one, in words, if they are far apart.
fn far_from(clock: SystemTime, other: SystemTime) -> Option<String> {
    let (difference, side) = match other.duration_since(clock) {
        Ok(ahead) => (ahead, "ahead of"),
        Err(behind) => (behind.duration(), "behind"),
    };
    let seconds = Duration::from_secs(difference.as_secs());
    (difference > FAR).then(|| format!("{} {side}", humantime::format_duration(seconds)))
}

/// The demands of a run on its workers.
pub(super) struct Wishes<'a> {
    /// The name or the label of the pool, if the user named one.
    pub(super) pool: Option<&'a str>,
    /// The layers of isolation that the run may have.
    pub(super) layers: &'a [Isolation],
    /// The languages of its programs.
    pub(super) languages: &'a [NeededLanguage],
}

/// The pool of a run.
#[derive(Debug, Clone)]
pub(super) struct Choice {
    pub(super) pool: Pool,
    /// Notices for the user: the languages that the pool lacks, and the workers that are left out.
    pub(super) notices: Vec<Diagnostic>,
}

/// Chooses the pool that lacks the fewest of the needed languages, and among equal ones that with the most slots. None
/// if no worker is there.
pub(super) fn choose(pools: &[Pool], wishes: &Wishes<'_>) -> Result<Option<Choice>, PoolError> {
    let layer_of = |pool: &Pool| pool.profile().map(|profile| profile.isolation);
    let is_safe = |pool: &&Pool| layer_of(pool).is_some_and(|layer| wishes.layers.contains(&layer));
    if let (Some(first), None) = (pools.first().and_then(layer_of), pools.iter().find(is_safe)) {
        let wanted: Vec<&str> = wishes.layers.iter().map(|layer| layer.name()).collect();
        return Err(PoolError::Isolation { there: first.name(), wanted: wanted.join(" or ") });
    }
    let pools: Vec<&Pool> = pools.iter().filter(is_safe).collect();
    let fits = |pool: &Pool| wishes.pool.is_none_or(|wanted| pool.name == wanted || pool.label() == wanted);
    let lacks = |pool: &Pool| pool.lacks(wishes.languages);
    // `pools` are in order of their slots, and the first of equal ones counts.
    let Some(chosen) = pools.iter().filter(|pool| fits(pool)).min_by_key(|pool| lacks(pool).len()) else {
        return match wishes.pool {
            Some(wanted) if !pools.is_empty() => {
                let known: Vec<&str> = pools.iter().map(|pool| &*pool.name).collect();
                Err(PoolError::Unknown { wanted: wanted.to_owned(), known: known.join(", ") })
            }
            _ => Ok(None),
        };
    };
    let mut notices = Vec::new();
    let missing = lacks(chosen);
    if !missing.is_empty() {
        let names: Vec<&str> = missing.iter().map(|language| &*language.name).collect();
        let programs: usize = missing.iter().map(|language| language.programs).sum();
        let message = format!(
            "pool {} ({}) has no {}: {} of this run cannot be judged there",
            chosen.name,
            chosen.names(),
            names.join(", no "),
            count(programs, "program")
        );
        let remedy = match pools.iter().find(|pool| lacks(pool).is_empty()) {
            Some(better) => format!("use the pool that has everything: --pool {}", better.name),
            None => "install it for a worker; `grader worker --check URL` says what a machine has".to_owned(),
        };
        notices.push(Diagnostic::new(Severity::Warning, message).remedy(remedy));
    }
    for other in pools.iter().filter(|pool| pool.name != chosen.name && pool.label() == chosen.label()) {
        let (Some(theirs), Some(ours)) = (other.profile(), chosen.profile()) else { continue };
        let differences = theirs.differences(ours).join("; ");
        let message = format!("left out: {}, in pool {}: {differences}", other.names(), other.name);
        notices.push(Diagnostic::new(Severity::Warning, message));
    }
    Ok(Some(Choice { pool: Pool::clone(chosen), notices }))
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    #[test]
    fn a_worker_of_another_version_is_a_stranger() {
        let sign = |change: &dyn Fn(&mut serde_json::Value)| {
            let mut value = serde_json::to_value(hello("w1", "a", 8, &["c"])).unwrap();
            change(&mut value);
            read_sign(&serde_json::to_vec(&value).unwrap())
        };
        assert!(matches!(sign(&|_| ()), Some(Ok(known)) if known.name == "w1"));
        let stranger = Stranger { name: "w1".to_owned(), version: "1".to_owned() };
        let changes: [&dyn Fn(&mut serde_json::Value); 2] =
            [&|hello| hello["schema"] = 3.into(), &|hello| hello["profile"]["isolation"] = "moat".into()];
        for change in changes {
            assert_eq!(sign(change), Some(Err(stranger.clone())));
        }
        assert_eq!(read_sign(b"{}"), None);
    }

    /// A worker with these tools.
    pub(in crate::remote) fn hello(name: &str, host: &str, slots: usize, tools: &[&str]) -> Hello {
        Hello {
            schema: SCHEMA,
            name: name.to_owned(),
            label: "default".to_owned(),
            profile: Profile {
                version: "1".to_owned(),
                isolation: Isolation::None,
                limits_memory: false,
                machine: "processor".to_owned(),
                tools: tools.iter().map(|tool| ((*tool).to_owned(), "1".to_owned())).collect(),
            },
            slots,
            cores: 4,
            host: host.to_owned(),
            instance: String::new(),
            notices: Vec::new(),
            clock: SystemTime::now(),
            repeats: Vec::new(),
            leaves: None,
        }
    }

    pub(in crate::remote) fn pool(workers: Vec<Hello>) -> Pool {
        let name = workers[0].profile.pool("default");
        Pool { name, given: vec![None; workers.len()], workers }
    }

    fn needed(id: &str) -> NeededLanguage {
        NeededLanguage { id: id.to_owned(), name: id.to_uppercase(), programs: 2 }
    }

    #[test]
    fn the_languages_of_a_run_count_before_slots() {
        let large = pool(vec![hello("w1", "a", 8, &["c"])]);
        let small = pool(vec![hello("w2", "b", 1, &["c", "rust"])]);
        let pools = [large.clone(), small.clone()];
        let chosen = |wanted: Option<&str>, languages: &[NeededLanguage]| {
            let wishes = Wishes { pool: wanted, layers: &[Isolation::None], languages };
            choose(&pools, &wishes).unwrap().unwrap()
        };
        assert_eq!(chosen(None, &[needed("c")]).pool.name, large.name);
        let Choice { pool, notices } = chosen(None, &[needed("c"), needed("rust")]);
        assert_eq!((pool.name, notices.len()), (small.name.clone(), 1));
        assert_eq!(notices[0].message, format!("left out: w1, in pool {}: rust is not installed", large.name));
        let notices = chosen(Some(&large.name), &[needed("rust")]).notices;
        let message = format!("pool {} (w1) has no RUST: 2 programs of this run cannot be judged there", large.name);
        assert_eq!(notices[0].message, message);
        assert_eq!(notices[0].remedy, format!("use the pool that has everything: --pool {}", small.name));
        // No pool has it: choose the one that lacks less, and among equal ones the larger.
        assert_eq!(chosen(None, &[needed("rust"), needed("kotlin")]).pool.name, small.name);
        let Choice { pool, notices } = chosen(None, &[needed("kotlin")]);
        assert_eq!(pool.name, large.name);
        assert!(notices[0].remedy.starts_with("install it for a worker"), "{}", notices[0].remedy);
    }

    #[test]
    fn workers_of_one_machine_share_its_cores() {
        let facts = pool(vec![hello("w1", "a", 1, &[]), hello("w2", "a", 1, &[]), hello("w3", "b", 2, &[])]).facts();
        assert_eq!((facts.slots, facts.cores), (4, 8));
        assert_eq!(facts.hosts_in_words(), format!("pool {}: w1, w2, w3", facts.pool));
    }
}
