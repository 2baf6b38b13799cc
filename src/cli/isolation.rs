//! Which isolation is in force: the one that was asked for, or the strongest that works here.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};

use crate::config::Settings;
use crate::sandbox::{Isolation, Sandbox, SandboxError, Slot};
use crate::suggest;

/// What was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    /// The strongest that works.
    Auto,
    /// This one or none.
    Exactly(Isolation),
}

impl Wanted {
    /// What the settings ask for.
    pub(super) fn of(settings: &Settings) -> Result<Self> {
        Self::named(&settings.isolation)
    }

    /// What a word asks for.
    pub(super) fn named(word: &str) -> Result<Self> {
        if word == "auto" {
            return Ok(Self::Auto);
        }
        let known = Isolation::ALL.into_iter().find(|isolation| isolation.name() == word);
        let Some(isolation) = known else {
            let names = Isolation::ALL.map(Isolation::name);
            bail!("unknown isolation `{word}`; known are auto, {}{}", names.join(", "), suggest::hint(word, names));
        };
        Ok(Self::Exactly(isolation))
    }

    /// What is to be tried, in order.
    pub(super) fn candidates(self) -> Vec<Isolation> {
        match self {
            Self::Exactly(isolation) => vec![isolation],
            Self::Auto => Isolation::ALL.to_vec(),
        }
    }
}

/// The slots of a run.
pub(super) struct Slots {
    /// What holds in all of them.
    pub(super) isolation: Isolation,
    pub(super) sandboxes: Vec<Box<dyn Sandbox>>,
}

impl Slots {
    /// `count` slots that work below `scratch`.
    pub(super) fn new(wanted: Wanted, count: usize, scratch: &Path) -> Result<Self> {
        let binary = std::env::current_exe().context("cannot find the grader's own program")?;
        let dir = |n: usize| -> PathBuf { scratch.join(format!("slot{n}")) };
        let (isolation, first) = strongest(wanted, &binary, &dir(0))?;
        let others = (1..count).map(|n| Slot::new(&binary, &dir(n), isolation));
        let slots = std::iter::once(Ok(first)).chain(others).collect::<Result<Vec<_>, _>>()?;
        let sandboxes = slots.into_iter().map(|slot| Box::new(slot) as Box<dyn Sandbox>).collect();
        Ok(Self { isolation, sandboxes })
    }
}

/// A slot with the strongest walls that work.
fn strongest(wanted: Wanted, binary: &Path, dir: &Path) -> Result<(Isolation, Slot)> {
    let mut refused = None;
    for isolation in wanted.candidates() {
        let started = Slot::new(binary, dir, isolation).and_then(|mut slot| slot.warm_up().map(|()| slot));
        match started {
            Ok(slot) => return Ok((isolation, slot)),
            // Without its own binary or a directory to work in nothing weaker would work either.
            Err(error @ SandboxError::Start { .. }) => return Err(error.into()),
            Err(error) => refused = Some((isolation, error)),
        }
    }
    let (isolation, error) = refused.context("no isolation to try")?;
    Err(error).with_context(|| {
        format!("isolation `{}` does not work here (`grader doctor` says what would help)", isolation.name())
    })
}
