//! Where programs see their own directories.
//!
//! Behind namespaces there is one place for it. Without them, a program can use the directory in its place if it has the
//! grader's own user. A program with a user of its own may not be able to enter that place, such as a home, so it gets a copy
//! beside the directories of the slots. All slots of a grader share the copies, because the arguments of a program name the
//! place, and any slot may run it. The name of a copy cannot be guessed.

use std::collections::HashMap;
use std::collections::hash_map::RandomState;
use std::fs;
use std::hash::BuildHasher as _;
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex, PoisonError};

use super::pipe::system;
use super::places::PROGRAM;
use super::slot_side::copy;
use super::{Isolation, Place, Request, SandboxError, Side, Workdir};

/// Makes the names of copies.
static KEYS: LazyLock<RandomState> = LazyLock::new(RandomState::new);
/// How many sides of slots show each copy.
static SHOWN: LazyLock<Mutex<HashMap<PathBuf, usize>>> = LazyLock::new(Mutex::default);

/// The programs that a slot shows.
pub(super) struct Programs {
    /// The directory of all slots.
    dir: PathBuf,
    isolation: Isolation,
    /// The program of each side.
    shown: [Option<PathBuf>; 2],
}

impl Programs {
    /// The programs of the slot that works below `dir`.
    pub(super) fn new(dir: &Path, isolation: Isolation) -> Self {
        let dir = dir.parent().unwrap_or(dir).to_owned();
        Self { dir, isolation, shown: [None, None] }
    }

    /// The path at which a program sees its own directory `dir`, as named in its request.
    pub(super) fn place_of(&self, dir: &Path) -> PathBuf {
        if self.isolation.has_namespaces() {
            PROGRAM.into()
        } else if self.isolation.gives_boxes_away() {
            self.dir.join(format!("program-{:016x}", KEYS.hash_one(dir)))
        } else {
            dir.to_owned()
        }
    }

    /// The request with its program in the place where the keeper finds it.
    pub(super) fn shown(&mut self, side: Side, request: &Request) -> Result<Request, SandboxError> {
        let mut request = request.clone();
        if let Place::Box(sight) = &mut request.place
            && let Some(dir) = &mut sight.program
            && self.isolation.gives_boxes_away()
        {
            let failed = format!("cannot copy {}", dir.display());
            *dir = self.show(side, dir).map_err(system(&failed))?;
        }
        Ok(request)
    }

    /// Makes sure that there is a copy of `dir`, instead of the program that this side had before.
    fn show(&mut self, side: Side, dir: &Path) -> io::Result<PathBuf> {
        let place = self.place_of(dir);
        let own = match side {
            Side::Submission => 0,
            Side::Interactor => 1,
        };
        if self.shown[own].as_ref() != Some(&place) {
            hold(&place, dir)?;
            if let Some(before) = self.shown[own].replace(place.clone()) {
                let_go(&before)?;
            }
        }
        Ok(place)
    }
}

impl Drop for Programs {
    fn drop(&mut self) {
        for place in self.shown.iter_mut().filter_map(Option::take) {
            // On an error, the copy is removed with the directory of all slots.
            let _ = let_go(&place);
        }
    }
}

/// Copies `dir` to `place`, unless another side has done so.
fn hold(place: &Path, dir: &Path) -> io::Result<()> {
    let mut shown = SHOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if !shown.contains_key(place) {
        make_public(place)?;
        copy(dir, &Workdir::at(place)?)?;
    }
    *shown.entry(place.to_owned()).or_default() += 1;
    Ok(())
}

/// Removes a copy that no side shows any more.
fn let_go(place: &Path) -> io::Result<()> {
    let mut shown = SHOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(count) = shown.get_mut(place) else { return Ok(()) };
    *count -= 1;
    if *count > 0 {
        return Ok(());
    }
    shown.remove(place);
    fs::remove_dir_all(place)
}

/// Makes a directory that every user can read, whatever the umask is.
fn make_public(dir: &Path) -> io::Result<()> {
    match fs::remove_dir_all(dir) {
        // An attempt that failed may have left a part.
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => fs::create_dir(dir)?,
    }
    fs::set_permissions(dir, fs::Permissions::from_mode(0o755))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_is_there_as_long_as_a_side_of_any_slot_shows_it() {
        let scratch = tempfile::tempdir().unwrap();
        let builds = tempfile::tempdir().unwrap();
        let build = |name: &str| {
            let dir = builds.path().join(name);
            fs::create_dir(&dir).unwrap();
            fs::write(dir.join("program"), name).unwrap();
            dir
        };
        let (one, two) = (build("one"), build("two"));
        let slot = |name: &str| Programs::new(&scratch.path().join(name), Isolation::Users);
        let (mut first, mut second) = (slot("slot0"), slot("slot1"));
        let place = first.show(Side::Submission, &one).unwrap();
        assert_eq!(second.show(Side::Interactor, &one).unwrap(), place);
        assert_eq!((first.place_of(&one), second.place_of(&one)), (place.clone(), place.clone()));
        assert_eq!(fs::read_to_string(place.join("program")).unwrap(), "one");
        let other = first.show(Side::Submission, &two).unwrap();
        assert!(place.exists() && other.exists() && other != place);
        drop(second);
        assert!(!place.exists());
        drop(first);
        assert!(!other.exists());
        assert_eq!(slot("slot0").place_of(&one), place, "the name stays while the process lives");
    }
}
