//! Provides one slot to commands that run single programs, not a plan.

use std::path::Path;

use anyhow::{Context as _, Result};

use super::cores::Cores;
use super::hard_limits::refuse_low;
use super::isolation::{Slots, keep_private};
use super::known_isolation::Proofs;
use super::scratch::Scratch;
use crate::engine::bench::Bench;
use crate::event::{Notice, Severity};
use crate::interrupt::Handlers;
use crate::limits::Limits;
use crate::store::Store;
use crate::workspace::Workspace;
use crate::workspace::ending::{Ended, OurFault};
use crate::workspace::notices::{machine_notice, store_notice};

/// Opens a slot, runs `work` with it, and closes it. `problems` are the directories of the problems. If a signal comes,
/// this ends the running program and fails with the status for the signal, whatever `work` returns. It shows an
/// [`OurFault`] and fails with the status for a judge error.
pub(crate) fn by_hand<'a, T>(
    workspace: &Workspace,
    problems: impl IntoIterator<Item = &'a Path>,
    work: impl FnOnce(&mut Bench<'_>) -> Result<T>,
) -> Result<T> {
    let settings = &workspace.settings;
    let own = Limits { memory: settings.memory, output: settings.output, ..settings.validation_limits() };
    refuse_low(&[own, settings.compile_limits(), settings.validation_limits()], 1)?;
    let scratch = Scratch::for_programs()?;
    let (store, notices) = Store::open(&workspace.settings.store_dir());
    let known = Proofs::new(&store, workspace.settings.cache);
    let Slots { isolation, fall, mut sandboxes } =
        Slots::new(workspace.isolation, 1, scratch.path(), &known, workspace.grader())?;
    keep_private(isolation, [&*workspace.settings.store_dir()])?;
    keep_private(isolation, problems)?;
    let sandbox = sandboxes.pop().context("no slot")?;
    if let Some(fall) = fall {
        workspace.tell(&machine_notice(fall));
    }
    for notice in &notices {
        workspace.tell(&store_notice(notice));
    }
    let canceller = sandbox.canceller();
    let handlers = Handlers::of_this_process().context("cannot install signal handlers")?;
    handlers.cancels(move || canceller.cancel());
    let resources = workspace.resources(store, isolation);
    let core = Cores::of_this_process().of_slots(1, std::process::id() as usize).first().copied();
    let done = work(&mut Bench::new(&resources, sandbox, core));
    // The error itself is returned below.
    if done.is_err() {
        // The cause may be isolation that no longer works.
        Proofs::new(&resources.store, true).forget(isolation);
    }
    resources.store.flush();
    match handlers.signal() {
        Some(signal) => Err(Ended::Interrupted(signal).into()),
        None => done.map_err(|error| told(workspace, error)),
    }
}

fn told(workspace: &Workspace, error: anyhow::Error) -> anyhow::Error {
    let Some(OurFault { message, remedy }) = error.downcast_ref() else { return error };
    let (severity, message, remedy) = (Severity::JudgeError, message.clone(), (*remedy).to_owned());
    workspace.tell(&Notice { severity, problem: None, path: None, message, remedy });
    Ended::JudgeError.into()
}
