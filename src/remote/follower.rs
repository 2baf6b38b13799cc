//! The incoming half of a run: collects results, and sends jobs again whose results are missing.

use std::collections::{BTreeMap, BTreeSet, HashSet, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender};
use std::time::{Duration, Instant};

use anyhow::Result;

use super::broker::{BroadcastMessage, Broker, BrokerError, StoredMessage, Storing};
use super::outbox::Outbox;
use super::pack::Contents;
use super::presence::Presence;
use super::streams::{end, make_streams, withdraw};
use super::wire::{Blob, Complaint, FailureFile, JobResult, Outcome, Progress, RunNote, Task, decode, stream};
use super::{clock, parts};

use crate::diagnostic::{Diagnostic, Severity};
use crate::event::TestIndex;
use crate::workspace::Workspace;

/// How often a missing job is sent again before it gets a judge error.
const MOST_TRIES: u32 = 3;
/// How many results one request fetches.
const AT_ONCE: usize = 256;
/// A run without an end leaves about so many results at the broker. At least so many of its requests may have a result
/// that is not written yet.
const MOST_LEFT: usize = 8192;

/// The jobs of a run: makes their messages, and takes their results.
pub(super) trait Work {
    /// The names of the new jobs since the last call.
    fn more(&mut self, contents: &mut Contents) -> Result<Vec<String>>;

    /// Whether no more jobs will come.
    fn is_complete(&self) -> bool;

    /// The pack and the task of a job. Adds the bytes of its files to `contents`.
    fn task(&mut self, name: &str, contents: &mut Contents) -> Result<(Blob, Task)>;

    /// Takes the result of a job. Returns the blob that only this job needed.
    fn receive(&mut self, name: &str, outcome: Outcome, kept: &[FailureFile]) -> Option<Blob>;

    /// Takes the news that a test of a job has begun.
    fn has_begun(&self, name: &str, ordinal: TestIndex);

    /// The name of a job in messages for people.
    fn title(&self, name: &str) -> String;

    /// Shows people a warning that changes no result.
    fn warn(&self, message: String);
}

/// The outcome of one step.
enum Step {
    /// The number of results that have come.
    Received(usize),
    /// The broker failed, and may work again.
    Failed(BrokerError),
}

/// A message that wakes a follower.
pub(super) enum Wakeup {
    Heard(BroadcastMessage),
    /// There may be more jobs.
    More,
}

impl From<BroadcastMessage> for Wakeup {
    fn from(heard: BroadcastMessage) -> Self {
        Self::Heard(heard)
    }
}

/// Follows one run, from its first job to its last result.
pub(super) struct Follower<'a, W> {
    broker: &'a Broker,
    workspace: &'a Workspace,
    outbox: Outbox<'a>,
    work: W,
    /// The public note about the run. None if no client can come back to it. Such a run may have no end: a stream.
    note: Option<RunNote>,
    /// Distinguishes these jobs from those of an earlier run with the same jobs.
    epoch: u64,
    /// The jobs without a result, and how often each was sent again.
    open: BTreeMap<String, u32>,
    /// The jobs that have a result at the broker from an earlier client, or for a client that may come back.
    known: HashSet<String>,
    /// The results of a run without an end, in their order at the broker.
    left: VecDeque<(u64, String)>,
    /// The next sequence number of results to read.
    next: u64,
    presence: Presence,
}

impl<'a, W: Work> Follower<'a, W> {
    pub(super) fn new(
        broker: &'a Broker,
        workspace: &'a Workspace,
        outbox: Outbox<'a>,
        work: W,
        presence: Presence,
        note: Option<RunNote>,
    ) -> Self {
        Self {
            broker,
            workspace,
            outbox,
            work,
            note,
            epoch: clock(),
            open: BTreeMap::new(),
            known: HashSet::new(),
            left: VecDeque::new(),
            next: 1,
            presence,
        }
    }

    fn run(&self) -> &str {
        &self.outbox.route.run
    }

    fn subject_of(&self, name: &str) -> String {
        format!("res.{}.{name}", self.run())
    }

    /// Announces the run, learns which results are there from before, and sends the files of its problems: `packs`.
    pub(super) fn begin(&mut self, packs: &[Blob]) -> Result<()> {
        self.epoch = self.announce()?;
        self.outbox.make_consumers()?;
        // New results are read in order. Existing results are read when their jobs come.
        self.next = self.broker.last_sequence(stream::RESULTS)?.unwrap_or_default() + 1;
        let known = self.broker.subjects(stream::RESULTS, &self.subject_of("*"))?;
        self.known = known.iter().map(|subject| name_in(subject).to_owned()).collect();
        self.outbox.send_blobs()?;
        for pack in packs {
            self.outbox.tell_to_fetch(*pack);
        }
        Ok(())
    }

    /// Finds or makes the note about the run, and returns its epoch.
    fn announce(&self) -> Result<u64, BrokerError> {
        let Some(note) = &self.note else { return Ok(self.epoch) };
        let subject = format!("run.{}", self.run());
        let text = serde_json::to_vec(note).unwrap_or_default();
        let stored = self.broker.store(&subject, None, text)?;
        if stored != Storing::New
            && let Some(found) = self.broker.last(stream::RUNS, &subject)?
            && let Ok(earlier) = serde_json::from_slice::<RunNote>(&found.payload)
        {
            return Ok(earlier.epoch);
        }
        if let Storing::Full(full) = stored { Err(BrokerError::Full(full)) } else { Ok(note.epoch) }
    }

    /// Follows the run until every job has a result, or `stopped` is set. Other threads may wake it through `wakes`.
    pub(super) fn follow(
        &mut self,
        stopped: &AtomicBool,
        wake: &Sender<Wakeup>,
        wakes: &Receiver<Wakeup>,
    ) -> Result<()> {
        let run = self.run();
        let subjects = [format!("res.{run}.*"), format!("prog.{run}"), complaints(run)];
        self.broker.listen(&subjects, wake)?;
        let patience = self.outbox.route.lease.max(Duration::from_secs(1));
        let mut progress = Instant::now();
        let mut silent = None;
        let mut is_lost = false;
        while !stopped.load(Ordering::SeqCst) {
            // A broker that was silent or away may have been started again. Then its memory is empty.
            let is_back = self.broker.came_back() || silent.is_some();
            let is_stalled = is_lost || is_back || progress.elapsed() >= patience;
            let before = self.open.len();
            let mut done = 0;
            match self.step(is_stalled)? {
                Step::Received(received) => {
                    if silent.is_some() {
                        let words = "the broker answers again; the run goes on";
                        self.workspace.tell(&Diagnostic::new(Severity::Info, words.to_owned()));
                    }
                    silent = None;
                    is_lost = false;
                    done = received;
                }
                Step::Failed(error) => is_lost = self.bear(&error, &mut silent)?,
            }
            if self.open.is_empty() && self.work.is_complete() {
                return Ok(());
            }
            // With nothing to wait for, nothing is late.
            if done > 0 || is_stalled || before == 0 {
                progress = Instant::now();
            }
            let pause = if self.outbox.waiting().len() == 0 { 200 } else { 5 };
            if let Some(why) = self.hear(wakes, Duration::from_millis(pause)) {
                is_lost = self.bear(&why, &mut silent)?;
            }
        }
        Ok(())
    }

    /// Takes the new jobs, sends some, and reads all results. If nothing has come for a while, looks for lost messages.
    /// Returns the number of results.
    fn step(&mut self, is_stalled: bool) -> Result<Step> {
        let names = self.work.more(&mut self.outbox.contents)?;
        let received = self.take(names).and_then(|known| {
            if is_stalled {
                self.reconcile()?;
            }
            for change in self.presence.look(self.broker)? {
                self.workspace.tell(&change);
            }
            self.send_some()?;
            Ok(known + self.read_results()?)
        });
        Ok(received.map_or_else(Step::Failed, Step::Received))
    }

    /// Takes jobs: reads the results of those that have one, and lets the others be sent.
    fn take(&mut self, names: Vec<String>) -> Result<usize, BrokerError> {
        let (known, new): (Vec<String>, Vec<String>) = names.into_iter().partition(|name| self.known.contains(name));
        let epoch = self.epoch;
        for (number, name) in new.into_iter().enumerate() {
            // In a run without an end, a job may come a second time after its result is deleted.
            let occasion =
                if self.note.is_some() { epoch.to_string() } else { format!("{epoch}-{}-{number}", clock()) };
            self.open.insert(name.clone(), 0);
            self.outbox.add(name, occasion);
        }
        self.open.extend(known.iter().map(|name| (name.clone(), 0)));
        let before = self.open.len();
        let missing = self.read_known(&known);
        // A job whose result is missing after all is sent.
        for name in missing.as_ref().map_or(&known, |missing| missing) {
            self.outbox.add(name.clone(), clock().to_string());
        }
        missing.map(|_| before - self.open.len())
    }

    /// Reads the results of these jobs. Returns the jobs that have none.
    fn read_known(&mut self, names: &[String]) -> Result<Vec<String>, BrokerError> {
        let mut missing = Vec::new();
        for names in names.chunks(AT_ONCE) {
            let subjects: Vec<String> = names.iter().map(|name| self.subject_of(name)).collect();
            let all = self.broker.last_of_all(stream::RESULTS, subjects.into_iter())?;
            for (name, found) in names.iter().zip(all) {
                match found {
                    Some(found) => self.receive(&found)?,
                    None => missing.push(name.clone()),
                }
            }
        }
        Ok(missing)
    }

    fn send_some(&mut self) -> Result<(), BrokerError> {
        let open = &self.open;
        let work = &mut self.work;
        let task_of = |name: &str, contents: &mut Contents| open.contains_key(name).then(|| work.task(name, contents));
        for (name, why) in self.outbox.send_some(open.len(), task_of)? {
            self.fail(&name, why);
        }
        Ok(())
    }

    /// Bears an error if the broker may answer again. Any other error ends the client. Returns whether the broker has
    /// lost its disk.
    fn bear(&self, error: &BrokerError, silent: &mut Option<Instant>) -> Result<bool> {
        // No stream takes the message: the broker has lost its disk, and the client brings everything again.
        let is_lost = matches!(error, BrokerError::Refused { code: 10059, .. });
        if let BrokerError::Full(full) = error {
            self.outbox.tell_no_room(*full, "the run");
            std::thread::sleep(Duration::from_millis(200));
            return Ok(false);
        }
        // The loop ends by itself.
        if *error == BrokerError::Stopped {
            return Ok(false);
        }
        if !is_lost && !matches!(error, BrokerError::Silent | BrokerError::NoJetStream { .. }) {
            return Err(error.clone().into());
        }
        if silent.is_none() {
            *silent = Some(Instant::now());
            let words = match error {
                BrokerError::NoJetStream { .. } => error.to_string(),
                _ => "the broker does not answer; waiting for it. Nothing is lost: the same command continues the run"
                    .to_owned(),
            };
            if !is_lost {
                self.workspace.tell(&Diagnostic::new(Severity::Warning, words));
            }
        }
        std::thread::sleep(Duration::from_millis(200));
        Ok(is_lost)
    }

    /// Handles messages of workers, for a while. Returns the first failure.
    fn hear(&mut self, wakes: &Receiver<Wakeup>, pause: Duration) -> Option<BrokerError> {
        let mut next = wakes.recv_timeout(pause).ok();
        while let Some(wakeup) = next {
            if let Wakeup::Heard(BroadcastMessage { subject, payload }) = wakeup {
                if subject.starts_with("prog.")
                    && let Ok(Progress { job, ordinal }) = decode(&payload)
                    && self.open.contains_key(&job)
                {
                    self.work.has_begun(&job, ordinal);
                } else if subject == complaints(self.run())
                    && let Ok(complaint) = decode::<Complaint>(&payload)
                    && let Err(error) = self.settle(complaint)
                {
                    return Some(error);
                }
            }
            next = wakes.try_recv().ok();
        }
        None
    }

    fn settle(&mut self, complaint: Complaint) -> Result<(), BrokerError> {
        match complaint {
            Complaint::Blob(digest) => self.outbox.replace(|blob| blob.digest == digest),
            Complaint::NoRoom { worker, full } => {
                self.outbox.tell_no_room(full, &format!("worker {worker}"));
                Ok(())
            }
            Complaint::Unstable { job, kept, other } => {
                let name = self.work.title(&job);
                self.work.warn(format!("unstable: {name}: kept {kept}; another worker had {other}"));
                Ok(())
            }
        }
    }

    /// Reads all results that have come, and returns their number.
    fn read_results(&mut self) -> Result<usize, BrokerError> {
        let filter = self.subject_of("*");
        let before = self.open.len();
        while let Some(found) = self.broker.next(stream::RESULTS, &filter, self.next)? {
            self.next = found.sequence + 1;
            if self.note.is_none() {
                self.left.push_back((found.sequence, name_in(&found.subject).to_owned()));
            }
            self.receive(&found)?;
        }
        self.delete_old()?;
        Ok(before - self.open.len())
    }

    fn receive(&mut self, found: &StoredMessage) -> Result<(), BrokerError> {
        let name = name_in(&found.subject);
        if self.note.is_none() || !self.open.contains_key(name) {
            self.known.insert(name.to_owned());
        }
        if !self.open.contains_key(name) {
            return Ok(());
        }
        let message = parts::open(self.broker, &found.subject, &found.payload)?;
        match message.as_deref().map(decode::<JobResult>) {
            Some(Ok(JobResult { outcome, kept, .. })) => self.pass_on(name, outcome, &kept),
            Some(Err(error)) => self.fail(name, format!("its result cannot be read: {error}")),
            None => self.fail(name, "its result is not whole".to_owned()),
        }
        Ok(())
    }

    fn pass_on(&mut self, name: &str, outcome: Outcome, kept: &[FailureFile]) {
        self.open.remove(name);
        if let Some(blob) = self.work.receive(name, outcome, kept) {
            // On an error, the blob stays until the broker removes it for its age.
            let _ = self.outbox.forget(blob);
        }
    }

    /// Gives a job without a result a judge error.
    fn fail(&mut self, name: &str, message: String) {
        self.pass_on(name, Outcome::Failed(message), &[]);
    }

    /// Deletes the oldest results of a run without an end.
    fn delete_old(&mut self) -> Result<(), BrokerError> {
        if self.left.len() < 2 * MOST_LEFT {
            return Ok(());
        }
        for (_, name) in self.left.drain(..MOST_LEFT) {
            self.known.remove(&name);
        }
        let Some((first, _)) = self.left.front() else { return Ok(()) };
        self.broker.purge_before(stream::RESULTS, &self.subject_of(">"), *first)
    }

    /// Sends again the files that the broker has lost, and the jobs that no worker has.
    fn reconcile(&mut self) -> Result<(), BrokerError> {
        make_streams(self.broker)?;
        self.announce()?;
        self.outbox.make_consumers()?;
        if self.broker.last_sequence(stream::RESULTS)?.is_none_or(|last| last + 1 < self.next) {
            self.next = 1;
            self.left = VecDeque::new();
        }
        let backlog = self.broker.backlog(stream::JOBS, &self.outbox.consumer())?.unwrap_or_default();
        if backlog >= self.open.len() as u64 {
            return Ok(());
        }
        self.outbox.check_blobs()?;
        let filter = format!("job.*.{}.{}.*", self.outbox.route.pool, self.run());
        let waiting = self.broker.subjects(stream::JOBS, &filter)?;
        let waiting: BTreeSet<&str> = waiting.iter().map(|subject| name_in(subject)).collect();
        // A job leaves the queue after its result has come.
        self.read_results()?;
        let unsent: BTreeSet<&str> = self.outbox.waiting().collect();
        let is_missing = |name: &&String| !unsent.contains(&***name) && (backlog == 0 || !waiting.contains(&***name));
        let missing: Vec<String> = self.open.keys().filter(is_missing).cloned().collect();
        for name in self.read_known(&missing)? {
            let tries = self.open.entry(name.clone()).or_default();
            *tries += 1;
            if *tries > MOST_TRIES {
                self.fail(&name, format!("it got no result in {MOST_TRIES} attempts"));
            } else {
                self.outbox.add(name, clock().to_string());
            }
        }
        Ok(())
    }

    /// Takes back the jobs that wait or are in work. The results that are there stay.
    pub(super) fn withdraw(&self) -> Result<(), BrokerError> {
        withdraw(self.broker, self.run())
    }

    /// Removes everything that is not needed after the run.
    pub(super) fn tidy(&self) {
        // On an error, the messages stay until the broker removes them for their age.
        let _ = end(self.broker, self.run());
    }
}

/// The subject of messages from workers to the client of a run.
pub(super) fn complaints(run: &str) -> String {
    format!("complain.{run}")
}

/// The name of the job in a subject.
fn name_in(subject: &str) -> &str {
    subject.rsplit('.').next().unwrap_or_default()
}
