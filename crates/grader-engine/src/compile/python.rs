//! Finds the interpreter of Python behind a name in `PATH`, the files that it needs to see, and the packages installed
//! for it.
//!
//! Only the interpreter itself knows these facts. The name that starts it selects a virtual environment, version
//! managers put scripts in its place, and packages may lie anywhere. Grader asks the interpreter once, and again when a
//! file that decides its answer has changed.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use serde::{Deserialize, Serialize};

use crate::store::{Key, KeyBuilder};

/// The file that marks a virtual environment (PEP 405). It names the interpreter of the environment.
pub(super) const MARKER: &str = "pyvenv.cfg";

/// A script that makes an interpreter print its paths, one on each line, and an empty line for a missing path. Packages
/// that are installed as links to their sources may be known only to a finder of setuptools.
pub(super) const QUESTION: &str = "\
import sys, site
own = site.ENABLE_USER_SITE
print(sys.executable, sys.prefix, sys.base_prefix, sep='\\n')
print(site.getuserbase() if own else '', site.getusersitepackages() if own else '', sep='\\n')
finders = [m for name, m in sorted(sys.modules.items()) if name.startswith('__editable__')]
for path in sys.path + [to for m in finders for to in getattr(m, 'MAPPING', {}).values()]: print(path)
";

/// The most files of package sources that are checked for changes.
const MOST_FILES: usize = 10_000;

/// The facts that an interpreter reports about itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Interpreter {
    /// The program, under the name that selects its virtual environment.
    pub(super) executable: PathBuf,
    /// The virtual environment, or else the installation of the interpreter.
    prefix: PathBuf,
    /// The installation of the interpreter.
    base: PathBuf,
    /// The user's own packages, unless they are disabled.
    user: Option<UserSite>,
    /// The search path for modules, including missing files and directories.
    paths: Vec<PathBuf>,
}

/// Packages that a user has installed outside of any environment (PEP 370).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct UserSite {
    base: PathBuf,
    packages: PathBuf,
}

impl Interpreter {
    /// Reads the answer of an interpreter; none if it is malformed.
    pub(super) fn read(answer: &str) -> Option<Self> {
        let mut lines = answer.lines();
        let mut path = || lines.next().map(PathBuf::from);
        let executable = path()?;
        let prefix = path()?;
        let base = path()?;
        let user_base = path()?;
        let packages = path()?;
        let user =
            (user_base.is_absolute() && packages.is_absolute()).then_some(UserSite { base: user_base, packages });
        let paths = lines.map(PathBuf::from).filter(|path| path.is_absolute()).collect();
        [&executable, &prefix, &base].iter().all(|path| path.is_absolute()).then_some(())?;
        Some(Self { executable, prefix, base, user, paths })
    }

    /// The directories that belong to it as a whole: the environment and the installation.
    pub(super) fn prefixes(&self) -> BTreeSet<&Path> {
        BTreeSet::from([&*self.prefix, &*self.base])
    }

    /// The search path for modules.
    pub(super) fn places(&self) -> impl Iterator<Item = &Path> {
        self.paths.iter().map(PathBuf::as_path)
    }

    /// The environment variable with which a program finds the user's own packages, because its home differs in a box.
    /// None if there are no such packages.
    pub(super) fn variables(&self) -> Option<(&'static str, &Path)> {
        let user = self.user.as_ref().filter(|user| self.paths.contains(&user.packages))?;
        Some(("PYTHONUSERBASE", &user.base))
    }

    /// Returns a key for everything installed for the interpreter. The key changes when a package is added, removed or
    /// replaced by another version, and when the user edits a module of their own. Does not read files.
    pub(super) fn fingerprint(&self) -> Key {
        let key = Key::of("python v1").field("prefix", self.prefix.as_os_str().as_encoded_bytes());
        let key = stamp(key, &self.prefix.join(MARKER));
        let user = self.user.iter().map(|user| &user.packages).filter(|packages| !self.paths.contains(packages));
        self.paths.iter().chain(user).fold(key, |key, place| self.stamp_place(key, place)).finish()
    }

    fn stamp_place(&self, key: KeyBuilder, place: &Path) -> KeyBuilder {
        let key = key.field("place", place.as_os_str().as_encoded_bytes());
        let is_of_packages = ["site-packages", "dist-packages"].iter().any(|name| place.ends_with(name));
        if is_of_packages {
            installed(place).into_iter().fold(key, |key, entry| stamp(key, &entry))
        } else if self.prefixes().iter().any(|prefix| place.starts_with(prefix)) {
            // The standard library changes with the interpreter's version.
            stamp(key, place)
        } else {
            sources(place).iter().fold(key, |key, file| stamp(key, file))
        }
    }
}

/// The entries directly in a directory of packages, sorted: packages with their versions (`numpy-1.26.4.dist-info`),
/// links to others (`*.pth`), and single modules.
fn installed(place: &Path) -> BTreeSet<PathBuf> {
    let entries = fs::read_dir(place).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).filter(|path| !path.ends_with("__pycache__")).collect()
}

/// The modules below a directory that the user edits, or the single file, sorted.
fn sources(place: &Path) -> BTreeSet<PathBuf> {
    let is_source = |path: &Path| path.extension().is_some_and(|extension| extension == "py" || extension == "so");
    let files = walkdir::WalkDir::new(place).sort_by_file_name().into_iter().filter_map(Result::ok).take(MOST_FILES);
    files.map(walkdir::DirEntry::into_path).filter(|path| is_source(path)).collect()
}

/// Adds the name, size and modification time of a file to a key, or that it is missing. The time of a directory counts
/// only if it records an installation. Any other directory changes when a module in it is first used.
fn stamp(key: KeyBuilder, path: &Path) -> KeyBuilder {
    let key = key.field("entry", path.as_os_str().as_encoded_bytes());
    let Ok(meta) = fs::metadata(path) else { return key.field("missing", "") };
    let is_record = ["dist-info", "egg-info"].iter().any(|end| path.extension().is_some_and(|have| have == *end));
    if meta.is_dir() && !is_record {
        return key;
    }
    let size = if meta.is_dir() { 0 } else { meta.len() };
    // A time before 1970, or a missing one, counts as 0: size and path still distinguish files.
    let changed = meta.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok()).unwrap_or_default();
    key.field("size", size.to_le_bytes()).field("changed", changed.as_nanos().to_le_bytes())
}
