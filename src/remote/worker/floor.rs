//! What all slots of a worker share: the connection, the files, the leases, and who must hear of what.

use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::{clock, say};
use crate::engine::bench::Resources;
use crate::engine::{Quiet, Stopper};
use crate::plan::PlannedProblem;
use crate::remote::broker::{Broker, BrokerError, Taken};
use crate::remote::cache::{BlobCache, BlobError};
use crate::remote::pack::{place_below, unpack};
use crate::remote::wire::{Blob, Complaint, Hello, Job, PULSE, Pack, Packed, decode, encode, stream};
use crate::store::{Digest, Store};
use crate::workspace::Workspace;

/// The most problems whose files are unpacked at the same time.
const MOST_PACKS: usize = 16;
/// The longest sleep of a slot without work: a job that was given back rings no bell.
const NAP: Duration = Duration::from_secs(1);

/// Why a job has no result from here.
pub(super) enum Lost {
    /// The worker ends.
    Stopped,
    /// The client does not want it any more.
    Cancelled,
    /// This worker cannot do it, now or ever.
    Unable(String),
}

/// What a slot does next.
pub(super) enum Next {
    Job(Taken),
    Nothing,
    End,
}

/// A problem whose files are here.
pub(super) struct Ready {
    /// The place below which all its files are.
    pub(super) tree: PathBuf,
    /// The directory of the problem on the machine of the client.
    pub(super) told_dir: PathBuf,
    pub(super) planned: PlannedProblem,
    pub(super) resources: Arc<Resources>,
    pub(super) language: Option<String>,
    pub(super) all_tests: bool,
    pub(super) wants_looks: bool,
}

impl Drop for Ready {
    fn drop(&mut self) {
        // What stays is removed with the scratch directory.
        let _ = crate::sandbox::remove_tree(&self.tree);
    }
}

/// A job in work.
struct Held {
    number: u64,
    taken: Taken,
    run: String,
    lease: Duration,
    prolonged: Instant,
    /// After this, nobody believes any more that the slot still works on it.
    until: Instant,
    stopper: Option<(Stopper, Arc<AtomicBool>)>,
}

pub(super) struct Floor<'w> {
    pub(super) broker: Broker,
    pub(super) workspace: &'w Workspace,
    pub(super) hello: Hello,
    pub(super) quiet: Arc<Quiet>,
    /// Whether the worker ends.
    pub(super) ends: Arc<AtomicBool>,
    shared: Arc<Shared>,
    cache: BlobCache,
    store: Arc<Store>,
    scratch: PathBuf,
    packs: Mutex<VecDeque<(Blob, Arc<Ready>)>>,
    trees: AtomicU64,
    numbers: AtomicU64,
    sick: Mutex<Option<String>>,
    /// When the last complaint was shown, and which: one that repeats is shown once a minute.
    complained: Mutex<BTreeMap<String, Instant>>,
}

/// What the thread for signals needs.
struct Shared {
    ends: Arc<AtomicBool>,
    held: Mutex<Vec<Held>>,
    /// What clients say will be needed.
    wanted: Mutex<VecDeque<Blob>>,
    /// Counts what may be new at the broker.
    bell: Mutex<u64>,
    rung: Condvar,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shared {
    fn ring(&self) {
        *locked(&self.bell) += 1;
        self.rung.notify_all();
    }

    fn stop(&self) {
        self.ends.store(true, Ordering::SeqCst);
        self.stop_jobs(|_| true);
        self.ring();
    }

    fn stop_jobs(&self, which: impl Fn(&Held) -> bool) {
        for held in locked(&self.held).iter().filter(|held| which(held)) {
            if let Some((stopper, stopped)) = &held.stopper {
                stopped.store(true, Ordering::SeqCst);
                stopper.stop();
            }
        }
    }
}

/// Ends a worker from another thread.
pub(super) struct Asked(Arc<Shared>);

impl Asked {
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
        locked(&self.floor.shared.held).retain(|held| held.number != self.number);
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
        let shared = Shared {
            ends: Arc::clone(&ends),
            held: Mutex::default(),
            wanted: Mutex::default(),
            bell: Mutex::default(),
            rung: Condvar::new(),
        };
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
            complained: Mutex::default(),
        }
    }

    /// Listens to clients: to what wakes slots, and to what ends jobs.
    pub(super) fn listen(&self) -> Result<(), BrokerError> {
        let messages = self.broker.listen(&["ctl.>".to_owned()])?;
        let (shared, pool) = (Arc::clone(&self.shared), self.pool());
        let (wake, fetch) = (format!("ctl.wake.{pool}"), format!("ctl.fetch.{pool}"));
        std::thread::Builder::new()
            .name("clients".to_owned())
            .spawn(move || {
                // Ends with the connection.
                while let Ok((subject, payload)) = messages.recv() {
                    if subject == wake || subject == "ctl.hello" {
                        shared.ring();
                    } else if subject == fetch {
                        if let Ok(blob) = serde_json::from_slice(&payload) {
                            locked(&shared.wanted).push_back(blob);
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

    pub(super) fn stopper(&self) -> Asked {
        Asked(Arc::clone(&self.shared))
    }

    pub(super) fn stop(&self) {
        self.shared.stop();
    }

    /// How often the bell has rung.
    pub(super) fn heard(&self) -> u64 {
        *locked(&self.shared.bell)
    }

    /// Waits until the bell has rung more often, or for a while.
    pub(super) fn wait(&self, heard: u64) {
        let until = Instant::now() + NAP;
        let mut bell = locked(&self.shared.bell);
        while *bell == heard && !self.ends.load(Ordering::SeqCst) {
            let Some(left) = until.checked_duration_since(Instant::now()) else { return };
            bell = self.shared.rung.wait_timeout(bell, left).unwrap_or_else(PoisonError::into_inner).0;
        }
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
        while !self.ends.load(Ordering::SeqCst) {
            let wanted = locked(&self.shared.wanted).pop_front();
            match wanted.map(|blob| self.pack(blob)) {
                Some(Ok(_)) => {}
                // The first job that needs them tries again, and tells its client.
                Some(Err(error)) => self.complain_here(&error.to_string()),
                None => std::thread::sleep(Duration::from_millis(100)),
            }
        }
    }

    /// Whether no slot has a job.
    pub(super) fn is_idle(&self) -> bool {
        locked(&self.shared.held).is_empty()
    }

    /// Prolongs the lease of a job until the returned value is dropped.
    pub(super) fn hold(&self, taken: Taken) -> Lease<'_, 'w> {
        let number = self.numbers.fetch_add(1, Ordering::Relaxed);
        // The lease follows when the job is read; until then, the shortest.
        let lease = decode::<Job>(&taken.payload).map_or(PULSE, |job| job.lease);
        let run = taken.subject.split('.').nth(3).unwrap_or_default().to_owned();
        let (now, stopper) = (Instant::now(), None);
        let until = now + Duration::from_secs(600);
        locked(&self.shared.held).push(Held { number, taken, run, lease, prolonged: now, until, stopper });
        Lease { floor: self, number }
    }

    /// What may stop the newest job with this payload, and how long it may take at most.
    pub(super) fn runs(&self, job: &Job, stopper: Stopper, most: Duration) -> Arc<AtomicBool> {
        let asked: Arc<AtomicBool> = Arc::default();
        let mut all = locked(&self.shared.held);
        let mine = |held: &&mut Held| held.run == job.run && held.taken.subject.ends_with(&job.key);
        if let Some(held) = all.iter_mut().rev().find(mine) {
            held.stopper = Some((stopper, Arc::clone(&asked)));
            held.until = Instant::now() + most;
        }
        asked
    }

    /// Prolongs leases until the worker ends.
    pub(super) fn keep_leases(&self) {
        while !self.ends.load(Ordering::SeqCst) {
            let due: Vec<Taken> = {
                let mut held = locked(&self.shared.held);
                let now = Instant::now();
                let is_due = |held: &&mut Held| now - held.prolonged >= held.lease / 4 && now < held.until;
                let due = held.iter_mut().filter(is_due);
                due.map(|held| {
                    held.prolonged = now;
                    held.taken.clone()
                })
                .collect()
            };
            for taken in &due {
                self.broker.prolong(taken);
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Gives signs of life until the worker ends.
    pub(super) fn give_signs(&self) {
        let mut last: Option<(Instant, u64)> = None;
        loop {
            let ends = self.ends.load(Ordering::SeqCst);
            let heard = self.heard();
            let is_due = last.is_none_or(|(at, before)| at.elapsed() >= PULSE || before != heard);
            if is_due && !ends {
                self.tell_sign(self.sickness());
                last = Some((Instant::now(), heard));
            }
            if ends {
                let why = self.sickness().unwrap_or_else(|| "ended".to_owned());
                self.tell_sign(Some(why));
                self.broker.flush();
                return;
            }
            std::thread::sleep(Duration::from_millis(100));
        }
    }

    fn tell_sign(&self, sick: Option<String>) {
        let hello = Hello { clock: clock(), sick, ..self.hello.clone() };
        if let Ok(text) = serde_json::to_vec(&hello) {
            self.broker.tell(&format!("hb.{}", self.hello.name), text);
        }
    }

    /// The worker is no longer fit, and ends.
    pub(super) fn is_sick(&self, why: String) {
        locked(&self.sick).get_or_insert(why);
        self.stop();
    }

    pub(super) fn sickness(&self) -> Option<String> {
        locked(&self.sick).clone()
    }

    /// Shows something to whoever watches this worker.
    pub(super) fn complain_here(&self, why: &str) {
        let mut complained = locked(&self.complained);
        let known = complained.get(why).is_some_and(|at| at.elapsed() < Duration::from_secs(60));
        if !known {
            complained.insert(why.to_owned(), Instant::now());
            say(&format!("worker {}: {why}", self.hello.name));
        }
    }

    /// Acknowledges a job whose result is stored. If that fails, another worker finds the result and acknowledges.
    pub(super) fn finish(&self, taken: &Taken) {
        if let Err(error) = self.broker.finish(taken) {
            self.complain_here(&error.to_string());
        }
    }

    /// Acknowledges a job that nobody wants any more.
    pub(super) fn forget(&self, taken: &Taken) {
        self.finish(taken);
    }

    /// Tells the client that a blob is missing.
    pub(super) fn miss(&self, run: &str, digest: Digest) -> Lost {
        if let Ok(message) = encode(&Complaint::Blob(digest)) {
            self.broker.tell(&format!("complain.{run}"), message);
        }
        Lost::Unable(BlobError::Unsound(digest).to_string())
    }

    /// The files of blobs, in their order.
    pub(super) fn blobs(&self, packed: &Packed) -> Result<Vec<PathBuf>, BlobError> {
        packed.blobs.iter().map(|blob| self.cache.get(&self.broker, *blob)).collect()
    }

    /// The problem of a job with its files.
    pub(super) fn pack(&self, blob: Blob) -> Result<Arc<Ready>, BlobError> {
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
        let blobs = self.blobs(&pack.files)?;
        let to = |path: &Path| place_below(&tree, path);
        unpack(&pack.files, &blobs, &to).map_err(disk)?;
        let told_dir = pack.problem.dir.clone();
        let problem = pack.problem.moved(&to);
        let settings = pack.settings.settle(self.workspace.start.clone());
        let workspace = self.workspace.with_settings(settings).map_err(|error| other(error.to_string()))?;
        let resources = workspace.resources(Arc::clone(&self.store), self.hello.profile.isolation);
        Ok(Ready {
            told_dir,
            planned: PlannedProblem::of(problem, pack.tests),
            resources: Arc::new(resources),
            language: pack.language,
            all_tests: pack.all_tests,
            wants_looks: pack.wants_looks,
            tree,
        })
    }
}
