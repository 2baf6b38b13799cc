//! Provides slots to commands that run single programs, not a plan.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::ScopedJoinHandle;

use anyhow::{Context as _, Result};

use super::cores::Cores;
use super::hard_limits::refuse_low;
use super::isolation::{Slots, keep_private};
use super::known_isolation::Proofs;
use super::scratch::Scratch;
use crate::diagnostic::{Diagnostic, Severity};
use crate::engine::bench::Bench;

use crate::interrupt::Handlers;
use crate::limits::Limits;
use crate::sandbox::Canceller;
use crate::store::Store;
use crate::workspace::Workspace;
use crate::workspace::ending::{EarlyEnd, OurFault};
use crate::workspace::notices::{machine_notice, store_notice};

/// Opens a slot, runs `work` with it, and closes it. `problems` are the directories of the problems. If a signal comes,
/// this ends the running program and fails with the status for the signal, whatever `work` returns. It shows an
/// [`OurFault`] and fails with the status for a judge error.
pub(crate) fn by_hand<'a, T>(
    workspace: &Workspace,
    problems: impl IntoIterator<Item = &'a Path>,
    work: impl FnOnce(&mut Bench<'_>) -> Result<T>,
) -> Result<T> {
    on_slots(workspace, 1, problems, |OpenSlots { mut benches, .. }| work(benches.first_mut().context("no slot")?))
}

/// Open slots, with the resources for work on them.
pub(crate) struct OpenSlots<'a> {
    /// One for each slot.
    pub(crate) benches: Vec<Bench<'a>>,
    /// A private directory for files of the work.
    pub(crate) scratch: &'a Path,
    /// Set when a signal comes. Programs that run then are killed.
    pub(crate) stop: Arc<Stop>,
}

impl OpenSlots<'_> {
    /// Runs `work` on all slots at once. Returns the first error.
    pub(crate) fn at_once(self, work: impl Fn(&mut Bench<'_>) -> Result<()> + Sync) -> Result<()> {
        std::thread::scope(|scope| {
            let work = &work;
            let start = |mut bench| scope.spawn(move || work(&mut bench));
            let started: Vec<_> = self.benches.into_iter().map(start).collect();
            let join = |part: ScopedJoinHandle<'_, Result<()>>| {
                part.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            };
            // All have ended before the first error is returned.
            started.into_iter().map(join).collect::<Vec<_>>().into_iter().collect()
        })
    }
}

/// Tells the work on slots that a signal has come.
#[derive(Default)]
pub(crate) struct Stop {
    set: AtomicBool,
    act: Mutex<Option<Box<dyn Fn() + Send>>>,
}

impl Stop {
    /// Whether a signal has come.
    pub(crate) fn is_set(&self) -> bool {
        self.set.load(Ordering::SeqCst)
    }

    /// Calls `act` when a signal comes; at once if one has.
    pub(crate) fn calls(&self, act: impl Fn() + Send + 'static) {
        let mut place = self.act.lock().unwrap_or_else(PoisonError::into_inner);
        if self.is_set() {
            act();
        }
        *place = Some(Box::new(act));
    }

    fn set(&self) {
        self.set.store(true, Ordering::SeqCst);
        if let Some(act) = &*self.act.lock().unwrap_or_else(PoisonError::into_inner) {
            act();
        }
    }
}

/// The number of slots that the settings ask for.
pub(crate) fn slots_of(workspace: &Workspace) -> usize {
    Cores::of_this_process().slots_for(workspace.settings.jobs).max(1)
}

/// Opens `count` slots, runs `work` with them, and closes them, like [`by_hand`].
pub(crate) fn on_slots<'a, T>(
    workspace: &Workspace,
    count: usize,
    problems: impl IntoIterator<Item = &'a Path>,
    work: impl FnOnce(OpenSlots<'_>) -> Result<T>,
) -> Result<T> {
    let settings = &workspace.settings;
    let own = Limits { memory: settings.memory, output: settings.output, ..settings.validation_limits() };
    refuse_low(&[own, settings.compile_limits(), settings.validation_limits()], count)?;
    let scratch = Scratch::for_programs()?;
    let (store, notices) = Store::open(&workspace.settings.store_dir());
    let known = Proofs::new(&store, workspace.settings.cache);
    let Slots { isolation, fall, sandboxes } =
        Slots::new(workspace.isolation, count, scratch.path(), &known, workspace.grader())?;
    keep_private(isolation, [&*workspace.settings.store_dir()])?;
    keep_private(isolation, problems)?;
    if let Some(fall) = fall {
        workspace.tell(&machine_notice(fall));
    }
    for notice in &notices {
        workspace.tell(&store_notice(notice));
    }
    let stop = Arc::new(Stop::default());
    let cancellers: Vec<Canceller> = sandboxes.iter().map(|sandbox| sandbox.canceller()).collect();
    let handlers = Handlers::of_this_process().context("cannot install signal handlers")?;
    let signal = Arc::clone(&stop);
    handlers.cancels(move || {
        signal.set();
        cancellers.iter().for_each(Canceller::cancel);
    });
    let resources = workspace.resources(store, isolation);
    let cores = Cores::of_this_process().of_slots(count, std::process::id() as usize);
    let bench = |(slot, sandbox)| Bench::new(&resources, sandbox, cores.get(slot).copied());
    let benches = sandboxes.into_iter().enumerate().map(bench).collect();
    let done = work(OpenSlots { benches, scratch: scratch.path(), stop });
    // The error itself is returned below.
    if done.is_err() {
        // The cause may be isolation that no longer works.
        Proofs::new(&resources.store, true).forget(isolation);
    }
    resources.store.flush();
    workspace.tell_of_own_testlib();
    match handlers.signal() {
        Some(signal) => Err(EarlyEnd::Interrupted(signal).into()),
        None => done.map_err(|error| report_own_fault(workspace, error)),
    }
}

/// Reports a failure of grader itself to the listener, and returns any other error unchanged.
fn report_own_fault(workspace: &Workspace, error: anyhow::Error) -> anyhow::Error {
    let Some(OurFault { message, remedy }) = error.downcast_ref() else { return error };
    workspace.tell(&Diagnostic::new(Severity::JudgeError, message).remedy(*remedy));
    EarlyEnd::JudgeError.into()
}
