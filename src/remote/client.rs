//! The client of a command: connects to the broker, chooses a pool, runs the jobs there, and lists or cancels runs that
//! other clients have left unfinished.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};

use super::broker::{Address, BroadcastMessage, Broker};
use super::clock;
use super::follower::{Follower, Wakeup, complaints};
use super::outbox::{Outbox, Route};
use super::pack::Contents;
use super::pools::{self, Choice, Pool, Signs, Stranger, Wishes};
use super::presence::{Presence, RollCall};
use super::requests::Requests;
use super::streams::{end, make_streams};
use super::submissions::Submissions;
use super::wire::{Complaint, HEARD_BY_ALL, RunNote, decode, short, stream};
use crate::diagnostic::{Diagnostic, Severity};
use crate::event::{Message, Update};
use crate::store::Key;
use crate::workspace::Workspace;
use crate::workspace::elsewhere::{Elsewhere, Errand, Errands, Jobs, NeededLanguage, Workplace};
use crate::workspace::machine;

/// How a client uses a broker.
#[derive(Debug, Clone)]
pub(crate) struct ClientOptions {
    pub(crate) address: Address,
    /// The pool, if several have workers.
    pub(crate) pool: Option<String>,
    /// Whether people wait for the results. None: the kind of command decides.
    pub(crate) is_urgent: Option<bool>,
    pub(crate) terms: Terms,
}

/// The terms of a run, as its command states them.
#[derive(Debug, Clone)]
pub(crate) struct Terms {
    /// How long a worker may be silent before another one gets its job.
    pub(crate) lease: Duration,
    /// The command line, to come back to the run.
    pub(crate) words: Vec<String>,
    /// The run that the command comes back to. It must not start another one.
    pub(crate) expected: Option<String>,
}

/// The client of one command.
pub(crate) struct Client {
    options: ClientOptions,
    broker: OnceLock<Broker>,
    pool: Mutex<Option<Pool>>,
    stopped: Arc<AtomicBool>,
    /// The names of the runs so far: those that measure time limits come first.
    begun: Mutex<Vec<String>>,
    /// The name of the run that goes on when the client leaves.
    run: Arc<Mutex<Option<String>>>,
}

impl Client {
    pub(crate) fn new(options: ClientOptions) -> Self {
        Self {
            options,
            broker: OnceLock::new(),
            pool: Mutex::default(),
            stopped: Arc::default(),
            begun: Mutex::default(),
            run: Arc::default(),
        }
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
    fn choose_pool(&self, workspace: &Workspace, needed: &dyn Fn() -> Vec<NeededLanguage>) -> Result<Pool> {
        if let Some(pool) = &*locked(&self.pool) {
            return Ok(pool.clone());
        }
        let broker = self.broker()?;
        let (sender, receiver) = mpsc::channel::<BroadcastMessage>();
        broker.listen(&[complaints(HEARD_BY_ALL)], &sender)?;
        let mut is_warned = false;
        let mut roll_call = RollCall::new(&pools::signs(broker)?.known, Instant::now());
        // Workers that were there before the broker's streams say so again.
        broker.tell("ctl.hello", Vec::new());
        let layers = workspace.isolation.candidates();
        let languages = needed();
        let wishes = Wishes { pool: self.options.pool.as_deref(), layers: &layers, languages: &languages };
        let mut waited = Duration::ZERO;
        loop {
            let Signs { known, strangers } = pools::signs(broker)?;
            let is_complete = roll_call.is_complete(&known, Instant::now());
            let pools = pools::pools(known);
            let choice = if pools.is_empty() || is_complete { pools::choose(&pools, &wishes)? } else { None };
            if let Some(Choice { pool, notices }) = choice {
                for notice in &notices {
                    workspace.tell(notice);
                }
                for clock in pool.odd_clocks() {
                    let why = "results do not depend on it, but the times of records and of certificates do";
                    workspace.tell(&Diagnostic::new(Severity::Warning, format!("{clock}; {why}")));
                }
                *locked(&self.pool) = Some(pool.clone());
                return Ok(pool);
            }
            if self.is_stopped() {
                bail!("stopped before a worker was there");
            }
            for heard in receiver.try_iter() {
                if let Ok(Complaint::NoRoom { worker, full }) = decode(&heard.payload)
                    && !is_warned
                {
                    is_warned = true;
                    let message = format!("worker {worker} is there, but the broker cannot note it: {full}");
                    workspace.tell(&Diagnostic::new(Severity::Warning, message));
                }
            }
            if waited == Duration::from_millis(500) && pools.is_empty() && !is_warned {
                // A broker that has switched off its streams answers as if they were empty.
                broker.has_jetstream()?;
                workspace.tell(&nobody(&strangers, &self.options.address));
            }
            let step = Duration::from_millis(100);
            std::thread::sleep(step);
            waited += step;
        }
    }
}

/// The notice that no worker can take a job, with a remedy.
fn nobody(strangers: &[Stranger], address: &Address) -> Diagnostic {
    let start = format!("grader worker nats://…@{}", address.shown());
    if strangers.is_empty() {
        return Diagnostic::new(Severity::Info, format!("no worker is there yet; start some: {start}"));
    }
    let own = env!("CARGO_PKG_VERSION");
    let others: Vec<String> = strangers.iter().map(|it| format!("{} has grader {}", it.name, it.version)).collect();
    let message = format!("no worker with grader {own} is there: {}", others.join(", "));
    Diagnostic::new(Severity::Warning, message)
        .remedy(format!("use one version on all machines, and start workers: {start}"))
}

impl Client {
    /// The pool that [`Self::choose_pool`] chose at the start of the run.
    fn pool_of(&self, jobs: &Jobs<'_>) -> Result<Pool> {
        self.choose_pool(jobs.workspace, &Vec::new)
    }

    fn route(&self, run: String, pool: &Pool, is_urgent: bool) -> Route {
        let is_urgent = self.options.is_urgent.unwrap_or(is_urgent);
        let lease = self.options.terms.lease;
        Route { run, pool: pool.name.clone(), slots: pool.slots(), is_urgent, lease }
    }
}

fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Elsewhere for Client {
    fn place(&self, workspace: &Workspace, needed: &dyn Fn() -> Vec<NeededLanguage>) -> Result<Workplace> {
        let pool = self.choose_pool(workspace, needed)?;
        let isolation = pool.profile().context("a pool without workers")?.isolation;
        Ok(Workplace { isolation, facts: pool.facts(), notices: Vec::new() })
    }

    fn fetch_ahead(&self, jobs: &Jobs<'_>) -> Result<()> {
        let pool = self.pool_of(jobs)?;
        let (messages, _) = mpsc::channel();
        let mut contents = Contents::new();
        let submissions = Submissions::new(jobs, &messages, &mut contents)?;
        let route = self.route(String::new(), &pool, false);
        let mut outbox = Outbox::new(self.broker()?, jobs.workspace, route, contents, &self.stopped);
        outbox.send_blobs()?;
        submissions.packs.iter().for_each(|pack| outbox.tell_to_fetch(*pack));
        Ok(())
    }

    fn run(&self, jobs: &Jobs<'_>, messages: &Sender<Message>) -> Result<()> {
        let pool = self.pool_of(jobs)?;
        let broker = self.broker()?;
        let cache = jobs.workspace.settings.cache.to_string();
        let run = Key::of("remote run v1").field("run", jobs.run.as_bytes()).field("pool", &pool.name);
        let run = short(&run.field("cache", cache).finish(), 16);
        let mut begun = locked(&self.begun);
        begun.push(run.clone());
        if let Some(expected) = self.options.terms.expected.as_ref().filter(|name| !begun.contains(name))
            && jobs.is_whole
        {
            bail!(
                "the problems, submissions, settings or workers have changed since run {expected} began, so its \
                 results do not fit any more\n  → cancel it (grader attach {expected} --cancel --engine URL), and start a new run"
            );
        }
        drop(begun);
        let mut contents = Contents::new();
        let submissions = Submissions::new(jobs, messages, &mut contents)?;
        let note = RunNote {
            epoch: clock(),
            jobs: submissions.count(),
            pool: pool.name.clone(),
            words: self.options.terms.words.clone(),
            start: jobs.workspace.start.clone(),
            host: machine::name(),
        };
        let packs = submissions.packs.clone();
        let route = self.route(run.clone(), &pool, jobs.is_urgent);
        let outbox = Outbox::new(broker, jobs.workspace, route, contents, &self.stopped);
        let presence = Presence::new(&pool, self.options.terms.lease);
        let mut follower = Follower::new(broker, jobs.workspace, outbox, submissions, presence, Some(note));
        if let Err(error) = follower.begin(&packs) {
            // No job was sent, so nothing goes on. Results of an earlier attempt stay.
            return if self.is_stopped() { Ok(()) } else { Err(error) };
        }
        *locked(&self.run) = Some(run);
        let (wake, wakes) = mpsc::channel();
        follower.follow(&self.stopped, &wake, &wakes)?;
        for notice in pool.notices() {
            // At the end, as in a run on one machine. Without a listener, the run ends soon.
            let _ = messages.send(Message::Update(Update::Notice(notice)));
        }
        if !self.is_stopped() {
            follower.tidy();
            *locked(&self.run) = None;
        }
        Ok(())
    }

    fn carry_out(&self, workspace: &Workspace, all_tests: bool, errands: &dyn Errands) -> Result<()> {
        // After this, requests get no answer, and the thread that waits for requests ends.
        let _end = AtEnd(errands);
        // The languages of the requests are not known yet.
        let pool = self.choose_pool(workspace, &Vec::new)?;
        for notice in pool.notices() {
            workspace.tell(&notice);
        }
        let broker = self.broker()?;
        let (wake, wakes) = mpsc::channel();
        let (pass, coming) = mpsc::channel::<Errand>();
        let rings = wake.clone();
        std::thread::scope(|scope| {
            let _end = AtEnd(errands);
            scope.spawn(move || {
                while let Some(errand) = errands.next()
                    && pass.send(errand).is_ok()
                {
                    // Without a receiver, the next errand cannot be passed on.
                    let _ = rings.send(Wakeup::More);
                }
                drop(pass);
                let _ = rings.send(Wakeup::More);
            });
            let requests = Requests::new(workspace, all_tests, errands, coming);
            let route = self.route(stream_name(broker, &pool, workspace)?, &pool, false);
            let outbox = Outbox::new(broker, workspace, route, Contents::new(), &self.stopped);
            let presence = Presence::new(&pool, self.options.terms.lease);
            let mut follower = Follower::new(broker, workspace, outbox, requests, presence, None);
            // Jobs of an earlier client that was killed: requests that are still wanted come again.
            follower.withdraw()?;
            follower.begin(&[])?;
            follower.follow(&self.stopped, &wake, &wakes)?;
            if self.is_stopped() {
                follower.withdraw()?;
            } else {
                follower.tidy();
            }
            Ok(())
        })
    }

    fn stopper(&self) -> Box<dyn Fn() + Send> {
        let stopped = Arc::clone(&self.stopped);
        Box::new(move || stopped.store(true, Ordering::SeqCst))
    }
}

/// Stops the stream of requests when dropped.
struct AtEnd<'a>(&'a dyn Errands);

impl Drop for AtEnd<'_> {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// How many streams may be under way in a pool with the same cache setting.
const MOST_STREAMS: usize = 64;

/// The name of a stream. The same client finds the results of an earlier stream that was killed. Two clients at the
/// same time have streams of their own.
fn stream_name(broker: &Broker, pool: &Pool, workspace: &Workspace) -> Result<String> {
    let name = |number: usize| {
        let name = Key::of("remote stream v1").field("pool", &pool.name).field("number", number.to_string());
        short(&name.field("cache", workspace.settings.cache.to_string()).finish(), 16)
    };
    // A client that follows a stream listens to the complaints of workers about it. So the name is in use.
    let mut names = (0..MOST_STREAMS).map(name);
    let free = names.find(|name| !broker.is_heard(&complaints(name)));
    free.with_context(|| format!("{MOST_STREAMS} streams are under way already; wait until one ends"))
}

/// A run that its client has left.
#[derive(Debug, Clone)]
pub(crate) struct UnfinishedRun {
    pub(crate) name: String,
    /// Its jobs, with and without a result.
    pub(crate) jobs: usize,
    pub(crate) results: usize,
    /// The pool that judges it.
    pub(crate) pool: String,
    /// The command line, where it was given, and the name of that machine.
    pub(crate) words: Vec<String>,
    pub(crate) start: PathBuf,
    pub(crate) host: String,
}

/// The runs that are not finished.
pub(crate) fn unfinished(address: &Address) -> Result<Vec<UnfinishedRun>> {
    let broker = Broker::connect(address, "grader attach")?;
    make_streams(&broker)?;
    let mut all = Vec::new();
    let mut from = 1;
    while let Some(found) = broker.next(stream::RUNS, "run.*", from)? {
        from = found.sequence + 1;
        let name = found.subject.trim_start_matches("run.").to_owned();
        let note: RunNote = serde_json::from_slice(&found.payload).context("a run of another version of grader")?;
        let RunNote { jobs, pool, words, start, host, .. } = note;
        let results = broker.subjects(stream::RESULTS, &format!("res.{name}.*"))?.len();
        all.push(UnfinishedRun { name, jobs, results, pool, words, start, host });
    }
    Ok(all)
}

/// Ends a run: its jobs are taken back, and its results deleted.
pub(crate) fn cancel(address: &Address, run: &str) -> Result<()> {
    let broker = Broker::connect(address, "grader attach")?;
    end(&broker, run)?;
    Ok(())
}
