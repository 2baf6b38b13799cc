//! The outgoing half of a run: sends files before the jobs that need them, and each file once.

use std::cell::Cell;
use std::collections::{BTreeSet, HashMap, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::Result;
use serde_json::json;

use super::broker::{Broker, BrokerError, MOST_BYTES, Storing};
use super::cache::{end_of, piece_of, pieces};
use super::pack::Contents;
use super::wire::{Blob, Full, Job, SCHEMA, Task, encode, stream};
use super::{consumer, lane};

use crate::diagnostic::{Diagnostic, Severity};
use crate::workspace::Workspace;

/// How many jobs are sent before results are read again.
const AT_ONCE: usize = 512;
/// How often workers receive a job at most. Long before that, a worker stores a judge error for it.
const MOST_DELIVERIES: u64 = 10;
/// How long to wait until the broker may have room again.
const BREATH: Duration = Duration::from_millis(200);

/// Where the jobs of a run go.
#[derive(Debug, Clone)]
pub(super) struct Route {
    /// The name of the run.
    pub(super) run: String,
    pub(super) pool: String,
    /// The slots of the pool.
    pub(super) slots: usize,
    pub(super) is_urgent: bool,
    /// How long a worker may be silent before another one gets its job.
    pub(super) lease: Duration,
}

/// The messages that must still be sent.
pub(super) struct Outbox<'a> {
    broker: &'a Broker,
    workspace: &'a Workspace,
    pub(super) route: Route,
    pub(super) contents: Contents,
    /// The blobs that the broker has, as far as this client knows.
    sent: BTreeSet<Blob>,
    /// Names of jobs, each with the text that makes its message unique.
    unsent: VecDeque<(String, String)>,
    /// Whether the user was warned that the broker has no room.
    is_warned: Cell<bool>,
    /// Whether the command must end.
    stopped: &'a AtomicBool,
}

impl<'a> Outbox<'a> {
    pub(super) fn new(
        broker: &'a Broker,
        workspace: &'a Workspace,
        route: Route,
        contents: Contents,
        stopped: &'a AtomicBool,
    ) -> Self {
        let sent = BTreeSet::new();
        let unsent = VecDeque::new();
        let is_warned = Cell::new(false);
        Self { broker, workspace, route, contents, sent, unsent, is_warned, stopped }
    }

    /// Warns people that the broker has no room; once, until it has room again.
    pub(super) fn tell_no_room(&self, full: Full, whose: &str) {
        if !self.is_warned.replace(true) {
            let message = format!("{whose} waits until there is room: {full}");
            self.workspace.tell(&Diagnostic::new(Severity::Warning, message));
        }
    }

    /// Stores a message that counts once. Waits for room, unless the command must end.
    fn store(&self, subject: &str, payload: &[u8]) -> Result<(), BrokerError> {
        while let Storing::Full(full) = self.broker.store(subject, None, payload.to_vec())? {
            self.tell_no_room(full, "the run");
            if self.stopped.load(Ordering::SeqCst) {
                return Err(BrokerError::Stopped);
            }
            std::thread::sleep(BREATH);
        }
        self.is_warned.set(false);
        Ok(())
    }

    /// The subject of a job.
    fn subject_of(&self, name: &str) -> String {
        let Route { run, pool, is_urgent, .. } = &self.route;
        format!("job.{}.{pool}.{run}.{name}", lane(*is_urgent))
    }

    /// The consumer through which workers take the jobs.
    pub(super) fn consumer(&self) -> String {
        consumer(self.route.is_urgent, &self.route.pool)
    }

    /// Adds a job. `occasion` distinguishes this message from earlier ones about the same job.
    pub(super) fn add(&mut self, name: String, occasion: String) {
        self.unsent.push_back((name, occasion));
    }

    /// The names of the jobs that were not sent yet.
    pub(super) fn waiting(&self) -> impl ExactSizeIterator<Item = &str> {
        self.unsent.iter().map(|(name, _)| &**name)
    }

    /// Makes the consumers of the pool, or gives them the lease of this run.
    pub(super) fn make_consumers(&self) -> Result<(), BrokerError> {
        let Route { pool, lease, .. } = &self.route;
        let nanoseconds = |time: Duration| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        for is_urgent in [true, false] {
            let name = consumer(is_urgent, pool);
            let config = json!({
                "durable_name": name, "filter_subject": format!("job.{}.{pool}.>", lane(is_urgent)),
                "deliver_policy": "all", "ack_policy": "explicit", "ack_wait": nanoseconds(*lease),
                "max_deliver": MOST_DELIVERIES, "max_ack_pending": 100_000, "max_waiting": 10_000,
                "replay_policy": "instant",
            });
            self.broker.make_consumer(stream::JOBS, &name, &config)?;
        }
        Ok(())
    }

    /// Checks again which blobs the broker has. It may have lost some.
    pub(super) fn check_blobs(&mut self) -> Result<(), BrokerError> {
        self.sent.clear();
        self.send_blobs()
    }

    /// Sends a blob again that the broker has lost or damaged.
    pub(super) fn replace(&mut self, damaged: impl Fn(&Blob) -> bool) -> Result<(), BrokerError> {
        let Some(blob) = self.contents.keys().find(|blob| damaged(blob)).copied() else { return Ok(()) };
        self.broker.purge(stream::BLOBS, &format!("blob.{}.>", blob.digest))?;
        self.sent.remove(&blob);
        self.send_blobs()
    }

    /// Deletes a blob that no other job needs.
    pub(super) fn forget(&mut self, blob: Blob) -> Result<(), BrokerError> {
        self.contents.remove(&blob);
        self.sent.remove(&blob);
        self.broker.purge(stream::BLOBS, &format!("blob.{}.>", blob.digest))
    }

    /// Sends the blobs that the broker does not have.
    pub(super) fn send_blobs(&mut self) -> Result<(), BrokerError> {
        let blobs: Vec<Blob> = self.contents.keys().filter(|blob| !self.sent.contains(blob)).copied().collect();
        let ends = blobs.iter().map(|blob| end_of(&blob.digest));
        let known = self.broker.last_of_all(stream::BLOBS, ends)?;
        for (blob, known) in blobs.into_iter().zip(known) {
            if known.is_none() {
                self.send_blob(blob)?;
            }
            self.sent.insert(blob);
        }
        Ok(())
    }

    fn send_blob(&self, blob: Blob) -> Result<(), BrokerError> {
        let Some(content) = self.contents.get(&blob) else { return Ok(()) };
        let mut at = 0;
        let sent = content.pieces(MOST_BYTES, |piece| {
            let subject = piece_of(&blob.digest, at);
            at += 1;
            Ok(self.store(&subject, &piece)?)
        });
        sent.map_err(|error| match error.downcast::<BrokerError>() {
            Ok(error) => error,
            Err(error) => BrokerError::Unsendable(format!("{error:#}")),
        })?;
        if at != pieces(blob) {
            return Err(BrokerError::Unsendable("a file changed during the run".to_owned()));
        }
        self.store(&end_of(&blob.digest), &[])
    }

    /// Sends some of the waiting jobs. `task_of` makes the task of each; none means that the job is no longer wanted.
    /// Of all jobs of the run, `open` have no result yet. Returns the jobs that cannot be sent, with the reasons.
    pub(super) fn send_some(
        &mut self,
        open: usize,
        mut task_of: impl FnMut(&str, &mut Contents) -> Option<Result<(Blob, Task)>>,
    ) -> Result<Vec<(String, String)>, BrokerError> {
        let some: Vec<(String, String)> = self.unsent.drain(..self.unsent.len().min(AT_ONCE)).collect();
        let mut messages = Vec::new();
        let mut unsendable = Vec::new();
        let mut again = HashMap::new();
        for (name, occasion) in some {
            let Some(task) = task_of(&name, &mut self.contents) else { continue };
            let message = task.and_then(|(pack, task)| {
                let Route { run, lease, slots, .. } = &self.route;
                let run = run.clone();
                let key = name.clone();
                let lease = *lease;
                let more = open / (*slots).max(1);
                Ok(encode(&Job { schema: SCHEMA, run, key, pack, task, more, lease })?)
            });
            match message {
                Ok(message) => {
                    let subject = self.subject_of(&name);
                    let id = format!("{}/{name}/{occasion}", self.route.run);
                    again.insert(subject.clone(), (name, occasion));
                    messages.push((subject, Some(id), message));
                }
                Err(error) => unsendable.push((name, format!("its files cannot be sent: {error:#}"))),
            }
        }
        if messages.is_empty() {
            return Ok(unsendable);
        }
        // Its files come before a job.
        if let Err(error) = self.send_blobs() {
            self.unsent.extend(again.into_values());
            return Err(error);
        }
        let mut first = Ok(unsendable);
        let mut is_full = false;
        for (subject, stored) in self.broker.store_all(messages.into_iter()) {
            match stored {
                Ok(Storing::New | Storing::Known) => {
                    self.is_warned.set(false);
                    continue;
                }
                Ok(Storing::Full(full)) => {
                    is_full = true;
                    // Workers make room in a full queue.
                    if full != Full::Stream {
                        self.tell_no_room(full, "the run");
                    }
                }
                Err(error) => first = first.and(Err(error)),
            }
            self.unsent.extend(again.remove(&subject));
        }
        self.broker.tell(&format!("ctl.wake.{}", self.route.pool), Vec::new());
        if is_full {
            // Workers make room.
            std::thread::sleep(BREATH);
        }
        first
    }

    /// Lets idle workers fetch the files of a problem.
    pub(super) fn tell_to_fetch(&self, pack: Blob) {
        let payload = serde_json::to_vec(&pack).unwrap_or_default();
        self.broker.tell(&format!("ctl.fetch.{}", self.route.pool), payload);
    }
}
