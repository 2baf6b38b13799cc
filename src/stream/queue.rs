//! A bounded queue between reader, slots and writer: requests go in, results come out.

use std::collections::{HashMap, VecDeque};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::request::{BrokenRequest, Id};
use super::result::{Answer, FailureKind, SCHEMA, StreamResult};
use crate::store::Key;

/// The most bytes of requests that are read but not answered. One larger request is still carried out, alone.
const MOST_BYTES: usize = 64 << 20;
/// The most requests that are read but not answered.
const MOST_REQUESTS: usize = 4096;

/// A request with its place in the stream.
#[derive(Debug)]
struct Waiting {
    id: Id,
    place: LinePlace,
}

/// The place of a request in the stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LinePlace {
    /// The number of requests before it.
    pub(super) ordinal: u64,
    /// The number of its line, from 1.
    pub(super) line: u64,
    /// Its size.
    pub(super) bytes: usize,
}

/// A result that can be written.
pub(super) struct ReadyResult {
    pub(super) place: LinePlace,
    pub(super) result: StreamResult,
}

/// The next step.
pub(super) struct Job<T> {
    pub(super) task: T,
    /// Equal for equal tasks.
    pub(super) key: Key,
    asked: Waiting,
}

/// All requests that are read but not answered. `T` holds everything that carrying one out requires.
pub(super) struct Queue<T> {
    state: Mutex<QueueState<T>>,
    changed: Condvar,
}

struct QueueState<T> {
    jobs: VecDeque<Job<T>>,
    /// The tasks that are waiting or running, with the other requests for the same.
    equal: HashMap<Key, Vec<Waiting>>,
    /// Results that were not written yet.
    done: VecDeque<ReadyResult>,
    bytes: usize,
    requests: usize,
    /// Whether the last request was read.
    is_complete: bool,
    /// Whether the stream was stopped.
    is_stopped: bool,
}

impl<T> Default for Queue<T> {
    fn default() -> Self {
        let state = QueueState {
            jobs: VecDeque::new(),
            equal: HashMap::new(),
            done: VecDeque::new(),
            bytes: 0,
            requests: 0,
            is_complete: false,
            is_stopped: false,
        };
        Self { state: Mutex::new(state), changed: Condvar::new() }
    }
}

impl<T> Queue<T> {
    fn lock(&self) -> MutexGuard<'_, QueueState<T>> {
        // Each change is complete before the lock is released.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, state: MutexGuard<'a, QueueState<T>>) -> MutexGuard<'a, QueueState<T>> {
        self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until there is room for a line with this number of bytes. Returns false after a stop.
    pub(super) fn makes_room(&self, bytes: usize) -> bool {
        let mut state = self.lock();
        while !state.is_stopped && !state.has_room(bytes) {
            state = self.wait(state);
        }
        !state.is_stopped
    }

    /// Adds the request of a line (the client's name for it, the key of the task, the task), or its mistake.
    pub(super) fn add(&self, place: LinePlace, read: Result<(Id, Key, T), BrokenRequest>) {
        let mut state = self.lock();
        state.bytes += place.bytes;
        state.requests += 1;
        match read {
            Err(BrokenRequest { id, mistake }) => {
                let answer = Answer::error(FailureKind::Request, mistake.to_string());
                state.done.push_back(ReadyResult::new(place, id, answer));
            }
            Ok((id, key, task)) => {
                let asked = Waiting { id, place };
                if let Some(others) = state.equal.get_mut(&key) {
                    others.push(asked);
                } else {
                    state.equal.insert(key, Vec::new());
                    state.jobs.push_back(Job { task, key, asked });
                }
            }
        }
        self.changed.notify_all();
    }

    /// Notes that the last line was read.
    pub(super) fn complete(&self) {
        self.lock().is_complete = true;
        self.changed.notify_all();
    }

    /// Stops the stream: slots and the reader take no more requests.
    pub(super) fn stop(&self) {
        self.lock().is_stopped = true;
        self.changed.notify_all();
    }

    /// Waits for the next job; none after the last.
    pub(super) fn next(&self) -> Option<Job<T>> {
        let mut state = self.lock();
        loop {
            if state.is_stopped {
                return None;
            }
            if let Some(job) = state.jobs.pop_front() {
                return Some(job);
            }
            if state.is_complete {
                return None;
            }
            state = self.wait(state);
        }
    }

    /// The number of jobs that no slot has begun.
    pub(super) fn waiting(&self) -> usize {
        self.lock().jobs.len()
    }

    /// Takes the answer to a job, for all requests that asked for it.
    pub(super) fn answer(&self, job: Job<T>, answer: &Answer) {
        let mut state = self.lock();
        let others = state.equal.remove(&job.key).unwrap_or_default();
        for Waiting { id, place } in std::iter::once(job.asked).chain(others) {
            state.done.push_back(ReadyResult::new(place, Some(id), answer.clone()));
        }
        self.changed.notify_all();
    }

    /// Waits for the next result, in the order in which they come; none after the last. After a stop, further calls
    /// return the results that the slots still bring.
    pub(super) fn result(&self) -> Option<ReadyResult> {
        let mut state = self.lock();
        loop {
            if let Some(done) = state.done.pop_front() {
                return Some(done);
            }
            // Once stopped, some requests stay without a result.
            if state.is_complete && state.requests == 0 || state.is_stopped {
                return None;
            }
            state = self.wait(state);
        }
    }

    /// Notes that the result of the request at this place was written.
    pub(super) fn written(&self, place: LinePlace) {
        let mut state = self.lock();
        state.bytes -= place.bytes;
        state.requests -= 1;
        self.changed.notify_all();
    }
}

impl ReadyResult {
    fn new(place: LinePlace, id: Option<Id>, answer: Answer) -> Self {
        Self { place, result: StreamResult { schema: SCHEMA, id, line: place.line, answer } }
    }
}

impl<T> QueueState<T> {
    fn has_room(&self, bytes: usize) -> bool {
        self.requests == 0 || (self.requests < MOST_REQUESTS && self.bytes + bytes <= MOST_BYTES)
    }
}
