//! Problem packages as archives: taken out for the run, and gone with it.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};

use super::scratch::Scratch;
use super::surroundings;
use crate::package::archive::{Archive, Bounds, is_archive_name};

/// What was typed, with directories for archives.
#[derive(Default)]
pub(super) struct Unpacked {
    /// The words.
    pub(super) words: Vec<String>,
    /// The directories of archives, and what was typed for them.
    pub(super) archives: Vec<(PathBuf, String)>,
    /// Where the archives are while this lives.
    _scratch: Option<Scratch>,
}

impl Unpacked {
    /// Takes out every archive among the words. One that cannot be, or should not be, is an error, and none is run.
    pub(super) fn new(start: &Path, words: &[String]) -> Result<Self> {
        let is_package = |word: &String| is_package(&start.join(word));
        if !words.iter().any(is_package) {
            return Ok(Self { words: words.to_vec(), archives: Vec::new(), _scratch: None });
        }
        let scratch = Scratch::new(&surroundings::scratch()).context("cannot make a scratch directory")?;
        let one = |(at, word): (usize, &String)| {
            if !is_package(word) {
                return Ok(word.clone());
            }
            take_out(&start.join(word), &scratch.path().join(at.to_string())).context(word.clone())
        };
        let dirs: Vec<String> = words.iter().enumerate().map(one).collect::<Result<_>>()?;
        let archives = dirs.iter().zip(words).filter(|(dir, word)| dir != word);
        let archives = archives.map(|(dir, word)| (PathBuf::from(dir), word.clone())).collect();
        Ok(Self { words: dirs, archives, _scratch: Some(scratch) })
    }

    /// A path as it is known to people: in the archive, not where that was taken out.
    pub(super) fn shown(&self, path: &Path) -> PathBuf {
        let inside = |(dir, typed): &(PathBuf, String)| {
            Some(Path::new(typed).join(path.strip_prefix(dir).ok()?).components().collect())
        };
        self.archives.iter().find_map(inside).unwrap_or_else(|| path.to_owned())
    }
}

/// Refuses archives where problems are changed, or looked at for longer than a run.
pub(super) fn refuse_archives(start: &Path, words: &[String]) -> Result<()> {
    let Some(archive) = words.iter().find(|word| is_package(&start.join(word))) else { return Ok(()) };
    bail!(
        "`{archive}` is an archive: `run`, `verify`, `list`, `judge` and `check` read archives; everything else needs \
         the problem's folder\n  → unpack it, and name the folder"
    )
}

/// Whether a path is a package's archive, by its name.
pub(super) fn is_package(path: &Path) -> bool {
    path.is_file() && (is_kattis_name(path) || is_archive_name(path))
}

/// Whether a file is called like a package, which nobody hands in as a submission.
pub(super) fn is_kattis_name(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("kpp"))
}

/// Whether an archive holds a problem package, at its top or in a folder there.
pub(super) fn holds_package(path: &Path) -> bool {
    let Ok(archive) = Archive::open(path, Bounds::default()) else { return false };
    archive.entries().iter().any(|entry| {
        let name = entry.path.file_name().unwrap_or_default();
        entry.path.components().count() <= 2 && (name == "problem.yaml" || name == "domjudge-problem.ini")
    })
}

/// Takes an archive out into a directory of its name below `into`.
fn take_out(archive: &Path, into: &Path) -> Result<String> {
    let name = archive.file_stem().unwrap_or_default();
    let dir: PathBuf = into.join(name);
    fs::create_dir_all(&dir).context("cannot make a directory to unpack into")?;
    Archive::open(archive, Bounds::default())
        .and_then(|mut archive| archive.extract(&dir))
        .context("the archive is not unpacked")?;
    dir.into_os_string().into_string().ok().context("its name is not UTF-8; rename it")
}
