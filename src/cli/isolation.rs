//! Which isolation is in force: the one that was asked for, or the strongest that works here.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::proof::Proofs;
use crate::config::IsolationChoice;
use crate::error_chain;
use crate::sandbox::{Isolation, SYSTEM_DIRS, Sandbox, SandboxError, Slot};

/// What was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    /// The strongest that works.
    Auto,
    /// The strongest of those that strangers' programs may be run behind.
    Strong,
    /// This one or none.
    Exactly(Isolation),
}

impl From<IsolationChoice> for Wanted {
    fn from(choice: IsolationChoice) -> Self {
        match choice {
            IsolationChoice::Auto => Self::Auto,
            IsolationChoice::Root => Self::Exactly(Isolation::Root),
            IsolationChoice::User => Self::Exactly(Isolation::User),
            IsolationChoice::Weak => Self::Exactly(Isolation::Weak),
            IsolationChoice::None => Self::Exactly(Isolation::None),
        }
    }
}

/// The words of `--isolation`: those of the setting.
pub(super) fn isolation_words() -> impl TypedValueParser<Value = IsolationChoice> {
    let words = IsolationChoice::WORDS;
    let meaning = |word: String| words.iter().find(|(known, _)| *known == word).map(|(_, choice)| *choice);
    PossibleValuesParser::new(words.iter().map(|(word, _)| *word))
        .try_map(move |word| meaning(word).ok_or("no such layer"))
}

impl Wanted {
    /// The same for programs of strangers: weaker walls than `user` only where somebody has named them.
    pub(super) fn for_strangers(self) -> Self {
        if self == Self::Auto { Self::Strong } else { self }
    }

    /// The layers to try, in order.
    pub(super) fn candidates(self) -> Vec<Isolation> {
        match self {
            Self::Exactly(isolation) => vec![isolation],
            Self::Auto => Isolation::ALL.to_vec(),
            Self::Strong => vec![Isolation::Root, Isolation::User],
        }
    }

    /// What more there is to say where nothing works.
    fn refuse(self, error: anyhow::Error) -> anyhow::Error {
        match self {
            Self::Strong => error.context(
                "grader does not run programs of other people with weak isolation unless you ask for it: `grader \
                 doctor` shows how to get strong isolation, `--isolation weak` allows weak isolation",
            ),
            Self::Auto | Self::Exactly(_) => error,
        }
    }

    /// The candidates without those that are for other users: not to have them is no loss.
    fn candidates_of(self, is_root: bool) -> Vec<Isolation> {
        let others = if is_root { Isolation::User } else { Isolation::Root };
        let mut candidates = self.candidates();
        candidates.retain(|isolation| matches!(self, Self::Exactly(_)) || *isolation != others);
        candidates
    }
}

/// A layer that was tried in vain, and why.
type Refusal = (Isolation, SandboxError);

/// The slots of a run.
pub(super) struct Slots {
    /// What holds in all of them.
    pub(super) isolation: Isolation,
    /// Why `auto` is weaker than it should be; none where it is not.
    pub(super) fall: Option<String>,
    pub(super) sandboxes: Vec<Box<dyn Sandbox>>,
}

impl Slots {
    /// `count` slots that work below `scratch`. A slot starts no process before it has something to run; only the first
    /// does where it is not `known` already which layer works.
    pub(super) fn new(wanted: Wanted, count: usize, scratch: &Path, known: &Proofs) -> Result<Self> {
        let binary = std::env::current_exe().context("cannot find the grader's own program")?;
        let dir = |n: usize| -> PathBuf { scratch.join(format!("slot{n}")) };
        let is_root = rustix::process::geteuid().is_root();
        let found = strongest(&wanted.candidates_of(is_root), &binary, &dir(0), known);
        let (isolation, refused, first) = found.map_err(|error| wanted.refuse(error))?;
        let others = (1..count).map(|n| Slot::new(&binary, &dir(n), isolation));
        let slots = std::iter::once(Ok(first)).chain(others).collect::<Result<Vec<_>, _>>()?;
        let sandboxes = slots.into_iter().map(|slot| Box::new(slot) as Box<dyn Sandbox>).collect();
        Ok(Self { isolation, fall: fall(isolation, &refused), sandboxes })
    }
}

/// Fails where one of `places`, which hold what programs must not see, lies in a directory that every program sees. In all
/// layers alike: what the rights of a file allow depends on the user.
pub(super) fn keep_private<'a>(isolation: Isolation, places: impl IntoIterator<Item = &'a Path>) -> Result<()> {
    if isolation == Isolation::None {
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

/// The message about a place that lies in one of `dirs`.
fn shown(place: &Path, dirs: &[&str]) -> Option<String> {
    // What is not there yet is in none of them.
    let real = fs::canonicalize(place).ok()?;
    let holds = |dir: &&&str| fs::canonicalize(dir).is_ok_and(|dir| real.starts_with(dir));
    let dir = dirs.iter().find(holds)?;
    Some(format!("{} lies in {dir}, which every program may read", place.display()))
}

/// Why it is only `isolation`, when stronger ones were refused.
fn fall(isolation: Isolation, refused: &[Refusal]) -> Option<String> {
    let told = |(isolation, error): &Refusal| format!("`{}` does not work here: {}", isolation.name(), cause(error));
    let reasons: Vec<String> = refused.iter().map(told).collect();
    (!reasons.is_empty()).then(|| format!("isolation is only `{}`; {}", isolation.name(), reasons.join("; ")))
}

/// The cause alone; the caller says in its own words what failed.
pub(super) fn cause(error: &SandboxError) -> String {
    match error {
        SandboxError::Keeper(message) => message.clone(),
        SandboxError::Refused(refusal) => refusal.to_string(),
        other => error_chain(other),
    }
}

/// A slot with the first of `candidates` that works, and those before it.
fn strongest(
    candidates: &[Isolation],
    binary: &Path,
    dir: &Path,
    known: &Proofs,
) -> Result<(Isolation, Vec<Refusal>, Slot)> {
    let mut refused = Vec::new();
    for isolation in candidates.iter().copied() {
        let mut slot = Slot::new(binary, dir, isolation)?;
        if known.has(isolation) {
            return Ok((isolation, refused, slot));
        }
        match slot.warm_up() {
            Ok(()) => {
                known.keep(isolation);
                return Ok((isolation, refused, slot));
            }
            // Without its own binary or a directory to work in nothing weaker would work either.
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
    fn a_layer_for_other_users_is_no_candidate_of_auto() {
        let names = |is_root| Wanted::Auto.candidates_of(is_root).into_iter().map(Isolation::name).collect::<Vec<_>>();
        assert_eq!(names(true), ["root", "weak", "none"]);
        assert_eq!(names(false), ["user", "weak", "none"]);
        assert_eq!(Wanted::Exactly(Isolation::Root).candidates_of(false), [Isolation::Root]);
    }

    #[test]
    fn what_every_program_sees_is_no_place_for_answers() {
        let dir = tempfile::tempdir().unwrap();
        let (system, link) = (dir.path().join("usr"), dir.path().join("bin"));
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
        for isolation in [Isolation::Root, Isolation::User, Isolation::Weak] {
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
    }
}
