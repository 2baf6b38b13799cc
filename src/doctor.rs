//! Examines this machine for `grader doctor`. Hostile test programs check the guarantees of each isolation layer. If a
//! layer is not available, the doctor reports the reason. It also lists the installed tools.
//!
//! Its files:
//!
//! - `guarantee`: the promises of each layer, and how each is tried
//! - `probe_site`: the directory of these tests
//! - `machine`, `cause`: why something is missing, and the remedy
//! - `toolchains`: the installed tools

pub(crate) mod cause;
pub(crate) mod guarantee;
pub(crate) mod machine;
mod probe_site;
pub(crate) mod toolchains;

use std::path::Path;

use anyhow::{Context as _, Result};

use crate::compile::toolbox::Host;
use crate::interrupt::Handlers;
use crate::language::Languages;
use crate::sandbox::{Isolation, Sandbox as _, Slot, landlock_version, let_pass};
use crate::session::isolation::Slots;
use crate::session::known_isolation::Proofs;
use crate::session::scratch::Scratch;
use crate::store::Store;
use crate::workspace::Workspace;
use crate::workspace::ending::EarlyEnd;
use crate::workspace::wanted_isolation::WantedIsolation;
use cause::{Cause, Failure};
use guarantee::{GUARANTEES, GuaranteeResult};
use machine::Machine;
use probe_site::{Outside, ProbeSite};
pub(crate) use toolchains::Tool;

/// Examines one machine.
pub(crate) struct Doctor {
    pub(crate) machine: Machine,
    scratch: Scratch,
    handlers: &'static Handlers,
    host: Host,
    languages: Languages,
}

/// The result of one guarantee in one layer.
pub(crate) struct Check {
    pub(crate) promised: bool,
    pub(crate) result: GuaranteeResult,
}

/// The results of one isolation layer.
pub(crate) struct Layer {
    pub(crate) isolation: Isolation,
    /// One check for each guarantee. None if this machine does not have the layer.
    pub(crate) checks: Option<Vec<Check>>,
    /// Other facts about the layer, such as the control groups that it uses.
    pub(crate) facts: Vec<String>,
    /// Why the layer, or a part of it, is not available.
    pub(crate) causes: Vec<Cause>,
}

impl Layer {
    pub(crate) fn absent(isolation: Isolation) -> Self {
        Self { isolation, checks: None, facts: Vec::new(), causes: Vec::new() }
    }

    pub(crate) fn checks(&self) -> Option<&[Check]> {
        self.checks.as_deref()
    }

    /// The number of promised guarantees, and how many of them hold.
    pub(crate) fn score(&self) -> (usize, usize) {
        let promised = || self.checks().unwrap_or_default().iter().filter(|check| check.promised);
        (promised().count(), promised().filter(|check| check.result.keeps()).count())
    }

    pub(crate) fn keeps_all(&self) -> bool {
        let (promised, kept) = self.score();
        self.checks.is_some() && promised == kept
    }
}

impl Doctor {
    /// Reads the facts about this machine.
    ///
    /// # Errors
    /// The scratch directory cannot be made, or signal handlers cannot be installed.
    pub(crate) fn new(workspace: &Workspace) -> Result<Self> {
        let scratch = Scratch::for_programs()?;
        let machine = Machine::read(Path::new("/"), workspace.grader());
        let handlers = Handlers::of_this_process().context("cannot install signal handlers")?;
        handlers.cancels(|| ());
        Ok(Self { scratch, machine, handlers, host: workspace.host().clone(), languages: workspace.languages.clone() })
    }

    /// Tries every layer that the user wants, the strongest first.
    ///
    /// # Errors
    /// The files and sockets outside the sandbox cannot be prepared, or a signal came ([`EarlyEnd::Interrupted`]).
    pub(crate) fn layers(&self, wanted: WantedIsolation) -> Result<Vec<Layer>> {
        let Self { scratch, machine, handlers, .. } = self;
        let scratch = scratch.path();
        if wanted.candidates().into_iter().any(Isolation::gives_boxes_away) {
            let_pass(scratch).with_context(|| format!("cannot open {}", scratch.display()))?;
        }
        let outside = Outside::new(scratch, &machine.binary).context("cannot prepare what programs must not reach")?;
        let mut layers = Vec::new();
        for isolation in wanted.candidates() {
            let dir = scratch.join(isolation.name());
            layers.push(match ProbeSite::open(&machine.binary, &dir, isolation, &outside) {
                Ok(site) => examine(site, machine, handlers),
                Err(error) => {
                    let causes = vec![cause::of_layer(isolation, &Failure::of(&error), machine)];
                    Layer { causes, ..Layer::absent(isolation) }
                }
            });
        }
        match handlers.signal() {
            Some(signal) => Err(EarlyEnd::Interrupted(signal).into()),
            None => Ok(layers),
        }
    }

    /// The layer that `auto` selects here, and why it is weaker than it should be. Runs no hostile program.
    ///
    /// # Errors
    /// No layer works.
    pub(crate) fn automatic_layer(&self) -> Result<(Isolation, Option<String>)> {
        let scratch = self.scratch.path();
        let (store, _) = Store::open(&scratch.join("store"));
        let slots = Slots::new(WantedIsolation::Auto, 1, scratch, &Proofs::new(&store, false), &self.machine.binary)?;
        Ok((slots.isolation, slots.fall))
    }

    /// Finds the tools of each language, and the interpreter of checktestdata grammars.
    ///
    /// # Errors
    /// No program can be started.
    pub(crate) fn tools(&self) -> Result<Vec<(String, Tool)>> {
        let mut slot = Slot::new(&self.machine.binary, &self.scratch.path().join("tools"), Isolation::None)?;
        // A temporary store makes the tools report their versions anew. It leaves nothing in the current directory.
        let (store, _) = Store::open(&self.scratch.path().join("store"));
        Ok(toolchains::all(&self.languages, &self.host, &mut slot, &store))
    }
}

fn examine(mut site: ProbeSite, machine: &Machine, handlers: &Handlers) -> Layer {
    let isolation = site.isolation;
    let landlock = landlock_version();
    let mut layer = Layer::absent(isolation);
    if let Some(groups) = site.slot().control_groups().into_iter().next() {
        layer.facts.push(groups.found);
        layer.causes.extend(cause::of_groups(&groups.missing, machine));
    }
    if isolation.has_landlock() {
        layer.causes.extend(cause::of_landlock(landlock));
    }
    let mut checks = Vec::with_capacity(GUARANTEES.len());
    for guarantee in GUARANTEES {
        let promised = guarantee.is_promised(isolation, landlock);
        let result = match handlers.signal() {
            None => guarantee.examine(&mut site),
            Some(_) => GuaranteeResult::Unknown("interrupted".to_owned()),
        };
        checks.push(Check { promised, result });
    }
    layer.checks = Some(checks);
    layer
}
