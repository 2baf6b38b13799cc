//! Handles SIGINT, SIGTERM and SIGHUP: the first signal cancels the current work, a second one ends the process at
//! once.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

static HANDLERS: OnceLock<Handlers> = OnceLock::new();

/// Directories that are removed when a signal ends the process.
static DOOMED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Whether a signal is ending the process right now.
static ENDING: AtomicBool = AtomicBool::new(false);

type Cancel = Box<dyn Fn() + Send>;

/// The signal handlers of this process. They stay installed; the action that they cancel changes with the work.
#[derive(Clone)]
pub(crate) struct Handlers {
    /// The number of the signal that arrived; 0 if none.
    signal: Arc<AtomicUsize>,
    cancel: Arc<Mutex<Cancel>>,
    /// Whether the next signal ends the process.
    #[cfg_attr(not(feature = "nats"), allow(dead_code, reason = "workers alone use it"))]
    armed: Arc<AtomicBool>,
    /// Whether a second signal has arrived.
    second: Arc<AtomicBool>,
}

impl Handlers {
    /// Returns the handlers of this process, and installs them the first time. By default, a signal ends the process
    /// with status 128 + its number.
    ///
    /// # Errors
    /// The system refuses to install the handlers.
    pub(crate) fn of_this_process() -> io::Result<&'static Self> {
        if let Some(known) = HANDLERS.get() {
            return Ok(known);
        }
        let installed = Self::install()?;
        Ok(HANDLERS.get_or_init(|| installed))
    }

    fn install() -> io::Result<Self> {
        // The second signal ends the process at once. The keepers notice the end of the grader and kill all programs.
        let armed = Arc::new(AtomicBool::new(false));
        // A user who starts the grader with `nohup` wants it to outlive the terminal.
        let hang_up = (!is_ignored(SIGHUP)).then_some(SIGHUP);
        let heeded: Vec<i32> = [SIGINT, SIGTERM].into_iter().chain(hang_up).collect();
        for signal in &heeded {
            signal_hook::flag::register_conditional_shutdown(*signal, 128 + signal, Arc::clone(&armed))?;
            signal_hook::flag::register(*signal, Arc::clone(&armed))?;
        }
        let mut signals = Signals::new(&heeded)?;
        let nothing: Cancel = Box::new(|| ());
        let handlers =
            Self { signal: Arc::default(), cancel: Arc::new(Mutex::new(nothing)), armed, second: Arc::default() };
        handlers.end_the_process(|| ());
        let shared = handlers.clone();
        thread::Builder::new().name("signals".to_owned()).spawn(move || {
            let mut signals = signals.forever();
            if let Some(signal) = signals.next() {
                shared.signal.store(usize::try_from(signal).unwrap_or(0), Ordering::Relaxed);
                locked(&shared.cancel)();
            }
            signals.for_each(|_| shared.second.store(true, Ordering::SeqCst));
        })?;
        Ok(handlers)
    }

    /// Whether a second signal comes within a time. Such a signal does not end the process.
    #[cfg_attr(not(feature = "nats"), allow(dead_code, reason = "workers alone use it"))]
    pub(crate) fn has_second(&self, within: Duration) -> bool {
        self.armed.store(false, Ordering::SeqCst);
        let until = Instant::now() + within;
        while !self.second.load(Ordering::SeqCst) && Instant::now() < until {
            thread::sleep(Duration::from_millis(20));
        }
        self.armed.store(true, Ordering::SeqCst);
        self.second.load(Ordering::SeqCst)
    }

    /// Sets the action for a signal. Calls it at once if a signal has arrived already.
    pub(crate) fn cancels(&self, cancel: impl Fn() + Send + 'static) {
        let mut current = locked(&self.cancel);
        *current = Box::new(cancel);
        if self.signal().is_some() {
            current();
        }
    }

    /// Use this during work that cannot be cancelled. A signal then cleans up and ends the process with status 128 +
    /// its number.
    pub(crate) fn end_the_process(&self, tidy: impl Fn() + Send + 'static) {
        let signal = Arc::clone(&self.signal);
        self.cancels(move || {
            ENDING.store(true, Ordering::SeqCst);
            tidy();
            locked(&DOOMED).iter().for_each(|dir| remove(dir));
            signal_hook::low_level::exit(128 + number(&signal).unwrap_or(SIGINT));
        });
    }

    /// The number of the signal that arrived, if any.
    pub(crate) fn signal(&self) -> Option<i32> {
        number(&self.signal)
    }
}

/// Whether this process ignores a signal, by `proc_pid_status(5)`; false if that is unreadable.
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| u64::from_str_radix(line.strip_prefix("SigIgn:")?.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

/// Removes a directory that others may be writing to. The next grader removes what remains of it.
fn remove(dir: &Path) {
    for _ in 0..100 {
        // Programs may have written to it in the meantime, so any failure is retried.
        if std::fs::remove_dir_all(dir).is_ok() || !dir.exists() {
            return;
        }
    }
}

fn number(signal: &AtomicUsize) -> Option<i32> {
    i32::try_from(signal.load(Ordering::Relaxed)).ok().filter(|signal| *signal > 0)
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Blocks forever while a signal is ending the process, because errors during that clean-up do not matter.
pub(crate) fn leave_the_end_to_it() {
    while ENDING.load(Ordering::SeqCst) {
        thread::park();
    }
}

/// Registers a directory for removal if a signal ends the process.
pub(crate) fn dooms(dir: &Path) {
    locked(&DOOMED).push(dir.to_owned());
}

/// Unregisters a directory: its owner removes it.
pub(crate) fn spares(dir: &Path) {
    locked(&DOOMED).retain(|doomed| doomed != dir);
}
