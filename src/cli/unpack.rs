//! Problem packages as archives: taken out for the run, and gone with it.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

use super::scratch::Scratch;
use super::surroundings;
use crate::package::archive::{Archive, Bounds, is_archive_name};

/// What was typed, with directories for archives.
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
}

/// Whether a path is a package's archive, by its name.
fn is_package(path: &Path) -> bool {
    let kattis = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("kpp"));
    path.is_file() && (kattis || is_archive_name(path))
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
