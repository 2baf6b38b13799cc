//! A worker: takes jobs, judges them on its slots, stores the results. It stores a result before it acknowledges the
//! job. So no failure loses a job.

mod floor;
mod judge;
mod places;

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::{Duration, SystemTime};

use anyhow::{Context as _, Result};

use super::broker::{Address, Broker, BrokerError, LeasedJob, Link, Storing};
use super::cache::BlobCache;
use super::pools::{pools, signs};
use super::wire::{Complaint, Hello, Job, JobResult, Outcome, Profile, SCHEMA, WireError, decode, encode, stream};
use super::{clock, consumer, parts};
use crate::diagnostic::Diagnostic;
use crate::doctor::toolchains::{self, Tool};
use crate::engine::bench::Bench;

use crate::report::text::count;
use crate::sandbox::ControlGroups;
use crate::session::slot::{OpenSlots, on_slots, slots_of};
use crate::workspace::Workspace;
use crate::workspace::machine;
use crate::workspace::notices::groups_notice;
use floor::{Floor, Next, NoResult};
use judge::{Fault, JudgedJob};

/// After this many workers ended during a job, the job gets a judge error instead of another worker.
const MOST_ATTEMPTS: u64 = 3;
/// After this many judge errors in a row, the worker checks whether it is still fit.
const MOST_FAULTS: usize = 3;
/// How long a job waits after a worker could not do it.
const BREATH: Duration = Duration::from_millis(500);

/// How a worker works.
#[derive(Debug, Clone)]
pub(crate) struct WorkerOptions {
    pub(crate) address: Address,
    /// Its name: one word of a subject.
    pub(crate) name: String,
    /// The label of its pool.
    pub(crate) label: String,
    /// The directory of its cache.
    pub(crate) cache: PathBuf,
    /// The most bytes of files that it keeps.
    pub(crate) most_kept: u64,
    /// Whether it ends when no job waits.
    pub(crate) until_idle: bool,
}

/// Why a worker ends by itself.
#[derive(Debug, thiserror::Error)]
pub(crate) enum WorkerError {
    #[error("this worker is no longer fit: {0}\n  → its jobs went to others; `grader doctor` shows what works here")]
    Sick(String),
}

/// Works until a signal comes.
///
/// # Errors
/// The broker cannot be reached at the start, the sandbox cannot be used, or the worker has become unfit.
pub(crate) fn work(workspace: &Workspace, options: &WorkerOptions, log: &mut dyn FnMut(&str)) -> Result<()> {
    let name = options.name.clone();
    let broker = Broker::watched(&options.address, &format!("grader worker {name}"), move |link| match link {
        Link::Lost => say(&format!("worker {name}: the connection to the broker broke; trying again")),
        Link::Back => say(&format!("worker {name}: connected again")),
    })?;
    broker.has_jetstream().or_else(|error| match error {
        // A worker may not ask for this.
        BrokerError::Denied { .. } => Ok(()),
        error => Err(error),
    })?;
    let cache = BlobCache::open(&options.cache, options.most_kept)?;
    let slots = slots_of(workspace);
    on_slots(workspace, slots, [&*options.cache], |OpenSlots { mut benches, scratch, stop }| {
        let bench = benches.first_mut().context("no slot")?;
        bench.warm_up()?;
        let profile = profile(workspace, bench);
        let pool = profile.pool(&options.label);
        let notices = benches.first().and_then(|bench| groups_notice(&bench.control_groups()));
        let isolation = profile.isolation;
        let hello = Hello {
            schema: SCHEMA,
            name: options.name.clone(),
            label: options.label.clone(),
            profile,
            slots,
            cores: crate::session::cores::Cores::of_this_process().count(),
            host: machine::name(),
            instance: format!("{}-{}", std::process::id(), clock()),
            notices: notices.into_iter().collect::<Vec<Diagnostic>>(),
            clock: SystemTime::UNIX_EPOCH,
            repeats: Vec::new(),
            leaves: None,
        };
        let floor = Floor::new(broker, cache, workspace, hello, scratch);
        floor.listen()?;
        log(&format!(
            "worker {} in pool {pool}: {}, isolation {}; waiting for jobs at {}",
            options.name,
            count(slots, "slot"),
            isolation.name(),
            options.address.shown()
        ));
        let asked = floor.stopper();
        stop.calls(move || asked.stop());
        serve_on(&floor, benches, scratch, options.until_idle);
        log(&format!("worker {}: {}, and ends", options.name, floor.judged()));
        match floor.sickness() {
            Some(why) => Err(WorkerError::Sick(why).into()),
            None => Ok(()),
        }
    })
}

/// Takes jobs on every slot until the worker ends.
fn serve_on(floor: &Floor, benches: Vec<Bench<'_>>, scratch: &Path, until_idle: bool) {
    std::thread::scope(|scope| {
        scope.spawn(|| floor.keep_leases());
        scope.spawn(|| floor.give_signs());
        scope.spawn(|| floor.fetch_ahead());
        let serving: Vec<_> = benches
            .into_iter()
            .enumerate()
            .map(|(slot, mut bench)| {
                let dir = scratch.join(format!("job{slot}"));
                scope.spawn(move || {
                    let alarm = floor::Alarm(floor);
                    serve(floor, &mut bench, &pool_of(floor), &dir, until_idle);
                    std::mem::forget(alarm);
                })
            })
            .collect();
        for thread in serving {
            // A thread that panicked has stopped the others.
            let _ = thread.join();
        }
        floor.stop();
    });
}

fn pool_of(floor: &Floor) -> String {
    floor.hello.profile.pool(&floor.hello.label)
}

/// Checks the connection between this machine and a broker step by step. Returns one line for each step that works.
///
/// # Errors
/// The first step that fails.
pub(crate) fn check(workspace: &Workspace, options: &WorkerOptions) -> Result<Vec<String>> {
    let broker = Broker::connect(&options.address, "grader worker --check")?;
    let mut lines = vec![format!("connected to {}", options.address.shown())];
    broker.has_jetstream()?;
    lines.push("the broker has JetStream".to_owned());
    let is_used = broker.has_stream(stream::BLOBS)?;
    let pools = if is_used {
        broker.take(stream::JOBS, "check")?;
        broker.last(stream::BLOBS, "blob.check.end")?;
        lines.push("this user may take jobs and read files".to_owned());
        pools(signs(&broker)?.known)
    } else {
        lines.push("no run has used this broker yet".to_owned());
        Vec::new()
    };
    on_slots(workspace, 1, [&*options.cache], |OpenSlots { mut benches, .. }| {
        let bench = benches.first_mut().context("no slot")?;
        bench.warm_up()?;
        let profile = profile(workspace, bench);
        let own = profile.pool(&options.label);
        let isolation = profile.isolation.name();
        let tools = profile.tools.len();
        let memory = if profile.limits_memory { "limited by the kernel" } else { "only sampled" };
        lines.push(format!("isolation {isolation}, memory {memory}, {tools} languages and tools, pool {own}"));
        for pool in &pools {
            let names: Vec<&str> = pool.workers.iter().map(|worker| &*worker.name).collect();
            let same = if pool.name == own { " (the same pool)" } else { "" };
            lines.push(format!("working now: {} in pool {}{same}", names.join(", "), pool.name));
            if let Some(theirs) = pool.profile().filter(|_| pool.name != own) {
                lines.push(format!("  differs from them: {}", profile.differences(theirs).join("; ")));
            }
        }
        if pools.is_empty() {
            lines.push("no other worker is there now".to_owned());
        }
        Ok(())
    })?;
    Ok(lines)
}

/// The profile of this machine: its processor, its isolation, and the versions of its tools.
pub(super) fn profile(workspace: &Workspace, bench: &mut Bench<'_>) -> Profile {
    let resources = bench.resources;
    let limits_memory = ControlGroups::limit_memory(&bench.control_groups()).unwrap_or_default();
    let (mut sandbox, _) = bench.lend();
    // Versions in the store still hold if the tools are the same files.
    let found = toolchains::all(&workspace.languages, workspace.host(), &mut *sandbox, &resources.store);
    let tools: BTreeMap<String, String> = found
        .into_iter()
        .filter_map(|(language, tool)| match tool {
            Tool::Version(version) => Some((language, version)),
            Tool::Missing(_) => None,
        })
        .collect();
    Profile {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        isolation: resources.isolation,
        limits_memory,
        machine: machine::processor(),
        tools,
    }
}

/// Takes jobs for one slot until the worker ends.
fn serve(floor: &Floor, bench: &mut Bench<'_>, pool: &str, dir: &Path, until_idle: bool) {
    let lanes = [consumer(true, pool), consumer(false, pool)];
    let mut faults = 0;
    loop {
        floor.let_others_begin();
        let woken = floor.woken();
        let taken = match floor.take(&lanes) {
            Next::Job(taken) => taken,
            Next::Nothing if until_idle && floor.is_idle() => return,
            Next::Nothing => {
                floor.nap(woken);
                continue;
            }
            Next::End => return,
        };
        let done = match decode::<Job>(&taken.payload) {
            Ok(job) => {
                floor.begin_work(&job.run);
                let _lease = floor.hold(taken.clone(), &job);
                one_job(floor, bench, &taken, &job, dir)
            }
            // It is unreadable, so it can have no result: it stays until its client gives up on it.
            Err(error) => Err(NoResult::Unable(error.to_string())),
        };
        match done {
            Ok(JobEnd::Fine) => faults = 0,
            Ok(JobEnd::Fault) => faults += 1,
            Err(NoResult::Stopped) => floor.broker.give_back(&taken, Duration::ZERO),
            // The client has withdrawn it.
            Err(NoResult::Cancelled) => floor.finish(&taken),
            Err(NoResult::Unable(why)) => {
                faults += 1;
                floor.complain_here(&why);
                floor.broker.give_back(&taken, BREATH);
            }
            Err(NoResult::Elsewhere(why)) => {
                faults += 1;
                floor.complain_here(&format!("{why}; another worker judges this"));
                floor.broker.give_back(&taken, Duration::ZERO);
            }
        }
        if faults >= MOST_FAULTS {
            faults = 0;
            let now = profile(floor.workspace, bench);
            let wrong = now.differences(&floor.hello.profile);
            if !wrong.is_empty() {
                floor.is_sick(wrong.join("; "));
                return;
            }
        }
    }
}

/// The end of a job whose result is stored.
enum JobEnd {
    Fine,
    /// The judge failed: because of the problem, or of this machine.
    Fault,
}

fn one_job(floor: &Floor, bench: &mut Bench<'_>, taken: &LeasedJob, job: &Job, dir: &Path) -> Result<JobEnd, NoResult> {
    let subject = format!("res.{}.{}", job.run, job.key);
    if floor.broker.last(stream::RESULTS, &subject)?.is_some() {
        floor.finish(taken);
        return Ok(JobEnd::Fine);
    }
    if taken.deliveries > MOST_ATTEMPTS {
        let message = format!("{MOST_ATTEMPTS} workers ended or gave up while they judged this");
        let judged = JudgedJob { outcome: Outcome::Failed(message), ..JudgedJob::default() };
        return deliver(floor, taken, job, &subject, judged).map(|()| JobEnd::Fault);
    }
    let pack = floor.pack_of(job)?;
    let judged = judge::judge(floor, bench, job, &pack, dir)?;
    match &judged.fault {
        // Processes of this machine may be killed again. Another machine judges the job if there is one.
        Some(Fault::KeepersLost(why)) if taken.deliveries < MOST_ATTEMPTS && floor.has_company() => {
            floor.stand_back(job, &subject);
            Err(NoResult::Elsewhere(why.clone()))
        }
        // Another worker may do better. If it does not, the fault is not this machine's.
        Some(Fault::KeepersLost(why) | Fault::Other(why)) if taken.deliveries == 1 => {
            Err(NoResult::Unable(why.clone()))
        }
        Some(_) => deliver(floor, taken, job, &subject, judged).map(|()| JobEnd::Fault),
        None => deliver(floor, taken, job, &subject, judged).map(|()| JobEnd::Fine),
    }
}

/// Stores a result and acknowledges its job. Tries until that succeeds, or the worker ends.
fn deliver(floor: &Floor, taken: &LeasedJob, job: &Job, subject: &str, judged: JudgedJob) -> Result<(), NoResult> {
    let JudgedJob { outcome, kept, verdicts, .. } = judged;
    let result = JobResult {
        schema: SCHEMA,
        worker: floor.hello.name.clone(),
        attempt: taken.deliveries,
        outcome,
        verdicts: verdicts.clone(),
        kept,
    };
    let message = encode(&result)?;
    loop {
        match parts::store(&floor.broker, subject, &message) {
            Ok(Storing::New) => {
                floor.count_result();
                break;
            }
            Ok(Storing::Known) => {
                // Another worker was quicker. Its result stays; a different one is worth knowing.
                if let Ok(Some(kept)) = parts::load(&floor.broker, subject)
                    && let Ok(JobResult { verdicts: first, worker, .. }) = decode::<JobResult>(&kept)
                    && first != verdicts
                {
                    let kept = format!("{first} ({worker})");
                    let other = format!("{verdicts} ({})", floor.hello.name);
                    let complaint = Complaint::Unstable { job: job.key.clone(), kept, other };
                    floor.broker.tell(&format!("complain.{}", job.run), encode(&complaint)?);
                }
                break;
            }
            Ok(Storing::Full(full)) => floor.tell_no_room(&job.run, full),
            Err(error) => floor.complain_here(&error.to_string()),
        }
        if floor.ends.load(Ordering::SeqCst) {
            return Err(NoResult::Stopped);
        }
        std::thread::sleep(BREATH);
    }
    floor.finish(taken);
    Ok(())
}

impl From<WireError> for NoResult {
    fn from(error: WireError) -> Self {
        Self::Unable(error.to_string())
    }
}

impl From<BrokerError> for NoResult {
    fn from(error: BrokerError) -> Self {
        Self::Unable(error.to_string())
    }
}

/// Prints a line for the user who watches the worker.
pub(super) fn say(line: &str) {
    // Without a terminal, no user watches.
    let _ = writeln!(std::io::stderr(), "{line}");
}

#[cfg(test)]
mod tests;
