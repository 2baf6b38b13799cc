//! Ends a run early for a reason that is not a signal, such as a newer version of what it judges.

use std::sync::{Arc, Mutex, PoisonError};

type Stop = Box<dyn Fn() + Send>;

/// A handle to end a run, from any thread. It works before the run starts, too.
#[derive(Clone, Default)]
pub(crate) struct Brake(Arc<Mutex<BrakeState>>);

#[derive(Default)]
struct BrakeState {
    is_pulled: bool,
    stop: Option<Stop>,
}

impl Brake {
    /// Ends the run. Its programs are killed.
    pub(crate) fn pull(&self) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.is_pulled = true;
        if let Some(stop) = &state.stop {
            stop();
        }
    }

    /// Whether the run was ended by this handle, or will be as soon as it starts.
    pub(crate) fn is_pulled(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).is_pulled
    }

    /// Sets the action that ends the run. Calls it at once if the handle was pulled before.
    pub(super) fn stops(&self, stop: Stop) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if state.is_pulled {
            stop();
        }
        state.stop = Some(stop);
    }
}
