//! Chooses the isolation of a run: the one that the user wants, or the strongest that works here.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};

use super::known_isolation::Proofs;
use crate::error_chain;
use crate::sandbox::{Isolation, SYSTEM_DIRS, Sandbox, SandboxError, Slot, let_pass};
use crate::workspace::wanted_isolation::WantedIsolation;

/// A layer that does not work here, with the reason.
type Refusal = (Isolation, SandboxError);

/// The slots of a run.
pub(crate) struct Slots {
    /// The isolation of all slots.
    pub(crate) isolation: Isolation,
    /// Why `auto` chose a weaker layer than it should. None if it did not.
    pub(crate) fall: Option<String>,
    pub(crate) sandboxes: Vec<Box<dyn Sandbox>>,
}

impl Slots {
    /// Creates `count` slots that work below `scratch`. A slot starts no process before its first run. Only the first
    /// slot does, if it is not `known` which layer works.
    pub(crate) fn new(
        wanted: WantedIsolation,
        count: usize,
        scratch: &Path,
        known: &Proofs,
        binary: &Path,
    ) -> Result<Self> {
        let dir = |n: usize| -> PathBuf { scratch.join(format!("slot{n}")) };
        let is_root = rustix::process::geteuid().is_root();
        let found = strongest(&wanted.candidates_of(is_root), binary, &dir(0), known);
        let (isolation, refused, first) = found.map_err(|error| wanted.refuse(error))?;
        let others = (1..count).map(|n| Slot::new(binary, &dir(n), isolation));
        let slots = std::iter::once(Ok(first)).chain(others).collect::<Result<Vec<_>, _>>()?;
        let sandboxes = slots.into_iter().map(|slot| Box::new(slot) as Box<dyn Sandbox>).collect();
        Ok(Self { isolation, fall: fall(isolation, &refused), sandboxes })
    }
}

/// Fails if one of `places` is in a directory that every program sees. `places` hold files that programs must not see.
/// This applies to all layers with walls alike, because the effect of file permissions depends on the user.
pub(crate) fn keep_private<'a>(isolation: Isolation, places: impl IntoIterator<Item = &'a Path>) -> Result<()> {
    if !isolation.has_walls() {
        return Ok(());
    }
    let mut shown: Vec<String> = places.into_iter().filter_map(|place| shown(place, SYSTEM_DIRS)).collect();
    shown.sort();
    shown.dedup();
    if shown.is_empty() {
        return Ok(());
    }
    bail!(
        "{}; submissions could read answers and other submissions\n  → move them elsewhere, or judge programs of your \
         own with `--isolation none`",
        shown.join("\n")
    )
}

/// The error message if a place is in one of `dirs`.
fn shown(place: &Path, dirs: &[&str]) -> Option<String> {
    // A path that does not exist yet is in none of them.
    let real = fs::canonicalize(place).ok()?;
    let holds = |dir: &&&str| fs::canonicalize(dir).is_ok_and(|dir| real.starts_with(dir));
    let dir = dirs.iter().find(holds)?;
    Some(format!("{} lies in {dir}, which every program may read", place.display()))
}

/// Why the isolation is only `isolation`, if stronger layers were refused and it is not strong itself.
fn fall(isolation: Isolation, refused: &[Refusal]) -> Option<String> {
    let told = |(isolation, error): &Refusal| format!("`{}` does not work here: {}", isolation.name(), cause(error));
    let reasons: Vec<String> = refused.iter().map(told).collect();
    (!reasons.is_empty() && !isolation.is_strong())
        .then(|| format!("isolation is only `{}`; {}", isolation.name(), reasons.join("; ")))
}

/// The cause alone; the caller describes what failed.
pub(crate) fn cause(error: &SandboxError) -> String {
    match error {
        SandboxError::Keeper(loss) => loss.to_string(),
        SandboxError::Refused(refusal) => refusal.to_string(),
        other => error_chain(other),
    }
}

/// A slot with the first of `candidates` that works, and the refused layers before it.
fn strongest(
    candidates: &[Isolation],
    binary: &Path,
    dir: &Path,
    known: &Proofs,
) -> Result<(Isolation, Vec<Refusal>, Slot)> {
    let mut refused = Vec::new();
    for isolation in candidates.iter().copied() {
        let mut slot = Slot::new(binary, dir, isolation)?;
        if isolation.gives_boxes_away()
            && let Some(scratch) = dir.parent()
        {
            let_pass(scratch).with_context(|| format!("cannot open {}", scratch.display()))?;
        }
        if known.has(isolation) {
            return Ok((isolation, refused, slot));
        }
        match slot.warm_up() {
            Ok(()) => {
                known.keep(isolation);
                return Ok((isolation, refused, slot));
            }
            // If the grader's own binary or directory does not work, no weaker layer would work either.
            Err(error @ SandboxError::Start { .. }) => return Err(error.into()),
            Err(error) => refused.push((isolation, error)),
        }
    }
    let (isolation, error) = refused.pop().context("no isolation to try")?;
    Err(error).with_context(|| {
        format!("isolation `{}` does not work here (`grader doctor` shows how to fix this)", isolation.name())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sandbox;

    #[test]
    fn what_every_program_sees_is_no_place_for_answers() {
        let dir = tempfile::tempdir().unwrap();
        let system = dir.path().join("usr");
        let link = dir.path().join("bin");
        fs::create_dir_all(system.join("src")).unwrap();
        std::os::unix::fs::symlink(&system, &link).unwrap();
        let dirs = [link.to_str().unwrap()];
        for place in [system.join("src"), link.join("src"), system.clone()] {
            assert!(shown(&place, &dirs).unwrap().contains(" lies in "), "{}", place.display());
        }
        for place in [dir.path().to_owned(), system.join("absent"), dir.path().join("usr2")] {
            assert_eq!(shown(&place, &dirs), None);
        }
        keep_private(Isolation::Root, [dir.path()]).unwrap();
        keep_private(Isolation::None, [Path::new("/usr")]).unwrap();
        for isolation in Isolation::ALL.into_iter().filter(|layer| layer.has_walls()) {
            let error =
                keep_private(isolation, [Path::new("/usr/bin"), Path::new("/usr/lib")]).unwrap_err().to_string();
            assert!(error.starts_with("/usr/bin lies in ") && error.contains("\n/usr/lib lies in "), "{error}");
        }
    }

    #[test]
    fn a_fall_names_every_layer_that_was_refused() {
        let refused = |isolation, why: &str| (isolation, SandboxError::Refused(sandbox::Refusal::new(why)));
        let refusals = vec![refused(Isolation::User, "one"), refused(Isolation::Weak, "two")];
        let told = "isolation is only `none`; `user` does not work here: one; `weak` does not work here: two";
        assert_eq!(fall(Isolation::None, &refusals).as_deref(), Some(told));
        assert_eq!(fall(Isolation::User, &[]), None);
        assert_eq!(fall(Isolation::Users, &[refused(Isolation::Root, "one")]), None, "nothing is missing");
    }
}
