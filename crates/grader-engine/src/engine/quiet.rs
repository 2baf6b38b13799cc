//! Lets one program run while no other does: no submission, no compiler and no validator, in any run of this process
//! that shares the value.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Counts the running programs, and those that wait to run alone.
#[derive(Debug, Default)]
pub struct Quiet {
    state: Mutex<JobCounts>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct JobCounts {
    /// The jobs that have begun, those included that wait to be alone.
    running: usize,
    /// The jobs that wait to be alone.
    waiting: usize,
    /// Whether a job is alone.
    alone: bool,
}

/// A job that has begun. Dropping it ends the job.
pub struct RunningJob<'a>(&'a Quiet);

impl Drop for RunningJob<'_> {
    fn drop(&mut self) {
        self.0.lock().running -= 1;
        self.0.changed.notify_all();
    }
}

/// A job that is alone. Dropping it, also by a panic, lets others begin.
struct QuietJob<'a>(&'a Quiet);

impl Drop for QuietJob<'_> {
    fn drop(&mut self) {
        self.0.lock().alone = false;
        self.0.changed.notify_all();
    }
}

impl Quiet {
    fn lock(&self) -> MutexGuard<'_, JobCounts> {
        // Each change is complete before the lock is released.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until no job is alone or wants to be, and begins a job.
    pub fn begin(&self) -> RunningJob<'_> {
        let mut state = self.lock();
        while state.alone || state.waiting > 0 {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.running += 1;
        RunningJob(self)
    }

    /// Does `work`, which is part of a job that has begun, while no other job runs. Returns none if `is_over` says so
    /// before that is possible.
    pub fn alone<T>(&self, is_over: impl Fn() -> bool, work: impl FnOnce() -> T) -> Option<T> {
        let mut state = self.lock();
        state.waiting += 1;
        while !is_over() && (state.alone || state.running > state.waiting) {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.waiting -= 1;
        if is_over() {
            drop(state);
            self.changed.notify_all();
            return None;
        }
        state.alone = true;
        drop(state);
        let _alone = QuietJob(self);
        Some(work())
    }

    /// Asks all that wait to be alone whether their run is over.
    pub(super) fn wake(&self) {
        // With the lock, no waiter is between its question and its sleep.
        drop(self.lock());
        self.changed.notify_all();
    }
}
