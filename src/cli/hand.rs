//! One slot for work by hand: for commands that run single programs, not a plan.

use std::path::Path;

use anyhow::{Context as _, Result};

use super::arguments::Setup;
use super::cores::Cores;
use super::exit::{Ended, ExitStatus, Fault};
use super::hard_limits::refuse_low;
use super::isolation::{Slots, keep_private};
use super::notice::{machine_notice, show_notice, store_notice};
use super::proof::Proofs;
use super::scratch::Scratch;
use crate::engine::workbench::Workbench;
use crate::event::{Notice, Severity};
use crate::interrupt::Handlers;
use crate::limits::Limits;
use crate::store::Store;

/// Opens a slot, works with it on problems, whose directories these are, and closes it. A signal ends what runs; then this fails with the status for it, whatever
/// `work` returns. A [`Fault`] is shown, and this fails with the status for it.
pub(super) fn by_hand<'a, T>(
    setup: &Setup,
    problems: impl IntoIterator<Item = &'a Path>,
    work: impl FnOnce(&mut Workbench<'_>) -> Result<T>,
) -> Result<T> {
    let settings = &setup.settings;
    let own = Limits { memory: settings.memory, output: settings.output, ..settings.validation_limits() };
    refuse_low(&[own, settings.compile_limits(), settings.validation_limits()], 1)?;
    let scratch = Scratch::for_programs()?;
    let (store, notices) = Store::open(&setup.settings.store_dir());
    let known = Proofs::new(&store, setup.settings.cache);
    let Slots { isolation, fall, mut sandboxes } = Slots::new(setup.isolation, 1, scratch.path(), &known)?;
    keep_private(isolation, [&*setup.settings.store_dir()])?;
    keep_private(isolation, problems)?;
    let sandbox = sandboxes.pop().context("no slot")?;
    if let Some(fall) = fall {
        show_notice(&machine_notice(fall), setup.paint);
    }
    for notice in &notices {
        show_notice(&store_notice(notice), setup.paint);
    }
    let canceller = sandbox.canceller();
    let handlers = Handlers::of_this_process().context("cannot install signal handlers")?;
    handlers.cancels(move || canceller.cancel());
    let workshop = setup.workshop(store, isolation);
    let core = Cores::of_this_process().of_slots(1, std::process::id() as usize).first().copied();
    let done = work(&mut Workbench::new(&workshop, sandbox, core));
    // The error itself is returned below.
    if done.is_err() {
        // It may have been the isolation.
        Proofs::new(&workshop.store, true).forget(isolation);
    }
    workshop.store.flush();
    match handlers.signal() {
        Some(signal) => Err(Ended(ExitStatus::Interrupted(signal)).into()),
        None => done.map_err(|error| told(setup, error)),
    }
}

fn told(setup: &Setup, error: anyhow::Error) -> anyhow::Error {
    let Some(Fault { message, remedy }) = error.downcast_ref() else { return error };
    let (severity, message, remedy) = (Severity::JudgeError, message.clone(), (*remedy).to_owned());
    show_notice(&Notice { severity, problem: None, path: None, message, remedy }, setup.paint);
    Ended(ExitStatus::JudgeError).into()
}
