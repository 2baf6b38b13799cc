//! The parts of a worker that all its slots share: the connection, the files, the leases of jobs, the signs of life,
//! and the messages to clients.

use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, mpsc};
use std::time::{Duration, Instant, SystemTime};

use super::say;
use crate::engine::Quiet;
use crate::engine::bench::Resources;
use crate::plan::PlannedProblem;
use crate::remote::broker::{BroadcastMessage, Broker, BrokerError, LeasedJob, Storing};
use crate::remote::cache::{BlobCache, BlobError};
use crate::remote::pack::unpack;
use crate::remote::pools::signs;
use crate::remote::wire::{
    Blob, ClientPath, Complaint, Full, HEARD_BY_ALL, Hello, Job, Leaving, PULSE, Pack, decode, encode, stream,
};
use crate::report::text::count;
use crate::store::{Digest, Store};
use crate::stream::StreamProblem;
use crate::workspace::Workspace;

/// The most problems whose files are unpacked at the same time.
const MOST_PACKS: usize = 16;
/// After this many signs of life, a worker checks whether another worker uses its name.
const SIGNS_ALONE: u64 = 5;
/// The longest sleep of a slot without work. Nothing wakes it for a job that another worker gave back.
const NAP: Duration = Duration::from_secs(1);
/// The longest time for which a worker takes no job after it gave one back for others.
const MOST_STANDING_BACK: Duration = Duration::from_secs(60);
/// How often a worker that stands back checks whether another one has the job.
const STAND_BACK_LOOK: Duration = Duration::from_millis(500);

/// Why this worker has no result for a job.
pub(super) enum NoResult {
    /// The worker ends.
    Stopped,
    /// The client has cancelled it.
    Cancelled,
    /// This worker cannot do it, now or ever.
    Unable(String),
    /// Another worker must try the job before the client gets a judge error.
    Elsewhere(String),
}

/// The next action of a slot.
pub(super) enum Next {
    Job(LeasedJob),
    Nothing,
    End,
}

/// A problem whose files are here.
pub(super) struct Ready {
    /// The place below which all its files are.
    pub(super) tree: PathBuf,
    /// The directory of the problem on the machine of the client.
    pub(super) client_dir: ClientPath,
    pub(super) planned: PlannedProblem,
    pub(super) resources: Arc<Resources>,
    pub(super) language: Option<String>,
    pub(super) all_tests: bool,
    pub(super) wants_looks: bool,
    /// The problem as requests of a stream need it.
    pub(super) stream: Arc<StreamProblem>,
}

impl Drop for Ready {
    fn drop(&mut self) {
        // On an error, the rest is removed with the scratch directory.
        let _ = crate::sandbox::remove_tree(&self.tree);
    }
}

/// A job in work.
struct CurrentJob {
    number: u64,
    taken: LeasedJob,
    run: String,
    lease: Duration,
    prolonged: Instant,
    /// After this, the slot counts as lost.
    until: Instant,
    stop: Option<(Stop, Arc<AtomicBool>)>,
}

impl CurrentJob {
    /// The key of the job, if another worker had it before.
    fn repeated(&self) -> Option<String> {
        let key = self.taken.subject.rsplit('.').next().filter(|_| self.taken.deliveries > 1);
        key.map(str::to_owned)
    }

    /// When to prolong its lease.
    fn due(&self) -> Instant {
        self.prolonged + self.lease / 4
    }
}

/// Ends the programs of a job, from another thread.
type Stop = Box<dyn Fn() + Send>;

pub(super) struct Floor<'w> {
    pub(super) broker: Broker,
    pub(super) workspace: &'w Workspace,
    pub(super) hello: Hello,
    pub(super) quiet: Arc<Quiet>,
    /// Whether the worker ends.
    pub(super) ends: Arc<AtomicBool>,
    shared: Arc<FloorState>,
    cache: BlobCache,
    store: Arc<Store>,
    scratch: PathBuf,
    packs: Mutex<VecDeque<(Blob, Arc<Ready>)>>,
    trees: AtomicU64,
    numbers: AtomicU64,
    sick: Mutex<Option<String>>,
    /// The number of results that it has stored.
    judged: AtomicU64,
    /// Whether its log already says that it works.
    works: AtomicBool,
    /// When each complaint was shown last. One that repeats is shown once a minute.
    complained: Mutex<BTreeMap<String, Instant>>,
}

/// The state that all threads of a worker share.
struct FloorState {
    ends: Arc<AtomicBool>,
    state: Mutex<LockedFloorState>,
    changed: Condvar,
}

#[derive(Default)]
struct LockedFloorState {
    held: Vec<CurrentJob>,
    /// The packs that clients announce for their next jobs.
    wanted: VecDeque<Blob>,
    /// How often there may have been new jobs at the broker.
    woken: u64,
    /// How often a client asked which workers are there.
    greeted: u64,
    /// The job that another worker must begin before this one takes jobs again.
    given_back: Option<GivenBack>,
}

/// A job that this worker gave back for others.
#[derive(Clone)]
struct GivenBack {
    key: String,
    /// The subject of its result.
    result: String,
    /// The time at which this worker takes jobs again in any case.
    until: Instant,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl FloorState {
    fn lock(&self) -> MutexGuard<'_, LockedFloorState> {
        locked(&self.state)
    }

    fn change(&self, change: impl FnOnce(&mut LockedFloorState)) {
        change(&mut self.lock());
        self.changed.notify_all();
    }

    /// Waits until `find` returns a value, but not beyond `until` or the end of the worker. Returns the last value.
    fn wait_for<T>(&self, until: Instant, mut find: impl FnMut(&mut LockedFloorState) -> Option<T>) -> Option<T> {
        let mut state = self.lock();
        loop {
            let found = find(&mut state);
            let left = until.saturating_duration_since(Instant::now());
            if found.is_some() || left.is_zero() || self.ends() {
                return found;
            }
            state = self.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn ends(&self) -> bool {
        self.ends.load(Ordering::SeqCst)
    }

    fn stop(&self) {
        self.ends.store(true, Ordering::SeqCst);
        self.stop_jobs(|_| true);
        self.change(|_| {});
    }

    fn stop_jobs(&self, which: impl Fn(&CurrentJob) -> bool) {
        for held in self.lock().held.iter().filter(|held| which(held)) {
            if let Some((stop, stopped)) = &held.stop {
                stopped.store(true, Ordering::SeqCst);
                stop();
            }
        }
    }
}

/// Ends a worker from another thread.
pub(super) struct FloorStopper(Arc<FloorState>);

impl FloorStopper {
    pub(super) fn stop(&self) {
        self.0.stop();
    }
}

/// Ends the worker if the thread of a slot panics.
pub(super) struct Alarm<'f, 'w>(pub(super) &'f Floor<'w>);

impl Drop for Alarm<'_, '_> {
    fn drop(&mut self) {
        self.0.is_sick("a thread of this worker ended unexpectedly".to_owned());
    }
}

/// A job that is prolonged as long as this lives.
pub(super) struct Lease<'f, 'w> {
    floor: &'f Floor<'w>,
    number: u64,
}

impl Drop for Lease<'_, '_> {
    fn drop(&mut self) {
        self.floor.shared.change(|state| state.held.retain(|held| held.number != self.number));
    }
}

impl<'w> Floor<'w> {
    pub(super) fn new(
        broker: Broker,
        cache: BlobCache,
        workspace: &'w Workspace,
        hello: Hello,
        scratch: &Path,
    ) -> Self {
        let ends: Arc<AtomicBool> = Arc::default();
        let shared = FloorState { ends: Arc::clone(&ends), state: Mutex::default(), changed: Condvar::new() };
        let (store, _) = Store::open(&workspace.settings.store_dir());
        Self {
            broker,
            workspace,
            hello,
            quiet: Arc::default(),
            ends,
            shared: Arc::new(shared),
            cache,
            store: Arc::new(store),
            scratch: scratch.to_owned(),
            packs: Mutex::default(),
            trees: AtomicU64::default(),
            numbers: AtomicU64::default(),
            sick: Mutex::default(),
            judged: AtomicU64::default(),
            works: AtomicBool::default(),
            complained: Mutex::default(),
        }
    }

    /// Listens to the messages of clients that wake slots or end jobs.
    pub(super) fn listen(&self) -> Result<(), BrokerError> {
        let (sender, messages) = mpsc::channel::<BroadcastMessage>();
        self.broker.listen(&["ctl.>".to_owned()], &sender)?;
        let shared = Arc::clone(&self.shared);
        let pool = self.pool();
        let wake = format!("ctl.wake.{pool}");
        let fetch = format!("ctl.fetch.{pool}");
        drop(sender);
        std::thread::Builder::new()
            .name("clients".to_owned())
            .spawn(move || {
                // Ends with the connection.
                while let Ok(BroadcastMessage { subject, payload }) = messages.recv() {
                    if subject == wake {
                        shared.change(|state| state.woken += 1);
                    } else if subject == "ctl.hello" {
                        shared.change(|state| (state.woken, state.greeted) = (state.woken + 1, state.greeted + 1));
                    } else if subject == fetch {
                        if let Ok(blob) = serde_json::from_slice(&payload) {
                            shared.change(|state| state.wanted.push_back(blob));
                        }
                    } else if let Some(run) = subject.strip_prefix("ctl.cancel.") {
                        shared.stop_jobs(|held| held.run == run);
                    }
                }
            })
            .map(drop)
            .map_err(|_| BrokerError::Silent)
    }

    fn pool(&self) -> String {
        super::pool_of(self)
    }

    pub(super) fn stopper(&self) -> FloorStopper {
        FloorStopper(Arc::clone(&self.shared))
    }

    pub(super) fn stop(&self) {
        self.shared.stop();
    }

    /// How often there may have been new jobs.
    pub(super) fn woken(&self) -> u64 {
        self.shared.lock().woken
    }

    /// Waits until there may be new jobs since `woken`, or for a while.
    pub(super) fn nap(&self, woken: u64) {
        self.shared.wait_for(Instant::now() + NAP, |state| (state.woken != woken).then_some(()));
    }

    /// Takes no job until another worker has begun the one that this worker gave back.
    pub(super) fn stand_back(&self, job: &Job, result: &str) {
        let until = Instant::now() + MOST_STANDING_BACK;
        let given_back = GivenBack { key: job.key.clone(), result: result.to_owned(), until };
        self.shared.change(|state| state.given_back = Some(given_back));
    }

    /// Waits until this worker may take jobs again, or ends.
    pub(super) fn let_others_begin(&self) {
        let given_back = || self.shared.lock().given_back.clone();
        while let Some(job) = given_back().filter(|_| !self.shared.ends()) {
            if job.until <= Instant::now() || self.is_in_other_hands(&job) {
                self.shared.change(|state| state.given_back = None);
            } else {
                self.shared.wait_for(Instant::now() + STAND_BACK_LOOK, |_| None::<()>);
            }
        }
    }

    /// Whether another worker judges a job or has judged it, or no other worker can do so.
    fn is_in_other_hands(&self, job: &GivenBack) -> bool {
        // If the broker cannot say, the next look may know more.
        let is_judged = self.broker.last(stream::RESULTS, &job.result).is_ok_and(|result| result.is_some());
        let company = self.company();
        is_judged || company.is_empty() || company.iter().any(|other| other.repeats.contains(&job.key))
    }

    /// Whether another worker takes jobs of the same pool.
    pub(super) fn has_company(&self) -> bool {
        !self.company().is_empty()
    }

    /// The other workers that take jobs of the same pool.
    fn company(&self) -> Vec<Hello> {
        let pool = self.pool();
        let is_other = |hello: &Hello| {
            let its_pool = hello.profile.pool(&hello.label);
            hello.name != self.hello.name && hello.leaves.is_none() && its_pool == pool
        };
        // If that is unknown, this worker goes on as if it were alone.
        let signs = signs(&self.broker).unwrap_or_default();
        signs.known.into_iter().map(|(hello, _)| hello).filter(is_other).collect()
    }

    /// Takes the next job: those that people wait for come first.
    pub(super) fn take(&self, lanes: &[String]) -> Next {
        for lane in lanes {
            if self.ends.load(Ordering::SeqCst) {
                return Next::End;
            }
            match self.broker.take(stream::JOBS, lane) {
                Ok(Some(taken)) => return Next::Job(taken),
                Ok(None) => {}
                Err(error) => self.complain_here(&error.to_string()),
            }
        }
        if self.ends.load(Ordering::SeqCst) { Next::End } else { Next::Nothing }
    }

    /// Fetches the files of problems that will be needed, until the worker ends.
    pub(super) fn fetch_ahead(&self) {
        while !self.shared.ends() {
            let wanted = self.shared.wait_for(Instant::now() + PULSE, |state| state.wanted.pop_front());
            if let Some(Err(error)) = wanted.map(|blob| self.pack(blob)) {
                // The first job that needs them tries again, and reports the failure to its client.
                self.complain_here(&error.to_string());
            }
        }
    }

    /// Whether no slot has a job.
    pub(super) fn is_idle(&self) -> bool {
        self.shared.lock().held.is_empty()
    }

    /// Prolongs the lease of a job until the returned value is dropped.
    pub(super) fn hold(&self, taken: LeasedJob, job: &Job) -> Lease<'_, 'w> {
        let number = self.numbers.fetch_add(1, Ordering::Relaxed);
        let now = Instant::now();
        let run = job.run.clone();
        let lease = job.lease;
        let until = now + Duration::from_secs(600);
        let held = CurrentJob { number, taken, run, lease, prolonged: now, until, stop: None };
        self.shared.change(|state| state.held.push(held));
        Lease { floor: self, number }
    }

    /// Registers how to stop the programs of a job, and the longest time that it may take. Returns a flag that is set
    /// when the job was stopped.
    pub(super) fn runs(&self, job: &Job, stop: impl Fn() + Send + 'static, most: Duration) -> Arc<AtomicBool> {
        let asked: Arc<AtomicBool> = Arc::default();
        let mut state = self.shared.lock();
        let mine = |held: &&mut CurrentJob| held.run == job.run && held.taken.subject.ends_with(&job.key);
        if let Some(held) = state.held.iter_mut().rev().find(mine) {
            held.stop = Some((Box::new(stop), Arc::clone(&asked)));
            held.until = Instant::now() + most;
        }
        asked
    }

    /// Prolongs leases until the worker ends.
    pub(super) fn keep_leases(&self) {
        let mut next = Instant::now();
        while !self.shared.ends() {
            let due = self.shared.wait_for(next, |state| {
                let now = Instant::now();
                let alive = || state.held.iter().filter(|held| now < held.until);
                next = alive().map(CurrentJob::due).min().unwrap_or(now + PULSE);
                (next <= now).then_some(())
            });
            if due.is_none() {
                continue;
            }
            let mut state = self.shared.lock();
            let now = Instant::now();
            let due = state.held.iter_mut().filter(|held| held.due() <= now && now < held.until);
            let due: Vec<LeasedJob> = due
                .map(|held| {
                    held.prolonged = now;
                    held.taken.clone()
                })
                .collect();
            drop(state);
            for taken in &due {
                self.broker.prolong(taken);
            }
        }
    }

    /// Gives signs of life until the worker ends.
    pub(super) fn give_signs(&self) {
        let mut greeted = 0;
        let mut was_idle = true;
        let mut number = 0;
        while !self.shared.ends() {
            number += 1;
            if number % SIGNS_ALONE == 0 {
                self.tell_if_not_alone();
            }
            self.tell_sign(None);
            was_idle = self.tell_rest(was_idle);
            let asked = |state: &mut LockedFloorState| (state.greeted != greeted).then_some(state.greeted);
            greeted = self.shared.wait_for(Instant::now() + PULSE, asked).unwrap_or(greeted);
        }
        self.tell_sign(Some(self.sickness().map_or(Leaving::Ended, Leaving::Sick)));
        self.broker.flush();
    }

    /// Complains if another worker gives signs of life under the name of this one. Its sign has replaced the last one.
    fn tell_if_not_alone(&self) {
        // Failures of the broker are reported by the threads that need it.
        if !self.broker.has_stream(stream::WORKERS).unwrap_or_default() {
            return;
        }
        let last = self.broker.next(stream::WORKERS, &format!("hb.{}", self.hello.name), 1).ok().flatten();
        // A worker of another version may say other things.
        let last = last.and_then(|found| serde_json::from_slice::<Hello>(&found.payload).ok());
        if let Some(other) = last.filter(|other| other.instance != self.hello.instance) {
            self.complain_here(&format!(
                "another worker on {} has this name too\n  → give each worker a user of its own: grader engine config \
                 --worker NAME",
                other.host
            ));
        }
    }

    fn tell_sign(&self, leaves: Option<Leaving>) {
        let subject = format!("hb.{}", self.hello.name);
        let repeats = self.shared.lock().held.iter().filter_map(CurrentJob::repeated).collect();
        let hello = Hello { clock: SystemTime::now(), leaves, repeats, ..self.hello.clone() };
        let Ok(text) = serde_json::to_vec(&hello) else { return };
        // A worker that ends waits for no answer.
        if hello.leaves.is_some() {
            self.broker.tell(&subject, text);
        } else if let Ok(Storing::Full(full)) = self.broker.sign(&subject, text) {
            // Other failures are reported by the threads that need the broker.
            self.tell_no_room(HEARD_BY_ALL, full);
        }
    }

    /// Complains to the client, and on the output of this worker, that the broker stores nothing more.
    pub(super) fn tell_no_room(&self, run: &str, full: Full) {
        self.complain_here(&full.to_string());
        if let Ok(message) = encode(&Complaint::NoRoom { worker: self.hello.name.clone(), full }) {
            self.broker.tell(&format!("complain.{run}"), message);
        }
    }

    /// Logs that work begins after a rest.
    pub(super) fn begin_work(&self, run: &str) {
        if !self.works.swap(true, Ordering::SeqCst) {
            self.say(&format!("judges submissions of run {run}"));
        }
    }

    /// Logs that a rest begins, if no slot has had a job for a while. Returns whether all slots are idle now.
    fn tell_rest(&self, was_idle: bool) -> bool {
        let is_idle = self.is_idle();
        if is_idle && was_idle && self.works.swap(false, Ordering::SeqCst) {
            self.say(&format!("{} so far; waiting for jobs", self.judged()));
        }
        is_idle
    }

    /// The number of judged jobs, in words.
    pub(super) fn judged(&self) -> String {
        let judged = self.judged.load(Ordering::SeqCst);
        format!("judged {}", count(usize::try_from(judged).unwrap_or(usize::MAX), "submission"))
    }

    /// Prints a line of the log.
    pub(super) fn say(&self, line: &str) {
        say(&format!("worker {}: {line}", self.hello.name));
    }

    /// Ends the worker because it is unfit, for this reason.
    pub(super) fn is_sick(&self, why: String) {
        locked(&self.sick).get_or_insert(why);
        self.stop();
    }

    pub(super) fn sickness(&self) -> Option<String> {
        locked(&self.sick).clone()
    }

    /// Prints a line about this worker.
    pub(super) fn complain_here(&self, why: &str) {
        let mut complained = locked(&self.complained);
        let known = complained.get(why).is_some_and(|at| at.elapsed() < Duration::from_secs(60));
        if !known {
            complained.insert(why.to_owned(), Instant::now());
            self.say(why);
        }
    }

    /// Counts a result that this worker has stored.
    pub(super) fn count_result(&self) {
        self.judged.fetch_add(1, Ordering::SeqCst);
    }

    /// Acknowledges a job whose result is stored. If that fails, another worker finds the result and acknowledges.
    pub(super) fn finish(&self, taken: &LeasedJob) {
        if let Err(error) = self.broker.finish(taken) {
            self.complain_here(&error.to_string());
        }
    }

    /// Reports to the client that a blob is missing.
    fn miss(&self, run: &str, digest: Digest) -> NoResult {
        if let Ok(message) = encode(&Complaint::Blob(digest)) {
            self.broker.tell(&format!("complain.{run}"), message);
        }
        NoResult::Unable(BlobError::Unsound(digest).to_string())
    }

    /// Why a job that was stopped has no result.
    pub(super) fn stopped(&self) -> NoResult {
        if self.shared.ends() { NoResult::Stopped } else { NoResult::Cancelled }
    }

    /// The file with a blob that a job needs.
    pub(super) fn blob(&self, job: &Job, blob: Blob) -> Result<PathBuf, NoResult> {
        self.cache.get(&self.broker, blob).map_err(|error| self.lacks(job, error))
    }

    /// The reason why a job without one of its blobs has no result. Reports it to the client, which may send the blob
    /// again.
    fn lacks(&self, job: &Job, error: BlobError) -> NoResult {
        match error {
            BlobError::Unsound(digest) => self.miss(&job.run, digest),
            error => NoResult::Unable(error.to_string()),
        }
    }

    /// The problem of a job with its files.
    pub(super) fn pack_of(&self, job: &Job) -> Result<Arc<Ready>, NoResult> {
        self.pack(job.pack).map_err(|error| self.lacks(job, error))
    }

    /// A problem with its files.
    fn pack(&self, blob: Blob) -> Result<Arc<Ready>, BlobError> {
        // While one slot unpacks, the others wait: they most likely need the same.
        let mut packs = locked(&self.packs);
        if let Some(at) = packs.iter().position(|(known, _)| *known == blob) {
            let found = packs.remove(at);
            packs.extend(found);
            return packs.back().map(|(_, ready)| Arc::clone(ready)).ok_or(BlobError::Unsound(blob.digest));
        }
        let ready = Arc::new(self.unpack(blob)?);
        if packs.len() >= MOST_PACKS {
            packs.pop_front();
        }
        packs.push_back((blob, Arc::clone(&ready)));
        Ok(ready)
    }

    fn unpack(&self, blob: Blob) -> Result<Ready, BlobError> {
        let disk = |error| BlobError::Disk { dir: self.scratch.clone(), error };
        let other = |why: String| disk(std::io::Error::other(format!("pack {}: {why}", blob.digest)));
        let path = self.cache.get(&self.broker, blob)?;
        let bytes = std::fs::read(path).map_err(disk)?;
        let pack: Pack = decode(&bytes).map_err(|error| other(error.to_string()))?;
        let tree = self.scratch.join(format!("tree{}", self.trees.fetch_add(1, Ordering::Relaxed)));
        let blobs = pack.files.blobs.iter().map(|blob| self.cache.get(&self.broker, *blob));
        let blobs = blobs.collect::<Result<Vec<_>, _>>()?;
        unpack(&pack.files, &blobs, &|path| path.below(&tree)).map_err(disk)?;
        let client_dir = ClientPath::new(&pack.problem.dir);
        let problem = pack.problem.moved(&|path| ClientPath::new(path).below(&tree));
        let settings = pack.settings.settle(self.workspace.start.clone());
        let workspace = self.workspace.with_settings(settings).map_err(|error| other(error.to_string()))?;
        let planned = PlannedProblem::of(problem, pack.tests);
        let resources = workspace.resources(Arc::clone(&self.store), self.hello.profile.isolation);
        Ok(Ready {
            client_dir,
            stream: Arc::new(StreamProblem::ready(planned.clone())),
            planned,
            resources: Arc::new(resources),
            language: pack.language,
            all_tests: pack.all_tests,
            wants_looks: pack.wants_looks,
            tree,
        })
    }
}
