//! The client of a command: the connection, the choice of a pool, and the runs that were left.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use anyhow::{Context as _, Result};

use super::broker::{Address, Broker};
use super::follower::{Follower, Terms};
use super::notice;
use super::pools::{self, Pool};
use super::streams::{end, make_streams};
use super::wire::{RunNote, short, stream};
use crate::event::{Event, Notice, Severity};
use crate::store::Key;
use crate::workspace::Workspace;
use crate::workspace::elsewhere::{Elsewhere, Jobs, Place};

/// How a client uses a broker.
#[derive(Debug, Clone)]
pub(crate) struct ClientOptions {
    pub(crate) address: Address,
    /// The pool, if several have workers.
    pub(crate) pool: Option<String>,
    /// Whether people wait for the results; none follows from the command.
    pub(crate) is_urgent: Option<bool>,
    pub(crate) terms: Terms,
}

/// The client of one command.
pub(crate) struct Client {
    options: ClientOptions,
    broker: OnceLock<Broker>,
    pool: Mutex<Option<Pool>>,
    stopped: Arc<AtomicBool>,
    /// The name of the run that goes on when the client leaves.
    run: Arc<Mutex<Option<String>>>,
}

impl Client {
    pub(crate) fn new(options: ClientOptions) -> Self {
        Self { options, broker: OnceLock::new(), pool: Mutex::default(), stopped: Arc::default(), run: Arc::default() }
    }

    fn broker(&self) -> Result<&Broker> {
        if let Some(broker) = self.broker.get() {
            return Ok(broker);
        }
        let broker = Broker::connect(&self.options.address, "grader client")?;
        make_streams(&broker)?;
        Ok(self.broker.get_or_init(|| broker))
    }

    /// The run that goes on after the client has left it.
    pub(crate) fn left(&self) -> Option<String> {
        locked(&self.run).clone()
    }

    fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::SeqCst)
    }

    /// The pool of this command. Waits until there is one.
    fn choose_pool(&self, workspace: &Workspace) -> Result<Pool> {
        if let Some(pool) = &*locked(&self.pool) {
            return Ok(pool.clone());
        }
        let broker = self.broker()?;
        // Workers that were there before the broker's streams say so again.
        broker.tell("ctl.hello", Vec::new());
        let mut waited = Duration::ZERO;
        loop {
            let pools = pools::pools(broker)?;
            if let Some((pool, left_out)) =
                pools::choose(&pools, self.options.pool.as_deref(), &workspace.isolation.candidates())?
            {
                for told in left_out {
                    workspace.tell(&notice(Severity::Warning, told));
                }
                *locked(&self.pool) = Some(pool.clone());
                return Ok(pool);
            }
            if waited == Duration::from_millis(500) {
                let shown = self.options.address.shown();
                let message = format!("no worker is there yet; start some: grader worker nats://…@{shown}");
                workspace.tell(&notice(Severity::Info, message));
            }
            let step = Duration::from_millis(100);
            std::thread::sleep(step);
            waited += step;
        }
    }
}

fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Elsewhere for Client {
    fn place(&self, workspace: &Workspace) -> Result<Place> {
        let pool = self.choose_pool(workspace)?;
        let profile = pool.profile().context("a pool without workers")?;
        Ok(Place {
            isolation: profile.isolation,
            slots: pool.slots(),
            cores: pool.cores(),
            machine: profile.machine.clone(),
            notices: Vec::new(),
        })
    }

    fn fetch_ahead(&self, jobs: &Jobs<'_>) -> Result<()> {
        let pool = self.choose_pool(jobs.workspace)?;
        let (events, _) = std::sync::mpsc::channel();
        Follower::new(&self.options.terms, self.broker()?, jobs, &events, (String::new(), pool.name, false))?
            .send_ahead()
    }

    fn run(&self, jobs: &Jobs<'_>, events: &Sender<Event>) -> Result<()> {
        let pool = self.choose_pool(jobs.workspace)?;
        let broker = self.broker()?;
        let mut notices: Vec<Notice> = Vec::new();
        for told in pool.workers.iter().flat_map(|worker| &worker.notices) {
            if !notices.contains(told) {
                notices.push(told.clone());
            }
        }
        let cache = jobs.workspace.settings.cache.to_string();
        let run = Key::of("remote run v1").field("run", jobs.run.as_bytes()).field("pool", &pool.name);
        let run = short(&run.field("cache", cache).finish(), 16);
        let is_urgent = self.options.is_urgent.unwrap_or(jobs.is_urgent);
        let mut follower =
            Follower::new(&self.options.terms, broker, jobs, events, (run.clone(), pool.name, is_urgent))?;
        follower.begin()?;
        *locked(&self.run) = Some(run);
        follower.follow(&self.stopped)?;
        for told in notices {
            // At the end, as in a run on one machine. Without a listener, the run ends soon.
            let _ = events.send(Event::Notice(told));
        }
        if !self.is_stopped() {
            follower.tidy();
            *locked(&self.run) = None;
        }
        Ok(())
    }

    fn stopper(&self) -> Box<dyn Fn() + Send> {
        let stopped = Arc::clone(&self.stopped);
        Box::new(move || stopped.store(true, Ordering::SeqCst))
    }
}

/// A run that its client has left.
#[derive(Debug, Clone)]
pub(crate) struct Unfinished {
    pub(crate) name: String,
    /// Its jobs, with and without a result.
    pub(crate) jobs: usize,
    pub(crate) results: usize,
    /// The command line, where it was given, and the name of that machine.
    pub(crate) words: Vec<String>,
    pub(crate) start: PathBuf,
    pub(crate) host: String,
}

/// The runs that are not finished.
pub(crate) fn unfinished(address: &Address) -> Result<Vec<Unfinished>> {
    let broker = Broker::connect(address, "grader attach")?;
    make_streams(&broker)?;
    let (mut all, mut from) = (Vec::new(), 1);
    while let Some(found) = broker.next(stream::RUNS, "run.*", from)? {
        from = found.sequence + 1;
        let name = found.subject.trim_start_matches("run.").to_owned();
        let note: RunNote = serde_json::from_slice(&found.payload).context("a run of another version of grader")?;
        let RunNote { jobs, words, start, host, .. } = note;
        let results = broker.subjects(stream::RESULTS, &format!("res.{name}.*"))?.len();
        all.push(Unfinished { name, jobs, results, words, start, host });
    }
    Ok(all)
}

/// Ends a run: its jobs are taken back, and its results deleted.
pub(crate) fn cancel(address: &Address, run: &str) -> Result<()> {
    let broker = Broker::connect(address, "grader attach")?;
    end(&broker, run)?;
    Ok(())
}
