//! SIGINT and SIGTERM: the first cancels the run, a second one ends the process at once.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
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
