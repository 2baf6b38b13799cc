//! SIGINT and SIGTERM: the first cancels the run, a second one ends the process at once.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

/// Which signal arrived, if any.
#[derive(Debug, Clone, Default)]
pub struct Interrupted(Arc<AtomicUsize>);

impl Interrupted {
    /// The number of the signal that ended the run early.
    pub fn signal(&self) -> Option<i32> {
        i32::try_from(self.0.load(Ordering::Relaxed)).ok().filter(|signal| *signal > 0)
    }
}

/// Handlers that stay while what they cancel changes: for a process that has several runs one after the other.
#[derive(Clone)]
pub struct Handlers {
    interrupted: Interrupted,
    cancel: Arc<Mutex<Cancel>>,
}

type Cancel = Box<dyn Fn() + Send>;

impl Handlers {
    /// Installs the handlers, which cancel nothing yet.
    pub fn install() -> io::Result<Self> {
        let nothing: Cancel = Box::new(|| ());
        let cancel = Arc::new(Mutex::new(nothing));
        let shared = Arc::clone(&cancel);
        let interrupted = install(move || shared.lock().unwrap_or_else(PoisonError::into_inner)())?;
        Ok(Self { interrupted, cancel })
    }

    /// What a signal cancels from now on; called at once where one has arrived already.
    pub fn cancels(&self, cancel: impl Fn() + Send + 'static) {
        let mut current = self.cancel.lock().unwrap_or_else(PoisonError::into_inner);
        *current = Box::new(cancel);
        if self.signal().is_some() {
            current();
        }
    }

    /// While something waits that cannot be cancelled: a signal tidies up and ends the process with 128 + its number.
    pub fn end_the_process(&self, tidy: impl Fn() + Send + 'static) {
        let interrupted = self.interrupted.clone();
        self.cancels(move || {
            tidy();
            signal_hook::low_level::exit(128 + interrupted.signal().unwrap_or(SIGINT));
        });
    }

    /// The number of the signal that arrived, if any.
    pub fn signal(&self) -> Option<i32> {
        self.interrupted.signal()
    }
}

/// Installs the handlers. `cancel` is called once, from a thread of its own.
pub fn install(cancel: impl Fn() + Send + 'static) -> io::Result<Interrupted> {
    // The second signal does not wait for anybody: programs die with their keepers, who see our end.
    let armed = Arc::new(AtomicBool::new(false));
    for (signal, status) in [(SIGINT, 130), (SIGTERM, 143)] {
        signal_hook::flag::register_conditional_shutdown(signal, status, Arc::clone(&armed))?;
        signal_hook::flag::register(signal, Arc::clone(&armed))?;
    }
    let mut signals = Signals::new([SIGINT, SIGTERM])?;
    let interrupted = Interrupted::default();
    let shared = interrupted.clone();
    thread::Builder::new().name("signals".to_owned()).spawn(move || {
        if let Some(signal) = signals.forever().next() {
            shared.0.store(usize::try_from(signal).unwrap_or(0), Ordering::Relaxed);
            cancel();
        }
    })?;
    Ok(interrupted)
}
